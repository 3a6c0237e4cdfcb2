//! Instances by handle: the functions the bindings are made of. Rust hosts use [`Plugin`](crate::Plugin), which is made
//! of them too.
//!
//! Each takes any number as a handle and answers with an error to one that isn't valid (any more).

use std::ffi::c_void;
use std::fmt;
use std::ptr;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant};

use rustbridge_abi::{
    ABI_VERSION, Encoding, Host, Level, LogRecord, RB_HOST_BACKTRACE, RB_OK, Response, Status, Text,
};

pub use crate::inspect::inspect;

use crate::close;
use crate::describe::{ENTRY_LEAF, Entry, FLAG_ASYNC, FLAG_LEAF};
use crate::error::Error;
use crate::load::OnPanic;
use crate::log::{LogSink, Logger, OwnedRecord, Stop, is_log_thread};
use crate::mapping::Mapping;
use crate::negotiate::{Negotiated, bytes_of};
use crate::slot::{Condition, Target};
use crate::table::{self, Handle};
use crate::{fork, raw};

/// Bit of [`Prepared::flags`]: the method may be called with [`raw::call_leaf`].
pub const LEAF: u32 = FLAG_LEAF as u32;
/// Bit of [`Prepared::flags`]: the handler is async; the call still returns when it's done.
pub const ASYNC: u32 = FLAG_ASYNC as u32;

/// What an instance is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
#[non_exhaustive]
pub enum State {
    /// It takes calls.
    Active = 1,
    /// A panic in it made it refuse calls, as [`OnPanic::Poison`] asks.
    Poisoned = 2,
    /// It takes no more calls; some may still run.
    Closing = 3,
    /// It's gone.
    Closed = 4,
    /// It was loaded before this process was forked, so it lives in the parent only.
    Forked = 5,
}

impl State {
    /// The state's name in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            State::Active => "active",
            State::Poisoned => "poisoned",
            State::Closing => "closing",
            State::Closed => "closed",
            State::Forked => "forked",
        }
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A method in one encoding, resolved for calling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prepared {
    /// What [`raw::call`] takes. Good for every instance of the same mapped library.
    pub entry: u32,
    /// [`LEAF`] and [`ASYNC`].
    pub flags: u32,
    /// Size of the request in bytes, where it's fixed (pod).
    pub request_size: Option<usize>,
    /// Size of the response in bytes, where it's fixed (pod).
    pub response_size: Option<usize>,
}

/// One instance, from `create` to the end of its log thread.
///
/// Invariant: `object` is what `create` gave, and `plugin.destroy` is called with it once, by whoever moves `phase`
/// from `Alive` to `Destroying`, when no call is inside the slot.
pub(crate) struct Instance {
    pub(crate) handle: Handle,
    pub(crate) name: String,
    pub(crate) mapping: &'static Mapping,
    pub(crate) plugin: &'static Negotiated,
    pub(crate) logger: Arc<Logger>,
    pub(crate) on_panic: OnPanic,
    pub(crate) phase: Mutex<Phase>,
    /// `phase` has changed.
    pub(crate) phase_changed: Condvar,
    /// What the plugin holds a pointer to until `destroy` returns; boxed so that it stays where it is.
    host: Box<Host>,
}

// SAFETY: the raw pointers are the plugin's instance, which the ABI lets any thread use, and those in `host`, which
// point to `name`, to a static and to nothing, and aren't written through.
unsafe impl Send for Instance {}
// SAFETY: as above; all that changes is in locks.
unsafe impl Sync for Instance {}

/// How far an instance has got on its way.
#[derive(Debug)]
pub(crate) enum Phase {
    Creating,
    Alive { object: *mut c_void },
    Destroying,
    Destroyed { failure: Option<Error> },
    Gone,
}

/// Every instance by its slot, for all that isn't a call. A lock each, so that instances that log don't meet.
static ROSTER: [RwLock<Option<Arc<Instance>>>; 1 << 16] = [const { RwLock::new(None) }; 1 << 16];

/// The instance with this handle, whatever it's doing as long as it isn't gone.
pub(crate) fn find(handle: Handle) -> Result<Arc<Instance>, Error> {
    let condition = table::condition(handle);
    // In a forked child the lock of an old instance may be held by a thread that doesn't exist there.
    if matches!(
        condition,
        Condition::Unused | Condition::Forked | Condition::Closed
    ) {
        return Err(table::refusal(handle, condition));
    }
    let found = ROSTER[usize::from(table::index(handle))]
        .read()
        .unwrap_or_else(PoisonError::into_inner)
        .clone();
    found
        .filter(|instance| instance.handle == handle)
        .ok_or_else(|| table::refusal(handle, Condition::Closed))
}

