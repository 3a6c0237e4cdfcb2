//! Calls as futures, on several executors and on none.

use std::future::{Future, IntoFuture, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::Duration;

use futures_util::StreamExt;
use rustbridge_core::{CallOptions, Encoding, OnPanic, Status};

use crate::executors::{Counter, LONG, block_on, later, later_on, limited, on_each, status};
use crate::later;

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
    let (never, after) = (later.raw("never"), later.raw("after"));
    on_each(move || async move {
        // Of a plugin that doesn't look at its time the core ends it, before and after others.
        let long = after.call_async(b"20").timeout(LONG).begin();
        let calls = [3, 1, 2].map(|time| {
            never
                .call_async(b"")
                .timeout(Duration::from_millis(time))
                .begin()
        });
        for call in calls {
            assert_eq!(status(call.await), Status::DeadlineExceeded);
        }
        assert_eq!(&*long.await.unwrap(), b"after 20");
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
fn a_failure_without_a_word_is_the_same_from_calls_and_operations() {
    let later = later();
    let early = later.raw("early");
    let called = early.call(b"").unwrap_err();
    let ended = early.call_async(b"fails").begin().wait().unwrap_err();
    assert_eq!(
        called.message(),
        "the plugin returned UNIMPLEMENTED without a message"
    );
    for error in [called, ended] {
        assert_eq!(error.status(), Status::Unimplemented);
        assert_eq!(error.type_name(), "");
        assert!(error.message().ends_with("without a message"), "{error}");
    }
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
        let (call, items, early) = runtime.block_on(async move {
            let task = tokio::spawn(async move {
                for _ in 0..10 {
                    items.next().await.unwrap().unwrap();
                }
                // On a slow machine it's ready by now.
                let early = poll_fn(|context| {
                    Poll::Ready(match Pin::new(&mut call).poll(context) {
                        Poll::Ready(reply) => Some(reply),
                        Poll::Pending => None,
                    })
                });
                let early = early.await;
                (call, items, early)
            });
            task.await.unwrap()
        });
        let rest = smol::block_on(smol::spawn(items.count()));
        assert_eq!(rest, 20);
        let late = || thread::spawn(move || block_on(call)).join().unwrap();
        let reply = early.unwrap_or_else(late);
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
    is_for_any_thread::<rustbridge_core::Pending<String>>();
    is_for_any_thread::<rustbridge_core::Items>();
    is_for_any_thread::<rustbridge_core::Item>();
    is_for_any_thread::<rustbridge_core::Sender>();
}
