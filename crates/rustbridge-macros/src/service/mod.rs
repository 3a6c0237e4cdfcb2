//! `#[service]`: from a trait to a client that calls the host.

mod asking;
mod attribute;
mod crossing;
mod function;

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::spanned::Spanned;
use syn::{
    Error, Ident, Item, ItemTrait, Result, ReturnType, TraitItem, TraitItemFn, Type, parse_quote,
};

pub use self::attribute::ServiceAttribute;
pub use self::crossing::Crossing;
pub use self::function::Function;
use crate::default_value;
pub fn expand(attribute: TokenStream, item: TokenStream) -> Result<TokenStream> {
    let item = match syn::parse2::<Item>(item)? {
        Item::Trait(item) => item,
        other => {
            return Err(Error::new(
                other.span(),
                "`#[service]` must be on a trait whose functions the host implements: `#[service] pub trait Prices { .. }`",
            ));
        }
    };
    let kept = kept(&item);
    let expansion = client(attribute, &item).unwrap_or_else(|error| {
        let error = error.to_compile_error();
        let stub = stub(&kept).map(|(client, stub)| {
            quote! {
                #stub

                impl ::rustbridge::Service for #client {
                    const SERVICES: &'static [::rustbridge::__private::ServiceInfo] = &[];

                    fn connect(_: &::rustbridge::Host) -> ::core::result::Result<Self, ::rustbridge::Error> {
                        ::core::unreachable!()
                    }
                }
            }
        });
        quote!(#error #stub)
    });
    Ok(quote!(#kept #expansion))
}

/// Returns the name and the definition of a client whose functions do nothing, for a trait with an error. Uses of it elsewhere aren't
/// further errors. A trait that isn't one of services at all has none.
pub fn stub(kept: &ItemTrait) -> Option<(Ident, TokenStream)> {
    let mut functions = Vec::new();
    for part in &kept.items {
        let TraitItem::Fn(function) = part else {
            return None;
        };
        let signature = &function.sig;
        functions.push(match &function.default {
            Some(_) => TokenStream::new(),
            None if is_future(&signature.output) => {
                quote!(#[allow(unused_variables)] #signature { async { ::core::unreachable!() } })
            }
            None => quote!(#[allow(unused_variables)] #signature { ::core::unreachable!() }),
        });
    }
    if !kept.generics.params.is_empty() {
        return None;
    }
    let (vis, this) = (&kept.vis, &kept.ident);
    let client = format_ident!("{this}Client");
    let stub = quote! {
        #[derive(Clone, Debug)]
        #[allow(dead_code, reason = "for the trait's error alone")]
        #vis struct #client {}

        #[allow(dead_code, reason = "for plugins that call within a call, and for tests")]
        impl #client {
            #vis fn fake(_: impl #this + ::core::marker::Send + ::core::marker::Sync + 'static) -> Self {
                ::core::unreachable!()
            }

            #vis fn within(&self, _: &::rustbridge::Call<'_>) -> Self {
                ::core::unreachable!()
            }
        }

        impl #this for #client {
            #(#functions)*
        }
    };
    Some((client, stub))
}

fn is_future(output: &ReturnType) -> bool {
    matches!(output, ReturnType::Type(_, ty) if matches!(**ty, Type::ImplTrait(_)))
}

/// Returns the trait as it stays in the source.
pub fn kept(item: &ItemTrait) -> ItemTrait {
    let mut kept = item.clone();
    for part in &mut kept.items {
        if let TraitItem::Fn(function) = part {
            function.attrs.retain(|attribute| {
                !["service", "method"]
                    .iter()
                    .any(|name| attribute.path().is_ident(name))
            });
            default_value::remove(&mut function.sig);
            make_future(function);
        }
    }
    kept
}

/// Writes an `async fn` as what it is to callers on any thread.
fn make_future(function: &mut TraitItemFn) {
    if function.sig.asyncness.take().is_none() {
        return;
    }
    let output: Type = match &function.sig.output {
        ReturnType::Default => parse_quote!(()),
        ReturnType::Type(_, output) => (**output).clone(),
    };
    function.sig.output = parse_quote! {
        -> impl ::core::future::Future<Output = #output> + ::core::marker::Send
    };
}

