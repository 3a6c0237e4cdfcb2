//! Objects that are lent to a call, so that none is dropped under it.

use std::ptr;

use rustbridge_abi::Object;

use super::objects::{self, Unusable};
use crate::error::Error;
use crate::handle::table::Handle;

/// How many objects are lent to a call without an allocation.
const INLINE: usize = 4;

/// Objects that are lent to a call. Giving them back drops those that were released meanwhile.
#[derive(Debug)]
pub(crate) struct Lent {
    count: usize,
    addresses: [u64; INLINE],
    objects: [Object; INLINE],
    /// If there are more than fit above: the addresses, and behind them the numbers.
    more: Vec<u64>,
}

impl Lent {
    /// No objects.
    pub(crate) const fn none() -> Lent {
        Lent {
            count: 0,
            addresses: [0; INLINE],
            objects: [0; INLINE],
            more: Vec::new(),
        }
    }

    /// What the plugin gets, one for each object; null if there are none. As long as this is neither moved nor dropped.
    pub(crate) fn as_ptr(&self) -> *const u64 {
        if self.count == 0 {
            ptr::null()
        } else if self.more.is_empty() {
            self.addresses.as_ptr()
        } else {
            self.more.as_ptr()
        }
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    fn objects(&self) -> &[Object] {
        if self.more.is_empty() {
            &self.objects[..self.count]
        } else {
            &self.more[self.more.len() / 2..][..self.count]
        }
    }
}

impl Drop for Lent {
    #[inline]
    fn drop(&mut self) {
        for &object in self.objects() {
            // SAFETY: pinned by `lend`, and whoever has this is inside the instance, by the promise there.
            unsafe { objects::unpin(object) };
        }
    }
}

/// Lends objects to a call: all or none.
///
/// # Safety
/// The caller is inside the instance, or counted as running in it, until what it's given is dropped.
#[inline]
pub(crate) unsafe fn lend(instance: Handle, objects: &[Object]) -> Result<Lent, Error> {
    let mut lent = Lent::none();
    if objects.len() > INLINE {
        lent.more = vec![0; objects.len() * 2];
    }
    for (position, &object) in objects.iter().enumerate() {
        let address =
            objects::pin(instance, object).map_err(|why| at_position(why, position, object))?;
        if objects.len() > INLINE {
            lent.more[position] = address;
            lent.more[objects.len() + position] = object;
        } else {
            lent.addresses[position] = address;
            lent.objects[position] = object;
        }
        // Counted one by one, so that those before one that's refused are given back.
        lent.count = position + 1;
    }
    Ok(lent)
}

#[cold]
fn at_position(why: Unusable, position: usize, object: Object) -> Error {
    why.error(&format!("object {position} of the call ({object:#x})"))
        .with_details(Error::detail("position", position))
}
