//! The path to the converted type inside a field's type. The macro writes it as a type of this module, derived from the source text of
//! the field's type.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::fmt::Display;
use std::hash::{BuildHasher, Hash};
use std::marker::PhantomData;

use rustbridge_wire::{Encode, Measure, Type, Typed, Writer};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::values::{ViaRef, ViaValue};

/// A type that can be sent as a `T`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be sent as `{T}`",
    label = "lacks a conversion from or to `{T}`",
    note = "`#[message(via = {T})]` requires `impl From<{Self}> for {T}`, `impl TryFrom<{T}> for {Self}` whose error has `Display`, and `Clone`",
    note = "the conversion applies to the type inside `Option`, `Box`, `Vec`, `VecDeque` or arrays, and to a map's values; put any other type into a struct of your own"
)]
pub trait GoesAs<T> {}

impl<F, T> GoesAs<T> for F
where
    F: Clone + TryFrom<T>,
    F::Error: Display,
    T: From<F>,
{
}

/// How a value is borrowed for writing, and created after reading.
pub trait Route<F> {
    /// The type that is written.
    type Ref<'a>
    where
        F: 'a;
    /// The type that is read.
    type Value;

    /// Borrows the value for writing.
    fn lend(value: &F) -> Self::Ref<'_>;
    /// Creates the value that was read.
    fn take(taken: Self::Value) -> F;
}

/// The type itself is converted.
#[derive(Debug)]
pub struct As<T>(PhantomData<T>);

impl<F: GoesAs<T>, T> Route<F> for As<T> {
    type Ref<'a>
        = ViaRef<'a, F, T>
    where
        F: 'a;
    type Value = ViaValue<F, T>;

    fn lend(value: &F) -> ViaRef<'_, F, T> {
        ViaRef(value, PhantomData)
    }

    fn take(taken: ViaValue<F, T>) -> F {
        taken.0
    }
}

macro_rules! inside {
    ($(
        $(#[$doc:meta])+
        $route:ident: $type:ty, <$($param:ident: [$($bound:tt)*]),*> $([const $count:ident])?,
        lends $lent:ty, takes $taken:ty,
        |$value:ident| $lend:expr, |$read:ident| $take:expr;
    )+) => {$(
        $(#[$doc])+
        #[derive(Debug)]
        pub struct $route<R>(PhantomData<R>);

        impl<R: Route<F>, F, $($param: $($bound)*,)* $(const $count: usize)?> Route<$type> for $route<R> {
            type Ref<'a>
                = $lent
            where
                $type: 'a;
            type Value = $taken;

            fn lend($value: &$type) -> Self::Ref<'_> {
                $lend
            }

            fn take($read: $taken) -> $type {
                $take
            }
        }
    )+};
}

inside! {
    /// The content of an option is converted.
    InOption: Option<F>, <>,
        lends Option<R::Ref<'a>>, takes Option<R::Value>,
        |value| value.as_ref().map(R::lend), |taken| taken.map(R::take);
    /// The content of a box is converted.
    InBox: Box<F>, <>,
        lends R::Ref<'a>, takes R::Value,
        |value| R::lend(value), |taken| Box::new(R::take(taken));
    /// The items of a list are converted.
    InVec: Vec<F>, <>,
        lends Vec<R::Ref<'a>>, takes Vec<R::Value>,
        |value| value.iter().map(R::lend).collect(), |taken| taken.into_iter().map(R::take).collect();
    /// The items of a double-ended list are converted.
    InDeque: VecDeque<F>, <>,
        lends VecDeque<R::Ref<'a>>, takes VecDeque<R::Value>,
        |value| value.iter().map(R::lend).collect(), |taken| taken.into_iter().map(R::take).collect();
    /// The items of an array are converted.
    InArray: [F; N], <> [const N],
        lends [R::Ref<'a>; N], takes [R::Value; N],
        |value| value.each_ref().map(R::lend), |taken| taken.map(R::take);
}

/// The values of a map are converted.
#[derive(Debug)]
pub struct InMap<R>(PhantomData<R>);

impl<R: Route<F>, K: Ord, F> Route<BTreeMap<K, F>> for InMap<R> {
    type Ref<'a>
        = Pairs<'a, R, BTreeMap<K, F>>
    where
        BTreeMap<K, F>: 'a;
    type Value = BTreeMap<K, R::Value>;

    fn lend(value: &BTreeMap<K, F>) -> Self::Ref<'_> {
        Pairs(value, PhantomData)
    }

    fn take(taken: Self::Value) -> BTreeMap<K, F> {
        let pairs = taken.into_iter();
        pairs.map(|(key, value)| (key, R::take(value))).collect()
    }
}

impl<R: Route<F>, K: Eq + Hash, F, S: BuildHasher + Default> Route<HashMap<K, F, S>> for InMap<R> {
    type Ref<'a>
        = Pairs<'a, R, HashMap<K, F, S>>
    where
        HashMap<K, F, S>: 'a;
    type Value = HashMap<K, R::Value, S>;

    fn lend(value: &HashMap<K, F, S>) -> Self::Ref<'_> {
        Pairs(value, PhantomData)
    }

    fn take(taken: Self::Value) -> HashMap<K, F, S> {
        let pairs = taken.into_iter();
        pairs.map(|(key, value)| (key, R::take(value))).collect()
    }
}

