//! `librustbridge` as a C host sees it: structs of `rustbridge.h` and function pointers.

use std::ffi::c_void;

use rustbridge_abi::{Encoding, LogRecord, RawLevel, RawStatus, Response, Text};

use crate::{CallFn, CallIntoFn, Host, config, library, load_forever};

/// `rb_log_sink`.
#[repr(C)]
pub struct LogSink {
    log: Option<unsafe extern "C" fn(*mut c_void, *const LogRecord)>,
    user_data: *mut c_void,
    drop: Option<unsafe extern "C" fn(*mut c_void)>,
}

/// `rb_load_options`.
#[repr(C)]
pub struct LoadOptions {
    size: u32,
    flags: u32,
    path: Text,
    image: *const u8,
    image_len: usize,
    config: *const u8,
    config_len: usize,
    name: Text,
    log_level: RawLevel,
    log_capacity: u32,
    log: LogSink,
}

/// `rb_method`.
#[repr(C)]
#[derive(Default)]
pub struct Method {
    entry: u32,
    flags: u32,
    request_size: u64,
    response_size: u64,
}

type LoadFn = unsafe extern "C" fn(*const LoadOptions, *mut u64, *mut Response) -> RawStatus;
type CloseFn = unsafe extern "C" fn(u64, u64, *mut Response) -> RawStatus;
type PrepareFn = unsafe extern "C" fn(u64, Text, u32, *mut Method, *mut Response) -> RawStatus;

/// An instance of a plugin in `librustbridge`'s own core.
pub struct Instance(u64);

fn symbol<T: Copy>(name: &str) -> T {
    // SAFETY: the callers name the type that rustbridge.h gives the symbol.
    let symbol = unsafe { load_forever("rustbridge").get::<T>(name.as_bytes()) };
    *symbol.unwrap_or_else(|error| panic!("{name}: {error}"))
}

impl Instance {
    /// `rb_load`.
    ///
    /// # Panics
    /// When the plugin can't be loaded.
    #[must_use]
    pub fn load(plugin: &str) -> Instance {
        let path = library(plugin);
        let path = path.to_str().expect("a UTF-8 path");
        let config = config(plugin);
        let options = LoadOptions {
            size: size_of::<LoadOptions>() as u32,
            flags: 0,
            path: Text::new(path),
            image: std::ptr::null(),
            image_len: 0,
            config: config.as_ptr(),
            config_len: config.len(),
            name: Text::empty(),
            log_level: 0,
            log_capacity: 0,
            log: LogSink {
                log: None,
                user_data: std::ptr::null_mut(),
                drop: None,
            },
        };
        let mut instance = 0;
        // SAFETY: options and instance are live; a null error means no payload is wanted.
        let status =
            unsafe { symbol::<LoadFn>("rb_load")(&options, &mut instance, std::ptr::null_mut()) };
        assert_eq!(status, 0, "rb_load {path}");
        Instance(instance)
    }

    /// `rb_prepare`, and the call that `rb_call` makes of it.
    ///
    /// # Panics
    /// When the plugin lacks the method.
    #[must_use]
    pub fn host(&self, method: &str, encoding: Encoding) -> Host {
        Host::C {
            call: symbol::<CallFn>("rb_call"),
            handle: self.0,
            entry: self.prepare(method, encoding),
        }
    }

    /// `rb_prepare`, and the call that `rb_call_into` makes of it.
    ///
    /// # Panics
    /// When the plugin lacks the method.
    #[must_use]
    pub fn into_host(&self, method: &str, encoding: Encoding) -> Host {
        Host::CInto {
            call: symbol::<CallIntoFn>("rb_call_into"),
            handle: self.0,
            entry: self.prepare(method, encoding),
        }
    }

    fn prepare(&self, method: &str, encoding: Encoding) -> u32 {
        let mut prepared = Method::default();
        // SAFETY: as above.
        let status = unsafe {
            symbol::<PrepareFn>("rb_prepare")(
                self.0,
                Text::new(method),
                encoding.raw(),
                &mut prepared,
                std::ptr::null_mut(),
            )
        };
        assert_eq!(status, 0, "rb_prepare {method}");
        prepared.entry
    }
}

/// Two live instances of one plugin make its calls a little dearer (docs/adr/0006), so none may outlive its benchmark.
impl Drop for Instance {
    fn drop(&mut self) {
        // SAFETY: a null report means that none is wanted.
        let status =
            unsafe { symbol::<CloseFn>("rb_close")(self.0, u64::MAX, std::ptr::null_mut()) };
        assert_eq!(status, 0, "rb_close");
    }
}
