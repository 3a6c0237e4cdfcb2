//! Calls as futures, their streams and what is sent into them, on several executors and on none.

use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::task::{Context, Poll, Wake, Waker};
use std::thread;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt, stream};
use rustbridge_core::{CallOptions, Encoding, Error, Load, Method, OnPanic, Plugin, Status};

#[allow(dead_code, reason = "what others use of it")]
#[path = "common/later.rs"]
mod later;

const LONG: Duration = Duration::from_secs(60);

/// A running plugin. Tasks are counted for all, so one test at a time has one.
struct Later {
    plugin: Option<Plugin>,
    _alone: MutexGuard<'static, ()>,
}

fn later() -> Later {
    later_on(OnPanic::Continue)
}

fn later_on(panic: OnPanic) -> Later {
    static ALONE: Mutex<()> = Mutex::new(());
    let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    // SAFETY: a plugin of ours, whose entry point follows the ABI.
    let load = unsafe { Load::linked(later::entry_point, "later") };
    Later {
        plugin: Some(load.on_panic(panic).open().unwrap()),
        _alone: alone,
    }
}

impl Later {
    fn raw(&self, method: &str) -> Method {
        self.plugin().method(method, Encoding::Raw).unwrap()
    }

    fn plugin(&self) -> &Plugin {
        self.plugin.as_ref().unwrap()
    }
}

impl Drop for Later {
    /// Whatever a test did, nothing is pending behind it.
    fn drop(&mut self) {
        let closed = self.plugin.take().map(|plugin| plugin.close(LONG));
        if !thread::panicking() {
            assert!(closed.is_none_or(|closed| closed.is_ok()));
            assert_eq!(later::TASKS.load(Ordering::SeqCst), 0, "tasks left");
        }
    }
}

/// Runs something that may hang, for so long at most.
fn limited(work: impl FnOnce() + Send + 'static) {
    let (done, is_done) = mpsc::channel();
    let thread = thread::spawn(move || {
        work();
        let _ = done.send(());
    });
    match is_done.recv_timeout(LONG) {
        Err(mpsc::RecvTimeoutError::Timeout) => panic!("it hangs"),
        _ => thread
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
    }
}

struct Unpark(thread::Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// As bare as an executor can be.
fn block_on<T>(future: impl Future<Output = T>) -> T {
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut future = pin!(future);
    loop {
        match future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(value) => return value,
            Poll::Pending => thread::park(),
        }
    }
}

/// Runs the same task on each executor, as a task of its own where there are such.
fn on_each<F: Future<Output = ()> + Send + 'static>(task: impl Fn() -> F + Send + 'static) {
    limited(move || {
        for runtime in [
            tokio::runtime::Builder::new_multi_thread()
                .worker_threads(2)
                .enable_time()
                .build(),
            tokio::runtime::Builder::new_current_thread()
                .enable_time()
                .build(),
        ] {
            let runtime = runtime.unwrap();
            runtime.block_on(async { tokio::spawn(task()).await.unwrap() });
        }
        smol::block_on(smol::spawn(task()));
        block_on(task());
    });
}

fn status<T>(result: Result<T, Error>) -> Status {
    result.err().map_or(Status::Ok, |error| error.status())
}

#[test]
fn what_is_ready_and_what_ends_later_are_awaited_alike() {
    let later = later();
    let (ready, plain, after, early) = (
        later.raw("ready"),
        later.raw("plain"),
        later.raw("after"),
        later.raw("early"),
    );
    on_each(move || async move {
        assert_eq!(&*ready.call_async(b"").await.unwrap(), b"ready");
        assert_eq!(&*plain.call_async(b"").await.unwrap(), b"plain");
        assert_eq!(&*after.call_async(b"3").await.unwrap(), b"after 3");
        for size in [0, 256, 257, 100_000] {
            let reply = early.call_async(size.to_string().as_bytes()).await.unwrap();
            assert_eq!(&*reply, vec![8; size]);
            assert_eq!(reply.is_lease(), size > 256);
        }
        let begun: Vec<_> = (0..20).map(|_| after.call_async(b"5").begin()).collect();
        for one in begun {
            assert_eq!(&*one.await.unwrap(), b"after 5");
        }
    });
}

