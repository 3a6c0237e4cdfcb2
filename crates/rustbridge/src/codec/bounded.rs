//! Limits of the work that a request can cause in a decoder.
//!
//! A stack overflow or a failed allocation ends the host's process, and no landing pad catches it. An endless loop blocks a
//! thread permanently. So every decoder runs inside this adapter around serde's protocol, which:
//! * refuses values nested deeper than 128 levels, or deeper than the thread's stack has room for. serde_json counts levels,
//!   rmp-serde counts those of lists and maps but not of enums, bincode and postcard count none, and none of them checks the
//!   stack. serde buffers some values until it knows their type (untagged and internally tagged enums, fields next to `flatten`).
//!   These need more stack, because they're read from the buffer without this adapter;
//! * refuses a sequence or map that claims more elements than possible. The number of bytes limits elements that take bytes. In
//!   bincode and postcard `()` takes none, so a request of nine bytes can claim 2^64 of them;
//! * requests borrowed text and bytes in place of owned ones; serde's visitors accept both. bincode allocates an owned string by
//!   its claimed length before it checks that as many bytes are left;
//! * refuses an array in place of a struct in JSON: serde would read its fields by position, which no schema documents.

use std::any::type_name;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};

use rustbridge_wire::Dynamic;

use super::bounds::{Bounds, Refusal};
use crate::stack;

/// Reads a `T` within the bounds.
pub(super) struct BoundedSeed<T, B> {
    bounds: B,
    what: PhantomData<T>,
}

impl<T, B> BoundedSeed<T, B> {
    #[inline(always)]
    pub(super) fn new(bounds: B) -> Self {
        BoundedSeed {
            bounds,
            what: PhantomData,
        }
    }
}

impl<'de, T: Deserialize<'de>, B: Bounds> DeserializeSeed<'de> for BoundedSeed<T, B> {
    type Value = T;

    #[inline(always)]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        T::deserialize(BoundedPart::new(deserializer, self.bounds))
    }
}

/// A part of the serde protocol within its bounds.
pub(super) struct BoundedPart<T, B> {
    inner: T,
    bounds: B,
}

impl<T, B> BoundedPart<T, B> {
    #[inline(always)]
    pub(super) fn new(inner: T, bounds: B) -> Self {
        BoundedPart { inner, bounds }
    }
}

impl<T, B: Bounds> BoundedPart<T, B> {
    #[inline(always)]
    fn with<U>(&self, inner: U) -> BoundedPart<U, B> {
        BoundedPart::new(inner, self.bounds)
    }

    /// Wraps a visitor of `KIND` at the current level.
    #[inline(always)]
    fn visiting<const KIND: u8, V>(self, visitor: V) -> (T, BoundedVisitor<V, B, KIND>) {
        let visitor = BoundedVisitor {
            inner: visitor,
            bounds: self.bounds,
        };
        (self.inner, visitor)
    }

    /// Reads the contents of a variant.
    #[inline(always)]
    fn within_variant<R, E>(self, read: impl FnOnce(T, B) -> Result<R, E>) -> Result<R, E> {
        let bounds = self.bounds;
        if !B::TRAILS {
            return read(self.inner, bounds);
        }
        bounds.enter_named(true);
        let value = read(self.inner, bounds);
        bounds.leave(value.is_err());
        value
    }

    /// Wraps a visitor of `KIND` one level further down. `besides` is the number of additional bytes of stack that must be left
    /// for each level.
    #[inline(always)]
    fn deeper<const KIND: u8, V, E: Error>(
        self,
        visitor: V,
        besides: usize,
    ) -> Result<(T, BoundedVisitor<V, B, KIND>), E> {
        let bounds = self.bounds.deeper(besides)?;
        Ok(BoundedPart::new(self.inner, bounds).visiting(visitor))
    }
}

/// A visitor that applies the bounds. `KIND` is one of the three constants below.
struct BoundedVisitor<V, B, const KIND: u8> {
    inner: V,
    bounds: B,
}

/// A value whose type determines the number of its parts, or that has one part.
const FIXED: u8 = 0;
/// A sequence or map, for which the request determines the number of parts.
const COUNTED: u8 = 1;
/// A struct with named fields.
const STRUCT: u8 = 2;

impl<V, B: Bounds, const KIND: u8> BoundedVisitor<V, B, KIND> {
    #[inline(always)]
    fn with<U>(&self, inner: U) -> BoundedPart<U, B> {
        BoundedPart::new(inner, self.bounds)
    }

    /// Returns the parts, after checking their claimed number.
    #[inline(always)]
    fn parts<A, E: Error>(&self, access: A, claimed: Option<usize>) -> Result<Parts<A, B>, E> {
        let counted = B::CLAIMS && KIND == COUNTED;
        match claimed {
            Some(claimed) if counted => self.bounds.claim(claimed)?,
            _ => {}
        }
        Ok(Parts {
            inner: access,
            bounds: self.bounds,
            // postcard gives no number where it's larger than that of the bytes left.
            each: counted && claimed.is_none(),
            count: B::Count::default(),
        })
    }
}

