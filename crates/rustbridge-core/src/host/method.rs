//! A method made ready, and calls through it.

use bytemuck::Pod;
use rustbridge_abi::{RB_OK, Response};

use super::reply::{INLINE, Reply};
use super::values::wrong_size;
use crate::call::sync;
use crate::error::Error;
use crate::instance::roster::find;
use crate::registry::table::Handle;
use crate::response::{bytes_of, release};
use crate::state::{ASYNC, LEAF, Prepared};

/// A method in one encoding, resolved: what a hot loop calls.
///
/// Plain data that may be copied and kept as long as one likes; once the instance is closed, its calls answer `UNAVAILABLE`.
///
/// ```
/// # mod my_plugin { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/plugin/mod.rs")); }
/// use rustbridge_core::{Encoding, Load, Status};
///
/// // SAFETY: a plugin of ours, whose entry point follows the ABI.
/// let plugin = unsafe { Load::linked(my_plugin::entry_point, "tiny") }.open()?;
/// let add = plugin.method("add", Encoding::Pod)?;
/// let sum: i64 = add.call_pod(&[20_i64, 22])?;
/// assert_eq!(sum, 42);
///
/// drop(plugin);
/// assert_eq!(add.call_pod::<_, i64>(&[20_i64, 22]).unwrap_err().status(), Status::Unavailable);
/// # Ok::<(), rustbridge_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Method {
    handle: Handle,
    prepared: Prepared,
}

/// Where [`Method::call_into`] has left the response.
#[derive(Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "it is matched where it is returned and not kept"
)]
pub enum ResponseLocation {
    /// In the storage that was given: that many bytes from its start.
    Buffer(usize),
    /// It didn't fit, or the plugin hands it over as it stands.
    Lease(Reply),
}

impl Method {
    pub(crate) fn new(handle: Handle, prepared: Prepared) -> Method {
        Method { handle, prepared }
    }

    /// The instance it belongs to.
    #[must_use]
    pub fn handle(&self) -> Handle {
        self.handle
    }

    /// What [`handles::call`](crate::handles::call) takes.
    #[must_use]
    pub fn entry(&self) -> u32 {
        self.prepared.entry
    }

    /// What it's called in messages.
    pub(super) fn name(&self) -> String {
        find(self.handle).map_or_else(
            |_| "the method".to_owned(),
            |instance| format!("`{}`", instance.plugin.name_of(self.entry())),
        )
    }

    /// Bits of [`Prepared::flags`](crate::handles::Prepared::flags).
    pub(super) fn flags(&self) -> u32 {
        self.prepared.flags
    }

    /// Whether its author declared it leaf: short, not blocking, not calling back.
    #[must_use]
    pub fn is_leaf(&self) -> bool {
        self.prepared.flags & LEAF != 0
    }

    /// Whether its handler is async. [`call`](Method::call) returns when it's done, as any other's.
    #[must_use]
    pub fn is_async(&self) -> bool {
        self.prepared.flags & ASYNC != 0
    }

    /// Size of the request in bytes, where it's fixed (pod).
    #[must_use]
    pub fn request_size(&self) -> Option<usize> {
        self.prepared.request_size
    }

    /// Size of the response in bytes, where it's fixed (pod).
    #[must_use]
    pub fn response_size(&self) -> Option<usize> {
        self.prepared.response_size
    }

    /// Calls it. An answer of up to 256 bytes needs no allocation, a larger one is lent by the plugin without a copy.
    ///
    /// # Errors
    /// What the plugin answers; `UNAVAILABLE` if the instance is closing or closed, `FAILED_PRECONDITION` if it is
    /// poisoned or this process was forked since.
    #[inline]
    pub fn call(&self, request: &[u8]) -> Result<Reply, Error> {
        // Zeroed, so that bytes which a plugin says it has written and hasn't are no bytes of somebody else's.
        let mut storage = [0; INLINE];
        let mut response = Response::with_buffer(storage.as_mut_ptr(), INLINE);
        self.run(request, &mut response)?;
        if response.release.is_none() {
            Ok(Reply::inline(response.len, storage))
        } else {
            // SAFETY: filled in by the plugin just now, and given to nobody else.
            Ok(unsafe { Reply::lease(response) })
        }
    }

