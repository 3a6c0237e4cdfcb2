//! Who wakes a plugin's thread for an operation that is cancelled, against who ends that operation.

use super::*;

#[test]
fn what_is_woken_is_in_the_operation_and_not_the_next_one_there() {
    model_bounded(2, |queue| {
        let op = pending_for(queue);
        // SAFETY: the task lives for the run.
        let set = unsafe { plugin::on_cancel(op, Some(wake), ptr::null_mut()) };
        assert_eq!(set, RB_OK);
        let canceller = spawn(move || caller::cancel(op, RB_CANCELLED).is_ok());
        world().task.complete(RB_OK);
        drop(drain(queue, Duration::ZERO));
        canceller.join().unwrap();
        drop(drain(queue, Duration::ZERO));
        world().task.assert_over();
    });
}

#[test]
fn what_has_ended_while_waiters_were_looked_for_is_not_woken() {
    waiters::ARE_LOOKED_FOR.set(true);
    model(|queue| {
        let op = pending_for(queue);
        // SAFETY: the task lives for the run.
        unsafe { plugin::on_cancel(op, Some(wake), ptr::null_mut()) };
        let completer = spawn(|| world().task.complete(RB_OK));
        let _ = caller::cancel(op, RB_CANCELLED);
        completer.join().unwrap();
        drop(drain(queue, Duration::ZERO));
        world().task.assert_over();
    });
    waiters::ARE_LOOKED_FOR.set(false);
}
