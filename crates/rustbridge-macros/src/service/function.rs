//! A function of a trait of services, or of a callback.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use syn::spanned::Spanned;
use syn::{
    Error, FnArg, Lifetime, Pat, ReceiverKind, Result, ReturnType, Signature, TraitItemFn, Type,
    parse_quote,
};

use super::attribute::{ServiceAttribute, marked};
use crate::default_value;
use crate::docs;
use crate::plugin::arguments::{self, called};
use crate::plugin::types;

/// One service: a function of the trait.
pub struct Function<'a> {
    pub(super) item: &'a TraitItemFn,
    pub(super) name: String,
    encoding: String,
    pub(super) span: Span,
    /// The names and types of the parameters.
    pub(super) parameters: Vec<(Ident, &'a Type)>,
    /// For a function of a callback: the name of the trait. The number of the host's object is the first field of the request.
    pub(super) receiver: Option<String>,
    pub(super) output: &'a Type,
    pub(super) ok: &'a Type,
    pub(super) is_async: bool,
    optional: bool,
    doc: String,
    /// Objects are among its parameters, or in its result. Such arguments and results cross by methods, because services have no objects.
    pub(super) takes_objects: bool,
    pub(super) returns_objects: bool,
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
impl<'a> Function<'a> {
    pub(super) fn read(
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
        default_value::refuse(
            signature,
            &format!(
                "a parameter of {what} can't have a default value: the plugin passes every value"
            ),
        )?;
        let parameters = parameters(signature)?;
        let types = parameters.iter().map(|(_, ty)| *ty);
        let output_type = match &signature.output {
            ReturnType::Type(_, ty) => Some(&**ty),
            ReturnType::Default => None,
        };
        let marked = marked(&item.attrs)?;
        let takes_objects = marked.takes_objects || types.clone().any(types::mentions_object);
        let returns_objects =
            marked.returns_objects || output_type.is_some_and(types::mentions_object);
        let has_objects = takes_objects || returns_objects;
        if let (true, None) = (has_objects, &on_trait.object) {
            return Err(Error::new(
                signature.ident.span(),
                "a service can't accept or return objects: make it a function of a callback (`#[callback]`), which the host passes to a method",
            ));
        }
        if let (true, Some(ty)) = (has_objects, types.clone().find(|ty| borrows(ty))) {
            return Err(Error::new(
                ty.span(),
                "a function that accepts or returns objects must accept its parameters by value: the host asks for them while the function is called",
            ));
        }
        if let (false, Some(_), Some((name, _))) = (
            has_objects,
            &on_trait.object,
            parameters.iter().find(|(name, _)| called(name) == "object"),
        ) {
            return Err(Error::new(
                name.span(),
                "a parameter of a callback's function can't be called `object`: that's the number of the host's object",
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
            takes_objects,
            returns_objects,
        })
    }

    /// Whether the request is a record of the parameters.
    fn has_record(&self) -> bool {
        self.receiver.is_some() || self.parameters.len() > 1
    }

    /// The type of the request, with `lifetime` in place of each lifetime.
    pub(super) fn request_type(&self, lifetime: &Lifetime) -> TokenStream {
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
        if self.has_objects() {
            return false;
        }
        self.parameters.iter().any(|(_, ty)| borrows(ty))
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
        let fields = match self.has_objects() {
            true => vec![(quote!(#[serde(rename = "call")]), quote!(__call: u64))],
            false => fields,
        };
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
                ::rustbridge::__json_schema! {
                    {
                        #[derive(::rustbridge::__private::schemars::JsonSchema)]
                        #[schemars(crate = "rustbridge::__private::schemars")]
                    }
                    #[derive(::rustbridge::__private::serde::Serialize)]
                    #[serde(crate = "rustbridge::__private::serde")]
                    #named
                }
            }));
        }
        let wire = crate::wire::expand_outgoing(&syn::parse2(named)?)?;
        let arguments = self.arguments_record()?;
        Ok(Some(quote! {
            #arguments

            #[doc = #doc]
            struct #record #generics { #object #(#fields),* }

            const _: () = {
                use ::rustbridge::__private::wire as __wire;
                #wire
            };
        }))
    }

    /// Returns the request to send. `object` is the number of the object whose function it is.
    pub(super) fn request(&self, object: &TokenStream) -> TokenStream {
        let names: Vec<_> = self.parameters.iter().map(|(name, _)| name).collect();
        if self.has_objects() {
            let record = self.record_name();
            return quote!(#record { __object: #object, __call: parked.number() });
        }
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
    pub(super) fn wire(&self) -> TokenStream {
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
        let (request, ok) = (self.request_type(&parse_quote!('static)), self.answer());
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
                    // The reader makes them from the types, if there are any.
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
        let error = self.error_type();
        quote! {
            ::rustbridge::__private::ServiceInfo {
                error: #error,
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

    pub(super) fn parameters(&self) -> TokenStream {
        let parameters = self.parameters.iter().map(|(name, ty)| quote!(#name: #ty));
        quote!(#(, #parameters)*)
    }

    pub(super) fn arguments(&self) -> TokenStream {
        let names = self.parameters.iter().map(|(name, _)| name);
        quote!(#(, #names)*)
    }

    /// The function behind a pointer. Its generated name avoids ambiguity, because the client implements both traits.
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

    pub(super) fn erased_name(&self) -> Ident {
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

    /// Returns the type of the function's error, if the error has a type.
    fn error_type(&self) -> TokenStream {
        let output = self.output;
        quote!({
            #[allow(unused_imports, reason = "an error with a type has its own")]
            use ::rustbridge::__private::NoTypedError as _;
            ::rustbridge::__private::ErrorProbe::<#output>::ERROR
        })
    }
}

/// Whether a type is a reference, or has one inside.
fn borrows(ty: &Type) -> bool {
    let lifetime = parse_quote!('r);
    types::has_lifetime(
        &types::with_lifetime(ty, &lifetime, &parse_quote!(())),
        &lifetime,
    )
}
