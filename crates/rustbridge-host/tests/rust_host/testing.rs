//! What docs/guide/plugins-testing.md shows: a plugin's tests through the host. `cargo xtask tidy` looks for it here.

use std::sync::mpsc;
use std::time::Duration;

use rustbridge_host::{Encoding, Level, Load, OnPanic, Plugin, Record, Status};

/// The plugin under test.
mod counter {
    use std::sync::Mutex;
    use std::time::Duration;

    use rustbridge::prelude::*;

    #[derive(Default)]
    pub struct Counter(Mutex<u64>);

    #[plugin(name = "counter", export = false)]
    impl Counter {
        /// Adds to what there is.
        pub fn add(&self, by: u64) -> Result<u64> {
            let mut count = self.0.lock().unwrap_or_else(|broken| broken.into_inner());
            *count = count
                .checked_add(by)
                .ok_or_else(|| Error::new(Status::OutOfRange, "that's too much"))?;
            info!(count = *count, "added");
            Ok(*count)
        }

        /// What a mistake of the author's looks like.
        pub fn divide(&self, by: u64) -> u64 {
            100 / by
        }

        /// Waits for so many milliseconds, unless it's over before.
        pub fn wait(&self, ms: u64, call: &Call<'_>) -> Result<()> {
            call.sleep(Duration::from_millis(ms))
        }

        /// The same without a thread.
        pub async fn wait_async(&self, ms: u64) {
            tokio::time::sleep(Duration::from_millis(ms)).await;
        }
    }
}

use counter::Counter;

fn configured(load: impl FnOnce(Load<'static>) -> Load<'static>) -> Plugin {
    // SAFETY: `entry_point` is what `#[plugin]` has made.
    let linked = unsafe { Load::linked(rustbridge::entry_point::<Counter>(), "counter") };
    load(linked).open().unwrap()
}

#[test]
fn it_counts_and_instances_share_nothing() {
    let (one, other) = (configured(|load| load), configured(|load| load));
    assert_eq!(one.call_typed::<_, u64>("add", &20).unwrap(), 20);
    assert_eq!(one.call_typed::<_, u64>("add", &22).unwrap(), 42);
    assert_eq!(other.call_typed::<_, u64>("add", &1).unwrap(), 1);

    let error = one.call("add", u64::MAX.to_string()).unwrap_err();
    assert_eq!(error.status(), Status::OutOfRange);
    let error = one.call("add", r#""many""#).unwrap_err();
    assert_eq!(error.type_name(), "rustbridge.InvalidRequest");
}

#[test]
fn a_panic_is_one_calls_error() {
    let goes_on = configured(|load| load);
    let panic = goes_on.call("divide", "0").unwrap_err();
    assert_eq!(
        (panic.status(), panic.type_name()),
        (Status::Internal, "panic")
    );
    assert_eq!(&*goes_on.call("divide", "5").unwrap(), b"20");

    let poisoned = configured(|load| load.on_panic(OnPanic::Poison));
    poisoned.call("divide", "0").unwrap_err();
    let refused = poisoned.call("divide", "5").unwrap_err();
    assert_eq!(refused.status(), Status::FailedPrecondition);
}

#[test]
fn it_ends_when_its_time_is_over() {
    let plugin = configured(|load| load);
    for name in ["wait", "wait_async"] {
        let method = plugin.method(name, Encoding::Json).unwrap();
        let late = method.with().timeout(Duration::from_millis(5));
        let error = late.call(b"60000").unwrap_err();
        assert_eq!(error.status(), Status::DeadlineExceeded, "{name}");
    }
    // Nothing of it is left behind.
    plugin.close(Duration::from_secs(10)).unwrap();
}

#[test]
fn it_ends_when_it_is_cancelled() {
    let plugin = configured(|load| load);
    let method = plugin.method("wait_async", Encoding::Json).unwrap();
    let call = method.call_async(b"60000").begin();
    call.canceller().cancel();
    assert_eq!(call.wait().unwrap_err().status(), Status::Cancelled);
}

#[test]
fn it_may_be_called_by_many_threads() {
    let plugin = configured(|load| load);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..100 {
                    plugin.call("add", "1").unwrap();
                }
            });
        }
    });
    assert_eq!(&*plugin.call("add", "0").unwrap(), b"800");
}

#[test]
fn it_says_what_it_does() {
    let (sent, records) = mpsc::channel();
    let sink = move |record: &Record<'_>| {
        let _ = sent.send(format!("{} {}", record.message(), record.fields()));
    };
    let plugin = configured(|load| load.log(Level::Info, Box::new(sink)));
    plugin.call("add", "7").unwrap();
    plugin.flush_logs(Duration::from_secs(10)).unwrap();
    assert_eq!(records.try_recv().unwrap(), r#"added {"count":7}"#);
}
