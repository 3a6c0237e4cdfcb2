//! A plugin's description, and preparing its methods.

use rustbridge_abi::{Encoding, EncodingCode, Response, StatusCode, Text, growing};
use rustbridge_core::handles;
use rustbridge_core::handles::PreparedMethod;

use crate::boundary::{self, Failure, Refusal};
use crate::load::{self, Instance, LoadOptions};

/// Bit of [`Method::flags`]: the author declares that the method is short, does not block and does not call back. You may call
/// it in your language's cheapest way, with `RB_ENTRY_LEAF` added to the entry.
pub const RB_METHOD_LEAF: u32 = 1;
/// Bit of [`Method::flags`]: the method's handler is asynchronous. `rb_call` blocks until it has completed.
pub const RB_METHOD_ASYNC: u32 = 2;
/// Bit of [`Method::flags`]: the method returns a stream of items. Call it by `rb_submit` or `rb_submit_callback`.
pub const RB_METHOD_STREAM_OUT: u32 = 4;
/// Bit of [`Method::flags`]: the method accepts a stream of items. Call it by `rb_submit` or `rb_submit_callback`.
pub const RB_METHOD_STREAM_IN: u32 = 8;
/// Bit of [`Method::flags`]: the method may return objects.
pub const RB_METHOD_OBJECTS: u32 = 16;
/// Bit of [`Method::flags`]: this is a method of an object. The object must be the first of the call context's `objects`.
pub const RB_METHOD_RECEIVER: u32 = 32;

const _: () = assert!(
    RB_METHOD_LEAF == handles::LEAF
        && RB_METHOD_ASYNC == handles::ASYNC
        && RB_METHOD_STREAM_OUT == handles::STREAM_OUT
        && RB_METHOD_STREAM_IN == handles::STREAM_IN
        && RB_METHOD_OBJECTS == handles::OBJECTS
        && RB_METHOD_RECEIVER == handles::RECEIVER
);

/// Value in place of an encoding: bytes without interpretation. It selects `RB_ENCODING_RAW` if the method has it, otherwise
/// `RB_ENCODING_POD`. Only for preparing; [`Method::encoding`] has the encoding that was selected.
pub const RB_ENCODING_BYTES: EncodingCode = 0xffff_ffff;

/// A method prepared for one encoding. It is valid for every instance of the same plugin library, as long as the process lives.
///
/// Ignore bits of `flags` that you do not know. All other fields, and the bits except `RB_METHOD_ASYNC`, never change for an entry.
///
/// Set `size` before you pass it to a function.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Method {
    /// In: `sizeof(rb_method)`. Out: unchanged.
    pub size: u32,
    /// The entry to pass to `rb_call`.
    pub entry: u32,
    /// `RB_METHOD_` bits.
    pub flags: u32,
    /// The encoding for which the method was prepared.
    pub encoding: EncodingCode,
    /// Size of the request struct; 0 unless the encoding is pod.
    pub request_size: u64,
    /// Size of the response struct; 0 unless the encoding is pod.
    pub response_size: u64,
    /// The largest request, and the largest buffer, for which a cheap kind of call pays (one that holds off the garbage collector
    /// or keeps a lock). 0 if the method is not leaf.
    pub leaf_limit: u32,
    /// The size of buffer to offer to a first call: the size of the response if it is fixed, otherwise enough for most responses.
    pub buffer_size: u32,
    /// The largest buffer worth keeping between calls. After a response that did not fit, offer its length rounded up to a power
    /// of two, up to this limit. Larger responses are cheaper as callee-allocated ones.
    pub buffer_limit: u64,
    /// A field that a later version appends, for the tests.
    #[cfg(feature = "grown")]
    pub grown: u64,
}

growing!(
    Method, 48,
    entry: 0,
    flags: 0,
    encoding: 0,
    request_size: 0,
    response_size: 0,
    leaf_limit: 0,
    buffer_size: 0,
    buffer_limit: 0,
);

/// Returns the plugin's description, a JSON object: name, version, methods with their encodings, schemas and layouts.
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

/// Returns the name of an instance in messages and log records: the name it was loaded with, or else the plugin's name.
///
/// Thread: any. State: active, poisoned.
///
/// # Safety
/// `response` is a response.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rb_name(instance: Instance, response: *mut Response) -> StatusCode {
    // SAFETY: the caller vouches for `response`.
    unsafe { boundary::answer(response, || Ok(handles::name(instance)?)) }
}

