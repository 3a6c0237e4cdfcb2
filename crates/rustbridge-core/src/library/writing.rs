//! Writing files where only small ones may be written.

/// Runs what writes a file. Where a process may only write small ones (`RLIMIT_FSIZE`), whoever goes beyond gets an error
/// and a signal that ends the process; the error is enough.
#[cfg(unix)]
pub(crate) fn without_a_signal<R>(write: impl FnOnce() -> R) -> R {
    // SAFETY: the sets are writable, filled in before they are read, and the signal is a valid one. What is blocked is
    // blocked for this thread alone and as before in the end; it's waited for only when it's there, so that nobody waits.
    unsafe {
        let mut wanted = std::mem::zeroed();
        libc::sigemptyset(&raw mut wanted);
        libc::sigaddset(&raw mut wanted, libc::SIGXFSZ);
        let is_pending = || {
            let mut pending = std::mem::zeroed();
            libc::sigpending(&raw mut pending) == 0
                && libc::sigismember(&raw const pending, libc::SIGXFSZ) == 1
        };
        let mut before = std::mem::zeroed();
        if libc::pthread_sigmask(libc::SIG_BLOCK, &raw const wanted, &raw mut before) != 0 {
            return write();
        }
        let was_pending = is_pending();
        let result = write();
        if !was_pending && is_pending() {
            let mut signal = 0;
            libc::sigwait(&raw const wanted, &raw mut signal);
        }
        libc::pthread_sigmask(libc::SIG_SETMASK, &raw const before, std::ptr::null_mut());
        result
    }
}

#[cfg(not(unix))]
pub(crate) fn without_a_signal<R>(write: impl FnOnce() -> R) -> R {
    write()
}
