//! Errors with types of their own in the wire form: what `#[derive(StatusError)]` implements, and how a handler's result is taken.

use std::marker::PhantomData;

use rustbridge_abi::{Encoding, Status};
use rustbridge_wire::{Definition, Encode, Named, Type, Typed, Unwritable, Writer, named};

use crate::error::{Error, Result};
use crate::handler::Fallible;
use crate::status_error::{Fields, FieldsOf, StatusError, TypedError};

/// Whether an error can be kept as it is; see [`Probe`](crate::probe::Probe) for how.
#[derive(Debug)]
pub struct KeepProbe<E>(PhantomData<E>);

/// The answer for one that can't.
pub trait NotKept<E: StatusError> {
    /// Its fields as JSON.
    #[cold]
    fn fields(error: E) -> Fields {
        Fields::now(&error)
    }
}

impl<E: StatusError> NotKept<E> for KeepProbe<E> {}

impl<E: TypedError + Send + Sync + 'static> KeepProbe<E> {
    /// The error itself.
    #[cold]
    pub fn fields(error: E) -> Fields {
        Fields(FieldsOf::Kept(Box::new(error)))
    }
}

/// How a field of an error is written; see [`Probe`](crate::probe::Probe) for how.
#[derive(Debug)]
pub struct FieldProbe<T: ?Sized>(PhantomData<T>);

/// The answers for what has no wire form.
pub trait NoWireForm<T: ?Sized> {
    /// Its type.
    const TYPE: Option<Type> = None;

    /// Isn't called.
    ///
    /// # Errors
    /// Always.
    fn write(_value: &T, _writer: &mut Writer) -> Result<(), Unwritable> {
        Err(Unwritable::Refused("it has no wire form"))
    }
}

impl<T: ?Sized> NoWireForm<T> for FieldProbe<T> {}

impl<T: Encode + ?Sized> FieldProbe<T> {
    /// Its type.
    pub const TYPE: Option<Type> = Some(T::TYPE);

    /// Writes it behind what was written before.
    ///
    /// # Errors
    /// See [`Unwritable`].
    pub fn write(value: &T, writer: &mut Writer) -> Result<(), Unwritable> {
        writer.message(value)
    }
}

/// The type of a field that is known to have one.
#[must_use]
pub const fn field_type(of: Option<Type>) -> Type {
    match of {
        Some(ty) => ty,
        None => Type::Unit,
    }
}

/// Stands for the type of an error among the types of messages.
#[derive(Debug)]
struct TypeOf<E>(PhantomData<E>);

impl<E: TypedError> Named for TypeOf<E> {
    const DEFINITION: Definition = match E::DEFINITION {
        Some(definition) => definition,
        None => panic!("it has no wire form"),
    };
}

/// What a handler's result fails with, told from its type; see [`Probe`](crate::probe::Probe) for how.
#[derive(Debug)]
pub struct ErrorProbe<R>(PhantomData<R>);

/// The answer for what fails with nothing that has a type.
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

/// A message that is an error as well is a type of messages already, and goes as JSON where it's an error.
#[derive(Debug)]
pub struct MessageProbe<T>(PhantomData<T>);

/// The answer for what is no message.
pub trait NotMessage {
    /// See [`MessageProbe`].
    const IS_MESSAGE: bool = false;
}

impl<T> NotMessage for MessageProbe<T> {}

impl<T: Typed> MessageProbe<T> {
    /// See [`MessageProbe`].
    pub const IS_MESSAGE: bool = true;
}

/// A handler's result, to be taken by methods of one name: the inherent one, where the error has a type, is preferred.
#[derive(Debug)]
pub struct Outcome<R>(pub R);

/// For errors without a type. The bound is the method's, so that the compiler tells what the error lacks rather than that there's no method.
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
    /// Converts the error, which goes in the wire form where the answer would have.
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

/// The source of an error, which may be one that came from the host; see [`Probe`](crate::probe::Probe) for how.
#[derive(Debug)]
pub struct CauseProbe<'e, T: ?Sized>(pub &'e T);

/// The answer for other sources.
pub trait NoCause<'e>: Sized {
    /// None.
    #[cold]
    fn name(self) -> Option<&'e str> {
        None
    }
}

impl<'e, T: ?Sized> NoCause<'e> for CauseProbe<'e, T> {}

impl<'e> CauseProbe<'e, Error> {
    /// The name that it has.
    #[cold]
    #[must_use]
    pub fn name(self) -> Option<&'e str> {
        self.0.cause()
    }
}

impl<'e, E: StatusError> CauseProbe<'e, E> {
    /// The name of the source's own.
    #[cold]
    #[must_use]
    pub fn name(self) -> Option<&'e str> {
        self.0.host_cause()
    }
}

/// What a variant with `#[status(transparent)]` may hold: an [`Error`], or a [`StatusError`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be passed on by `#[status(transparent)]`",
    label = "this has no status",
    note = "`#[status(transparent)]` is for a variant that holds a `rustbridge::Error`, or an error that derives `StatusError`"
)]
pub trait Transparent {
    /// Its status.
    fn status(&self) -> Status;

    /// The error itself.
    fn into_error(self) -> Error;
}

impl Transparent for Error {
    fn status(&self) -> Status {
        Error::status(self)
    }

    fn into_error(self) -> Error {
        self
    }
}

impl<E: StatusError> Transparent for E {
    fn status(&self) -> Status {
        StatusError::status(self)
    }

    fn into_error(self) -> Error {
        self.into()
    }
}
