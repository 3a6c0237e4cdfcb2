//! The encodings as tasks use them: reading a request that a task keeps, and writing a response or an item.

use std::ops::Range;

use bytes::Bytes;
use rustbridge_abi::{Encoding, StatusCode};

use crate::coding::HandlerCodec;
use crate::error::{Error, Result};
use crate::handler::Handler;
use crate::pod::Pod;
use crate::raw::{RawItem, RawRequest, RawResponse};
use crate::response::Reply;

/// One encoding of one handler.
pub(crate) trait Form<H: Handler>: 'static {
    /// The encoding's number.
    const ENCODING: Encoding;

    /// Reads a request.
    fn read(bytes: &'static [u8]) -> Result<H::Request<'static>>;

    /// Writes a response or an item.
    fn write(value: H::Response<'_>, reply: Reply) -> StatusCode;

    /// Reads the item at `range` of a batch.
    fn item(batch: &Bytes, range: Range<usize>) -> Result<H::Item>;
}

/// An encoding of typed values.
pub(crate) struct CodecForm<C>(std::marker::PhantomData<C>);

/// Raw bytes.
pub(crate) struct RawBytes;

/// Plain old data.
pub(crate) struct PlainData;

#[cold]
fn invalid<H: Handler>(what: &str, encoding: Encoding, problem: crate::codec::Problem) -> Error {
    let error = problem.into_error(format_args!(
        "the {encoding} {what} of `{}` doesn't match the method's type",
        H::METHOD
    ));
    error.with_type("rustbridge.InvalidRequest")
}

impl<H: Handler, C: HandlerCodec<H>> Form<H> for CodecForm<C> {
    const ENCODING: Encoding = C::ENCODING;

    fn read(bytes: &'static [u8]) -> Result<H::Request<'static>> {
        C::request(bytes).map_err(|problem| invalid::<H>("request", C::ENCODING, problem))
    }

    fn write(value: H::Response<'_>, reply: Reply) -> StatusCode {
        C::write(&value, reply)
    }

    fn item(batch: &Bytes, range: Range<usize>) -> Result<H::Item> {
        C::item(&batch[range]).map_err(|problem| invalid::<H>("item", C::ENCODING, problem))
    }
}

impl<H: Handler> Form<H> for RawBytes
where
    for<'r> H::Request<'r>: RawRequest<'r>,
    for<'a> H::Response<'a>: RawResponse,
    H::Item: RawItem,
{
    const ENCODING: Encoding = Encoding::Raw;

    fn read(bytes: &'static [u8]) -> Result<H::Request<'static>> {
        RawRequest::from_bytes(bytes)
    }

    fn write(value: H::Response<'_>, reply: Reply) -> StatusCode {
        value.write(reply)
    }

    fn item(batch: &Bytes, range: Range<usize>) -> Result<H::Item> {
        RawItem::from_batch(batch, range)
    }
}

impl<H: Handler> Form<H> for PlainData
where
    H::Request<'static>: Pod,
    for<'a> H::Response<'a>: Pod,
    H::Item: Pod,
{
    const ENCODING: Encoding = Encoding::Pod;

    fn read(bytes: &'static [u8]) -> Result<H::Request<'static>> {
        read_pod(bytes).ok_or_else(|| {
            let size = size_of::<H::Request<'static>>();
            wrong_size::<H>("request", bytes.len(), size)
        })
    }

    fn write(value: H::Response<'_>, reply: Reply) -> StatusCode {
        reply.pod(value)
    }

    fn item(batch: &Bytes, range: Range<usize>) -> Result<H::Item> {
        let bytes = &batch[range];
        read_pod(bytes).ok_or_else(|| wrong_size::<H>("item", bytes.len(), size_of::<H::Item>()))
    }
}

fn read_pod<T: Pod>(bytes: &[u8]) -> Option<T> {
    // Of the right size, at any address.
    bytemuck::try_pod_read_unaligned(bytes).ok()
}

#[cold]
fn wrong_size<H: Handler>(what: &str, found: usize, expected: usize) -> Error {
    Error::invalid_argument(format!(
        "the pod {what} of `{}` must be {expected} bytes, but got {found}",
        H::METHOD
    ))
    .with_type("rustbridge.InvalidRequest")
}
