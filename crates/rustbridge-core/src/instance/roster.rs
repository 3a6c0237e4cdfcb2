//! The roster: every instance by its handle, for all that isn't a call, and what can be asked of one.

use std::ffi::c_void;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};
use std::time::Duration;

use rustbridge_abi::{Encoding, Host, Level, Status};

use super::checked_instance::CheckedInstance;
use super::refusal::Refusal;
use super::services::registered::Services;
use super::target::{INSTANCES, log_level};
use crate::error::Error;
use crate::library::describe::Entry;
use crate::library::mapping::Mapping;
use crate::library::negotiate::PluginFunctions;
use crate::library::token;
use crate::log::logger::{Logger, SinkReplacement, is_log_thread};
use crate::log::sink::LogSink;
use crate::registry::table::{self, Handle, Stateless};
use crate::state::{Deadline, LEAF, OnPanic, PreparedMethod, State};
use crate::storage;

/// One instance, from `create` to the last of its records.
///
/// Invariant: what is `Alive` is what `create` gave, and `plugin.destroy` is called with it once, by whoever moves it from
/// `Alive` to `Destroying`, when no call is inside the slot.
pub(crate) struct Instance {
    pub(crate) handle: Handle,
    pub(crate) name: String,
    /// The bytes to which `plugin_path` of `host` points.
    pub(crate) _path: Vec<u8>,
    pub(crate) mapping: &'static Mapping,
    pub(crate) plugin: &'static PluginFunctions,
    pub(crate) logger: Arc<Logger>,
    pub(crate) on_panic: OnPanic,
    pub(crate) created: Mutex<Lifecycle>,
    /// `created` has changed.
    pub(crate) created_changed: Condvar,
    /// What calls go through, if they are checked; set before any is let in.
    pub(crate) checked: OnceLock<Box<CheckedInstance>>,
    /// What was registered for it, behind its gate while that's open; none if nothing was.
    pub(crate) services: Mutex<Option<Box<Services>>>,
    /// What the plugin holds a pointer to until `destroy` returns; boxed so that it stays where it is.
    pub(crate) host: Box<Host>,
}

// SAFETY: the raw pointers are the plugin's instance, which the ABI lets any thread use, also in `checked`, and those in `host`, which
// point to `name`, to `_path`, to a static and to nothing, and aren't written through.
unsafe impl Send for Instance {}
// SAFETY: as above; all that changes is in locks.
unsafe impl Sync for Instance {}

/// What `create` gave, on its way to `destroy` and beyond.
#[derive(Debug)]
pub(crate) enum Lifecycle {
    /// `create` hasn't returned.
    Awaited,
    Alive {
        address: *mut c_void,
    },
    /// `destroy` runs.
    Destroying,
    /// `destroy` has returned; the closer that goes on from here ends the instance.
    Destroyed {
        failure: Option<Error>,
    },
    /// There is none any more, or `create` failed, and nobody has anything left to do.
    Gone,
}

/// A lock each, so that instances that log don't meet. By slot, as the table of instances is.
static ROSTER: [RwLock<Option<Arc<Instance>>>; 1 << 16] = [const { RwLock::new(None) }; 1 << 16];

/// The instance with this handle, whatever it's doing as long as it isn't gone.
pub(crate) fn find_instance(handle: Handle) -> Result<Arc<Instance>, Error> {
    let refused = || Refusal::of_handle(handle).for_handle(handle);
    // In a forked child the lock of an old instance may be held by a thread that doesn't exist there.
    if matches!(
        INSTANCES.state(handle),
        Err(Stateless::Unused) | Ok(State::Forked | State::Closed)
    ) {
        return Err(refused());
    }
    let found = ROSTER[usize::from(table::index(handle))]
        .read()
        .unwrap_or_else(PoisonError::into_inner)
        .clone();
    found
        .filter(|instance| instance.handle == handle)
        .ok_or_else(|| Refusal::Closed.for_handle(handle))
}

/// Puts an instance under its handle, or takes it away.
pub(crate) fn set_in_roster(handle: Handle, instance: Option<Arc<Instance>>) {
    let old = std::mem::replace(
        &mut *ROSTER[usize::from(table::index(handle))]
            .write()
            .unwrap_or_else(PoisonError::into_inner),
        instance,
    );
    drop(old);
}

impl Instance {
    pub(crate) fn lock_created(&self) -> MutexGuard<'_, Lifecycle> {
        self.created.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn lock_services(&self) -> MutexGuard<'_, Option<Box<Services>>> {
        self.services.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn set_created(&self, created: Lifecycle) {
        *self.lock_created() = created;
        self.created_changed.notify_all();
    }

    pub(crate) fn prepare(
        &self,
        method: &str,
        encoding: Option<Encoding>,
    ) -> Result<PreparedMethod, Error> {
        let description = &self.plugin.description;
        self.resolve(encoding, |encoding| description.entry(method, encoding))
    }

    pub(crate) fn prepare_id(
        &self,
        id: u32,
        encoding: Option<Encoding>,
    ) -> Result<PreparedMethod, Error> {
        let description = &self.plugin.description;
        self.resolve(encoding, |encoding| description.entry_by_id(id, encoding))
    }

