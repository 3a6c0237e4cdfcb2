//! The module's definition and what is in it.

use core::ffi::{CStr, c_int, c_void};
use core::ptr;

use pyo3_ffi as py;
use pyo3_ffi::PyObject;

use crate::error::{self, fail};
use crate::{events, lifecycle, log, method, operations, response, service, upcall, wire};

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

/// One whose arguments come as they lie on the stack.
fn fast(name: &'static CStr, function: py::PyCFunctionFast, doc: &'static CStr) -> py::PyMethodDef {
    py::PyMethodDef {
        ml_name: name.as_ptr(),
        ml_meth: py::PyMethodDefPointer {
            PyCFunctionFast: function,
        },
        ml_flags: py::METH_FASTCALL,
        ml_doc: doc.as_ptr(),
    }
}

unsafe extern "C" fn exec(module: *mut PyObject) -> c_int {
    // SAFETY: Python calls it with the GIL held and a fresh module; references are handed to the module.
    unsafe {
        if py::PyInterpreterState_GetID(py::PyInterpreterState_Get()) != MAIN_INTERPRETER {
            fail(
                &raw mut py::PyExc_ImportError,
                c"rustbridge works only in the main interpreter of a process, but this is another one: load plugins there (under mod_wsgi by `WSGIApplicationGroup %{GLOBAL}`)",
            );
            return -1;
        }
        if upcall::reopen() {
            error::forget_factory();
            response::forget_relief();
            service::forget_answer();
        }
        let response_type = response::make_type();
        if response_type.is_null() {
            return -1;
        }
        let method_type = method::make_type();
        if method_type.is_null() {
            return -1;
        }
        let plan_type = wire::make_plan_type();
        if plan_type.is_null() {
            return -1;
        }
        let typed_type = wire::make_typed_type();
        if typed_type.is_null() {
            return -1;
        }
        let initializer_type = wire::make_initializer_type();
        if initializer_type.is_null() {
            return -1;
        }
        for (name, kind) in [
            (c"Initializer", initializer_type),
            (c"Response", response_type),
            (c"Method", method_type),
            (c"Plan", plan_type),
            (c"Typed", typed_type),
        ] {
            if py::PyModule_AddObjectRef(module, name.as_ptr(), kind) != 0 {
                return -1;
            }
        }
        0
    }
}

