//! Typed errors in the wire format: the traits and probes that `#[derive(StatusError)]` uses, and the conversion of a handler's result.

use std::marker::PhantomData;

use rustbridge_abi::{Encoding, Status};
use rustbridge_wire::{Definition, Encode, Named, Type, Typed, Unwritable, Writer, named};

use serde_json::Value;

use crate::error::{Error, Result};
use crate::handler::Fallible;
use crate::status_error::{Fields, FieldsOf, StatusError, TypedError, members};

/// Detects whether an error can be kept as it is; see [`Probe`](crate::probe::Probe) for how.
#[derive(Debug)]
pub struct KeepProbe<E>(PhantomData<E>);

/// The result for errors that can't be kept.
pub trait NotKept<E: StatusError> {
    /// Converts the error's fields to JSON.
    #[cold]
    fn fields(error: E) -> Fields {
        Fields::now(&error)
    }
}

impl<E: StatusError> NotKept<E> for KeepProbe<E> {}

impl<E: TypedError + Send + Sync + 'static> KeepProbe<E> {
    /// Keeps the error itself.
    #[cold]
    pub fn fields(error: E) -> Fields {
        Fields(FieldsOf::Kept(Box::new(error)))
    }
}

/// Detects whether a field of an error has a wire format; see [`Probe`](crate::probe::Probe) for how.
#[derive(Debug)]
pub struct FieldProbe<T: ?Sized>(PhantomData<T>);

/// The results for types without a wire format.
pub trait NoWireForm<T: ?Sized> {
    /// The type.
    const TYPE: Option<Type> = None;

    /// Never called.
    ///
    /// # Errors
    /// Always.
    fn write(_value: &T, _writer: &mut Writer) -> Result<(), Unwritable> {
        Err(Unwritable::Refused(
            "the type can't be encoded in the wire format",
        ))
    }
}

impl<T: ?Sized> NoWireForm<T> for FieldProbe<T> {}

impl<T: Encode + ?Sized> FieldProbe<T> {
    /// The type.
    pub const TYPE: Option<Type> = Some(T::TYPE);

    /// Appends the value to the bytes written before.
    ///
    /// # Errors
    /// See [`Unwritable`].
    pub fn write(value: &T, writer: &mut Writer) -> Result<(), Unwritable> {
        writer.message(value)
    }
}

/// Detects whether the source of an error is another typed error, which is then a value in it; see [`Probe`](crate::probe::Probe) for how.
#[derive(Debug)]
pub struct SourceProbe<E: ?Sized>(PhantomData<E>);

/// The results for other sources, which are text.
pub trait NotTyped<E: ?Sized> {
    /// See [`FieldProbe`].
    const TYPE: Option<Type> = None;

    /// Writes nothing; never called.
    ///
    /// # Errors
    /// Always.
    fn write(_source: &E, _writer: &mut Writer) -> Result<(), Unwritable> {
        Err(Unwritable::Refused("the source of the error is a text"))
    }
}

impl<E: ?Sized> NotTyped<E> for SourceProbe<E> {}

impl<E: TypedError> SourceProbe<E> {
    /// See [`FieldProbe`].
    pub const TYPE: Option<Type> = ErrorProbe::<Result<(), E>>::ERROR;

    /// Writes the source as a value of its type.
    ///
    /// # Errors
    /// See [`Unwritable`].
    pub fn write(source: &E, writer: &mut Writer) -> Result<(), Unwritable> {
        source.write(writer)
    }
}

/// Returns the type of a source: its own, or that of a text.
#[must_use]
pub const fn source_type(of: Option<Type>) -> Type {
    match of {
        Some(ty) => ty,
        None => <String as Typed>::TYPE,
    }
}

/// Returns the type of a field that is known to have a wire format.
#[must_use]
pub const fn field_type(of: Option<Type>) -> Type {
    match of {
        Some(ty) => ty,
        None => Type::Unit,
    }
}

/// Represents an error's type among the types of messages.
#[derive(Debug)]
struct TypeOf<E>(PhantomData<E>);

impl<E: TypedError> Named for TypeOf<E> {
    const DEFINITION: Definition = match E::DEFINITION {
        Some(definition) => definition,
        None => panic!("the type can't be encoded in the wire format"),
    };
}

/// Detects the error type of a handler's result; see [`Probe`](crate::probe::Probe) for how.
#[derive(Debug)]
pub struct ErrorProbe<R>(PhantomData<R>);

/// The result for handlers without a typed error.
pub trait NoTypedError {
    /// See [`ErrorProbe`].
    const ERROR: Option<Type> = None;
}

impl<R> NoTypedError for ErrorProbe<R> {}

