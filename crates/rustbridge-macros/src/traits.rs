//! `#[object(traits(..))]`: the type's traits that hosts call.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::meta::ParseNestedMeta;
use syn::spanned::Spanned;
use syn::{Error, Ident, ImplItemFn, Result, Type, parse_quote};

use crate::plugin::attribute::{Mask, WIRE};
use crate::plugin::{Method, MethodAttribute};

/// The encodings of the methods: JSON for hosts without a typed client.
const ENCODINGS: Mask = 1 | 1 << WIRE;

/// The names that `traits(..)` accepts.
const NAMES: [&str; 6] = ["Display", "Debug", "PartialEq", "Eq", "Hash", "Ord"];

/// The listed traits, each with its position.
#[derive(Default)]
pub struct Traits {
    listed: Vec<(&'static str, Span)>,
}

/// A function that hosts call for a trait.
struct Function {
    /// The name in the description: the trait's, of which the compiler checks that the type has it.
    of: &'static str,
    /// The method's name behind that of the object.
    called: &'static str,
    doc: &'static str,
    signature: ImplItemFn,
    /// The body, at the position of the trait's name, where the compiler then reports that the type doesn't implement the trait.
    body: TokenStream,
}

impl Traits {
    /// Reads `traits(..)`.
    pub fn parse(&mut self, meta: &ParseNestedMeta<'_>) -> Result<()> {
        meta.parse_nested_meta(|inner| {
            let Some(name) = NAMES.into_iter().find(|name| inner.path.is_ident(name)) else {
                return Err(inner.error(format!(
                    "unknown trait: expected one of {}",
                    NAMES.join(", ")
                )));
            };
            if self.find(&[name]).is_some() {
                return Err(inner.error(format!("`{name}` is listed twice")));
            }
            self.listed.push((name, inner.path.span()));
            Ok(())
        })
    }

    /// Returns the first of these traits that is listed.
    fn find(&self, names: &[&str]) -> Option<(&'static str, Span)> {
        let listed = |name: &&str| self.listed.iter().find(|(known, _)| known == name);
        names.iter().find_map(listed).copied()
    }

    /// Returns the methods of an object's type for its traits, from the index `first` on, and the functions that they call.
    pub fn methods(
        &self,
        first: usize,
        object: &str,
        this: &Type,
    ) -> Result<(Vec<Method>, Option<TokenStream>)> {
        let functions = self.functions(this)?;
        let mut methods = Vec::new();
        let (mut signatures, mut bodies) = (Vec::new(), Vec::new());
        for (index, function) in (first..).zip(functions) {
            let attribute = MethodAttribute::default();
            let mut method = Method::parse(index, &function.signature, attribute, ENCODINGS)?;
            method.name = format!("{object}:{}", function.called);
            function.doc.clone_into(&mut method.doc);
            method.is_never_raw = true;
            method.implements = function.of;
            methods.push(method);
            let (signature, body) = (function.signature.sig, function.body);
            signatures.push(quote!(#signature;));
            bodies.push(quote!(#signature { #body }));
        }
        let implemented = (!methods.is_empty()).then(|| {
            quote! {
                trait __Traits {
                    #(#signatures)*
                }

                impl __Traits for #this {
                    #(#bodies)*
                }
            }
        });
        Ok((methods, implemented))
    }

    fn functions(&self, this: &Type) -> Result<Vec<Function>> {
        // `Ord` and `Eq` imply the traits that they extend in Rust.
        let equality = self.find(&["Ord", "Eq", "PartialEq"]);
        let mut functions = Vec::new();
        if let Some((of, at)) = self.find(&["Display"]) {
            functions.push(Function {
                of,
                called: "display",
                doc: "The object as a text for users.",
                signature: parse_quote!(
                    fn __display(&self) -> ::rustbridge::Result<::std::string::String> {}
                ),
                body: trait_call(at, "display", false),
            });
        }
        if let Some((of, at)) = self.find(&["Debug"]) {
            functions.push(Function {
                of,
                called: "debug",
                doc: "The object as a text for programmers.",
                signature: parse_quote!(
                    fn __debug(&self) -> ::rustbridge::Result<::std::string::String> {}
                ),
                body: trait_call(at, "debug", false),
            });
        }
        if let Some((listed, at)) = equality {
            let (of, function) = match listed {
                "PartialEq" => ("PartialEq", "partial_eq"),
                _ => ("Eq", "eq"),
            };
            functions.push(Function {
                of,
                called: "eq",
                doc: "Whether the object is equal to another of its type.",
                signature: parse_quote!(fn __eq(&self, other: ::rustbridge::Object<#this>) -> bool {}),
                body: trait_call(at, function, true),
            });
        }
        if let Some((of, at)) = self.find(&["Hash"]) {
            if equality.is_none() {
                return Err(Error::new(
                    at,
                    "a hash is for objects that can be equal: list `PartialEq`, `Eq` or `Ord`, too",
                ));
            }
            functions.push(Function {
                of,
                called: "hash",
                doc: "The object's hash, which equal objects have in common while the plugin is loaded.",
                signature: parse_quote!(fn __hash(&self) -> u64 {}),
                body: trait_call(at, "hash", false),
            });
        }
        if let Some((of, at)) = self.find(&["Ord"]) {
            functions.push(Function {
                of,
                called: "cmp",
                doc: "-1 if the object is less than the other, 0 if they are equal, and 1 if it's greater.",
                signature: parse_quote!(fn __cmp(&self, other: ::rustbridge::Object<#this>) -> i8 {}),
                body: trait_call(at, "cmp", true),
            });
        }
        Ok(functions)
    }
}

/// Checks that at most one of an object's functions has the role.
pub fn only_one(methods: &[Method], role: &str, at: Span) -> Result<()> {
    if methods.iter().any(|method| method.implements == role) {
        return Err(Error::new(
            at,
            format!("another function of the object has the attribute `#[{role}]`"),
        ));
    }
    Ok(())
}

/// Returns the call of a function whose bound is the trait. All of it is at the trait's name, where the compiler then reports a missing trait.
fn trait_call(at: Span, function: &str, has_other: bool) -> TokenStream {
    // A name that is passed into another macro must not take `self` along.
    let at = Span::call_site().located_at(at);
    let function = Ident::new(function, at);
    let other = has_other.then(|| quote_spanned!(at=> , &*other));
    quote_spanned!(at=> ::rustbridge::__private::traits::#function(self #other))
}
