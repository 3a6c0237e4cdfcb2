//! Windows' loader: where it looks, what paths it takes, and what it didn't find.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString, c_void};
use std::os::windows::ffi::{OsStrExt, OsStringExt};
use std::path::{Component, Path, Prefix};

use libloading::os::windows::Library;
use object::Object;
use windows_sys::Win32::Foundation::MAX_PATH;
use windows_sys::Win32::System::LibraryLoader::{
    AddDllDirectory, LOAD_LIBRARY_SEARCH_DEFAULT_DIRS, RemoveDllDirectory,
};

/// The folder of the program, that of the system, and what was added as `Home`. Not the current folder and not
/// PATH, where anybody may have put a library of a wanted name; nor the folder of the copy, which has nothing else.
const SEARCH: u32 = LOAD_LIBRARY_SEARCH_DEFAULT_DIRS;

/// A folder in which dependencies are looked for as long as this lives.
struct Home(*mut c_void);

impl Home {
    /// `None` where the system takes no such folder, as one whose path is too long.
    fn add(folder: &Path) -> Option<Home> {
        let folder = std::path::absolute(folder).ok()?;
        let plain = without_prefix(&folder);
        let wide: Vec<u16> = plain.encode_wide().chain([0]).collect();
        // SAFETY: the path ends in 0.
        let cookie = unsafe { AddDllDirectory(wide.as_ptr()) };
        // Lazily: one of null would be dropped.
        (!cookie.is_null()).then(|| Home(cookie))
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        // SAFETY: what adding it gave, once.
        unsafe { RemoveDllDirectory(self.0) };
    }
}

pub(super) unsafe fn open(path: &Path, home: Option<&Path>) -> Result<Library, libloading::Error> {
    let _home = home.and_then(Home::add);
    // SAFETY: the caller's promise.
    unsafe { Library::load_with_flags(loadable(path), SEARCH) }
}

/// The libraries that an image depends on and that can't be loaded. The system's own text names none of them.
pub(crate) fn missing(image: &[u8], home: Option<&Path>) -> Vec<String> {
    let _home = home.and_then(Home::add);
    let Ok(file) = object::File::parse(image) else {
        return Vec::new();
    };
    let names: BTreeSet<String> = file
        .imports()
        .into_iter()
        .flatten()
        .flatten()
        .map(|import| String::from_utf8_lossy(import.library()).into_owned())
        .collect();
    names
        .into_iter()
        .filter(|name| {
            // SAFETY: the loader has just tried the same, for the plugin that was asked for.
            unsafe { Library::load_with_flags(name.as_str(), SEARCH) }.is_err()
        })
        .collect()
}

/// The path as the loader takes it: one that is too long for it needs the prefix that std gives to files by itself.
fn loadable(path: &Path) -> OsString {
    let wide: Vec<u16> = path.as_os_str().encode_wide().collect();
    let Some(Component::Prefix(prefix)) = path.components().next() else {
        return path.into();
    };
    match prefix.kind() {
        _ if wide.len() < MAX_PATH as usize => path.into(),
        Prefix::Disk(_) => joined(r"\\?\", path.as_os_str()),
        Prefix::UNC(..) => joined(r"\\?\UNC\", &OsString::from_wide(&wide[2..])),
        _ => path.into(),
    }
}

fn joined(before: &str, after: &OsStr) -> OsString {
    let mut joined = OsString::from(before);
    joined.push(after);
    joined
}

/// A path as it is without the prefix that switches the system's own reading of it off.
fn without_prefix(path: &Path) -> OsString {
    let mut components = path.components();
    let Some(Component::Prefix(prefix)) = components.next() else {
        return path.into();
    };
    match prefix.kind() {
        Prefix::VerbatimDisk(letter) => joined(
            &format!("{}:", char::from(letter)),
            components.as_path().as_os_str(),
        ),
        Prefix::VerbatimUNC(server, share) => {
            let mut plain = joined(r"\\", server);
            plain.push(r"\");
            plain.push(share);
            plain.push(components.as_path());
            plain
        }
        _ => path.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_path_that_is_too_long_gets_a_prefix() {
        let long = "folder\\".repeat(50);
        for (path, expected) in [
            (r"C:\x.dll".to_owned(), r"C:\x.dll".to_owned()),
            (format!(r"C:\{long}x.dll"), format!(r"\\?\C:\{long}x.dll")),
            (
                format!(r"\\server\share\{long}x.dll"),
                format!(r"\\?\UNC\server\share\{long}x.dll"),
            ),
            (
                format!(r"\\?\C:\{long}x.dll"),
                format!(r"\\?\C:\{long}x.dll"),
            ),
        ] {
            assert_eq!(loadable(Path::new(&path)), *expected);
        }
    }

    #[test]
    fn a_prefix_is_taken_away() {
        for (path, expected) in [
            (r"C:\a b\ü", r"C:\a b\ü"),
            (r"\\?\C:\a b\ü", r"C:\a b\ü"),
            (r"\\?\UNC\server\share\a", r"\\server\share\a"),
            (r"\\server\share\a", r"\\server\share\a"),
        ] {
            assert_eq!(without_prefix(Path::new(path)), *expected);
        }
    }
}
