//! `#[service]`: from a trait to a client that asks the host.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use syn::parse::Parser;
use syn::spanned::Spanned;
use syn::{
    Attribute, Error, FnArg, Item, ItemTrait, Lifetime, LitStr, Pat, ReceiverKind, Result,
    ReturnType, Signature, TraitItem, TraitItemFn, Type, parse_quote,
};

use crate::docs;
use crate::plugin::arguments::{self, called};
use crate::plugin::attribute::ENCODINGS;
use crate::plugin::types;

/// What is written inside `#[service(..)]`, on the trait and on its functions.
#[derive(Default)]
pub struct ServiceAttribute {
    name: Option<LitStr>,
    encoding: Option<(String, Span)>,
    optional: Option<Span>,
    /// For the functions of a callback: the name of the trait.
    object: Option<String>,
}

impl ServiceAttribute {
    pub fn parse_into(&mut self, tokens: TokenStream) -> Result<()> {
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

    /// The attribute of a callback's services.
    pub fn of_callback(name: &str) -> ServiceAttribute {
        let span = Span::call_site();
        ServiceAttribute {
            name: Some(LitStr::new(name, span)),
            encoding: Some(("wire".to_owned(), span)),
            optional: Some(span),
            object: Some(name.to_owned()),
        }
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
pub struct Function<'a> {
    item: &'a TraitItemFn,
    name: String,
    encoding: String,
    span: Span,
    /// The names and types of the parameters.
    parameters: Vec<(Ident, &'a Type)>,
    /// For a function of a callback: the name of the trait. The number of the host's object is the first field of the request.
    receiver: Option<String>,
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
    let kept = kept(&item);
    let expansion = client(attribute, &item).unwrap_or_else(|error| error.to_compile_error());
    Ok(quote!(#kept #expansion))
}

/// Returns the trait as it stays in the source.
pub fn kept(item: &ItemTrait) -> ItemTrait {
    let mut kept = item.clone();
    for part in &mut kept.items {
        if let TraitItem::Fn(function) = part {
            function
                .attrs
                .retain(|attribute| !attribute.path().is_ident("service"));
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

/// Returns the names and types of the parameters.
fn parameters(signature: &Signature) -> Result<Vec<(Ident, &Type)>> {
    let mut parameters: Vec<(Ident, &Type)> = Vec::new();
    for input in &signature.inputs {
        let FnArg::Typed(input) = input else { continue };
        let Pat::Ident(name) = &*input.pat else {
            return Err(Error::new(input.pat.span(), "name the parameter"));
        };
        if parameters.len() == arguments::MOST {
            return Err(Error::new(
                input.span(),
                format!(
                    "a service accepts at most {} parameters; put several values into one message: `#[derive(Message)] struct Request {{ .. }}`",
                    arguments::MOST
                ),
            ));
        }
        if types::has_impl_trait(&input.ty) {
            return Err(Error::new(
                input.ty.span(),
                "a parameter must be a type with a name, not `impl Trait`",
            ));
        }
        if signature.asyncness.is_some() && matches!(*input.ty, Type::Reference(_)) {
            return Err(Error::new(
                input.ty.span(),
                "an async service must accept its parameters by value: they are sent when the future is first polled",
            ));
        }
        if let Some((other, _)) = parameters
            .iter()
            .find(|(other, _)| called(other) == called(&name.ident))
        {
            return Err(Error::new(
                name.ident.span(),
                format!(
                    "hosts know another parameter as `{}`, too: leading underscores aren't part of the name",
                    called(other)
                ),
            ));
        }
        parameters.push((name.ident.clone(), &*input.ty));
    }
    Ok(parameters)
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
        let what = match &on_trait.object {
            Some(_) => "a function of a callback",
            None => "a service",
        };
        let own = ServiceAttribute::of(&item.attrs)?;
        if let (Some(_), Some(attribute)) = (
            &on_trait.object,
            item.attrs
                .iter()
                .find(|attribute| attribute.path().is_ident("service")),
        ) {
            return Err(Error::new(
                attribute.span(),
                "a function of a callback isn't a service of its own: remove `#[service]`",
            ));
        }
        if let Some(body) = &item.default {
            return Err(Error::new(
                body.span(),
                format!("{what} must not have a body: the host implements it"),
            ));
        }
        if !signature.generics.params.is_empty() {
            return Err(Error::new(
                signature.generics.span(),
                format!("{what} can't be generic: the host has one function"),
            ));
        }
        match signature.receiver() {
            Some(receiver) if matches!(receiver.kind, ReceiverKind::Reference(_, _, None)) => {}
            Some(receiver) => {
                return Err(Error::new(
                    receiver.span(),
                    format!("{what} must have `&self`"),
                ));
            }
            None => {
                return Err(Error::new(
                    signature.ident.span(),
                    format!("{what} must have `&self`"),
                ));
            }
        }
        let parameters = parameters(signature)?;
        if on_trait.object.is_some()
            && let Some((name, _)) = parameters.iter().find(|(name, _)| called(name) == "object")
        {
            return Err(Error::new(
                name.span(),
                "`object` is the name by which hosts know the number of the callback's object: choose another name for the parameter",
            ));
        }
        let (output, ok) = match &signature.output {
            ReturnType::Type(_, output) => match types::ok_type(output) {
                Some(ok) => (&**output, ok),
                None => {
                    return Err(Error::new(
                        output.span(),
                        format!("{what} must return a `Result`: the host may fail, or be gone"),
                    ));
                }
            },
            ReturnType::Default => {
                return Err(Error::new(
                    signature.ident.span(),
                    format!("{what} must return a `Result`: the host may fail, or be gone"),
                ));
            }
        };
        let (encoding, span) = own
            .encoding
            .or_else(|| on_trait.encoding.clone())
            .unwrap_or_else(|| ("json".to_owned(), signature.ident.span()));
        if let ("raw" | "pod", [_, (_, second), ..]) = (&*encoding, &parameters[..]) {
            return Err(Error::new(
                second.span(),
                format!(
                    "in the encoding `{encoding}`, a service accepts one value: use `wire` or `json`, or put several values into one"
                ),
            ));
        }
        Ok(Function {
            item,
            name: own.name.map_or_else(
                || format!("{prefix}.{}", signature.ident),
                |name| name.value(),
            ),
            encoding,
            span,
            parameters,
            receiver: on_trait.object.clone(),
            output,
            ok,
            is_async: signature.asyncness.is_some(),
            optional: own.optional.or(on_trait.optional).is_some(),
            doc: docs::text(&item.attrs),
        })
    }

    /// Whether the request is a record of the parameters.
    fn has_record(&self) -> bool {
        self.receiver.is_some() || self.parameters.len() > 1
    }

    /// The type of the request, with `lifetime` in place of each lifetime.
    fn request_type(&self, lifetime: &Lifetime) -> TokenStream {
        match &self.parameters[..] {
            _ if self.has_record() => {
                let record = self.record_name();
                let generics = self.borrows().then(|| quote!(<#lifetime>));
                quote!(#record #generics)
            }
            [] => quote!(()),
            [(_, ty), ..] => {
                let ty = types::with_lifetime(ty, lifetime, &parse_quote!(Self));
                quote!(#ty)
            }
        }
    }

    fn record_name(&self) -> Ident {
        format_ident!("__{}Request", arguments::pascal(&self.name))
    }

    /// Whether a parameter is a reference, or has one inside.
    fn borrows(&self) -> bool {
        let lifetime = parse_quote!('r);
        self.parameters.iter().any(|(_, ty)| {
            types::has_lifetime(
                &types::with_lifetime(ty, &lifetime, &parse_quote!(())),
                &lifetime,
            )
        })
    }

    /// Returns the definition of the record, unless the request is the only parameter.
    pub fn record(&self) -> Result<Option<TokenStream>> {
        if !self.has_record() {
            return Ok(None);
        }
        let lifetime: Lifetime = parse_quote!('r);
        let fields: Vec<_> = self
            .parameters
            .iter()
            .map(|(name, ty)| {
                let ty = types::with_lifetime(ty, &lifetime, &parse_quote!(()));
                let called = called(name);
                (quote!(#[serde(rename = #called)]), quote!(#name: #ty))
            })
            .collect();
        let (renames, fields): (Vec<_>, Vec<_>) = fields.into_iter().unzip();
        let object = self.receiver.is_some().then(|| quote!(__object: u64,));
        let record = self.record_name();
        let generics = self.borrows().then(|| quote!(<#lifetime>));
        let name = format!("{}Request", arguments::pascal(&self.name));
        let doc = format!("The parameters of `{}`.", self.name);
        let named_object = object
            .as_ref()
            .map(|object| quote!(#[serde(rename = "object")] #object));
        let named = quote! {
            #[serde(rename = #name)]
            #[doc = #doc]
            struct #record #generics { #named_object #(#renames #fields),* }
        };
        if self.encoding != "wire" {
            return Ok(Some(quote! {
                #[derive(
                    ::rustbridge::__private::serde::Serialize,
                    ::rustbridge::__private::schemars::JsonSchema
                )]
                #[serde(crate = "rustbridge::__private::serde")]
                #[schemars(crate = "rustbridge::__private::schemars")]
                #named
            }));
        }
        let wire = crate::wire::expand_outgoing(&syn::parse2(named)?)?;
        Ok(Some(quote! {
            #[doc = #doc]
            struct #record #generics { #object #(#fields),* }

            const _: () = {
                use ::rustbridge::__private::wire;
                #wire
            };
        }))
    }

    /// Returns the request to send. `object` is the number of the object whose function it is.
    fn request(&self, object: &TokenStream) -> TokenStream {
        let names: Vec<_> = self.parameters.iter().map(|(name, _)| name).collect();
        if self.has_record() {
            let record = self.record_name();
            let object = self.receiver.is_some().then(|| quote!(__object: #object,));
            return quote!(#record { #object #(#names),* });
        }
        match &names[..] {
            [] => quote!(()),
            [name, ..] => quote!(#name),
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

    pub fn info(&self) -> TokenStream {
        let (name, doc, optional) = (&self.name, &self.doc, self.optional);
        let parameter = match &self.parameters[..] {
            [(name, _)] if !self.has_record() => called(name),
            _ => String::new(),
        };
        let has_record = self.has_record();
        let receiver = self.receiver.as_deref().unwrap_or_default();
        let (request, ok) = (self.request_type(&parse_quote!('static)), self.ok);
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
                let takes = !self.parameters.is_empty();
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
                arguments: #has_record,
                receiver: #receiver,
                schemas: #schemas,
                layouts: #layouts,
                types: #types,
            }
        }
    }

    /// The name of the function for hosts, without that of the trait.
    pub fn called(&self) -> &str {
        self.name
            .rsplit_once('.')
            .map_or(&*self.name, |(_, own)| own)
    }

    /// The doc comment.
    pub fn doc(&self) -> &str {
        &self.doc
    }

    /// Returns the function as one of a type that implements the trait, under another name.
    pub fn inherent(&self, this: &Ident) -> TokenStream {
        let (name, parameters, output) = (&self.item.sig.ident, self.parameters(), self.output);
        let (own, arguments) = (format_ident!("__{name}_method"), self.arguments());
        let run = quote!(<Self as #this>::#name(self #arguments));
        if self.is_async {
            quote!(async fn #own(&self #parameters) -> #output { #run.await })
        } else {
            quote!(fn #own(&self #parameters) -> #output { #run })
        }
    }

    fn parameters(&self) -> TokenStream {
        let parameters = self.parameters.iter().map(|(name, ty)| quote!(#name: #ty));
        quote!(#(, #parameters)*)
    }

    fn arguments(&self) -> TokenStream {
        let names = self.parameters.iter().map(|(name, _)| name);
        quote!(#(, #names)*)
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

    pub fn erased_signature(&self) -> TokenStream {
        let erased = self.erased();
        quote!(#erased;)
    }

    pub fn erasing(&self, this: &Ident) -> TokenStream {
        let (erased, name, arguments) = (self.erased(), &self.item.sig.ident, self.arguments());
        let run = quote!(<T as #this>::#name(self #arguments));
        if self.is_async {
            quote!(#erased { ::std::boxed::Box::pin(#run) })
        } else {
            quote!(#erased { #run })
        }
    }

    /// The function that asks.
    pub fn asking(&self, place: usize, erased: &Ident) -> TokenStream {
        let (name, parameters, output) = (&self.item.sig.ident, self.parameters(), self.output);
        let (wire, arguments, behind) = (self.wire(), self.arguments(), self.erased_name());
        let source = match self.receiver.is_some() {
            true => quote!(CallbackSource),
            false => quote!(ServiceSource),
        };
        let host = quote!(::rustbridge::__private::#source::Host(services));
        let local = quote!(::rustbridge::__private::#source::Local(local));
        let request = self.request(&quote!(services.object()));
        let (request_type, ok) = (self.request_type(&parse_quote!('_)), self.ok);
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
                            #local => #erased::#behind(&*local #arguments).await,
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
                        #local => #erased::#behind(&**local #arguments),
                    }
                }
            }
        }
    }
}
