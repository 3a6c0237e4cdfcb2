//! A descriptor's number that is kept for good, and lent to a file while the system's loader maps it.
//!
//! The loader finds such a file by `/proc/PID/fd/N`, and keeps that name. So it has to lead to nothing but ours as long as the
//! process lives: backtraces and debuggers open it, and in its folder the library looks for others, if it says so. When the
//! file is mapped, the number is that of an empty file again. Nobody can put anything into `/proc`, nothing is left there by
//! a process that was killed, and no descriptor stays open for each file.
//!
//! While a file has the number, the names of those before lead to it as well. A backtrace in that moment may name their
//! functions by its symbols.

#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(crate) use nowhere::SlotGuard;
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(crate) use number::SlotGuard;

#[cfg(any(target_os = "linux", target_os = "android"))]
mod number {
    use std::fs::File;
    use std::io;
    use std::mem::ManuallyDrop;
    use std::os::fd::{AsRawFd, FromRawFd, IntoRawFd, RawFd};
    use std::path::{Path, PathBuf};
    use std::sync::atomic::{AtomicI32, AtomicU64, Ordering};

    use crate::library::sealed::{Identity, empty, identity, path_of};

    /// The number, and which empty file it names while nobody has it: there are programs that close all descriptors, after
    /// which the number may be anybody's.
    ///
    /// Used by one thread at a time. It has no lock, because a child that was forked in the midst of a load would find it
    /// taken for good; what it finds half-written names no file, and it makes itself another one.
    struct Reserve {
        number: AtomicI32,
        device: AtomicU64,
        inode: AtomicU64,
    }

    /// Descriptors are the process's, for whatever is loaded in it. Another copy of this library in it has a number of its own.
    /// Used under `Loading` alone.
    static RESERVE: Reserve = Reserve::new();

    /// The number, as long as a file has it.
    #[derive(Debug)]
    pub(crate) struct SlotGuard {
        number: RawFd,
        to: Identity,
        empty: File,
        path: PathBuf,
    }

    impl SlotGuard {
        /// Lends the number to a file. Runs under `Loading`.
        pub(crate) fn to(file: &File) -> io::Result<SlotGuard> {
            RESERVE.lend(file)
        }

        /// By which the loader finds the file, in this or in another spelling.
        pub(crate) fn path(&self) -> &Path {
            &self.path
        }

        /// Gives the number back, as dropping does.
        pub(crate) fn give_back(self) {}
    }

    impl Drop for SlotGuard {
        fn drop(&mut self) {
            // Who has closed it and has the number by now keeps it.
            if is(self.number, self.to) && put(&self.empty, self.number).is_err() {
                // Above what the process may open by now. Closed, so that it doesn't keep the file; the next one is another.
                // SAFETY: it's ours, as was asked just now.
                drop(unsafe { File::from_raw_fd(self.number) });
            }
        }
    }

    impl Reserve {
        const fn new() -> Reserve {
            Reserve {
                number: AtomicI32::new(-1),
                device: AtomicU64::new(0),
                inode: AtomicU64::new(0),
            }
        }

        fn lend(&self, file: &File) -> io::Result<SlotGuard> {
            let to = identity(file)?;
            let noted = (
                self.device.load(Ordering::Relaxed),
                self.inode.load(Ordering::Relaxed),
            );
            let mut number = self.number.load(Ordering::Relaxed);
            let kept = named(number)
                .filter(|(_, identity)| *identity == noted)
                .and_then(|(empty, _)| empty.try_clone().ok())
                .filter(|empty| identity(empty).is_ok_and(|identity| identity == noted));
            let empty = match kept {
                // Asked once more, with nothing in between: who closes what isn't his may do so at any time.
                Some(empty) if is(number, noted) && put(file, number).is_ok() => empty,
                // Or it's above what the process may open by now.
                _ => {
                    let empty = self.renew()?;
                    number = self.number.load(Ordering::Relaxed);
                    put(file, number)?;
                    empty
                }
            };
            let mut lent = SlotGuard {
                number,
                to,
                empty,
                path: PathBuf::new(),
            };
            lent.path = path_of(number, to)?;
            Ok(lent)
        }

        /// Another number, of another empty file.
        fn renew(&self) -> io::Result<File> {
            let empty = empty()?;
            let (device, inode) = identity(&empty)?;
            // A clone's number is never that of standard input, output or error.
            let kept = empty.try_clone()?;
            self.device.store(device, Ordering::Relaxed);
            self.inode.store(inode, Ordering::Relaxed);
            self.number.store(kept.into_raw_fd(), Ordering::Relaxed);
            Ok(empty)
        }
    }

    /// What a number names, and which file that is. It may be somebody else's, whose locks of it would be lost if it was closed here,
    /// under whichever number.
    fn named(number: RawFd) -> Option<(ManuallyDrop<File>, Identity)> {
        if number < 0 {
            return None;
        }
        // SAFETY: it's asked what it is, and never closed. A number that names nothing is an error then.
        let file = ManuallyDrop::new(unsafe { File::from_raw_fd(number) });
        let identity = identity(&file).ok()?;
        Some((file, identity))
    }