    /// Calls it with storage for the answer, which is used if it's large enough.
    ///
    /// ```
    /// # mod my_plugin { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/plugin/mod.rs")); }
    /// use rustbridge_core::{Encoding, Load, ResponseLocation};
    ///
    /// // SAFETY: a plugin of ours, whose entry point follows the ABI.
    /// let plugin = unsafe { Load::linked(my_plugin::entry_point, "tiny") }.open()?;
    /// let echo = plugin.method("echo", Encoding::Raw)?;
    /// let mut storage = [0; 16];
    /// assert!(matches!(echo.call_into(b"short", &mut storage)?, ResponseLocation::Buffer(5)));
    /// assert!(matches!(echo.call_into(b"too long for the storage", &mut storage)?, ResponseLocation::Lease(_)));
    /// # Ok::<(), rustbridge_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`call`](Method::call).
    #[inline]
    pub fn call_into(&self, request: &[u8], storage: &mut [u8]) -> Result<ResponseLocation, Error> {
        let mut response = Response::with_buffer(storage.as_mut_ptr(), storage.len());
        self.run(request, &mut response)?;
        if response.release.is_none() {
            Ok(ResponseLocation::Buffer(response.len))
        } else {
            // SAFETY: filled in by the plugin just now, and given to nobody else.
            Ok(ResponseLocation::Lease(unsafe { Reply::lease(response) }))
        }
    }

    /// Calls it with one plain struct each way. A large answer that's kept as a whole is moved on its way out of the result, which
    /// [`call_pod_into`](Method::call_pod_into) leaves out.
    ///
    /// # Errors
    /// As for [`call`](Method::call); `INVALID_ARGUMENT` from the plugin if `Req` hasn't the size it expects, `INTERNAL`
    /// if the answer hasn't the size of `Res`.
    #[inline]
    pub fn call_pod<Req: Pod, Res: Pod>(&self, request: &Req) -> Result<Res, Error> {
        called_for_pod(|response| self.run(bytemuck::bytes_of(request), response))
    }

    /// The same with the answer written into a struct of the caller's, which needn't be moved then. What's there before is of no
    /// meaning; what's there after an error is of none either.
    ///
    /// ```
    /// # use rustbridge_core::{Encoding, Load};
    /// # mod my_plugin { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/plugin/mod.rs")); }
    /// # // SAFETY: a plugin of ours, whose entry point follows the ABI.
    /// # let plugin = unsafe { Load::linked(my_plugin::entry_point, "tiny") }.open()?;
    /// let add = plugin.method("add", Encoding::Pod)?;
    /// let mut sum = 0_i64;
    /// add.call_pod_into(&[20_i64, 22], &mut sum)?;
    /// assert_eq!(sum, 42);
    /// # Ok::<(), rustbridge_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`call_pod`](Method::call_pod).
    #[inline]
    pub fn call_pod_into<Req: Pod, Res: Pod>(
        &self,
        request: &Req,
        answer: &mut Res,
    ) -> Result<(), Error> {
        pod_into(answer, |response| {
            self.run(bytemuck::bytes_of(request), response)
        })
    }

    #[inline(always)]
    fn run(&self, request: &[u8], response: &mut Response) -> Result<(), Error> {
        // SAFETY: the slice is readable; the callers give a response with storage of theirs.
        let status = unsafe {
            sync::call(
                self.handle,
                self.prepared.entry,
                request.as_ptr(),
                request.len(),
                response,
            )
        };
        if status == RB_OK {
            Ok(())
        } else {
            Err(take_error(status, response))
        }
    }
}

/// Makes a call that is answered with a plain struct, which is written where it's wanted.
#[inline(always)]
pub(super) fn called_for_pod<Res: Pod>(
    call: impl FnOnce(&mut Response) -> Result<(), Error>,
) -> Result<Res, Error> {
    let mut answer = Res::zeroed();
    pod_into(&mut answer, call)?;
    Ok(answer)
}

#[inline(always)]
fn pod_into<Res: Pod>(
    answer: &mut Res,
    call: impl FnOnce(&mut Response) -> Result<(), Error>,
) -> Result<(), Error> {
    let storage = bytemuck::bytes_of_mut(answer);
    let (at, size) = (storage.as_mut_ptr(), storage.len());
    let mut response = Response::with_buffer(at, size);
    call(&mut response)?;
    if response.release.is_some() || response.len != size {
        // It writes the answer to the same place and its own result fits a register. A result with the answer in it would be
        // a second place, and every answer would be copied through both, waiting each time for what was just written.
        pod_answered_otherwise(response, answer)?;
    }
    Ok(())
}

#[cold]
#[inline(never)]
fn pod_answered_otherwise<Res: Pod>(response: Response, answer: &mut Res) -> Result<(), Error> {
    let len = response.len;
    if response.release.is_some() {
        // SAFETY: filled in by the plugin just now, and given to nobody else.
        let reply = unsafe { Reply::lease(response) };
        if reply.len() == size_of::<Res>() {
            *answer = bytemuck::pod_read_unaligned(&reply);
            return Ok(());
        }
    }
    Err(wrong_size::<Res>(len))
}

#[cold]
#[inline(never)]
pub(super) fn take_error(status: i32, response: &mut Response) -> Error {
    // SAFETY: the response was filled in with the error's payload.
    let error = Error::from_payload(status, unsafe { bytes_of(response) });
    // SAFETY: filled in just now, released once.
    unsafe { release(response) };
    error
}
