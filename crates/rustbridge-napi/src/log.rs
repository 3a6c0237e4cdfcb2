//! Records on their way to the loop.
//!
//! A sink keeps them for the loop and doesn't wait for it, since the loop may be waiting for the sink. So as many as an instance's log may
//! hold are kept, and those beyond are counted.

use core::ffi::c_void;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use rustbridge_abi::LogRecord;
use rustbridge_host_abi as abi;

use crate::post::{Letter, Post};
use crate::record::OwnedRecord;

/// How many records are kept for a loop that's busy unless it's said otherwise: what the core keeps.
const CAPACITY: u32 = 4096;

/// A sink: to which loop, by which number, and how many wait there.
struct Sink {
    post: Arc<Post>,
    number: u32,
    capacity: u32,
    waiting: Arc<AtomicU32>,
    dropped: AtomicU64,
}

/// A sink that passes records on to the loop, as JavaScript's `number`.
pub(crate) fn sink(post: &Arc<Post>, number: u32, capacity: u32) -> abi::LogSink {
    let sink = Box::new(Sink {
        post: Arc::clone(post),
        number,
        capacity: if capacity == 0 { CAPACITY } else { capacity },
        waiting: Arc::default(),
        dropped: AtomicU64::new(0),
    });
    abi::LogSink {
        log: Some(keep),
        user_data: Box::into_raw(sink).cast(),
        drop: Some(dropped),
        ..abi::LogSink::EMPTY
    }
}

/// Called by the core, on one of its log threads.
///
/// # Safety
/// `user_data` is what `sink` made; the record is valid until this returns.
unsafe extern "C" fn keep(user_data: *mut c_void, record: *const LogRecord) {
    // SAFETY: the sink lives until `dropped`, which isn't called while this runs.
    unsafe {
        let sink = &*user_data.cast::<Sink>();
        let record = &*record;
        if sink.waiting.load(Ordering::Relaxed) >= sink.capacity {
            sink.dropped.fetch_add(1, Ordering::Relaxed);
            return;
        }
        let kept = OwnedRecord::of(
            record,
            sink.dropped.swap(0, Ordering::Relaxed),
            Arc::clone(&sink.waiting),
        );
        sink.post.put(Letter::Record(sink.number, Box::new(kept)));
    }
}

/// Called by the core once the sink isn't used any more.
///
/// # Safety
/// `user_data` is what `sink` made.
unsafe extern "C" fn dropped(user_data: *mut c_void) {
    // SAFETY: the box of `sink`, dropped once.
    drop(unsafe { Box::from_raw(user_data.cast::<Sink>()) });
}
