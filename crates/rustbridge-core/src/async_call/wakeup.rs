//! The bell of a queue: something that a loop can watch besides its sockets.
//!
//! An event descriptor on Linux, a pipe on other Unixes, an event on Windows. It rings until it's silenced. Whether there's anything to
//! silence is known without asking the system: see [`Rings`](super::wakeup_state::Rings).

use crate::error::Error;

#[cfg(unix)]
pub(crate) use unix::Bell;
#[cfg(windows)]
pub(crate) use windows::Bell;

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

    use super::super::wakeup_state::Rings;
    use super::failed;
    use crate::error::Error;

    /// What is read of it, and what is written to; the same on Linux.
    #[derive(Debug)]
    pub(crate) struct Bell {
        read: OwnedFd,
        #[cfg(not(target_os = "linux"))]
        write: OwnedFd,
        rings: Rings,
    }

    impl Bell {
        #[cfg(target_os = "linux")]
        pub(crate) fn new() -> Result<Bell, Error> {
            // SAFETY: takes no pointers.
            let fd = unsafe { libc::eventfd(0, libc::EFD_CLOEXEC | libc::EFD_NONBLOCK) };
            if fd < 0 {
                return Err(failed(&io::Error::last_os_error()));
            }
            // SAFETY: made just now, and nobody else's.
            let read = unsafe { OwnedFd::from_raw_fd(fd) };
            Ok(Bell {
                read,
                rings: Rings::new(),
            })
        }

        #[cfg(not(target_os = "linux"))]
        pub(crate) fn new() -> Result<Bell, Error> {
            let mut ends = [0; 2];
            // SAFETY: room for both.
            if unsafe { libc::pipe(ends.as_mut_ptr()) } != 0 {
                return Err(failed(&io::Error::last_os_error()));
            }
            // SAFETY: made just now, and nobody else's; the flags take no pointers.
            unsafe {
                for end in ends {
                    libc::fcntl(end, libc::F_SETFD, libc::FD_CLOEXEC);
                    libc::fcntl(end, libc::F_SETFL, libc::O_NONBLOCK);
                }
                Ok(Bell {
                    read: OwnedFd::from_raw_fd(ends[0]),
                    write: OwnedFd::from_raw_fd(ends[1]),
                    rings: Rings::new(),
                })
            }
        }

        /// What a loop watches for being readable.
        pub(crate) fn descriptor(&self) -> isize {
            self.read.as_raw_fd() as isize
        }

        /// Rings, until it's silenced. Never waits: one that rings already needs no more.
        pub(crate) fn ring(&self) {
            let one = 1_u64.to_ne_bytes();
            #[cfg(target_os = "linux")]
            let to = self.read.as_raw_fd();
            #[cfg(not(target_os = "linux"))]
            let to = self.write.as_raw_fd();
            self.rings.around(|| {
                // SAFETY: the bytes are readable. A failure means that it's full, and so rings.
                unsafe { libc::write(to, one.as_ptr().cast(), one.len()) };
            });
        }

        /// Whether there's anything to silence.
        pub(crate) fn is_rung(&self) -> bool {
            self.rings.is_any()
        }

        pub(crate) fn silence(&self) {
            self.rings.silence(|| {
                let mut rung = [0_u8; 64];
                let (from, size) = (self.read.as_raw_fd(), rung.len());
                // SAFETY: the bytes are writable; it doesn't block.
                while unsafe { libc::read(from, rung.as_mut_ptr().cast(), size) } == size as isize {
                }
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

    use super::super::wakeup_state::Rings;
    use super::failed;
    use crate::error::Error;

    /// An event that is reset by hand.
    #[derive(Debug)]
    pub(crate) struct Bell {
        event: OwnedHandle,
        rings: Rings,
    }

    impl Bell {
        pub(crate) fn new() -> Result<Bell, Error> {
            // SAFETY: no attributes and no name.
            let event = unsafe { CreateEventW(ptr::null(), 1, 0, ptr::null()) };
            if event.is_null() {
                return Err(failed(&io::Error::last_os_error()));
            }
            // SAFETY: made just now, and nobody else's.
            let event = unsafe { OwnedHandle::from_raw_handle(event.cast()) };
            Ok(Bell {
                event,
                rings: Rings::new(),
            })
        }

        /// What a loop waits for.
        pub(crate) fn descriptor(&self) -> isize {
            self.event.as_raw_handle() as isize
        }

        /// Rings, until it's silenced.
        pub(crate) fn ring(&self) {
            // SAFETY: an event of our own.
            self.rings.around(|| unsafe {
                SetEvent(self.event.as_raw_handle().cast());
            });
        }

        /// Whether there's anything to silence.
        pub(crate) fn is_rung(&self) -> bool {
            self.rings.is_any()
        }

        pub(crate) fn silence(&self) {
            // SAFETY: an event of our own.
            self.rings.silence(|| unsafe {
                ResetEvent(self.event.as_raw_handle().cast());
            });
        }
    }
}
