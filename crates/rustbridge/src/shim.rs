//! The five functions of the plugin table, monomorphised for one plugin, and its entry point for static linking.

use std::ffi::{CStr, c_char, c_void};
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::{ptr, slice};

use rustbridge_abi::{
    self as abi, ABI_MAJOR, CallContext, Encoding, EntryPoint, PluginTable, RB_EXTENSION_ASYNC,
    RB_EXTENSION_LOG, RB_EXTENSION_OBJECTS, RB_OK, Response, Status, StatusCode,
};

use crate::instance::{Core, Instance};
use crate::logging::{self, ambient};
use crate::methods::{ENCODINGS, MethodInfo, unknown_entry};
use crate::operation::Operations;
use crate::response::{Reply, with_response};
use crate::signature::Entry;
use crate::{Error, Host, Plugin, entry, object, panics};

/// The table of plugin `P`.
#[derive(Debug)]
pub struct Table<P>(PhantomData<P>);

impl<P: Plugin> Table<P> {
    /// The table that the exported symbol returns.
    pub const TABLE: &'static PluginTable = &PluginTable {
        describe: Some(describe::<P>),
        create: Some(create::<P>),
        call: Some(call::<P>),
        destroy: Some(destroy::<P>),
        extension: Some(extension::<P>),
        ..PluginTable::EMPTY
    };
}

/// Returns the entry point of a plugin that's linked into the host's own binary, for the core's `Load::linked`.
///
/// A loaded library exports its entry point as `rustbridge_plugin`. A binary can have only one symbol of that name, but
/// any number of these functions.
///
/// ```
/// use rustbridge::prelude::*;
///
/// #[derive(Default)]
/// struct Clock;
///
/// #[plugin(name = "clock", export = false)]
/// impl Clock {
///     /// Returns the length of a minute in seconds.
///     pub fn minute(&self) -> u32 {
///         60
///     }
/// }
///
/// let entry_point: rustbridge::EntryPoint = rustbridge::entry_point::<Clock>();
/// assert_eq!(Clock::NAME, "clock");
/// # let _ = entry_point;
/// ```
#[must_use]
pub fn entry_point<P: Plugin>() -> EntryPoint {
    linked::<P>
}

unsafe extern "C" fn linked<P: Plugin>(_host_abi_version: u32) -> *const PluginTable {
    logging::live::set_linked();
    Table::<P>::TABLE
}

/// Runs `body` with a temporary response if the caller passed none, and converts a panic to an error payload.
///
/// # Safety
/// `response` is null or a response that the caller owns.
unsafe fn answered(
    response: *mut Response,
    body: impl FnOnce() -> Result<(), Error>,
) -> StatusCode {
    // SAFETY: passed on; the closure uses the response only as `Reply` does, and makes the one after a panic behind the first.
    unsafe {
        with_response(response, |response| {
            let reply = Reply::new(response);
            // An error is the author's, too: it's asked what it is, and dropped, where a panic can do no harm.
            let answer = || match body() {
                Ok(()) => RB_OK,
                Err(error) => reply.error(&error),
            };
            match catch_unwind(AssertUnwindSafe(answer)) {
                Ok(status) => status,
                Err(payload) => panics::report(payload, Reply::after_panic(response)),
            }
        })
    }
}

unsafe extern "C" fn describe<P: Plugin>(
    _context: *mut c_void,
    response: *mut Response,
) -> StatusCode {
    // SAFETY: the caller's response is as the ABI says.
    unsafe {
        with_response(response, |response| {
            let describe = || Reply::new(response).json(&crate::describe::describe::<P>());
            match catch_unwind(AssertUnwindSafe(describe)) {
                Ok(status) => status,
                Err(payload) => panics::report(payload, Reply::after_panic(response)),
            }
        })
    }
}

unsafe extern "C" fn create<P: Plugin>(
    _context: *mut c_void,
    host: *const abi::Host,
    config: *const u8,
    config_len: usize,
    instance: *mut *mut c_void,
    error: *mut Response,
) -> StatusCode {
    let body = || {
        // SAFETY: the caller's host table is as the ABI says.
        let host = unsafe { checked_host(host, P::NAME) }?;
        if instance.is_null() {
            return Err(refused("the place for the instance is null"));
        }
        let config = if config.is_null() || config_len == 0 {
            &[][..]
        } else {
            // SAFETY: the caller's config is readable during the call.
            unsafe { slice::from_raw_parts(config, config_len) }
        };
        let made = make::<P>(&host, config)?;
        // SAFETY: not null, and the ABI says it's writable.
        unsafe { instance.write(Box::into_raw(made).cast()) };
        Ok(())
    };
    // SAFETY: the caller's response is as the ABI says.
    unsafe { answered(error, body) }
}

/// # Safety
/// `host` is null or a host table by the ABI's rules, perhaps of another version.
unsafe fn checked_host(host: *const abi::Host, plugin_name: &'static str) -> Result<Host, Error> {
    if host.is_null() {
        return Err(refused("the host table is null"));
    }
    // SAFETY: not null; the first two fields are the same in every version.
    let (size, version) = unsafe { ((*host).size, (*host).abi_version) };
    // SAFETY: the table is as long as it says.
    let table = unsafe { abi::read(host) };
    match table {
        // SAFETY: a table of our major version, whose fields of after 1.0 are zero where the host has none.
        Ok(table) if abi::abi_major(version) == ABI_MAJOR => unsafe {
            Ok(Host::from_abi(&table, plugin_name))
        },
        _ => Err(Error::new(
            Status::FailedPrecondition,
            format!(
                "the plugin requires ABI {ABI_MAJOR}.{} and needs a host table of at least {} bytes, \
                 but the host offers ABI {}.{} and {size} bytes",
                abi::ABI_MINOR,
                <abi::Host as abi::Growing>::SIZE_1_0,
                abi::abi_major(version),
                abi::abi_minor(version),
            ),
        )
        .with_type("rustbridge.AbiMismatch")),
    }
}

