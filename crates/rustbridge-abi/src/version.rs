//! The ABI's version, and the name of the entry point.

use core::ffi::CStr;

/// Major version of the plugin ABI. Host and plugin must agree on it.
pub const ABI_MAJOR: u32 = 1;

/// Minor version of the plugin ABI. It increases when fields or extensions are appended; any two minor versions are compatible.
pub const ABI_MINOR: u32 = 0;

/// The version as it crosses the boundary: major in the upper 16 bits, minor in the lower 16.
pub const ABI_VERSION: u32 = (ABI_MAJOR << 16) | ABI_MINOR;

/// Name of the one symbol that a plugin exports; its type is [`EntryPoint`](crate::EntryPoint).
pub const ENTRY_POINT: &CStr = c"rustbridge_plugin";

/// The major part of a version as it crosses the boundary.
#[must_use]
pub const fn abi_major(version: u32) -> u32 {
    version >> 16
}

/// The minor part of a version as it crosses the boundary.
#[must_use]
pub const fn abi_minor(version: u32) -> u32 {
    version & 0xffff
}