    /// Whether a number names this file.
    fn is(number: RawFd, file: Identity) -> bool {
        named(number).is_some_and(|(_, identity)| identity == file)
    }

    /// Gives the number to a file, in place of the one that it names. (libc has no function for it on Android.)
    fn put(file: &File, number: RawFd) -> io::Result<()> {
        // SAFETY: takes no pointers. The number is this module's own, as was asked just now.
        let put =
            unsafe { libc::syscall(libc::SYS_dup3, file.as_raw_fd(), number, libc::O_CLOEXEC) };
        if put < 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(())
    }

    #[cfg(test)]
    mod tests {
        use std::time::Duration;

        use child_process::ForkedChild;

        use super::*;
        use crate::library::sealed::SealedMemory;

        fn file(text: &str) -> SealedMemory {
            SealedMemory::of_bytes(text.as_bytes(), "test").unwrap()
        }

        fn says(path: &Path) -> String {
            std::fs::read_to_string(path).unwrap()
        }

        #[test]
        fn one_number_leads_to_each_file_in_turn_and_to_nothing_in_between() {
            let reserve = Reserve::new();
            let mut paths = Vec::new();
            for text in ["one", "two"] {
                let file = file(text);
                let lent = reserve.lend(file.file()).unwrap();
                assert_eq!(says(lent.path()), text);
                paths.push(lent.path().to_owned());
                drop((lent, file));
                assert_eq!(says(&paths[0]), "");
                assert!(paths[0].metadata().unwrap().is_file());
            }
            assert_eq!(paths[0], paths[1]);
        }

        #[test]
        fn a_number_that_is_somebody_elses_by_now_is_left_to_him() {
            let reserve = Reserve::new();
            let (one, theirs) = (file("one"), file("theirs"));
            let lent = reserve.lend(one.file()).unwrap();
            let path = lent.path().to_owned();
            drop(lent);
            // As if all descriptors had been closed, and the number given to another file.
            put(theirs.file(), reserve.number.load(Ordering::Relaxed)).unwrap();
            let lent = reserve.lend(one.file()).unwrap();
            assert_ne!(lent.path(), path);
            assert_eq!(
                (says(&path), says(lent.path())),
                ("theirs".into(), "one".into())
            );
            // Likewise, while it's lent.
            let path = lent.path().to_owned();
            put(theirs.file(), lent.number).unwrap();
            drop(lent);
            assert_eq!(says(&path), "theirs");
            assert_eq!(says(reserve.lend(one.file()).unwrap().path()), "one");
        }

        #[test]
        fn a_number_above_what_may_be_open_by_now_is_left_for_another_one() {
            let (one, reserve) = (file("one"), Reserve::new());
            // In a child, whose limit is nobody else's.
            let child = || {
                let below: Vec<File> = (0..8).map(|_| one.file().try_clone().unwrap()).collect();
                drop(reserve.lend(one.file()).unwrap());
                let number = reserve.number.load(Ordering::Relaxed);
                drop(below);
                let limit = libc::rlimit {
                    rlim_cur: number as libc::rlim_t,
                    rlim_max: number as libc::rlim_t,
                };
                // SAFETY: the limit is there.
                assert_eq!(unsafe { libc::setrlimit(libc::RLIMIT_NOFILE, &limit) }, 0);
                let lent = reserve.lend(one.file()).unwrap();
                assert_eq!(says(lent.path()), "one");
                assert!(lent.number < number);
            };
            ForkedChild::start(child).ends_well(Duration::from_secs(30));
        }

        #[test]
        fn a_child_has_the_number_for_itself() {
            let limit = Duration::from_secs(30);
            let reserve = Reserve::new();
            let (one, two) = (file("one"), file("two"));
            // Also if it was forked while the number was lent.
            let lent = reserve.lend(one.file()).unwrap();
            let path = lent.path().to_owned();
            let child = || {
                for _ in 0..2 {
                    let lent = reserve.lend(two.file()).unwrap();
                    assert_eq!(says(lent.path()), "two");
                }
            };
            ForkedChild::start(child).ends_well(limit);
            assert_eq!(says(&path), "one");
            drop(lent);
            ForkedChild::start(child).ends_well(limit);
            assert_eq!(says(&path), "");
        }
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
mod nowhere {
    use std::fs::File;
    use std::io;
    use std::path::Path;

    /// There's none here.
    #[derive(Debug)]
    pub(crate) struct SlotGuard(Nothing);

    #[derive(Clone, Copy, Debug)]
    enum Nothing {}

    impl SlotGuard {
        pub(crate) fn to(_file: &File) -> io::Result<SlotGuard> {
            Err(io::ErrorKind::Unsupported.into())
        }

        pub(crate) fn path(&self) -> &Path {
            match self.0 {}
        }

        pub(crate) fn give_back(self) {
            match self.0 {}
        }
    }
}
