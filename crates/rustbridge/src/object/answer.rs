//! The objects of a request and of an answer, for handlers that have such. For the others nothing of this is in the code.

use std::cell::RefCell;
use std::ptr;

use rustbridge_abi::{CallContext, Growing, RB_OK, Reply as Beside, Response, Status, StatusCode};

use super::Address;
use super::receive::lent;
use super::scope::Scope;
use crate::Error;
use crate::handler::{Handler, Way};

/// Reads a request, with the objects that are lent to the call.
///
/// # Safety
/// The header is null or as the ABI says, for as long as this takes.
#[inline(always)]
pub(crate) unsafe fn reading<H: Handler, R>(
    header: *const CallContext,
    read: impl FnOnce() -> R,
) -> R {
    if !H::TAKES_OBJECTS {
        return read();
    }
    // SAFETY: the caller's promise.
    let lent = unsafe { lent(header) };
    Scope::Reading(lent, usize::from(H::Way::IS_LENT)).during(read)
}

/// Writes an answer, and collects the objects in it. Those of one that failed are dropped.
#[inline(always)]
pub(crate) fn writing<H: Handler>(
    write: impl FnOnce() -> StatusCode,
) -> (StatusCode, Vec<Address>) {
    if !H::RETURNS_OBJECTS {
        return (write(), Vec::new());
    }
    let given = RefCell::new(Vec::new());
    let status = Scope::Writing(&given).during(write);
    let mut given = given.into_inner();
    if status != RB_OK {
        given.clear();
    }
    (status, given)
}

/// Where a blocking call's answer can have objects.
///
/// # Safety
/// The header is null or as the ABI says.
#[inline(always)]
pub(crate) unsafe fn place(header: *const CallContext) -> *mut Beside {
    // SAFETY: the caller's promise; the first version's has a reply.
    unsafe {
        if header.is_null() || ((*header).size as usize) < CallContext::SIZE_1_0 {
            ptr::null_mut()
        } else {
            (*header).reply
        }
    }
}

/// Refuses a call whose caller has no place for the objects that its answer may have.
///
/// # Safety
/// As for [`place`].
#[inline(always)]
pub(crate) unsafe fn has_place<H: Handler>(header: *const CallContext) -> Result<(), Error> {
    // SAFETY: the caller's promise.
    if H::RETURNS_OBJECTS && unsafe { place(header) }.is_null() {
        Err(no_place(H::METHOD))
    } else {
        Ok(())
    }
}

#[cold]
#[inline(never)]
fn no_place(method: &str) -> Error {
    Error::new(
        Status::FailedPrecondition,
        format!(
            "`{method}` returned objects, but the caller can't receive them: set `reply` in the call context"
        ),
    )
    .with_type("rustbridge.NoPlaceForObjects")
}

/// Hands the objects of an answer to the core.
///
/// # Safety
/// `beside` is null or a reply as the ABI says, without objects so far. Null only if there are none.
#[inline(always)]
pub(crate) unsafe fn put(given: Vec<Address>, beside: *mut Beside) {
    if !given.is_empty() {
        // SAFETY: the caller's promise.
        if let Some(beside) = unsafe { beside.as_mut() } {
            // SAFETY: as above.
            unsafe { put_some(given, &mut beside.objects) };
        }
    }
}

/// # Safety
/// The response's storage is as it says.
unsafe fn put_some(given: Vec<Address>, objects: &mut Response) {
    let numbers: Vec<u64> = given.into_iter().map(Address::into_number).collect();
    let size = size_of_val(&*numbers);
    objects.len = size;
    objects.release = None;
    if size <= objects.capacity && !objects.data.is_null() {
        // SAFETY: the storage has room, by the caller's promise.
        unsafe { ptr::copy_nonoverlapping(numbers.as_ptr().cast(), objects.data, size) };
        return;
    }
    let numbers = Box::into_raw(numbers.into_boxed_slice());
    objects.data = numbers.cast();
    objects.capacity = size;
    objects.owner = numbers.cast();
    objects.release = Some(release);
}

unsafe extern "C" fn release(response: *mut Response) {
    // SAFETY: the ABI passes a copy of what `put_some` filled in, once.
    unsafe {
        let count = (*response).len / size_of::<u64>();
        let numbers = (*response).owner.cast::<u64>();
        drop(Box::from_raw(ptr::slice_from_raw_parts_mut(numbers, count)));
    }
}
