//! Where in a field's type that is which goes as another: the macro says it by a type of these, made from how the field's is written.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::fmt::Display;
use std::hash::{BuildHasher, Hash};
use std::marker::PhantomData;

use rustbridge_wire::{Encode, Measure, Type, Typed, Writer};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::lent::{Lent, Taken};

/// What can go as a `T`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't go as `{T}`",
    label = "isn't made from `{T}`, or `{T}` from it",
    note = "`#[message(via = {T})]` takes `impl From<{Self}> for {T}`, `impl TryFrom<{T}> for {Self}` whose error has `Display`, and `Clone`",
    note = "it speaks of the type inside of `Option`, `Box`, `Vec`, `VecDeque`, arrays, and of a map's values; put anything else into a struct of your own"
)]
pub trait GoesAs<T> {}

impl<F, T> GoesAs<T> for F
where
    F: Clone + TryFrom<T>,
    F::Error: Display,
    T: From<F>,
{
}

/// How a value of a type is lent to who writes, and taken from who has read.
pub trait Route<F> {
    /// What is written.
    type Lent<'a>
    where
        F: 'a;
    /// What is read.
    type Taken;

    /// Lends it.
    fn lend(value: &F) -> Self::Lent<'_>;
    /// Takes it.
    fn take(taken: Self::Taken) -> F;
}

/// The type itself.
#[derive(Debug)]
pub struct As<T>(PhantomData<T>);

impl<F: GoesAs<T>, T> Route<F> for As<T> {
    type Lent<'a>
        = Lent<'a, F, T>
    where
        F: 'a;
    type Taken = Taken<F, T>;

    fn lend(value: &F) -> Lent<'_, F, T> {
        Lent(value, PhantomData)
    }

    fn take(taken: Taken<F, T>) -> F {
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
            type Lent<'a>
                = $lent
            where
                $type: 'a;
            type Taken = $taken;

            fn lend($value: &$type) -> Self::Lent<'_> {
                $lend
            }

            fn take($read: $taken) -> $type {
                $take
            }
        }
    )+};
}

inside! {
    /// Inside of an option.
    InOption: Option<F>, <>,
        lends Option<R::Lent<'a>>, takes Option<R::Taken>,
        |value| value.as_ref().map(R::lend), |taken| taken.map(R::take);
    /// Inside of a box.
    InBox: Box<F>, <>,
        lends R::Lent<'a>, takes R::Taken,
        |value| R::lend(value), |taken| Box::new(R::take(taken));
    /// Inside of a list.
    InVec: Vec<F>, <>,
        lends Vec<R::Lent<'a>>, takes Vec<R::Taken>,
        |value| value.iter().map(R::lend).collect(), |taken| taken.into_iter().map(R::take).collect();
    /// Inside of a list with two ends.
    InDeque: VecDeque<F>, <>,
        lends VecDeque<R::Lent<'a>>, takes VecDeque<R::Taken>,
        |value| value.iter().map(R::lend).collect(), |taken| taken.into_iter().map(R::take).collect();
    /// Inside of an array.
    InArray: [F; N], <> [const N],
        lends [R::Lent<'a>; N], takes [R::Taken; N],
        |value| value.each_ref().map(R::lend), |taken| taken.map(R::take);
}

/// In the values of a map.
#[derive(Debug)]
pub struct InMap<R>(PhantomData<R>);

impl<R: Route<F>, K: Ord, F> Route<BTreeMap<K, F>> for InMap<R> {
    type Lent<'a>
        = Pairs<'a, R, BTreeMap<K, F>>
    where
        BTreeMap<K, F>: 'a;
    type Taken = BTreeMap<K, R::Taken>;

    fn lend(value: &BTreeMap<K, F>) -> Self::Lent<'_> {
        Pairs(value, PhantomData)
    }

    fn take(taken: Self::Taken) -> BTreeMap<K, F> {
        let pairs = taken.into_iter();
        pairs.map(|(key, value)| (key, R::take(value))).collect()
    }
}

impl<R: Route<F>, K: Eq + Hash, F, S: BuildHasher + Default> Route<HashMap<K, F, S>> for InMap<R> {
    type Lent<'a>
        = Pairs<'a, R, HashMap<K, F, S>>
    where
        HashMap<K, F, S>: 'a;
    type Taken = HashMap<K, R::Taken, S>;

    fn lend(value: &HashMap<K, F, S>) -> Self::Lent<'_> {
        Pairs(value, PhantomData)
    }

    fn take(taken: Self::Taken) -> HashMap<K, F, S> {
        let pairs = taken.into_iter();
        pairs.map(|(key, value)| (key, R::take(value))).collect()
    }
}

/// A map whose values are lent one by one. It isn't another map, since the author's own code says which keys are the same: who measures
/// and who writes might not find as many.
#[derive(Debug)]
pub struct Pairs<'a, R, M>(&'a M, PhantomData<fn() -> R>);

macro_rules! pairs {
    ($($map:ty, <$($param:ident),+>;)+) => {$(
        impl<'a, R: Route<F>, $($param),+> Typed for Pairs<'a, R, $map>
        where
            K: Typed,
            R::Lent<'a>: Typed,
        {
            const TYPE: Type = <BTreeMap<K, R::Lent<'a>> as Typed>::TYPE;
            const LEAST: usize = 4;
            const EXACT: bool = false;
        }

        // SAFETY: a count, and as keys and values promise. Going through a map runs no code of the author's, so it's the same pairs each time.
        unsafe impl<'a, R: Route<F>, $($param),+> Encode for Pairs<'a, R, $map>
        where
            K: Encode,
            R::Lent<'a>: Encode,
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
            R::Lent<'a>: Serialize,
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

/// What serde calls for such a field.
#[derive(Debug)]
pub struct Serde<R>(PhantomData<R>);

impl<R> Serde<R> {
    /// Writes a field.
    ///
    /// # Errors
    /// As what it goes as.
    pub fn serialize<'a, F, S>(value: &'a F, serializer: S) -> Result<S::Ok, S::Error>
    where
        R: Route<F>,
        R::Lent<'a>: Serialize,
        S: Serializer,
    {
        R::lend(value).serialize(serializer)
    }

    /// Reads a field.
    ///
    /// # Errors
    /// As what it goes as, or if it can't be made from that.
    pub fn deserialize<'de, F, D>(deserializer: D) -> Result<F, D::Error>
    where
        R: Route<F>,
        R::Taken: Deserialize<'de>,
        D: Deserializer<'de>,
    {
        R::Taken::deserialize(deserializer).map(R::take)
    }
}
