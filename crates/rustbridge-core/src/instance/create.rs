//! Makes an instance: reserves its handle, has the plugin create it, and lets calls in.

use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Condvar, Mutex, OnceLock};
use std::thread;
use std::time::Duration;

use rustbridge_abi::{Host, Level, LogRecord, RB_HOST_BACKTRACE, Status, Text};

use super::checked_instance::{self, CheckedInstance};
use super::extension::extension;
use super::refusal::Refusal;
use super::roster::{Instance, Lifecycle, find_instance, set_in_roster};
use super::services::registered::{RegisteredService, Services, release_services};
use super::services::{self, gate, resolving_service};
use super::target::{Extra, INSTANCES, Target, log_level};
use crate::async_call::objects;
use crate::error::Error;
use crate::library::mapping::Mapping;
use crate::library::negotiate::{CallFn, PluginFunctions};
use crate::log::logger::Logger;
use crate::log::sink::LogSink;
use crate::registry::table::{self, CAPACITY, Handle};
use crate::response::tell;
use crate::state::{Deadline, OnPanic, State};

/// What `create` is given.
pub(crate) struct Start {
    pub(crate) mapping: &'static Mapping,
    pub(crate) plugin: &'static PluginFunctions,
    pub(crate) name: String,
    /// The path of the library's file, as the plugin receives it; empty if there's no file.
    pub(crate) path: Vec<u8>,
    pub(crate) config: Vec<u8>,
    pub(crate) on_panic: OnPanic,
    pub(crate) backtrace: bool,
    pub(crate) level: Level,
    pub(crate) sink: Option<Box<dyn LogSink>>,
    pub(crate) log_capacity: usize,
    /// How many threads there may be for plain handlers, and as many for services; 0 for the default.
    pub(crate) threads: u32,
    pub(crate) services: Vec<RegisteredService>,
    /// What the typed client was written from that loads; empty if none does.
    pub(crate) client_schema: Vec<u8>,
}

/// Makes an instance and lets calls in.
pub(crate) fn start(mut start: Start) -> Result<Arc<Instance>, Error> {
    if !start.config.is_empty() && !start.plugin.description.checks_itself {
        checked_instance::check_config(start.plugin, &start.config)?;
    }
    let mut services = Box::new(Services::take(
        std::mem::take(&mut start.services),
        start.plugin,
        start.threads,
    )?);
    let told = resolving_service::resolve(&mut services, &start.client_schema)?;
    let handle = INSTANCES.reserve().ok_or_else(too_many)?;
    let host = Box::new(host_table(handle, &start));
    let logger = Arc::new(Logger::new(
        start.name.clone(),
        handle,
        start.log_capacity,
        start.level,
        start.sink.take(),
    ));
    for message in told {
        logger.tell(Level::Info, &message);
    }
    log_level(handle).store(logger.effective_level(), Ordering::Relaxed);
    let instance = Arc::new(Instance {
        handle,
        name: start.name,
        _path: start.path,
        mapping: start.mapping,
        plugin: start.plugin,
        logger,
        on_panic: start.on_panic,
        created: Mutex::new(Lifecycle::Awaited),
        created_changed: Condvar::new(),
        checked: OnceLock::new(),
        services: Mutex::new((!services.is_empty()).then_some(services)),
        host,
    });
    if let Some(services) = &*instance.lock_services() {
        // SAFETY: the handle is ours, and the box is given up only when nobody is inside.
        unsafe { gate::open(handle, services) };
    }
    set_in_roster(handle, Some(Arc::clone(&instance)));

    match call_create(&instance, &start.config) {
        Ok(address) => open(&instance, address)?,
        Err(error) => {
            give_up(&instance);
            return Err(error);
        }
    }
    Ok(instance)
}

/// Returns the table for the plugin. It points to the bytes of `start.name` and `start.path`, whose address stays the same when their
/// owners move.
fn host_table(handle: Handle, start: &Start) -> Host {
    Host {
        context: handle as *mut c_void,
        flags: if start.backtrace {
            RB_HOST_BACKTRACE
        } else {
            0
        },
        threads: start.threads.into(),
        instance_name: Text::new(&start.name),
        log_level: ptr::from_ref(log_level(handle)).cast(),
        log: Some(take_record),
        extension: Some(extension),
        plugin_path: if start.path.is_empty() {
            Text::empty()
        } else {
            Text {
                data: start.path.as_ptr().cast(),
                len: start.path.len(),
            }
        },
        ..Host::EMPTY
    }
}

