//! A plugin whose calls end later, what it's asked to do by a queue, and what that tells.

#![allow(
    clippy::undocumented_unsafe_blocks,
    reason = "requests and responses are locals that outlive the calls"
)]

use std::sync::atomic::Ordering;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use rustbridge_abi::*;
use rustbridge_core::operations::{self, Event, EventKind, Submission};
use rustbridge_core::{Encoding, Handle, Load, Response, handles};

use crate::later;

pub const LONG: Duration = Duration::from_secs(30);

/// Tasks are counted for all, so tests that look at the count are alone.
pub fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

pub struct Later {
    pub handle: Handle,
    pub queue: u64,
    _alone: MutexGuard<'static, ()>,
}

pub fn later() -> Later {
    let alone = alone();
    // SAFETY: a plugin of ours, whose entry point follows the ABI.
    let load = unsafe { Load::linked(later::entry_point, "later") };
    Later {
        handle: handles::load(load).unwrap(),
        queue: operations::new_queue().unwrap(),
        _alone: alone,
    }
}

impl Drop for Later {
    fn drop(&mut self) {
        let _ = operations::close_queue(self.queue);
        let _ = handles::close(self.handle, LONG);
        if !thread::panicking() {
            assert_eq!(
                later::TASKS.load(Ordering::SeqCst),
                0,
                "tasks that aren't released"
            );
        }
    }
}

impl Later {
    pub fn entry(&self, method: &str) -> u32 {
        handles::prepare(self.handle, method, Encoding::Raw)
            .unwrap()
            .entry
    }

    pub fn submit(&self, method: &str, request: &str) -> (i32, Op, Vec<u8>) {
        self.submit_with(method, request, (0, 0), 0)
    }

    pub fn submit_with(
        &self,
        method: &str,
        request: &str,
        demand: (u64, u64),
        user_data: u64,
    ) -> (i32, Op, Vec<u8>) {
        let mut response = Response::empty();
        let mut submission = Submission::of(self.handle, self.entry(method), request.as_bytes());
        submission.demand = demand;
        submission.user_data = user_data;
        let (status, op) = unsafe { operations::submit(self.queue, submission, &mut response) };
        (status, op, taken(&mut response))
    }

    pub fn pending(&self, method: &str, request: &str) -> Op {
        let (status, op, _) = self.submit(method, request);
        assert_eq!(status, RB_PENDING);
        assert_ne!(op, 0);
        op
    }

    pub fn next(&self) -> Event {
        self.within(LONG).expect("an event in time")
    }

    pub fn within(&self, timeout: Duration) -> Option<Event> {
        let mut found = None;
        operations::next(
            self.queue,
            1,
            timeout,
            || usize::MAX,
            |event| found = Some(event),
        )
        .unwrap();
        found
    }
}

pub fn taken(response: &mut Response) -> Vec<u8> {
    let bytes = if response.len == 0 {
        Vec::new()
    } else {
        unsafe { std::slice::from_raw_parts(response.data, response.len) }.to_vec()
    };
    unsafe { handles::release(response) };
    bytes
}

pub fn done(event: &Event) -> (i32, String) {
    let EventKind::Done {
        status, response, ..
    } = &event.kind
    else {
        panic!("{event:?}");
    };
    (
        *status,
        String::from_utf8(response.bytes().to_vec()).unwrap(),
    )
}
