//! Calling up into Python from threads that it may not know: those of the core and of plugins.
//!
//! Whoever calls up holds no GIL, may be on a thread that Python has never seen, and may come while Python ends.
//! [`with_gil`] deals with these three, and [`call`] with what the callable raises. What is built on them says which
//! objects go in, and no more. The other direction, letting go of the GIL to call down, is in [`crate::gil`].

use core::cell::Cell;
use core::ffi::c_ulonglong;
use core::mem;
use core::ptr;
use core::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use pyo3_ffi as py;
use pyo3_ffi::{PyGILState_STATE, PyObject};

use crate::convert::none;
use crate::gil::without_gil;

/// How many upcalls are inside, and [`SHUT`]. One for the process is right because the module works in one interpreter.
static GATE: AtomicUsize = AtomicUsize::new(0);

/// Python ends, and no upcall begins any more: a thread that asked for the GIL now would be ended or hung.
const SHUT: usize = 1 << (usize::BITS - 1);

/// How often [`end`] looks whether the upcalls inside have returned.
const LOOK: Duration = Duration::from_millis(1);

/// Whether a thread that Python didn't know stays known until it ends. Making a thread state for each upcall costs more
/// than the upcall, and loses what handlers keep in a `threading.local`. Not on Windows: there a thread's destructors
/// run under the loader's lock, which an `import` takes while it holds the GIL.
const STAYS_ATTACHED: bool = cfg!(not(windows));

// One per thread of the process, like the thread states that it counts, whatever the instances.
thread_local! {
    static THREAD: Thread = const {
        Thread {
            inside: Cell::new(0),
            attached: Cell::new(None),
        }
    };
}

/// What is remembered of a thread that calls up.
struct Thread {
    /// Its share of [`GATE`].
    inside: Cell<usize>,
    /// What `PyGILState_Ensure` gave when it attached this thread for good.
    attached: Cell<Option<PyGILState_STATE>>,
}

impl Drop for Thread {
    fn drop(&mut self) {
        let Some(state) = self.attached.take() else {
            return;
        };
        // When Python ends it frees the states of all threads itself.
        let Some(_inside) = Inside::enter(self) else {
            return;
        };
        // SAFETY: the state still counts the `PyGILState_Ensure` that gave `state`. The one here is for the GIL, and the
        // last release ends the state and lets go of the GIL.
        unsafe {
            py::PyGILState_Ensure();
            py::PyGILState_Release(PyGILState_STATE::PyGILState_LOCKED);
            py::PyGILState_Release(state);
        }
    }
}

/// The right to ask for the GIL: while there is one, [`end`] waits.
struct Inside<'a>(&'a Thread);

impl<'a> Inside<'a> {
    fn enter(thread: &'a Thread) -> Option<Inside<'a>> {
        let before = GATE.fetch_add(1, Ordering::AcqRel);
        thread.inside.set(thread.inside.get() + 1);
        let inside = Inside(thread);
        // SAFETY: may be asked at any time. It's 0 where Python was ended without `end`.
        let runs = unsafe { py::Py_IsInitialized() != 0 };
        (before & SHUT == 0 && runs).then_some(inside)
    }
}

impl Drop for Inside<'_> {
    fn drop(&mut self) {
        self.0.inside.set(self.0.inside.get() - 1);
        GATE.fetch_sub(1, Ordering::AcqRel);
    }
}

/// Hangs the thread when it's dropped, as Python itself does from 3.14 on. Before, Python ends a thread that asks for the
/// GIL too late by unwinding its stack, and ours must not be unwound.
struct Hang;

impl Drop for Hang {
    fn drop(&mut self) {
        loop {
            thread::park();
        }
    }
}

