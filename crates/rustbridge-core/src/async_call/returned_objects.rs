//! The objects of a response: from the addresses that the plugin writes to the numbers that the host receives.

use std::ptr;

use rustbridge_abi::{Object, Response, Status};

use super::objects;
use crate::error::Error;
use crate::registry::table::Handle;
use crate::response::{Offer, bytes_of, release, write_bytes};

/// How many objects a response may have without an allocation.
const OFFERED: usize = 8;

/// The buffer for the objects of a response. It belongs to the core, so that the host never sees an address.
#[derive(Debug)]
pub(crate) struct ReturnedObjects {
    storage: [u64; OFFERED],
}

impl ReturnedObjects {
    pub(crate) const fn new() -> ReturnedObjects {
        ReturnedObjects {
            storage: [0; OFFERED],
        }
    }

    /// The response that the plugin fills in. Valid until this is moved.
    pub(crate) fn response(&mut self) -> Response {
        Response::with_buffer(self.storage.as_mut_ptr().cast(), size_of_val(&self.storage))
    }

    /// What [`response`](ReturnedObjects::response) has offered.
    fn offer(&mut self) -> Offer {
        let mut response = self.response();
        // SAFETY: our own response.
        unsafe { Offer::of(&raw mut response) }
    }
}

/// Issues numbers for the objects of a response, and writes them to the host's buffer. `whose` names the plugin and the method. On an
/// error, the host receives none, and all that can be dropped are dropped.
///
/// # Safety
/// The caller is inside the instance, or counts as pending in it. `given` is `offered`'s response, which the plugin has filled in by
/// the rules of [`Response`]; it's released. `into` is null or a writable response.
pub(crate) unsafe fn take_answer(
    instance: Handle,
    whose: impl Fn() -> String,
    offered: &mut ReturnedObjects,
    given: &mut Response,
    into: *mut Response,
) -> Result<(), Error> {
    if given.len == 0 && given.release.is_none() {
        // SAFETY: the caller's promise.
        unsafe { write_bytes(Vec::new(), into) };
        return Ok(());
    }
    // SAFETY: the caller's promises.
    unsafe {
        let addresses = addresses(&whose, offered.offer(), given)?;
        if !objects::can_drop(instance) {
            return Err(no_extension(&whose()));
        }
        if into.is_null() || addresses.contains(&0) {
            let zero = !into.is_null();
            discard_all(instance, &addresses);
            return Err(if zero {
                null_object(&whose())
            } else {
                no_place(&whose())
            });
        }
        let numbers = number_all(instance, addresses)?;
        write_numbers(numbers, into);
    }
    Ok(())
}

/// Issues numbers for all objects, or drops all of them.
///
/// # Safety
/// As for [`take_answer`]; the plugin passed each of the addresses once.
unsafe fn number_all(instance: Handle, addresses: Vec<u64>) -> Result<Vec<Object>, Error> {
    // In place: each address is replaced by a number.
    let mut numbers = addresses;
    for position in 0..numbers.len() {
        match objects::issue(instance, numbers[position]) {
            Ok(object) => numbers[position] = object,
            Err(error) => {
                let (issued, addresses) = numbers.split_at(position);
                // SAFETY: the caller's promise.
                unsafe {
                    for &object in issued {
                        if objects::release(object).is_ok() {
                            objects::collect(object);
                        }
                    }
                    discard_all(instance, addresses);
                }
                return Err(error);
            }
        }
    }
    Ok(numbers)
}

/// Issues numbers for the objects of an event. If `wanted` is false, or on an error, all that can be dropped are dropped.
///
/// # Safety
/// The caller counts as pending in the instance, whose plugin passed each of the addresses once.
pub(crate) unsafe fn take_later(
    instance: Handle,
    whose: impl Fn() -> String,
    addresses: Vec<u64>,
    wanted: bool,
) -> Result<Vec<Object>, Error> {
    if addresses.is_empty() {
        return Ok(addresses);
    }
    if !objects::can_drop(instance) {
        return Err(no_extension(&whose()));
    }
    // SAFETY: the caller's promise.
    unsafe {
        if !wanted || addresses.contains(&0) {
            discard_all(instance, &addresses);
            return if wanted {
                Err(null_object(&whose()))
            } else {
                Ok(Vec::new())
            };
        }
        number_all(instance, addresses)
    }
}

