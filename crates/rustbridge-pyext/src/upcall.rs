//! Calling up into Python from threads that it may not know: those of the core and of plugins.
//!
//! Whoever calls up holds no GIL, may be on a thread that Python has never seen, and may come while Python ends.
//! [`with_gil`] deals with these three, and [`call`] with what the callable raises. What is built on them says which
//! objects go in, and no more. The other direction, letting go of the GIL to call down, is in [`crate::gil`].

use core::cell::Cell;
use core::ffi::c_ulonglong;
use core::ptr;
use core::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use pyo3_ffi as py;
use pyo3_ffi::{PyGILState_STATE, PyObject};

use crate::convert::none;
use crate::ending;
use crate::gil::without_gil;

/// How many upcalls are inside, and [`SHUT`]. One for the process is right because the module works in one interpreter.
static GATE: AtomicUsize = AtomicUsize::new(0);

/// Counts the times that Python was begun in this process: a program that embeds it may end it and begin it anew. One for
/// the process is right because there's one Python at a time.
static RUN: AtomicUsize = AtomicUsize::new(0);

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
    /// What `PyGILState_Ensure` gave when it attached this thread for good, and in which [`RUN`].
    attached: Cell<Option<(usize, PyGILState_STATE)>>,
}

impl Drop for Thread {
    fn drop(&mut self) {
        // When Python ends it frees the states of all threads itself.
        let Some((run, state)) = self.attached.take() else {
            return;
        };
        if run != RUN.load(Ordering::Acquire) {
            return;
        }
        let Some(_inside) = Inside::enter(self) else {
            return;
        };
        // SAFETY: the state still counts the `PyGILState_Ensure` that gave `state`. The one here is for the GIL, and the
        // last release ends the state and lets go of the GIL.
        unsafe {
            py::PyGILState_Ensure();
            ending::PyGILState_Release(PyGILState_STATE::PyGILState_LOCKED);
            ending::PyGILState_Release(state);
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
        // Python doesn't run where it was ended without `end`.
        (before & SHUT == 0 && ending::runs()).then_some(inside)
    }
}

impl Drop for Inside<'_> {
    fn drop(&mut self) {
        self.0.inside.set(self.0.inside.get() - 1);
        GATE.fetch_sub(1, Ordering::AcqRel);
    }
}

/// Runs something with the GIL, on any thread, also one that holds it; not at all once Python ends.
///
/// # Safety
/// `run` leaves no exception behind and doesn't unwind.
pub(crate) unsafe fn with_gil(run: impl FnOnce()) {
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
                thread
                    .attached
                    .set(Some((RUN.load(Ordering::Acquire), state)));
                py::PyEval_SaveThread();
            } else {
                ending::PyGILState_Release(state);
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

/// Whether Python knows the calling thread, and not only because an upcall has attached it: then its stack began in Python, or
/// where somebody has let Python know of it.
pub(crate) fn began_in_python() -> bool {
    // SAFETY: may be asked on any thread.
    let known = unsafe { !py::PyGILState_GetThisThreadState().is_null() };
    known && THREAD.try_with(|thread| thread.attached.get().is_none()) == Ok(true) && ending::runs()
}

/// A callable that native code holds, of one [`RUN`] of Python: a later one knows nothing of it.
pub(crate) struct Target {
    callable: *mut PyObject,
    run: usize,
}

impl Target {
    /// Takes a reference to `callable`.
    ///
    /// # Safety
    /// The GIL is held.
    pub(crate) unsafe fn new(callable: *mut PyObject) -> Target {
        // SAFETY: the caller's promise; `drop` gives the reference up.
        unsafe { py::Py_INCREF(callable) };
        Target {
            callable,
            run: RUN.load(Ordering::Acquire),
        }
    }

    /// Calls it with the tuple that `arguments` makes. What it raises is reported as everything that Python has nobody to
    /// raise it to, by `sys.unraisablehook`.
    ///
    /// # Safety
    /// `arguments` gives a new tuple, or null with an exception.
    pub(crate) unsafe fn call(&self, arguments: impl FnOnce() -> *mut PyObject) {
        if self.run != RUN.load(Ordering::Acquire) {
            return;
        }
        // SAFETY: every new reference is given up here, and no exception is left behind.
        unsafe {
            with_gil(|| {
                let arguments = arguments();
                let result = if arguments.is_null() {
                    ptr::null_mut()
                } else {
                    let result = ending::PyObject_CallObject(self.callable, arguments);
                    ending::Py_DecRef(arguments);
                    result
                };
                if result.is_null() {
                    ending::PyErr_WriteUnraisable(self.callable);
                } else {
                    ending::Py_DecRef(result);
                }
            });
        }
    }
}

impl Drop for Target {
    /// Gives the reference up; once Python ends there's nothing to give it up to.
    fn drop(&mut self) {
        if self.run == RUN.load(Ordering::Acquire) {
            // SAFETY: the reference is this one's. A destructor written in Python reports what it raises itself.
            unsafe { with_gil(|| ending::Py_DecRef(self.callable)) }
        }
    }
}

/// Begins anew where Python was ended and begun again: upcalls are let in, and what was of the one before is forgotten. The
/// answer is whether it was so.
pub(crate) fn reopen() -> bool {
    if GATE.load(Ordering::Acquire) & SHUT == 0 {
        return false;
    }
    RUN.fetch_add(1, Ordering::AcqRel);
    // Whoever was still inside never comes back: Python has stopped it.
    GATE.store(0, Ordering::Release);
    true
}

/// `end_upcalls(timeout_ms) -> bool`: lets no upcall begin any more, and waits for those inside; whether they have returned.
///
/// # Safety
/// Called by Python with the GIL held.
pub(crate) unsafe extern "C" fn end_upcalls(
    _: *mut PyObject,
    timeout_ms: *mut PyObject,
) -> *mut PyObject {
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
        let returned = GATE.load(Ordering::Acquire) == SHUT;
        py::PyBool_FromLong(returned.into())
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