    pub(crate) fn prepare_typed(
        &self,
        method: &str,
        fingerprint: &[u8],
        client_schema: &[u8],
    ) -> Result<PreparedMethod, Error> {
        self.check_open()?;
        let description = &self.plugin.description;
        let (entry, told) = description.typed_entry(method, fingerprint, client_schema)?;
        if let Some(told) = told {
            self.logger.tell(Level::Info, &told);
        }
        Ok(self.prepared(entry))
    }

    /// `None` is bytes as they are: raw, else pod.
    fn resolve(
        &self,
        encoding: Option<Encoding>,
        find: impl Fn(Encoding) -> Result<Entry, Error>,
    ) -> Result<PreparedMethod, Error> {
        self.check_open()?;
        let found = match encoding {
            Some(encoding) => find(encoding),
            None => find(Encoding::Raw).or_else(|no_raw| {
                if no_raw.status() != Status::Unimplemented {
                    return Err(no_raw);
                }
                find(Encoding::Pod).map_err(|_| {
                    no_raw.with_advice("bytes go as raw or pod unless another encoding is named")
                })
            }),
        };
        found.map(|entry| self.prepared(entry))
    }

    /// What the plugin says of itself, with schemas.
    pub(crate) fn describe(&self) -> Result<Arc<str>, Error> {
        self.check_open()?;
        Ok(Arc::clone(self.plugin.description.complete()))
    }

    /// The name that it goes by.
    pub(crate) fn name(&self) -> Result<String, Error> {
        self.check_open()?;
        Ok(self.name.to_string())
    }

    /// Whether it isn't on its way out.
    fn check_open(&self) -> Result<(), Error> {
        match INSTANCES.state(self.handle) {
            Ok(State::Active | State::Poisoned) => Ok(()),
            _ => Err(Refusal::of_handle(self.handle).for_handle(self.handle)),
        }
    }

    /// Whether `create` is over.
    fn check_started(&self) -> Result<(), Error> {
        match INSTANCES.state(self.handle) {
            Err(Stateless::Starting) => Err(Refusal::Starting.for_handle(self.handle)),
            _ => Ok(()),
        }
    }

    fn prepared(&self, entry: Entry) -> PreparedMethod {
        let flags = u32::from(entry.flags);
        PreparedMethod {
            entry: token::token(self.plugin.tag, entry.index),
            flags,
            request_size: entry.request_size,
            response_size: entry.response_size,
            item_size: entry.item_size,
            encoding: entry.encoding,
            leaf_limit: if flags & LEAF != 0 {
                storage::leaf_limit(entry.encoding)
            } else {
                0
            },
            storage: storage::first(entry.response_size),
            buffer_limit: storage::KEPT,
        }
    }

    pub(crate) fn set_log_level(&self, level: Level) -> Result<(), Error> {
        self.check_started()?;
        self.logger.set_level(level);
        self.apply_level()
    }

    pub(crate) fn set_log_sink(
        &self,
        sink: Option<Box<dyn LogSink>>,
        timeout: Duration,
    ) -> Result<(), Error> {
        self.check_started()?;
        let replaced = self.logger.set_sink(sink, Deadline::after(timeout));
        if replaced == SinkReplacement::Stopping {
            return Err(Refusal::Closing.for_handle(self.handle));
        }
        // The sink is taken, so this is no failure any more: whoever was told of one would take the sink for dropped. What
        // is being destroyed has no use for the level.
        let _ = self.apply_level();
        if replaced == SinkReplacement::Done {
            return Ok(());
        }
        Err(Error::new(
            Status::DeadlineExceeded,
            "SinkBusy",
            format!(
                "the log sink of instance `{}` was replaced, but hasn't returned from its last record within {} ms; it will be dropped when it returns",
                self.name,
                timeout.as_millis()
            ),
        ))
    }

    pub(crate) fn flush_logs(&self, timeout: Duration) -> Result<(), Error> {
        if self.logger.flush(Deadline::after(timeout)) {
            return Ok(());
        }
        let why = if is_log_thread() {
            "a log sink can't wait for itself: flush from another thread".to_owned()
        } else {
            format!(
                "not every record was delivered within {} ms: the sink hasn't returned, or is slow",
                timeout.as_millis()
            )
        };
        Err(Error::new(
            Status::DeadlineExceeded,
            "StillWaiting",
            format!(
                "records of instance `{}` wait for its log sink: {why}",
                self.name
            ),
        ))
    }

    /// Publishes the level that holds now, and tells a plugin that wants to know.
    fn apply_level(&self) -> Result<(), Error> {
        // Under the lock, so that `destroy` can't begin meanwhile and the slot can't be another instance's.
        let created = self.lock_created();
        let Lifecycle::Alive { address } = *created else {
            return Err(Refusal::Closed.for_handle(self.handle));
        };
        let level = self.logger.effective_level();
        if log_level(self.handle).swap(level, Ordering::Relaxed) != level
            && let Some(level_changed) = self.plugin.level_changed
        {
            // SAFETY: the created is alive until the lock is released, by the invariant.
            unsafe { level_changed(address) };
        }
        Ok(())
    }
}
