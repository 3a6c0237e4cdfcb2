//! What calls do with memory, counted by an allocator. A program has one allocator, so these tests are a program of their own.

#[expect(dead_code, reason = "these tests use a part of the host")]
#[path = "../author/host/mod.rs"]
mod host;

mod allocations;
mod drops;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// Counts the allocations of each thread separately, so that other tests and the harness don't interfere.
struct Counting;

thread_local! {
    /// How many allocations there were.
    static COUNT: Cell<usize> = const { Cell::new(0) };
    /// How many of them were large.
    static LARGE: Cell<usize> = const { Cell::new(0) };
    /// How many long blocks are allocated and not freed.
    static LIVE: Cell<isize> = const { Cell::new(0) };
}

/// From this number of bytes on, an allocation is large.
const LARGE_BYTES: usize = 1 << 20;

/// From this number of bytes on, a block is long: longer than anything but the responses of `drops`.
const LONG: usize = 100 << 10;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn count(size: usize) {
    let _ = COUNT.try_with(|count| count.set(count.get() + 1));
    if size >= LARGE_BYTES {
        let _ = LARGE.try_with(|count| count.set(count.get() + 1));
    }
    count_live(size, 1);
}

fn count_live(size: usize, change: isize) {
    if size >= LONG {
        let _ = LIVE.try_with(|live| live.set(live.get() + change));
    }
}

// SAFETY: everything is passed on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: the caller's conditions are the same.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        count_live(layout.size(), -1);
        // SAFETY: the caller's conditions are the same.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count_live(layout.size(), -1);
        count(size);
        // SAFETY: the caller's conditions are the same.
        unsafe { System.realloc(block, layout, size) }
    }
}
