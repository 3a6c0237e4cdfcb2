//! The wakeup of a queue: events signal it until a poller takes them, and the poller resets it.

use super::*;

#[test]
fn the_wakeup_is_signaled_for_what_comes_after_it_was_found_empty() {
    model(|queue| {
        let op = pending_for(queue);
        world().queue.descriptor(queue).unwrap();
        // Once before, so that it's armed again.
        assert_eq!(plugin::demand(op, 1, 1), RB_OK);
        assert_eq!(world().wakeup.load(Ordering::SeqCst), 1);
        assert_eq!(drain(queue, Duration::ZERO).len(), 1);
        assert_eq!(world().wakeup.load(Ordering::SeqCst), 0);
        let completer = spawn(|| world().task.complete(RB_OK));
        let mut events = drain(queue, Duration::ZERO);
        completer.join().unwrap();
        if events.is_empty() {
            assert_eq!(
                world().wakeup.load(Ordering::SeqCst),
                1,
                "the queue has an event, but its wakeup isn't signaled"
            );
            events = drain(queue, Duration::ZERO);
        }
        the_end(&events, op);
        drop(events);
        drain(queue, Duration::ZERO);
        assert_eq!(
            world().wakeup.load(Ordering::SeqCst),
            0,
            "silent when there's nothing"
        );
    });
}

#[test]
fn whoever_is_woken_by_the_wakeup_resets_it() {
    model(|queue| {
        let op = pending_for(queue);
        world().queue.descriptor(queue).unwrap();
        let completer = spawn(|| world().task.complete(RB_OK));
        let mut events = drain(queue, Duration::ZERO);
        if world().wakeup.load(Ordering::SeqCst) == 1 {
            // Whether who rings has come to an end by then or not: a loop would come again and again.
            events.extend(drain(queue, Duration::ZERO));
            assert_eq!(
                world().wakeup.load(Ordering::SeqCst),
                0,
                "it stays signaled"
            );
        }
        completer.join().unwrap();
        events.extend(drain(queue, Duration::ZERO));
        the_end(&events, op);
    });
}

#[test]
fn the_wakeup_is_signaled_for_what_came_while_it_was_asked_for() {
    model(|queue| {
        pending_for(queue);
        let completer = spawn(|| world().task.complete(RB_OK));
        world().queue.descriptor(queue).unwrap();
        completer.join().unwrap();
        assert_eq!(world().wakeup.load(Ordering::SeqCst), 1);
        drop(drain(queue, Duration::ZERO));
    });
}
