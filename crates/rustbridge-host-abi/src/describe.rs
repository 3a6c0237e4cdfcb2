use rustbridge_abi::{Encoding, EncodingCode, Response, StatusCode, Text};
use rustbridge_core::handles;
use rustbridge_core::handles::Prepared;

use crate::boundary::{self, Failure, Refusal};
use crate::load::Instance;

/// Bit of [`Method::flags`]: the method is short, doesn't block and doesn't call back, says its author; so
/// `rb_call_leaf` takes it, and so may whatever your language offers for such calls.
pub const RB_METHOD_LEAF: u32 = 1;
/// Bit of [`Method::flags`]: the method's handler is asynchronous; calling it blocks until it's done.
pub const RB_METHOD_ASYNC: u32 = 2;

/// A method prepared for one encoding. Valid for every instance of the same plugin library, for good.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Method {
    /// What `rb_call` takes.
    pub entry: u32,
    /// `RB_METHOD_` bits.
    pub flags: u32,
    /// Size of the request struct; 0 unless the encoding is pod.
    pub request_size: u64,
    /// Size of the response struct; 0 unless the encoding is pod.
    pub response_size: u64,
}

/// Gives the plugin's description, a JSON object: name, version, methods with their encodings, schemas and layouts.
///
/// Thread: any. State: active, poisoned.
///
/// # Safety
/// `response` is a response.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rb_describe(instance: Instance, response: *mut Response) -> StatusCode {
    // SAFETY: the caller vouches for `response`.
    unsafe { boundary::answer(response, || Ok(handles::describe(instance)?)) }
}

/// Finds a method by name, for one encoding. Do it once and keep what it gives.
///
/// `RB_NOT_FOUND`: no such method. `RB_UNIMPLEMENTED`: it has no such encoding. `*out` is zeroed on failure.
///
/// Thread: any. State: active, poisoned.
///
/// # Safety
/// `method` is readable, `out` is writable, `error` is null or a response.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rb_prepare(
    instance: Instance,
    method: Text,
    encoding: EncodingCode,
    out: *mut Method,
    error: *mut Response,
) -> StatusCode {
    // SAFETY: the caller vouches for the pointers.
    unsafe {
        boundary::enter(error, || {
            give(out, || {
                let name = boundary::text("method", method)?;
                Ok(handles::prepare(instance, name, known(encoding)?)?)
            })
        })
    }
}

/// Finds a method by its numeric id, for one encoding: as `rb_prepare` does by name.
///
/// Thread: any. State: active, poisoned.
///
/// # Safety
/// `out` is writable, `error` is null or a response.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rb_prepare_id(
    instance: Instance,
    id: u32,
    encoding: EncodingCode,
    out: *mut Method,
    error: *mut Response,
) -> StatusCode {
    // SAFETY: the caller vouches for the pointers.
    unsafe {
        boundary::enter(error, || {
            give(out, || {
                Ok(handles::prepare_id(instance, id, known(encoding)?)?)
            })
        })
    }
}

/// # Safety
/// `out` is null or writable.
unsafe fn give(
    out: *mut Method,
    find: impl FnOnce() -> Result<Prepared, Failure>,
) -> Result<(), Failure> {
    if out.is_null() {
        return Err(Refusal::null("out").into());
    }
    // SAFETY: not null, so writable.
    unsafe { out.write(Method::default()) };
    let found = find()?;
    let method = Method {
        entry: found.entry,
        flags: found.flags,
        request_size: found.request_size.unwrap_or(0) as u64,
        response_size: found.response_size.unwrap_or(0) as u64,
    };
    // SAFETY: as above.
    unsafe { out.write(method) };
    Ok(())
}

fn known(encoding: EncodingCode) -> Result<Encoding, Refusal> {
    Encoding::from_code(encoding).ok_or_else(|| {
        Refusal::new(format!(
            "encoding is {encoding}, expected an RB_ENCODING_ code, below {}",
            Encoding::ALL.len()
        ))
    })
}