/// Runs something with the GIL, on any thread, also one that holds it; not at all once Python ends.
///
/// # Safety
/// `run` leaves no exception behind and doesn't unwind.
unsafe fn with_gil(run: impl FnOnce()) {
    let here = |thread: &Thread, stays: bool| {
        let Some(_inside) = Inside::enter(thread) else {
            return;
        };
        // SAFETY: Python runs, and waits for us before it ends. Each `PyGILState_Ensure` has its end: here, or together
        // with the thread if it stays attached.
        unsafe {
            let unknown = py::PyGILState_GetThisThreadState().is_null();
            let state = py::PyGILState_Ensure();
            run();
            if unknown && stays {
                thread.attached.set(Some(state));
                py::PyEval_SaveThread();
            } else {
                py::PyGILState_Release(state);
            }
        }
    };
    let mut here = Some(here);
    let done = THREAD.try_with(|thread| {
        if let Some(here) = here.take() {
            here(thread, STAYS_ATTACHED);
        }
    });
    if done.is_err()
        && let Some(here) = here
    {
        // The destructors of this thread have run: there's nobody left who would detach it.
        let thread = Thread {
            inside: Cell::new(0),
            attached: Cell::new(None),
        };
        here(&thread, false);
    }
}

/// Calls `callable` with the tuple that `arguments` makes. What it raises is reported as everything that Python has
/// nobody to raise it to, by `sys.unraisablehook`.
///
/// # Safety
/// The callable lives as long as this runs. `arguments` gives a new tuple, or null with an exception.
pub(crate) unsafe fn call(callable: *mut PyObject, arguments: impl FnOnce() -> *mut PyObject) {
    // SAFETY: every new reference is given up here, and no exception is left behind. The pointer is to the same function,
    // said to unwind, which it does when Python ends while it waits for the GIL.
    unsafe {
        with_gil(|| {
            let arguments = arguments();
            let result = if arguments.is_null() {
                ptr::null_mut()
            } else {
                let call = mem::transmute::<
                    unsafe extern "C" fn(*mut PyObject, *mut PyObject) -> *mut PyObject,
                    unsafe extern "C-unwind" fn(*mut PyObject, *mut PyObject) -> *mut PyObject,
                >(py::PyObject_CallObject);
                // Read as something that may have changed, or the compiler sees which function it is, that its
                // declaration says that it doesn't unwind, and leaves out what `hang` is for.
                let call = ptr::read_volatile(&call);
                let hang = Hang;
                let result = call(callable, arguments);
                mem::forget(hang);
                py::Py_DECREF(arguments);
                result
            };
            if result.is_null() {
                py::PyErr_WriteUnraisable(callable);
            } else {
                py::Py_DECREF(result);
            }
        });
    }
}

/// Gives up a reference; once Python ends there's nothing to give it up to.
///
/// # Safety
/// The reference is the caller's, and is gone.
pub(crate) unsafe fn release(object: *mut PyObject) {
    // SAFETY: the caller's promise. A destructor written in Python reports what it raises itself.
    unsafe { with_gil(|| py::Py_DECREF(object)) }
}

/// `end_upcalls(timeout_ms)`: lets no upcall begin any more, and waits for those inside.
///
/// # Safety
/// Called by Python with the GIL held.
pub(crate) unsafe extern "C" fn end(_: *mut PyObject, timeout_ms: *mut PyObject) -> *mut PyObject {
    // SAFETY: the conversion leaves an exception where it fails. Without the GIL, because those inside want it.
    unsafe {
        let timeout: c_ulonglong = py::PyLong_AsUnsignedLongLong(timeout_ms);
        if !py::PyErr_Occurred().is_null() {
            return ptr::null_mut();
        }
        without_gil(|| {
            let begin = Instant::now();
            GATE.fetch_or(SHUT, Ordering::AcqRel);
            while GATE.load(Ordering::Acquire) != SHUT
                && begin.elapsed() < Duration::from_millis(timeout)
            {
                thread::sleep(LOOK);
            }
        });
        none()
    }
}

/// `forget_upcalls()`: in a forked child, where only the calling thread has come along.
///
/// # Safety
/// Called by Python with the GIL held.
pub(crate) unsafe extern "C" fn forget(_: *mut PyObject, _: *mut PyObject) -> *mut PyObject {
    GATE.store(THREAD.with(|thread| thread.inside.get()), Ordering::Release);
    // SAFETY: the GIL is held.
    unsafe { none() }
}
