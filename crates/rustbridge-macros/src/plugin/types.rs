//! Properties of types that a macro can only derive from their source text.

use std::iter;

use proc_macro2::{Group, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{
    GenericArgument, Ident, Lifetime, PathArguments, Type, TypeParamBound, TypePath, TypeReference,
};

/// Returns whether the last segment of a path type is `name`: `Host`, `rustbridge::Host`.
pub fn is_named(ty: &Type, name: &str) -> bool {
    match ty {
        Type::Path(TypePath {
            qself: None, path, ..
        }) => path
            .segments
            .last()
            .is_some_and(|segment| segment.ident == name),
        Type::Group(group) => is_named(&group.elem, name),
        Type::Paren(paren) => is_named(&paren.elem, name),
        _ => false,
    }
}

/// Returns whether a type contains `Object<..>`.
pub fn mentions_object(ty: &Type) -> bool {
    any(ty.to_token_stream(), &|token, next| {
        matches!(token, TokenTree::Ident(ident) if ident == "Object")
            && matches!(next, Some(TokenTree::Punct(punct)) if ['<', ':'].contains(&punct.as_char()))
    })
}

/// Returns whether a type contains one of these names.
pub fn mentions_any(ty: &Type, names: &[&Ident]) -> bool {
    any(
        ty.to_token_stream(),
        &|token, _| matches!(token, TokenTree::Ident(ident) if names.contains(&ident)),
    )
}

/// Returns the types of the objects in a type: each `T` of an `Object<T>`.
pub fn objects_in(ty: &Type) -> Vec<&Type> {
    match ty {
        Type::Path(path) => {
            let Some(last) = path.path.segments.last() else {
                return Vec::new();
            };
            let PathArguments::AngleBracketed(arguments) = &last.arguments else {
                return Vec::new();
            };
            let types = arguments.args.iter().filter_map(|argument| match argument {
                GenericArgument::Type(ty) => Some(ty),
                _ => None,
            });
            if last.ident == "Object" {
                return types.collect();
            }
            types.flat_map(objects_in).collect()
        }
        Type::Reference(reference) => objects_in(&reference.elem),
        Type::Slice(slice) => objects_in(&slice.elem),
        Type::Array(array) => objects_in(&array.elem),
        Type::Tuple(tuple) => tuple.elems.iter().flat_map(objects_in).collect(),
        Type::Group(group) => objects_in(&group.elem),
        Type::Paren(paren) => objects_in(&paren.elem),
        _ => Vec::new(),
    }
}

/// Returns whether `is_so` holds for any token of a type, given with the token behind it. This works on tokens because `syn`'s
/// visitors need a feature that the first build of each plugin would have to compile.
fn any(tokens: TokenStream, is_so: &dyn Fn(&TokenTree, Option<&TokenTree>) -> bool) -> bool {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let is_inside = matches!(&token, TokenTree::Group(group) if any(group.stream(), is_so));
        if is_inside || is_so(&token, tokens.peek()) {
            return true;
        }
    }
    false
}

/// Reports whether a token is followed by a macro's arguments, which can't be expanded here.
fn is_of_macro(token: &TokenTree, next: Option<&TokenTree>) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == '!')
        && matches!(next, Some(TokenTree::Group(_)))
}

/// Returns whether it's `&Call`.
pub fn is_call(ty: &Type) -> bool {
    matches!(ty, Type::Reference(reference) if is_named(&reference.elem, "Call"))
}

/// Returns the reference, if it's a reference to a type of known size: not `&[u8]`, not `&str`.
pub fn sized_referent(ty: &Type) -> Option<&TypeReference> {
    match ty {
        Type::Reference(reference)
            if !matches!(*reference.elem, Type::Slice(_)) && !is_named(&reference.elem, "str") =>
        {
            Some(reference)
        }
        _ => None,
    }
}

/// Returns the type with `lifetime` in place of all lifetimes except `'static`, elided ones included, and with `this` in place
/// of `Self`.
pub fn with_lifetime(ty: &Type, lifetime: &Lifetime, this: &Type) -> Type {
    let mut written = TokenStream::new();
    rewrite(ty.to_token_stream(), lifetime, this, &mut written);
    // What was a type before is one afterwards.
    syn::parse2(written).unwrap_or_else(|_| ty.clone())
}