pub(crate) fn set_in_roster(handle: Handle, instance: Option<Arc<Instance>>) {
    let old = std::mem::replace(
        &mut *ROSTER[usize::from(table::index(handle))]
            .write()
            .unwrap_or_else(PoisonError::into_inner),
        instance,
    );
    drop(old);
}

/// What `create` is given.
pub(crate) struct Start {
    pub(crate) mapping: &'static Mapping,
    pub(crate) plugin: &'static Negotiated,
    pub(crate) name: String,
    pub(crate) config: Vec<u8>,
    pub(crate) on_panic: OnPanic,
    pub(crate) backtrace: bool,
    pub(crate) level: Level,
    pub(crate) sink: Option<Box<dyn LogSink>>,
    pub(crate) log_capacity: usize,
}

/// Makes an instance and lets calls in.
pub(crate) fn start(start: Start) -> Result<Arc<Instance>, Error> {
    fork::watch();
    let handle = table::reserve()?;
    let slot = table::slot(handle);
    let logger = Arc::new(Logger::new(
        start.name.clone(),
        start.log_capacity,
        start.level,
        start.sink,
    ));
    slot.log_level()
        .store(logger.effective_level(), Ordering::Relaxed);
    let host = Box::new(Host {
        size: size_of::<Host>() as u32,
        abi_version: ABI_VERSION,
        context: handle as *mut c_void,
        flags: if start.backtrace {
            RB_HOST_BACKTRACE
        } else {
            0
        },
        reserved: 0,
        // The bytes of a `String` stay where they are when the `String` moves, and nobody changes it.
        instance_name: Text::new(&start.name),
        log_level: ptr::from_ref(slot.log_level()).cast(),
        log: Some(take_record),
    });
    let instance = Arc::new(Instance {
        handle,
        name: start.name,
        mapping: start.mapping,
        plugin: start.plugin,
        logger,
        on_panic: start.on_panic,
        phase: Mutex::new(Phase::Creating),
        phase_changed: Condvar::new(),
        host,
    });
    set_in_roster(handle, Some(Arc::clone(&instance)));

    let mut object = ptr::null_mut();
    let mut response = Response::empty();
    let config = if start.config.is_empty() {
        ptr::null()
    } else {
        start.config.as_ptr()
    };
    // SAFETY: `host` lives until the instance is dropped, which is after `destroy`; the config is readable, the
    // two out-parameters are writable.
    let status = unsafe {
        (instance.plugin.create)(
            &*instance.host,
            config,
            start.config.len(),
            &mut object,
            &mut response,
        )
    };
    // SAFETY: the plugin filled the response in.
    let error =
        (status != RB_OK).then(|| Error::from_payload(status, unsafe { bytes_of(&response) }));
    // SAFETY: filled in by the plugin, released once.
    unsafe { raw::release(&mut response) };
    if let Some(error) = error {
        // What the plugin logged about its failure is what the host wants to read now.
        slot.log_level().store(0, Ordering::Relaxed);
        instance
            .logger
            .stop(close::deadline(Duration::from_secs(1)));
        instance.set_phase(Phase::Gone);
        set_in_roster(handle, None);
        table::free(handle);
        return Err(error);
    }
    // SAFETY: the slot is reserved for us and not open yet.
    unsafe {
        slot.set_target(Target {
            call: Some(instance.plugin.call),
            instance: object,
            flags: instance.plugin.description.flags.as_ptr(),
            base: instance.plugin.base(),
            count: instance.plugin.count(),
        });
    }
    instance.set_phase(Phase::Alive { object });
    // Opened first: what is active can be closed, by whoever reads the handle in the ledger, and must not be opened after
    // that.
    slot.open(handle);
    let generation = table::generation(handle);
    if !slot.change_condition(generation, Condition::Starting, Condition::Active) {
        // `create` has forked and this is the child.
        slot.shut(handle);
        return Err(table::refusal(handle, table::condition(handle)));
    }
    Ok(instance)
}

