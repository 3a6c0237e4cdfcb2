//! The response of a call, for hosts in Rust.

use std::fmt;
use std::ops::Deref;

use bytemuck::Pod;
use rustbridge_abi::Response;
use serde::de::DeserializeOwned;

use super::values::{from_json, from_pod};
use crate::error::Error;
use crate::response::{bytes_of, release};

/// Answers up to this size are kept in the [`Reply`] itself, so that nobody allocates for them.
pub(crate) const INLINE: usize = 256;

/// The response of a call. It dereferences to its bytes.
///
/// A small response is inside of this value. A larger one stays in the plugin's memory, without a copy, and dropping
/// the reply releases it. A reply may outlive its instance, and any thread may read and drop it.
///
/// ```
/// # mod my_plugin { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/plugin/mod.rs")); }
/// use rustbridge_core::{Encoding, Load};
///
/// // SAFETY: this is our own plugin, whose entry point follows the ABI.
/// let plugin = unsafe { Load::linked(my_plugin::entry_point, "tiny") }.open()?;
/// let reply = plugin.method("echo", Encoding::Raw)?.call(&[7; 100_000])?;
/// drop(plugin);
/// assert!(reply.iter().all(|&byte| byte == 7));
/// # Ok::<(), rustbridge_core::Error>(())
/// ```
pub struct Reply {
    place: Place,
}

#[expect(
    clippy::large_enum_variant,
    reason = "the large one is the usual one, and boxing it would allocate"
)]
enum Place {
    /// The first so many bytes.
    Inline(usize, [u8; INLINE]),
    /// Invariant: filled in by a plugin, not released, and nobody else's.
    Lease(Response),
}

// SAFETY: by the ABI a lease may be released on any thread, and its bytes are only read until then.
unsafe impl Send for Reply {}
// SAFETY: sharing only reads the bytes.
unsafe impl Sync for Reply {}

impl Reply {
    /// The answer of a call whose response had `storage`, of which the plugin says that it wrote so much.
    pub(crate) fn inline(len: usize, storage: [u8; INLINE]) -> Reply {
        Reply {
            place: Place::Inline(len.min(INLINE), storage),
        }
    }

    /// Takes over a response that has to be released.
    ///
    /// # Safety
    /// A plugin filled it in and it isn't released; nobody else will.
    pub(crate) unsafe fn lease(response: Response) -> Reply {
        Reply {
            place: Place::Lease(response),
        }
    }

    /// Returns the bytes, like dereferencing.
    #[must_use]
    pub fn as_slice(&self) -> &[u8] {
        match &self.place {
            Place::Inline(len, storage) => &storage[..*len],
            // SAFETY: not released before we are dropped.
            Place::Lease(response) => unsafe { bytes_of(response) },
        }
    }

    /// Decodes the response as JSON.
    ///
    /// # Errors
    /// `INTERNAL`: it can't be decoded as `T`.
    pub fn json<T: DeserializeOwned>(&self) -> Result<T, Error> {
        from_json(self, || "a method".to_owned())
    }

    /// Reads the response as a plain struct.
    ///
    /// # Errors
    /// `INTERNAL`: its size isn't that of `T`.
    pub fn pod<T: Pod>(&self) -> Result<T, Error> {
        from_pod(self)
    }

    /// Returns whether the bytes are in the plugin's memory, rather than inside of this value.
    #[must_use]
    pub fn is_lease(&self) -> bool {
        matches!(self.place, Place::Lease(_))
    }
}

impl Deref for Reply {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.as_slice()
    }
}

impl AsRef<[u8]> for Reply {
    fn as_ref(&self) -> &[u8] {
        self.as_slice()
    }
}

impl Drop for Reply {
    fn drop(&mut self) {
        if let Place::Lease(response) = &mut self.place {
            // SAFETY: the invariant of `Lease`; releasing empties it.
            unsafe { release(response) };
        }
    }
}

impl fmt::Debug for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reply")
            .field("len", &self.len())
            .field("is_lease", &self.is_lease())
            .finish()
    }
}