#[test]
fn values_go_and_come_as_json_and_as_plain_structs() {
    let later = later();
    let plugin = later.plugin();
    block_on(async {
        let doubled: i64 = plugin.call_typed_async("double", &21).await.unwrap();
        assert_eq!(doubled, 42);
        let reply = plugin.call_async("double", "4").await.unwrap();
        assert_eq!(reply.json::<i64>().unwrap(), 8);
        let plus = plugin.method("plus", Encoding::Pod).unwrap();
        let sum: i64 = plus.call_pod_async(&[20_i64, 22]).await.unwrap();
        assert_eq!(sum, 42);
        let short = plus.call_pod_async::<i64, i64>(&20).await;
        assert_eq!(status(short), Status::InvalidArgument);
        let short = plus.call_pod_async::<[i64; 2], i32>(&[1, 2]).await;
        assert_eq!(status(short), Status::Internal);
        let unread = plugin
            .call_typed_async::<_, String>("double", &1)
            .await
            .unwrap_err();
        assert!(unread.message().contains("double"), "{unread}");
        let missing = plugin.call_async("no such method", "").timeout(LONG).await;
        assert_eq!(status(missing), Status::NotFound);
    });
}

#[test]
fn dropping_cancels() {
    let later = later();
    let never = later.raw("never");
    on_each(move || async move {
        drop(never.call_async(b""));
        drop(never.call_async(b"").begin());
        let mut polled = never.call_async(b"").begin();
        poll_fn(|context| {
            assert!(Pin::new(&mut polled).poll(context).is_pending());
            Poll::Ready(())
        })
        .await;
        assert_eq!(later::TASKS.load(Ordering::SeqCst), 1);
        drop(polled);
        assert_eq!(later::TASKS.load(Ordering::SeqCst), 0);
    });
    limited(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .unwrap();
        runtime.block_on(async {
            let short = Duration::from_millis(10);
            let call = never.call_async(b"").into_future();
            assert!(tokio::time::timeout(short, call).await.is_err());
            let task = tokio::spawn(never.call_async(b"").into_future());
            tokio::task::yield_now().await;
            task.abort();
            assert!(task.await.unwrap_err().is_cancelled());
        });
    });
}

#[test]
fn a_canceller_ends_it_early_and_is_harmless_afterwards() {
    let later = later();
    let (never, deaf) = (later.raw("never"), later.raw("deaf"));
    on_each(move || async move {
        let call = never.call_async(b"").begin();
        let canceller = call.canceller();
        let canceller = thread::spawn(move || {
            canceller.cancel();
            canceller
        });
        assert_eq!(status(call.await), Status::Cancelled);
        canceller.join().unwrap().cancel();
        // One that doesn't listen ends as it would have.
        let call = deaf.call_async(b"20").begin();
        call.canceller().cancel();
        assert_eq!(&*call.await.unwrap(), b"after 20");
    });
}

#[test]
fn a_call_ends_when_its_time_is_over() {
    let later = later();
    let (timed, ready) = (later.raw("timed"), later.raw("ready"));
    on_each(move || async move {
        let late = timed
            .call_async(b"")
            .timeout(Duration::from_millis(5))
            .await;
        assert_eq!(status(late), Status::DeadlineExceeded);
        let late = ready.call_async(b"").timeout(Duration::ZERO).await;
        assert_eq!(status(late), Status::DeadlineExceeded);
    });
}

#[test]
fn what_is_carried_goes_there_and_trailers_come_back() {
    let later = later();
    let carried = later.raw("carried");
    on_each(move || async move {
        let with = carried
            .with()
            .metadata("user", "ada")
            .metadata("user", "bob");
        let answer = with.call_async(b"").await.unwrap();
        assert_eq!(&*answer.reply, b"carried");
        let pairs: Vec<_> = answer.trailers.iter().collect();
        assert_eq!(pairs, [("user", &b"ada"[..]), ("user", b"bob")]);
        let options = CallOptions::new().metadata("Not A Key", "");
        let refused = carried.call_async(b"").options(options).await;
        assert_eq!(status(refused), Status::InvalidArgument);
    });
}

