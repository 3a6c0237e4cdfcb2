//! How much stack the calling thread has left.
//!
//! A thread's stack may be 128 KB (musl), 256 KB (a host's choice) or 8 MB, and one level of nesting takes some hundred bytes
//! of it in a release build and some thousand in a debug build. So whatever recurses as deep as a request says asks here,
//! rather than trust in a number of levels.

use std::cell::Cell;
use std::hint;

/// What must be left for one more level, with the error or the text that is made at its end and whatever frame the
/// author's own types need; and the 16 KB at the low end of its threads' stacks that a JVM keeps for itself.
const ROOM: usize = if cfg!(debug_assertions) {
    64 << 10
} else {
    40 << 10
};

/// What must be left besides for each level that is kept aside, to be read from there when its type is known. That's done by
/// code of serde's and the author's which doesn't ask here: with two dozen optional texts in a struct it takes 5 KB a level,
/// in a debug build 11 KB.
pub(crate) const KEPT_ASIDE: usize = if cfg!(debug_assertions) {
    24 << 10
} else {
    8 << 10
};

/// The lowest usable address of a stack, and the one above its highest.
type Bounds = (usize, usize);

/// What isn't known bounds nothing.
const UNKNOWN: Bounds = (0, 0);

thread_local! {
    /// Where this thread's stack is, once somebody has asked. Of the thread and of nothing else, so right with any number of
    /// libraries and instances.
    static STACK: Cell<Option<Bounds>> = const { Cell::new(None) };
}

/// Whether the stack has room for one level more, and `besides` bytes. Yes if this isn't the thread's own stack but one that somebody has
/// switched to: nobody can say how large that is.
#[inline(never)]
pub(crate) fn has_room(besides: usize) -> bool {
    let mut mark = 0_u8;
    let here = hint::black_box(&raw mut mark).addr();
    let bounds = STACK.try_with(|stack| {
        stack.get().unwrap_or_else(|| {
            let bounds = ask().unwrap_or(UNKNOWN);
            stack.set(Some(bounds));
            bounds
        })
    });
    let (low, high) = bounds.unwrap_or(UNKNOWN);
    !(low..high).contains(&here) || here - low >= ROOM + besides
}

#[cfg(all(any(target_os = "linux", target_os = "android"), not(miri)))]
#[cold]
fn ask() -> Option<Bounds> {
    use std::mem::MaybeUninit;
    use std::ptr;

    // Of the main thread's stack musl says no more than what it has grown to so far.
    // SAFETY: both only ask.
    if cfg!(target_env = "musl") && unsafe { libc::getpid() == libc::gettid() } {
        return None;
    }
    let mut attributes = MaybeUninit::<libc::pthread_attr_t>::uninit();
    let (mut low, mut size, mut guard) = (ptr::null_mut(), 0, 0);
    // SAFETY: the attributes are made by the first function before the others use them and destroyed once, all places to write
    // to are valid.
    unsafe {
        if libc::pthread_getattr_np(libc::pthread_self(), attributes.as_mut_ptr()) != 0 {
            return None;
        }
        let found = libc::pthread_attr_getstack(attributes.as_ptr(), &raw mut low, &raw mut size)
            | libc::pthread_attr_getguardsize(attributes.as_ptr(), &raw mut guard);
        libc::pthread_attr_destroy(attributes.as_mut_ptr());
        if found != 0 {
            return None;
        }
    }
    // Whether the guard pages are part of the stack depends on the C library and its version.
    Some((low.addr() + guard, low.addr() + size))
}

#[cfg(target_vendor = "apple")]
#[cold]
fn ask() -> Option<Bounds> {
    // SAFETY: both may be asked of the calling thread at any time.
    let (high, size) = unsafe {
        let thread = libc::pthread_self();
        (
            libc::pthread_get_stackaddr_np(thread).addr(),
            libc::pthread_get_stacksize_np(thread),
        )
    };
    Some((high.checked_sub(size)?, high))
}

#[cfg(windows)]
#[cold]
fn ask() -> Option<Bounds> {
    use windows_sys::Win32::System::Threading::GetCurrentThreadStackLimits;

    /// Windows keeps a guard page and what handling an overflow takes below what may be used.
    const GUARD: usize = 16 << 10;

    let (mut low, mut high) = (0, 0);
    // SAFETY: both places are valid to write to.
    unsafe { GetCurrentThreadStackLimits(&raw mut low, &raw mut high) };
    Some((low + GUARD, high))
}

#[cfg(not(any(
    all(any(target_os = "linux", target_os = "android"), not(miri)),
    target_vendor = "apple",
    windows
)))]
fn ask() -> Option<Bounds> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Goes down until there's no room, and says how far.
    fn descend(levels: usize) -> usize {
        let frame = hint::black_box([0_u8; 1 << 10]);
        if levels == 100_000 || !has_room(0) {
            return levels;
        }
        descend(levels + 1) + usize::from(frame[levels % frame.len()])
    }

    #[test]
    fn a_recursion_of_any_depth_ends_before_the_stack_does() {
        if ask().is_none() {
            return;
        }
        // Windows gives a thread no less than a program's default.
        let [smallest, .., largest] = [128 << 10, 512 << 10, 4 << 20].map(|size| {
            let levels = std::thread::Builder::new()
                .stack_size(size)
                .spawn(|| descend(0))
                .unwrap()
                .join()
                .unwrap();
            assert!(0 < levels && levels < 100_000, "{size}: {levels}");
            levels
        });
        assert!(smallest < largest, "{smallest} {largest}");
    }
}
