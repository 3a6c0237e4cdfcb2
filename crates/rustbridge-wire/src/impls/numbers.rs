//! Numbers, `bool`, `char`.

use std::num::NonZero;

use super::pods::{get_block, put_block};
use crate::read::{Decode, Fault, Reader};
use crate::types::{Number, Type, Typed};
use crate::write::{Encode, Measure, Writer};

macro_rules! numbers {
    ($($number:ty = $name:ident,)+) => {$(
        impl Typed for $number {
            const TYPE: Type = Type::Number(Number::$name);
            const LEAST: usize = size_of::<$number>();
            const EXACT: bool = true;
            const ALIGNED: bool = size_of::<$number>() > 1;
        }

        // SAFETY: it writes as many bytes as it has.
        unsafe impl Encode for $number {
            #[inline(always)]
            fn measure(&self, measure: &mut Measure) {
                measure.add(size_of::<$number>());
            }

            #[inline(always)]
            unsafe fn put(&self, writer: &mut Writer) {
                // SAFETY: the caller's promise.
                unsafe { writer.put(self.to_le_bytes()) };
            }

            #[inline(always)]
            unsafe fn put_all(items: &[$number], writer: &mut Writer) {
                // SAFETY: the caller's promise.
                unsafe { put_block(items, writer) };
            }
        }

        // SAFETY: it takes as many bytes as it says.
        unsafe impl<'de> Decode<'de> for $number {
            #[inline(always)]
            fn get(reader: &mut Reader<'de>) -> Result<$number, Fault> {
                reader.need(size_of::<$number>())?;
                // SAFETY: they are left.
                unsafe { Self::get_exact(reader) }
            }

            #[inline(always)]
            unsafe fn get_exact(reader: &mut Reader<'de>) -> Result<$number, Fault> {
                // SAFETY: the caller's promise.
                Ok(<$number>::from_le_bytes(unsafe { reader.take() }))
            }

            #[inline(always)]
            fn get_all(reader: &mut Reader<'de>, count: usize) -> Result<Vec<$number>, Fault> {
                get_block(reader, count)
            }
        }
    )+};
}

numbers! {
    u8 = U8,
    u16 = U16,
    u32 = U32,
    u64 = U64,
    u128 = U128,
    i8 = I8,
    i16 = I16,
    i32 = I32,
    i64 = I64,
    i128 = I128,
    f32 = F32,
    f64 = F64,
}

/// Types that are written as another, which some of its values are none of.
macro_rules! checked {
    ($($type:ty as $wire:ty = $wire_type:expr, |$value:ident| $into:expr, |$read:ident, $reader:ident| $from:expr;)+) => {$(
        impl Typed for $type {
            const TYPE: Type = $wire_type;
            const LEAST: usize = <$wire>::LEAST;
            const EXACT: bool = true;
            const ALIGNED: bool = <$wire>::ALIGNED && matches!(Self::TYPE, Type::Number(_));
        }

        // SAFETY: as for what it's written as.
        unsafe impl Encode for $type {
            #[inline(always)]
            fn measure(&self, measure: &mut Measure) {
                measure.add(<$wire>::LEAST);
            }

            #[inline(always)]
            unsafe fn put(&self, writer: &mut Writer) {
                let $value = *self;
                let wire: $wire = $into;
                // SAFETY: the caller's promise.
                unsafe { wire.put(writer) };
            }
        }

        // SAFETY: it takes as many bytes as it says.
        unsafe impl<'de> Decode<'de> for $type {
            #[inline(always)]
            fn get(reader: &mut Reader<'de>) -> Result<$type, Fault> {
                reader.need(<$wire>::LEAST)?;
                // SAFETY: they are left.
                unsafe { Self::get_exact(reader) }
            }

            #[inline(always)]
            unsafe fn get_exact($reader: &mut Reader<'de>) -> Result<$type, Fault> {
                // SAFETY: the caller's promise.
                let $read = unsafe { <$wire>::get_exact($reader) }?;
                $from
            }
        }
    )+};
}

checked! {
    bool as u8 = Type::Bool, |value| value.into(), |read, reader| match read {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(Fault),
    };
    char as u32 = Type::Char, |value| value.into(), |read, reader| char::from_u32(read).ok_or(Fault);
    usize as u64 = <u64 as Typed>::TYPE, |value| value as u64, |read, reader| {
        usize::try_from(read).map_err(|_| reader.refuse(format!("{read} is too large for this machine's `usize`")))
    };
    isize as i64 = <i64 as Typed>::TYPE, |value| value as i64, |read, reader| {
        isize::try_from(read).map_err(|_| reader.refuse(format!("{read} is too large for this machine's `isize`")))
    };
}

macro_rules! non_zero {
    ($($number:ty)+) => {
        checked! {$(
            NonZero<$number> as $number = <$number as Typed>::TYPE, |value| value.get(), |read, reader| {
                NonZero::new(read).ok_or_else(|| reader.refuse("0 isn't allowed here".to_owned()))
            };
        )+}
    };
}

non_zero!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);
