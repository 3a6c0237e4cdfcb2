//! Typed errors of the host: an error that a service has thrown, read back into the author's error type.

use std::marker::PhantomData;

use rustbridge_wire::{Decode, Fault, Reader};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::error::{Error, Result};

/// An error type that an error of the host can be converted to; for the derive macro.
pub trait FromHost: Sized {
    /// Returns the error that the host has thrown, by its value in the wire format, or by its type and details in JSON. Returns `None` if
    /// that's no error of this type.
    fn from_host(error: &Error) -> Option<Self>;
}

/// Detects whether a service's result has an error type that implements [`FromHost`]; see [`Probe`](crate::probe::Probe) for how.
#[derive(Debug)]
pub struct HostErrorProbe<R>(PhantomData<R>);

/// The result for other error types.
pub trait NotFromHost<E> {
    /// Returns `None`.
    #[cold]
    fn read(_error: &Error) -> Option<E> {
        None
    }
}

impl<T, E> NotFromHost<E> for HostErrorProbe<Result<T, E>> {}

impl<T, E: FromHost> HostErrorProbe<Result<T, E>> {
    /// Converts an error of the host.
    #[cold]
    pub fn read(error: &Error) -> Option<E> {
        E::from_host(error)
    }
}

/// Detects whether a field of an error can be read from JSON; see [`Probe`](crate::probe::Probe) for how.
#[derive(Debug)]
pub struct DetailProbe<T>(PhantomData<T>);

/// The result for types that can't be read.
pub trait NoDetail<T> {
    /// Returns `None`.
    fn read(_details: &Map<String, Value>, _name: &str) -> Option<T> {
        None
    }
}

impl<T> NoDetail<T> for DetailProbe<T> {}

impl<T: DeserializeOwned> DetailProbe<T> {
    /// Reads a field. One that is missing is read as `null`, which is `None` of an option.
    pub fn read(details: &Map<String, Value>, name: &str) -> Option<T> {
        T::deserialize(details.get(name).unwrap_or(&Value::Null)).ok()
    }
}

/// Detects whether a field of an error can be read from the wire format; see [`Probe`](crate::probe::Probe) for how.
#[derive(Debug)]
pub struct ValueProbe<T>(PhantomData<T>);

/// The result for types that can't be read.
pub trait NoWireValue<T> {
    /// Fails.
    ///
    /// # Errors
    /// Always.
    fn read(_reader: &mut Reader<'_>) -> Result<T, Fault> {
        Err(Fault)
    }
}

impl<T> NoWireValue<T> for ValueProbe<T> {}

impl<T: for<'de> Decode<'de>> ValueProbe<T> {
    /// Reads a field.
    ///
    /// # Errors
    /// If the bytes aren't one.
    pub fn read(reader: &mut Reader<'_>) -> Result<T, Fault> {
        T::get(reader)
    }
}

/// Reads the value of an error that the host has sent in the wire format. The outer `None` means that it has sent it as JSON, the inner one
/// that the value isn't one of that type.
#[cold]
pub fn read_value<T>(
    error: &Error,
    read: impl FnOnce(&mut Reader<'_>) -> Result<T, Fault>,
) -> Option<Option<T>> {
    let mut reader = Reader::new(error.value()?);
    let value = read(&mut reader).ok();
    Some(value.filter(|_| reader.left() == 0))
}
