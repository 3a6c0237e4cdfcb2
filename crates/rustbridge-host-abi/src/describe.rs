//! A plugin's description, and preparing the methods that are in it.

use rustbridge_abi::{Encoding, EncodingCode, Response, StatusCode, Text, growing};
use rustbridge_core::handles;
use rustbridge_core::handles::Prepared;

use crate::boundary::{self, Failure, Refusal};
use crate::load::{self, Instance, LoadOptions};

/// Bit of [`Method::flags`]: the method is short, doesn't block and doesn't call back, says its author. So it may be
/// called by whatever your language has for such functions, with `RB_ENTRY_LEAF` added to the entry.
pub const RB_METHOD_LEAF: u32 = 1;
/// Bit of [`Method::flags`]: the method's handler is asynchronous; calling it blocks until it's done.
pub const RB_METHOD_ASYNC: u32 = 2;
/// Bit of [`Method::flags`]: it answers with a stream of items; begin it by `rb_submit` or `rb_submit_callback`.
pub const RB_METHOD_STREAM_OUT: u32 = 4;
/// Bit of [`Method::flags`]: it takes a stream of items; begin it by `rb_submit` or `rb_submit_callback`.
pub const RB_METHOD_STREAM_IN: u32 = 8;
/// Bit of [`Method::flags`]: objects may come with its answer.
pub const RB_METHOD_OBJECTS: u32 = 16;
/// Bit of [`Method::flags`]: it's a method of an object, which is to be the first one lent to the call.
pub const RB_METHOD_RECEIVER: u32 = 32;

const _: () = assert!(
    RB_METHOD_LEAF == handles::LEAF
        && RB_METHOD_ASYNC == handles::ASYNC
        && RB_METHOD_STREAM_OUT == handles::STREAM_OUT
        && RB_METHOD_STREAM_IN == handles::STREAM_IN
        && RB_METHOD_OBJECTS == handles::OBJECTS
        && RB_METHOD_RECEIVER == handles::RECEIVER
);

/// In place of an encoding: bytes as they are, that is `RB_ENCODING_RAW` if the method has it, otherwise `RB_ENCODING_POD`.
/// For preparing only; [`Method::encoding`] says which it is.
pub const RB_ENCODING_BYTES: EncodingCode = 0xffff_ffff;

/// A method prepared for one encoding. Valid for every instance of the same plugin library, for good.
///
/// Set `size` before you have it filled in.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Method {
    /// `sizeof(rb_method)`: in, and unchanged.
    pub size: u32,
    /// What `rb_call` takes.
    pub entry: u32,
    /// `RB_METHOD_` bits.
    pub flags: u32,
    /// The encoding it's prepared for.
    pub encoding: EncodingCode,
    /// Size of the request struct; 0 unless the encoding is pod.
    pub request_size: u64,
    /// Size of the response struct; 0 unless the encoding is pod.
    pub response_size: u64,
    /// For languages in which a call can be cheap as long as it's short (by holding off a garbage collector, or keeping
    /// a lock): the most bytes that such a call's request may have, and its storage. 0 if the method isn't leaf.
    pub leaf_limit: u32,
    /// How much storage to offer to a first call: the response's size if that's fixed, otherwise what most fit in.
    pub buffer_size: u32,
    /// How much storage is worth keeping from call to call. After a response that didn't fit, offer the next power of two
    /// from its length on, up to this; what's larger is cheaper handed over.
    pub buffer_limit: u64,
    /// What a later version appends, for the tests.
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

/// Gives the name that an instance goes by in messages and records: the one it was loaded with, else the plugin's own.
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

/// Gives the description of a plugin of which there needn't be an instance: for those who must know its configuration's
/// schema before they load it. Of `options` only `path` and `image` matter.
///
/// The library is mapped for that, its code runs, and it fails, as with `rb_load`, which then finds it mapped.
///
/// Thread: any. State: none needed.
///
/// # Safety
/// `options` and what it points to are readable, `response` is a response. The library is one that you trust, as for
/// `rb_load`.
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

/// Finds a method by name, for one encoding. Do it once and keep what it gives.
///
/// `RB_NOT_FOUND`: no such method. `RB_UNIMPLEMENTED`: it has no such encoding. `*out` is zeroed on failure, but for its
/// `size`.
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

/// Finds a method by its numeric id, for one encoding: as `rb_prepare` does by name.
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

/// Finds a method by name in the wire form, for a typed client: as `rb_prepare` does, if the types that the client was written
/// for are the plugin's, or can become them.
///
/// `fingerprint` is the method's, 32 hexadecimal digits, and `contract` the description that the client was written from: `rustbridge gen`
/// writes both. Where the types differ in what doesn't break, each message of calls through the entry is resolved by names, which takes
/// longer, and a record of level `RB_LOG_INFO` says so; the entry isn't leaf then. A method that the contract has and the plugin doesn't is found,
/// too: calls through its entry end with `RB_UNIMPLEMENTED`. `RB_FAILED_PRECONDITION`: the types differ in what
/// breaks; the message says where. `RB_INVALID_ARGUMENT`: one of the two isn't what it
/// should be.
///
/// Thread: any. State: active, poisoned.
///
/// # Safety
/// `method`, `fingerprint` and `contract` are readable, `out` is writable and has its `size` set, `error` is null or a response.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rb_prepare_typed(
    instance: Instance,
    method: Text,
    fingerprint: Text,
    contract: Text,
    out: *mut Method,
    error: *mut Response,
) -> StatusCode {
    // SAFETY: the caller vouches for the pointers.
    unsafe {
        boundary::enter(error, || {
            give(out, || {
                let name = boundary::text("method", method)?;
                let fingerprint = boundary::text("fingerprint", fingerprint)?;
                let contract = boundary::text("contract", contract)?;
                Ok(handles::prepare_typed(
                    instance,
                    name,
                    fingerprint.as_bytes(),
                    contract.as_bytes(),
                )?)
            })
        })
    }
}

/// # Safety
/// `out` is null, or writable for as many bytes as it says.
unsafe fn give(
    out: *mut Method,
    find: impl FnOnce() -> Result<Prepared, Failure>,
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

/// `None` is bytes as they are.
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