impl<T, E: TypedError> ErrorProbe<Result<T, E>> {
    /// See [`ErrorProbe`].
    pub const ERROR: Option<Type> = if E::DEFINITION.is_some() {
        Some(named::<TypeOf<E>>())
    } else {
        None
    };
}

/// Reports whether the error of a stream that doesn't start can be sent as the errors of its items are. If these have no type, every error
/// can.
#[must_use]
pub fn fail_alike(items: Option<Type>, start: Option<Type>) -> bool {
    let place = |of: Type| match of {
        Type::Named(definition) => Some((definition().name, definition().path)),
        _ => None,
    };
    items.is_none_or(|items| place(items) == start.and_then(place))
}

/// Detects messages. An error that is also a message has a definition as a message already, so as an error it's sent as JSON.
#[derive(Debug)]
pub struct MessageProbe<T>(PhantomData<T>);

/// The result for types that aren't messages.
pub trait NotMessage {
    /// See [`MessageProbe`].
    const IS_MESSAGE: bool = false;
}

impl<T> NotMessage for MessageProbe<T> {}

impl<T: Typed> MessageProbe<T> {
    /// See [`MessageProbe`].
    pub const IS_MESSAGE: bool = true;
}

/// A handler's result. Two methods named `take` convert it: the inherent one for typed errors, which the compiler prefers, and the one of
/// [`UntypedError`].
#[derive(Debug)]
pub struct Outcome<R>(pub R);

/// Converts results with an untyped error. The bound is on the method, so that the compiler reports which trait the error lacks, rather
/// than that there is no method.
pub trait UntypedError<R> {
    /// Converts the error.
    ///
    /// # Errors
    /// The handler's.
    fn take(self, encoding: Encoding) -> Result<R::Ok>
    where
        R: Fallible;
}

impl<R> UntypedError<R> for Outcome<R> {
    #[inline(always)]
    fn take(self, _encoding: Encoding) -> Result<R::Ok>
    where
        R: Fallible,
    {
        self.0.into_result()
    }
}

impl<T, E: TypedError> Outcome<Result<T, E>> {
    /// Converts the error. It's sent in the wire format if the call uses that.
    ///
    /// # Errors
    /// The handler's.
    #[inline(always)]
    pub fn take(self, encoding: Encoding) -> Result<T> {
        match self.0 {
            Ok(value) => Ok(value),
            Err(error) => Err(typed(error, encoding)),
        }
    }
}

#[cold]
fn typed<E: TypedError>(error: E, encoding: Encoding) -> Error {
    let is_own = !error.is_transparent();
    let mut error = Error::from(error);
    if is_own && E::DEFINITION.is_some() && encoding == Encoding::Wire {
        error.set_typed();
    }
    error
}

/// Detects whether the source of an error may come from the host; see [`Probe`](crate::probe::Probe) for how.
#[derive(Debug)]
pub struct CauseProbe<'e, T: ?Sized>(pub &'e T);

/// The result for other sources.
pub trait NoCause<'e>: Sized {
    /// Returns `None`.
    #[cold]
    fn name(self) -> Option<&'e str> {
        None
    }
}

impl<'e, T: ?Sized> NoCause<'e> for CauseProbe<'e, T> {}

impl<'e> CauseProbe<'e, Error> {
    /// Returns the name of its cause.
    #[cold]
    #[must_use]
    pub fn name(self) -> Option<&'e str> {
        self.0.cause()
    }
}

impl<'e, E: StatusError> CauseProbe<'e, E> {
    /// Returns the cause name of the error's own source.
    #[cold]
    #[must_use]
    pub fn name(self) -> Option<&'e str> {
        self.0.host_cause()
    }
}

/// A type that a variant with `#[status(transparent)]` may hold: an [`Error`] or a [`StatusError`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be passed on by `#[status(transparent)]`",
    label = "this has no status",
    note = "`#[status(transparent)]` is for a variant that holds a `rustbridge::Error`, or an error that derives `StatusError`"
)]
pub trait Transparent {
    /// Returns the status.
    fn status(&self) -> Status;

    /// Returns an object with the members of the error's payload.
    fn payload(&self) -> Value;

    /// Returns the error itself.
    fn into_error(self) -> Error;
}

impl Transparent for Error {
    fn status(&self) -> Status {
        Error::status(self)
    }

    fn payload(&self) -> Value {
        members(
            self.status(),
            self.message(),
            self.type_name(),
            self.details(),
        )
    }

    fn into_error(self) -> Error {
        self
    }
}

impl<E: StatusError> Transparent for E {
    fn status(&self) -> Status {
        StatusError::status(self)
    }

    fn payload(&self) -> Value {
        StatusError::payload(self)
    }

    fn into_error(self) -> Error {
        self.into()
    }
}
