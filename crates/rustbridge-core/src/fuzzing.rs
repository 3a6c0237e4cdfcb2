//! The decoders behind private doors, for the fuzz targets. Only builds with `--cfg fuzzing` have this.

use crate::library::describe::Description;
use crate::library::image;
use crate::library::needs::Needs;

/// Whether these bytes pass for a plugin library of this process.
#[must_use]
pub fn check_image(bytes: &[u8]) -> bool {
    // Of everything, though loading only reads it of what passes.
    let _ = Needs::of(bytes);
    image::check(bytes, "the input").is_ok()
}

/// Whether these bytes are accepted as what a plugin says of itself.
#[must_use]
pub fn parse_description(bytes: &[u8]) -> bool {
    Description::parse(bytes).is_ok()
}
