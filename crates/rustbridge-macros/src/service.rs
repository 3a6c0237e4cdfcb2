//! `#[service]`: from a trait to a client that asks the host.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use syn::parse::Parser;
use syn::spanned::Spanned;
use syn::{
    Attribute, Error, FnArg, Item, ItemTrait, LitStr, Pat, ReceiverKind, Result, ReturnType,
    TraitItem, TraitItemFn, Type, parse_quote,
};

use crate::docs;
use crate::plugin::arguments::called;
use crate::plugin::attribute::ENCODINGS;
use crate::plugin::types;

/// What is written inside `#[service(..)]`, on the trait and on its functions.
#[derive(Default)]
struct ServiceAttribute {
    name: Option<LitStr>,
    encoding: Option<(String, Span)>,
    optional: Option<Span>,
}

impl ServiceAttribute {
    fn parse_into(&mut self, tokens: TokenStream) -> Result<()> {
        let parser = syn::meta::parser(|meta| {
            if meta.path.is_ident("name") {
                let name: LitStr = meta.value()?.parse()?;
                if name.value().is_empty() {
                    return Err(Error::new(name.span(), "a service's name can't be empty"));
                }
                self.name = Some(name);
            } else if meta.path.is_ident("encoding") {
                let encoding: LitStr = meta.value()?.parse()?;
                let value = encoding.value();
                if !ENCODINGS.contains(&&*value) {
                    return Err(Error::new(
                        encoding.span(),
                        format!("unknown encoding: expected one of {}", ENCODINGS.join(", ")),
                    ));
                }
                self.encoding = Some((value, encoding.span()));
            } else if meta.path.is_ident("optional") {
                self.optional = Some(meta.path.span());
            } else {
                return Err(meta.error(
                    "unknown key: `#[service]` accepts `name = \"..\"`, `encoding = \"..\"` and `optional`",
                ));
            }
            Ok(())
        });
        parser.parse2(tokens)
    }

    fn of(attributes: &[Attribute]) -> Result<ServiceAttribute> {
        let mut parsed = ServiceAttribute::default();
        for attribute in attributes {
            if attribute.path().is_ident("service") {
                parsed.parse_into(attribute.meta.require_list()?.tokens.clone())?;
            }
        }
        Ok(parsed)
    }
}

/// One service: a function of the trait.
struct Function<'a> {
    item: &'a TraitItemFn,
    name: String,
    encoding: String,
    span: Span,
    /// The argument's name and type.
    argument: Option<(Ident, &'a Type)>,
    output: &'a Type,
    ok: &'a Type,
    is_async: bool,
    optional: bool,
    doc: String,
}

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
    let mut kept = item.clone();
    for part in &mut kept.items {
        if let TraitItem::Fn(function) = part {
            function
                .attrs
                .retain(|attribute| !attribute.path().is_ident("service"));
            make_future(function);
        }
    }
    let expansion = client(attribute, &item).unwrap_or_else(|error| error.to_compile_error());
    Ok(quote!(#kept #expansion))
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
                #client { of: ::rustbridge::__private::ServiceSource::Fake(::std::sync::Arc::new(fake)) }
            }

            /// The same services, called as part of this call: with its deadline, its cancellation, its trace and its metadata. May be kept
            /// by a task that outlives the call.
            #[allow(dead_code, reason = "who works for nobody has no use for it")]
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

fn functions<'a>(item: &'a ItemTrait, on_trait: &ServiceAttribute) -> Result<Vec<Function<'a>>> {
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
                "a trait of services must contain only functions",
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
            "a trait of services must have at least one function: `fn get(&self, id: u64) -> Result<Price>;`",
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

