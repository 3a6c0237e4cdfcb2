//! Calls whose storage is an argument, for hosts that can't put an address into a struct.
//!
//! The invariant of the results: one that is 0 or more is the length of a response in the caller's storage, and a
//! negative one names an [`Outcome`] that [`release_call_result`] hasn't freed yet.

use std::mem::offset_of;
use std::ptr;

use rustbridge_abi::{RB_OK, Response, StatusCode};

use super::sync::{call, is_readable};
use crate::error::Error;
use crate::instance::refusal::{AttemptedCall, Refusal};
use crate::registry::table::Handle;
use crate::response::{release, write_error};

/// What a call by [`call_into`] came to when it isn't just bytes in the caller's storage.
///
/// Aligned to 16 bytes, so that its address has four low bits to spare and a result its sign.
#[repr(C, align(16))]
#[derive(Debug)]
pub struct Outcome {
    /// [`Outcome::SIZE`], for readers that know fewer fields or more.
    pub size: u32,
    /// One of the `RB_` codes; `RB_OK` when a response was handed over.
    pub status: StatusCode,
    /// The response, or the error payload. Where `release` is null, the bytes are the first `len` of the caller's
    /// storage, and `data` is null: the address from the call may be out of date by now.
    pub response: Response,
    /// What a later version appends, for the tests.
    #[cfg(feature = "grown")]
    pub grown: u64,
}

#[cfg(not(feature = "grown"))]
const _: () = assert!(size_of::<Outcome>() == 48 && align_of::<Outcome>() == 16);

impl Outcome {
    /// How many bytes of it are fields: what C's `sizeof` says of it, which knows nothing of the alignment. A reader of a
    /// later version would take the bytes behind for a field that was never written.
    #[cfg(not(feature = "grown"))]
    pub const SIZE: usize = offset_of!(Outcome, response) + size_of::<Response>();
    /// As above, with the field that the tests append.
    #[cfg(feature = "grown")]
    pub const SIZE: usize = offset_of!(Outcome, grown) + size_of::<u64>();

    /// The outcome that a negative result of [`call_into`] names; null for a result that is a length.
    #[must_use]
    #[inline]
    pub fn of(result: i64) -> *mut Outcome {
        if result >= 0 {
            return ptr::null_mut();
        }
        ptr::with_exposed_provenance_mut((result.unsigned_abs() << 4) as usize)
    }

    /// The other way: an outcome, given away as a result.
    fn result(status: StatusCode, response: Response) -> i64 {
        let outcome = Box::new(Outcome {
            size: Outcome::SIZE as u32,
            status,
            response,
            #[cfg(feature = "grown")]
            grown: rustbridge_abi::GROWN,
        });
        let address = Box::into_raw(outcome).expose_provenance();
        // Below 2^60 after the shift whatever the upper bits are, tagged pointers included, so the result is negative.
        -((address >> 4) as i64)
    }
}

/// [`call`](crate::handles::call) with the storage as an argument: a response that is written there is its length, and any
/// other is an [`Outcome`].
///
/// The result is the response's length if the status is `RB_OK` and the bytes are at `storage`; nothing was allocated
/// then. Otherwise it's negative, [`Outcome::of`] gives the outcome, and [`release_call_result`] must follow once.
///
/// The refusals of our own are those of `call`, and storage that is null with a capacity, or larger than `isize::MAX`.
/// Null with capacity 0 means none: then every response that isn't empty is handed over.
///
/// ```
/// use rustbridge_core::{Encoding, Load, handles};
/// # mod my_plugin { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/plugin/mod.rs")); }
///
/// // SAFETY: this is our own plugin, whose entry point follows the ABI.
/// let plugin = unsafe { Load::linked(my_plugin::entry_point, "tiny") }.open()?;
/// let echo = handles::prepare(plugin.handle(), "echo", Encoding::Raw)?;
///
/// let mut storage = [0_u8; 2];
/// // SAFETY: requests and storage are valid for the calls, and the outcome is released once.
/// unsafe {
///     let call = |request: &[u8], storage: &mut [u8]| {
///         let (at, capacity) = (storage.as_mut_ptr(), storage.len());
///         handles::call_into(plugin.handle(), echo.entry, request.as_ptr(), request.len(), at, capacity)
///     };
///     assert_eq!(call(b"hi", &mut storage), 2);
///     assert_eq!(&storage, b"hi");
///
///     let outcome = handles::Outcome::of(call(b"hello", &mut storage));
///     assert_eq!(((*outcome).status, (*outcome).response.len), (0, 5));
///     handles::release_call_result(outcome);
/// }
/// # Ok::<(), rustbridge_core::Error>(())
/// ```
///
/// # Safety
/// `request` points to `request_len` readable bytes that don't change during the call, unless the entry says
/// that they may, or that length is 0. `storage` points to `capacity` writable bytes that don't overlap the request, or is null with `capacity` 0.
#[inline]
pub unsafe fn call_into(
    handle: Handle,
    entry: u32,
    request: *const u8,
    request_len: usize,
    storage: *mut u8,
    capacity: usize,
) -> i64 {
    // The same rule as for requests.
    if !is_readable(storage, capacity) {
        return refuse_storage(capacity);
    }
    let mut response = Response::with_buffer(storage, capacity);
    // SAFETY: the caller's promises, and a response of our own over storage that can be.
    let status = unsafe { call(handle, entry, request, request_len, &raw mut response) };
    if status == RB_OK && response.release.is_none() {
        // In the storage, or empty: `call` has seen to that. So it's no larger than the capacity, and not negative.
        return response.len as i64;
    }
    conclude(status, response)
}

