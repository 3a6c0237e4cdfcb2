//! Loading a plugin: from where, and how the instance shall be.

use core::ptr;
use std::path::Path;

use rustbridge_abi::{LevelCode, Response, StatusCode, Text, growing};
use rustbridge_core::{Load, OnPanic, handles};

use crate::boundary::{self, Refusal};
use crate::service::{self, Service};
use crate::sink::{self, ForeignSink, LogSink};

/// A running plugin: a number that stands for it. See HANDLES above.
pub type Instance = u64;

/// Bit of [`LoadOptions::flags`]: a caught panic makes the instance refuse further calls. Otherwise it goes on.
pub const RB_LOAD_POISON: u32 = 1;
/// Bit of [`LoadOptions::flags`]: error payloads of panics carry a backtrace.
pub const RB_LOAD_BACKTRACE: u32 = 2;
/// Bit of [`LoadOptions::flags`]: map a copy of the library for this instance alone. For plugins with mutable state of
/// their own in statics; costs a mapping that stays for the life of the process.
pub const RB_LOAD_OWN_COPY: u32 = 4;

const KNOWN_FLAGS: u32 = RB_LOAD_POISON | RB_LOAD_BACKTRACE | RB_LOAD_OWN_COPY;

/// What to load and how. Zero it, then set `size`, either `path` or `image`, and what else you need.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct LoadOptions {
    /// `sizeof(rb_load_options)`.
    pub size: u32,
    /// `RB_LOAD_` bits.
    pub flags: u32,
    /// Path of the library; empty if there is an `image`. UTF-8 on Windows, elsewhere bytes as the system has them. The name
    /// may lack what the system adds to a library's: `hello` finds `libhello.so`. Windows looks for what it depends on in its
    /// folder, in the program's and in the system's only.
    pub path: Text,
    /// The bytes of the library, for those who don't have it as a file; null if there is a `path`.
    pub image: *const u8,
    /// Number of bytes at `image`.
    pub image_len: usize,
    /// The plugin's configuration as JSON; null is `{}`.
    pub config: *const u8,
    /// Number of bytes at `config`.
    pub config_len: usize,
    /// What to call the instance in messages; empty: the plugin's own name.
    pub name: Text,
    /// The level up to which records are wanted, `RB_LOG_OFF` to `RB_LOG_TRACE`.
    pub log_level: LevelCode,
    /// How many records may wait for the sink; 0: 4096. Together they take up to 16 MiB; one that is larger is dropped.
    pub log_capacity: u32,
    /// Where the records go; null: nowhere. Borrowed as a struct; what's in it is the library's until its `drop` is called.
    pub log: *const LogSink,
    /// The services that the plugin may call, one behind the other, each with the same `size`; null for none. Borrowed as
    /// structs; what's in them is the library's until their `drop` is called.
    pub services: *const Service,
    /// How many there are.
    pub service_count: usize,
    /// What the typed client was written from that loads: a plugin's description, as its generator wrote it. Of each service that's in
    /// it and is registered in the wire form, the types are compared with those that the plugin calls it with; where they differ and it
    /// breaks nothing, each message is resolved. Empty for none.
    pub contract: Text,
    /// How many plain handlers of the plugin may run on threads of their own at once, those that are offloaded or wait for the items of a
    /// stream, and how many functions of services that the plugin awaits. What is beyond waits. 0: 512.
    pub threads: u32,
    /// Reserved so that the layout has no padding; 0.
    pub reserved: u32,
    /// What a later version appends, for the tests.
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
    contract: Text::empty(),
    threads: 0,
    reserved: 0,
);

/// Loads a plugin and makes an instance of it; `*instance` is its number, or 0 on failure.
///
/// The library is copied before it's mapped, once per distinct content, so the file is free to be changed or deleted,
/// and loading the same content again maps nothing new. One that looks for others beside itself (by `$ORIGIN`; on macOS
/// `@loader_path`) is mapped where it lies: to be replaced by renaming, never by writing into it. Nothing of a file that
/// isn't a plugin for this machine is run.
///
/// `RB_NOT_FOUND`: no such file. `RB_PERMISSION_DENIED`: it can't be read. `RB_INVALID_ARGUMENT`: it isn't a library,
/// is truncated, lacks `rustbridge_plugin`, or the config was refused. `RB_FAILED_PRECONDITION`: it's for another
/// machine or ABI version, needs services that weren't registered, or calls them with types that `contract`'s can't be brought together with. `RB_RESOURCE_EXHAUSTED`: too many instances or libraries. What the plugin's own `create`
/// says is passed on.
///
/// Thread: any. State: none needed.
///
/// # Safety
/// `options` and what it points to are readable, `instance` is writable, `error` is null or a response.
/// Loading runs the library's code, so it must be one that you trust as much as your own.
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
            if options.flags & !KNOWN_FLAGS != 0 {
                return Err(Refusal::new(format!(
                    "options.flags is {:#x}, expected RB_LOAD_ bits, {KNOWN_FLAGS:#x} at most",
                    options.flags
                ))
                .into());
            }
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
            load = load.contract(boundary::text("contract", options.contract)?);
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

/// # Safety
/// The texts and bytes of `options` are readable.
pub(crate) unsafe fn source<'a>(options: &LoadOptions) -> Result<Load<'a>, Refusal> {
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

/// A path as the system has it: any bytes there, so that a file which a host can open it can load as well.
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

/// A path of Windows, where paths are text.
///
/// # Safety
/// As for [`boundary::text`].
#[cfg(not(unix))]
unsafe fn path<'a>(path: Text) -> Result<&'a Path, Refusal> {
    // SAFETY: the caller's promise.
    Ok(Path::new(unsafe { boundary::text("path", path)? }))
}
