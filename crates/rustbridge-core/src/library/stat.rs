//! What a file system says of a file, by which its content is known again without being read.

use std::fs::{File, Metadata};
use std::path::Path;
use std::time::{Duration, SystemTime};

/// What tells a file's content without reading it, as long as nothing plays with the clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stat {
    pub(crate) identity: Identity,
    pub(super) size: u64,
    pub(super) modified: SystemTime,
    pub(super) changed: Changed,
}

/// Which file it is.
#[cfg(unix)]
pub(crate) type Identity = (u64, u64);
#[cfg(unix)]
type Changed = (i64, i64);
/// Not every file system on Windows has numbers that no two files share.
#[cfg(windows)]
pub(crate) type Identity = (std::path::PathBuf, u32, u64);
#[cfg(windows)]
type Changed = i64;

impl Stat {
    #[cfg(unix)]
    #[expect(clippy::unnecessary_wraps, reason = "on Windows there may be none")]
    pub(crate) fn of_path(_path: &Path, metadata: &Metadata) -> Option<Stat> {
        use std::os::unix::fs::MetadataExt;
        Some(Stat {
            identity: (metadata.dev(), metadata.ino()),
            size: metadata.len(),
            modified: metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
        })
    }

    #[cfg(unix)]
    pub(crate) fn of_file(path: &Path, _file: &File, metadata: &Metadata) -> Option<Stat> {
        Stat::of_path(path, metadata)
    }

    #[cfg(windows)]
    pub(crate) fn of_path(path: &Path, metadata: &Metadata) -> Option<Stat> {
        use std::os::windows::fs::OpenOptionsExt;
        use windows_sys::Win32::Storage::FileSystem::FILE_READ_ATTRIBUTES;
        // Whoever has the file open for himself alone shares this much of it.
        let file = File::options()
            .access_mode(FILE_READ_ATTRIBUTES)
            .open(path)
            .ok()?;
        Stat::of_file(path, &file, metadata)
    }

    #[cfg(windows)]
    pub(crate) fn of_file(path: &Path, file: &File, metadata: &Metadata) -> Option<Stat> {
        use std::os::windows::io::AsRawHandle;
        use windows_sys::Win32::Storage::FileSystem::{
            BY_HANDLE_FILE_INFORMATION, FILE_BASIC_INFO, FileBasicInfo, GetFileInformationByHandle,
            GetFileInformationByHandleEx,
        };
        let mut info = BY_HANDLE_FILE_INFORMATION::default();
        let mut basic = FILE_BASIC_INFO::default();
        // SAFETY: the handle is open, and both structs are writable and as large as is said.
        let is_known = unsafe {
            GetFileInformationByHandle(file.as_raw_handle(), &mut info) != 0
                && GetFileInformationByHandleEx(
                    file.as_raw_handle(),
                    FileBasicInfo,
                    (&raw mut basic).cast(),
                    size_of::<FILE_BASIC_INFO>() as u32,
                ) != 0
        };
        let index = (u64::from(info.nFileIndexHigh) << 32) | u64::from(info.nFileIndexLow);
        is_known.then(|| Stat {
            identity: (path.to_owned(), info.dwVolumeSerialNumber, index),
            size: metadata.len(),
            modified: metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH),
            changed: basic.ChangeTime,
        })
    }

    pub(crate) fn is_older_than(&self, now: SystemTime, age: Duration) -> bool {
        let is_older = |time: SystemTime| now.duration_since(time).is_ok_and(|since| since > age);
        #[cfg(unix)]
        let changed = u64::try_from(self.changed.0).map_or(SystemTime::UNIX_EPOCH, |seconds| {
            SystemTime::UNIX_EPOCH + Duration::new(seconds, self.changed.1 as u32)
        });
        #[cfg(windows)]
        let changed = {
            // In steps of 100 ns since 1601, 11,644,473,600 seconds before 1970; 0 where a file system has no such time.
            let since_1970 = self.changed.saturating_sub(116_444_736_000_000_000);
            u64::try_from(since_1970).map_or(SystemTime::UNIX_EPOCH, |steps| {
                SystemTime::UNIX_EPOCH
                    + Duration::new(steps / 10_000_000, (steps % 10_000_000) as u32 * 100)
            })
        };
        is_older(self.modified) && is_older(changed)
    }
}
