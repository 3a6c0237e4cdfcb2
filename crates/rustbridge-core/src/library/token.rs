//! Entry tokens: 16 bits that name the mapping, one that says leaf, 15 that are the index in the plugin's table.

use super::describe::{ENTRY_LEAF, FLAG_ASYNC, FLAG_LEAF, INDEX_BITS};
use crate::state::{ASYNC, LEAF};

const _: () = assert!(FLAG_LEAF as u32 == LEAF && FLAG_ASYNC as u32 == ASYNC);
const _: () = assert!(INDEX_BITS & ENTRY_LEAF == 0 && (INDEX_BITS | ENTRY_LEAF) == 0xffff);

/// The token of entry 0 of the mapping with this tag: what the indices of its entries are added to.
pub(crate) fn base(tag: u16) -> u32 {
    u32::from(tag) << 16
}

/// The token of an entry.
pub(crate) fn token(tag: u16, index: u16, is_leaf: bool) -> u32 {
    base(tag) | if is_leaf { ENTRY_LEAF } else { 0 } | u32::from(index)
}

/// Which mapping a token belongs to.
pub(crate) const fn tag(token: u32) -> u32 {
    token >> 16
}

/// Which entry of the plugin's table a token names.
pub(crate) const fn index(token: u32) -> u16 {
    (token & INDEX_BITS) as u16
}

/// How far a token is from the first one of a mapping, whatever it says about leaf: the index in the table, or, for the
/// token of another mapping, 0x10000 or more.
#[inline(always)]
pub(crate) const fn distance(token: u32, base: u32) -> u32 {
    (token & !ENTRY_LEAF).wrapping_sub(base)
}
