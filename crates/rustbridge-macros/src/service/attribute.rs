//! The arguments of `#[service(..)]`.

use proc_macro2::{Span, TokenStream};
use syn::parse::Parser;
use syn::spanned::Spanned;
use syn::{Attribute, Error, LitStr, Result};

use crate::plugin::MethodAttribute;
use crate::plugin::attribute::ENCODINGS;

/// The arguments of `#[service(..)]`, on the trait and on its functions.
#[derive(Default)]
pub struct ServiceAttribute {
    pub(super) name: Option<LitStr>,
    pub(super) encoding: Option<(String, Span)>,
    pub(super) optional: Option<Span>,
    /// For the functions of a callback: the name of the trait.
    pub(super) object: Option<String>,
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

    pub(super) fn of(attributes: &[Attribute]) -> Result<ServiceAttribute> {
        let mut parsed = ServiceAttribute::default();
        for attribute in attributes {
            if attribute.path().is_ident("service") {
                parsed.parse_into(attribute.meta.require_list()?.tokens.clone())?;
            }
        }
        Ok(parsed)
    }
}

/// Reads `#[method(..)]` on a function that the host implements. It may say only that messages contain objects.
pub(super) fn marked(attributes: &[Attribute]) -> Result<MethodAttribute> {
    let parsed = MethodAttribute::parse(attributes)?;
    let has_others = parsed.name.is_some()
        || parsed.id.is_some()
        || parsed.leaf.is_some()
        || parsed.spawn.is_some()
        || parsed.skip
        || parsed.encodings.is_some();
    let mut attributes = attributes.iter();
    match attributes.find(|one| one.path().is_ident("method")) {
        Some(attribute) if has_others => Err(Error::new(
            attribute.span(),
            "a function that the host implements may have only `takes_objects` and `returns_objects` here",
        )),
        _ => Ok(parsed),
    }
}