/// Returns the number of bytes of stack that must be left for each level of a self-describing value. serde may buffer such a
/// value, and later reads it from there without this adapter. Dynamic values are read directly, so they need none. They're
/// recognized by their type names; if these ever change, the limit is only stricter than necessary.
#[inline(always)]
fn stack_besides<T>() -> usize {
    let wanted = type_name::<T>();
    if wanted == type_name::<serde_json::Value>() || wanted == type_name::<Dynamic<'_>>() {
        0
    } else {
        stack::KEPT_ASIDE
    }
}

/// The parts of a sequence or map.
struct Parts<A, B: Bounds> {
    inner: A,
    bounds: B,
    /// Whether each part must be counted when it's read.
    each: bool,
    count: B::Count,
}

impl<A, B: Bounds> Parts<A, B> {
    #[inline(always)]
    fn next<S, E: Error>(&self, seed: S) -> Result<BoundedPart<S, B>, E> {
        if B::CLAIMS && self.each {
            self.bounds.claim(1)?;
        }
        Ok(BoundedPart::new(seed, self.bounds))
    }
}

macro_rules! flat {
    ($($method:ident => $inner:ident),+ $(,)?) => {
        $(
            #[inline]
            fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
                if B::NAMES {
                    let (inner, visitor) = self.visiting::<FIXED, _>(visitor);
                    return inner.$inner(visitor);
                }
                self.inner.$inner(visitor)
            }
        )+
    };
}

macro_rules! nested {
    ($($method:ident($($argument:ident: $ty:ty),*): $kind:ident),+ $(,)?) => {
        $(
            #[inline]
            fn $method<V: Visitor<'de>>(
                self,
                $($argument: $ty,)*
                visitor: V,
            ) -> Result<V::Value, Self::Error> {
                let (inner, visitor) = self.deeper::<$kind, _, _>(visitor, 0)?;
                inner.$method($($argument,)* visitor)
            }
        )+
    };
}

impl<'de, D: Deserializer<'de>, B: Bounds> Deserializer<'de> for BoundedPart<D, B> {
    type Error = D::Error;

    flat! {
        deserialize_bool => deserialize_bool,
        deserialize_i8 => deserialize_i8,
        deserialize_i16 => deserialize_i16,
        deserialize_i32 => deserialize_i32,
        deserialize_i64 => deserialize_i64,
        deserialize_i128 => deserialize_i128,
        deserialize_u8 => deserialize_u8,
        deserialize_u16 => deserialize_u16,
        deserialize_u32 => deserialize_u32,
        deserialize_u64 => deserialize_u64,
        deserialize_u128 => deserialize_u128,
        deserialize_f32 => deserialize_f32,
        deserialize_f64 => deserialize_f64,
        deserialize_char => deserialize_char,
        deserialize_str => deserialize_str,
        deserialize_string => deserialize_str,
        deserialize_bytes => deserialize_bytes,
        deserialize_byte_buf => deserialize_bytes,
        deserialize_unit => deserialize_unit,
        deserialize_identifier => deserialize_identifier,
    }

    nested! {
        deserialize_option(): FIXED,
        deserialize_unit_struct(name: &'static str): FIXED,
        deserialize_newtype_struct(name: &'static str): FIXED,
        deserialize_seq(): COUNTED,
        deserialize_tuple(len: usize): FIXED,
        deserialize_tuple_struct(name: &'static str, len: usize): FIXED,
        deserialize_map(): COUNTED,
        deserialize_struct(name: &'static str, fields: &'static [&'static str]): STRUCT,
        deserialize_enum(name: &'static str, variants: &'static [&'static str]): FIXED,
    }

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        let (inner, visitor) =
            self.deeper::<COUNTED, _, _>(visitor, stack_besides::<V::Value>())?;
        inner.deserialize_any(visitor)
    }

    #[inline]
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        if !B::CLAIMS {
            if B::NAMES {
                // The path of the next value contains this name, even if the type ignores it.
                let (inner, visitor) = self.visiting::<FIXED, _>(visitor);
                return inner.deserialize_ignored_any(visitor);
            }
            // JSON passes over a value without a stack.
            return self.inner.deserialize_ignored_any(visitor);
        }
        let (inner, visitor) = self.deeper::<COUNTED, _, _>(visitor, 0)?;
        inner.deserialize_ignored_any(visitor)
    }

    fn is_human_readable(&self) -> bool {
        self.inner.is_human_readable()
    }
}

macro_rules! visits {
    ($($method:ident: $ty:ty),+ $(,)?) => {
        $(
            #[inline]
            fn $method<E: Error>(self, value: $ty) -> Result<V::Value, E> {
                self.inner.$method(value)
            }
        )+
    };
}

/// Accepts the forms that a name may have in JSON.
macro_rules! visits_names {
    ($($method:ident: $ty:ty),+ $(,)?) => {
        $(
            #[inline]
            fn $method<E: Error>(self, value: $ty) -> Result<V::Value, E> {
                if B::NAMES {
                    self.bounds.name(&value);
                }
                self.inner.$method(value)
            }
        )+
    };
}

impl<'de, V: Visitor<'de>, B: Bounds, const KIND: u8> Visitor<'de> for BoundedVisitor<V, B, KIND> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.expecting(f)
    }

    visits_names! {
        visit_bool: bool,
        visit_i8: i8,
        visit_i16: i16,
        visit_i32: i32,
        visit_i64: i64,
        visit_i128: i128,
        visit_u8: u8,
        visit_u16: u16,
        visit_u32: u32,
        visit_u64: u64,
        visit_u128: u128,
        visit_str: &str,
        visit_borrowed_str: &'de str,
        visit_string: String,
    }

    visits! {
        visit_f32: f32,
        visit_f64: f64,
        visit_char: char,
        visit_bytes: &[u8],
        visit_borrowed_bytes: &'de [u8],
        visit_byte_buf: Vec<u8>,
    }

    fn visit_none<E: Error>(self) -> Result<V::Value, E> {
        self.inner.visit_none()
    }

    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.inner.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
        let deserializer = self.with(deserializer);
        self.inner.visit_some(deserializer)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> Result<V::Value, D::Error> {
        let deserializer = self.with(deserializer);
        self.inner.visit_newtype_struct(deserializer)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, access: A) -> Result<V::Value, A::Error> {
        if B::STRUCTS_ARE_OBJECTS && KIND == STRUCT {
            return Err(Refusal::Array.error());
        }
        let claimed = access.size_hint();
        let parts = self.parts(access, claimed)?;
        self.inner.visit_seq(parts)
    }

    fn visit_map<A: MapAccess<'de>>(self, access: A) -> Result<V::Value, A::Error> {
        let claimed = access.size_hint();
        let parts = self.parts(access, claimed)?;
        self.inner.visit_map(parts)
    }

    fn visit_enum<A: EnumAccess<'de>>(self, access: A) -> Result<V::Value, A::Error> {
        let access = self.with(access);
        self.inner.visit_enum(access)
    }
}

