//! The floor's library, loaded by hand, and calls of its functions.

use std::sync::OnceLock;

use libloading::Library;

use crate::libraries::library;

type FloorFn =
    unsafe extern "C" fn(*mut u8, u32, *const u8, usize, *mut u8, usize, *mut usize) -> i32;

/// A function of the floor.
#[derive(Clone, Copy)]
pub struct Floor(FloorFn);

impl Floor {
    /// The function of that name, `floor_` left out.
    ///
    /// # Panics
    /// When the floor lacks it.
    pub fn find(name: &str) -> Floor {
        // One per process, which has one floor; it stays loaded, because the functions are kept.
        static LIBRARY: OnceLock<Library> = OnceLock::new();
        let library = LIBRARY.get_or_init(|| {
            // SAFETY: our own library; it has no constructors.
            let library = unsafe { Library::new(library("floor")) };
            library.unwrap_or_else(|error| panic!("floor: {error}"))
        });
        // SAFETY: every function of the floor has this signature.
        let function = unsafe { library.get::<FloorFn>(format!("floor_{name}")) };
        Floor(*function.unwrap_or_else(|error| panic!("floor_{name}: {error}")))
    }

    /// Calls it; gives the response's length.
    ///
    /// # Panics
    /// When it refuses: a benchmark of failures would flatter it.
    #[inline(always)]
    pub fn call(self, request: &[u8], storage: &mut [u8]) -> usize {
        // SAFETY: the slice is writable.
        unsafe { self.call_raw(request, storage.as_mut_ptr(), storage.len()) }
    }

    /// As [`Floor::call`], into memory that needn't have been written before.
    ///
    /// # Safety
    /// `storage` points to `capacity` writable bytes.
    ///
    /// # Panics
    /// As for [`Floor::call`].
    #[inline(always)]
    pub unsafe fn call_raw(self, request: &[u8], storage: *mut u8, capacity: usize) -> usize {
        // SAFETY: the caller's promise; functions that need a handle aren't called by this.
        unsafe { self.call_on(std::ptr::null_mut(), request, storage, capacity) }
    }

    /// As [`Floor::call_raw`], with what the function works on.
    ///
    /// # Safety
    /// As for [`Floor::call_raw`], and `handle` is what the function says it is.
    ///
    /// # Panics
    /// As for [`Floor::call`].
    #[inline(always)]
    pub unsafe fn call_on(
        self,
        handle: *mut u8,
        request: &[u8],
        storage: *mut u8,
        capacity: usize,
    ) -> usize {
        let mut len = 0;
        // SAFETY: the floor reads the request and writes at most `capacity` bytes.
        let status = unsafe {
            (self.0)(
                handle,
                1,
                request.as_ptr(),
                request.len(),
                storage,
                capacity,
                &mut len,
            )
        };
        assert!(status == 0 && len <= capacity);
        len
    }
}
