//! The names of the instances that refuse calls, also when they are gone: what's said about a handle is said to people.

use std::sync::{Mutex, TryLockError};
use std::thread;
use std::time::Duration;

use crate::registry::table::Handle;

/// How many are remembered.
const REMEMBERED: usize = 64;

/// Those that came last to refuse calls. Of all instances of this copy of the library, told apart by their handles, which
/// aren't used twice.
static NAMES: Mutex<Names> = Mutex::new(Names {
    ring: [const { None }; REMEMBERED],
    next: 0,
});

struct Names {
    ring: [Option<(Handle, Box<str>)>; REMEMBERED],
    /// The place of the next one, which is the oldest one's.
    next: usize,
}

/// Nobody waits for the lock without a limit: a call that's refused waits for nobody, and in a forked child its holder may not
/// exist. A name that isn't known is left out, that's all.
fn with_names<R>(act: impl FnOnce(&mut Names) -> R) -> Option<R> {
    match NAMES.try_lock() {
        Ok(mut names) => Some(act(&mut names)),
        Err(TryLockError::Poisoned(names)) => Some(act(&mut names.into_inner())),
        Err(TryLockError::WouldBlock) => None,
    }
}

/// Remembers the name of an instance that refuses calls from now on. This is the only time, so it tries again for a while.
pub(crate) fn remember(handle: Handle, name: &str) {
    let remember = |names: &mut Names| {
        if find_name(names, handle).is_none() {
            let place = names.next;
            names.ring[place] = Some((handle, name.into()));
            names.next = (place + 1) % REMEMBERED;
        }
    };
    for turn in 0..100 {
        if with_names(remember).is_some() {
            return;
        }
        if turn < 50 {
            thread::yield_now();
        } else {
            thread::sleep(Duration::from_millis(1));
        }
    }
}

/// Shows the name of an instance that refuses calls, and says whether it's known.
pub(crate) fn show(handle: Handle, show: impl FnOnce(&str)) -> bool {
    with_names(|names| find_name(names, handle).map(show)).is_some_and(|shown| shown.is_some())
}

/// The latest first: who asks for one that's closed does so soon, and again and again.
fn find_name(names: &Names, handle: Handle) -> Option<&str> {
    let (newer, older) = names.ring.split_at(names.next);
    newer
        .iter()
        .rev()
        .chain(older.iter().rev())
        .flatten()
        .find_map(|(known, name)| (*known == handle).then_some(&**name))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// There's one ring for all tests.
    static ALONE: Mutex<()> = Mutex::new(());

    fn name(handle: Handle) -> Option<String> {
        let mut name = None;
        let known = show(handle, |shown| name = Some(shown.to_owned()));
        assert_eq!(known, name.is_some());
        name
    }

    #[test]
    fn names_that_come_at_once_are_all_known() {
        let _alone = ALONE.lock();
        for round in 0..500 {
            // Handles that no table issues, half as many as are remembered.
            let handle =
                |thread: u64, number: u64| (((round * 4 + thread) * 8 + number) << 16) | 0xffff;
            thread::scope(|scope| {
                for thread in 0..4 {
                    scope.spawn(move || {
                        for number in 0..8 {
                            remember(handle(thread, number), "name");
                        }
                    });
                }
            });
            for (thread, number) in (0..4).flat_map(|t| (0..8).map(move |n| (t, n))) {
                assert!(
                    name(handle(thread, number)).is_some(),
                    "{round} {thread} {number}"
                );
            }
        }
    }

    #[test]
    fn the_latest_names_are_known_and_older_ones_forgotten() {
        let _alone = ALONE.lock();
        // Handles that no table issues.
        let handle = |number: u64| (number << 16) | 0xfffe;
        for number in 0..1000 {
            remember(handle(number), &number.to_string());
            remember(handle(number), "another");
            assert_eq!(name(handle(number)), Some(number.to_string()));
        }
        let kept = 1000 - REMEMBERED as u64;
        assert_eq!(name(handle(kept)), Some(kept.to_string()));
        assert_eq!(name(handle(kept - 1)), None);
    }
}
