//! A method made ready, and calls through it.

use bytemuck::Pod;
use rustbridge_abi::{RB_OK, Response};

use super::reply::{INLINE, Reply};
use super::values::wrong_size;
use crate::call::sync;
use crate::error::Error;
use crate::instance::roster::find_instance;
use crate::registry::table::Handle;
use crate::response::{bytes_of, release};
use crate::state::{ASYNC, LEAF, PreparedMethod};

/// A method that was resolved in one encoding, for hot loops.
///
/// It's plain data, which may be copied and kept. After the instance is closed, its calls return `UNAVAILABLE`.
///
/// ```
/// # mod my_plugin { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/plugin/mod.rs")); }
/// use rustbridge_core::{Encoding, Load, Status};
///
/// // SAFETY: this is our own plugin, whose entry point follows the ABI.
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
    prepared: PreparedMethod,
}

/// The location of the response of [`Method::call_into`].
#[derive(Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "it is matched where it is returned and not kept"
)]
pub enum ResponseLocation {
    /// In the caller's buffer: this many bytes from its start.
    Buffer(usize),
    /// In the plugin's memory: it didn't fit, or the plugin returned it in its own memory.
    Lease(Reply),
}

impl Method {
    pub(crate) fn new(handle: Handle, prepared: PreparedMethod) -> Method {
        Method { handle, prepared }
    }

    /// Returns the handle of its instance.
    #[must_use]
    pub fn handle(&self) -> Handle {
        self.handle
    }

    /// Returns the entry, for [`handles::call`](crate::handles::call).
    #[must_use]
    pub fn entry(&self) -> u32 {
        self.prepared.entry
    }

    /// What it's called in messages.
    pub(super) fn name(&self) -> String {
        find_instance(self.handle).map_or_else(
            |_| "the method".to_owned(),
            |instance| format!("`{}`", instance.plugin.name_of(self.entry())),
        )
    }

    /// Bits of [`Prepared::flags`](crate::handles::Prepared::flags).
    pub(super) fn flags(&self) -> u32 {
        self.prepared.flags
    }

    /// Returns whether the method is a leaf method: its author declares it short, non-blocking and free of callbacks.
    #[must_use]
    pub fn is_leaf(&self) -> bool {
        self.prepared.flags & LEAF != 0
    }

    /// Returns whether its handler is async. [`call`](Method::call) then still waits for the response.
    #[must_use]
    pub fn is_async(&self) -> bool {
        self.prepared.flags & ASYNC != 0
    }

    /// Returns the request's size in bytes, if it's fixed (pod).
    #[must_use]
    pub fn request_size(&self) -> Option<usize> {
        self.prepared.request_size
    }

    /// Returns the response's size in bytes, if it's fixed (pod).
    #[must_use]
    pub fn response_size(&self) -> Option<usize> {
        self.prepared.response_size
    }

    /// Calls the method. A response of up to 256 bytes needs no allocation. A larger one is borrowed from the plugin
    /// without a copy.
    ///
    /// # Errors
    /// The plugin's error; `UNAVAILABLE` if the instance is closing or closed, `FAILED_PRECONDITION` if it is
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

    /// Calls the method with a buffer for the response. The buffer is used if it's large enough.
    ///
    /// ```
    /// # mod my_plugin { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/plugin/mod.rs")); }
    /// use rustbridge_core::{Encoding, Load, ResponseLocation};
    ///
    /// // SAFETY: this is our own plugin, whose entry point follows the ABI.
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

    /// Calls the method with a plain struct, and returns a plain struct. Returning a large struct moves it;
    /// [`call_pod_into`](Method::call_pod_into) doesn't.
    ///
    /// # Errors
    /// As for [`call`](Method::call); `INVALID_ARGUMENT` from the plugin if `Req` hasn't the size it expects, `INTERNAL`
    /// if the response's size isn't that of `Res`.
    #[inline]
    pub fn call_pod<Req: Pod, Res: Pod>(&self, request: &Req) -> Result<Res, Error> {
        called_for_pod(|response| self.run(bytemuck::bytes_of(request), response))
    }

    /// Calls the method like [`call_pod`](Method::call_pod), and writes the response into the caller's struct, so that
    /// it isn't moved. The struct's previous content is ignored. After an error, its content is unspecified.
    ///
    /// ```
    /// # use rustbridge_core::{Encoding, Load};
    /// # mod my_plugin { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/plugin/mod.rs")); }
    /// # // SAFETY: this is our own plugin, whose entry point follows the ABI.
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