/// `Host::log`: takes a record from a plugin, which may call it on any thread at any time, also too late.
unsafe extern "C" fn take_record(context: *mut c_void, record: *const LogRecord) {
    let handle = context as Handle;
    // SAFETY: null or a valid record, by the ABI.
    let Some(record) = (unsafe { record.as_ref() }) else {
        return;
    };
    // Looked at first: the level of what is closed or forked is off, and then no lock is touched.
    if record.level > table::slot(handle).log_level().load(Ordering::Relaxed) {
        return;
    }
    if let Ok(instance) = find(handle)
        // SAFETY: the texts are valid until we return, by the ABI.
        && let Some(record) = unsafe { OwnedRecord::copy(record) }
    {
        instance.logger.enqueue(record);
    }
}

/// What a panic in a call has for consequences: the instance is poisoned if it was asked for, and what the plugin logged
/// about it reaches the host before the host sees the failed call.
pub(crate) fn after_panic(handle: Handle, leaf: bool) {
    let Ok(instance) = find(handle) else { return };
    if instance.on_panic == OnPanic::Poison {
        let slot = table::slot(handle);
        let generation = table::generation(handle);
        if slot.change_condition(generation, Condition::Active, Condition::Poisoned) {
            slot.shut(handle);
        }
    }
    // A leaf call may hold off the host's garbage collector, which the sink may need.
    if !leaf && !is_log_thread() {
        instance
            .logger
            .flush(close::deadline(Duration::from_millis(50)));
    }
}

/// Why an entry token isn't one of this instance's; `None` if it is.
pub(crate) fn entry_refusal(handle: Handle, index: u32, tag: u32, leaf: bool) -> Option<Error> {
    let instance = match find(handle) {
        Ok(instance) => instance,
        Err(error) => return Some(error),
    };
    let description = &instance.plugin.description;
    if tag != u32::from(instance.plugin.tag) {
        return Some(Error::new(
            Status::NotFound,
            "UnknownEntry",
            format!(
                "the entry is not one of plugin `{}`: prepare the method with this instance, or with another one of the same library",
                description.name
            ),
        ));
    }
    if !description.has_index(index) {
        return Some(Error::new(
            Status::NotFound,
            "UnknownEntry",
            format!(
                "plugin `{}` has no entry {index}: prepare the method by its name",
                description.name
            ),
        ));
    }
    if leaf && description.flags[index as usize] & FLAG_LEAF == 0 {
        let method = description.name_of(index as u16).unwrap_or_default();
        return Some(Error::new(
            Status::FailedPrecondition,
            "NotLeaf",
            format!(
                "`{method}` is not declared leaf, so it may block or call back: use the ordinary call"
            ),
        ));
    }
    None
}

impl Instance {
    pub(crate) fn lock_phase(&self) -> MutexGuard<'_, Phase> {
        self.phase.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn set_phase(&self, phase: Phase) {
        *self.lock_phase() = phase;
        self.phase_changed.notify_all();
    }

    pub(crate) fn prepare(&self, method: &str, encoding: Encoding) -> Result<Prepared, Error> {
        self.check_open()?;
        self.plugin
            .description
            .entry(method, encoding)
            .map(|entry| self.prepared(entry))
    }

    pub(crate) fn prepare_id(&self, id: u32, encoding: Encoding) -> Result<Prepared, Error> {
        self.check_open()?;
        self.plugin
            .description
            .entry_by_id(id, encoding)
            .map(|entry| self.prepared(entry))
    }

    /// Whether it isn't on its way out.
    fn check_open(&self) -> Result<(), Error> {
        match table::condition(self.handle) {
            Condition::Active | Condition::Poisoned => Ok(()),
            condition => Err(table::refusal(self.handle, condition)),
        }
    }

    fn prepared(&self, entry: Entry) -> Prepared {
        let leaf = entry.flags & FLAG_LEAF != 0;
        Prepared {
            entry: self.plugin.base() | if leaf { ENTRY_LEAF } else { 0 } | u32::from(entry.index),
            flags: u32::from(entry.flags),
            request_size: entry.request_size,
            response_size: entry.response_size,
        }
    }

    /// Publishes the level that holds now, and tells a plugin that wants to know.
    fn apply_level(&self) -> Result<(), Error> {
        // Under the lock, so that `destroy` can't begin meanwhile and the slot can't be another instance's.
        let phase = self.lock_phase();
        let Phase::Alive { object } = *phase else {
            return Err(table::refusal(self.handle, Condition::Closed));
        };
        let level = self.logger.effective_level();
        let place = table::slot(self.handle).log_level();
        if place.swap(level, Ordering::Relaxed) != level
            && let Some(level_changed) = self.plugin.level_changed
        {
            // SAFETY: the instance is alive until the lock is released, by `phase`'s invariant.
            unsafe { level_changed(object) };
        }
        Ok(())
    }
}

