//! What a call carries beside its request, and what comes back beside its answer, between arrays of JavaScript's and the ABI.

use core::ptr;

use napi_sys::*;
use rustbridge_abi::{
    CallContext, RB_CONTEXT_TIMEOUT, RB_CONTEXT_TRACE, ReplyHeaders, Response, Text,
};

use crate::memory::{self, Memory, bytes, of};
use crate::text;
use crate::value::{self, big, is_missing, long, throw, undefined, word};

/// Bytes of a trace as JavaScript gives it: its id, the span's, and the flags.
const TRACE: usize = 28;

/// What one call carries, and room for what comes back. All of it is a copy.
pub(crate) struct CallData {
    header: CallContext,
    state: Vec<u8>,
    metadata: Vec<u8>,
    objects: Vec<u64>,
    reply: ReplyHeaders,
    is_given: bool,
}

impl CallData {
    /// Reads nothing, or `[flags, timeout_ns, trace, state, metadata, objects, number]`: two numbers; bytes, a string, bytes and numbers,
    /// each of which may be missing; and the number of the caller's context, 0 for none. None with an exception.
    ///
    /// # Safety
    /// In a callback of the environment.
    pub(crate) unsafe fn read(env: napi_env, array: napi_value) -> Option<CallData> {
        let mut carried = CallData {
            header: CallContext::EMPTY,
            state: Vec::new(),
            metadata: Vec::new(),
            objects: Vec::new(),
            reply: ReplyHeaders::empty(),
            is_given: false,
        };
        // SAFETY: each element is looked at before it's used as what it has to be.
        unsafe {
            if is_missing(env, array) {
                return Some(carried);
            }
            let [flags, timeout, trace, state, metadata, objects, number] =
                value::elements(env, array)?;
            let header = &mut carried.header;
            header.flags = word(env, flags)?;
            header.timeout_ns = long(env, timeout)?;
            header.op = long(env, number)?;
            if !is_missing(env, trace) {
                let trace = Memory::expect(env, trace)?.to_vec();
                if trace.len() != TRACE {
                    throw(env, c"a trace has 28 bytes");
                    return None;
                }
                header.trace_id.copy_from_slice(&trace[..16]);
                header.span_id.copy_from_slice(&trace[16..24]);
                header.trace_flags =
                    u32::from_le_bytes([trace[24], trace[25], trace[26], trace[27]]);
            }
            if !is_missing(env, state) {
                carried.state = text::owned(env, state)?;
            }
            if !is_missing(env, metadata) {
                carried.metadata = Memory::expect(env, metadata)?.to_vec();
            }
            if !is_missing(env, objects) {
                let numbers = Memory::expect(env, objects)?.to_vec();
                carried.objects = numbers
                    .as_chunks()
                    .0
                    .iter()
                    .map(|number| u64::from_ne_bytes(*number))
                    .collect();
            }
            carried.is_given = true;
        }
        Some(carried)
    }

    /// The header, or null; valid while this stays where it is.
    pub(crate) fn pointer(&mut self) -> *const CallContext {
        if !self.is_given {
            return ptr::null();
        }
        self.header.trace_state = Text {
            data: self.state.as_ptr().cast(),
            len: self.state.len(),
        };
        if !self.metadata.is_empty() {
            self.header.metadata = self.metadata.as_ptr();
            self.header.metadata_len = self.metadata.len();
        }
        self.header.object_count = self.objects.len() as u32;
        self.header.objects = self.objects.as_ptr();
        self.header.reply = (&raw mut self.reply).cast();
        &self.header
    }

    /// Whether anything has come beside the answer.
    pub(crate) fn has_reply(&self) -> bool {
        let ReplyHeaders { reply, headers } = &self.reply;
        reply.trailers.len != 0 || reply.objects.len != 0 || headers.len != 0
    }

