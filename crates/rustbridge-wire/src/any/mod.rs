//! Dynamic values, whose kind is known at run time only.

mod dynamic;
#[cfg(feature = "json")]
mod json;
#[cfg(feature = "json")]
mod serial;

use std::borrow::Cow;

pub use dynamic::Dynamic;

use crate::read::{Decode, Fault, Reader};
use crate::types::{Type, Typed};
use crate::write::{Encode, Measure, Writer};

/// The tags in front of dynamic values.
pub(crate) mod tag {
    pub const NULL: u8 = 0;
    pub const FALSE: u8 = 1;
    pub const TRUE: u8 = 2;
    pub const I64: u8 = 3;
    pub const U64: u8 = 4;
    pub const F64: u8 = 5;
    pub const STRING: u8 = 6;
    pub const BYTES: u8 = 7;
    pub const LIST: u8 = 8;
    pub const MAP: u8 = 9;
}

/// A dynamic value, of any kind that JSON has, or bytes.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Value {
    /// JSON's `null`.
    #[default]
    Null,
    /// A boolean.
    Bool(bool),
    /// An integer in the range of `i64`.
    Int(i64),
    /// An integer above the range of `i64`.
    Uint(u64),
    /// A floating-point number.
    Float(f64),
    /// Text.
    String(String),
    /// Bytes.
    Bytes(Vec<u8>),
    /// A list of values.
    List(Vec<Value>),
    /// Values by name, in the order in which they were read. Reading fails if a name occurs twice.
    Map(Vec<(String, Value)>),
}

/// The wire format of the dynamic types, which differ in their types of texts and bytes.
macro_rules! kinds {
    ($kinds:ident, $type:ty, $text:ty, $bytes:ty, $($lent:lifetime)?) => {
        impl$(<$lent>)? Typed for $type {
            const TYPE: Type = Type::Any;
            const LEAST: usize = 1;
            const EXACT: bool = false;
        }

        // SAFETY: each is measured as it's written.
        unsafe impl$(<$lent>)? Encode for $type {
            // Values that hold no others are most of them: they're handled where the list is walked, without a call for each.
            #[inline(always)]
            fn measure(&self, measure: &mut Measure) {
                measure.add(1);
                match self {
                    $kinds::Null | $kinds::Bool(_) => {}
                    $kinds::Int(_) | $kinds::Uint(_) | $kinds::Float(_) => measure.add(8),
                    $kinds::String(text) => text.measure(measure),
                    $kinds::Bytes(bytes) => bytes.measure(measure),
                    $kinds::List(items) => measure_inside(items, measure),
                    $kinds::Map(pairs) => measure_inside(pairs, measure),
                }
            }

            #[inline(always)]
            unsafe fn put(&self, writer: &mut Writer) {
                // SAFETY: the caller's promise.
                unsafe {
                    match self {
                        $kinds::Null => writer.put([tag::NULL]),
                        $kinds::Bool(value) => writer.put([tag::FALSE + u8::from(*value)]),
                        $kinds::Int(value) => put(tag::I64, value, writer),
                        // One form for one value.
                        $kinds::Uint(value) => match i64::try_from(*value) {
                            Ok(value) => put(tag::I64, &value, writer),
                            Err(_) => put(tag::U64, value, writer),
                        },
                        $kinds::Float(value) => put(tag::F64, value, writer),
                        $kinds::String(value) => put(tag::STRING, value, writer),
                        $kinds::Bytes(value) => put(tag::BYTES, value, writer),
                        $kinds::List(value) => put_inside(tag::LIST, value, writer),
                        $kinds::Map(value) => put_inside(tag::MAP, value, writer),
                    }
                }
            }
        }

        impl$(<$lent>)? $type {
            /// Reads a value and passes it to `take`. Each kind is passed separately: a value that is first assembled here would be
            /// moved in larger pieces than it was written in, which stalls the processor.
            #[inline(always)]
            fn get_to<'de $(: $lent)?, T>(
                reader: &mut Reader<'de>,
                take: impl FnOnce($type) -> T,
            ) -> Result<T, Fault> {
                Ok(match u8::get(reader)? {
                    tag::NULL => take($kinds::Null),
                    tag::FALSE => take($kinds::Bool(false)),
                    tag::TRUE => take($kinds::Bool(true)),
                    tag::I64 => take($kinds::Int(i64::get(reader)?)),
                    tag::U64 => take($kinds::Uint(above(reader)?)),
                    tag::F64 => take($kinds::Float(f64::get(reader)?)),
                    tag::STRING => take($kinds::String(<$text>::get(reader)?)),
                    tag::BYTES => take($kinds::Bytes(<$bytes>::get(reader)?)),
                    tag::LIST => take($kinds::List(get_inside(reader)?)),
                    tag::MAP => take($kinds::Map(pairs(reader)?)),
                    _ => return Err(Fault),
                })
            }
        }

        // SAFETY: not exact.
        unsafe impl<'de $(: $lent, $lent)?> Decode<'de> for $type {
            #[inline(always)]
            fn get(reader: &mut Reader<'de>) -> Result<$type, Fault> {
                <$type>::get_to(reader, |value| value)
            }

            #[inline(always)]
            fn get_all(reader: &mut Reader<'de>, count: usize) -> Result<Vec<$type>, Fault> {
                let mut items = Vec::with_capacity(reader.room(count));
                for _ in 0..count {
                    items.reserve(1);
                    let place = &mut items.spare_capacity_mut()[0];
                    <$type>::get_to(reader, |value| place.write(value))?;
                    // SAFETY: there's one in the place now.
                    unsafe { items.set_len(items.len() + 1) };
                }
                Ok(items)
            }
        }
    };
}

