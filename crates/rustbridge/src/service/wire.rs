//! How requests to services are written and their answers read, in each encoding.

use std::mem::MaybeUninit;

use rustbridge_abi::{Encoding, Response, StatusCode};
use rustbridge_wire::{Decode, Encode};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::Error;
use crate::codec::{Codec, Problem};
use crate::pod::Pod;
use crate::raw::{RawRequest, RawResponse};
use crate::response::Reply;

/// An encoding, for services that send `Req` and answer `Res`.
pub trait Wire<Req, Res> {
    /// Which one.
    const ENCODING: Encoding;

    #[doc(hidden)]
    fn write(request: Req, reply: Reply) -> StatusCode;

    #[doc(hidden)]
    fn read(service: &str, answer: &[u8]) -> Result<Res, Error>;
}

impl<C: Codec, Req: Serialize, Res: DeserializeOwned> Wire<Req, Res> for C {
    const ENCODING: Encoding = C::ENCODING;

    #[inline]
    fn write(request: Req, reply: Reply) -> StatusCode {
        C::write(&request, reply)
    }

    #[inline]
    fn read(service: &str, answer: &[u8]) -> Result<Res, Error> {
        C::read(answer).map_err(|problem| {
            unexpected(problem.into_error(format_args!(
                "the {} answer of service `{service}` doesn't have the expected type",
                C::ENCODING
            )))
        })
    }
}

/// The wire form.
#[derive(Debug)]
pub enum InWire {}

impl<Req: Encode, Res: for<'r> Decode<'r>> Wire<Req, Res> for InWire {
    const ENCODING: Encoding = Encoding::Wire;

    #[inline]
    fn write(request: Req, reply: Reply) -> StatusCode {
        reply.wire(&request)
    }

    #[inline]
    fn read(service: &str, answer: &[u8]) -> Result<Res, Error> {
        rustbridge_wire::read(answer).map_err(|problem| {
            unexpected(Problem::from(problem).into_error(format_args!(
                "the wire answer of service `{service}` doesn't have the expected type"
            )))
        })
    }
}

/// Bytes as they are.
#[derive(Debug)]
pub enum InRaw {}

impl<Req: RawResponse, Res: for<'r> RawRequest<'r>> Wire<Req, Res> for InRaw {
    const ENCODING: Encoding = Encoding::Raw;

    #[inline]
    fn write(request: Req, reply: Reply) -> StatusCode {
        request.write(reply)
    }

    #[inline]
    fn read(_service: &str, answer: &[u8]) -> Result<Res, Error> {
        Res::from_bytes(answer).map_err(unexpected)
    }
}

/// Plain old data.
#[derive(Debug)]
pub enum InPod {}

impl<Req: Pod, Res: Pod> Wire<Req, Res> for InPod {
    const ENCODING: Encoding = Encoding::Pod;

    #[inline]
    fn write(request: Req, reply: Reply) -> StatusCode {
        reply.pod(request)
    }

    #[inline]
    fn read(service: &str, answer: &[u8]) -> Result<Res, Error> {
        if answer.len() != size_of::<Res>() {
            return Err(unexpected(Error::internal(format!(
                "the pod answer of service `{service}` must be {} bytes, but got {}",
                size_of::<Res>(),
                answer.len()
            ))));
        }
        Ok(bytemuck::pod_read_unaligned(answer))
    }
}

/// The host's mistake, not the caller's of the plugin.
#[cold]
fn unexpected(error: Error) -> Error {
    error
        .into_internal()
        .with_type("rustbridge.InvalidResponse")
}

/// Storage on the stack, for requests and answers that are short.
pub(super) struct Storage([MaybeUninit<u8>; 512]);

impl Storage {
    #[inline(always)]
    pub(super) fn new() -> Storage {
        Storage([MaybeUninit::uninit(); 512])
    }

    #[inline(always)]
    pub(super) fn response(&mut self) -> ResponseGuard<'_> {
        ResponseGuard {
            response: Response::with_buffer(self.0.as_mut_ptr().cast(), self.0.len()),
            _storage: self,
        }
    }
}

/// A response that's released in the end.
pub(super) struct ResponseGuard<'s> {
    pub(super) response: Response,
    _storage: &'s mut Storage,
}

impl ResponseGuard<'_> {
    /// What it holds.
    #[inline(always)]
    pub(super) fn bytes(&self) -> &[u8] {
        super::answer::bytes(&self.response)
    }
}

impl Drop for ResponseGuard<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        super::answer::release(&mut self.response);
    }
}

/// Writes a request, into the storage if it fits.
#[inline(always)]
pub(super) fn written<'s, W: Wire<Req, Res>, Req, Res>(
    service: &str,
    request: Req,
    storage: &'s mut Storage,
) -> Result<ResponseGuard<'s>, Error> {
    let mut filled = storage.response();
    // SAFETY: a response of ours with its storage, used by nobody else.
    let status = W::write(request, unsafe { Reply::new(&raw mut filled.response) });
    if status == rustbridge_abi::RB_OK {
        Ok(filled)
    } else {
        Err(unwritable(service, status, filled.bytes()))
    }
}

#[cold]
fn unwritable(service: &str, status: StatusCode, payload: &[u8]) -> Error {
    let why = Error::from_payload(status, payload);
    Error::internal(format!(
        "the request of service `{service}` can't be sent: {}",
        why.message()
    ))
    .with_type("rustbridge.InvalidRequest")
}