fn client(attribute: TokenStream, item: &ItemTrait) -> Result<TokenStream> {
    let mut on_trait = ServiceAttribute::default();
    on_trait.parse_into(attribute)?;
    if !item.generics.params.is_empty() {
        return Err(Error::new(
            item.generics.span(),
            "a trait of services can't be generic: the host registers functions by their names",
        ));
    }
    let functions = functions(item, &on_trait)?;
    let records = functions
        .iter()
        .map(Function::record)
        .collect::<Result<Vec<_>>>()?;
    let (vis, this) = (&item.vis, &item.ident);
    let client = format_ident!("{this}Client");
    let erased = format_ident!("__{this}Erased");
    let client_doc = format!(
        "Client of the host's service [`{this}`]. Cheap to clone, usable from any thread and task."
    );
    let infos = functions.iter().map(Function::info);
    let erased_functions = functions.iter().map(Function::erased_signature);
    let erasing = functions.iter().map(|function| function.erasing(this));
    let asking = functions
        .iter()
        .enumerate()
        .map(|(place, function)| function.asking(place, &erased));
    Ok(quote! {
        #(#records)*

        #[doc = #client_doc]
        #[derive(Clone)]
        #vis struct #client {
            of: ::rustbridge::__private::ServiceSource<dyn #erased>,
        }

        impl #client {
            /// A client that asks this in place of a host, for tests.
            #[allow(dead_code, reason = "for tests")]
            #[allow(clippy::implied_bounds_in_impls, reason = "the trait may have some of them")]
            #vis fn fake(
                fake: impl #this + ::core::marker::Send + ::core::marker::Sync + 'static,
            ) -> Self {
                #client { of: ::rustbridge::__private::ServiceSource::Local(::std::sync::Arc::new(fake)) }
            }

            /// The same services, called as part of this call: with its deadline, its cancellation, its trace and its metadata. May be kept
            /// by a task that outlives the call.
            #[allow(dead_code, reason = "unused in a plugin whose service calls belong to no call")]
            #vis fn within(&self, call: &::rustbridge::Call<'_>) -> Self {
                #client { of: self.of.within(call) }
            }
        }

        impl ::core::fmt::Debug for #client {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.debug_tuple(::core::stringify!(#client)).field(&self.of).finish()
            }
        }

        impl ::rustbridge::Service for #client {
            const SERVICES: &'static [::rustbridge::__private::ServiceInfo] = &[#(#infos),*];

            fn connect(
                host: &::rustbridge::Host,
            ) -> ::core::result::Result<Self, ::rustbridge::Error> {
                let services = ::rustbridge::__private::Services::connect(
                    host,
                    <Self as ::rustbridge::Service>::SERVICES,
                )?;
                ::core::result::Result::Ok(#client { of: ::rustbridge::__private::ServiceSource::Host(services) })
            }
        }

        #[doc(hidden)]
        trait #erased: ::core::marker::Send + ::core::marker::Sync {
            #(#erased_functions)*
        }

        impl<T: #this + ::core::marker::Send + ::core::marker::Sync> #erased for T {
            #(#erasing)*
        }

        #[allow(clippy::useless_conversion, reason = "an error may be of another type")]
        impl #this for #client {
            #(#asking)*
        }
    })
}

pub fn functions<'a>(
    item: &'a ItemTrait,
    on_trait: &ServiceAttribute,
) -> Result<Vec<Function<'a>>> {
    let prefix = match &on_trait.name {
        Some(name) => name.value(),
        None => snake(&item.ident.to_string()),
    };
    let mut functions: Vec<Function<'a>> = Vec::new();
    let mut errors: Option<Error> = None;
    for part in &item.items {
        let read = match part {
            TraitItem::Fn(function) => Function::read(function, &prefix, on_trait),
            other => Err(Error::new(
                other.span(),
                "the trait must contain only functions",
            )),
        };
        let read = read.and_then(|function| {
            match functions.iter().any(|other| other.name == function.name) {
                true => Err(Error::new(
                    function.span,
                    format!("the service `{}` is declared twice", function.name),
                )),
                false => Ok(function),
            }
        });
        match (read, &mut errors) {
            (Ok(function), _) => functions.push(function),
            (Err(error), Some(errors)) => errors.combine(error),
            (Err(error), none) => *none = Some(error),
        }
    }
    match errors {
        Some(errors) => Err(errors),
        None if functions.is_empty() => Err(Error::new(
            item.ident.span(),
            "the trait must have at least one function: `fn get(&self, id: u64) -> Result<Price>;`",
        )),
        None => Ok(functions),
    }
}

/// `PriceList` as `price_list`.
fn snake(name: &str) -> String {
    let mut text = String::new();
    for character in name.chars() {
        if character.is_uppercase() && !text.is_empty() {
            text.push('_');
        }
        text.extend(character.to_lowercase());
    }
    text
}