kinds!(Value, Value, String, Vec<u8>,);
kinds!(Dynamic, Dynamic<'a>, Cow<'a, str>, Cow<'a, [u8]>, 'a);

#[inline(never)]
fn measure_inside<T: Encode>(all: &Vec<T>, measure: &mut Measure) {
    measure.inside(|measure| all.measure(measure));
}

/// # Safety
/// The writer has room for the tag and all items.
#[inline(never)]
unsafe fn put_inside<T: Encode>(tag: u8, all: &Vec<T>, writer: &mut Writer) {
    // SAFETY: the caller's promise.
    unsafe { put(tag, all, writer) }
}

#[inline(never)]
fn get_inside<'de, T: Decode<'de>>(reader: &mut Reader<'de>) -> Result<Vec<T>, Fault> {
    reader.inside(Vec::get)
}

/// # Safety
/// The writer has room for the tag and the value.
#[inline(always)]
unsafe fn put<T: Encode>(tag: u8, value: &T, writer: &mut Writer) {
    // SAFETY: the caller's promise.
    unsafe {
        writer.put([tag]);
        value.put(writer);
    }
}

/// Reads an integer above the range of `i64`. Smaller ones are refused, because each value has exactly one encoding.
pub(crate) fn above(reader: &mut Reader<'_>) -> Result<u64, Fault> {
    let value = u64::get(reader)?;
    if value > i64::MAX as u64 {
        Ok(value)
    } else {
        Err(Fault)
    }
}

/// The pairs of a map.
fn pairs<'de, S: Decode<'de> + AsRef<str>, T: Decode<'de>>(
    reader: &mut Reader<'de>,
) -> Result<Vec<(S, T)>, Fault> {
    let pairs: Vec<(S, T)> = get_inside(reader)?;
    if twice(&pairs).is_some() {
        Err(Fault)
    } else {
        Ok(pairs)
    }
}

/// Returns a name that occurs twice.
fn twice<S: AsRef<str>, T>(pairs: &[(S, T)]) -> Option<&str> {
    // Few are compared with each other, many sorted.
    if pairs.len() <= 16 {
        let name = |at: usize| pairs[at].0.as_ref();
        let found = (1..pairs.len()).find(|at| (0..*at).any(|before| name(before) == name(*at)));
        return found.map(name);
    }
    let mut names: Vec<&str> = pairs.iter().map(|(name, _)| name.as_ref()).collect();
    names.sort_unstable();
    names
        .windows(2)
        .find(|two| two[0] == two[1])
        .map(|two| two[0])
}
