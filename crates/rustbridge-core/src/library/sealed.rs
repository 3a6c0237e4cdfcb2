//! A library's bytes in sealed memory, where nobody can change them any more: what is hashed and checked is what the system's
//! loader maps, so a file is copied once. Linux has such memory.

#[cfg(any(target_os = "linux", target_os = "android"))]
pub(crate) use memory::{Identity, SealedBytes, SealedMemory, empty, identity, path_of};
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(crate) use nowhere::{SealedBytes, SealedMemory};

#[cfg(any(target_os = "linux", target_os = "android"))]
mod memory {
    use std::ffi::{CStr, CString};
    use std::fs::File;
    use std::io::{self, Write};
    use std::os::fd::{AsRawFd, FromRawFd, RawFd};
    use std::os::unix::fs::{FileExt, MetadataExt};
    use std::path::PathBuf;
    use std::ptr::NonNull;
    use std::sync::Arc;

    use xxhash_rust::xxh3::Xxh3;

    use crate::library::writing::without_a_signal;

    /// Small enough to stay in the cache until it's hashed and written.
    const CHUNK: usize = 64 * 1024;

    /// Sealed memory with its descriptor, which stays open as long as this or a clone of it lives.
    #[derive(Clone, Debug)]
    pub(crate) struct SealedMemory {
        file: Arc<File>,
        bytes: SealedBytes,
    }

    /// Sealed memory as bytes; it needs no descriptor.
    #[derive(Clone, Debug)]
    pub(crate) struct SealedBytes(Arc<View>);

    impl SealedMemory {
        /// Copies a file from its beginning to its end, and hashes what it copies. One that is longer than it was said to be is
        /// refused: who appends without end would have all memory filled.
        pub(crate) fn of_file(
            file: &File,
            size: u64,
            label: &str,
        ) -> io::Result<(SealedMemory, u128)> {
            let mut hash = Xxh3::new();
            let sealed = SealedMemory::written(label, |copy| {
                let mut buffer = vec![0; CHUNK];
                let mut offset = 0;
                loop {
                    let len = match file.read_at(&mut buffer, offset) {
                        Ok(0) => return Ok(offset),
                        Ok(len) => len,
                        Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                        Err(error) => return Err(error),
                    };
                    offset += len as u64;
                    if offset > size {
                        return Err(io::Error::other("it grew while it was read"));
                    }
                    hash.update(&buffer[..len]);
                    copy.write_all(&buffer[..len])?;
                }
            })?;
            Ok((sealed, hash.digest128()))
        }

        pub(crate) fn of_bytes(bytes: &[u8], label: &str) -> io::Result<SealedMemory> {
            SealedMemory::written(label, |copy| {
                copy.write_all(bytes)?;
                Ok(bytes.len() as u64)
            })
        }

        /// What `write` writes. It says how much that is.
        fn written(
            label: &str,
            write: impl FnOnce(&mut File) -> io::Result<u64>,
        ) -> io::Result<SealedMemory> {
            let file = sealed(label, write)?;
            let view = View::of_sealed(&file)?;
            Ok(SealedMemory {
                file: Arc::new(file),
                bytes: SealedBytes(Arc::new(view)),
            })
        }

        pub(crate) fn bytes(&self) -> &[u8] {
            self.bytes.bytes()
        }

        pub(crate) fn into_bytes(self) -> SealedBytes {
            self.bytes
        }

        pub(crate) fn file(&self) -> &File {
            &self.file
        }

        /// By its own number.
        pub(crate) fn path(&self) -> io::Result<PathBuf> {
            path_of(self.file.as_raw_fd(), identity(&self.file)?)
        }
    }

    /// Which file it is: the numbers of the device and of the file on it.
    pub(crate) type Identity = (u64, u64);

    pub(crate) fn identity(file: &File) -> io::Result<Identity> {
        let metadata = file.metadata()?;
        Ok((metadata.dev(), metadata.ino()))
    }

