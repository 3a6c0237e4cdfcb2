//! `#[message(via = T)]` on a field: finds the part of the field's type that is sent as a `T`.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote_spanned};
use syn::spanned::Spanned;
use syn::{GenericArgument, PathArguments, Type};

/// A field's type that contains a type sent as another one.
pub struct Via {
    /// The type of `rustbridge::via` that describes the path to the converted type.
    pub route: TokenStream,
    /// The field's type as others see it, with the replacement in place of the converted type.
    pub seen: Type,
    /// Whether the field itself is an option.
    pub is_option: bool,
    /// The position of `T` in the attribute.
    pub span: Span,
}

impl Via {
    pub fn new(field: &Type, goes_as: &Type) -> Via {
        let mut seen = field.clone();
        let mut routes = Vec::new();
        replace(&mut seen, goes_as, &mut routes);
        let span = goes_as.span();
        let direct = quote_spanned!(span=> ::rustbridge::__private::via::As<#goes_as>);
        Via {
            is_option: routes.first() == Some(&"InOption"),
            route: routes.iter().rev().fold(direct, |inner, route| {
                let route = format_ident!("{route}");
                quote_spanned!(span=> ::rustbridge::__private::via::#route<#inner>)
            }),
            seen,
            span,
        }
    }
}

/// Replaces the innermost type by the one as which it's sent.
fn replace(ty: &mut Type, goes_as: &Type, routes: &mut Vec<&'static str>) {
    let route = route(ty);
    match route.and_then(|_| inside(ty)) {
        Some(inner) => {
            routes.extend(route);
            replace(inner, goes_as, routes);
        }
        None => *ty = goes_as.clone(),
    }
}

/// Returns the name of the route for a type that contains another one, as far as the source text shows it.
fn route(ty: &Type) -> Option<&'static str> {
    match ty {
        Type::Array(_) => Some("InArray"),
        Type::Group(group) => route(&group.elem),
        Type::Paren(paren) => route(&paren.elem),
        Type::Path(path) if path.qself.is_none() => {
            let last = path.path.segments.last()?;
            let PathArguments::AngleBracketed(arguments) = &last.arguments else {
                return None;
            };
            let types = arguments
                .args
                .iter()
                .filter(|argument| matches!(argument, GenericArgument::Type(_)))
                .count();
            match (&*last.ident.to_string(), types) {
                ("Option", 1) => Some("InOption"),
                ("Box", 1) => Some("InBox"),
                ("Vec", 1) => Some("InVec"),
                ("VecDeque", 1) => Some("InDeque"),
                ("BTreeMap", 2) | ("HashMap", 2 | 3) => Some("InMap"),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Returns the type inside: the only one, or that of a map's values.
fn inside(ty: &mut Type) -> Option<&mut Type> {
    match ty {
        Type::Array(array) => Some(&mut array.elem),
        Type::Group(group) => inside(&mut group.elem),
        Type::Paren(paren) => inside(&mut paren.elem),
        Type::Path(path) => {
            let last = path.path.segments.last_mut()?;
            let at = usize::from(last.ident == "BTreeMap" || last.ident == "HashMap");
            let PathArguments::AngleBracketed(arguments) = &mut last.arguments else {
                return None;
            };
            let types = arguments
                .args
                .iter_mut()
                .filter_map(|argument| match argument {
                    GenericArgument::Type(ty) => Some(ty),
                    _ => None,
                });
            types.into_iter().nth(at)
        }
        _ => None,
    }
}