impl<'a> Function<'a> {
    fn read(
        item: &'a TraitItemFn,
        prefix: &str,
        on_trait: &ServiceAttribute,
    ) -> Result<Function<'a>> {
        let signature = &item.sig;
        let own = ServiceAttribute::of(&item.attrs)?;
        if let Some(body) = &item.default {
            return Err(Error::new(
                body.span(),
                "a service must not have a body: the host implements it",
            ));
        }
        if !signature.generics.params.is_empty() {
            return Err(Error::new(
                signature.generics.span(),
                "a service can't be generic: the host has one function",
            ));
        }
        match signature.receiver() {
            Some(receiver) if matches!(receiver.kind, ReceiverKind::Reference(_, _, None)) => {}
            Some(receiver) => {
                return Err(Error::new(receiver.span(), "a service must have `&self`"));
            }
            None => {
                return Err(Error::new(
                    signature.ident.span(),
                    "a service must have `&self`",
                ));
            }
        }
        let mut argument = None;
        for input in &signature.inputs {
            let FnArg::Typed(input) = input else { continue };
            if argument.is_some() {
                return Err(Error::new(
                    input.span(),
                    "a service accepts one request: put several values into one message: `#[derive(Message)] struct Request { .. }`",
                ));
            }
            let Pat::Ident(name) = &*input.pat else {
                return Err(Error::new(input.pat.span(), "name the request"));
            };
            if types::has_impl_trait(&input.ty) {
                return Err(Error::new(
                    input.ty.span(),
                    "a request must be a type with a name, not `impl Trait`",
                ));
            }
            if signature.asyncness.is_some() && matches!(*input.ty, Type::Reference(_)) {
                return Err(Error::new(
                    input.ty.span(),
                    "an async service must accept its request by value: the request is sent when the future is first polled",
                ));
            }
            argument = Some((name.ident.clone(), &*input.ty));
        }
        let (output, ok) = match &signature.output {
            ReturnType::Type(_, output) => match types::ok_type(output) {
                Some(ok) => (&**output, ok),
                None => {
                    return Err(Error::new(
                        output.span(),
                        "a service must return a `Result`: the host may fail, or be gone",
                    ));
                }
            },
            ReturnType::Default => {
                return Err(Error::new(
                    signature.ident.span(),
                    "a service must return a `Result`: the host may fail, or be gone",
                ));
            }
        };
        let (encoding, span) = own
            .encoding
            .or_else(|| on_trait.encoding.clone())
            .unwrap_or_else(|| ("json".to_owned(), signature.ident.span()));
        Ok(Function {
            item,
            name: own.name.map_or_else(
                || format!("{prefix}.{}", signature.ident),
                |name| name.value(),
            ),
            encoding,
            span,
            argument,
            output,
            ok,
            is_async: signature.asyncness.is_some(),
            optional: own.optional.or(on_trait.optional).is_some(),
            doc: docs::text(&item.attrs),
        })
    }

    fn request_type(&self) -> TokenStream {
        match &self.argument {
            Some((_, ty)) => quote!(#ty),
            None => quote!(()),
        }
    }

    /// The type that stands for the encoding.
    fn wire(&self) -> TokenStream {
        let name = match &*self.encoding {
            "raw" => "InRaw",
            "pod" => "InPod",
            "msgpack" => "Msgpack",
            "bincode" => "Bincode",
            "postcard" => "Postcard",
            "wire" => "InWire",
            _ => "Json",
        };
        let name = Ident::new(name, self.span);
        quote!(::rustbridge::__private::#name)
    }

    fn info(&self) -> TokenStream {
        let (name, doc, optional) = (&self.name, &self.doc, self.optional);
        let parameter = self.argument.as_ref().map(|(name, _)| called(name));
        let parameter = parameter.unwrap_or_default();
        let (request, ok) = (self.request_type(), self.ok);
        let encoding = match &*self.encoding {
            "json" => "Json",
            "raw" => "Raw",
            "pod" => "Pod",
            "msgpack" => "Msgpack",
            "bincode" => "Bincode",
            "wire" => "Wire",
            _ => "Postcard",
        };
        let encoding = Ident::new(encoding, Span::call_site());
        let none = quote!(::core::option::Option::None);
        let types = match &*self.encoding {
            "wire" => quote!(::core::option::Option::Some(
                ::rustbridge::__private::service_types::<#request, #ok>()
            )),
            "raw" | "pod" => none.clone(),
            _ => quote!({
                #[allow(unused_imports, reason = "what has types has its own")]
                use ::rustbridge::__private::NoServiceTypes as _;
                ::rustbridge::__private::ServiceProbe::<#request, #ok>::TYPES
            }),
        };
        let (schemas, layouts) = match &*self.encoding {
            "raw" | "wire" => (none.clone(), none),
            "pod" => (
                none,
                quote!(::core::option::Option::Some(
                    ::rustbridge::__private::service_layouts::<#request, #ok>()
                )),
            ),
            _ => {
                let takes = self.argument.is_some();
                (
                    // Made of types by who reads them, where there are any.
                    quote!(if #types.is_some() {
                        ::core::option::Option::None
                    } else {
                        ::core::option::Option::Some(
                            ::rustbridge::__private::service_schemas::<#request, #ok>(#takes)
                        )
                    }),
                    none,
                )
            }
        };
        quote! {
            ::rustbridge::__private::ServiceInfo {
                name: #name,
                encoding: ::rustbridge::__private::Encoding::#encoding,
                optional: #optional,
                doc: #doc,
                parameter: #parameter,
                schemas: #schemas,
                layouts: #layouts,
                types: #types,
            }
        }
    }

    fn parameters(&self) -> TokenStream {
        match &self.argument {
            Some((name, ty)) => quote!(, #name: #ty),
            None => quote!(),
        }
    }

    fn arguments(&self) -> TokenStream {
        match &self.argument {
            Some((name, _)) => quote!(, #name),
            None => quote!(),
        }
    }

    /// The function behind a pointer, under a name that nobody calls by mistake: both traits are implemented for the client.
    fn erased(&self) -> TokenStream {
        let (name, parameters, output) = (self.erased_name(), self.parameters(), self.output);
        if self.is_async {
            quote! {
                fn #name<'erased>(&'erased self #parameters) -> ::core::pin::Pin<::std::boxed::Box<
                    dyn ::core::future::Future<Output = #output> + ::core::marker::Send + 'erased
                >>
            }
        } else {
            quote!(fn #name(&self #parameters) -> #output)
        }
    }

    fn erased_name(&self) -> Ident {
        format_ident!("__{}_erased", self.item.sig.ident)
    }

    fn erased_signature(&self) -> TokenStream {
        let erased = self.erased();
        quote!(#erased;)
    }

    fn erasing(&self, this: &Ident) -> TokenStream {
        let (erased, name, arguments) = (self.erased(), &self.item.sig.ident, self.arguments());
        let run = quote!(<T as #this>::#name(self #arguments));
        if self.is_async {
            quote!(#erased { ::std::boxed::Box::pin(#run) })
        } else {
            quote!(#erased { #run })
        }
    }

    /// The function that asks.
    fn asking(&self, place: usize, erased: &Ident) -> TokenStream {
        let (name, parameters, output) = (&self.item.sig.ident, self.parameters(), self.output);
        let (wire, arguments, behind) = (self.wire(), self.arguments(), self.erased_name());
        let request = match &self.argument {
            Some((name, _)) => quote!(#name),
            None => quote!(()),
        };
        let (request_type, ok) = (self.request_type(), self.ok);
        let host = quote!(::rustbridge::__private::ServiceSource::Host(services));
        let fake = quote!(::rustbridge::__private::ServiceSource::Fake(fake));
        if self.is_async {
            quote! {
                fn #name(&self #parameters)
                    -> impl ::core::future::Future<Output = #output> + ::core::marker::Send
                {
                    let of = ::core::clone::Clone::clone(&self.of);
                    async move {
                        match of {
                            #host => {
                                let calling =
                                    services.start::<#wire, #request_type, #ok>(#place, #request);
                                calling.await.map_err(::core::convert::From::from)
                            }
                            #fake => #erased::#behind(&*fake #arguments).await,
                        }
                    }
                }
            }
        } else {
            quote! {
                fn #name(&self #parameters) -> #output {
                    match &self.of {
                        #host => services
                            .call::<#wire, _, #ok>(#place, #request)
                            .map_err(::core::convert::From::from),
                        #fake => #erased::#behind(&**fake #arguments),
                    }
                }
            }
        }
    }
}
