//! The asymmetric fence: almost nothing on the side of the calls, a system call on the side of `close`.
//!
//! `heavy` makes every other thread of the process execute a full fence at some moment while it runs. So if the light
//! side stands between a store and a load, either the store is visible to whoever ran `heavy`, or the load sees what
//! was written before `heavy`. Linux has `membarrier`, Windows `FlushProcessWriteBuffers`. Elsewhere the light side is
//! a real fence, and so it is on a Linux that refuses `membarrier` (before 4.14, or a sandbox): there no thread gets the
//! fast path, see `tls.rs`.

use std::sync::atomic::{Ordering, compiler_fence, fence};

/// Whether this target can have a free light side at all.
const ASYMMETRIC: bool = cfg!(any(target_os = "linux", target_os = "android", windows));

/// The side of the calls. Where it is free it only keeps the compiler from swapping the store and the load.
#[inline(always)]
pub(crate) fn light() {
    if ASYMMETRIC {
        compiler_fence(Ordering::SeqCst);
    } else {
        fence(Ordering::SeqCst);
    }
}

/// Whether `light` suffices in this process. The answer never changes, so that no thread relies on another one.
pub(crate) fn is_asymmetric() -> bool {
    !ASYMMETRIC || platform::is_available()
}

/// The side of `close`.
pub(crate) fn heavy() {
    fence(Ordering::SeqCst);
    if ASYMMETRIC && is_asymmetric() {
        platform::heavy();
    }
    fence(Ordering::SeqCst);
}

#[cfg(any(target_os = "linux", target_os = "android"))]
mod platform {
    use std::sync::atomic::{AtomicU8, Ordering};
    use std::thread;
    use std::time::Duration;

    const PRIVATE_EXPEDITED: libc::c_int = 1 << 3;
    const REGISTER_PRIVATE_EXPEDITED: libc::c_int = 1 << 4;

    const UNKNOWN: u8 = 0;
    const NO: u8 = 1;
    const YES: u8 = 2;

    fn membarrier(command: libc::c_int) -> bool {
        // SAFETY: the call takes no pointers; an unknown command or a kernel without it answers with an error.
        unsafe { libc::syscall(libc::SYS_membarrier, command, 0, 0) == 0 }
    }

    /// Registers the process.
    ///
    /// No lock, although registering takes tens of milliseconds once a second thread lives: a fork within them would leave
    /// it taken in the child for good. Threads may register at once, and the first to know says what holds for all.
    pub(super) fn is_available() -> bool {
        // The registration is the process's and holds for all instances; two copies of this library may each find it out.
        static REGISTERED: AtomicU8 = AtomicU8::new(UNKNOWN);
        let known = REGISTERED.load(Ordering::Acquire);
        if known != UNKNOWN {
            return known == YES;
        }
        let found = if membarrier(REGISTER_PRIVATE_EXPEDITED) && membarrier(PRIVATE_EXPEDITED) {
            YES
        } else {
            NO
        };
        match REGISTERED.compare_exchange(UNKNOWN, found, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => found == YES,
            Err(known) => known == YES,
        }
    }

    pub(super) fn heavy() {
        if membarrier(PRIVATE_EXPEDITED) {
            return;
        }
        // A forked child may have to register again.
        if membarrier(REGISTER_PRIVATE_EXPEDITED) && membarrier(PRIVATE_EXPEDITED) {
            return;
        }
        // A sandbox was closed over the process after the calls had begun to rely on the fence. A store leaves a
        // processor's buffer within microseconds whatever happens, so time does what the kernel no longer will.
        thread::sleep(Duration::from_millis(20));
    }
}

#[cfg(windows)]
mod platform {
    pub(super) fn is_available() -> bool {
        true
    }

    pub(super) fn heavy() {
        // SAFETY: it takes nothing and cannot fail.
        unsafe { windows_sys::Win32::System::Threading::FlushProcessWriteBuffers() }
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android", windows)))]
mod platform {
    pub(super) fn is_available() -> bool {
        false
    }

    pub(super) fn heavy() {}
}