/// Returns the description of a plugin that need not be loaded, for example to read its configuration schema first. Of
/// `options`, `path`, `image` and the runtime are used.
///
/// The library is mapped and its code runs. The function fails as `rb_load` does. A later `rb_load` uses the same mapping.
///
/// Thread: any. State: none needed.
///
/// # Safety
/// `options` and its pointers are readable, `response` is a response. You trust the library, as for `rb_load`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rb_describe_plugin(
    options: *const LoadOptions,
    response: *mut Response,
) -> StatusCode {
    // SAFETY: the caller vouches for the pointers.
    unsafe {
        boundary::answer(response, || {
            let options = boundary::read("options", "rb_load_options", options)?;
            Ok(load::source(&options)?.describe()?)
        })
    }
}

/// Finds a method by name, for one encoding. Do this once and keep the result.
///
/// `RB_NOT_FOUND`: there is no such method. `RB_UNIMPLEMENTED`: the method does not have this encoding. If the function fails,
/// `*out` is zeroed except for its `size`.
///
/// Thread: any. State: active, poisoned.
///
/// # Safety
/// `method` is readable, `out` is writable and has its `size` set, `error` is null or a response.
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

/// Finds a method by its numeric ID, for one encoding. Otherwise like `rb_prepare`.
///
/// Thread: any. State: active, poisoned.
///
/// # Safety
/// `out` is writable and has its `size` set, `error` is null or a response.
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

/// Finds a method by name in the wire format, for a typed client. Otherwise like `rb_prepare`. The method's types in the client
/// must be equal to the plugin's or compatible with them.
///
/// `fingerprint` is the method's fingerprint, 32 hexadecimal digits. `client_schema` is the client schema: the description from
/// which the client was generated. `rustbridge gen` writes both.
///
/// If the types differ compatibly, every message of calls through the entry is resolved by field names. This takes longer, a
/// record of level `RB_LOG_INFO` reports it, and the entry is not leaf. A method that the client schema has and the plugin
/// does not have is found as well; calls through its entry fail with `RB_UNIMPLEMENTED`.
///
/// `RB_FAILED_PRECONDITION`: the types are incompatible; the message names the place. `RB_INVALID_ARGUMENT`: `fingerprint` or
/// `client_schema` is malformed.
///
/// Thread: any. State: active, poisoned.
///
/// # Safety
/// `method`, `fingerprint` and `client_schema` are readable, `out` is writable and has its `size` set, `error` is null or a response.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rb_prepare_typed(
    instance: Instance,
    method: Text,
    fingerprint: Text,
    client_schema: Text,
    out: *mut Method,
    error: *mut Response,
) -> StatusCode {
    // SAFETY: the caller vouches for the pointers.
    unsafe {
        boundary::enter(error, || {
            give(out, || {
                let name = boundary::text("method", method)?;
                let fingerprint = boundary::text("fingerprint", fingerprint)?;
                let client_schema = boundary::text("client_schema", client_schema)?;
                Ok(handles::prepare_typed(
                    instance,
                    name,
                    fingerprint.as_bytes(),
                    client_schema.as_bytes(),
                )?)
            })
        })
    }
}

/// # Safety
/// `out` is null, or writable for as many bytes as it says.
unsafe fn give(
    out: *mut Method,
    find: impl FnOnce() -> Result<PreparedMethod, Failure>,
) -> Result<(), Failure> {
    // SAFETY: the caller vouches for `out`, also below.
    unsafe { boundary::check("out", "rb_method", out)? };
    // Before anything can fail, or panic.
    // SAFETY: as above. It's long enough, as was seen just now.
    let _ = unsafe { rustbridge_abi::write(out, &Method::EMPTY) };
    let found = find()?;
    let method = Method {
        entry: found.entry,
        flags: found.flags,
        encoding: found.encoding.code(),
        request_size: found.request_size.unwrap_or(0) as u64,
        response_size: found.response_size.unwrap_or(0) as u64,
        leaf_limit: found.leaf_limit,
        buffer_size: found.storage,
        buffer_limit: found.buffer_limit,
        ..Method::EMPTY
    };
    // SAFETY: as above.
    let _ = unsafe { rustbridge_abi::write(out, &method) };
    Ok(())
}

/// Returns the encoding of a code; `None` for bytes without interpretation.
fn known(encoding: EncodingCode) -> Result<Option<Encoding>, Refusal> {
    if encoding == RB_ENCODING_BYTES {
        return Ok(None);
    }
    Encoding::from_code(encoding).map(Some).ok_or_else(|| {
        Refusal::new(format!(
            "encoding is {encoding}, expected an RB_ENCODING_ code, below {} or RB_ENCODING_BYTES",
            Encoding::ALL.len()
        ))
    })
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;

    #[test]
    fn a_panic_leaves_no_method_of_before() {
        let mut method = Method {
            entry: 7,
            buffer_size: 8,
            ..Method::EMPTY
        };
        let out = &raw mut method;
        // SAFETY: a method.
        let give = || unsafe { give(out, || panic!("on purpose")) };
        assert!(catch_unwind(AssertUnwindSafe(give)).is_err());
        assert_eq!(method, Method::EMPTY);
    }
}
