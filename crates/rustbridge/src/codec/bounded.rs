//! Bounds on what a request can make a decoder do.
//!
//! serde_json stops at a depth of nesting. rmp-serde does so for lists and maps but not for enums, bincode and postcard
//! never do, and a megabyte of `Node(Box<Node>)` would overflow the stack, which no landing pad catches. bincode also allocates a string by its claimed length before
//! it looks whether there are so many bytes; asked for a borrowed string, it looks first. So this adapter counts the
//! depth, and asks for borrowed text and bytes wherever owned ones are wanted: serde's visitors take either.

use std::fmt;

use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};

/// serde_json's limit, so that every encoding refuses the same values.
const MAX_DEPTH: u32 = 128;

/// Reads a `T` within the bounds.
pub(super) struct Within<T>(pub(super) T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Within<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bounded = Bounded {
            inner: deserializer,
            depth: MAX_DEPTH,
        };
        T::deserialize(bounded).map(Within)
    }
}

/// A part of the serde protocol with the depth that's left.
struct Bounded<T> {
    inner: T,
    depth: u32,
}

impl<T> Bounded<T> {
    fn with<U>(&self, inner: U) -> Bounded<U> {
        Bounded {
            inner,
            depth: self.depth,
        }
    }

    /// One level further down, for `visitor`.
    fn deeper<V, E: Error>(self, visitor: V) -> Result<(T, Bounded<V>), E> {
        match self.depth.checked_sub(1) {
            Some(depth) => Ok((
                self.inner,
                Bounded {
                    inner: visitor,
                    depth,
                },
            )),
            None => Err(E::custom(format_args!(
                "nested deeper than {MAX_DEPTH} levels"
            ))),
        }
    }
}

macro_rules! flat {
    ($($method:ident => $inner:ident),+ $(,)?) => {
        $(
            #[inline]
            fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
                self.inner.$inner(visitor)
            }
        )+
    };
}

macro_rules! nested {
    ($($method:ident($($argument:ident: $ty:ty),*)),+ $(,)?) => {
        $(
            #[inline]
            fn $method<V: Visitor<'de>>(
                self,
                $($argument: $ty,)*
                visitor: V,
            ) -> Result<V::Value, Self::Error> {
                let (inner, visitor) = self.deeper(visitor)?;
                inner.$method($($argument,)* visitor)
            }
        )+
    };
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Bounded<D> {
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
        deserialize_any(),
        deserialize_ignored_any(),
        deserialize_option(),
        deserialize_unit_struct(name: &'static str),
        deserialize_newtype_struct(name: &'static str),
        deserialize_seq(),
        deserialize_tuple(len: usize),
        deserialize_tuple_struct(name: &'static str, len: usize),
        deserialize_map(),
        deserialize_struct(name: &'static str, fields: &'static [&'static str]),
        deserialize_enum(name: &'static str, variants: &'static [&'static str]),
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

impl<'de, V: Visitor<'de>> Visitor<'de> for Bounded<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.expecting(f)
    }

    visits! {
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
        visit_f32: f32,
        visit_f64: f64,
        visit_char: char,
        visit_str: &str,
        visit_borrowed_str: &'de str,
        visit_string: String,
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
        let access = self.with(access);
        self.inner.visit_seq(access)
    }

    fn visit_map<A: MapAccess<'de>>(self, access: A) -> Result<V::Value, A::Error> {
        let access = self.with(access);
        self.inner.visit_map(access)
    }

    fn visit_enum<A: EnumAccess<'de>>(self, access: A) -> Result<V::Value, A::Error> {
        let access = self.with(access);
        self.inner.visit_enum(access)
    }
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Bounded<S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<S::Value, D::Error> {
        let deserializer = self.with(deserializer);
        self.inner.deserialize(deserializer)
    }
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Bounded<A> {
    type Error = A::Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, A::Error> {
        let seed = self.with(seed);
        self.inner.next_element_seed(seed)
    }

    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint()
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Bounded<A> {
    type Error = A::Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, A::Error> {
        let seed = self.with(seed);
        self.inner.next_key_seed(seed)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        let seed = self.with(seed);
        self.inner.next_value_seed(seed)
    }

    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint()
    }
}

impl<'de, A: EnumAccess<'de>> EnumAccess<'de> for Bounded<A> {
    type Error = A::Error;
    type Variant = Bounded<A::Variant>;

    fn variant_seed<S: DeserializeSeed<'de>>(
        self,
        seed: S,
    ) -> Result<(S::Value, Self::Variant), A::Error> {
        let depth = self.depth;
        let (value, inner) = self.inner.variant_seed(Bounded { inner: seed, depth })?;
        Ok((value, Bounded { inner, depth }))
    }
}

impl<'de, A: VariantAccess<'de>> VariantAccess<'de> for Bounded<A> {
    type Error = A::Error;

    fn unit_variant(self) -> Result<(), A::Error> {
        self.inner.unit_variant()
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, A::Error> {
        let seed = self.with(seed);
        self.inner.newtype_variant_seed(seed)
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, A::Error> {
        let visitor = self.with(visitor);
        self.inner.tuple_variant(len, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        let visitor = self.with(visitor);
        self.inner.struct_variant(fields, visitor)
    }
}