    /// A name that leads to a descriptor's file in other processes as well: a debugger that reads symbols from `/proc/self`
    /// reads from whatever it has under that number itself, and waits for good if that's a pipe. Where `/proc` has other numbers
    /// for processes than we know (a container's may be the machine's), only the first person is right.
    ///
    /// Without `/proc` there's no name, and the loader can't find the file.
    pub(crate) fn path_of(number: RawFd, identity: Identity) -> io::Result<PathBuf> {
        [
            format!("/proc/{}/fd/{number}", std::process::id()),
            format!("/proc/self/fd/{number}"),
        ]
        .into_iter()
        .map(PathBuf::from)
        .find(|path| {
            std::fs::metadata(path).is_ok_and(|found| (found.dev(), found.ino()) == identity)
        })
        .ok_or_else(|| {
            io::Error::new(
                io::ErrorKind::NotFound,
                "/proc doesn't have this process's open files",
            )
        })
    }

    /// A file with nothing in it, into which nobody can write.
    pub(crate) fn empty() -> io::Result<File> {
        sealed("empty", |_| Ok(0))
    }

    /// A sealed file in memory with what `write` writes, which says how much that is.
    fn sealed(label: &str, write: impl FnOnce(&mut File) -> io::Result<u64>) -> io::Result<File> {
        let mut file = create(&CString::new(format!("rustbridge-{label}"))?)?;
        let len = without_a_signal(|| write(&mut file))?;
        let seals =
            libc::F_SEAL_SHRINK | libc::F_SEAL_GROW | libc::F_SEAL_WRITE | libc::F_SEAL_SEAL;
        // SAFETY: takes no pointers.
        if unsafe { libc::fcntl(file.as_raw_fd(), libc::F_ADD_SEALS, seals) } != 0 {
            return Err(io::Error::last_os_error());
        }
        // Until it was sealed, a process of the same user could open it by our number.
        if file.metadata()?.len() != len {
            return Err(io::Error::other("it was changed while it was made"));
        }
        Ok(file)
    }

    impl SealedBytes {
        pub(crate) fn bytes(&self) -> &[u8] {
            self.0.bytes()
        }
    }

    /// Asks for a file that may be mapped executable; kernels before 6.3 don't know the flag and always allow it.
    const MFD_EXEC: libc::c_uint = 0x10;

    fn create(name: &CStr) -> io::Result<File> {
        let base = libc::MFD_CLOEXEC | libc::MFD_ALLOW_SEALING;
        let mut fd = memfd_create(name, base | MFD_EXEC);
        if fd < 0 {
            fd = memfd_create(name, base);
        }
        if fd < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the descriptor is new and nobody else's.
        Ok(unsafe { File::from_raw_fd(fd) })
    }

    /// The kernel's own call, because glibc has a function for it from 2.27 on only, and a library that names that function
    /// doesn't load on an older one. A kernel without it answers as for any other failure.
    fn memfd_create(name: &CStr, flags: libc::c_uint) -> libc::c_int {
        // SAFETY: `name` is NUL-terminated, and the kernel copies it. The answer is a descriptor or -1, which fit.
        unsafe { libc::syscall(libc::SYS_memfd_create, name.as_ptr(), flags) as libc::c_int }
    }

    /// A file in memory, mapped to be read.
    ///
    /// Invariant: `len` bytes from `start` on are readable and don't change until it's dropped, because the file is sealed:
    /// nobody can write to it or truncate it.
    #[derive(Debug)]
    struct View {
        start: NonNull<u8>,
        len: usize,
    }

    // SAFETY: it's memory that nobody writes to, whichever thread reads it or gives it up.
    unsafe impl Send for View {}
    // SAFETY: as above.
    unsafe impl Sync for View {}

    impl View {
        /// All of a sealed file.
        fn of_sealed(file: &File) -> io::Result<View> {
            let len =
                usize::try_from(file.metadata()?.len()).map_err(|_| io::ErrorKind::OutOfMemory)?;
            if len == 0 {
                let start = NonNull::dangling();
                return Ok(View { start, len });
            }
            // Private, though nobody writes: kernels before 6.7 refuse to share what is sealed against writing.
            // SAFETY: it's new memory, of nobody else's.
            let start = unsafe {
                libc::mmap(
                    std::ptr::null_mut(),
                    len,
                    libc::PROT_READ,
                    libc::MAP_PRIVATE,
                    file.as_raw_fd(),
                    0,
                )
            };
            if start == libc::MAP_FAILED {
                return Err(io::Error::last_os_error());
            }
            let start = NonNull::new(start.cast()).ok_or(io::ErrorKind::OutOfMemory)?;
            Ok(View { start, len })
        }