impl<'de, S: DeserializeSeed<'de>, B: Bounds> DeserializeSeed<'de> for BoundedPart<S, B> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<S::Value, D::Error> {
        self.bounds.reach();
        let deserializer = self.with(deserializer);
        self.inner.deserialize(deserializer)
    }
}

impl<'de, A: SeqAccess<'de>, B: Bounds> SeqAccess<'de> for Parts<A, B> {
    type Error = A::Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, A::Error> {
        let seed = self.next(seed)?;
        if !B::TRAILS {
            return self.inner.next_element_seed(seed);
        }
        self.bounds.enter_element(&mut self.count);
        let element = self.inner.next_element_seed(seed);
        self.bounds.leave(element.is_err());
        element
    }

    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint()
    }
}

impl<'de, A: MapAccess<'de>, B: Bounds> MapAccess<'de> for Parts<A, B> {
    type Error = A::Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, A::Error> {
        let BoundedPart {
            inner: seed,
            bounds,
        } = self.next(seed)?;
        let seed = BoundedPart::new(seed, bounds.of_names());
        if !B::TRAILS {
            return self.inner.next_key_seed(seed);
        }
        let key = self.inner.next_key_seed(seed);
        if key.is_err() {
            bounds.enter_named(true);
            bounds.leave(true);
        }
        key
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        let seed = BoundedPart::new(seed, self.bounds);
        if !B::TRAILS {
            return self.inner.next_value_seed(seed);
        }
        self.bounds.enter_named(false);
        let value = self.inner.next_value_seed(seed);
        self.bounds.leave(value.is_err());
        value
    }

    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint()
    }
}

impl<'de, A: EnumAccess<'de>, B: Bounds> EnumAccess<'de> for BoundedPart<A, B> {
    type Error = A::Error;
    type Variant = BoundedPart<A::Variant, B>;

    fn variant_seed<S: DeserializeSeed<'de>>(
        self,
        seed: S,
    ) -> Result<(S::Value, Self::Variant), A::Error> {
        let bounds = self.bounds;
        let seed = BoundedPart::new(seed, bounds.of_names());
        let (value, inner) = self.inner.variant_seed(seed)?;
        Ok((value, BoundedPart::new(inner, bounds)))
    }
}

impl<'de, A: VariantAccess<'de>, B: Bounds> VariantAccess<'de> for BoundedPart<A, B> {
    type Error = A::Error;

    fn unit_variant(self) -> Result<(), A::Error> {
        self.within_variant(|inner, _| inner.unit_variant())
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, A::Error> {
        self.within_variant(|inner, bounds| {
            inner.newtype_variant_seed(BoundedPart::new(seed, bounds))
        })
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, A::Error> {
        self.within_variant(|inner, bounds| {
            let (inner, visitor) = BoundedPart::new(inner, bounds).visiting::<FIXED, _>(visitor);
            inner.tuple_variant(len, visitor)
        })
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        self.within_variant(|inner, bounds| {
            let (inner, visitor) = BoundedPart::new(inner, bounds).visiting::<STRUCT, _>(visitor);
            inner.struct_variant(fields, visitor)
        })
    }
}
