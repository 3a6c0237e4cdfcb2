//! Objects that a call borrows, so that none is dropped during the call.

use std::mem::MaybeUninit;
use std::{ptr, slice};

use rustbridge_abi::Object;

use super::objects::{self, Unusable};
use crate::error::Error;
use crate::registry::table::Handle;

/// How many objects a call borrows without an allocation.
const INLINE: usize = 4;

/// Objects that a call borrows. Returning them drops those that were released meanwhile.
#[derive(Debug)]
pub(crate) struct BorrowedObjects {
    count: usize,
    // Of both, the first `count` are initialised, unless there are more than fit.
    addresses: [MaybeUninit<u64>; INLINE],
    objects: [MaybeUninit<Object>; INLINE],
    /// If there are more than fit above: the addresses, followed by the numbers.
    more: Vec<u64>,
}

impl BorrowedObjects {
    /// No objects.
    pub(crate) const fn none() -> BorrowedObjects {
        BorrowedObjects {
            count: 0,
            addresses: [MaybeUninit::uninit(); INLINE],
            objects: [MaybeUninit::uninit(); INLINE],
            more: Vec::new(),
        }
    }

    /// The addresses for the plugin, or null if there are no objects. Valid until this is moved or dropped.
    pub(crate) fn as_ptr(&self) -> *const u64 {
        if self.count == 0 {
            ptr::null()
        } else if self.more.is_empty() {
            self.addresses.as_ptr().cast()
        } else {
            self.more.as_ptr()
        }
    }

    /// How many objects there are.
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    fn objects(&self) -> &[Object] {
        if self.more.is_empty() {
            // SAFETY: as many are initialised, because they fit.
            unsafe { slice::from_raw_parts(self.objects.as_ptr().cast(), self.count) }
        } else {
            &self.more[self.more.len() / 2..][..self.count]
        }
    }
}

impl Default for BorrowedObjects {
    fn default() -> BorrowedObjects {
        BorrowedObjects::none()
    }
}

impl Drop for BorrowedObjects {
    #[inline]
    fn drop(&mut self) {
        if self.count != 0 {
            self.return_all();
        }
    }
}

impl BorrowedObjects {
    fn return_all(&mut self) {
        for &object in self.objects() {
            // SAFETY: `borrow` has pinned it, and the caller is inside the instance, by the promise there.
            unsafe { objects::unpin(object) };
        }
        self.count = 0;
    }

    /// Borrows objects for a call that has none so far: all or none of them.
    ///
    /// # Safety
    /// The caller is inside the instance, or counted as running in it, until this is dropped.
    #[inline]
    pub(crate) unsafe fn borrow(
        &mut self,
        instance: Handle,
        objects: &[Object],
    ) -> Result<(), Error> {
        if objects.is_empty() {
            return Ok(());
        }
        self.borrow_some(instance, objects)
    }

    fn borrow_some(&mut self, instance: Handle, objects: &[Object]) -> Result<(), Error> {
        if objects.len() > INLINE {
            self.more = vec![0; objects.len() * 2];
        }
        for (position, &object) in objects.iter().enumerate() {
            let address = match objects::pin(instance, object) {
                Ok(address) => address,
                Err(why) => {
                    self.return_all();
                    return Err(at_position(why, position, object));
                }
            };
            if objects.len() > INLINE {
                self.more[position] = address;
                self.more[objects.len() + position] = object;
            } else {
                self.addresses[position].write(address);
                self.objects[position].write(object);
            }
            // Counted one by one, so that those before a refused one are returned.
            self.count = position + 1;
        }
        Ok(())
    }
}

#[cold]
fn at_position(why: Unusable, position: usize, object: Object) -> Error {
    why.error(&format!("object {position} of the call ({object:#x})"))
        .with_details(Error::detail("position", position))
}
