//! Strings and bytes.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use crate::read::{Decode, Fault, Reader};
use crate::types::{Type, Typed};
use crate::write::{Encode, Measure, Writer};

macro_rules! typed {
    ($type:ty = $wire:expr, $($generics:tt)*) => {
        impl $($generics)* Typed for $type {
            const TYPE: Type = $wire;
            const LEAST: usize = 4;
            const EXACT: bool = false;
        }
    };
}

/// Writers of what derefs to `str` or, by `as_ref`, to bytes.
macro_rules! counted {
    ($($type:ty = $wire:expr, |$value:ident| $bytes:expr;)+) => {$(
        typed!($type = $wire,);

        // SAFETY: a count and the bytes.
        unsafe impl Encode for $type {
            #[inline(always)]
            fn measure(&self, measure: &mut Measure) {
                let $value = self;
                let bytes: &[u8] = $bytes;
                measure.add(4 + bytes.len());
            }

            #[inline(always)]
            unsafe fn put(&self, writer: &mut Writer) {
                let $value = self;
                let bytes: &[u8] = $bytes;
                // SAFETY: the caller's promise.
                unsafe {
                    writer.put_count(bytes.len());
                    writer.put_bytes(bytes);
                }
            }
        }
    )+};
}

counted! {
    str = Type::String, |value| value.as_bytes();
    String = Type::String, |value| value.as_bytes();
    Cow<'_, str> = Type::String, |value| value.as_bytes();
    Box<str> = Type::String, |value| value.as_bytes();
    Rc<str> = Type::String, |value| value.as_bytes();
    Arc<str> = Type::String, |value| value.as_bytes();
    Rc<[u8]> = Type::Bytes, |value| value;
    Arc<[u8]> = Type::Bytes, |value| value;
}

#[cfg(feature = "bytes")]
counted! {
    bytes::Bytes = Type::Bytes, |value| value;
}

macro_rules! strings {
    ($($type:ty)+) => {$(
        // SAFETY: not exact.
        unsafe impl<'de> Decode<'de> for $type {
            #[inline(always)]
            fn get(reader: &mut Reader<'de>) -> Result<$type, Fault> {
                reader.string().map(<$type>::from)
            }
        }
    )+};
}

strings!(String Box<str> Rc<str> Arc<str>);

// SAFETY: not exact.
unsafe impl<'de: 'a, 'a> Decode<'de> for Cow<'a, str> {
    #[inline(always)]
    fn get(reader: &mut Reader<'de>) -> Result<Cow<'a, str>, Fault> {
        reader.string().map(Cow::Borrowed)
    }
}

macro_rules! bytes {
    ($($type:ty, |$bytes:ident| $from:expr;)+) => {$(
        // SAFETY: not exact.
        unsafe impl<'de> Decode<'de> for $type {
            #[inline(always)]
            fn get(reader: &mut Reader<'de>) -> Result<$type, Fault> {
                let count = reader.count()?;
                let $bytes = reader.bytes(count)?;
                Ok($from)
            }
        }
    )+};
}

bytes! {
    Rc<[u8]>, |bytes| bytes.into();
    Arc<[u8]>, |bytes| bytes.into();
}

#[cfg(feature = "bytes")]
bytes! {
    bytes::Bytes, |bytes| bytes::Bytes::copy_from_slice(bytes);
}

// SAFETY: not exact.
unsafe impl<'de: 'a, 'a> Decode<'de> for &'a str {
    #[inline(always)]
    fn get(reader: &mut Reader<'de>) -> Result<&'a str, Fault> {
        reader.string()
    }
}

// SAFETY: not exact.
unsafe impl<'de: 'a, 'a> Decode<'de> for &'a [u8] {
    #[inline(always)]
    fn get(reader: &mut Reader<'de>) -> Result<&'a [u8], Fault> {
        let count = reader.count()?;
        reader.bytes(count)
    }
}

const NOT_UTF8: &str = "a path isn't UTF-8";

macro_rules! paths {
    ($($type:ty)+) => {$(
        typed!($type = Type::String,);

        // SAFETY: a count and the bytes, or a count alone.
        unsafe impl Encode for $type {
            #[inline]
            fn measure(&self, measure: &mut Measure) {
                measure.add(4 + self.as_os_str().len());
            }

            #[inline]
            unsafe fn put(&self, writer: &mut Writer) {
                let text = self.to_str().unwrap_or_else(|| {
                    writer.refuse(NOT_UTF8);
                    ""
                });
                // SAFETY: the caller's promise: text of an `OsStr` is as long as that.
                unsafe { text.put(writer) };
            }
        }
    )+};
}

paths!(PathBuf Box<Path> Path);

macro_rules! read_paths {
    ($($type:ty)+) => {$(
        // SAFETY: not exact.
        unsafe impl<'de> Decode<'de> for $type {
            #[inline]
            fn get(reader: &mut Reader<'de>) -> Result<$type, Fault> {
                reader.string().map(|path| PathBuf::from(path).into())
            }
        }
    )+};
}

read_paths!(PathBuf Box<Path>);
