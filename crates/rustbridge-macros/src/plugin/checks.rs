//! Compile-time checks of a handler's types.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Lifetime, Type, parse_quote};

use super::attribute::{self, DEFAULT, POD, RAW, WIRE};
use super::method::{Method, Shape};
use super::types;

impl Method {
    /// Returns the checks of the types, each with the span where its error should be reported.
    pub(super) fn checks(&self, this: &Type) -> TokenStream {
        let marker = &self.marker;
        let info = self.info();
        let fixed: Lifetime = parse_quote!('static);
        let request_type: Type = self.request.as_ref().map_or_else(
            || parse_quote!(()),
            |request| types::with_lifetime(&request.ty, &fixed, this),
        );
        let request_span = self
            .request
            .as_ref()
            .map_or(self.function.span(), |request| request.ty.span());
        let response_span = self.response.span();
        let response_type =
            quote!(<#marker as ::rustbridge::__private::Handler>::Response<'static>);
        let mut checks = TokenStream::new();
        for (number, word) in self.encodings.iter().flatten() {
            let (request_bound, response_bound) = match *number {
                RAW => (
                    quote!(::rustbridge::RawRequest<'static>),
                    quote!(::rustbridge::RawResponse),
                ),
                POD => (quote!(::rustbridge::Pod), quote!(::rustbridge::Pod)),
                WIRE => (
                    quote!(::rustbridge::__private::wire::Decode<'static>),
                    quote!(::rustbridge::__private::wire::Encode),
                ),
                _ => (
                    quote!(::rustbridge::Incoming<'static>),
                    quote!(::rustbridge::Outgoing),
                ),
            };
            checks.extend(quote_spanned! {request_span=>
                const _: () = {
                    const fn request_has_encoding<T: #request_bound>() {}
                    request_has_encoding::<#request_type>()
                };
            });
            checks.extend(quote_spanned! {response_span=>
                const _: () = {
                    const fn response_has_encoding<T: #response_bound>() {}
                    response_has_encoding::<#response_type>()
                };
            });
            if let Some(items) = &self.items {
                let item_type = types::with_lifetime(items, &fixed, this);
                let bound = match *number {
                    RAW => quote!(::rustbridge::RawItem),
                    POD => quote!(::rustbridge::Pod),
                    WIRE => quote!(::rustbridge::__private::wire::Decode<'static>),
                    _ => quote!(::rustbridge::Incoming<'static>),
                };
                checks.extend(quote_spanned! {items.span()=>
                    const _: () = {
                        const fn items_have_encoding<T: #bound>() {}
                        items_have_encoding::<#item_type>()
                    };
                });
            }
            let bit = 1_u32 << number;
            // The types are checked above. What remains: a feature that's off, or types that are for raw alone.
            if *number > POD && *number != WIRE {
                let off = format!(
                    "method `{}` can't have the encoding `{word}`: turn on the feature `{word}` of `rustbridge`",
                    self.name
                );
                checks.extend(quote_spanned! {word.span()=>
                    const _: () = ::core::assert!(#info.mask() & #bit != 0, #off);
                });
            } else if *number != RAW {
                let only_raw = format!(
                    "method `{}` can't have the encoding `{word}`: a method that takes or returns raw bytes is raw only",
                    self.name
                );
                // Bytes come as they are, or in the wire form beside what they are answered with.
                let takes_raw = match *number {
                    WIRE => quote!(false),
                    _ => quote!(::rustbridge::__private::Probe::<#marker>::RAW_REQUEST),
                };
                checks.extend(quote_spanned! {word.span()=>
                    const _: () = ::core::assert!(
                        ::rustbridge::__private::Probe::<#marker>::RAW.is_none() && !#takes_raw,
                        #only_raw
                    );
                });
            }
        }
        if self.encodings.is_none() {
            let takes =
                self.request
                    .as_ref()
                    .map_or("nothing".to_owned(), |request| match &*request.arguments {
                        [] => types::shown(&request.ty),
                        several => format!("{} parameters", several.len()),
                    });
            let fitting = format!(
                "method `{}`, which takes {takes} and returns {}",
                self.name,
                types::shown(&self.response),
            );
            let none = if self.mask == DEFAULT {
                format!(
                    "no encoding fits {fitting}: both must be messages (`#[derive(Message)]`), or both plain old data \
                     (`#[derive(Pod)]`), or both raw bytes"
                )
            } else {
                format!(
                    "no encoding of those that are listed for all methods, {}, fits {fitting}: list one that does, \
                     `raw` for bytes, `pod` for plain old data, `json` or `wire` for messages",
                    attribute::names(self.mask).join(", ")
                )
            };
            checks.extend(quote_spanned! {self.function.span()=>
                const _: () = ::core::assert!(#info.mask() != 0, #none);
            });
        }
        let fallible = match self.shape {
            Shape::Iterator | Shape::Stream => self.fallible_items,
            _ => self.fallible,
        };
        if !fallible {
            // serde would write an aliased `Result` as a value with `Ok` or `Err` in it.
            let response = types::with_lifetime(&self.response, &fixed, this);
            let alias = format!(
                "method `{}` returns a `Result` under another name; write it as `Result<..>` so that its errors are errors",
                self.name
            );
            checks.extend(quote_spanned! {response_span=>
                const _: () = ::core::assert!(
                    !::rustbridge::__private::ResultProbe::<#response>::IS_RESULT,
                    #alias
                );
            });
        }
        checks
    }
}
