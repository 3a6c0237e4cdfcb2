//! Loading a plugin.

use core::ptr;
use std::path::Path;

use rustbridge_abi::{LevelCode, Response, StatusCode, Text, growing};
use rustbridge_core::{Load, OnPanic, handles};

use crate::boundary::{self, Failure, Refusal};
use crate::service::{self, Service};
use crate::sink::{self, ForeignSink, LogSink};

/// The handle of an instance. See HANDLES above.
pub type Instance = u64;

/// Bit of [`LoadOptions::flags`]: a panic poisons the instance, which then refuses calls. Without it, the instance continues.
pub const RB_LOAD_POISON: u32 = 1;
/// Bit of [`LoadOptions::flags`]: the error payload of a panic has a backtrace.
pub const RB_LOAD_BACKTRACE: u32 = 2;
/// Bit of [`LoadOptions::flags`]: map a copy of the library for this instance alone, for plugins with mutable state in their
/// statics. Costs a mapping that stays as long as the process lives.
pub const RB_LOAD_OWN_COPY: u32 = 4;
/// Bit of [`LoadOptions::flags`]: `runtime` is set. Reserved: this version has no runtimes, and refuses it with `RB_UNIMPLEMENTED`.
pub const RB_LOAD_RUNTIME: u32 = 8;

const KNOWN_FLAGS: u32 = RB_LOAD_POISON | RB_LOAD_BACKTRACE | RB_LOAD_OWN_COPY | RB_LOAD_RUNTIME;

/// Options for loading a plugin. Zero the struct, then set `size`, either `path` or `image`, and any other field you need.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct LoadOptions {
    /// `sizeof(rb_load_options)`.
    pub size: u32,
    /// `RB_LOAD_` bits.
    pub flags: u32,
    /// Path of the library; empty if there is an `image`. UTF-8 on Windows; elsewhere the bytes of the file system. You may omit the
    /// platform's prefix and suffix: `hello` finds `libhello.so`. On Windows, dependencies of the library are searched for in its
    /// folder, the program's folder and the system's folder only.
    pub path: Text,
    /// The bytes of the library, if there is no file; null if there is a `path`.
    pub image: *const u8,
    /// Number of bytes at `image`.
    pub image_len: usize,
    /// The plugin's configuration as JSON; null is `{}`.
    pub config: *const u8,
    /// Number of bytes at `config`.
    pub config_len: usize,
    /// Name of the instance for messages and log records; empty: the plugin's own name.
    pub name: Text,
    /// The log level, `RB_LOG_OFF` to `RB_LOG_TRACE`.
    pub log_level: LevelCode,
    /// How many records may wait for the sink; 0: 4096. Together they may have up to 16 MiB; a larger record is dropped.
    pub log_capacity: u32,
    /// The log sink; null for none. The struct is borrowed; its `user_data` belongs to the library until its `drop` is called.
    pub log: *const LogSink,
    /// The services that the plugin may call, an array of structs with the same `size`; null for none. The structs are borrowed;
    /// their `user_data` belongs to the library until their `drop` is called.
    pub services: *const Service,
    /// Number of services.
    pub service_count: usize,
    /// The client schema of the typed client that loads the plugin: the description from which it was generated. For each service
    /// in it that is registered in the wire format, the types are compared with those that the plugin uses. If they differ
    /// compatibly, each message is resolved. Empty for none.
    pub client_schema: Text,
    /// How many threads the plugin may use at once for synchronous handlers that are offloaded or wait for the items of a stream, and
    /// the library for services that the plugin awaits. Further ones wait. 0: 512.
    pub threads: u32,
    /// Reserved so that the layout has no padding; 0.
    pub reserved: u32,
    /// With [`RB_LOAD_RUNTIME`]: the name of the runtime that runs the plugin instead of this process, for example `worker`. Reserved.
    pub runtime: Text,
    /// A field that a later version appends, for the tests.
    #[cfg(feature = "grown")]
    pub grown: u64,
}

growing!(
    LoadOptions, 104,
    flags: 0,
    path: Text::empty(),
    image: ptr::null(),
    image_len: 0,
    config: ptr::null(),
    config_len: 0,
    name: Text::empty(),
    log_level: rustbridge_abi::RB_LOG_OFF,
    log_capacity: 0,
    log: ptr::null(),
    services: ptr::null(),
    service_count: 0,
    client_schema: Text::empty(),
    threads: 0,
    reserved: 0,
    runtime: Text::empty(),
);

