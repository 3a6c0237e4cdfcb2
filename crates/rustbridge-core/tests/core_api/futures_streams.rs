//! Calls' streams and what is sent into them, on several executors and on none.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt, stream};
use rustbridge_core::Status;

use crate::executors::{Counter, block_on, later, on_each, status};
use crate::later;

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