/// Returns whether a `&` behind this token is an operator of a constant expression, as in `[u8; A & B]`, and not a reference.
fn is_operand(token: &TokenTree) -> bool {
    match token {
        TokenTree::Group(_) | TokenTree::Literal(_) => true,
        TokenTree::Ident(ident) => {
            !["as", "const", "dyn", "impl", "mut"].contains(&&*ident.to_string())
        }
        TokenTree::Punct(_) => false,
    }
}

fn rewrite(tokens: TokenStream, lifetime: &Lifetime, this: &Type, into: &mut TokenStream) {
    let mut tokens = tokens.into_iter().peekable();
    // Whether an operator may come now; of `&&` the second sign is of the same kind as the first.
    let mut behind_operand = false;
    while let Some(token) = tokens.next() {
        let next = tokens.peek();
        let is_operator = behind_operand;
        behind_operand = is_operand(&token);
        let begins = |next: Option<&TokenTree>, sign: char| matches!(next, Some(TokenTree::Punct(punct)) if punct.as_char() == sign);
        match &token {
            TokenTree::Punct(punct) if punct.as_char() == '\'' => match tokens.next() {
                Some(name) if name.to_string() == "static" => into.extend([token, name]),
                _ => lifetime.to_tokens(into),
            },
            TokenTree::Punct(punct) if punct.as_char() == '&' && is_operator => {
                behind_operand = begins(next, '&');
                into.extend([token]);
            }
            TokenTree::Punct(punct) if punct.as_char() == '&' => {
                let is_left_out = !begins(next, '\'');
                into.extend([token]);
                if is_left_out {
                    lifetime.to_tokens(into);
                }
            }
            TokenTree::Ident(ident) if ident == "Self" => {
                if begins(next, ':') {
                    into.extend(quote!(<#this>));
                } else {
                    this.to_tokens(into);
                }
            }
            TokenTree::Group(group) => {
                let mut inside = TokenStream::new();
                rewrite(group.stream(), lifetime, this, &mut inside);
                let mut made = Group::new(group.delimiter(), inside);
                made.set_span(group.span());
                into.extend([TokenTree::Group(made)]);
            }
            _ if is_of_macro(&token, next) => into.extend(iter::once(token).chain(tokens.next())),
            _ => into.extend([token]),
        }
    }
}

/// Returns the `T` of a type written `Result<T, ..>`.
pub fn ok_type(ty: &Type) -> Option<&Type> {
    let Type::Path(path) = ty else {
        return None;
    };
    let last = path.path.segments.last()?;
    match &last.arguments {
        PathArguments::AngleBracketed(arguments) if last.ident == "Result" => {
            arguments.args.iter().find_map(|argument| match argument {
                GenericArgument::Type(ty) => Some(ty),
                _ => None,
            })
        }
        _ => None,
    }
}

/// Returns `Result<ok, ..>` for a type written `Result<T, ..>`.
pub fn with_ok(ty: &Type, ok: Type) -> Option<Type> {
    ok_type(ty)?;
    let mut result = ty.clone();
    let Type::Path(path) = &mut result else {
        return None;
    };
    let PathArguments::AngleBracketed(arguments) = &mut path.path.segments.last_mut()?.arguments
    else {
        return None;
    };
    let first = arguments
        .args
        .iter_mut()
        .find_map(|argument| match argument {
            GenericArgument::Type(ty) => Some(ty),
            _ => None,
        })?;
    *first = ok;
    Some(result)
}

/// Returns the error type of a type written `Result<T, E>`, or `Some(None)` for `Result<T>`, whose error is implied. `None` if it's no `Result`.
pub fn error_type(ty: &Type) -> Option<Option<&Type>> {
    ok_type(ty)?;
    let Type::Path(path) = ty else {
        return None;
    };
    let PathArguments::AngleBracketed(arguments) = &path.path.segments.last()?.arguments else {
        return None;
    };
    let mut types = arguments.args.iter().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    });
    Some(types.nth(1))
}

