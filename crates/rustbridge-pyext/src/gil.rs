//! Letting go of the GIL to call down into the core. The other direction is in [`crate::upcall`].

use pyo3_ffi as py;

use crate::ending;

/// Runs something without the GIL, so that other Python threads go on, and callbacks may take it.
///
/// # Safety
/// The GIL is held; `run` touches no Python object.
#[inline]
pub(crate) unsafe fn without_gil<T>(run: impl FnOnce() -> T) -> T {
    // SAFETY: the thread state that was saved is the one that's restored, on the same thread; `run` doesn't unwind, as
    // no function of the core that bindings call does.
    unsafe {
        let ends_python = !ending::runs();
        let state = py::PyEval_SaveThread();
        let result = run();
        if !ends_python {
            ending::stop_if_late();
        }
        py::PyEval_RestoreThread(state);
        result
    }
}
