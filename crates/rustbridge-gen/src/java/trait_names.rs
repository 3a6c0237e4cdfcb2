//! The names of the members that the traits of an object's type add to its class.

use crate::client_schema::{Method, Traits};
use crate::names::Case;

/// Reports whether the author's own method is the one that the operation would add.
pub(super) fn is_own(name: &str, method: &Method) -> bool {
    Case::Camel.of(method.own_name()) == name
}

/// The methods that operations add to a class: no other can be called so.
pub(super) fn members(traits: &Traits<'_>) -> Vec<&'static str> {
    let mut members = Vec::new();
    members.extend(traits.cmp.map(|_| "compareTo"));
    members.extend(traits.iter.map(|_| "iterator"));
    members.extend(
        traits
            .len
            .filter(|len| !is_own("size", len))
            .map(|_| "size"),
    );
    members
}
