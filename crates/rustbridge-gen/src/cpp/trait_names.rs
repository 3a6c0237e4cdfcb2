//! The names of the members that the traits of an object's type add to its class.

use crate::client_schema::{Method, Traits};
use crate::names::Case;

/// The functions that operations add to a class, each with the method that it calls.
pub(super) fn functions<'c>(traits: &Traits<'c>) -> [(&'static str, Option<&'c Method>); 4] {
    [
        ("to_string", traits.display.or(traits.debug)),
        ("hash", traits.hash),
        ("size", traits.len),
        ("begin", traits.iter),
    ]
}

/// Reports whether the author's own method is the function that an operation would add.
pub(super) fn is_own(name: &str, method: &Method) -> bool {
    name == "size" && Case::Snake.of(method.own_name()) == name
}

/// The names of these functions: no method can be called so.
pub(super) fn members(traits: &Traits<'_>) -> Vec<&'static str> {
    let has = functions(traits).into_iter().filter_map(|(name, method)| {
        let method = method?;
        (!is_own(name, method)).then_some(name)
    });
    has.chain(traits.iter.map(|_| "end")).collect()
}
