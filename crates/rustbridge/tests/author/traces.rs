//! What a task logs is part of its caller's trace, whichever thread goes on with it.

use rustbridge::prelude::*;
use rustbridge_abi::{RB_LOG_INFO, RB_RECORD_SPAN};

use crate::host::operations::How;
use crate::host::{Loaded, Logged, Options};

#[derive(Default)]
struct Traced;

/// Logs when it's dropped.
struct Guard;

impl Drop for Guard {
    fn drop(&mut self) {
        info!("dropped");
    }
}

#[plugin(name = "traced", export = false)]
impl Traced {
    /// Goes on wherever items are asked for.
    pub fn pulled(&self) -> impl Iterator<Item = u8> {
        let guard = Guard;
        (0..2).inspect(move |_| {
            let _ = &guard;
            info!("pulled");
        })
    }

    /// Runs on a thread of its own.
    pub fn takes(&self, items: Items<u8>) -> Result<u64> {
        let _guard = Guard;
        let mut count = 0;
        for item in items {
            item?;
            info!("taken");
            count += 1;
        }
        Ok(count)
    }
}

fn loaded<P: Plugin>() -> Loaded {
    Loaded::with::<P>(&Options {
        level: RB_LOG_INFO,
        ..Options::default()
    })
}

fn of(trace: u8) -> How {
    How {
        trace: Some(trace),
        ..How::default()
    }
}

/// That all of it is in that trace, and directly in the caller's span but for what `inside` says.
fn assert_in(logged: &[Logged], trace: u8, inside: &[&str]) {
    for record in logged {
        assert_eq!(record.trace_id, [trace; 16], "{}", record.message);
        let is_callers = record.span_id == [trace; 8];
        let is_inside = inside.contains(&&*record.message);
        assert_eq!(is_callers, !is_inside, "{}", record.message);
        let is_child = record.parent_span_id == [trace; 8];
        assert_eq!(is_child, record.kind == RB_RECORD_SPAN);
    }
}

#[test]
fn what_is_pulled_and_what_waits_is_in_the_callers_trace() {
    let plugin = loaded::<Traced>();
    let stream = plugin.start_with("pulled", "", of(3)).pending();
    stream.demand(9, 1 << 20);
    stream.wait();
    let logged = plugin.logged();
    assert_eq!(logged.len(), 3);
    assert_in(&logged, 3, &[]);

    let work = plugin.start_with("takes", "", of(4)).pending();
    work.push(&[b"1", b"2"]);
    work.push_end(rustbridge_abi::RB_OK, &[]);
    assert_eq!(work.wait().text(), "2");
    let logged = plugin.logged();
    assert_eq!(logged.len(), 3);
    assert_in(&logged, 4, &[]);
}

#[test]
fn what_a_task_drops_that_is_cancelled_is_in_the_callers_trace() {
    let plugin = loaded::<Traced>();
    let stream = plugin.start_with("pulled", "", of(5)).pending();
    stream.cancel(rustbridge_abi::RB_CANCELLED);
    assert_eq!(stream.wait().status, Status::Cancelled);
    let logged = plugin.logged();
    assert_eq!(logged.len(), 1);
    assert_in(&logged, 5, &[]);
}

#[cfg(feature = "async")]
mod later {
    use rustbridge::prelude::*;

    use super::{Guard, assert_in, loaded, of};

    #[derive(Default)]
    struct Later;

    #[plugin(name = "later", export = false)]
    impl Later {
        /// Goes on on the runtime's thread.
        pub async fn later(&self) {
            let _guard = Guard;
            info!("on the caller's thread");
            yield_now().await;
            info!("on the runtime's");
            let span = tracing::info_span!("work");
            span.in_scope(|| info!("inside"));
        }
    }

    /// Lets the runtime go on with whoever awaits it.
    async fn yield_now() {
        let mut is_later = false;
        std::future::poll_fn(|context| {
            if std::mem::replace(&mut is_later, true) {
                return std::task::Poll::Ready(());
            }
            context.waker().wake_by_ref();
            std::task::Poll::Pending
        })
        .await;
    }

    #[test]
    fn what_the_runtime_goes_on_with_is_in_the_callers_trace() {
        let plugin = loaded::<Later>();
        let one = plugin.start_with("later", "", of(1)).pending();
        one.wait();
        let first = plugin.logged();
        let two = plugin.start_with("later", "", of(2)).pending();
        two.wait();
        let second = plugin.logged();
        for (trace, logged) in [(1, &first), (2, &second)] {
            let messages: Vec<&str> = logged.iter().map(|record| &*record.message).collect();
            assert_eq!(
                messages,
                [
                    "on the caller's thread",
                    "on the runtime's",
                    "inside",
                    "work",
                    "dropped"
                ]
            );
            assert_in(logged, trace, &["inside", "work"]);
            assert!(logged[1].thread.ends_with("-async"), "{}", logged[1].thread);
        }
        let none = plugin.start_json("later", "").pending();
        none.wait();
        for record in plugin.logged() {
            assert_eq!((record.trace_id, record.span_id), ([0; 16], [0; 8]));
        }
    }
}
