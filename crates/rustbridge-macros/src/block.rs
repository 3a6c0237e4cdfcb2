//! The `impl` block that `#[plugin]` or `#[object]` is on.

use proc_macro2::TokenStream;
use quote::quote;
use syn::spanned::Spanned;
use syn::{Attribute, Error, ImplItem, Item, ItemImpl, Result};

use crate::default_value;

/// The differences between the two attributes.
pub struct BlockKind {
    /// The attribute as written in the source.
    pub attribute: &'static str,
    /// An example of a type with the attribute, for error messages.
    pub example: &'static str,
    /// Whether it may have constructors and properties.
    pub has_classes: bool,
    /// The reason why the type can't be generic.
    pub generic: &'static str,
}

/// The attributes of functions that the macros read.
const OURS: [&str; 6] = ["method", "constructor", "getter", "setter", "len", "iter"];

/// Those of them that only objects may have.
const OF_CLASSES: [&str; 5] = ["constructor", "getter", "setter", "len", "iter"];

/// Returns the block itself, followed by the output of `make`. If that fails, the error is followed by the output of `stub`, which
/// implements the attribute's traits without functions, so that uses of the type elsewhere aren't further errors.
pub fn expand(
    on: &BlockKind,
    item: TokenStream,
    make: impl FnOnce(&ItemImpl) -> Result<TokenStream>,
    stub: impl FnOnce(&ItemImpl) -> TokenStream,
) -> Result<TokenStream> {
    let BlockKind {
        attribute, example, ..
    } = on;
    let item = match syn::parse2::<Item>(item)? {
        Item::Impl(item) => item,
        other => {
            return Err(Error::new(
                other.span(),
                format!(
                    "`{attribute}` must be on the `impl` block with the methods: `{attribute} impl {example} {{ .. }}`"
                ),
            ));
        }
    };
    // What the author wrote stays in any case, so that one mistake doesn't hide the type's functions from the rest of
    // the crate.
    let mut kept = item.clone();
    for part in &mut kept.items {
        if let ImplItem::Fn(function) = part {
            function
                .attrs
                .retain(|attribute| !OURS.iter().any(|name| attribute.path().is_ident(name)));
            default_value::remove(&mut function.sig);
        }
    }
    let expansion = check(on, &item)
        .and_then(|()| make(&item))
        .unwrap_or_else(|error| {
            let error = error.to_compile_error();
            let is_plain = item.trait_.is_none() && item.generics.params.is_empty();
            let stub = is_plain.then(|| stub(&item));
            quote!(#error #stub)
        });
    Ok(quote!(#kept #expansion))
}

fn check(on: &BlockKind, item: &ItemImpl) -> Result<()> {
    if let Some((path, _)) = &item.trait_ {
        return Err(Error::new(
            path.span(),
            format!(
                "`{}` must be on an inherent `impl` block, not on the implementation of a trait",
                on.attribute
            ),
        ));
    }
    if !item.generics.params.is_empty() {
        return Err(Error::new(item.generics.span(), on.generic));
    }
    if on.has_classes {
        return Ok(());
    }
    let functions = item.items.iter().filter_map(|part| match part {
        ImplItem::Fn(function) => Some(&function.attrs),
        _ => None,
    });
    let is_of_class = |attribute: &&Attribute| {
        let path = attribute.path();
        OF_CLASSES.iter().any(|name| path.is_ident(name))
    };
    match functions.flatten().find(is_of_class) {
        Some(attribute) => Err(Error::new(
            attribute.span(),
            "constructors, properties, lengths and iterators belong to objects: write the function in an `#[object]` block",
        )),
        None => Ok(()),
    }
}
