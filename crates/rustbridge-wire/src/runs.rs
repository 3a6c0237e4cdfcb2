//! Which fields are read without looking whether their bytes are there.

use crate::types::Typed;

/// For each field how many bytes have to be there before it's read: those of the run of exact fields that it begins.
#[must_use]
pub const fn runs<const N: usize>(fields: [Option<usize>; N]) -> [usize; N] {
    let mut runs = [0; N];
    let mut at = 0;
    let mut first = 0;
    while at < N {
        match fields[at] {
            Some(bytes) => runs[first] += bytes,
            None => first = at + 1,
        }
        at += 1;
    }
    runs
}

/// The size of a field, if it's always the same.
#[must_use]
pub const fn exact<T: Typed>() -> Option<usize> {
    if T::EXACT { Some(T::LEAST) } else { None }
}
