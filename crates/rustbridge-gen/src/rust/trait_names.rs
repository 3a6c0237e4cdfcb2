//! The names of the members that the traits of an object's type add to its class.

use crate::client_schema::Traits;

/// The functions that these traits add to a struct: its methods can't be called so.
pub(super) fn members(traits: &Traits<'_>) -> Vec<&'static str> {
    let all = [
        ("try_eq", traits.eq),
        ("try_hash", traits.hash),
        ("try_cmp", traits.cmp),
    ];
    let has = all.into_iter().filter(|(_, method)| method.is_some());
    has.map(|(name, _)| name).collect()
}
