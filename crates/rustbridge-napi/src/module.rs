//! The module: its functions, and what happens when an environment ends.

use core::ffi::{CStr, c_void};
use core::ptr;
use std::rc::Rc;
use std::sync::Arc;

use napi_sys::*;

use crate::environment::{Environment, HANDLERS};
use crate::post::Post;
use crate::value::{self, Function, arguments, made, throw};
use crate::{events, lifecycle, load, operations};

/// Which version of Node-API this is written for.
const VERSION: i32 = 8;

/// Asked before the module is loaded.
#[unsafe(no_mangle)]
pub extern "C" fn node_api_module_get_api_version_v1() -> i32 {
    VERSION
}

/// `begin([fail, done, items, demand, ask, forget, record, over])`: the functions that are told.
unsafe extern "C" fn begin(env: napi_env, info: napi_callback_info) -> napi_value {
    // SAFETY: the data is the environment.
    unsafe {
        let ([given], environment) = arguments::<1, Environment>(env, info);
        let Some(functions) = value::elements::<HANDLERS>(env, given) else {
            return ptr::null_mut();
        };
        let mut handlers = [ptr::null_mut(); HANDLERS];
        for (function, handler) in functions.into_iter().zip(&mut handlers) {
            if value::kind(env, function) != ValueType::napi_function {
                return throw(env, c"expected functions");
            }
            napi_create_reference(env, function, 1, handler);
        }
        (*environment).set_handlers(handlers);
        ptr::null_mut()
    }
}

/// `close_queue()`: gives up what is pending; what comes later has another queue.
unsafe extern "C" fn close_queue(env: napi_env, info: napi_callback_info) -> napi_value {
    // SAFETY: the data is the environment.
    unsafe {
        let ([], environment) = arguments::<0, Environment>(env, info);
        (*environment).close_queue();
    }
    ptr::null_mut()
}

const FUNCTIONS: [(&CStr, Function); 23] = [
    (c"begin", begin),
    (c"look", events::look_now),
    (c"closeQueue", close_queue),
    (c"load", load::load),
    (c"name", lifecycle::name),
    (c"describe", lifecycle::describe),
    (c"inspect", lifecycle::inspect),
    (c"version", lifecycle::version),
    (c"prepare", lifecycle::prepare),
    (c"state", lifecycle::state),
    (c"close", lifecycle::close),
    (c"flush", lifecycle::flush),
    (c"forget", lifecycle::forget),
    (c"abandon", lifecycle::abandon),
    (c"setLevel", lifecycle::set_level),
    (c"cancel", operations::cancel),
    (c"detach", operations::detach),
    (c"demand", operations::demand),
    (c"write", operations::write),
    (c"end", operations::end),
    (c"reply", operations::reply),
    (c"release", operations::release_object),
    (c"hold", operations::hold),
];

/// What Node-API calls when it loads the module into an environment.
///
/// # Safety
/// Called by Node-API.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn napi_register_module_v1(env: napi_env, exports: napi_value) -> napi_value {
    #[cfg(windows)]
    find_functions();
    // SAFETY: the environment is the one that loads us, and lives until it has run the hook.
    unsafe {
        let name = made!(
            napi_create_string_utf8,
            env,
            c"rustbridge".as_ptr(),
            "rustbridge".len() as isize
        );
        // Its address is needed before there's a wakeup.
        let mut place = Rc::<Environment>::new_uninit();
        let Some(room) = Rc::get_mut(&mut place) else {
            return ptr::null_mut();
        };
        let context = room.as_mut_ptr();
        let mut wakeup = ptr::null_mut();
        let status = napi_create_threadsafe_function(
            env,
            ptr::null_mut(),
            ptr::null_mut(),
            name,
            0,
            1,
            ptr::null_mut(),
            None,
            context.cast(),
            Some(events::on_wakeup),
            &mut wakeup,
        );
        if status != Status::napi_ok {
            return throw(env, c"rustbridge can't watch this environment's loop");
        }
        napi_unref_threadsafe_function(env, wakeup);
        room.write(Environment::new(env, wakeup, Arc::new(Post::new(wakeup))));
        let environment = Rc::into_raw(place.assume_init()).cast_mut();
        napi_set_instance_data(env, environment.cast(), Some(ended), ptr::null_mut());
        napi_add_env_cleanup_hook(env, Some(ending), environment.cast());
        for (name, function) in FUNCTIONS {
            let function = value::function(env, name, function, environment);
            value::set(env, exports, name, function);
        }
        exports
    }
}

/// The environment ends: before the wakeup does, since hooks run in the reverse order.
unsafe extern "C" fn ending(data: *mut c_void) {
    // SAFETY: the environment, on its own thread.
    unsafe { (*data.cast::<Environment>()).shut() };
}

unsafe extern "C" fn ended(_: napi_env, data: *mut c_void, _: *mut c_void) {
    // SAFETY: the count that the module has held. Hooks may have been left out where a runtime has none.
    unsafe {
        let environment = Rc::from_raw(data.cast::<Environment>());
        environment.shut();
    }
}

/// Finds Node-API's functions in the program that has loaded us.
#[cfg(windows)]
fn find_functions() {
    // The program is one, whatever loads us into it.
    static ONCE: std::sync::Once = std::sync::Once::new();
    // SAFETY: the program is never unloaded, and the handle is given up on purpose.
    ONCE.call_once(|| unsafe { std::mem::forget(napi_sys::setup()) });
}
