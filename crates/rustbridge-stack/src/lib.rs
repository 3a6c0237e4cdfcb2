//! How much stack the calling thread has left: one question, which both sides of the boundary ask before they go deeper.

use std::cell::Cell;
use std::hint;

#[cfg(not(miri))]
mod system;

/// The lowest usable address of a stack, and the one above its highest.
type Bounds = (usize, usize);

/// What isn't known bounds nothing.
const UNKNOWN: Bounds = (0, 0);

thread_local! {
    /// Where this thread's stack is, once somebody has asked. Of the thread and of nothing else, so right with any number of
    /// libraries and instances.
    static STACK: Cell<Option<Bounds>> = const { Cell::new(None) };
}

/// What is known of the stack that the caller runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stack {
    /// How many bytes are left.
    pub left: usize,
    /// How many there are in all.
    pub size: usize,
}

/// Tells of the calling thread's stack. `None` where the system doesn't say, and if this isn't the thread's own stack but one that
/// somebody has switched to: nobody can say how large that is.
#[inline(never)]
#[must_use]
pub fn stack() -> Option<Stack> {
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
    (low..high).contains(&here).then(|| Stack {
        left: here - low,
        size: high - low,
    })
}

#[cfg(all(any(target_os = "linux", target_os = "android"), not(miri)))]
#[cold]
fn ask() -> Option<Bounds> {
    use std::mem::MaybeUninit;
    use std::ptr;

    use system::{
        pthread_attr_destroy, pthread_attr_getguardsize, pthread_attr_getstack, pthread_getattr_np,
        pthread_self,
    };

    // Of the main thread's stack musl says no more than what it has grown to so far.
    // SAFETY: both only ask.
    #[cfg(target_env = "musl")]
    if unsafe { system::getpid() == system::gettid() } {
        return None;
    }
    let mut attributes = MaybeUninit::uninit();
    let (mut low, mut size, mut guard) = (ptr::null_mut(), 0, 0);
    // SAFETY: the attributes are made by the first function before the others use them and destroyed once, all places to write
    // to are valid.
    unsafe {
        if pthread_getattr_np(pthread_self(), attributes.as_mut_ptr()) != 0 {
            return None;
        }
        let found = pthread_attr_getstack(attributes.as_ptr(), &raw mut low, &raw mut size)
            | pthread_attr_getguardsize(attributes.as_ptr(), &raw mut guard);
        pthread_attr_destroy(attributes.as_mut_ptr());
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
    use system::{pthread_get_stackaddr_np, pthread_get_stacksize_np, pthread_self};

    // SAFETY: both may be asked of the calling thread at any time.
    let (high, size) = unsafe {
        let thread = pthread_self();
        (
            pthread_get_stackaddr_np(thread).addr(),
            pthread_get_stacksize_np(thread),
        )
    };
    Some((high.checked_sub(size)?, high))
}

#[cfg(windows)]
#[cold]
fn ask() -> Option<Bounds> {
    /// Windows keeps a guard page and what handling an overflow takes below what may be used.
    const GUARD: usize = 16 << 10;

    let (mut low, mut high) = (0, 0);
    // SAFETY: both places are valid to write to.
    unsafe { system::GetCurrentThreadStackLimits(&raw mut low, &raw mut high) };
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
    use std::thread;

    use super::*;

    #[test]
    fn a_deeper_frame_has_less_left_on_the_same_stack() {
        #[inline(never)]
        fn deeper() -> Option<Stack> {
            let frame = hint::black_box([0_u8; 16 << 10]);
            let found = stack();
            assert_eq!(hint::black_box(frame)[1], 0);
            found
        }
        let (Some(here), Some(there)) = (stack(), deeper()) else {
            return;
        };
        assert_eq!(here.size, there.size);
        assert!(there.left + (16 << 10) <= here.left, "{here:?} {there:?}");
    }

    #[test]
    fn a_threads_stack_is_no_less_than_what_was_asked_for() {
        let thread = thread::Builder::new().stack_size(512 << 10);
        let found = thread.spawn(stack).map(thread::JoinHandle::join);
        let Ok(Ok(Some(found))) = found else {
            return;
        };
        // More, where the C library has a larger one left of a thread that has ended.
        assert!((256 << 10..1 << 30).contains(&found.size), "{found:?}");
        assert!(found.left <= found.size);
    }
}
