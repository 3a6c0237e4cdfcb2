//! A place for one call at a time: JavaScript writes the request into an `ArrayBuffer` that is made once, and reads the response
//! there, so a call has no arguments.
//!
//! The memory is ours, and lives as long as both the slot and the buffer do. So it needn't be asked before each call whether it's
//! still there. A buffer may be transferred to another thread, though: that's why it's read and written by atomic words, and the plugin gets a
//! copy. A runtime that takes no memory of others has a buffer of its own, of which it's asked.

use core::cell::Cell;
use core::ffi::c_void;
use core::ptr;
use core::sync::atomic::{AtomicU64, Ordering};
use std::rc::Rc;
use std::sync::Arc;

use napi_sys::*;
use rustbridge_abi::{RB_OK, Response};

use crate::error::raise;
use crate::memory::release;
use crate::method::{Method, holding};
use crate::value::{self, arguments, throw};

/// A word of the memory.
const WORD: usize = size_of::<u64>();

/// Requests and responses of up to so many words are copied on the stack.
const WORDS: usize = 64;

/// The place.
struct Slot {
    method: Rc<Method>,
    memory: Arc<[AtomicU64]>,
    /// The runtime's own buffer, where it takes no memory of ours: null otherwise.
    buffer: napi_ref,
    request_words: usize,
    /// The call's own memory, if it's more than goes on the stack.
    aside: Cell<Vec<u64>>,
}

impl Drop for Slot {
    fn drop(&mut self) {
        if !self.buffer.is_null() {
            // SAFETY: dropped on the environment's thread, by its finalizer.
            unsafe { napi_delete_reference(self.method.environment.env, self.buffer) };
        }
    }
}

/// `slot() -> [buffer, response_at, call]` of a method whose sizes are fixed.
pub(crate) unsafe extern "C" fn make(env: napi_env, info: napi_callback_info) -> napi_value {
    // SAFETY: the data is the method. The buffer has a count of the memory's own, which its finalizer gives back.
    unsafe {
        let ([], this) = arguments::<0, Method>(env, info);
        Rc::increment_strong_count(this);
        let method = Rc::from_raw(this);
        let request_words = method.request_size.div_ceil(WORD);
        let words = request_words + method.response_size.div_ceil(WORD);
        let memory: Arc<[AtomicU64]> = (0..words).map(|_| AtomicU64::new(0)).collect();
        let (mut buffer, mut reference) = (ptr::null_mut(), ptr::null_mut());
        let kept = Box::into_raw(Box::new(Arc::clone(&memory)));
        let status = napi_create_external_arraybuffer(
            env,
            memory.as_ptr().cast_mut().cast(),
            words * WORD,
            Some(forgotten),
            kept.cast(),
            &mut buffer,
        );
        if status != Status::napi_ok {
            drop(Box::from_raw(kept));
            let mut data = ptr::null_mut();
            if napi_create_arraybuffer(env, words * WORD, &mut data, &mut buffer) != Status::napi_ok
                || napi_create_reference(env, buffer, 1, &mut reference) != Status::napi_ok
            {
                return ptr::null_mut();
            }
        }
        let slot = Rc::new(Slot {
            method,
            memory,
            buffer: reference,
            request_words,
            aside: Cell::default(),
        });
        value::array(
            env,
            &[
                buffer,
                value::number(env, (request_words * WORD) as f64),
                holding(env, c"call", call, slot),
            ],
        )
    }
}

/// The buffer is gone.
unsafe extern "C" fn forgotten(_: napi_env, _: *mut c_void, kept: *mut c_void) {
    // SAFETY: the box that was left with the buffer.
    drop(unsafe { Box::from_raw(kept.cast::<Arc<[AtomicU64]>>()) });
}

/// `call()`.
unsafe extern "C" fn call(env: napi_env, info: napi_callback_info) -> napi_value {
    let mut data = ptr::null_mut();
    // SAFETY: the data is the slot.
    unsafe {
        napi_get_cb_info(
            env,
            info,
            ptr::null_mut(),
            ptr::null_mut(),
            ptr::null_mut(),
            &mut data,
        );
        let slot = &*data.cast::<Slot>();
        if !slot.buffer.is_null() || slot.memory.len() > WORDS {
            return slot.call_large(env);
        }
        let mut words = [const { core::mem::MaybeUninit::<u64>::uninit() }; WORDS];
        slot.cross(env, words.as_mut_ptr().cast())
    }
}

impl Slot {
    /// Calls by a copy in `words`, which has room for all.
    ///
    /// # Safety
    /// In a callback of the environment.
    #[inline(always)]
    unsafe fn cross(&self, env: napi_env, words: *mut u64) -> napi_value {
        let (request, response) = self.memory.split_at(self.request_words);
        let method = &*self.method;
        // SAFETY: the caller's promise.
        unsafe {
            for (index, word) in request.iter().enumerate() {
                words.add(index).write(word.load(Ordering::Relaxed));
            }
            let storage = words.add(self.request_words);
            if let Some(last) = response.len().checked_sub(1) {
                // What's behind the response is written back as it was.
                storage.add(last).write(0);
            }
            let mut answer = Response::with_buffer(storage.cast(), method.response_size);
            let status = method.cross(words.cast(), method.request_size, 0, &mut answer);
            if status != RB_OK {
                return raise(&method.environment, status, &mut answer);
            }
            if answer.len != method.response_size {
                release(&mut answer);
                return throw(
                    env,
                    c"the response doesn't have the size in the plugin's description",
                );
            }
            if answer.data != storage.cast() {
                ptr::copy_nonoverlapping(answer.data, storage.cast::<u8>(), answer.len);
                release(&mut answer);
            }
            for (index, word) in response.iter().enumerate() {
                word.store(storage.add(index).read(), Ordering::Relaxed);
            }
        }
        ptr::null_mut()
    }

    /// # Safety
    /// As for `call`.
    #[cold]
    unsafe fn call_large(&self, env: napi_env) -> napi_value {
        // A call inside this one finds none and allocates its own.
        let mut words = self.aside.take();
        words.resize(self.memory.len(), 0);
        // SAFETY: there's room. The runtime's own buffer is copied from and to while no JavaScript runs.
        unsafe {
            if !self.copy(env, true) {
                return throw(
                    env,
                    c"the slot's buffer was transferred: create another slot",
                );
            }
            let answer = self.cross(env, words.as_mut_ptr());
            self.copy(env, false);
            self.aside.set(words);
            answer
        }
    }

    /// Copies the runtime's own buffer, where it has one, to our memory or back; whether it's there.
    ///
    /// # Safety
    /// In a callback of the environment.
    unsafe fn copy(&self, env: napi_env, is_request: bool) -> bool {
        if self.buffer.is_null() {
            return true;
        }
        let (mut data, mut len, mut buffer) = (ptr::null_mut(), 0, ptr::null_mut());
        // SAFETY: the reference is the slot's; what it's about has as many bytes as it says.
        unsafe {
            napi_get_reference_value(env, self.buffer, &mut buffer);
            napi_get_arraybuffer_info(env, buffer, &mut data, &mut len);
            if data.is_null() || len != self.memory.len() * WORD {
                return false;
            }
            for (index, word) in self.memory.iter().enumerate() {
                let place = data.cast::<u64>().add(index);
                match (is_request, index < self.request_words) {
                    (true, true) => word.store(place.read_unaligned(), Ordering::Relaxed),
                    (false, false) => place.write_unaligned(word.load(Ordering::Relaxed)),
                    _ => {}
                }
            }
        }
        true
    }
}
