//! A method of a plugin's whose types are a client's.

use std::mem::MaybeUninit;

use rustbridge_core::{Error, Plugin, ResponseLocation, Status};
use rustbridge_wire::{Decode, Encode, Problem, Typed, Unwritable};

use super::answer::RawAnswer;
use super::scratch::Scratch;

/// Up to how many bytes messages whose length is known beforehand are written to the stack, which costs nothing to get.
const SMALL: usize = 64;

/// Whether all messages of a type have the same length, and a small one.
const fn is_small<T: Typed + ?Sized>() -> bool {
    T::EXACT && T::LEAST <= SMALL
}

/// A method in the wire form, whose types are those that a client was written for.
#[derive(Clone, Copy, Debug)]
pub struct Method {
    pub(super) untyped: rustbridge_core::Method,
    name: &'static str,
}

impl Method {
    /// Makes a method ready, if its types are those that the client was written for.
    ///
    /// # Errors
    /// As for [`Plugin::typed_method`].
    pub fn prepare(
        plugin: &Plugin,
        name: &'static str,
        fingerprint: &str,
        client_schema: &str,
    ) -> Result<Method, Error> {
        let untyped = plugin.typed_method(name, fingerprint, client_schema)?;
        Ok(Method { untyped, name })
    }

    /// Calls it with nothing beside the request.
    #[inline]
    pub(super) fn call<Q, R>(&self, request: &Q) -> Result<R, Error>
    where
        Q: Encode + ?Sized,
        R: for<'de> Decode<'de>,
    {
        if is_small::<Q>() && is_small::<R>() {
            let mut buffer = [MaybeUninit::uninit(); SMALL];
            let request = rustbridge_wire::write_to(request, &mut buffer)
                .map_err(|problem| self.unfit("the request", &problem))?;
            return self.send(request.unwrap_or_default(), &mut [0; SMALL]);
        }
        Scratch::with(|scratch| {
            let (request, storage) = scratch
                .write(request)
                .map_err(|problem| self.unfit("the request", &problem))?;
            self.send(request, storage)
        })
    }

    #[inline(always)]
    fn send<R: for<'de> Decode<'de>>(
        &self,
        request: &[u8],
        storage: &mut [u8],
    ) -> Result<R, Error> {
        match self.untyped.call_into(request, storage)? {
            ResponseLocation::Buffer(len) => self.read(storage.get(..len).unwrap_or_default()),
            ResponseLocation::Lease(reply) => self.read(&reply),
        }
    }

    /// Reads what has come.
    #[inline]
    pub(super) fn read<R: for<'de> Decode<'de>>(&self, bytes: &[u8]) -> Result<R, Error> {
        rustbridge_wire::read(bytes).map_err(|problem| self.unexpected(&problem))
    }

    /// Takes what has come as it is.
    pub(super) fn read_raw<R: RawAnswer>(&self, bytes: &[u8]) -> Result<R, Error> {
        R::from_bytes(bytes).ok_or_else(|| {
            let message = format!("the response of `{}` doesn't match its type", self.name);
            Error::failure(Status::Internal, message).with_type("rustbridge.UnexpectedResponse")
        })
    }

    /// Returns the error for a response without the object that it should have.
    #[cold]
    pub(super) fn no_object(&self) -> Error {
        let message = format!("the response of `{}` has no object", self.name);
        Error::failure(Status::Internal, message).with_type("rustbridge.UnexpectedResponse")
    }

    /// The error of a value that can't be sent.
    #[cold]
    pub(super) fn unfit(&self, what: &str, problem: &Unwritable) -> Error {
        let status = match problem {
            Unwritable::TooLarge => Status::ResourceExhausted,
            Unwritable::TooDeep | Unwritable::Refused(_) => Status::InvalidArgument,
        };
        let message = format!("{what} of `{}` can't be sent: {problem}", self.name);
        Error::failure(status, message).with_type("rustbridge.UnfitValue")
    }

    #[cold]
    fn unexpected(&self, problem: &Problem) -> Error {
        let message = format!("the response of `{}` can't be read: {problem}", self.name);
        Error::failure(Status::Internal, message).with_type("rustbridge.UnexpectedResponse")
    }
}
