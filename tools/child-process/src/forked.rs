//! Children that a test forks from itself, to see what becomes of its state.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;
use std::time::{Duration, Instant};

/// A forked child of this process. One that nobody has waited for is ended when this is dropped.
///
/// Invariant: the number is that of a child that hasn't been waited for, or `None`.
#[derive(Debug)]
#[must_use = "a child that nobody waits for may hang, or fail, and nobody knows"]
pub struct ForkedChild(Option<libc::pid_t>);

impl ForkedChild {
    /// Forks. The child runs `body`, and is gone when that returns or panics.
    ///
    /// # Panics
    /// If the system allows no more processes.
    pub fn start(body: impl FnOnce()) -> ForkedChild {
        // SAFETY: the child only does what the test is about, and leaves by `_exit`.
        ForkedChild::of(unsafe { libc::fork() }, body)
    }

    /// Takes over what forking in another way than by `fork` has given, in both processes.
    ///
    /// # Panics
    /// If it says that there's no child.
    pub fn of(id: libc::pid_t, body: impl FnOnce()) -> ForkedChild {
        assert!(id >= 0, "no fork");
        if id == 0 {
            let failed = catch_unwind(AssertUnwindSafe(body)).is_err();
            // SAFETY: ends the child at once.
            unsafe { libc::_exit(i32::from(failed)) };
        }
        ForkedChild(Some(id))
    }

    /// Waits for the child.
    ///
    /// # Panics
    /// If it panicked, or was ended by a signal, or hangs; then it's ended.
    #[track_caller]
    pub fn ends_well(mut self, limit: Duration) {
        let end = Instant::now() + limit;
        while let Some(id) = self.0 {
            let mut status = 0;
            // SAFETY: `status` is writable.
            let ended = unsafe { libc::waitpid(id, &raw mut status, libc::WNOHANG) };
            if ended == id {
                self.0 = None;
                assert_eq!(status, 0, "the child's checks failed, or it was killed");
            }
            assert!(Instant::now() < end || ended == id, "the child hangs");
            thread::sleep(Duration::from_millis(1));
        }
    }
}

impl Drop for ForkedChild {
    fn drop(&mut self) {
        if let Some(id) = self.0.take() {
            // SAFETY: our child, which hasn't been waited for, by the invariant; the status isn't wanted.
            unsafe {
                libc::kill(id, libc::SIGKILL);
                libc::waitpid(id, std::ptr::null_mut(), 0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Duration = Duration::from_secs(30);

    #[test]
    fn a_child_that_returns_ends_well() {
        ForkedChild::start(|| ()).ends_well(LIMIT);
    }

    #[test]
    fn a_child_that_panics_or_hangs_is_noticed() {
        let panicking = ForkedChild::start(|| panic!("as this test wants"));
        let hanging = ForkedChild::start(|| thread::sleep(Duration::from_secs(600)));
        for (child, limit) in [(panicking, LIMIT), (hanging, Duration::from_millis(100))] {
            let ended = catch_unwind(AssertUnwindSafe(|| child.ends_well(limit)));
            assert!(ended.is_err());
        }
    }
}
