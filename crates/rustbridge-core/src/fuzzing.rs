//! The private decoders, for the fuzz targets in `/fuzz`. Compiled with `--cfg fuzzing` only.

use crate::describe::Description;
use crate::error::Error;

/// [`check_image`](crate::check_image).
///
/// # Errors
/// As that.
pub fn check_image(bytes: &[u8]) -> Result<(), Error> {
    crate::check_image(bytes)
}

/// Whether these bytes are a description that a plugin may have.
#[must_use]
pub fn parse_description(bytes: &[u8]) -> bool {
    Description::parse(bytes).is_ok()
}