#[test]
fn closing_waits_for_calls_and_ends_streams() {
    let mut later = later();
    let (deaf, ready, count) = (later.raw("deaf"), later.raw("ready"), later.raw("count"));
    let call = deaf.call_async(b"50").begin();
    let mut items = count.stream(b"100").window(2, 1000);
    let taken = block_on(items.next()).unwrap().unwrap();
    assert_eq!(&*taken, b"1");
    later.plugin.take().unwrap().close(LONG).unwrap();
    assert_eq!(&*block_on(call).unwrap(), b"after 50");
    let (mut rest, mut last) = (0, Status::Ok);
    while let Some(item) = block_on(items.next()) {
        assert_eq!(last, Status::Ok, "an error is the last item");
        match item {
            Ok(_) => rest += 1,
            Err(error) => last = error.status(),
        }
    }
    // What had been emitted is delivered.
    assert_eq!((rest, last), (2, Status::Unavailable));
    assert_eq!(
        status(block_on(ready.call_async(b"").into_future())),
        Status::Unavailable
    );
    let mut items = count.stream(b"1");
    assert_eq!(status(block_on(items.next()).unwrap()), Status::Unavailable);
    assert!(block_on(items.next()).is_none());
}

#[test]
fn a_panic_is_its_calls_error_and_may_poison() {
    let later = later_on(OnPanic::Poison);
    let (never, panics, count) = (later.raw("never"), later.raw("panics"), later.raw("count"));
    on_each(move || async move {
        let pending = never.call_async(b"").begin();
        let mut items = count.stream(b"1000").window(1, 1);
        if let Ok(first) = items.next().await.unwrap() {
            assert_eq!(&*first, b"1");
            let error = panics.call_async(b"").await.unwrap_err();
            assert_eq!(
                (error.status(), error.type_name()),
                (Status::Internal, "panic")
            );
        }
        // Those that were pending, and those that are begun afterwards.
        assert_eq!(status(pending.await), Status::FailedPrecondition);
        let ends = items
            .filter_map(async |item| item.err())
            .collect::<Vec<_>>()
            .await;
        assert!(
            ends.iter()
                .all(|end| end.status() == Status::FailedPrecondition)
        );
    });
}

#[test]
fn thousands_are_pending_at_once() {
    let later = later();
    let (never, after) = (later.raw("never"), later.raw("after"));
    limited(move || {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .build()
            .unwrap();
        runtime.block_on(async move {
            let mut cancellers = Vec::new();
            let mut tasks = Vec::new();
            for _ in 0..5000 {
                let call = never.call_async(b"").begin();
                cancellers.push(call.canceller());
                tasks.push(tokio::spawn(async { status(call.await) }));
            }
            assert_eq!(later::TASKS.load(Ordering::SeqCst), 5000);
            let others: Vec<_> = (0..100)
                .map(|_| tokio::spawn(after.call_async(b"5").into_future()))
                .collect();
            thread::spawn(move || {
                cancellers
                    .into_iter()
                    .for_each(|canceller| canceller.cancel())
            });
            for task in tasks {
                assert_eq!(task.await.unwrap(), Status::Cancelled);
            }
            for other in others {
                assert_eq!(&*other.await.unwrap().unwrap(), b"after 5");
            }
        });
    });
}

/// Counts how often it's woken.
#[derive(Default)]
struct Counter(AtomicU32);

