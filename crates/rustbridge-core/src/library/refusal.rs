//! What is said when there can be no copy of a library, or the system's loader refuses it: what that may mean, and what to do.

use std::io;
use std::path::Path;

use rustbridge_abi::Status;

use super::copy::NoCopy;
use super::needs::Needs;
use crate::error::Error;

/// Where a library would have what it needs beside itself.
#[derive(Clone, Copy)]
pub(super) enum Home<'a> {
    /// Nowhere: it came as bytes.
    None,
    /// The folder that the loader was told to look in, or that the library tells it.
    Searched(&'a Path),
    /// The library is a copy of a file that is mapped in place, so its own folder is another one.
    NotSearched,
}

/// The error for a library that the loader refused.
pub(super) fn refused(
    bytes: &[u8],
    source: &str,
    home: Home<'_>,
    needs: &Needs,
    reason: &str,
) -> Error {
    Error::new(
        Status::FailedPrecondition,
        "LoaderRefused",
        format!(
            "the system's loader refused {source}: {reason}; {}",
            hint(bytes, home, needs, reason)
        ),
    )
}

/// The error for a library of which no copy could be made, for each sort that was tried the reason.
pub(super) fn no_copy(source: &str, reasons: &[NoCopy]) -> Error {
    let tried: Vec<String> = reasons.iter().map(ToString::to_string).collect();
    let failed = |kind| reasons.iter().any(|reason| reason.kind() == Some(kind));
    let advice = if reasons.iter().any(NoCopy::is_too_large) {
        "a limit on file sizes applies to this process (RLIMIT_FSIZE, `ulimit -f`): raise it"
    } else if reasons
        .iter()
        .any(|reason| matches!(reason, NoCopy::Exposed { .. }))
    {
        "load it by the path of its file, or set TMPDIR to a folder that no other user can write to (nor to a parent folder)"
    } else if failed(io::ErrorKind::ReadOnlyFilesystem) {
        "the folder for temporary files is on a read-only file system: set TMPDIR to a folder that this process can write to"
    } else if failed(io::ErrorKind::NotFound) {
        "the folder for temporary files doesn't exist: set TMPDIR to a folder that this process can write to"
    } else {
        "free some space in the folder for temporary files, or allow more open files"
    };
    Error::new(
        Status::ResourceExhausted,
        "NoPrivateCopy",
        format!(
            "can't create a private copy of {source}: {}; {advice}",
            tried.join("; ")
        ),
    )
}

#[cfg(unix)]
fn hint(_bytes: &[u8], home: Home<'_>, needs: &Needs, reason: &str) -> String {
    if reason.contains("static TLS") {
        return "the reserve of thread-local memory for libraries that are loaded at run time is used up: start the process with GLIBC_TUNABLES=glibc.rtld.optional_static_tls=8192".to_owned();
    }
    // What glibc, musl and macOS say of a library that isn't there. Of one that's too old they say something else.
    let is_missing = [
        "cannot open shared object file",
        "Error loading shared library",
        "Library not loaded",
    ]
    .iter()
    .any(|said| reason.contains(said));
    let Some(missing) = needs.named_in(reason).filter(|_| is_missing) else {
        return "a library it depends on may be missing or too old".to_owned();
    };
    let home = match home {
        Home::None => {
            return format!(
                "an image isn't in a folder, so `$ORIGIN` doesn't apply: load the plugin by its path, or install `{missing}` where the system searches for libraries"
            );
        }
        Home::NotSearched => {
            return format!(
                "the file was mapped in place before it was overwritten, or before this process was forked, so a copy of it is loaded now, which finds `{missing}` only if it's loaded already: replace a library by renaming the new file over it"
            );
        }
        Home::Searched(home) => home,
    };
    let home = std::path::absolute(home).unwrap_or_else(|_| home.to_owned());
    let folders: Vec<String> = needs
        .folders(&home)
        .iter()
        .map(|folder| format!("`{}`", folder.display()))
        .collect();
    if folders.is_empty() {
        return format!(
            "the plugin names no folder to look for `{missing}` in, so only the system's folders were searched: to have it found next to the plugin, link the plugin with -Wl,-rpath,'$ORIGIN' (on macOS @loader_path)"
        );
    }
    format!(
        "`{missing}` wasn't found in {} nor in the system's folders: put it there",
        folders.join(", ")
    )
}

/// On Windows the loader names no library.
#[cfg(windows)]
fn hint(bytes: &[u8], home: Home<'_>, _needs: &Needs, _reason: &str) -> String {
    let home = match home {
        Home::Searched(home) => Some(home),
        Home::None | Home::NotSearched => None,
    };
    let missing = super::loader::missing(bytes, home);
    if missing.is_empty() {
        return "a library it depends on may be too old".to_owned();
    }
    format!(
        "it needs {}, found neither next to it nor in the folder of the program or of the system (PATH isn't searched): put it next to the plugin",
        missing.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_advice_fits_the_systems_error() {
        for (kind, expected) in [
            (io::ErrorKind::ReadOnlyFilesystem, "read-only file system"),
            (io::ErrorKind::NotFound, "doesn't exist"),
            (io::ErrorKind::StorageFull, "free some space"),
        ] {
            let reasons = [
                NoCopy::Failed {
                    place: "in memory".to_owned(),
                    error: io::ErrorKind::Unsupported.into(),
                },
                NoCopy::Failed {
                    place: "in `/tmp`".to_owned(),
                    error: kind.into(),
                },
            ];
            let error = no_copy("the image", &reasons);
            assert!(error.message().contains(expected), "{error}");
        }
    }
}
