//! Copies a request that other threads may write to during the call. No other thread knows where the copy is.
//!
//! What a plugin has checked has to stay so. A text that was valid UTF-8 a moment ago and is another one now is undefined
//! behaviour in the plugin, though every line of the caller's may be safe code.

use std::cell::Cell;
use std::mem::MaybeUninit;
use std::ptr;

use crate::storage::KEPT;

/// Copies begin at a multiple of 16, so that a plugin can borrow any pod in place.
#[derive(Clone, Copy)]
#[repr(align(16))]
struct Block {
    _bytes: [MaybeUninit<u8>; 16],
}

impl Block {
    const UNWRITTEN: Block = Block {
        _bytes: [MaybeUninit::uninit(); 16],
    };
}

/// Up to how many bytes a copy is on the stack, which costs nothing to get and to give back.
const ON_STACK: usize = 512;

/// The least that is allocated.
const LEAST: usize = 4 << 10;

thread_local! {
    // Of each thread of this copy of the library: memory for the next copy, so that a loop doesn't allocate. Out of its
    // place while a call uses it, so a call inside that one, of whatever plugin and instance, can't get it.
    static SPARE: Cell<Vec<Block>> = const { Cell::new(Vec::new()) };
}

/// Runs `call` with a copy of the request, which is gone when this returns. `None` if there's no memory for it.
///
/// # Safety
/// `request` points to `len` bytes that are readable, also while others write to them, or `len` is 0.
pub(crate) unsafe fn with_copy<R>(
    request: *const u8,
    len: usize,
    call: impl FnOnce(*const u8) -> R,
) -> Option<R> {
    if len <= ON_STACK {
        let mut copy = [Block::UNWRITTEN; ON_STACK / size_of::<Block>()];
        // SAFETY: the caller's promise, and the copy has room for `ON_STACK` bytes.
        unsafe { fill(copy.as_mut_ptr(), request, len) };
        return Some(call(copy.as_ptr().cast()));
    }
    let mut copy = memory_for(len)?;
    // SAFETY: the caller's promise, and the copy has room for `len` bytes.
    unsafe { fill(copy.as_mut_ptr(), request, len) };
    let result = call(copy.as_ptr().cast());
    keep(copy);
    Some(result)
}

/// # Safety
/// `copy` has room for `len` bytes, which are readable at `request`, or `len` is 0.
#[inline(always)]
unsafe fn fill(copy: *mut Block, request: *const u8, len: usize) {
    if len == 0 {
        return;
    }
    // Each byte is read once, by the C library or an instruction of the processor, and may be from before or after a
    // write of another thread. The plugin's function could be anything for all the compiler knows, so it can't have the
    // plugin read the original in place of the copy.
    // SAFETY: the caller's promise; the copy is ours, so they don't overlap.
    unsafe { ptr::copy_nonoverlapping(request, copy.cast(), len) };
}

/// The thread's spare memory if it's large enough, else fresh memory.
fn memory_for(len: usize) -> Option<Vec<Block>> {
    let is_kept = len as u64 <= KEPT;
    if is_kept {
        // Gone at the very end of a thread.
        let spare = SPARE.try_with(Cell::take).unwrap_or_default();
        if spare.capacity() * size_of::<Block>() >= len {
            return Some(spare);
        }
    }
    let bytes = if is_kept {
        len.next_power_of_two().max(LEAST)
    } else {
        len
    };
    let mut fresh = Vec::new();
    fresh
        .try_reserve_exact(bytes.div_ceil(size_of::<Block>()))
        .ok()?;
    Some(fresh)
}

/// Keeps the memory for the thread's next copy, unless that's more than is worth keeping or a call inside this one has left
/// more.
fn keep(copy: Vec<Block>) {
    if (copy.capacity() * size_of::<Block>()) as u64 > KEPT {
        return;
    }
    let _ = SPARE.try_with(|spare| {
        let other = spare.take();
        spare.set(if other.capacity() > copy.capacity() {
            other
        } else {
            copy
        });
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spare() -> usize {
        let spare = SPARE.take();
        let bytes = spare.capacity() * size_of::<Block>();
        SPARE.set(spare);
        bytes
    }

    /// Copies, looks at the copy, and gives where it was.
    fn copied(request: &[u8], inside: impl FnOnce()) -> usize {
        // SAFETY: a slice.
        let at = unsafe {
            with_copy(request.as_ptr(), request.len(), |copy| {
                assert!(copy.addr().is_multiple_of(16));
                assert_ne!(copy, request.as_ptr());
                // SAFETY: it was filled in, and no thread writes to it.
                assert_eq!(std::slice::from_raw_parts(copy, request.len()), request);
                inside();
                copy.addr()
            })
        };
        at.unwrap()
    }

    #[test]
    fn a_copy_of_any_size_is_equal_aligned_and_elsewhere() {
        let bytes: Vec<u8> = (0..KEPT as usize + 5000).map(|at| at as u8).collect();
        for len in [
            0,
            1,
            15,
            16,
            17,
            511,
            512,
            513,
            4095,
            4096,
            4097,
            65_536,
            KEPT as usize,
        ] {
            copied(&bytes[1..][..len], || ());
            assert!(spare() as u64 <= KEPT);
        }
        let before = spare();
        copied(&bytes, || ());
        assert_eq!(spare(), before, "what's larger isn't kept");
        // SAFETY: none.
        unsafe { with_copy(ptr::null(), 0, |_| ()).unwrap() };
    }

    #[test]
    fn memory_is_used_again_and_not_by_a_call_inside() {
        let [outer, inner] = [vec![1; 1000], vec![2; 60_000]];
        let mut at_inner = 0;
        let at_outer = copied(&outer, || at_inner = copied(&inner, || ()));
        assert_ne!(at_outer, at_inner);
        assert_eq!(spare(), 65_536, "the larger one is kept");
        assert_eq!(copied(&outer, || ()), at_inner);
    }

    #[test]
    fn a_request_that_no_memory_can_hold_has_no_copy() {
        // SAFETY: nothing is read.
        let ran = unsafe { with_copy(ptr::dangling(), isize::MAX as usize, |_| ()) };
        assert!(ran.is_none());
    }
}
