//! The wakeup of a queue: a descriptor or handle that an event loop can watch in addition to its sockets.
//!
//! An event descriptor on Linux, a pipe on other Unixes, an event on Windows. It stays signaled until it is reset. Whether a reset may be
//! needed is known without a system call: see [`Signals`](super::wakeup_state::Signals).

use crate::error::Error;

#[cfg(unix)]
pub(crate) use unix::Wakeup;
#[cfg(windows)]
pub(crate) use windows::Wakeup;

fn failed(error: &std::io::Error) -> Error {
    Error::new(
        rustbridge_abi::Status::ResourceExhausted,
        "NoWakeup",
        format!("the system can't create a wakeup descriptor for a queue: {error}"),
    )
}

#[cfg(unix)]
mod unix {
    use std::io;
    use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

    use super::super::wakeup_state::Signals;
    use super::failed;
    use crate::error::Error;

    /// What is read of it, and what is written to; the same on Linux.
    #[derive(Debug)]
    pub(crate) struct Wakeup {
        read: OwnedFd,
        #[cfg(not(target_os = "linux"))]
        write: OwnedFd,
        signals: Signals,
    }

    impl Wakeup {
        #[cfg(target_os = "linux")]
        pub(crate) fn new() -> Result<Wakeup, Error> {
            // SAFETY: takes no pointers.
            let fd = unsafe { libc::eventfd(0, libc::EFD_CLOEXEC | libc::EFD_NONBLOCK) };
            if fd < 0 {
                return Err(failed(&io::Error::last_os_error()));
            }
            // SAFETY: created just now, and owned by nothing else.
            let read = unsafe { OwnedFd::from_raw_fd(fd) };
            Ok(Wakeup {
                read,
                signals: Signals::new(),
            })
        }

        #[cfg(not(target_os = "linux"))]
        pub(crate) fn new() -> Result<Wakeup, Error> {
            let mut ends = [0; 2];
            // SAFETY: room for both.
            if unsafe { libc::pipe(ends.as_mut_ptr()) } != 0 {
                return Err(failed(&io::Error::last_os_error()));
            }
            // SAFETY: created just now, and owned by nothing else; the flags take no pointers.
            unsafe {
                for end in ends {
                    libc::fcntl(end, libc::F_SETFD, libc::FD_CLOEXEC);
                    libc::fcntl(end, libc::F_SETFL, libc::O_NONBLOCK);
                }
                Ok(Wakeup {
                    read: OwnedFd::from_raw_fd(ends[0]),
                    write: OwnedFd::from_raw_fd(ends[1]),
                    signals: Signals::new(),
                })
            }
        }

        /// What a loop watches for being readable.
        pub(crate) fn descriptor(&self) -> isize {
            self.read.as_raw_fd() as isize
        }

        /// Signals the wakeup, which stays signaled until it is reset. Never blocks: if it is full, it is signaled already.
        pub(crate) fn signal(&self) {
            let one = 1_u64.to_ne_bytes();
            #[cfg(target_os = "linux")]
            let to = self.read.as_raw_fd();
            #[cfg(not(target_os = "linux"))]
            let to = self.write.as_raw_fd();
            self.signals.around(|| {
                // SAFETY: the bytes are readable. A failure means that it's full, and so signaled.
                unsafe { libc::write(to, one.as_ptr().cast(), one.len()) };
            });
        }

        /// Whether a reset may be needed.
        pub(crate) fn is_signaled(&self) -> bool {
            self.signals.is_any()
        }

        pub(crate) fn reset(&self) {
            self.signals.reset(|| {
                let mut signals = [0_u8; 64];
                let (from, size) = (self.read.as_raw_fd(), signals.len());
                // SAFETY: the bytes are writable; it doesn't block.
                while unsafe { libc::read(from, signals.as_mut_ptr().cast(), size) }
                    == size as isize
                {}
            });
        }
    }
}

#[cfg(windows)]
mod windows {
    use std::io;
    use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
    use std::ptr;

    use windows_sys::Win32::System::Threading::{CreateEventW, ResetEvent, SetEvent};

    use super::super::wakeup_state::Signals;
    use super::failed;
    use crate::error::Error;

    /// An event that is reset by hand.
    #[derive(Debug)]
    pub(crate) struct Wakeup {
        event: OwnedHandle,
        signals: Signals,
    }

    impl Wakeup {
        pub(crate) fn new() -> Result<Wakeup, Error> {
            // SAFETY: no attributes and no name.
            let event = unsafe { CreateEventW(ptr::null(), 1, 0, ptr::null()) };
            if event.is_null() {
                return Err(failed(&io::Error::last_os_error()));
            }
            // SAFETY: created just now, and owned by nothing else.
            let event = unsafe { OwnedHandle::from_raw_handle(event.cast()) };
            Ok(Wakeup {
                event,
                signals: Signals::new(),
            })
        }

        /// What a loop waits for.
        pub(crate) fn descriptor(&self) -> isize {
            self.event.as_raw_handle() as isize
        }

        /// Signals, until it's silenced.
        pub(crate) fn signal(&self) {
            // SAFETY: an event of our own.
            self.signals.around(|| unsafe {
                SetEvent(self.event.as_raw_handle().cast());
            });
        }

        /// Whether a reset may be needed.
        pub(crate) fn is_signaled(&self) -> bool {
            self.signals.is_any()
        }

        pub(crate) fn reset(&self) {
            // SAFETY: an event of our own.
            self.signals.reset(|| unsafe {
                ResetEvent(self.event.as_raw_handle().cast());
            });
        }
    }
}