    /// What has come beside the answer: `trailers`, `objects` and `headers`, and lets go of it.
    ///
    /// # Safety
    /// In a callback of the environment, after the call.
    pub(crate) unsafe fn reply(&mut self, env: napi_env) -> [napi_value; 3] {
        // SAFETY: the reply is filled in.
        unsafe {
            let trailers = bytes_or_none(env, of(&self.reply.reply.trailers));
            let headers = bytes_or_none(env, of(&self.reply.headers));
            let numbers = self.numbers();
            self.forget();
            [trailers, objects(env, &numbers), headers]
        }
    }

    /// # Safety
    /// The reply is filled in.
    unsafe fn numbers(&self) -> Vec<u64> {
        // SAFETY: the caller's promise.
        unsafe { of(&self.reply.reply.objects) }
            .as_chunks()
            .0
            .iter()
            .map(|number| u64::from_ne_bytes(*number))
            .collect()
    }

    /// Lets go of what has come, and releases its objects: nobody gets them.
    ///
    /// # Safety
    /// As for [`reply`](Carried::reply).
    pub(crate) unsafe fn drop_reply(&mut self) {
        // SAFETY: the caller's promise.
        unsafe {
            release(&self.numbers());
            self.forget();
        }
    }

    /// Lets go of what has come.
    ///
    /// # Safety
    /// The reply is filled in.
    pub(crate) unsafe fn forget(&mut self) {
        // SAFETY: the caller's promise.
        unsafe {
            memory::release(&mut self.reply.reply.trailers);
            memory::release(&mut self.reply.reply.objects);
            memory::release(&mut self.reply.headers);
        }
    }
}

/// Bytes, or `undefined` where there are none.
///
/// # Safety
/// In a callback of the environment.
pub(crate) unsafe fn bytes_or_none(env: napi_env, content: &[u8]) -> napi_value {
    // SAFETY: the caller's promise.
    unsafe {
        if content.is_empty() {
            undefined(env)
        } else {
            bytes(env, content)
        }
    }
}

/// Has the plugin drop objects that nobody gets.
pub(crate) fn release(objects: &[u64]) {
    for object in objects {
        // One whose instance is gone is gone with it.
        let _ = rustbridge_core::handles::release_object(*object);
    }
}

/// Numbers of objects as an array of bigints, or `undefined`.
///
/// # Safety
/// In a callback of the environment.
pub(crate) unsafe fn objects(env: napi_env, numbers: &[u64]) -> napi_value {
    // SAFETY: the caller's promise.
    unsafe {
        if numbers.is_empty() {
            return undefined(env);
        }
        let numbers: Vec<_> = numbers.iter().map(|number| big(env, *number)).collect();
        value::array(env, &numbers)
    }
}

/// What came with a service's call: null if it can't be made, `undefined`, or `[timeout_ns | undefined, trace | undefined,
/// state, metadata, number]`.
///
/// # Safety
/// In a callback of the environment; what the header points to is readable.
pub(crate) unsafe fn beside(env: napi_env, header: Option<&CallContext>) -> napi_value {
    // SAFETY: the caller's promise.
    unsafe {
        let Some(header) = header else {
            return undefined(env);
        };
        let timeout = if header.flags & RB_CONTEXT_TIMEOUT == 0 {
            undefined(env)
        } else {
            value::number(env, header.timeout_ns as f64)
        };
        let trace = if header.flags & RB_CONTEXT_TRACE == 0 {
            undefined(env)
        } else {
            let mut trace = [0; TRACE];
            trace[..16].copy_from_slice(&header.trace_id);
            trace[16..24].copy_from_slice(&header.span_id);
            trace[24..].copy_from_slice(&header.trace_flags.to_le_bytes());
            bytes(env, &trace)
        };
        let state = text::string(env, header.trace_state.as_bytes());
        if state.is_null() {
            return state;
        }
        let metadata = Response {
            data: header.metadata.cast_mut(),
            len: header.metadata_len,
            ..Response::empty()
        };
        let metadata = bytes_or_none(env, of(&metadata));
        let number = value::number(env, header.op as f64);
        value::array(env, &[timeout, trace, state, metadata, number])
    }
}
