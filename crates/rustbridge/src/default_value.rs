//! Default values that authors write above fields and parameters, and the types that can have them.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::hash::{BuildHasher, Hash};
use std::marker::PhantomData;
use std::rc::Rc;
use std::sync::Arc;

use bytes::Bytes;
use rustbridge_wire::DefaultValue;

/// An integer as a default value.
#[derive(Debug)]
pub struct Integer(pub i128);

/// A number with a fraction as a default value.
#[derive(Debug)]
pub struct Float(pub f64);

/// `None` as a default value.
#[derive(Debug)]
pub struct NoValue;

/// `[]` as a default value.
#[derive(Debug)]
pub struct EmptyList;

/// `{}` as a default value.
#[derive(Debug)]
pub struct EmptyMap;

/// A type that can have a default value of this kind.
#[diagnostic::on_unimplemented(
    message = "a default value of the kind `{V}` doesn't fit the type `{Self}`",
    label = "isn't a `{Self}`",
    note = "a default value is an integer, a number with a fraction (`1.0`), a boolean, a character, a text, `None` for an option, `[]` for a list, `{{}}` for a map, or a variant without content (`Colour::Red`)",
    note = "any other type: make a parameter an `Option`, and write `#[serde(default = \"..\")]` with a function above a field"
)]
pub trait DefaultFrom<V>: Sized {
    /// Returns the value.
    fn default_from(value: V) -> Self;
}

/// A type whose `Default::default()` is known without running it.
#[diagnostic::on_unimplemented(
    message = "the default value of `{Self}` isn't known to the macro",
    label = "write the value: `#[default(..)]`",
    note = "`#[default]` alone is for numbers (0), booleans (false), texts, lists and maps (empty), and options (`None`)",
    note = "a type that can't have a value there either: make a parameter an `Option`, and write `#[serde(default)]` above a field"
)]
pub trait KnownDefault: Default {
    /// The value; none for an option, which is absent.
    const DEFAULT_VALUE: Option<DefaultValue>;
}

/// The range of a numeric type. Types that aren't numbers have the widest range, because another error reports them.
#[derive(Debug)]
pub struct Range<T>(PhantomData<T>);

/// The ranges of types without one of their own.
pub trait AnyRange {
    /// The least integer.
    const LEAST: i128 = i128::MIN;
    /// The greatest integer.
    const MOST: i128 = i128::MAX;
    /// The greatest number with a fraction.
    const MOST_FLOAT: f64 = f64::MAX;
}

impl<T> AnyRange for Range<T> {}

impl Range<f32> {
    /// The greatest number.
    pub const MOST_FLOAT: f64 = f32::MAX as f64;
}

macro_rules! integers {
    ($($ty:ident)*) => {
        $(
            impl DefaultFrom<Integer> for $ty {
                fn default_from(Integer(value): Integer) -> $ty {
                    // In range, as the macro has checked.
                    value as $ty
                }
            }

            impl KnownDefault for $ty {
                const DEFAULT_VALUE: Option<DefaultValue> = Some(DefaultValue::Integer(0));
            }
        )*
    };
}

integers! { u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize }

macro_rules! ranges {
    ($($ty:ident)*) => {
        $(
            impl Range<$ty> {
                /// The least value.
                pub const LEAST: i128 = $ty::MIN as i128;
                /// The greatest value.
                pub const MOST: i128 = $ty::MAX as i128;
            }
        )*
    };
}

ranges! { u8 u16 u32 u64 usize i8 i16 i32 i64 isize }

impl Range<u128> {
    /// The least value.
    pub const LEAST: i128 = 0;
    /// The greatest value that a default value has.
    pub const MOST: i128 = i128::MAX;
}

impl DefaultFrom<Float> for f32 {
    fn default_from(Float(value): Float) -> f32 {
        value as f32
    }
}

impl DefaultFrom<Float> for f64 {
    fn default_from(Float(value): Float) -> f64 {
        value
    }
}

macro_rules! known {
    ($($value:expr => $ty:ty $(, $param:ident $(: $bound:path)?)*;)*) => {
        $(
            impl<$($param $(: $bound)?),*> KnownDefault for $ty {
                const DEFAULT_VALUE: Option<DefaultValue> = $value;
            }
        )*
    };
}

known! {
    Some(DefaultValue::Float(0.0)) => f32;
    Some(DefaultValue::Float(0.0)) => f64;
    Some(DefaultValue::Bool(false)) => bool;
    Some(DefaultValue::Text("")) => String;
    Some(DefaultValue::Text("")) => Box<str>;
    Some(DefaultValue::Text("")) => Rc<str>;
    Some(DefaultValue::Text("")) => Arc<str>;
    Some(DefaultValue::Text("")) => &str;
    Some(DefaultValue::Text("")) => Cow<'_, str>;
    None => Option<T>, T;
}

impl DefaultFrom<bool> for bool {
    fn default_from(value: bool) -> bool {
        value
    }
}

impl DefaultFrom<char> for char {
    fn default_from(value: char) -> char {
        value
    }
}

impl<T> DefaultFrom<NoValue> for Option<T> {
    fn default_from(NoValue: NoValue) -> Option<T> {
        None
    }
}

macro_rules! texts {
    ($($ty:ty)*) => {
        $(
            impl DefaultFrom<&'static str> for $ty {
                fn default_from(value: &'static str) -> Self {
                    value.into()
                }
            }
        )*
    };
}

texts! { String Box<str> Rc<str> Arc<str> &str Cow<'_, str> }

macro_rules! empty {
    ($kind:ident: $($ty:ty $(, $param:ident $(: $bound:ident $(+ $more:ident)*)?)*;)*) => {
        $(
            impl<$($param $(: $bound $(+ $more)*)?),*> DefaultFrom<$kind> for $ty {
                fn default_from($kind: $kind) -> $ty {
                    Default::default()
                }
            }

            impl<$($param $(: $bound $(+ $more)*)?),*> KnownDefault for $ty {
                const DEFAULT_VALUE: Option<DefaultValue> = Some(DefaultValue::$kind);
            }
        )*
    };
}

empty! { EmptyList:
    Vec<T>, T;
    VecDeque<T>, T;
    LinkedList<T>, T;
    BTreeSet<T>, T: Ord;
    BinaryHeap<T>, T: Ord;
    HashSet<T, S>, T: Eq + Hash, S: BuildHasher + Default;
    Box<[T]>, T;
    Bytes;
}

empty! { EmptyMap:
    BTreeMap<K, V>, K: Ord, V;
    HashMap<K, V, S>, K: Eq + Hash, V, S: BuildHasher + Default;
}

impl<T: Clone> DefaultFrom<EmptyList> for Cow<'_, [T]> {
    fn default_from(EmptyList: EmptyList) -> Self {
        Cow::Borrowed(&[])
    }
}

impl<T: Clone> KnownDefault for Cow<'_, [T]> {
    const DEFAULT_VALUE: Option<DefaultValue> = Some(DefaultValue::EmptyList);
}
