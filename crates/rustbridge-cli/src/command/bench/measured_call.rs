//! What is measured.

use std::path::PathBuf;

/// A call that is measured.
pub(super) struct MeasuredCall {
    pub(super) library: PathBuf,
    /// A file, if the plugin gets any.
    pub(super) config: Option<PathBuf>,
    pub(super) method: String,
    pub(super) is_text: bool,
    pub(super) request: Vec<u8>,
    /// A file with the same.
    pub(super) request_file: PathBuf,
}