/// Writes numbers: to the buffer if they fit, otherwise callee-allocated and aligned.
///
/// # Safety
/// `into` is a writable response.
unsafe fn write_numbers(numbers: Vec<Object>, into: *mut Response) {
    // SAFETY: the caller's promise.
    let place = unsafe { &mut *into };
    let size = size_of_val(&*numbers);
    place.len = size;
    place.release = None;
    if size <= place.capacity && !place.data.is_null() {
        // SAFETY: the buffer has room, and a new `Vec` doesn't overlap it.
        unsafe { ptr::copy_nonoverlapping(numbers.as_ptr().cast(), place.data, size) };
    } else {
        let boxed = Box::into_raw(numbers.into_boxed_slice());
        place.data = boxed.cast();
        place.capacity = size;
        place.owner = boxed.cast();
        place.release = Some(release_numbers);
    }
}

unsafe extern "C" fn release_numbers(response: *mut Response) {
    // SAFETY: called once, with a copy of the struct that `write_numbers` has filled in.
    unsafe {
        let numbers = (*response).owner.cast::<Object>();
        let count = (*response).len / size_of::<Object>();
        drop(Box::from_raw(ptr::slice_from_raw_parts_mut(numbers, count)));
    }
}

/// Drops the objects of a discarded response.
///
/// # Safety
/// As for [`take_answer`].
pub(crate) unsafe fn discard(
    instance: Handle,
    offered: &mut ReturnedObjects,
    given: &mut Response,
) {
    if given.len == 0 && given.release.is_none() {
        return;
    }
    // SAFETY: the caller's promises.
    unsafe {
        // Objects that can't be read can't be dropped.
        if let Ok(addresses) = addresses(&String::new, offered.offer(), given) {
            discard_all(instance, &addresses);
        }
    }
}

/// Drops objects that have no numbers.
///
/// # Safety
/// As for [`take_answer`]; the plugin passed each of the addresses once.
pub(crate) unsafe fn discard_all(instance: Handle, addresses: &[u64]) {
    for &address in addresses.iter().filter(|&&address| address != 0) {
        // SAFETY: the caller's promise.
        unsafe { objects::drop_address(instance, address) };
    }
}

/// Reads the addresses of objects, and releases their memory.
///
/// # Safety
/// As for [`take_answer`].
unsafe fn addresses(
    whose: &impl Fn() -> String,
    offer: Offer,
    given: &mut Response,
) -> Result<Vec<u64>, Error> {
    if !offer.is_kept(given) {
        let error = offer.broken("list of objects", given, &whose());
        *given = Response::empty();
        return Err(error);
    }
    // SAFETY: a valid response, released once.
    let (addresses, len) = unsafe {
        let bytes = bytes_of(given);
        let read = bytes
            .chunks_exact(8)
            .map(|number| number.try_into().map_or(0, u64::from_ne_bytes))
            .collect();
        let len = bytes.len();
        release(given);
        (read, len)
    };
    if len % 8 == 0 {
        return Ok(addresses);
    }
    Err(Error::new(
        Status::Internal,
        "InvalidResponse",
        format!(
            "{} returned {len} bytes of objects, expected 8 for each object",
            whose()
        ),
    ))
}

#[cold]
fn no_extension(whose: &str) -> Error {
    Error::new(
        Status::Internal,
        "InvalidResponse",
        format!(
            "{whose} returned objects, but the plugin has no function to drop them: it must offer the extension `rb.objects/1`"
        ),
    )
}

#[cold]
fn null_object(whose: &str) -> Error {
    Error::new(
        Status::Internal,
        "InvalidResponse",
        format!("{whose} returned 0 as an object, expected another number"),
    )
}

#[cold]
fn no_place(whose: &str) -> Error {
    Error::new(
        Status::FailedPrecondition,
        "NoPlaceForObjects",
        format!(
            "{whose} returned objects, but the caller can't receive them: set `reply` in the call context"
        ),
    )
}
