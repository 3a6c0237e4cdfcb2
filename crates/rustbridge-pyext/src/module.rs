//! The module's definition and what is in it.

use core::ffi::{CStr, c_int, c_void};
use core::ptr;

use pyo3_ffi as py;
use pyo3_ffi::PyObject;

use crate::error::{self, fail};
use crate::{lifecycle, log, method, response, upcall};

/// The number of the main interpreter. Threads that Python doesn't know enter that one, so log records could reach no
/// other; and what's kept in statics here (the error factory, a type) is its own.
const MAIN_INTERPRETER: i64 = 0;

fn function(
    name: &'static CStr,
    function: py::PyCFunction,
    flags: c_int,
    doc: &'static CStr,
) -> py::PyMethodDef {
    py::PyMethodDef {
        ml_name: name.as_ptr(),
        ml_meth: py::PyMethodDefPointer {
            PyCFunction: function,
        },
        ml_flags: flags,
        ml_doc: doc.as_ptr(),
    }
}

unsafe extern "C" fn exec(module: *mut PyObject) -> c_int {
    // SAFETY: Python calls it with the GIL held and a fresh module; references are handed to the module.
    unsafe {
        if py::PyInterpreterState_GetID(py::PyInterpreterState_Get()) != MAIN_INTERPRETER {
            fail(
                &raw mut py::PyExc_ImportError,
                c"rustbridge works in the main interpreter of a process only, and this is another: load plugins there (under mod_wsgi by `WSGIApplicationGroup %{GLOBAL}`)",
            );
            return -1;
        }
        if upcall::begin() {
            error::forget_factory();
            response::forget_relief();
        }
        let response_type = response::make_type();
        if response_type.is_null() {
            return -1;
        }
        let method_type = method::make_type();
        if method_type.is_null() {
            return -1;
        }
        if py::PyModule_AddObjectRef(module, c"Response".as_ptr(), response_type) != 0 {
            return -1;
        }
        py::PyModule_AddObjectRef(module, c"Method".as_ptr(), method_type)
    }
}

/// What `import rustbridge._native` calls.
///
/// # Safety
/// Called by Python with the GIL held.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn PyInit__native() -> *mut PyObject {
    let functions = Box::leak(Box::new([
        function(c"load", lifecycle::load, py::METH_VARARGS, c"load(path, image, config, name, flags, level, capacity, log, /)\n--\n\nLoad a plugin; gives the handle of its instance."),
        function(c"describe", lifecycle::describe, py::METH_O, c"describe(handle, /)\n--\n\nGive the plugin's description, JSON."),
        function(c"prepare", lifecycle::prepare, py::METH_VARARGS, c"prepare(handle, method, encoding, /)\n--\n\nResolve a method by name or id: what `rb_method` tells of it, without its size."),
        function(c"state", lifecycle::state, py::METH_O, c"state(handle, /)\n--\n\nGive the number of an instance's state."),
        function(c"close", lifecycle::close, py::METH_VARARGS, c"close(handle, timeout_ms, /)\n--\n\nDrain and destroy an instance."),
        function(c"inspect", lifecycle::inspect, py::METH_NOARGS, c"inspect()\n--\n\nGive the core's ledger, JSON."),
        function(c"version", lifecycle::version, py::METH_NOARGS, c"version()\n--\n\nGive the version of the library."),
        function(c"set_log_level", log::set_log_level, py::METH_VARARGS, c"set_log_level(handle, level, /)\n--\n\nChange the log level."),
        function(c"set_log_sink", log::set_log_sink, py::METH_VARARGS, c"set_log_sink(handle, log, timeout_ms, /)\n--\n\nChange the sink."),
        function(c"flush_logs", log::flush_logs, py::METH_VARARGS, c"flush_logs(handle, timeout_ms, /)\n--\n\nWait for the delivery of records."),
        function(c"leased", response::leased, py::METH_NOARGS, c"leased()\n--\n\nGive how many bytes responses hold."),
        function(c"set_relief", response::set_relief, py::METH_VARARGS, c"set_relief(relieve, limit, /)\n--\n\nSay what frees forgotten responses and gives the next limit, and the first."),
        function(c"set_error_factory", error::set_error_factory, py::METH_O, c"set_error_factory(factory, /)\n--\n\nSay what makes exceptions from a status and a payload."),
        function(c"end_upcalls", upcall::end, py::METH_O, c"end_upcalls(timeout_ms, /)\n--\n\nLet no callback begin any more, and wait for those that run."),
        function(c"forget_upcalls", upcall::forget, py::METH_NOARGS, c"forget_upcalls()\n--\n\nForget the callbacks of the parent, in a forked child."),
        py::PyMethodDef::zeroed(),
    ]));
    let slots = Box::leak(Box::new([
        py::PyModuleDef_Slot {
            slot: py::Py_mod_exec,
            value: exec as *mut c_void,
        },
        py::PyModuleDef_Slot {
            slot: 0,
            value: ptr::null_mut(),
        },
    ]));
    let definition = Box::leak(Box::new(py::PyModuleDef {
        m_base: py::PyModuleDef_HEAD_INIT,
        m_name: c"_native".as_ptr(),
        m_doc: c"The core of rustbridge. Use the package `rustbridge`, not this.".as_ptr(),
        m_size: 0,
        m_methods: functions.as_mut_ptr(),
        m_slots: slots.as_mut_ptr(),
        m_traverse: None,
        m_clear: None,
        m_free: None,
    }));
    // SAFETY: the definition lives for good, as Python asks.
    unsafe { py::PyModuleDef_Init(definition) }
}