/// Resolves a method by its name. `NOT_FOUND` if there is none, `UNIMPLEMENTED` if it doesn't have this encoding.
///
/// # Errors
/// As above, and for the handle.
pub fn prepare(handle: Handle, method: &str, encoding: Encoding) -> Result<Prepared, Error> {
    find(handle)?.prepare(method, encoding)
}

/// Resolves a method by its numeric id; otherwise as [`prepare`].
///
/// # Errors
/// As for [`prepare`].
pub fn prepare_id(handle: Handle, id: u32, encoding: Encoding) -> Result<Prepared, Error> {
    find(handle)?.prepare_id(id, encoding)
}

/// The plugin's description: the JSON object as the plugin wrote it.
///
/// # Errors
/// For the handle.
pub fn describe(handle: Handle) -> Result<Arc<str>, Error> {
    let instance = find(handle)?;
    instance.check_open()?;
    Ok(Arc::clone(&instance.plugin.description.text))
}

/// What the instance is doing. Answers for good: closed stays closed.
///
/// # Errors
/// For a handle that was never issued.
pub fn state(handle: Handle) -> Result<State, Error> {
    match table::condition(handle) {
        Condition::Active => Ok(State::Active),
        Condition::Poisoned => Ok(State::Poisoned),
        Condition::Closing => Ok(State::Closing),
        Condition::Closed => Ok(State::Closed),
        Condition::Forked => Ok(State::Forked),
        condition @ (Condition::Unused | Condition::Starting) => {
            Err(table::refusal(handle, condition))
        }
    }
}

/// Closes an instance: refuses further calls, waits for those that run, destroys it, delivers its log records and drops
/// its sink, all within `timeout` ([`Duration::MAX`] waits for good).
///
/// What the plugin's own destructor takes isn't limited by the timeout.
///
/// # Errors
/// * `DEADLINE_EXCEEDED`: calls still run, or the log sink hasn't returned. The message and the details (`running`: method
///   and thread of each) say what. The instance stays closing; close again to go on waiting.
/// * `FAILED_PRECONDITION`: called from inside a call of the same instance, which would wait for itself; or forked.
/// * `UNAVAILABLE`: closed already. `INVALID_ARGUMENT`: no such handle.
/// * What the plugin's destructor failed with; the instance is closed all the same.
pub fn close(handle: Handle, timeout: Duration) -> Result<(), Error> {
    close::close(handle, timeout)
}

/// Changes the level up to which records are wanted, from the next record on.
///
/// # Errors
/// For the handle.
pub fn set_log_level(handle: Handle, level: Level) -> Result<(), Error> {
    let instance = find(handle)?;
    instance.logger.set_level(level);
    instance.apply_level()
}

/// Changes where records go; `None` drops them, and then the plugin makes none.
///
/// When it returns, the old sink isn't called any more and is dropped. So it waits for a record that is being delivered:
/// don't hold a lock that the old sink takes. Called from the old sink itself it doesn't wait, and the old one is dropped
/// when it returns. Records that wait in the queue go to the new sink.
///
/// # Errors
/// For the handle.
pub fn set_log_sink(handle: Handle, sink: Option<Box<dyn LogSink>>) -> Result<(), Error> {
    let instance = find(handle)?;
    instance
        .logger
        .set_sink(sink)
        .map_err(|_| table::refusal(handle, Condition::Closing))?;
    instance.apply_level()
}

/// Waits until the records that were made so far are delivered. `false` if the time was over first, or if called from
/// a sink, which would wait for itself.
///
/// # Errors
/// For the handle.
pub fn flush_logs(handle: Handle, timeout: Duration) -> Result<bool, Error> {
    Ok(find(handle)?.logger.flush(close::deadline(timeout)))
}

/// The end of an instance: called once, by the closer that found it destroyed.
pub(crate) fn stop_logging(instance: &Instance, deadline: Option<Instant>) -> Result<(), Error> {
    match instance.logger.stop(deadline) {
        Stop::Done | Stop::AfterThisRecord => Ok(()),
        Stop::TimedOut { waiting } => Err(Error::new(
            Status::DeadlineExceeded,
            "SinkBusy",
            format!(
                "instance `{}` is destroyed, but its log sink hasn't returned and {waiting} records wait for it; close again to go on waiting",
                instance.name
            ),
        )
        .with_details(Error::detail("waiting_records", waiting))),
    }
}