impl Wake for Counter {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

#[test]
fn the_last_waker_is_woken_and_none_is_kept() {
    let later = later();
    let mut call = later.raw("kept").call_async(b"").begin();
    let counters = [(); 3].map(|()| Arc::new(Counter::default()));
    for counter in [0, 1, 1, 2, 2] {
        let waker = Waker::from(Arc::clone(&counters[counter]));
        assert!(
            Pin::new(&mut call)
                .poll(&mut Context::from_waker(&waker))
                .is_pending()
        );
    }
    assert_eq!(counters.each_ref().map(Arc::strong_count), [1, 1, 2]);
    later::end_kept();
    let woken = counters
        .each_ref()
        .map(|counter| counter.0.load(Ordering::SeqCst));
    assert_eq!(woken, [0, 0, 1]);
    assert_eq!(&*block_on(&mut call).unwrap(), b"kept");
    assert_eq!(counters.each_ref().map(Arc::strong_count), [1, 1, 1]);
    // Once more than one should.
    assert_eq!(status(block_on(&mut call)), Status::FailedPrecondition);

    // Ended before anybody looked; and dropped, with a waker in it.
    let call = later.raw("kept").call_async(b"").begin();
    later::end_kept();
    assert_eq!(&*block_on(call).unwrap(), b"kept");
    let mut call = later.raw("never").call_async(b"").begin();
    let waker = Waker::from(Arc::clone(&counters[0]));
    assert!(
        Pin::new(&mut call)
            .poll(&mut Context::from_waker(&waker))
            .is_pending()
    );
    drop((call, waker));
    assert_eq!(Arc::strong_count(&counters[0]), 1);
}

#[test]
fn what_was_begun_moves_between_threads_and_executors() {
    let later = later();
    let (after, slow) = (later.raw("after"), later.raw("slow"));
    limited(move || {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .build()
            .unwrap();
        let mut call = after.call_async(b"30").begin();
        let mut items = slow.stream(b"30");
        let (call, items) = runtime.block_on(async move {
            let task = tokio::spawn(async move {
                for _ in 0..10 {
                    items.next().await.unwrap().unwrap();
                }
                poll_fn(|context| Poll::Ready(Pin::new(&mut call).poll(context).is_pending()))
                    .await;
                (call, items)
            });
            task.await.unwrap()
        });
        let rest = smol::block_on(smol::spawn(items.count()));
        assert_eq!(rest, 20);
        let reply = thread::spawn(move || block_on(call)).join().unwrap();
        assert_eq!(&*reply.unwrap(), b"after 30");
    });
}

#[test]
fn threads_wait_without_an_executor() {
    let later = later();
    assert_eq!(
        &*later.raw("after").call_async(b"5").begin().wait().unwrap(),
        b"after 5"
    );
    let mut call = later.raw("kept").call_async(b"").begin();
    assert!(call.wait_timeout(Duration::ZERO).is_none());
    assert!(call.wait_timeout(Duration::from_millis(5)).is_none());
    let ender = thread::spawn(|| {
        thread::sleep(Duration::from_millis(10));
        later::end_kept();
    });
    assert_eq!(&*call.wait_timeout(LONG).unwrap().unwrap(), b"kept");
    ender.join().unwrap();
    let mut items = later.raw("slow").stream(b"3").iterate();
    let first = items.next_timeout(Duration::ZERO);
    assert_eq!(status(first.unwrap()), Status::DeadlineExceeded);
    assert!(
        items
            .map(|item| item.unwrap().to_vec())
            .eq([b"1", b"2", b"3"])
    );
}

#[test]
fn items_come_in_order_whatever_the_window() {
    let later = later();
    let (count, sized, flood, slow) = (
        later.raw("count"),
        later.raw("sized"),
        later.raw("flood"),
        later.raw("slow"),
    );
    later::EXHAUSTED.store(0, Ordering::SeqCst);
    on_each(move || async move {
        for window in [(1, 1), (1, 1 << 20), (7, 50), (1000, 1), (256, 1 << 18)] {
            let numbers: Vec<u64> = count
                .stream(b"100")
                .window(window.0, window.1)
                .map(|item| item.unwrap().json::<u64>().unwrap())
                .collect()
                .await;
            assert!(numbers.into_iter().eq(1..=100));
            let mut items = sized.stream(b"300").window(window.0, window.1);
            let mut kept = Vec::new();
            while let Some(item) = items.next().await {
                kept.push(item.unwrap());
            }
            for (item, number) in kept.iter().zip(1..=300_usize) {
                assert_eq!(&**item, vec![number as u8; number % 100]);
            }
            assert_eq!(kept.len(), 300);
        }
        let mut next = 0;
        let mut items = flood.stream(b"50000");
        while let Some(item) = items.next().await {
            assert_eq!(item.unwrap().pod::<[u64; 2]>().unwrap(), [next, next]);
            next += 1;
        }
        assert_eq!(next, 50_000);
        assert_eq!(slow.stream(b"20").window(2, 2).count().await, 20);
        assert!(count.stream(b"0").next().await.is_none());
    });
    assert_eq!(later::EXHAUSTED.load(Ordering::SeqCst), 0);
}

#[test]
fn an_error_is_the_last_item() {
    let later = later();
    let breaks = later.raw("breaks");
    on_each(move || async move {
        let mut items = breaks.stream(b"3");
        for _ in 0..3 {
            assert!(items.next().await.unwrap().is_ok());
        }
        let error = items.next().await.unwrap().unwrap_err();
        assert_eq!(
            (error.status(), error.message()),
            (Status::NotFound, "broken off")
        );
        assert!(items.next().await.is_none());
        assert!(items.next().await.is_none());
    });
}

#[test]
fn a_stream_that_is_dropped_or_cancelled_ends() {
    let later = later();
    let (count, slow) = (later.raw("count"), later.raw("slow"));
    on_each(move || async move {
        for taken in [0, 1, 5] {
            for method in [count, slow] {
                let mut items = method.stream(b"100000").window(4, 100);
                for _ in 0..taken {
                    items.next().await.unwrap().unwrap();
                }
            }
        }
        assert_eq!(later::TASKS.load(Ordering::SeqCst), 0);
        let mut items = slow.stream(b"100000");
        items.next().await.unwrap().unwrap();
        items.canceller().cancel();
        let mut last = None;
        while let Some(item) = items.next().await {
            last = Some(status(item));
        }
        assert_eq!(last, Some(Status::Cancelled));
    });
}

#[test]
fn items_are_sent_as_the_plugin_takes_them() {
    let later = later();
    let (sum, lazy) = (later.raw("sum"), later.raw("lazy"));
    on_each(move || async move {
        for method in [sum, lazy] {
            let (mut sender, answer) = method.send(b"");
            for number in 1..=20_u8 {
                sender.send([number]).await.unwrap();
            }
            sender.finish();
            assert_eq!(&*answer.await.unwrap(), b"210");
        }
        let (mut sender, answer) = sum.send(b"");
        sender.send_pods(&[1_u8; 1000]).await.unwrap();
        let rest = stream::iter((0..50).map(|_| Ok([2_u8])));
        sender.send_all(&mut { rest }).await.unwrap();
        SinkExt::<[u8; 1]>::close(&mut sender).await.unwrap();
        assert_eq!(status(sender.send([1]).await), Status::FailedPrecondition);
        assert_eq!(&*answer.await.unwrap(), b"1100");
    });
    let (mut sender, answer) = later.raw("lazy").send(b"");
    (0..5).for_each(|_| sender.send_wait([9]).unwrap());
    sender.finish();
    assert_eq!(&*answer.wait().unwrap(), b"45");
}

#[test]
fn either_side_ends_what_is_sent_early() {
    let later = later();
    let (sum, lazy) = (later.raw("sum"), later.raw("lazy"));
    on_each(move || async move {
        let (sender, answer) = sum.send(b"");
        sender.fail(Status::Aborted, "no more");
        let error = answer.await.unwrap_err();
        assert_eq!(
            (error.status(), error.message()),
            (Status::Aborted, "no more")
        );

        let (sender, answer) = sum.send(b"");
        drop(sender);
        assert_eq!(status(answer.await), Status::Cancelled);

        // The answer is given up while the sender waits.
        let (mut sender, answer) = sum.send(b"");
        drop(answer);
        assert_ne!(status(sender.send([1]).await), Status::Ok);

        let (mut sender, answer) = lazy.send(b"");
        let canceller = answer.canceller();
        let thread = thread::spawn(move || {
            thread::sleep(Duration::from_millis(3));
            canceller.cancel();
        });
        let ended = loop {
            if let Err(error) = sender.send([1]).await {
                break error.status();
            }
        };
        assert!(
            [Status::FailedPrecondition, Status::Cancelled].contains(&ended),
            "{ended}"
        );
        assert_eq!(status(answer.await), Status::Cancelled);
        thread.join().unwrap();
        sender.finish();
    });
    // A sender that waits already, of a plugin that takes nothing, is woken by either end.
    for is_cancelled in [false, true] {
        let (mut sender, answer) = lazy.send(b"never");
        let counter = Arc::new(Counter::default());
        let waker = Waker::from(Arc::clone(&counter));
        let mut sending = Box::pin(sender.send([1]));
        let mut look = || sending.as_mut().poll(&mut Context::from_waker(&waker));
        assert!(look().is_pending());
        if is_cancelled {
            answer.canceller().cancel();
            assert_eq!(status(block_on(answer)), Status::Cancelled);
        } else {
            drop(answer);
        }
        assert_eq!(counter.0.load(Ordering::SeqCst), 1);
        assert!(matches!(look(), Poll::Ready(Err(_))));
    }
}

#[test]
fn both_directions_at_once() {
    let later = later();
    let echo = later.raw("echo");
    on_each(move || async move {
        let (mut sender, mut items) = echo.exchange(b"");
        let mut items = {
            items = items.window(3, 40);
            items
        };
        let send = async move {
            for number in 0..500_u32 {
                sender.send(number.to_string()).await.unwrap();
            }
            sender.finish();
        };
        let receive = async move {
            for number in 0..500_u32 {
                assert_eq!(
                    items.next().await.unwrap().unwrap().json::<u32>().unwrap(),
                    number
                );
            }
            assert!(items.next().await.is_none());
        };
        futures_util::future::join(send, receive).await;
        // From two threads.
        let (mut sender, items) = echo.exchange(b"");
        let thread = thread::spawn(move || {
            (0..500).for_each(|_| sender.send_wait(b"item").unwrap());
            sender.finish();
        });
        assert_eq!(items.count().await, 500);
        thread.join().unwrap();
        // Dropped in the midst of it.
        let (mut sender, items) = echo.exchange(b"");
        sender.send(b"one").await.unwrap();
        drop(items);
        assert_ne!(status(sender.send(b"two").await), Status::Ok);
    });
}

#[test]
fn a_method_of_another_kind_is_refused_and_says_how_it_is_called() {
    let later = later();
    let [ready, count, sum, echo] = ["ready", "count", "sum", "echo"].map(|name| later.raw(name));
    block_on(async {
        let mut errors = Vec::new();
        for method in [count, sum, echo] {
            errors.push(method.call_async(b"").await.unwrap_err());
        }
        for method in [ready, sum, echo] {
            errors.push(method.stream(b"").next().await.unwrap().unwrap_err());
        }
        for method in [ready, count, echo] {
            let (mut sender, answer) = method.send(b"");
            assert_eq!(status(sender.send(b"").await), Status::FailedPrecondition);
            errors.push(answer.await.unwrap_err());
        }
        assert!(
            errors
                .iter()
                .all(|error| error.status() == Status::Unimplemented)
        );
        let said = errors[0].message();
        assert!(
            said.contains("`count (raw)`") && said.contains("`stream`"),
            "{said}"
        );
    });
}

#[test]
fn what_is_begun_is_for_any_thread() {
    fn is_for_any_thread<T: Send + Sync + Unpin + 'static>() {}
    is_for_any_thread::<rustbridge_core::Pending<std::rc::Rc<()>>>();
    is_for_any_thread::<rustbridge_core::Items>();
    is_for_any_thread::<rustbridge_core::Item>();
    is_for_any_thread::<rustbridge_core::Sender>();
}