/// A map whose values are borrowed one by one. They aren't collected into another map: the author's own code decides which keys are
/// equal, so measuring and writing might find different numbers of them.
#[derive(Debug)]
pub struct Pairs<'a, R, M>(&'a M, PhantomData<fn() -> R>);

macro_rules! pairs {
    ($($map:ty, <$($param:ident),+>;)+) => {$(
        impl<'a, R: Route<F>, $($param),+> Typed for Pairs<'a, R, $map>
        where
            K: Typed,
            R::Ref<'a>: Typed,
        {
            const TYPE: Type = <BTreeMap<K, R::Ref<'a>> as Typed>::TYPE;
            const LEAST: usize = 4;
            const EXACT: bool = false;
        }

        // SAFETY: a count, and as keys and values promise. Going through a map runs no code of the author's, so it's the same pairs each time.
        unsafe impl<'a, R: Route<F>, $($param),+> Encode for Pairs<'a, R, $map>
        where
            K: Encode,
            R::Ref<'a>: Encode,
        {
            #[inline]
            fn measure(&self, measure: &mut Measure) {
                measure.add(4);
                for (key, value) in self.0 {
                    key.measure(measure);
                    R::lend(value).measure(measure);
                }
            }

            #[inline]
            unsafe fn put(&self, writer: &mut Writer) {
                // SAFETY: the caller's promise.
                unsafe {
                    writer.put_count(self.0.len());
                    for (key, value) in self.0 {
                        key.put(writer);
                        R::lend(value).put(writer);
                    }
                }
            }
        }

        impl<'a, R: Route<F>, $($param),+> Serialize for Pairs<'a, R, $map>
        where
            K: Serialize,
            R::Ref<'a>: Serialize,
        {
            fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
                serializer.collect_map(self.0.iter().map(|(key, value)| (key, R::lend(value))))
            }
        }
    )+};
}

pairs! {
    BTreeMap<K, F>, <K, F>;
    HashMap<K, F, S>, <K, F, S>;
}

/// The functions that serde calls for such a field.
#[derive(Debug)]
pub struct Serde<R>(PhantomData<R>);

impl<R> Serde<R> {
    /// Writes a field.
    ///
    /// # Errors
    /// As for the type as which it's sent.
    pub fn serialize<'a, F, S>(value: &'a F, serializer: S) -> Result<S::Ok, S::Error>
    where
        R: Route<F>,
        R::Ref<'a>: Serialize,
        S: Serializer,
    {
        R::lend(value).serialize(serializer)
    }

    /// Reads a field.
    ///
    /// # Errors
    /// As for the type as which it's sent, and if the conversion from that type fails.
    pub fn deserialize<'de, F, D>(deserializer: D) -> Result<F, D::Error>
    where
        R: Route<F>,
        R::Value: Deserialize<'de>,
        D: Deserializer<'de>,
    {
        R::Value::deserialize(deserializer).map(R::take)
    }
}
