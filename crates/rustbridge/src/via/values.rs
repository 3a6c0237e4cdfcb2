//! Values that are sent as another type.

use std::fmt::Display;
use std::marker::PhantomData;

use rustbridge_wire::{Decode, Encode, Fault, Measure, Reader, Type, Typed, Writer};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A value that is written as a `T`.
#[derive(Debug)]
pub struct ViaRef<'a, F, T>(pub(super) &'a F, pub(super) PhantomData<fn() -> T>);

/// A value that was read as a `T`.
#[derive(Debug)]
pub struct ViaValue<F, T>(pub(super) F, pub(super) PhantomData<fn() -> T>);

macro_rules! typed {
    ($($type:ty, <$($param:ident),+> as $as:ident;)+) => {$(
        impl<$($param,)+> Typed for $type
        where
            $as: Typed,
        {
            const TYPE: Type = $as::TYPE;
            const LEAST: usize = $as::LEAST;
            const EXACT: bool = $as::EXACT;
            const ALIGNED: bool = $as::ALIGNED;
        }
    )+};
}

typed! {
    ViaRef<'_, F, T>, <F, T> as T;
    ViaValue<F, T>, <F, T> as T;
}

// SAFETY: it's measured when it's made, which is once; before that, as much as it always takes.
unsafe impl<F: Clone, T: Encode + From<F>> Encode for ViaRef<'_, F, T> {
    #[inline]
    fn measure(&self, measure: &mut Measure) {
        if T::EXACT {
            measure.add(T::LEAST);
        }
    }

    #[inline]
    unsafe fn put(&self, writer: &mut Writer) {
        writer.put_converted(&T::from(self.0.clone()));
    }
}

// SAFETY: it takes what `T` takes.
unsafe impl<'de, F, T> Decode<'de> for ViaValue<F, T>
where
    T: Decode<'de>,
    F: TryFrom<T>,
    F::Error: Display,
{
    #[inline]
    fn get(reader: &mut Reader<'de>) -> Result<ViaValue<F, T>, Fault> {
        let value = T::get(reader)?;
        match F::try_from(value) {
            Ok(value) => Ok(ViaValue(value, PhantomData)),
            Err(error) => Err(reader.refuse(error.to_string())),
        }
    }
}

impl<F: Clone, T: Serialize + From<F>> Serialize for ViaRef<'_, F, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        T::from(self.0.clone()).serialize(serializer)
    }
}

impl<'de, F, T> Deserialize<'de> for ViaValue<F, T>
where
    T: Deserialize<'de>,
    F: TryFrom<T>,
    F::Error: Display,
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ViaValue<F, T>, D::Error> {
        let value = T::deserialize(deserializer)?;
        match F::try_from(value) {
            Ok(value) => Ok(ViaValue(value, PhantomData)),
            Err(error) => Err(D::Error::custom(error)),
        }
    }
}
