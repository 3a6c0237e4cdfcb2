//! The encodings of typed values: how a handler's request and items are read, and its answer is written.

use std::marker::PhantomData;

use rustbridge_abi::{Encoding, StatusCode};
use rustbridge_wire::{Decode, Encode};

use crate::codec::{Codec, Problem};
use crate::handler::Handler;
use crate::message::{Incoming, Outgoing};
use crate::response::Reply;

/// One encoding of one handler's types.
pub(crate) trait HandlerCodec<H: Handler>: 'static {
    /// Which one.
    const ENCODING: Encoding;

    /// Reads a request; of a method that takes none, what says as much.
    fn request<'r>(bytes: &'r [u8]) -> Result<H::Request<'r>, Problem>;

    /// Writes an answer, or an item of one.
    fn write(value: &H::Response<'_>, reply: Reply) -> StatusCode;

    /// Reads an item.
    fn item(bytes: &[u8]) -> Result<H::Item, Problem>;
}

/// An encoding that serde reads and writes.
#[derive(Debug)]
pub(crate) struct Serde<C>(PhantomData<C>);

impl<H: Handler, C: Codec + 'static> HandlerCodec<H> for Serde<C>
where
    for<'r> H::Request<'r>: Incoming<'r>,
    for<'a> H::Response<'a>: Outgoing,
    for<'r> H::Item: Incoming<'r>,
{
    const ENCODING: Encoding = C::ENCODING;

    #[inline(always)]
    fn request<'r>(bytes: &'r [u8]) -> Result<H::Request<'r>, Problem> {
        if H::TAKES_REQUEST {
            C::read(bytes).or_else(|problem| H::with_fewer_parameters::<C>(bytes).ok_or(problem))
        } else {
            C::check_nothing(bytes).and_then(|()| C::read(C::NOTHING))
        }
    }

    #[inline(always)]
    fn write(value: &H::Response<'_>, reply: Reply) -> StatusCode {
        C::write(value, reply)
    }

    #[inline(always)]
    fn item(bytes: &[u8]) -> Result<H::Item, Problem> {
        C::read(bytes)
    }
}

/// The wire form.
#[derive(Debug)]
pub(crate) struct Wire;

impl<H: Handler> HandlerCodec<H> for Wire
where
    for<'r> H::Request<'r>: Decode<'r>,
    for<'a> H::Response<'a>: Encode,
    for<'r> H::Item: Decode<'r>,
{
    const ENCODING: Encoding = Encoding::Wire;

    #[inline(always)]
    fn request<'r>(bytes: &'r [u8]) -> Result<H::Request<'r>, Problem> {
        Ok(rustbridge_wire::read(bytes)?)
    }

    #[inline(always)]
    fn write(value: &H::Response<'_>, reply: Reply) -> StatusCode {
        reply.wire(value)
    }

    #[inline(always)]
    fn item(bytes: &[u8]) -> Result<H::Item, Problem> {
        Ok(rustbridge_wire::read(bytes)?)
    }
}

impl From<Box<rustbridge_wire::Problem>> for Problem {
    #[cold]
    fn from(problem: Box<rustbridge_wire::Problem>) -> Problem {
        let message = format!("byte {}: {}", problem.position(), problem.message());
        match problem.path() {
            "" => Problem::new(message, None),
            path => Problem::new(format!("{message} ({path})"), Some(path.to_owned())),
        }
    }
}
