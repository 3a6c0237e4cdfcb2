//! The benchmarks' work as functions of Node-API, as one would write them by hand.

use core::ffi::{CStr, c_void};
use core::mem::MaybeUninit;
use core::ptr;

use napi_sys::*;

/// The largest request and response.
const ROOM: usize = 4096;

/// Where `addShared` has its numbers: two of the request and the response, all of 64 bits.
const SHARED: usize = 24;

/// One of the floor's functions.
type Work = unsafe extern "C" fn(*mut u8, u32, *const u8, usize, *mut u8, usize, *mut usize) -> i32;

unsafe fn arguments<const N: usize>(
    env: napi_env,
    info: napi_callback_info,
) -> ([napi_value; N], *mut c_void) {
    let mut found = [ptr::null_mut(); N];
    let mut count = N;
    let mut data = ptr::null_mut();
    // SAFETY: there's room for `count` arguments.
    unsafe {
        napi_get_cb_info(
            env,
            info,
            &mut count,
            found.as_mut_ptr(),
            ptr::null_mut(),
            &mut data,
        );
    }
    (found, data)
}

unsafe extern "C" fn empty(_: napi_env, _: napi_callback_info) -> napi_value {
    ptr::null_mut()
}

/// `addShared()`: the numbers lie in the buffer that `memory()` has given, wherever that is now.
unsafe extern "C" fn add_shared(env: napi_env, info: napi_callback_info) -> napi_value {
    let mut data = ptr::null_mut();
    // SAFETY: the data is the memory.
    unsafe {
        napi_get_cb_info(
            env,
            info,
            ptr::null_mut(),
            ptr::null_mut(),
            ptr::null_mut(),
            &mut data,
        );
        let memory = data.cast::<u8>();
        let mut len = 0;
        floor::floor_add16(ptr::null_mut(), 0, memory, 16, memory.add(16), 8, &mut len);
    }
    ptr::null_mut()
}

/// Buffer in, reused buffer out.
unsafe fn bytes(env: napi_env, info: napi_callback_info, work: Work) -> napi_value {
    // SAFETY: whoever calls passes buffers.
    unsafe {
        let ([request, response], _) = arguments::<2>(env, info);
        let (mut from, mut len, mut to, mut room, mut written) =
            (ptr::null_mut(), 0, ptr::null_mut(), 0, 0);
        napi_get_buffer_info(env, request, &mut from, &mut len);
        napi_get_buffer_info(env, response, &mut to, &mut room);
        work(
            ptr::null_mut(),
            0,
            from.cast(),
            len,
            to.cast(),
            room,
            &mut written,
        );
        let mut value = ptr::null_mut();
        napi_create_uint32(env, written as u32, &mut value);
        value
    }
}

unsafe extern "C" fn add(env: napi_env, info: napi_callback_info) -> napi_value {
    // SAFETY: called by Node-API.
    unsafe { bytes(env, info, floor::floor_add16) }
}

unsafe extern "C" fn small(env: napi_env, info: napi_callback_info) -> napi_value {
    // SAFETY: called by Node-API.
    unsafe { bytes(env, info, floor::floor_small) }
}

/// String in, string out.
unsafe extern "C" fn echo(env: napi_env, info: napi_callback_info) -> napi_value {
    // SAFETY: called by Node-API, with a string that fits.
    unsafe {
        let ([text], _) = arguments::<1>(env, info);
        // Not filled with zeros, which would take longer than the rest.
        let mut request = MaybeUninit::<[u8; ROOM]>::uninit();
        let mut response = MaybeUninit::<[u8; ROOM]>::uninit();
        let (mut len, mut written) = (0, 0);
        napi_get_value_string_utf8(env, text, request.as_mut_ptr().cast(), ROOM, &mut len);
        let (from, to) = (request.as_ptr().cast(), response.as_mut_ptr().cast::<u8>());
        floor::floor_echo_json(ptr::null_mut(), 0, from, len, to, ROOM, &mut written);
        let mut value = ptr::null_mut();
        napi_create_string_utf8(env, to.cast(), written as isize, &mut value);
        value
    }
}

