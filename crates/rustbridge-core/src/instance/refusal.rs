//! Why a handle can't be used or a call isn't let in, and what is said to whoever asked.

use rustbridge_abi::Status;

use super::target::INSTANCES;
use crate::error::Error;
use crate::handle::table::{Handle, Stateless};
use crate::library::negotiate::Negotiated;
use crate::library::token;
use crate::state::State;

/// Why. Small and plain, since the call path hands it on: finding out takes no call and keeps no register from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The handle was never issued.
    InvalidHandle,
    Starting,
    Poisoned,
    Closing,
    Closed,
    Forked,
    /// The slot isn't open for the handle: one of those above, as the table says.
    Shut,
    /// The request is null but not empty, or longer than anything can be.
    Request,
    /// The storage is null but not empty, or larger than anything can be.
    Storage,
    /// The entry is another mapping's, or an index that this one doesn't have.
    Entry,
    NotLeaf,
}

/// What was asked for; as much of it as the refusal speaks of.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Asked {
    pub(crate) handle: Handle,
    pub(crate) entry: u32,
    /// The request's length, or the storage's capacity.
    pub(crate) len: usize,
    pub(crate) plugin: Option<&'static Negotiated>,
}

impl Refusal {
    /// Why what this handle names takes no calls. For whoever wasn't let in: a call that lost the race against `close` may
    /// find the slot open again for somebody else, or still active.
    #[cold]
    pub(crate) fn of_handle(handle: Handle) -> Refusal {
        match INSTANCES.state(handle) {
            Err(Stateless::Unused) => Refusal::InvalidHandle,
            Err(Stateless::Starting) => Refusal::Starting,
            Ok(State::Poisoned) => Refusal::Poisoned,
            Ok(State::Closing) => Refusal::Closing,
            Ok(State::Forked) => Refusal::Forked,
            Ok(State::Closed | State::Active) => Refusal::Closed,
        }
    }

    /// Whether what's said of it names the plugin.
    pub(crate) fn names_plugin(self) -> bool {
        matches!(self, Refusal::Entry | Refusal::NotLeaf)
    }

    /// What is said about a handle that is refused.
    #[cold]
    pub(crate) fn for_handle(self, handle: Handle) -> Error {
        self.error(&Asked {
            handle,
            ..Asked::default()
        })
    }

    /// What is said.
    #[cold]
    pub(crate) fn error(self, asked: &Asked) -> Error {
        let &Asked {
            handle,
            entry,
            len,
            plugin,
        } = asked;
        let is_too_long = len as isize <= -1;
        let plugin_name = plugin.map_or("", |plugin| plugin.description.name.as_str());
        let (status, kind, message) = match self {
            Refusal::Shut => return Refusal::of_handle(handle).error(asked),
            Refusal::InvalidHandle => (
                Status::InvalidArgument,
                "InvalidHandle",
                format!(
                    "{handle:#x} is not the handle of an instance: pass the one that loading gave"
                ),
            ),
            Refusal::Starting => (
                Status::Unavailable,
                "Starting",
                format!("instance {handle:#x} is still being created: wait until loading returns"),
            ),
            Refusal::Poisoned => (
                Status::FailedPrecondition,
                "Poisoned",
                format!(
                    "instance {handle:#x} refuses calls since a panic in it (it was loaded with on_panic = poison): close it and load a new one"
                ),
            ),
            Refusal::Closing => (
                Status::Unavailable,
                "Closed",
                format!("instance {handle:#x} is closing and takes no further calls"),
            ),
            Refusal::Closed => (
                Status::Unavailable,
                "Closed",
                format!("instance {handle:#x} is closed: load the plugin again"),
            ),
            Refusal::Forked => (
                Status::FailedPrecondition,
                "Forked",
                format!(
                    "instance {handle:#x} was loaded before this process was forked and lives on in the parent only: load the plugin again in the child"
                ),
            ),
            Refusal::Request if is_too_long => (
                Status::InvalidArgument,
                "InvalidRequest",
                format!(
                    "the request's length is {len}, but no request is longer than {} bytes: a negative length, or one cut from a wider type?",
                    isize::MAX
                ),
            ),
            Refusal::Request => (
                Status::InvalidArgument,
                "InvalidRequest",
                format!("the request is null but {len} bytes long: pass its address, or length 0"),
            ),
            Refusal::Storage if is_too_long => (
                Status::InvalidArgument,
                "InvalidStorage",
                format!(
                    "the storage's capacity is {len}, but none is larger than {} bytes: a negative length, or one cut from a wider type?",
                    isize::MAX
                ),
            ),
            Refusal::Storage => (
                Status::InvalidArgument,
                "InvalidStorage",
                format!(
                    "the storage is null but its capacity {len}, expected its address, or null and 0"
                ),
            ),
            Refusal::Entry
                if plugin.is_some_and(|plugin| token::tag(entry) != u32::from(plugin.tag)) =>
            {
                (
                    Status::NotFound,
                    "UnknownEntry",
                    format!(
                        "the entry is not one of plugin `{plugin_name}`: prepare the method with this instance, or with another one of the same library"
                    ),
                )
            }
            Refusal::NotLeaf if plugin.is_some_and(|plugin| plugin.has(entry)) => (
                Status::FailedPrecondition,
                "NotLeaf",
                format!(
                    "`{}` is not declared leaf, so it may block or call back: use the ordinary call",
                    plugin.map_or(String::new(), |plugin| plugin.name_of(entry))
                ),
            ),
            Refusal::Entry | Refusal::NotLeaf => (
                Status::NotFound,
                "UnknownEntry",
                format!(
                    "plugin `{plugin_name}` has no entry {}: prepare the method by its name",
                    token::index(entry)
                ),
            ),
        };
        Error::new(status, kind, message)
    }
}
