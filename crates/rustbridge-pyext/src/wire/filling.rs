//! Lists that are filled one by one while other code may run.

use pyo3_ffi as py;
use pyo3_ffi::Py_ssize_t;

use super::limits::{Done, Fallback};
use crate::ending;
use crate::object::OwnedRef;

/// For how many items room is made before they come: each of many lists in each other would claim for itself what is left.
const AT_ONCE: usize = 1024;

/// A list that lacks some of its items. Nobody sees it, because the garbage collector, by which Python's code finds every object
/// there is, isn't told of it before it's whole.
pub(super) struct ListBuilder {
    list: OwnedRef,
    filled: usize,
    room: usize,
}

impl ListBuilder {
    /// Of so many items, as far as anybody knows.
    ///
    /// # Safety
    /// The GIL is held. This goes for all of them.
    pub(super) unsafe fn new(count: usize) -> Result<ListBuilder, Fallback> {
        let room = count.min(AT_ONCE);
        // SAFETY: a new list, which may be given up at any time, whatever is in it.
        unsafe {
            let list = OwnedRef::new(ending::PyList_New(room as Py_ssize_t)).ok_or(Fallback)?;
            py::PyObject_GC_UnTrack(list.cast());
            Ok(ListBuilder {
                list,
                filled: 0,
                room,
            })
        }
    }

    #[inline(always)]
    pub(super) unsafe fn push(&mut self, one: OwnedRef) -> Done {
        // SAFETY: the list is nobody else's, and has room for so many.
        unsafe {
            if self.filled < self.room {
                py::PyList_SetItem(*self.list, self.filled as Py_ssize_t, one.give());
                self.filled += 1;
                return Ok(());
            }
            if py::PyList_Append(*self.list, *one) == 0 {
                Ok(())
            } else {
                Err(Fallback)
            }
        }
    }

    /// The list, with which as many items have come as were announced.
    pub(super) unsafe fn whole(self) -> OwnedRef {
        debug_assert_eq!(self.filled, self.room);
        // SAFETY: nobody has told the collector meanwhile.
        unsafe { py::PyObject_GC_Track(self.list.cast()) };
        self.list
    }
}
