//! The names of the members that the traits of an object's type add to its class.

use super::names::letters;
use crate::client_schema::{Method, Traits};
use crate::names::Case;

/// The methods that operations add to a struct, each with the plugin's method that it calls.
pub(super) fn added<'c>(traits: &Traits<'c>) -> [(&'static str, Option<&'c Method>); 7] {
    [
        ("String", traits.display),
        ("GoString", traits.debug),
        ("Equal", traits.eq),
        ("Hash", traits.hash),
        ("Compare", traits.cmp),
        ("Len", traits.len),
        ("All", traits.iter),
    ]
}

/// Reports whether the author's own method is the one that an operation would add.
pub(super) fn is_own(name: &str, method: &Method) -> bool {
    method.implements.is_some_and(|it| it.reserved().is_none())
        && Case::Pascal.of(&letters(method.own_name())) == name
}

/// The names of these methods: no other can be called so.
pub(super) fn members(traits: &Traits<'_>) -> Vec<&'static str> {
    let has = added(traits).into_iter().filter_map(|(name, method)| {
        let method = method?;
        (!is_own(name, method)).then_some(name)
    });
    has.collect()
}