/// Calls the plugin's `create`.
fn call_create(instance: &Instance, config: &[u8]) -> Result<*mut c_void, Error> {
    let mut address = ptr::null_mut();
    let bytes = if config.is_empty() {
        ptr::null()
    } else {
        config.as_ptr()
    };
    // SAFETY: `host` lives until the instance is dropped, which is after `destroy`; the config is readable, the
    // two out-parameters are writable.
    unsafe {
        tell(
            || instance.plugin.whose("create"),
            |error| {
                (instance.plugin.create)(
                    instance.plugin.context.0,
                    &*instance.host,
                    bytes,
                    config.len(),
                    &mut address,
                    error,
                )
            },
        )
    }?;
    Ok(address)
}

/// Ends an instance whose `create` has failed.
#[cold]
fn give_up(instance: &Instance) {
    let handle = instance.handle;
    // Delivers what the plugin logged about its failure.
    log_level(handle).store(0, Ordering::Relaxed);
    instance
        .logger
        .stop(Deadline::after(Duration::from_secs(1)));
    instance.set_created(Lifecycle::Gone);
    set_in_roster(handle, None);
    let services = instance.lock_services().take();
    if services.is_none() || is_left_alone(handle) {
        release_services(services);
        INSTANCES.free(handle);
    } else {
        // A thread of the plugin is inside a function of the host and hasn't returned, so the handle and the services are
        // leaked: the thread may use them.
        std::mem::forget(services);
    }
}

/// Opens the instance for calls. `address` is the value that `create` returned.
fn open(instance: &Instance, address: *mut c_void) -> Result<(), Error> {
    let handle = instance.handle;
    let slot = INSTANCES.slot(handle);
    let (call, callee) = if instance.plugin.description.has_pod_sizes() {
        let checked = instance.checked.get_or_init(|| {
            Box::new(CheckedInstance {
                call: instance.plugin.call,
                instance: address,
                plugin: instance.plugin,
            })
        });
        // It lives as long as the instance, which is longer than any call.
        let callee = ptr::from_ref::<CheckedInstance>(checked).cast_mut().cast();
        (checked_instance::call as CallFn, callee)
    } else {
        (instance.plugin.call, address)
    };
    Extra::set(handle, instance.plugin, address);
    // SAFETY: the slot is reserved for us and not open yet.
    unsafe {
        slot.set_target(Target {
            call: Some(call),
            instance: callee,
            flags: instance.plugin.description.flags.as_ptr(),
            base: instance.plugin.base(),
            count: instance.plugin.count(),
        });
    }
    objects::set_drop(handle, instance.plugin.drop_object, address);
    instance.set_created(Lifecycle::Alive { address });
    // Open the slot first. Once the instance is active, a thread that finds the handle in `inspect`'s report can close it, and
    // the slot must not be opened after that.
    slot.open(handle);
    let generation = table::generation(handle);
    if !slot.change_state(generation, None, State::Active) {
        // `create` has forked and this is the child.
        slot.shut(handle);
        return Err(Refusal::of_handle(handle).for_handle(handle));
    }
    Ok(())
}

/// Whether no thread is in a service call any more of an instance that couldn't be created.
#[cold]
fn is_left_alone(handle: Handle) -> bool {
    services::call::end_services(handle);
    let deadline = Deadline::after(Duration::from_secs(1));
    while !gate::is_empty(handle) {
        if deadline.is_over() {
            return false;
        }
        thread::sleep(Duration::from_millis(1));
    }
    true
}

#[cold]
fn too_many() -> Error {
    Error::new(
        Status::ResourceExhausted,
        "TooManyInstances",
        format!(
            "{CAPACITY} instances are open in this process, which is the limit: close some before loading more"
        ),
    )
}

/// `Host::log`: takes a record from a plugin, which may call it on any thread at any time, also too late.
unsafe extern "C" fn take_record(context: *mut c_void, record: *const LogRecord) {
    let handle = context as Handle;
    if record.is_null() || !record.is_aligned() {
        return;
    }
    // SAFETY: every version's record has a level. No reference is made: a shorter record than ours may end anywhere.
    let level = unsafe { (&raw const (*record).level).read() };
    // Looked at first: the level of what is closed or forked is off, and then no lock is touched.
    if level > log_level(handle).load(Ordering::Relaxed) {
        return;
    }
    if let Ok(instance) = find_instance(handle) {
        // SAFETY: the record is as long as it says and its texts are valid until we return, by the ABI.
        unsafe { instance.logger.take(record) };
    }
}
