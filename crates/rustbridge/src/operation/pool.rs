//! Memory for tasks: blocks that are used again, with the buffers that the last task left in them.

use std::alloc::{self, Layout};
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What a block keeps from task to task: each is empty but for its capacity.
#[derive(Default)]
pub(crate) struct Buffers {
    /// The copy of a request.
    pub(crate) request: Vec<u8>,
    /// Items that are to be sent, back to back.
    pub(crate) batch: Vec<u8>,
    /// Where each of them ends.
    pub(crate) ends: Vec<u32>,
}

/// The most that a buffer keeps, in bytes: what one batch takes.
const KEPT: usize = 128 << 10;

impl Buffers {
    fn reset(&mut self) {
        for bytes in [&mut self.request, &mut self.batch] {
            if bytes.capacity() > KEPT {
                *bytes = Vec::new();
            }
            bytes.clear();
        }
        if self.ends.capacity() > KEPT / 4 {
            self.ends = Vec::new();
        }
        self.ends.clear();
    }
}

/// The sizes of blocks: 1 KiB, 2 KiB and so on. A task that is larger has a block to itself.
const CLASSES: usize = 7;
const SMALLEST: usize = 1 << 10;
/// How many bytes of blocks of one size are kept at most.
const IDLE: usize = 4 << 20;
const ALIGN: usize = 16;

/// Blocks of one size that no task has.
struct Pool {
    /// One of them where it's taken and given with one exchange each: enough for calls that end in `start`.
    hot: AtomicPtr<Buffers>,
    rest: Mutex<Vec<Block>>,
}

struct Block(NonNull<Buffers>);

// SAFETY: a block in the pool is nobody's, and the buffers in it may go to any thread.
unsafe impl Send for Block {}

/// Per copy of this crate, so per library, and never freed but by what's beyond [`IDLE`]: memory that belongs to no
/// instance, so that one which ends while a runtime's thread still holds a block takes nothing away from it.
static POOLS: [Pool; CLASSES] = [const { Pool::new() }; CLASSES];

impl Pool {
    const fn new() -> Pool {
        Pool {
            hot: AtomicPtr::new(ptr::null_mut()),
            rest: Mutex::new(Vec::new()),
        }
    }

    fn rest(&self) -> MutexGuard<'_, Vec<Block>> {
        // Nothing panics while it's held but an allocation, which leaves it as it was.
        self.rest.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The pool for a layout, and the layout of its blocks.
fn class(layout: Layout) -> Option<(&'static Pool, Layout)> {
    let size = layout.size().next_power_of_two().max(SMALLEST);
    let index = (size / SMALLEST).trailing_zeros() as usize;
    if layout.align() > ALIGN {
        return None;
    }
    let pool = POOLS.get(index)?;
    Some((pool, Layout::from_size_align(size, ALIGN).ok()?))
}

/// A block of at least that layout, which has to begin with [`Buffers`]: those are there, the rest isn't.
pub(crate) fn take(layout: Layout) -> NonNull<Buffers> {
    debug_assert!(layout.size() >= size_of::<Buffers>());
    let Some((pool, layout)) = class(layout) else {
        return allocate(layout);
    };
    let hot = pool.hot.swap(ptr::null_mut(), Ordering::Acquire);
    if let Some(block) = NonNull::new(hot) {
        return block;
    }
    let kept = pool.rest().pop();
    kept.map_or_else(|| allocate(layout), |block| block.0)
}

/// Gives a block back. The buffers in it are there, the rest isn't any more.
///
/// # Safety
/// `block` came from [`take`] with the same layout, and nobody uses it any more.
pub(crate) unsafe fn give(mut block: NonNull<Buffers>, layout: Layout) {
    // SAFETY: the caller's, with its buffers in it.
    unsafe { block.as_mut() }.reset();
    let Some((pool, layout)) = class(layout) else {
        // SAFETY: allocated with this layout.
        return unsafe { free(block, layout) };
    };
    let (null, new) = (ptr::null_mut(), block.as_ptr());
    if pool
        .hot
        .compare_exchange(null, new, Ordering::Release, Ordering::Relaxed)
        .is_ok()
    {
        return;
    }
    let mut rest = pool.rest();
    if rest.len() < IDLE / layout.size() {
        rest.push(Block(block));
    } else {
        drop(rest);
        // SAFETY: allocated with the layout of its class.
        unsafe { free(block, layout) };
    }
}

#[cold]
fn allocate(layout: Layout) -> NonNull<Buffers> {
    // SAFETY: no layout here is empty.
    let block = unsafe { alloc::alloc(layout) }.cast::<Buffers>();
    let Some(block) = NonNull::new(block) else {
        alloc::handle_alloc_error(layout)
    };
    // SAFETY: new, aligned for any, and large enough.
    unsafe { block.write(Buffers::default()) };
    block
}

/// # Safety
/// `block` is nobody's, its buffers are there, and it was allocated with `layout`.
#[cold]
unsafe fn free(block: NonNull<Buffers>, layout: Layout) {
    // SAFETY: the caller's promise.
    unsafe {
        block.drop_in_place();
        alloc::dealloc(block.as_ptr().cast(), layout);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_comes_back_with_its_buffers_and_another_while_its_out() {
        // A size that no other test's tasks have.
        let layout = Layout::from_size_align(60 << 10, 8).unwrap();
        let mut first = take(layout);
        // SAFETY: taken above, given once each.
        unsafe {
            first.as_mut().request.extend([1; 500]);
            let second = take(layout);
            assert_ne!(first, second);
            give(first, layout);
            let again = take(layout);
            assert_eq!(again, first);
            assert!(again.as_ref().request.is_empty());
            assert!(again.as_ref().request.capacity() >= 500);
            give(second, layout);
            give(again, layout);
        }
    }

    #[test]
    fn what_is_too_large_or_aligned_too_far_has_a_block_to_itself() {
        for (size, align) in [(1 << 20, 8), (1 << 10, 4096)] {
            let layout = Layout::from_size_align(size, align).unwrap();
            let block = take(layout);
            assert_eq!(block.addr().get() % align, 0);
            // SAFETY: taken above.
            unsafe { give(block, layout) };
        }
    }
}
