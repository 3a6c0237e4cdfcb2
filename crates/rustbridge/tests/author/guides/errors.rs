//! What docs/guide/errors.md shows of plugins.

use std::fs;

use rustbridge::prelude::*;
use rustbridge_core::Load;

/// Why a file isn't imported.
#[derive(Debug, thiserror::Error, StatusError)]
pub enum ImportError {
    #[error("{file} can't be read: {source}")]
    #[status(UNAVAILABLE)]
    Unreadable {
        file: String,
        source: std::io::Error,
    },
    #[error("line {line} is no number")]
    #[status(INVALID_ARGUMENT)]
    NoNumber { line: usize },
}

/// Why a transfer fails.
#[derive(Debug, thiserror::Error, StatusError)]
pub enum TransferError {
    #[error("the account is locked")]
    #[status(PERMISSION_DENIED)]
    Locked,
    #[error(transparent)]
    #[status(transparent)]
    Other(#[from] Error),
}

#[derive(Default)]
pub struct Numbers;

#[plugin(name = "numbers", export = false)]
impl Numbers {
    /// Adds the numbers of a file.
    pub fn import(&self, file: String) -> Result<u64, ImportError> {
        let text =
            fs::read_to_string(&file).map_err(|source| ImportError::Unreadable { file, source })?;
        let mut sum = 0;
        for (index, line) in text.lines().enumerate() {
            let number: u64 = line
                .parse()
                .map_err(|_| ImportError::NoNumber { line: index + 1 })?;
            sum += number;
        }
        Ok(sum)
    }

    /// Always fails: the account is locked, or doesn't exist.
    pub fn transfer(&self, is_locked: bool) -> Result<(), TransferError> {
        if is_locked {
            return Err(TransferError::Locked);
        }
        Err(Error::new(Status::NotFound, "no account"))?
    }

    /// Applies settings, which are JSON in a text.
    pub fn configure(&self, settings: String) -> Result<()> {
        serde_json::from_str::<serde_json::Value>(&settings).map_err(|problem| {
            Error::invalid_argument(format!("that's no JSON: {problem}"))
                .with_type("NoJson")
                .with_detail("line", problem.line())
        })?;
        Ok(())
    }
}

#[test]
fn errors_reach_the_host_as_the_guide_says() {
    // SAFETY: our own plugin's entry point.
    let load = unsafe { Load::linked(rustbridge::entry_point::<Numbers>(), "numbers") };
    let numbers = load.open().unwrap();
    let file = std::env::temp_dir().join(format!("rustbridge-numbers-{}", std::process::id()));
    let request = serde_json::to_string(&file).unwrap();

    for (is_locked, status) in [
        ("true", Status::PermissionDenied),
        ("false", Status::NotFound),
    ] {
        let failed = numbers.call("transfer", is_locked).unwrap_err();
        assert_eq!(failed.status(), status);
    }

    let absent = numbers.call("import", &request).unwrap_err();
    assert_eq!(absent.status(), Status::Unavailable);
    assert_eq!(absent.type_name(), "ImportError.Unreadable");
    assert!(absent.details().unwrap()["source"].is_string());

    fs::write(&file, "20\n22\nx").unwrap();
    let wrong = numbers.call("import", &request).unwrap_err();
    fs::write(&file, "20\n22").unwrap();
    let right = numbers.call("import", &request).unwrap();
    fs::remove_file(&file).unwrap();
    assert_eq!(wrong.message(), "line 3 is no number");
    assert_eq!(wrong.details().unwrap()["line"], 3);
    assert_eq!(&*right, b"42");

    let wrong = numbers.call("configure", r#""{""#).unwrap_err();
    assert_eq!(wrong.type_name(), "NoJson");
    assert_eq!(wrong.details().unwrap()["line"], 1);
}