unsafe extern "C" fn answer(env: napi_env, info: napi_callback_info) -> napi_value {
    // SAFETY: called by Node-API.
    unsafe { bytes(env, info, floor::floor_answer) }
}

/// Who tells of a task's end: as the floor has it.
#[repr(C)]
struct Callback {
    done: unsafe extern "C" fn(data: *mut c_void, status: i32, value: i32),
    data: *mut c_void,
}

/// A call that is pending.
struct Waiter {
    function: napi_threadsafe_function,
    deferred: napi_deferred,
    value: i32,
}

/// `later(value)`: a promise, which a thread-safe function resolves.
unsafe extern "C" fn later(env: napi_env, info: napi_callback_info) -> napi_value {
    // SAFETY: called by Node-API, with a number; the waiter is told of once, and dropped there.
    unsafe {
        let ([number], _) = arguments::<1>(env, info);
        let (mut value, mut promise, mut name) = (0, ptr::null_mut(), ptr::null_mut());
        napi_get_value_int32(env, number, &mut value);
        let waiter = Box::into_raw(Box::new(Waiter {
            function: ptr::null_mut(),
            deferred: ptr::null_mut(),
            value: 0,
        }));
        napi_create_promise(env, &mut (*waiter).deferred, &mut promise);
        napi_create_string_utf8(env, c"later".as_ptr(), 5, &mut name);
        napi_create_threadsafe_function(
            env,
            ptr::null_mut(),
            ptr::null_mut(),
            name,
            0,
            1,
            ptr::null_mut(),
            None,
            ptr::null_mut(),
            Some(resolve),
            &mut (*waiter).function,
        );
        let mut callback = Callback {
            done: came,
            data: waiter.cast(),
        };
        floor::floor_later(
            (&raw mut callback).cast(),
            0,
            (&raw const value).cast(),
            size_of::<i32>(),
            ptr::null_mut(),
            0,
            ptr::null_mut(),
        );
        promise
    }
}

/// On the task's thread.
unsafe extern "C" fn came(data: *mut c_void, _status: i32, value: i32) {
    let waiter = data.cast::<Waiter>();
    // SAFETY: the waiter of this call, which nobody else has until the loop is told.
    unsafe {
        (*waiter).value = value;
        let function = (*waiter).function;
        napi_call_threadsafe_function(function, data, ThreadsafeFunctionCallMode::nonblocking);
        napi_release_threadsafe_function(function, ThreadsafeFunctionReleaseMode::release);
    }
}

/// On the loop's thread.
unsafe extern "C" fn resolve(env: napi_env, _: napi_value, _: *mut c_void, data: *mut c_void) {
    // SAFETY: as `came` has given it, once.
    unsafe {
        let waiter = Box::from_raw(data.cast::<Waiter>());
        let mut value = ptr::null_mut();
        napi_create_int32(env, waiter.value, &mut value);
        napi_resolve_deferred(env, waiter.deferred, value);
    }
}

/// What Node-API calls when it loads the module.
///
/// # Safety
/// Called by Node-API.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn napi_register_module_v1(env: napi_env, exports: napi_value) -> napi_value {
    #[cfg(windows)]
    // SAFETY: the program is never unloaded, and the handle is given up on purpose.
    std::mem::forget(unsafe { napi_sys::setup() });
    // SAFETY: called by Node-API. The buffer is kept by the exports, and nobody detaches it.
    unsafe {
        let (mut memory, mut buffer) = (ptr::null_mut(), ptr::null_mut());
        napi_create_arraybuffer(env, SHARED, &mut memory, &mut buffer);
        napi_set_named_property(env, exports, c"memory".as_ptr(), buffer);
        let functions: [(&CStr, napi_callback); 7] = [
            (c"empty", Some(empty)),
            (c"addShared", Some(add_shared)),
            (c"add", Some(add)),
            (c"small", Some(small)),
            (c"echo", Some(echo)),
            (c"answer", Some(answer)),
            (c"later", Some(later)),
        ];
        for (name, function) in functions {
            let mut value = ptr::null_mut();
            let len = name.count_bytes() as isize;
            napi_create_function(env, name.as_ptr(), len, function, memory, &mut value);
            napi_set_named_property(env, exports, name.as_ptr(), value);
        }
    }
    exports
}
