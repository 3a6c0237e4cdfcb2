//! `#[callback]`: from a trait to an object that the host implements.
//!
//! The object lives in the plugin, as every object does. Its functions call the host's object by services, which it names by a number.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};
use syn::spanned::Spanned;
use syn::{Error, ImplItem, ImplItemFn, Item, ItemTrait, LitStr, Result, Type, parse_quote};

use crate::docs;
use crate::object;
use crate::plugin::attribute::{Mask, WIRE};
use crate::plugin::{Method, MethodAttribute, Receiver, group};
use crate::service::{self, Crossing, Function, ServiceAttribute};

/// The encodings of the object's methods.
const ENCODINGS: Mask = 1 | 1 << WIRE;

pub fn expand(attribute: TokenStream, item: TokenStream) -> Result<TokenStream> {
    let item = match syn::parse2::<Item>(item)? {
        Item::Trait(item) => item,
        other => {
            return Err(Error::new(
                other.span(),
                "`#[callback]` must be on a trait that the host implements: `#[callback] pub trait Progress { .. }`",
            ));
        }
    };
    let kept = service::kept(&item);
    let expansion = callback(attribute, &item).unwrap_or_else(|error| {
        let (error, stub) = (error.to_compile_error(), stub(&kept));
        quote!(#error #stub)
    });
    Ok(quote!(#kept #expansion))
}

/// Returns a client without methods. Uses of it elsewhere aren't further errors.
fn stub(kept: &ItemTrait) -> Option<TokenStream> {
    let (client, stub) = service::stub(kept)?;
    let object = object::stub(&client);
    let this = &kept.ident;
    Some(quote! {
        #stub
        #object

        impl #client {
            #[allow(dead_code, reason = "for plugins that implement it")]
            pub fn new(_: impl #this + ::core::marker::Send + ::core::marker::Sync + 'static) -> Self {
                ::core::unreachable!()
            }
        }

        impl ::rustbridge::__private::Callback for #client {
            const SERVICES: &'static [::rustbridge::__private::ServiceInfo] = &[];
            const OBJECTS: &'static [&'static str] = &[];
        }
    })
}

fn name(attribute: TokenStream, item: &ItemTrait) -> Result<String> {
    let mut name = None;
    let parser = syn::meta::parser(|meta| {
        if !meta.path.is_ident("name") {
            return Err(meta.error("unknown key: `#[callback]` accepts `name = \"..\"`"));
        }
        let given: LitStr = meta.value()?.parse()?;
        if given.value().is_empty() {
            return Err(Error::new(given.span(), "a callback's name can't be empty"));
        }
        name = Some(given.value());
        Ok(())
    });
    syn::parse::Parser::parse2(parser, attribute)?;
    Ok(name.unwrap_or_else(|| item.ident.to_string()))
}

