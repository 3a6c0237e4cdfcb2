//! The functions that hosts call for the traits of an object's type. A type that lacks a trait is reported by the bounds here.

use std::fmt::{Debug, Display, Write as _};
use std::hash::{DefaultHasher, Hash, Hasher as _};

use crate::{Error, Result};

/// Returns the text for users.
///
/// # Errors
/// If `fmt` returns an error.
pub fn display<T: Display>(value: &T) -> Result<String> {
    let mut text = String::new();
    write!(text, "{value}").map_err(|_| failed("Display"))?;
    Ok(text)
}

/// Returns the text for programmers.
///
/// # Errors
/// If `fmt` returns an error.
pub fn debug<T: Debug>(value: &T) -> Result<String> {
    let mut text = String::new();
    write!(text, "{value:?}").map_err(|_| failed("Debug"))?;
    Ok(text)
}

fn failed(of: &str) -> Error {
    Error::internal(format!(
        "the object has no text: its `{of}::fmt` returned an error"
    ))
}

/// Returns whether two objects are equal.
pub fn partial_eq<T: PartialEq>(one: &T, other: &T) -> bool {
    one == other
}

/// Returns whether two objects are equal, for types whose values are equal to themselves.
pub fn eq<T: Eq>(one: &T, other: &T) -> bool {
    one == other
}

/// Returns the hash, which is the same for equal objects of all instances of one library.
pub fn hash<T: Hash>(value: &T) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Returns -1, 0 or 1.
pub fn cmp<T: Ord>(one: &T, other: &T) -> i8 {
    one.cmp(other) as i8
}
