//! Dynamic values that borrow.

use std::borrow::Cow;

/// A value that says itself what it is, as [`Value`](super::Value) is, whose texts and bytes are somebody else's where they can be.
///
/// Read from a message they are the message's: nothing is copied and nothing kept, and [`into_owned`](Self::into_owned) makes a value
/// that outlives it. Texts of JSON with escapes in them, and what a program makes itself, are the value's own.
///
/// ```
/// use rustbridge_wire::Dynamic;
///
/// let bytes = rustbridge_wire::to_vec(&Dynamic::List(vec![1.into(), "two".into(), 3.0.into()]))?;
/// let Dynamic::List(list) = rustbridge_wire::read(&bytes)? else {
///     panic!("a list was written");
/// };
/// let Dynamic::String(two) = &list[1] else {
///     panic!("the second is a text");
/// };
/// assert_eq!((two.as_ref(), &list[2]), ("two", &Dynamic::Float(3.0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Dynamic<'a> {
    /// Nothing.
    #[default]
    Null,
    /// Yes or no.
    Bool(bool),
    /// An integer that an `i64` holds.
    Int(i64),
    /// An integer above those.
    Uint(u64),
    /// A number with a fraction.
    Float(f64),
    /// Text.
    String(Cow<'a, str>),
    /// Bytes. JSON has a list of numbers in their place, as which they come back.
    Bytes(Cow<'a, [u8]>),
    /// Values one after the other.
    List(Vec<Dynamic<'a>>),
    /// Values by name, in the order in which they came. Reading refuses a name that is there twice.
    Map(Vec<(Cow<'a, str>, Dynamic<'a>)>),
}

impl Dynamic<'_> {
    /// The same value with texts and bytes of its own.
    #[must_use]
    pub fn into_owned(self) -> Dynamic<'static> {
        match self {
            Dynamic::Null => Dynamic::Null,
            Dynamic::Bool(value) => Dynamic::Bool(value),
            Dynamic::Int(value) => Dynamic::Int(value),
            Dynamic::Uint(value) => Dynamic::Uint(value),
            Dynamic::Float(value) => Dynamic::Float(value),
            Dynamic::String(text) => Dynamic::String(own(text)),
            Dynamic::Bytes(bytes) => Dynamic::Bytes(own(bytes)),
            Dynamic::List(items) => {
                Dynamic::List(items.into_iter().map(Dynamic::into_owned).collect())
            }
            Dynamic::Map(pairs) => {
                let owned = |(name, value): (_, Dynamic<'_>)| (own(name), value.into_owned());
                Dynamic::Map(pairs.into_iter().map(owned).collect())
            }
        }
    }
}

fn own<T: ToOwned + ?Sized + 'static>(value: Cow<'_, T>) -> Cow<'static, T> {
    Cow::Owned(value.into_owned())
}

macro_rules! from {
    ($($type:ty, |$value:ident| $made:expr;)+) => {$(
        impl<'a> From<$type> for Dynamic<'a> {
            fn from($value: $type) -> Dynamic<'a> {
                $made
            }
        }
    )+};
}

from! {
    bool, |value| Dynamic::Bool(value);
    i32, |value| Dynamic::Int(value.into());
    u32, |value| Dynamic::Int(value.into());
    i64, |value| Dynamic::Int(value);
    u64, |value| i64::try_from(value).map_or(Dynamic::Uint(value), Dynamic::Int);
    f64, |value| Dynamic::Float(value);
    &'a str, |value| Dynamic::String(value.into());
    String, |value| Dynamic::String(value.into());
    &'a [u8], |value| Dynamic::Bytes(value.into());
    Vec<u8>, |value| Dynamic::Bytes(value.into());
    Vec<Dynamic<'a>>, |value| Dynamic::List(value);
}