/// Loads a plugin, creates an instance and writes its handle to `*instance`, or 0 on failure.
///
/// The library is copied before it is mapped, once for each distinct content. So the file may be changed or deleted, and
/// loading the same content again maps nothing new. A library that finds others relative to itself (by `$ORIGIN`; on macOS
/// `@loader_path`) is mapped in place: replace such a file by renaming, never by writing into it. If the file is not a plugin
/// for this machine, none of its code runs.
///
/// `RB_NOT_FOUND`: there is no such file. `RB_PERMISSION_DENIED`: the file cannot be read. `RB_INVALID_ARGUMENT`: the file is not
/// a library, is truncated or lacks `rustbridge_plugin`, or the configuration or an option was refused. `RB_UNIMPLEMENTED`: there
/// is no such runtime. `RB_FAILED_PRECONDITION`: the plugin is for another machine or ABI version, requires services that are not
/// registered, or calls them with types that are incompatible with those of `client_schema`. `RB_RESOURCE_EXHAUSTED`: too many
/// instances or libraries. An error of the plugin's `create` is passed on.
///
/// Thread: any. State: none needed.
///
/// # Safety
/// `options` and its pointers are readable, `instance` is writable, `error` is null or a response.
/// Loading runs the library's code, so trust it as much as your own.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rb_load(
    options: *const LoadOptions,
    instance: *mut Instance,
    error: *mut Response,
) -> StatusCode {
    // SAFETY: the caller vouches for `error`.
    unsafe {
        boundary::enter(error, || {
            if !instance.is_null() {
                instance.write(0);
            }
            let options = boundary::read("options", "rb_load_options", options)?;
            // Taken first: from here on every way out drops services and sink.
            let services = service::take(options.services, options.service_count)?;
            let sink = ForeignSink::take("options.log", options.log)?;
            if instance.is_null() {
                return Err(Refusal::null("instance").into());
            }
            let mut load = source(&options)?;
            let config = boundary::bytes("config", options.config, options.config_len)?;
            if !config.is_empty() {
                load = load.config(config);
            }
            let name = boundary::text("name", options.name)?;
            if !name.is_empty() {
                load = load.name(name);
            }
            if options.flags & RB_LOAD_POISON != 0 {
                load = load.on_panic(OnPanic::Poison);
            }
            load = load
                .backtrace(options.flags & RB_LOAD_BACKTRACE != 0)
                .own_copy(options.flags & RB_LOAD_OWN_COPY != 0);
            load = load.threads(options.threads);
            if options.log_capacity != 0 {
                load = load.log_capacity(options.log_capacity as usize);
            }
            load = service::register(load, services)?;
            load = load.client_schema(boundary::text("client_schema", options.client_schema)?);
            let level = sink::level(options.log_level)?;
            let handle = match sink {
                Some(sink) => handles::load(load.log(level, Box::new(sink)))?,
                // The level is remembered for the sink that may come.
                None => {
                    let handle = handles::load(load)?;
                    handles::set_log_level(handle, level)?;
                    handle
                }
            };
            instance.write(handle);
            Ok(())
        })
    }
}

/// Returns the name of the runtime, if the options have one.
///
/// # Safety
/// `runtime` is readable.
unsafe fn runtime<'a>(options: &LoadOptions) -> Result<Option<&'a str>, Refusal> {
    // SAFETY: the caller's promise.
    let runtime = unsafe { boundary::text("runtime", options.runtime)? };
    match (options.flags & RB_LOAD_RUNTIME != 0, runtime.is_empty()) {
        (false, true) => Ok(None),
        (true, false) => Ok(Some(runtime)),
        (false, false) => Err(Refusal::new(
            "options has a runtime without the flag RB_LOAD_RUNTIME, expected both or neither",
        )),
        (true, true) => Err(Refusal::new(
            "options has the flag RB_LOAD_RUNTIME but its runtime is empty, expected a name",
        )),
    }
}

/// Returns the source of the plugin, with its runtime.
///
/// # Safety
/// The texts and bytes of `options` are readable.
pub(crate) unsafe fn source<'a>(options: &LoadOptions) -> Result<Load<'a>, Failure> {
    // SAFETY: the caller vouches for both.
    let (load, runtime) = unsafe { (library(options)?, runtime(options)?) };
    if options.flags & !KNOWN_FLAGS != 0 {
        return Err(Refusal::new(format!(
            "options.flags is {:#x}, expected RB_LOAD_ bits, {KNOWN_FLAGS:#x} at most",
            options.flags
        ))
        .into());
    }
    Ok(match runtime {
        Some(runtime) => load.runtime(runtime)?,
        None => load,
    })
}

/// # Safety
/// As for [`source`].
unsafe fn library<'a>(options: &LoadOptions) -> Result<Load<'a>, Refusal> {
    // SAFETY: the caller vouches for both.
    let (path, image) = unsafe {
        (
            path(options.path)?,
            boundary::bytes("image", options.image, options.image_len)?,
        )
    };
    match (path.as_os_str().is_empty(), options.image.is_null()) {
        (false, true) => Ok(Load::path(path)),
        (true, false) => Ok(Load::image(image)),
        (true, true) if !options.path.data.is_null() => Err(Refusal::new(
            "the path is empty, expected that of a library file",
        )),
        (true, true) => Err(Refusal::new(
            "options has neither a path nor an image, expected one of them",
        )),
        (false, false) => Err(Refusal::new(
            "options has both a path and an image, expected one of them",
        )),
    }
}

/// Converts a path: any bytes, so that a file which a host can open can be loaded as well.
///
/// # Safety
/// As for [`boundary::bytes`].
#[cfg(unix)]
unsafe fn path<'a>(path: Text) -> Result<&'a Path, Refusal> {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    // SAFETY: the caller's promise.
    let bytes = unsafe { boundary::bytes("path", path.data.cast(), path.len)? };
    Ok(Path::new(OsStr::from_bytes(bytes)))
}

/// Converts a path of Windows, where paths are text.
///
/// # Safety
/// As for [`boundary::text`].
#[cfg(not(unix))]
unsafe fn path<'a>(path: Text) -> Result<&'a Path, Refusal> {
    // SAFETY: the caller's promise.
    Ok(Path::new(unsafe { boundary::text("path", path)? }))
}