/// What `import rustbridge._native` calls.
///
/// # Safety
/// Called by Python with the GIL held.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn PyInit__native() -> *mut PyObject {
    let functions = Box::leak(Box::new([
        function(c"load", lifecycle::load, py::METH_VARARGS, c"load(path, image, config, name, flags, level, capacity, log, services, client_schema, threads, /)\n--\n\nLoad a plugin; gives the handle of its instance."),
        function(c"name", lifecycle::name, py::METH_O, c"name(handle, /)\n--\n\nGive the name that an instance goes by, UTF-8."),
        function(c"describe", lifecycle::describe, py::METH_O, c"describe(handle, /)\n--\n\nGive the plugin's description, JSON."),
        function(c"prepare_typed", lifecycle::prepare_typed, py::METH_VARARGS, c"prepare_typed(handle, method, fingerprint, client_schema, /)\n--\n\nResolve a method in the wire form, if a client's types are the plugin's."),
        function(c"prepare", lifecycle::prepare, py::METH_VARARGS, c"prepare(handle, method, encoding, /)\n--\n\nResolve a method by name or ID; returns the fields of `rb_method` without its size."),
        function(c"state", lifecycle::state, py::METH_O, c"state(handle, /)\n--\n\nGive the number of an instance's state."),
        function(c"close", lifecycle::close, py::METH_VARARGS, c"close(handle, timeout_ms, cancel_after_ms, /)\n--\n\nClose an instance; pending calls are cancelled after a time of its own, or not for None."),
        function(c"inspect", lifecycle::inspect, py::METH_NOARGS, c"inspect()\n--\n\nReturn the report of the core, as JSON."),
        function(c"version", lifecycle::version, py::METH_NOARGS, c"version()\n--\n\nGive the version of the library."),
        function(c"set_log_level", log::set_log_level, py::METH_VARARGS, c"set_log_level(handle, level, /)\n--\n\nChange the log level."),
        function(c"set_log_sink", log::set_log_sink, py::METH_VARARGS, c"set_log_sink(handle, log, timeout_ms, /)\n--\n\nChange the sink."),
        function(c"flush_logs", log::flush_logs, py::METH_VARARGS, c"flush_logs(handle, timeout_ms, /)\n--\n\nWait for the delivery of records."),
        function(c"leased", response::leased, py::METH_NOARGS, c"leased()\n--\n\nGive how many bytes responses hold."),
        function(c"set_relief", response::set_relief, py::METH_VARARGS, c"set_relief(relieve, limit, /)\n--\n\nSet the function that frees forgotten responses and returns the next limit, and the first limit."),
        function(c"set_error_factory", error::set_error_factory, py::METH_VARARGS, c"set_error_factory(factory, classes, /)\n--\n\nSet the function that makes exceptions from a status and a payload, and the class for each status."),
        function(c"end_upcalls", upcall::end_upcalls, py::METH_O, c"end_upcalls(timeout_ms, /)\n--\n\nLet no callback begin any more, and wait for those that run."),
        function(c"forget_upcalls", upcall::forget, py::METH_NOARGS, c"forget_upcalls()\n--\n\nForget the callbacks of the parent, in a forked child."),
        function(c"queue_new", events::new, py::METH_NOARGS, c"queue_new()\n--\n\nMake a queue; gives its number."),
        function(c"queue_close", events::close, py::METH_O, c"queue_close(queue, /)\n--\n\nClose a queue; its pending calls are abandoned."),
        function(c"queue_fd", events::fd, py::METH_O, c"queue_fd(queue, /)\n--\n\nReturn the descriptor for a loop to watch."),
        function(c"queue_wake", events::wake, py::METH_O, c"queue_wake(queue, /)\n--\n\nHave who waits for events return without one."),
        fast(c"queue_poll", events::next, c"queue_poll(queue, timeout_ms, /)\n--\n\nFetch events, each a tuple that begins with its kind and its operation."),
        fast(c"submit", operations::submit, c"submit(queue, handle, entry, request, flags, header, items, most, /)\n--\n\nSubmit a call; returns its ID, or the same as `call_with`."),
        fast(c"call_with", operations::call_with, c"call_with(handle, entry, request, header, /)\n--\n\nCall; gives bytes, or status, payload, trailers and objects."),
        fast(c"call_lending", operations::call_lending, c"call_lending(handle, entry, request, number, /)\n--\n\nCall with one borrowed object; returns the same as `call_with`."),
        function(c"op_cancel", operations::cancel, py::METH_O, c"op_cancel(op, /)\n--\n\nRequest the cancellation of a call."),
        function(c"op_detach", operations::detach, py::METH_O, c"op_detach(op, /)\n--\n\nGive an operation up."),
        fast(c"op_demand", operations::demand, c"op_demand(op, items, most, /)\n--\n\nTake so much more of a stream."),
        fast(c"op_write", operations::write, c"op_write(op, data, count, flags, /)\n--\n\nSend items."),
        fast(c"op_end", operations::end, c"op_end(op, status, payload, /)\n--\n\nEnd the input stream."),
        fast(c"service_reply", operations::reply, c"service_reply(number, status, payload, /)\n--\n\nAnswer a service's call."),
        function(c"object_release", operations::release_object, py::METH_O, c"object_release(number, /)\n--\n\nRelease an object; gives the status."),
        function(c"set_service_answer", service::set_answer, py::METH_O, c"set_service_answer(answer, /)\n--\n\nSet the function that answers services on threads that began in Python."),
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