fn refused(why: &'static str) -> Error {
    Error::invalid_argument(why).with_type("rustbridge.InvalidArgument")
}

/// Removes the instance from the list of live instances, unless its creation succeeded.
struct Registration<'a>(Option<&'a Host>);

impl Drop for Registration<'_> {
    fn drop(&mut self) {
        if let Some(host) = self.0 {
            logging::live::remove(host);
        }
    }
}

fn make<P: Plugin>(host: &Host, config: &[u8]) -> Result<Box<Instance<P>>, Error> {
    panics::install_hook();
    logging::install();
    logging::live::add(host);
    let mut registration = Registration(Some(host));
    // Marked whether or not calls are: until now another instance may have been the only one.
    let _scope = ambient::Scope::enter(host.clone());
    let core = Core::new(host.clone());
    let value = P::create_from(config, host)?;
    #[cfg(feature = "async")]
    crate::runtime::configure(host, P::WORKERS, value.brought_runtime())?;
    registration.0 = None;
    Ok(Box::new(Instance { value, core }))
}

unsafe extern "C" fn call<P: Plugin>(
    instance: *mut c_void,
    entry: u32,
    header: *const CallContext,
    request: *const u8,
    request_len: usize,
    response: *mut Response,
) -> StatusCode {
    let run = P::ENTRIES
        .get(entry as usize)
        .copied()
        .unwrap_or(unknown_entry);
    if response.is_null() {
        // SAFETY: the parameters are the caller's.
        return unsafe { unanswered(instance, entry, header, request, request_len, run) };
    }
    // SAFETY: the parameters are the caller's, as the ABI says, and the entry is of this plugin's table.
    unsafe { entry::run(run, instance, entry, header, request, request_len, response) }
}

/// Runs a call whose caller passed no response.
///
/// # Safety
/// As `PluginTable::call` requires, and `run` is the entry. It's the last parameter, so that the shim needn't move the
/// others.
#[cold]
#[inline(never)]
unsafe extern "C" fn unanswered(
    instance: *mut c_void,
    entry: u32,
    header: *const CallContext,
    request: *const u8,
    request_len: usize,
    run: Entry,
) -> StatusCode {
    // SAFETY: null is allowed there, and the rest is the caller's.
    unsafe {
        with_response(ptr::null_mut(), |response| {
            entry::run(run, instance, entry, header, request, request_len, response)
        })
    }
}

/// The entry of stream methods: it returns an error, because streams need `start`.
///
/// # Safety
/// See [`Entry`].
pub unsafe extern "C" fn only_stream<P: Plugin>(
    _instance: *mut c_void,
    entry: u32,
    _header: *const CallContext,
    _request: *const u8,
    _request_len: usize,
    response: *mut Response,
) -> StatusCode {
    // SAFETY: the caller of an entry passes a response it owns.
    let reply = unsafe { Reply::new(response) };
    reply.error(&stream_only(P::METHODS, entry as usize))
}

// Not generic, so that it's compiled once.
#[cold]
fn stream_only(methods: &[MethodInfo], entry: usize) -> Error {
    let name = methods.get(entry / ENCODINGS).map_or("", |info| info.name);
    let encoding = Encoding::ALL[entry % ENCODINGS];
    Error::new(
        Status::Unimplemented,
        format!("`{name}` ({encoding}) is a streaming method: open a stream instead of calling it"),
    )
    .with_type("rustbridge.StreamOnly")
}

unsafe extern "C" fn destroy<P: Plugin>(instance: *mut c_void, error: *mut Response) -> StatusCode {
    let body = || {
        if instance.is_null() {
            return Err(refused("the instance is null"));
        }
        // SAFETY: `create` made it, and the ABI says that it's destroyed once and not called meanwhile.
        let instance = unsafe { Box::from_raw(instance.cast::<Instance<P>>()) };
        let Instance { value, core } = *instance;
        let host = core.host().clone();
        let _registration = Registration(Some(&host));
        let _scope = ambient::Scope::enter(host.clone());
        // The value first: its tasks on the runtime may be what it waits for in its destructor. Should that panic, the
        // rest goes all the same.
        drop(value);
        drop(core);
        Ok(())
    };
    // SAFETY: the caller's response is as the ABI says.
    unsafe { answered(error, body) }
}

unsafe extern "C" fn extension<P: Plugin>(
    _context: *mut c_void,
    name: *const c_char,
) -> *const c_void {
    if name.is_null() {
        return ptr::null();
    }
    // SAFETY: not null, and the ABI says that it's terminated.
    let name = unsafe { CStr::from_ptr(name) };
    if name == RB_EXTENSION_LOG {
        ptr::from_ref(&logging::EXTENSION).cast()
    } else if name == RB_EXTENSION_ASYNC {
        ptr::from_ref(Operations::<P>::TABLE).cast()
    } else if name == RB_EXTENSION_OBJECTS {
        ptr::from_ref(&object::EXTENSION).cast()
    } else {
        ptr::null()
    }
}
