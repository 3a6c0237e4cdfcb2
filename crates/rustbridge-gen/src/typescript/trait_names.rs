//! The names of the members that the traits of an object's type add to its class.

use crate::client_schema::Traits;

/// The operations that a class has in addition to its methods: no method can be called so.
pub(super) fn members(traits: &Traits<'_>) -> Vec<&'static str> {
    let all = [
        ("toString", traits.display),
        ("equals", traits.eq),
        ("hashCode", traits.hash),
        ("compareTo", traits.cmp),
        ("length", traits.len),
    ];
    let has = all.into_iter().filter(|(_, method)| method.is_some());
    has.map(|(name, _)| name).collect()
}