fn callback(attribute: TokenStream, item: &ItemTrait) -> Result<TokenStream> {
    let name = name(attribute, item)?;
    if !item.generics.params.is_empty() {
        return Err(Error::new(
            item.generics.span(),
            "a callback can't be generic: hosts know it by a single name",
        ));
    }
    let functions = service::functions(item, &ServiceAttribute::of_callback(&name))?;
    let records = functions
        .iter()
        .map(Function::record)
        .collect::<Result<Vec<_>>>()?;
    let (vis, this) = (&item.vis, &item.ident);
    let client = format_ident!("{this}Client");
    let erased = format_ident!("__{this}Erased");
    let from_host = format_ident!("__{this}FromHost");
    let methods = methods(&functions, &name, this)?;
    let crossings: Vec<Crossing> = functions.iter().flat_map(Function::crossings).collect();
    let hosted = hosted(&crossings, &name, &client, methods.len())?;
    let client_type: Type = parse_quote!(#client);
    let host_type: Type = parse_quote!(::rustbridge::Host);
    let objects: Vec<_> = methods.iter().flat_map(Method::objects).cloned().collect();
    let own = methods
        .iter()
        .map(|method| method.expand(&client_type, Receiver::Object));
    let of_host = hosted
        .iter()
        .map(|method| method.expand(&host_type, Receiver::Host));
    let handlers: Vec<_> = own.chain(of_host).collect();
    let mut all = methods;
    all.extend(hosted);
    let groups = group::of(&all)?;
    let method_infos = groups.iter().map(group::Group::info);
    let inherent = functions.iter().map(|function| function.inherent(this));
    let infos = functions.iter().map(Function::info);
    let release = format!("{name}:release");
    let erased_functions = functions.iter().map(Function::erased_signature);
    let erasing = functions.iter().map(|function| function.erasing(this));
    let asking = functions
        .iter()
        .enumerate()
        .map(|(place, function)| function.asking(place, &erased));
    let heads: Vec<_> = crossings.iter().map(|crossing| &crossing.head).collect();
    let bodies = crossings.iter().map(|crossing| &crossing.body);
    let doc = docs::text(&item.attrs);
    let client_doc = format!(
        "An implementation of [`{this}`], usually the host's: `Object<{client}>` in a method's parameters. Usable from any thread and task."
    );
    Ok(quote! {
        #(#records)*

        #[doc = #client_doc]
        #[derive(Clone)]
        #vis struct #client {
            of: ::rustbridge::__private::CallbackSource<dyn #erased>,
        }

        impl #client {
            /// An implementation of the plugin's own. Hosts call its functions as methods of an object.
            #[allow(dead_code, reason = "for plugins that implement it")]
            #[allow(clippy::implied_bounds_in_impls, reason = "the trait may have some of them")]
            #vis fn new(
                own: impl #this + ::core::marker::Send + ::core::marker::Sync + 'static,
            ) -> Self {
                #client { of: ::rustbridge::__private::CallbackSource::Local(::std::sync::Arc::new(own)) }
            }

            /// The same implementation, called as part of this call: with its deadline, its cancellation, its trace and its metadata. A
            /// task that outlives the call may keep it.
            #[allow(dead_code, reason = "for plugins that pass it on")]
            #vis fn within(&self, call: &::rustbridge::Call<'_>) -> Self {
                #client { of: self.of.within(call) }
            }
        }

        impl ::core::fmt::Debug for #client {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.debug_tuple(::core::stringify!(#client)).field(&self.of).finish()
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

        const _: () = {
            #[allow(unused_imports, reason = "not needed when every handler has every encoding")]
            use ::rustbridge::__private::{Absent as _, NoStart as _, NotResult as _};

            trait #from_host {
                fn __from_host(&self, object: u64) -> ::rustbridge::Result<::rustbridge::Object<#client>>;
                #(#heads;)*
            }

            impl #from_host for ::rustbridge::Host {
                fn __from_host(&self, object: u64) -> ::rustbridge::Result<::rustbridge::Object<#client>> {
                    let of = ::rustbridge::__private::CallbackSource::of_host(
                        self,
                        <#client as ::rustbridge::__private::Callback>::SERVICES,
                        object,
                    )?;
                    ::core::result::Result::Ok(::rustbridge::Object::new(#client { of }))
                }

                #(#heads { #bodies })*
            }

            impl #client {
                #(#inherent)*

                fn __number(&self) -> u64 {
                    self.of.object()
                }
            }

            #(#handlers)*

            impl ::rustbridge::ObjectType for #client {
                const NAME: &'static str = #name;
                const METHODS: &'static [::rustbridge::__private::MethodInfo] = &[#(#method_infos),*];
            }

            impl ::rustbridge::__private::Callback for #client {
                const SERVICES: &'static [::rustbridge::__private::ServiceInfo] = &[
                    #(#infos,)*
                    ::rustbridge::__private::release_info(#release, #name, #doc),
                ];
                const OBJECTS: &'static [&'static str] =
                    &[#(<#objects as ::rustbridge::ObjectType>::NAME),*];
            }
        };
    })
}

/// Returns the methods by which hosts call the object, and the one that returns the number of the host's object.
fn methods(functions: &[Function<'_>], name: &str, this: &syn::Ident) -> Result<Vec<Method>> {
    let mut methods = Vec::new();
    for function in functions {
        let ImplItem::Fn(inherent) = syn::parse2(function.inherent(this))? else {
            continue;
        };
        let mut method = Method::parse(
            methods.len(),
            &inherent,
            MethodAttribute::default(),
            ENCODINGS,
        )?;
        method.name = format!("{name}.{}", function.called());
        // Only services in the wire format have the same types.
        method.is_never_raw = true;
        method.doc = function.doc().to_owned();
        methods.push(method);
    }
    let number: ImplItemFn = parse_quote!(
        fn __number(&self) -> u64 {}
    );
    let mut method = Method::parse(
        methods.len(),
        &number,
        MethodAttribute::default(),
        ENCODINGS,
    )?;
    method.name = format!("{name}:number");
    "The number of the host's object, or 0 if the object is the plugin's."
        .clone_into(&mut method.doc);
    methods.push(method);
    Ok(methods)
}

/// Returns the methods that don't belong to an object: the one that creates an object from the number of the host's, and those by which
/// arguments and results with objects cross. Their indices begin with `first`.
fn hosted(
    crossings: &[Crossing],
    name: &str,
    client: &syn::Ident,
    first: usize,
) -> Result<Vec<Method>> {
    let created: ImplItemFn = parse_quote!(
        fn __from_host(&self, object: u64) -> ::rustbridge::Result<::rustbridge::Object<#client>> {}
    );
    let mut method = Method::parse(first, &created, MethodAttribute::default(), ENCODINGS)?;
    method.name = format!("{name}:new");
    method.name_span = Span::call_site();
    "Creates an object that stands for the host's object with this number, until it calls the service that releases it."
        .clone_into(&mut method.doc);
    let mut methods = vec![method];
    for crossing in crossings {
        let head = &crossing.head;
        let function: ImplItemFn = parse_quote!(#head {});
        let attribute = MethodAttribute {
            takes_objects: crossing.takes_objects,
            returns_objects: crossing.returns_objects,
            ..MethodAttribute::default()
        };
        let mut method = Method::parse(first + methods.len(), &function, attribute, 1 << WIRE)?;
        method.name = format!("{name}.{}", crossing.name);
        method.name_span = Span::call_site();
        method.is_never_raw = true;
        method.doc.clone_from(&crossing.doc);
        methods.push(method);
    }
    Ok(methods)
}