        fn bytes(&self) -> &[u8] {
            // SAFETY: the invariant.
            unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.len) }
        }
    }

    impl Drop for View {
        fn drop(&mut self) {
            if self.len > 0 {
                // SAFETY: it was mapped with that length, and nobody has a reference to it.
                unsafe { libc::munmap(self.start.as_ptr().cast(), self.len) };
            }
        }
    }

    #[cfg(test)]
    mod tests {
        use xxhash_rust::xxh3::xxh3_128;

        use super::*;

        #[test]
        fn a_file_and_its_bytes_become_the_same_and_are_hashed_as_a_whole() {
            let folder = std::env::temp_dir();
            for len in [0, 1, 4096, CHUNK, CHUNK + 1, 3 * CHUNK + 100] {
                let bytes: Vec<u8> = (0..len).map(|at| (at * 7 % 251) as u8).collect();
                let path = folder.join(format!("rb-test-sealed-{}-{len}", std::process::id()));
                std::fs::write(&path, &bytes).unwrap();
                let file = File::open(&path).unwrap();
                std::fs::remove_file(&path).unwrap();
                let (sealed, hash) = SealedMemory::of_file(&file, len as u64, "test").unwrap();
                assert!(sealed.bytes() == bytes);
                assert_eq!(hash, xxh3_128(&bytes));
                assert!(SealedMemory::of_bytes(&bytes, "test").unwrap().bytes() == bytes);
            }
        }

        #[test]
        fn no_more_of_a_file_is_copied_than_it_was_said_to_have() {
            let file = File::open("/dev/zero").unwrap();
            assert!(SealedMemory::of_file(&file, 3 * CHUNK as u64, "test").is_err());
        }

        /// Otherwise what is beyond its end would be read, which ends the process.
        #[test]
        fn what_somebody_truncated_or_prolonged_before_it_was_sealed_is_refused() {
            for len in [0, 5, 7] {
                let made = SealedMemory::written("test", |copy| {
                    copy.write_all(b"sealed")?;
                    let path = format!("/proc/self/fd/{}", copy.as_raw_fd());
                    File::options().write(true).open(path)?.set_len(len)?;
                    Ok(6)
                });
                assert!(made.is_err(), "{len}");
            }
        }

        #[test]
        fn nobody_can_write_to_it_or_truncate_it_and_its_bytes_need_no_descriptor() {
            let sealed = SealedMemory::of_bytes(b"bytes of a library", "test").unwrap();
            let path = sealed.path().unwrap();
            let file = File::options().read(true).write(true).open(&path).unwrap();
            assert!(file.write_at(b"x", 0).is_err());
            assert!(file.set_len(1).is_err() && file.set_len(100).is_err());
            drop(file);
            let number = sealed.file.as_raw_fd();
            let bytes = sealed.clone().into_bytes();
            drop(sealed);
            assert_eq!(bytes.bytes(), b"bytes of a library");
            // Another test's file may have the number by now, but not this one.
            let left = std::fs::read(format!("/proc/self/fd/{number}"));
            assert!(left.map_or(true, |left| left != bytes.bytes()));
        }
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
mod nowhere {
    use std::fs::File;
    use std::io;
    use std::path::PathBuf;

    /// There's none here.
    #[derive(Clone, Debug)]
    pub(crate) struct SealedMemory(Nothing);

    /// There's none here.
    #[derive(Clone, Debug)]
    pub(crate) struct SealedBytes(Nothing);

    #[derive(Clone, Copy, Debug)]
    enum Nothing {}

    impl SealedMemory {
        pub(crate) fn of_file(
            _file: &File,
            _size: u64,
            _label: &str,
        ) -> io::Result<(SealedMemory, u128)> {
            Err(io::ErrorKind::Unsupported.into())
        }

        pub(crate) fn of_bytes(_bytes: &[u8], _label: &str) -> io::Result<SealedMemory> {
            Err(io::ErrorKind::Unsupported.into())
        }

        pub(crate) fn bytes(&self) -> &[u8] {
            match self.0 {}
        }

        pub(crate) fn into_bytes(self) -> SealedBytes {
            SealedBytes(self.0)
        }

        pub(crate) fn file(&self) -> &File {
            match self.0 {}
        }

        pub(crate) fn path(&self) -> io::Result<PathBuf> {
            match self.0 {}
        }
    }

    impl SealedBytes {
        pub(crate) fn bytes(&self) -> &[u8] {
            match self.0 {}
        }
    }
}
