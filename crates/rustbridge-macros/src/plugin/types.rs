//! Small questions about types, which a macro can only answer by how they're written.

use quote::ToTokens;
use syn::visit_mut::{self, VisitMut};
use syn::{
    GenericArgument, Lifetime, Macro, PathArguments, PathSegment, Type, TypeParamBound, TypePath,
    TypeReference, parse_quote,
};

/// Whether the last segment of a path type is `name`: `Host`, `rustbridge::Host`.
pub fn is_named(ty: &Type, name: &str) -> bool {
    match ty {
        Type::Path(TypePath { qself: None, path }) => path
            .segments
            .last()
            .is_some_and(|segment| segment.ident == name),
        Type::Group(group) => is_named(&group.elem, name),
        Type::Paren(paren) => is_named(&paren.elem, name),
        _ => false,
    }
}

/// Whether `Object<..>` is written anywhere in a type.
pub fn mentions_object(ty: &Type) -> bool {
    struct Look(bool);
    // Changes nothing: `syn` has this visitor here anyway.
    impl VisitMut for Look {
        fn visit_path_segment_mut(&mut self, segment: &mut PathSegment) {
            self.0 |= segment.ident == "Object" && !segment.arguments.is_empty();
            visit_mut::visit_path_segment_mut(self, segment);
        }
    }
    let mut look = Look(false);
    look.visit_type_mut(&mut ty.clone());
    look.0
}

/// Whether it is `&Call`.
pub fn is_call(ty: &Type) -> bool {
    matches!(ty, Type::Reference(reference) if is_named(&reference.elem, "Call"))
}

/// The referent, if it is a reference to a value of known size: not `&[u8]`, not `&str`.
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

/// The type with every lifetime except `'static` replaced, those left out of references included, and `Self` written
/// out.
pub fn with_lifetime(ty: &Type, lifetime: &Lifetime, this: &Type) -> Type {
    let mut ty = ty.clone();
    Rewrite { lifetime, this }.visit_type_mut(&mut ty);
    ty
}

struct Rewrite<'a> {
    lifetime: &'a Lifetime,
    this: &'a Type,
}

impl VisitMut for Rewrite<'_> {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        match ty {
            Type::Path(TypePath { qself, path })
                if path
                    .segments
                    .first()
                    .is_some_and(|segment| segment.ident == "Self") =>
            {
                let this = self.this;
                if path.segments.len() == 1 {
                    *ty = this.clone();
                } else if qself.is_none() {
                    let rest = path.segments.iter().skip(1);
                    *ty = parse_quote!(<#this>::#(#rest)::*);
                }
            }
            _ => visit_mut::visit_type_mut(self, ty),
        }
    }

    fn visit_type_reference_mut(&mut self, reference: &mut TypeReference) {
        if reference.lifetime.is_none() {
            reference.lifetime = Some(self.lifetime.clone());
        }
        visit_mut::visit_type_reference_mut(self, reference);
    }

    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        if lifetime.ident != "static" {
            *lifetime = self.lifetime.clone();
        }
    }
}

/// The `T` of a type written `Result<T, ..>`.
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

/// The one type between the angle brackets of a path: the `T` of `Items<T>`.
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

/// Whether it has that lifetime anywhere, or may have: what a macro in it stands for nobody sees here.
pub fn has_lifetime(ty: &Type, lifetime: &Lifetime) -> bool {
    struct Search<'a> {
        lifetime: &'a Lifetime,
        found: bool,
    }

    impl VisitMut for Search<'_> {
        fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
            self.found |= lifetime == self.lifetime;
        }

        fn visit_macro_mut(&mut self, _: &mut Macro) {
            self.found = true;
        }
    }

    let mut search = Search {
        lifetime,
        found: false,
    };
    search.visit_type_mut(&mut ty.clone());
    search.found
}

/// What an `impl Trait` is that has items.
pub struct Sequence<'a> {
    /// `Iterator` or `Stream`.
    pub name: String,
    pub item: &'a Type,
}

/// The sequence that an `impl Iterator<Item = T>` or `impl Stream<Item = T>` is.
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

/// A type as a message shows it.
pub fn shown(ty: &Type) -> String {
    // Tokens come with a space between any two.
    let text = ty.to_token_stream().to_string();
    let text = text.replace(" :: ", "::").replace(" < ", "<");
    format!("`{}`", text.replace(" >", ">").replace(" ,", ","))
}

/// Whether anything inside is `impl Trait`, which has no name that a table could hold.
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
    use super::*;

    #[test]
    fn a_type_that_a_macro_makes_may_borrow() {
        let lifetime = parse_quote!('r);
        let has = |ty: Type| has_lifetime(&ty, &lifetime);
        assert!(has(parse_quote!(&'r [u8])) && has(parse_quote!(Option<bytes!()>)));
        assert!(!has(parse_quote!(Vec<u8>)) && !has(parse_quote!(&'static str)));
    }
}
