//! One handler: its parsed signature, and the code generated for its entries.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt as _;
use syn::spanned::Spanned;
use syn::{Error, Ident, ImplItemFn, Lifetime, Result, ReturnType, Type, parse_quote};

use super::arguments::{self, Argument};
use super::attribute::{self, ENCODINGS, Listed, Mask, MethodAttribute, RAW, WIRE};
use super::signature::{self, Parameters, Request};
use super::types;
use crate::docs;

/// Returns code that converts the error of a handler's result; `call` must be in scope.
pub(super) fn taken(result: &TokenStream, span: Span) -> TokenStream {
    quote_spanned!(span=> {
        #[allow(unused_imports, reason = "an error with a type has its own")]
        use ::rustbridge::__private::UntypedError as _;
        ::rustbridge::__private::Outcome(#result).take(call.encoding())
    })
}

/// Returns the type of a result's error, if the error has a type.
fn error_of(result: Option<&Type>, this: &Type) -> TokenStream {
    let Some(result) = result.filter(|result| types::ok_type(result).is_some()) else {
        return quote!(::core::option::Option::None);
    };
    let result = types::with_lifetime(result, &parse_quote!('static), this);
    quote! {
        {
            #[allow(unused_imports, reason = "an error with a type has its own")]
            use ::rustbridge::__private::NoTypedError as _;
            ::rustbridge::__private::ErrorProbe::<#result>::ERROR
        }
    }
}

/// A handler as its signature and attributes describe it.
pub struct Method {
    /// The function's name.
    pub function: Ident,
    /// The method's name; several handlers may share it.
    pub name: String,
    pub name_span: Span,
    pub id: Option<(u32, Span)>,
    /// The handler's index.
    index: usize,
    /// The marker type that represents the handler.
    pub marker: Ident,
    pub(super) leaf: bool,
    pub(super) is_async: bool,
    pub doc: String,
    pub(super) spawn: bool,
    pub(super) shape: Shape,
    pub(super) request: Option<Request>,
    /// The type of the items that it accepts.
    pub(super) items: Option<Type>,
    pub(super) takes_call: bool,
    /// The response type as written; of a stream, the item type.
    pub(super) response: Type,
    /// Whether the function returns a `Result`.
    pub(super) fallible: bool,
    /// The `Result<(), ..>` of a stream that may not start.
    begun: Option<Type>,
    /// Whether each item is a `Result`.
    pub(super) fallible_items: bool,
    /// The encodings listed for this handler alone.
    pub(super) encodings: Option<Listed>,
    /// The encodings that it has if its types support them.
    pub(super) mask: Mask,
    pub(super) takes_objects: bool,
    pub(super) returns_objects: bool,
    /// Whether bytes and text are in the wire format even if the types are bytes alone.
    pub is_never_raw: bool,
    /// The name of the object's type, for a constructor or an associated function.
    pub class: String,
    pub constructor: bool,
    /// `get` or `set`, for a property.
    pub property: &'static str,
    /// The trait, or `len` or `iter`, for a method that an operation of the host's language calls.
    pub implements: &'static str,
}

/// The owner of a method.
#[derive(Clone, Copy)]
pub enum Receiver {
    Plugin,
    Object,
    /// The host, for a method that creates an object.
    Host,
    /// None, for a constructor or an associated function.
    Class,
}

/// The kind of task that a start creates for the handler.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// None: the handler is called.
    Plain,
    /// A future.
    Future,
    /// An iterator.
    Iterator,
    /// A stream.
    Stream,
    /// A blocking thread, because the handler waits for items.
    Blocking,
}

impl Method {
    /// `offered` are the encodings of all methods that list none.
    pub fn parse(
        index: usize,
        function: &ImplItemFn,
        attribute: MethodAttribute,
        offered: Mask,
    ) -> Result<Method> {
        let signature = &function.sig;
        signature::check(function)?;
        if let (Some(leaf), Some(_)) = (&attribute.leaf, &signature.asyncness) {
            return Err(Error::new(
                leaf.span(),
                "an async method can't be leaf: leaf promises that it never waits",
            ));
        }
        if let (Some(spawn), None) = (&attribute.spawn, &signature.asyncness) {
            return Err(Error::new(
                spawn.span(),
                "`spawn` is for an `async fn`: it keeps the first part of that off the caller's thread",
            ));
        }
        let Parameters {
            request,
            items,
            takes_call,
        } = signature::parameters(index, function)?;
        let returned: Type = match &signature.output {
            ReturnType::Default => parse_quote!(()),
            ReturnType::Type(_, ty) => (**ty).clone(),
        };
        let fallible = types::ok_type(&returned).is_some();
        let answer = types::ok_type(&returned).unwrap_or(&returned);
        let begun = types::with_ok(&returned, parse_quote!(()));
        let (shape, response, fallible_items) = match types::sequence(answer) {
            Some(sequence) => {
                if let Some(token) = &signature.asyncness {
                    return Err(Error::new(
                        token.span(),
                        format!(
                            "a method that returns `impl {}` can't be `async`: await inside the `Stream` instead",
                            sequence.name
                        ),
                    ));
                }
                let shape = match sequence.name.as_str() {
                    "Iterator" => Shape::Iterator,
                    _ => Shape::Stream,
                };
                let item = sequence.item;
                (shape, item.clone(), types::ok_type(item).is_some())
            }
            None => {
                let shape = match (&signature.asyncness, &items) {
                    (Some(_), _) => Shape::Future,
                    (None, Some(_)) => Shape::Blocking,
                    (None, None) => Shape::Plain,
                };
                (shape, returned.clone(), false)
            }
        };
        if types::has_impl_trait(&response) {
            return Err(Error::new(
                response.span(),
                "a method's response must be a type with a name, `impl Iterator<Item = T>` or `impl Stream<Item = T>`, \
                 not another `impl Trait`",
            ));
        }
        if let (Some(leaf), false) = (&attribute.leaf, shape == Shape::Plain) {
            return Err(Error::new(
                leaf.span(),
                "a stream can't be leaf: a leaf call must complete at once",
            ));
        }
        let (name, name_span) = match &attribute.name {
            Some(name) => (name.value(), name.span()),
            None => (signature.ident.unraw().to_string(), signature.ident.span()),
        };
        let id = match &attribute.id {
            Some(id) => Some((id.base10_parse()?, id.span())),
            None => None,
        };
        let arguments = request.iter().flat_map(|request| &request.arguments);
        let is_sequence = matches!(shape, Shape::Iterator | Shape::Stream);
        if let (true, Some(lent)) = (is_sequence, arguments.clone().find_map(Argument::lent)) {
            return Err(Error::new(
                lent,
                "with several parameters, a method that returns items must accept each by value: they outlive the call",
            ));
        }
        let takes_objects = attribute.takes_objects
            || request
                .iter()
                .map(|request| &request.ty)
                .chain(arguments.map(Argument::ty))
                .any(types::mentions_object);
        Ok(Method {
            function: signature.ident.clone(),
            name,
            name_span,
            id,
            index,
            marker: format_ident!("Handler{}", index),
            leaf: attribute.leaf.is_some(),
            is_async: signature.asyncness.is_some(),
            doc: docs::text(&function.attrs),
            spawn: attribute.spawn.is_some(),
            shape,
            request,
            items,
            takes_call,
            fallible,
            begun,
            fallible_items,
            takes_objects,
            returns_objects: attribute.returns_objects || types::mentions_object(&response),
            response,
            mask: attribute
                .encodings
                .as_ref()
                .map_or(offered, attribute::mask),
            encodings: attribute.encodings,
            is_never_raw: false,
            class: String::new(),
            constructor: false,
            property: "",
            implements: "",
        })
    }

    /// Returns the types of the objects in its parameters and its response.
    pub fn objects(&self) -> Vec<&Type> {
        let request = self.request.iter();
        let parameters = request.flat_map(|request| match &*request.arguments {
            [] => vec![&request.ty],
            several => several.iter().map(Argument::ty).collect(),
        });
        parameters
            .chain([&self.response])
            .flat_map(types::objects_in)
            .collect()
    }

    /// Returns the marker type with its `Handler` implementation, and the constant that describes it.
    pub fn expand(&self, this: &Type, receiver: Receiver) -> TokenStream {
        let way = match receiver {
            Receiver::Plugin => quote!(OfPlugin),
            Receiver::Object => quote!(OfObject),
            Receiver::Host => quote!(OfHost),
            Receiver::Class => quote!(OfClass),
        };
        let Method {
            takes_objects,
            returns_objects,
            marker,
            function,
            name,
            doc,
            leaf,
            is_async,
            class,
            constructor,
            property,
            implements,
            ..
        } = self;
        let request_lifetime: Lifetime = parse_quote!('r);
        let response_lifetime: Lifetime = parse_quote!('a);
        let request_type = self.request.as_ref().map_or_else(
            || parse_quote!(()),
            |request| types::with_lifetime(&request.ty, &request_lifetime, this),
        );
        // Taken from how it's written rather than from a trait, so that an error type that doesn't fit is reported once,
        // where the error is converted.
        let response_type = types::ok_type(&self.response).unwrap_or(&self.response);
        let response_type = types::with_lifetime(response_type, &response_lifetime, this);
        let takes_request = self.request.is_some();
        // An async handler ends with its call, whether it takes it or not.
        let uses_call = self.takes_call || self.is_async;
        let by_ref = self.request.as_ref().is_some_and(|request| request.by_ref);
        let pass = if by_ref {
            quote!(ByRef)
        } else {
            quote!(ByValue)
        };

        let streams = matches!(self.shape, Shape::Iterator | Shape::Stream);
        let takes_items = self.items.is_some();
        let item_type = self.items.as_ref().map_or_else(
            || parse_quote!(()),
            |ty| types::with_lifetime(ty, &parse_quote!('static), this),
        );
        let borrows = types::has_lifetime(&request_type, &request_lifetime);
        let run = |request: TokenStream| {
            if streams || takes_items {
                // Its entries say that it's a stream.
                return quote! {
                    reply(::core::result::Result::Err(::rustbridge::__private::no_request()))
                };
            }
            let result = self.called(this, &request);
            let converted = |result: TokenStream| {
                if self.fallible {
                    taken(&result, function.span())
                } else {
                    quote!(::core::result::Result::Ok(#result))
                }
            };
            if self.is_async {
                let result = quote_spanned!(function.span()=> ::rustbridge::__private::block_on!(call, #result));
                let converted = converted(quote!(output));
                quote!(reply(match #result {
                    ::core::result::Result::Ok(output) => #converted,
                    ::core::result::Result::Err(ended) => ::core::result::Result::Err(ended),
                }))
            } else {
                let converted = converted(result);
                quote!(reply(#converted))
            }
        };
        let by_owned = if by_ref {
            run(quote!(&request))
        } else {
            run(quote!(request))
        };
        let parameters = |request: TokenStream| {
            quote! {
                plugin: &#this,
                request: #request,
                call: &::rustbridge::Call<'_>,
                reply: impl for<'a> ::core::ops::FnOnce(
                    ::core::result::Result<Self::Response<'a>, ::rustbridge::Error>,
                ) -> ::rustbridge::__private::StatusCode,
            }
        };
        let owned_parameters = parameters(quote!(Self::Request<'r>));
        let ref_handler = by_ref.then(|| {
            let parameters = parameters(quote!(&Self::Request<'r>));
            let run = run(quote!(request));
            quote! {
                #[allow(unused_variables, reason = "a handler may leave out the request and the call")]
                impl ::rustbridge::__private::RefHandler for #marker {
                    #[inline(always)]
                    fn call_ref<'r>(#parameters) -> ::rustbridge::__private::StatusCode {
                        #run
                    }
                }
            }
        });
        let mask = self.mask;
        let asks_for_raw = self
            .encodings
            .iter()
            .flatten()
            .any(|(number, _)| *number == RAW);
        // What isn't wanted isn't made. So types without a wire form are told of only where it's wanted.
        let probe = quote!(::rustbridge::__private::Probe::<#marker>);
        let none = quote!(::core::option::Option::None);
        let has = |number: usize| mask & 1 << number != 0;
        let entries = ENCODINGS.iter().enumerate().map(|(number, encoding)| {
            if !has(number) {
                return none.clone();
            }
            let place = match number {
                RAW if asks_for_raw => "RAW_ASKED_FOR".to_owned(),
                _ => encoding.to_uppercase(),
            };
            let place = Ident::new(&place, Span::call_site());
            quote!(#probe::#place)
        });
        let (types, schemas) = if has(WIRE) {
            // The reader makes them from the types, if there are any.
            let schemas = quote!(if #probe::TYPES.is_some() { #none } else { #probe::SCHEMAS });
            (quote!(#probe::TYPES), schemas)
        } else {
            (none.clone(), quote!(#probe::SCHEMAS))
        };
        let error = self.error(this);
        let arguments = self.request.as_ref().map(|request| &*request.arguments);
        let arguments = arguments.filter(|arguments| !arguments.is_empty());
        let has_arguments = arguments.is_some();
        let parameter = self
            .request
            .as_ref()
            .and_then(|request| request.name.as_deref());
        let parameter = parameter.unwrap_or_default();
        let with_fewer = self.fewer_parameters(this);
        let record = arguments.map(|arguments| {
            let typed = mask & 1 << WIRE != 0;
            arguments::record(arguments, self.index, name, typed, this)
        });
        let checks = self.checks(this);
        let info = self.info();
        let is_raw = if self.is_never_raw {
            quote!(false)
        } else if *returns_objects && !asks_for_raw {
            // The object is a message, so a request of bytes is in the wire format, as for any other message.
            quote!(#probe::RAW.is_some() && !#probe::RAW_REQUEST)
        } else {
            quote!(#probe::RAW.is_some())
        };
        let start = self.start(this);
        let starts = self.starts();

        quote! {
            #record

            enum #marker {}

            #[allow(unused_variables, reason = "a handler may leave out the request and the call")]
            impl ::rustbridge::__private::Handler for #marker {
                type Plugin = #this;
                type Way = ::rustbridge::__private::#way;
                type Request<'r> = #request_type;
                type Response<'a> = #response_type;
                type Item = #item_type;
                type Pass = ::rustbridge::__private::#pass;
                const METHOD: &'static str = #name;
                const TAKES_REQUEST: bool = #takes_request;
                const BORROWS: bool = #borrows;
                const TAKES_ITEMS: bool = #takes_items;
                const TAKES_OBJECTS: bool = #takes_objects;
                const RETURNS_OBJECTS: bool = #returns_objects;
                const USES_CALL: bool = #uses_call;

                #[inline(always)]
                fn call<'r>(#owned_parameters) -> ::rustbridge::__private::StatusCode {
                    #by_owned
                }

                #with_fewer
            }

            #ref_handler
            #start

            const #info: ::rustbridge::__private::HandlerInfo = ::rustbridge::__private::HandlerInfo {
                doc: #doc,
                leaf: #leaf,
                is_async: #is_async,
                streams: #streams,
                takes_items: #takes_items,
                starts: #starts,
                objects: #returns_objects,
                arguments: #has_arguments,
                parameter: #parameter,
                receiver: <::rustbridge::__private::#way as ::rustbridge::__private::Way<#this>>::RECEIVER,
                class: #class,
                constructor: #constructor,
                property: #property,
                implements: #implements,
                entries: [#(#entries),*],
                schemas: #schemas,
                layouts: ::rustbridge::__private::Probe::<#marker>::LAYOUTS,
                types: #types,
                raw_types: ::rustbridge::__private::Probe::<#marker>::RAW_TYPES,
                error: #error,
            }
            .restrict(
                #mask,
                #is_raw,
                ::rustbridge::__private::Probe::<#marker>::RAW_REQUEST,
            );

            #checks
        }
    }

    /// Returns the type of the handler's error, if the error has a type.
    fn error(&self, this: &Type) -> TokenStream {
        let of_items = self.error_of_items(this);
        if !matches!(self.shape, Shape::Iterator | Shape::Stream) {
            return of_items;
        }
        let of_start = self.error_of_start(this);
        quote! {
            match #of_items {
                ::core::option::Option::None => #of_start,
                of_items => of_items,
            }
        }
    }

    /// Returns the type of the response's error; of a stream, that of its items' errors.
    pub(super) fn error_of_items(&self, this: &Type) -> TokenStream {
        error_of(Some(&self.response), this)
    }

    /// Returns the type of the error of a stream that doesn't start.
    pub(super) fn error_of_start(&self, this: &Type) -> TokenStream {
        error_of(self.begun.as_ref(), this)
    }

    /// Returns code that reads the requests of callers that know fewer parameters. Returns `None` unless all unknown
    /// parameters are options.
    fn fewer_parameters(&self, this: &Type) -> Option<TokenStream> {
        let request = self.request.as_ref()?;
        let body = match &*request.arguments {
            [] => {
                let may_be_none = request.name.is_some()
                    && !request.by_ref
                    && types::is_named(&request.ty, "Option");
                may_be_none.then(|| {
                    let none = quote!(::core::option::Option::None);
                    quote!(bytes.is_empty().then_some(#none))
                })?
            }
            several => arguments::fewer(several, self.index, this)?,
        };
        Some(quote! {
            fn with_fewer_parameters<'r, C: ::rustbridge::__private::Codec>(
                bytes: &'r [u8],
            ) -> ::core::option::Option<Self::Request<'r>> {
                #body
            }
        })
    }

    /// Returns the name of the constant that describes the handler.
    pub fn info(&self) -> Ident {
        format_ident!("INFO_{}", self.marker)
    }
}
