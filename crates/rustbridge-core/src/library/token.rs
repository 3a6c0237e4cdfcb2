//! Entry tokens: 16 bits that name the mapping, one that says leaf, one that says shared, 14 that are the index in the
//! plugin's table.

use super::describe::{
    ENTRY_LEAF, ENTRY_SHARED, FLAG_ASYNC, FLAG_LEAF, FLAG_OBJECTS, FLAG_RECEIVER, FLAG_STREAM_IN,
    FLAG_STREAM_OUT, INDEX_BITS,
};
use crate::state::{ASYNC, LEAF, OBJECTS, RECEIVER, STREAM_IN, STREAM_OUT};

const _: () = assert!(FLAG_LEAF as u32 == LEAF && FLAG_ASYNC as u32 == ASYNC);
const _: () = assert!(FLAG_STREAM_OUT as u32 == STREAM_OUT && FLAG_STREAM_IN as u32 == STREAM_IN);
const _: () = assert!(FLAG_OBJECTS as u32 == OBJECTS && FLAG_RECEIVER as u32 == RECEIVER);
const _: () =
    assert!(INDEX_BITS ^ ENTRY_SHARED ^ ENTRY_LEAF == 0xffff && ENTRY_SHARED == INDEX_BITS + 1);

/// Of the mark of a call: it was begun, so its thread isn't one that waits for its end. A call that is inside has a request of its own
/// by then, so the bit is free in marks.
const BEGUN: u32 = ENTRY_SHARED;

/// What a call that is begun is marked by.
pub(crate) const fn begun(entry: u32) -> u32 {
    entry | BEGUN
}

/// Whether a mark is that of a call that was begun.
pub(crate) const fn is_begun(marked: u32) -> bool {
    // What is no method has all bits.
    marked != u32::MAX && marked & BEGUN != 0
}

/// The token of entry 0 of the mapping with this tag: what the indices of its entries are added to.
pub(crate) fn base(tag: u16) -> u32 {
    u32::from(tag) << 16
}

/// The token of an entry, as preparing gives it: without the two bits that are the caller's to add.
pub(crate) fn token(tag: u16, index: u16) -> u32 {
    base(tag) | u32::from(index)
}

/// Whether the caller says that others may write to the request.
pub(crate) const fn is_shared(token: u32) -> bool {
    token & ENTRY_SHARED != 0
}

/// The token without what [`is_shared`] asks for.
pub(crate) const fn unshared(token: u32) -> u32 {
    token & !ENTRY_SHARED
}

/// Which mapping a token belongs to.
pub(crate) const fn tag(token: u32) -> u32 {
    token >> 16
}

/// Which entry of the plugin's table a token names.
pub(crate) const fn index(token: u32) -> u16 {
    (token & INDEX_BITS) as u16
}

/// How far a token is from the first one of a mapping: the index in the table; with the leaf bit, that and 0x8000, with the
/// shared bit, that and 0x4000, which is the most entries there can be; for the token of another mapping, 0x10000 or more.
#[inline(always)]
pub(crate) const fn distance(token: u32, base: u32) -> u32 {
    token.wrapping_sub(base)
}

/// The index that such a distance has if its token has the leaf bit and not the shared one; otherwise no index at all.
#[inline(always)]
pub(crate) const fn leaf_index(distance: u32) -> u32 {
    distance.wrapping_sub(ENTRY_LEAF)
}
