//! Pointers and lengths, which are longs in Java.

use core::ptr;

use jni::sys::jlong;

/// A pointer that Java has kept as a long.
pub(crate) fn pointer(address: jlong) -> *mut u8 {
    ptr::with_exposed_provenance_mut(address as usize)
}

/// A length from Java. A negative one becomes one that the core refuses.
pub(crate) fn length(length: jlong) -> usize {
    usize::try_from(length).unwrap_or(usize::MAX)
}