/// Everything but a success in the caller's storage. Takes the response apart from the caller's, so that the hot path
/// keeps no address of it longer than the call.
#[cold]
#[inline(never)]
fn conclude(status: StatusCode, mut response: Response) -> i64 {
    if response.release.is_none() {
        response.data = ptr::null_mut();
        response.owner = ptr::null_mut();
    }
    Outcome::result(status, response)
}

#[cold]
#[inline(never)]
fn refuse_storage(capacity: usize) -> i64 {
    let asked = AttemptedCall {
        len: capacity,
        ..AttemptedCall::default()
    };
    give_error(&Refusal::Storage.error(&asked))
}

/// An outcome with an error of this crate, handed over.
fn give_error(error: &Error) -> i64 {
    let mut response = Response::empty();
    // SAFETY: a response without storage.
    let status = unsafe { write_error(error, &raw mut response) };
    Outcome::result(status, response)
}

/// Frees an outcome, and its response if that was handed over. Does nothing to null.
///
/// Any thread, at any time, also after the instance was closed.
///
/// # Safety
/// `outcome` is null or what [`Outcome::of`] gave for a result of this crate, it's given back once, and its
/// bytes aren't used afterwards.
pub unsafe fn release_call_result(outcome: *mut Outcome) {
    if outcome.is_null() {
        return;
    }
    // SAFETY: `Outcome::result` made it of a box, and this happens once, by the caller's promise; the response is
    // as a plugin or this crate has left it.
    unsafe {
        let mut outcome = Box::from_raw(outcome);
        release(&raw mut outcome.response);
    }
}

#[cfg(test)]
mod tests {
    use rustbridge_abi::Status;

    use super::*;
    use crate::handles::ENTRY_LEAF;

    fn conclude_in(
        storage: &mut [u8],
        status: StatusCode,
        change: impl FnOnce(&mut Response),
    ) -> i64 {
        let mut response = Response::with_buffer(storage.as_mut_ptr(), storage.len());
        change(&mut response);
        conclude(status, response)
    }

    /// What an outcome says, which is released. `None`: the bytes are in the caller's storage.
    fn taken(result: i64) -> (StatusCode, usize, Option<Vec<u8>>) {
        let outcome = Outcome::of(result);
        assert!(result < 0 && !outcome.is_null() && outcome.addr().is_multiple_of(16));
        // SAFETY: not null, so an outcome, which is released once and not used afterwards; with `release` its bytes are
        // readable.
        unsafe {
            let response = &(*outcome).response;
            assert_eq!(response.release.is_none(), response.data.is_null());
            let bytes = response
                .release
                .map(|_| std::slice::from_raw_parts(response.data, response.len).to_vec());
            let told = ((*outcome).status, response.len, bytes);
            release_call_result(outcome);
            told
        }
    }

    #[test]
    fn a_length_is_no_outcome_and_null_needs_no_release() {
        for length in [0, 1, i64::MAX] {
            assert!(Outcome::of(length).is_null());
        }
        assert_eq!(Outcome::of(-1).addr(), 16);
        assert_eq!(
            Outcome::of(-((usize::MAX >> 4) as i64)).addr(),
            usize::MAX << 4
        );
        // SAFETY: null.
        unsafe { release_call_result(ptr::null_mut()) };
    }

    #[test]
    fn an_error_in_the_storage_gives_its_length_and_no_address() {
        let result = conclude_in(&mut [0; 8], 5, |response| response.len = 8);
        assert_eq!(taken(result), (5, 8, None));
        let result = conclude_in(&mut [], 5, |_| {});
        assert_eq!(taken(result), (5, 0, None));
    }

    #[test]
    fn storage_that_cannot_be_is_refused_and_not_written_to() {
        for (storage, capacity) in [
            (ptr::null_mut(), 1),
            (ptr::null_mut(), usize::MAX),
            (ptr::dangling_mut(), 1 << 63),
        ] {
            // SAFETY: the request is empty, and the storage is what is refused.
            let result = unsafe { call_into(0, 0, ptr::null(), 0, storage, capacity) };
            let (status, _, bytes) = taken(result);
            assert_eq!(status, Status::InvalidArgument.code());
            let text = String::from_utf8(bytes.unwrap()).unwrap();
            assert!(
                text.contains("InvalidBuffer") && text.contains(&capacity.to_string()),
                "{text}"
            );
        }
    }

    #[test]
    fn a_handle_of_nothing_is_refused_into_the_storage() {
        let mut storage = [0; 300];
        // SAFETY: the request is empty, the storage a slice.
        let result = unsafe {
            call_into(
                0,
                ENTRY_LEAF,
                ptr::null(),
                0,
                storage.as_mut_ptr(),
                storage.len(),
            )
        };
        let (status, len, bytes) = taken(result);
        assert_eq!((status, bytes), (Status::InvalidArgument.code(), None));
        assert!(
            str::from_utf8(&storage[..len])
                .unwrap()
                .contains("InvalidHandle")
        );
    }
}