/// Returns the only type argument of a path: the `T` of `Items<T>`.
pub fn only_argument(ty: &Type) -> Option<&Type> {
    let Type::Path(path) = ty else {
        return None;
    };
    match &path.path.segments.last()?.arguments {
        PathArguments::AngleBracketed(arguments) if arguments.args.len() == 1 => {
            match arguments.args.first()? {
                GenericArgument::Type(ty) => Some(ty),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Returns whether a type contains that lifetime. Also returns true if the type contains a macro, whose expansion is unknown
/// here.
pub fn has_lifetime(ty: &Type, lifetime: &Lifetime) -> bool {
    any(ty.to_token_stream(), &|token, next| {
        let is_named = matches!(next, Some(TokenTree::Ident(name)) if *name == lifetime.ident);
        let is_lifetime = matches!(token, TokenTree::Punct(punct) if punct.as_char() == '\'');
        is_lifetime && is_named || is_of_macro(token, next)
    })
}

/// An `impl Trait` type that has items.
pub struct Sequence<'a> {
    /// `Iterator` or `Stream`.
    pub name: String,
    pub item: &'a Type,
}

/// Returns the sequence, if the type is `impl Iterator<Item = T>` or `impl Stream<Item = T>`.
pub fn sequence(ty: &Type) -> Option<Sequence<'_>> {
    let Type::ImplTrait(ty) = ty else {
        return None;
    };
    ty.bounds.iter().find_map(|bound| {
        let TypeParamBound::Trait(bound) = bound else {
            return None;
        };
        let last = bound.path.segments.last()?;
        let PathArguments::AngleBracketed(arguments) = &last.arguments else {
            return None;
        };
        let item = arguments.args.iter().find_map(|argument| match argument {
            GenericArgument::AssocType(ty) if ty.ident == "Item" => Some(&ty.ty),
            _ => None,
        })?;
        let name = last.ident.to_string();
        (name == "Iterator" || name == "Stream").then_some(Sequence { name, item })
    })
}

/// Returns a type as error messages show it.
pub fn shown(ty: &Type) -> String {
    // Tokens come with a space between any two.
    let text = ty.to_token_stream().to_string();
    let text = text.replace(" :: ", "::").replace(" < ", "<");
    format!("`{}`", text.replace(" >", ">").replace(" ,", ","))
}

/// Returns whether a type contains `impl Trait`, which has no name for use in a table.
pub fn has_impl_trait(ty: &Type) -> bool {
    match ty {
        Type::ImplTrait(_) => true,
        Type::Reference(reference) => has_impl_trait(&reference.elem),
        Type::Path(path) => path
            .path
            .segments
            .iter()
            .any(|segment| match &segment.arguments {
                PathArguments::AngleBracketed(arguments) => arguments.args.iter().any(
                    |argument| matches!(argument, GenericArgument::Type(ty) if has_impl_trait(ty)),
                ),
                _ => false,
            }),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use syn::parse_quote;

    use super::*;

    #[test]
    fn lifetimes_are_replaced_and_self_is_written_out() {
        let lifetime = parse_quote!('r);
        let this = parse_quote!(Types);
        let written = |ty: Type| shown(&with_lifetime(&ty, &lifetime, &this)).replace(' ', "");
        for (ty, becomes) in [
            (parse_quote!(&str), "`&'rstr`"),
            (parse_quote!(&&'a [&'static u8]), "`&'r&'r[&'staticu8]`"),
            (parse_quote!(Cow<'_, Self>), "`Cow<'r,Types>`"),
            (parse_quote!(Vec<Self::Item>), "`Vec<<Types>::Item>`"),
            (
                parse_quote!(<Self as Of<'a>>::Item),
                "`<TypesasOf<'r>>::Item`",
            ),
            (
                parse_quote!((u8, bytes!(&'a Self))),
                "`(u8,bytes!(&'aSelf))`",
            ),
            (
                parse_quote!((&str, [u8; MASK & 7], Flag<{ A && B }>, *const &u8)),
                "`(&'rstr,[u8;MASK&7],Flag<{A&&B}>,*const&'ru8)`",
            ),
        ] {
            assert_eq!(written(ty), becomes);
        }
    }

    #[test]
    fn objects_are_found_wherever_they_are_written() {
        let mentions = |ty: Type| mentions_object(&ty);
        assert!(mentions(parse_quote!(
            Vec<(u8, rustbridge::Object<Counter>)>
        )));
        assert!(!mentions(parse_quote!(Vec<Object>)) && !mentions(parse_quote!(Objects<u8>)));
    }

    #[test]
    fn a_type_that_a_macro_makes_may_borrow() {
        let lifetime = parse_quote!('r);
        let has = |ty: Type| has_lifetime(&ty, &lifetime);
        assert!(has(parse_quote!(&'r [u8])) && has(parse_quote!(Option<bytes!()>)));
        assert!(!has(parse_quote!(Vec<u8>)) && !has(parse_quote!(&'static str)));
    }
}
