//! Options, pointers, `()`, and fields that may be absent.

use std::marker::PhantomData;
use std::rc::Rc;
use std::sync::Arc;

use crate::read::{Decode, Fault, Reader};
use crate::types::{Type, Typed};
use crate::write::{Encode, Measure, Writer};

impl<T: Typed> Typed for Option<T> {
    const TYPE: Type = {
        assert!(
            !T::TYPE.is_option(),
            "an option of an option can't be distinguished from an option in other languages: use an enum, or exclude the wire format by `#[message(json_only)]` above the type or `#[method(encodings(json))]` above the method"
        );
        Type::Option(&T::TYPE)
    };
    const LEAST: usize = 1;
    const EXACT: bool = false;
}

// SAFETY: a byte, and what the value promises.
unsafe impl<T: Encode> Encode for Option<T> {
    #[inline(always)]
    fn measure(&self, measure: &mut Measure) {
        measure.add(1);
        if let Some(value) = self {
            value.measure(measure);
        }
    }

    #[inline(always)]
    unsafe fn put(&self, writer: &mut Writer) {
        // SAFETY: the caller's promise.
        unsafe {
            writer.put([u8::from(self.is_some())]);
            if let Some(value) = self {
                value.put(writer);
            }
        }
    }
}

// SAFETY: as what is inside promises.
unsafe impl<'de, T: Decode<'de>> Decode<'de> for Option<T> {
    #[inline(always)]
    fn get(reader: &mut Reader<'de>) -> Result<Option<T>, Fault> {
        if reader.flag()? {
            T::get(reader).map(Some)
        } else {
            Ok(None)
        }
    }
}

/// Measures a field that may be absent.
#[inline(always)]
pub fn measure_default<T: Encode>(value: &T, measure: &mut Measure) {
    measure.add(1);
    value.measure(measure);
}

/// Writes a field that may be absent, as present.
///
/// # Safety
/// The writer has room for the bytes that [`measure_default`] counted.
#[inline(always)]
pub unsafe fn put_default<T: Encode>(value: &T, writer: &mut Writer) {
    // SAFETY: the caller's promise.
    unsafe {
        writer.put([1]);
        value.put(writer);
    }
}

/// Reads a field that may be absent; `default` supplies the value of an absent one.
///
/// # Errors
/// As for [`Decode::get`].
#[inline(always)]
pub fn get_default<'de, T: Decode<'de>>(
    reader: &mut Reader<'de>,
    default: impl FnOnce() -> T,
) -> Result<T, Fault> {
    if reader.flag()? {
        T::get(reader)
    } else {
        Ok(default())
    }
}

/// An `Option` that represents a field which may be absent.
pub trait OptionalValue {
    /// The type of a present value.
    type Value;
}

impl<T> OptionalValue for Option<T> {
    type Value = T;
}

/// Measures a field that may be absent: it's absent if the option is `None`. The value inside may itself be an option.
#[inline(always)]
pub fn measure_given<T: Encode>(value: &Option<T>, measure: &mut Measure) {
    measure.add(1);
    if let Some(value) = value {
        value.measure(measure);
    }
}

/// Writes a field that may be absent: it's absent if the option is `None`.
///
/// # Safety
/// The writer has room for the bytes that [`measure_given`] counted.
#[inline(always)]
pub unsafe fn put_given<T: Encode>(value: &Option<T>, writer: &mut Writer) {
    // SAFETY: the caller's promise.
    unsafe {
        writer.put([u8::from(value.is_some())]);
        if let Some(value) = value {
            value.put(writer);
        }
    }
}

/// Reads a field that may be absent. Returns `None` for an absent one.
///
/// # Errors
/// As for [`Decode::get`].
#[inline(always)]
pub fn get_given<'de, T: Decode<'de>>(reader: &mut Reader<'de>) -> Result<Option<T>, Fault> {
    if reader.flag()? {
        T::get(reader).map(Some)
    } else {
        Ok(None)
    }
}

macro_rules! pointers {
    ($($pointer:ident)+) => {$(
        impl<T: Typed> Typed for $pointer<T> {
            const TYPE: Type = T::TYPE;
            const LEAST: usize = T::LEAST;
            const EXACT: bool = T::EXACT;
            const ALIGNED: bool = T::ALIGNED;
        }

        // SAFETY: as what it points to promises.
        unsafe impl<T: Encode> Encode for $pointer<T> {
            #[inline(always)]
            fn measure(&self, measure: &mut Measure) {
                (**self).measure(measure);
            }

            #[inline(always)]
            unsafe fn put(&self, writer: &mut Writer) {
                // SAFETY: the caller's promise.
                unsafe { (**self).put(writer) };
            }
        }

        // SAFETY: as what is inside promises.
        unsafe impl<'de, T: Decode<'de>> Decode<'de> for $pointer<T> {
            #[inline(always)]
            fn get(reader: &mut Reader<'de>) -> Result<$pointer<T>, Fault> {
                T::get(reader).map($pointer::new)
            }

            #[inline(always)]
            unsafe fn get_exact(reader: &mut Reader<'de>) -> Result<$pointer<T>, Fault> {
                // SAFETY: the caller's promise.
                unsafe { T::get_exact(reader) }.map($pointer::new)
            }
        }
    )+};
}

pointers!(Box Rc Arc);

impl<T: Typed + ?Sized> Typed for &T {
    const TYPE: Type = T::TYPE;
    const LEAST: usize = T::LEAST;
    const EXACT: bool = T::EXACT;
    const ALIGNED: bool = T::ALIGNED;
}

// SAFETY: as what it points to promises.
unsafe impl<T: Encode + ?Sized> Encode for &T {
    #[inline(always)]
    fn measure(&self, measure: &mut Measure) {
        (**self).measure(measure);
    }

    #[inline(always)]
    unsafe fn put(&self, writer: &mut Writer) {
        // SAFETY: the caller's promise.
        unsafe { (**self).put(writer) };
    }
}

macro_rules! nothing {
    ($(<$($param:ident)?> $type:ty = $value:expr;)+) => {$(
        impl<$($param: ?Sized)?> Typed for $type {
            const TYPE: Type = Type::Unit;
            const LEAST: usize = 0;
            const EXACT: bool = true;
        }

        // SAFETY: no bytes.
        unsafe impl<$($param: ?Sized)?> Encode for $type {
            #[inline(always)]
            fn measure(&self, _measure: &mut Measure) {}

            #[inline(always)]
            unsafe fn put(&self, _writer: &mut Writer) {}
        }

        // SAFETY: no bytes.
        unsafe impl<'de, $($param: ?Sized)?> Decode<'de> for $type {
            #[inline(always)]
            fn get(_reader: &mut Reader<'de>) -> Result<$type, Fault> {
                Ok($value)
            }
        }
    )+};
}

nothing! {
    <> () = ();
    <T> PhantomData<T> = PhantomData;
}
