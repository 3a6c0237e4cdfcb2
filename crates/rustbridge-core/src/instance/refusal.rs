//! Why a handle can't be used or a call isn't let in, and what is said to whoever asked.

use std::fmt::{self, Write};

use rustbridge_abi::Status;

use super::names;
use super::target::INSTANCES;
use crate::error::{Error, begin_json};
use crate::library::negotiate::PluginFunctions;
use crate::library::token;
use crate::registry::table::{Handle, Stateless};
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
    /// There is none for a copy of the request.
    Memory,
}

/// What was asked for; as much of it as the refusal speaks of.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct AttemptedCall {
    pub(crate) handle: Handle,
    pub(crate) entry: u32,
    /// The request's length, or the storage's capacity.
    pub(crate) len: usize,
    pub(crate) plugin: Option<&'static PluginFunctions>,
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
        self.error(&AttemptedCall {
            handle,
            ..AttemptedCall::default()
        })
    }

    /// What is said.
    #[cold]
    pub(crate) fn error(self, asked: &AttemptedCall) -> Error {
        let known = self.known(asked);
        let mut message = String::new();
        // A `String` takes everything.
        let _ = known.say(asked, &mut message);
        let (status, kind) = known.kind();
        Error::new(status, kind, message)
    }

    /// The same as it crosses the boundary, without an [`Error`]: who calls what is closed a thousand times in a row waits for no
    /// memory.
    #[cold]
    pub(crate) fn answer(
        self,
        asked: &AttemptedCall,
    ) -> (Status, impl Fn(&mut dyn Write) -> fmt::Result + '_) {
        let known = self.known(asked);
        let (status, kind) = known.kind();
        let write = move |out: &mut dyn Write| {
            begin_json(
                out,
                status,
                |out| known.say(asked, out),
                |out| {
                    out.write_str("rustbridge.")?;
                    out.write_str(kind)
                },
            )?;
            out.write_char('}')
        };
        (status, write)
    }

    /// Which of the handle's it is, and whether an entry that isn't leaf is one at all.
    fn known(self, asked: &AttemptedCall) -> Refusal {
        match self {
            Refusal::Shut => Refusal::of_handle(asked.handle),
            Refusal::NotLeaf if asked.plugin.is_none_or(|plugin| !plugin.has(asked.entry)) => {
                Refusal::Entry
            }
            known => known,
        }
    }

    fn kind(self) -> (Status, &'static str) {
        match self {
            Refusal::InvalidHandle => (Status::InvalidArgument, "InvalidHandle"),
            Refusal::Starting => (Status::Unavailable, "Starting"),
            Refusal::Poisoned => (Status::FailedPrecondition, "Poisoned"),
            Refusal::Shut | Refusal::Closing | Refusal::Closed => (Status::Unavailable, "Closed"),
            Refusal::Forked => (Status::FailedPrecondition, "Forked"),
            Refusal::Request => (Status::InvalidArgument, "InvalidRequest"),
            Refusal::Storage => (Status::InvalidArgument, "InvalidBuffer"),
            Refusal::Memory => (Status::ResourceExhausted, "OutOfMemory"),
            Refusal::NotLeaf => (Status::FailedPrecondition, "NotLeaf"),
            Refusal::Entry => (Status::NotFound, "UnknownEntry"),
        }
    }

    fn say(self, asked: &AttemptedCall, out: &mut dyn Write) -> fmt::Result {
        let &AttemptedCall {
            handle,
            entry,
            len,
            plugin,
        } = asked;
        let is_too_long = len as isize <= -1;
        let plugin_name = plugin.map_or("", |plugin| plugin.description.name.as_str());
        match self {
            Refusal::InvalidHandle => write!(
                out,
                "{handle:#x} isn't the handle of an instance: pass the handle that loading returned"
            ),
            Refusal::Starting => {
                name(handle, out)?;
                out.write_str(" is still being created: wait until loading returns")
            }
            Refusal::Poisoned => {
                name(handle, out)?;
                out.write_str(" was poisoned by a panic (it was loaded with on_panic = poison) and refuses calls: close it and load a new one")
            }
            Refusal::Closing => {
                name(handle, out)?;
                out.write_str(" is closing and accepts no further calls")
            }
            Refusal::Closed | Refusal::Shut => {
                name(handle, out)?;
                out.write_str(" is closed: load the plugin again")
            }
            Refusal::Forked => {
                name(handle, out)?;
                out.write_str(" was loaded before this process was forked, and only the parent can use it: load the plugin again in the child")
            }
            Refusal::Request if is_too_long => write!(
                out,
                "the request's length is {len}, expected {} bytes at most: check for a negative length, or one that was converted from a wider type",
                isize::MAX
            ),
            Refusal::Request => write!(
                out,
                "the request is null but {len} bytes long: pass its address, or length 0"
            ),
            Refusal::Storage if is_too_long => write!(
                out,
                "the buffer's capacity is {len}, expected {} bytes at most: check for a negative length, or one that was converted from a wider type",
                isize::MAX
            ),
            Refusal::Storage => write!(
                out,
                "the buffer is null but its capacity is {len}, expected an address, or null and 0"
            ),
            Refusal::Memory => write!(
                out,
                "there is no memory for a copy of the request's {len} bytes, which other threads may write to: send less at once, or call with the unshared form"
            ),
            Refusal::Entry
                if plugin.is_some_and(|plugin| token::tag(entry) != u32::from(plugin.tag)) =>
            {
                write!(
                    out,
                    "the entry doesn't belong to plugin `{plugin_name}`: prepare the method with this instance, or with another one of the same library"
                )
            }
            Refusal::NotLeaf => write!(
                out,
                "`{}` isn't declared leaf, so it may block or call back: use the ordinary call",
                plugin.map_or(String::new(), |plugin| plugin.name_of(entry))
            ),
            Refusal::Entry => write!(
                out,
                "plugin `{plugin_name}` has no entry {}: prepare the method by its name",
                token::index(entry)
            ),
        }
    }
}

/// Names an instance, by its name if that's known still.
fn name(handle: Handle, out: &mut dyn Write) -> fmt::Result {
    out.write_str("instance ")?;
    let mut written = Ok(());
    let is_known = names::show(handle, |name| {
        written = out
            .write_str("`")
            .and_then(|()| out.write_str(name))
            .and_then(|()| out.write_str("` ("));
    });
    written?;
    write!(out, "{handle:#x}")?;
    if is_known { out.write_str(")") } else { Ok(()) }
}
