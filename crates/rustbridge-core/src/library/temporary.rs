//! The folder for temporary files: where it is, and whether somebody else may put anything there.

use std::path::{Path, PathBuf};
use std::{env, io};

/// Its whole path: a relative one leads elsewhere once the current folder is another, and what has no slash the loader looks
/// for where libraries are.
pub(crate) fn folder() -> io::Result<PathBuf> {
    whole(env::temp_dir())
}

fn whole(named: PathBuf) -> io::Result<PathBuf> {
    // What `TMPDIR` names that was set to nothing.
    if cfg!(unix) && named.as_os_str().is_empty() {
        let usual = if cfg!(target_os = "android") {
            "/data/local/tmp"
        } else {
            "/tmp"
        };
        return Ok(PathBuf::from(usual));
    }
    std::path::absolute(named)
}

/// Whether nobody but this user and the system's can put anything into a folder, or into one above it, where `$ORIGIN/..` leads.
#[cfg(unix)]
pub(crate) fn is_ours_alone(folder: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    // SAFETY: takes nothing and cannot fail.
    let own = unsafe { libc::geteuid() };
    let Ok(real) = folder.canonicalize() else {
        return false;
    };
    // By its name as well: a link on the way may be somebody else's.
    folder.ancestors().chain(real.ancestors()).all(|folder| {
        std::fs::metadata(folder)
            .is_ok_and(|found| keeps_others_out(found.uid(), found.mode(), own))
    })
}

/// Nothing looks beside a copy here.
#[cfg(not(unix))]
pub(crate) fn is_ours_alone(_folder: &Path) -> bool {
    true
}

/// Whether a folder of this owner and mode is for `own` and the system's alone to write to.
#[cfg(unix)]
fn keeps_others_out(owner: u32, mode: u32, own: u32) -> bool {
    (owner == own || owner == 0) && mode & 0o022 == 0
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_folder_that_is_named_by_nothing_or_relatively_has_a_whole_path() {
        assert!(whole(PathBuf::new()).unwrap().is_absolute());
        let current = env::current_dir().unwrap();
        assert_eq!(whole("there".into()).unwrap(), current.join("there"));
        assert_eq!(whole("/there".into()).unwrap(), Path::new("/there"));
    }

    #[test]
    fn a_folder_that_others_may_write_to_or_that_lies_in_one_is_not_ours_alone() {
        for (owner, mode, is_ours) in [
            (1000, 0o40_700, true),
            (0, 0o40_755, true),
            (1000, 0o40_770, false),
            (1000, 0o41_777, false),
            (1001, 0o40_755, false),
        ] {
            assert_eq!(keeps_others_out(owner, mode, 1000), is_ours, "{mode:o}");
        }
        let open = env::temp_dir().join(format!("rb-test-ours-alone-{}", std::process::id()));
        let below = open.join("below");
        fs::create_dir_all(&below).unwrap();
        fs::set_permissions(&open, Permissions::from_mode(0o777)).unwrap();
        fs::set_permissions(&below, Permissions::from_mode(0o700)).unwrap();
        assert!(!is_ours_alone(&open) && !is_ours_alone(&below));
        fs::remove_dir_all(&open).unwrap();
        assert!(!is_ours_alone(&open));
    }
}
