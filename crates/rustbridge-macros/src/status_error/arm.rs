//! The variants of an error type, with their attributes.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::ext::IdentExt as _;
use syn::{Attribute, Error, Field, Fields, Result};

use crate::codes::CODES;
use crate::docs;

pub(super) struct StatusAttribute {
    pub(super) code: Option<Ident>,
    pub(super) skip: bool,
    /// The variant is the error that it holds.
    pub(super) transparent: Option<Span>,
}

/// One variant, or the struct itself.
pub(super) struct Arm {
    pub(super) pattern: TokenStream,
    pub(super) type_name: String,
    pub(super) status: TokenStream,
    /// The status's name; empty for another error's.
    pub(super) code: &'static str,
    /// Whether it's the error in its only field.
    pub(super) is_transparent: bool,
    pub(super) inserts: Vec<TokenStream>,
    /// The field that is the error's source.
    pub(super) source: Option<Ident>,
    /// The same on the wire.
    pub(super) fields: Vec<Detail>,
    /// Whether they are all its fields, with their own types.
    pub(super) is_whole: bool,
    /// Whether they have names.
    pub(super) is_named: bool,
    pub(super) doc: String,
    /// The variant's name.
    pub(super) variant: String,
}

/// A field that callers see.
pub(super) struct Detail {
    pub(super) name: String,
    pub(super) binding: Ident,
    pub(super) ty: TokenStream,
    pub(super) doc: String,
    /// The field's type, if it's the error's source: a typed error, or text.
    pub(super) source: Option<TokenStream>,
}

pub(super) fn arm(
    path: TokenStream,
    type_name: String,
    span: Span,
    attribute: StatusAttribute,
    fields: &Fields,
    attributes: &[Attribute],
) -> Result<Arm> {
    if let Some(span) = attribute.transparent {
        if fields.len() != 1 || attribute.code.is_some() {
            return Err(Error::new(
                span,
                format!(
                    "`{type_name}` is `transparent`, so it must hold exactly one error, and no other status"
                ),
            ));
        }
    } else if attribute.code.is_none() {
        let known: Vec<_> = CODES.iter().map(|(code, _)| *code).collect();
        return Err(Error::new(
            span,
            format!(
                "`{type_name}` needs a status: `#[status(NOT_FOUND)]`, or `#[status(transparent)]` for that of the error in it; the codes are {}",
                known.join(", ")
            ),
        ));
    }
    let is_transparent = attribute.transparent.is_some();
    let status = match &attribute.code {
        Some(code) => quote!(::rustbridge::Status::#code),
        None => quote!(::rustbridge::__private::Transparent::status(field_0)),
    };
    let variant = type_name.rsplit('.').next().unwrap_or_default().to_owned();
    let bindings: Vec<_> = (0..fields.len())
        .map(|index| format_ident!("field_{}", index))
        .collect();
    let pattern = match fields {
        Fields::Named(named) => {
            let idents = named.named.iter().map(|field| &field.ident);
            quote!(#path { #(#idents: #bindings),* })
        }
        Fields::Unnamed(_) => quote!(#path(#(#bindings),*)),
        Fields::Unit => path,
    };
    let mut inserts = Vec::new();
    let mut details = Vec::new();
    let source = fields
        .iter()
        .zip(&bindings)
        .find(|(field, _)| is_source(field))
        .map(|(_, binding)| binding.clone());
    for (index, (field, binding)) in fields.iter().zip(&bindings).enumerate() {
        if is_transparent || attribute.skip || parse(&field.attrs)?.skip {
            continue;
        }
        let key = match &field.ident {
            Some(ident) => ident.unraw().to_string(),
            None => index.to_string(),
        };
        let ty = &field.ty;
        details.push(Detail {
            name: key.clone(),
            binding: binding.clone(),
            ty: match is_source(field) {
                true => quote!(::std::string::String),
                false => quote!(#ty),
            },
            doc: docs::text(&field.attrs),
            source: is_source(field).then(|| quote!(#ty)),
        });
        inserts.push(if is_source(field) {
            quote! {
                details.insert(
                    #key.to_owned(),
                    ::rustbridge::__private::SourceDetail(#binding).detail(),
                );
            }
        } else {
            quote!(::rustbridge::__private::insert_detail(&mut details, #key, #binding);)
        });
    }
    let is_whole = !is_transparent
        && details.len() == fields.len()
        && details
            .iter()
            .all(|detail| detail.source.is_none() && !has_lifetime(&detail.ty));
    let code = CODES
        .iter()
        .find(|(_, variant)| attribute.code.as_ref().is_some_and(|code| code == variant));
    Ok(Arm {
        pattern,
        type_name,
        status,
        code: code.map_or("", |(name, _)| name),
        is_transparent,
        inserts,
        source: source.filter(|_| !is_transparent),
        fields: details,
        is_whole,
        is_named: matches!(fields, Fields::Named(_)),
        doc: docs::text(attributes),
        variant,
    })
}

/// Whether `thiserror` takes the field for the error's cause, or for where it was.
pub(super) fn is_source(field: &Field) -> bool {
    field.ident.as_ref().is_some_and(|ident| ident == "source")
        || field.attrs.iter().any(|attribute| {
            ["source", "from"]
                .iter()
                .any(|name| attribute.path().is_ident(name))
        })
}

pub(super) fn parse(attributes: &[Attribute]) -> Result<StatusAttribute> {
    let mut parsed = StatusAttribute {
        code: None,
        skip: false,
        transparent: None,
    };
    for attribute in attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident("status"))
    {
        attribute.parse_nested_meta(|meta| {
            if meta.path.is_ident("skip") {
                parsed.skip = true;
                return Ok(());
            }
            if meta.path.is_ident("transparent") {
                parsed.transparent = Some(
                    meta.path
                        .get_ident()
                        .map_or_else(Span::call_site, Ident::span),
                );
                return Ok(());
            }
            let code = meta
                .path
                .get_ident()
                .map(ToString::to_string)
                .unwrap_or_default();
            match CODES.iter().find(|(name, _)| *name == code) {
                Some((_, variant)) if parsed.code.is_none() => {
                    parsed.code = Some(Ident::new(variant, Span::mixed_site()));
                    Ok(())
                }
                Some(_) => Err(meta.error("the status is specified twice")),
                None if code == "OK" => Err(meta.error("an error can't have the status OK")),
                None => {
                    let known: Vec<_> = CODES.iter().map(|(code, _)| *code).collect();
                    Err(meta.error(format!(
                        "unknown status; the codes are {}",
                        known.join(", ")
                    )))
                }
            }
        })?;
    }
    Ok(parsed)
}

/// Whether a type has a reference or a lifetime in it: no value of it can be read.
fn has_lifetime(ty: &TokenStream) -> bool {
    ty.clone().into_iter().any(|token| match token {
        TokenTree::Punct(punct) => matches!(punct.as_char(), '&' | '\''),
        TokenTree::Group(group) => has_lifetime(&group.stream()),
        TokenTree::Ident(_) | TokenTree::Literal(_) => false,
    })
}
