//! Data that a plugin receives from the core in addition to calls: the path of its file and the context of its table. Also the
//! choice of a runtime.

use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use rustbridge_core::{Encoding, Load, Status};

use crate::common::{Folder, library, load_tiny};

/// Returns the path that a plugin has received.
fn told_path(load: Load<'_>) -> PathBuf {
    let path = load
        .open()
        .unwrap()
        .method("path", Encoding::Raw)
        .unwrap()
        .call(b"")
        .unwrap();
    // SAFETY: the host passes the bytes of a path.
    unsafe { OsString::from_encoded_bytes_unchecked(path.to_vec()) }.into()
}

#[test]
fn a_plugin_is_told_the_file_it_was_loaded_from() {
    let path = library();
    assert_eq!(told_path(Load::path(&path)), path);
    assert_eq!(told_path(Load::path(&path).own_copy(true)), path);
    // Without the system's prefix and suffix.
    let file = path.file_name().unwrap().to_str().unwrap();
    let short = file.strip_prefix(DLL_PREFIX).unwrap();
    let short = short.strip_suffix(DLL_SUFFIX).unwrap();
    assert_eq!(told_path(Load::path(path.with_file_name(short))), path);
    #[cfg(unix)]
    {
        let here = std::env::current_dir().unwrap();
        let up: PathBuf = here.components().skip(1).map(|_| "..").collect();
        let told = told_path(Load::path(up.join(path.strip_prefix("/").unwrap())));
        assert!(told.is_absolute(), "{}", told.display());
        assert_eq!(told.canonicalize().unwrap(), path.canonicalize().unwrap());
    }
    let folder = Folder::new("told");
    let copy = folder.0.join(path.file_name().unwrap());
    fs::copy(&path, &copy).unwrap();
    // The same content was mapped from another path before.
    assert_eq!(told_path(Load::path(&copy)), copy);
    assert_eq!(
        told_path(Load::image(fs::read(&path).unwrap())),
        PathBuf::new()
    );
    assert_eq!(told_path(load_tiny()), PathBuf::new());
}

#[test]
fn a_runtime_that_does_not_exist_is_refused() {
    let error = load_tiny().runtime("worker").err().unwrap();
    assert_eq!(error.status(), Status::Unimplemented);
    assert!(error.message().contains(r#""worker""#), "{error}");
}

/// A plugin whose table has a context.
mod context {
    use std::ffi::{c_char, c_void};
    use std::sync::atomic::{AtomicU32, Ordering};

    use rustbridge_abi::{Host, PluginTable, RB_OK, Response, StatusCode};

    use crate::common::tiny;

    /// A bit for each function that has received the context.
    pub static GIVEN: AtomicU32 = AtomicU32::new(0);

    fn tiny_table() -> PluginTable {
        // SAFETY: the tiny plugin's entry point takes any version.
        unsafe { *tiny::entry_point(rustbridge_abi::ABI_VERSION) }
    }

    fn is_given(context: *mut c_void, bit: u32) {
        assert_eq!(context.cast_const(), (&raw const GIVEN).cast());
        GIVEN.fetch_or(bit, Ordering::Relaxed);
    }

    unsafe extern "C" fn describe(context: *mut c_void, response: *mut Response) -> StatusCode {
        is_given(context, 1);
        let tiny = tiny_table();
        // SAFETY: passed on as it came.
        unsafe { tiny.describe.unwrap()(tiny.context, response) }
    }

    unsafe extern "C" fn create(
        context: *mut c_void,
        _: *const Host,
        _: *const u8,
        _: usize,
        _: *mut *mut c_void,
        _: *mut Response,
    ) -> StatusCode {
        is_given(context, 2);
        RB_OK
    }

    unsafe extern "C" fn destroy(_: *mut c_void, _: *mut Response) -> StatusCode {
        RB_OK
    }

    unsafe extern "C" fn extension(context: *mut c_void, _: *const c_char) -> *const c_void {
        is_given(context, 4);
        std::ptr::null()
    }

    pub unsafe extern "C" fn entry_point(_: u32) -> *const PluginTable {
        Box::leak(Box::new(PluginTable {
            context: (&raw const GIVEN).cast_mut().cast(),
            describe: Some(describe),
            create: Some(create),
            destroy: Some(destroy),
            extension: Some(extension),
            ..tiny_table()
        }))
    }
}

#[test]
fn the_functions_without_an_instance_are_given_the_context_of_their_table() {
    // SAFETY: a plugin of ours, whose entry point follows the ABI.
    let plugin = unsafe { Load::linked(context::entry_point, "context") };
    drop(plugin.open().unwrap());
    assert_eq!(context::GIVEN.load(Ordering::Relaxed), 7);
}
