//! How much memory to offer a call, and how much to keep for the next: one rule for every language.

use rustbridge_abi::Encoding;

/// What most responses fit in, where nothing tells how large they'll be: a page.
const FIRST: u32 = 4 << 10;

/// The most that is worth keeping from call to call. What's larger takes longer to fill than to allocate.
pub(crate) const KEPT: u64 = 256 << 10;

/// The most bytes, each way, with which a leaf call may hold off a garbage collector or keep a lock of the language's: a
/// few microseconds, at the speed at which bytes are copied.
const LEAF: u32 = 64 << 10;

/// The same where the bytes are parsed, which takes some twenty times as long.
const LEAF_PARSED: u32 = 4 << 10;

/// The storage to offer a first call; `response_size` is the response's where that's fixed.
pub(crate) fn first(response_size: Option<usize>) -> u32 {
    response_size
        .and_then(|size| u32::try_from(size).ok())
        .unwrap_or(FIRST)
}

/// Up to what size a leaf method may be called in the cheap way.
pub(crate) fn leaf_limit(encoding: Encoding) -> u32 {
    match encoding {
        Encoding::Raw | Encoding::Pod => LEAF,
        _ => LEAF_PARSED,
    }
}
