//! One library that this process has mapped: one mapping for each distinct content, never unmapped.
//!
//! Unloading Rust code isn't reliable (threads it started, thread-local destructors it registered), so a mapping stays
//! and the next load of the same content uses it. A load that was refused after mapping is remembered as well, so that
//! trying again maps nothing.

use super::copy::CopyContent;
use super::glance::Glance;
use super::negotiate::PluginFunctions;
use crate::error::Error;

/// One mapped library, or a plugin that was linked into this binary.
#[derive(Debug)]
pub(crate) struct Mapping {
    /// Of the content; 0 for a linked plugin.
    pub(crate) hash: u128,
    pub(crate) size: u64,
    /// `None` for a linked plugin.
    pub(super) glance: Option<Glance>,
    /// Where it was first loaded from, for people.
    pub(crate) source: String,
    /// `memory`, `file`, `place` or `linked`.
    pub(crate) kind: &'static str,
    /// Mapped for one instance alone.
    pub(crate) own: bool,
    /// The registry's count of forks when it was mapped.
    pub(crate) forks: u32,
    pub(crate) plugin: Result<PluginFunctions, Error>,
    pub(super) content: Content,
    /// 0 for one that has none.
    pub(super) entry_point: usize,
}

/// By what a mapping's content is told from another one of the same hash, which somebody may know how to make.
#[derive(Debug)]
pub(super) enum Content {
    /// A linked plugin's.
    None,
    /// The bytes themselves.
    Copy(CopyContent),
    /// A hash for which nobody knows how.
    Digest(blake3::Hash),
}

impl Content {
    /// Whether it's this one.
    pub(super) fn is(&self, bytes: &[u8]) -> bool {
        match self {
            Content::None => false,
            Content::Copy(copy) => copy.is(bytes),
            Content::Digest(digest) => blake3::hash(bytes) == *digest,
        }
    }

    /// Whether a descriptor stays open for it.
    pub(super) fn has_descriptor(&self) -> bool {
        matches!(self, Content::Copy(CopyContent::Sealed(_)))
    }
}

#[cfg(all(test, unix))]
impl Mapping {
    /// One for tests of the registry, which don't look inside.
    pub(super) fn unusable() -> Mapping {
        Mapping {
            hash: 0,
            size: 0,
            glance: None,
            source: String::new(),
            kind: "linked",
            own: false,
            forks: 0,
            plugin: Err(Error::new(
                rustbridge_abi::Status::Internal,
                "Test",
                String::new(),
            )),
            content: Content::None,
            entry_point: 0,
        }
    }
}
