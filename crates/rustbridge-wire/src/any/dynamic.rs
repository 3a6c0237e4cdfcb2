//! Dynamic values that borrow.

use std::borrow::Cow;

/// A dynamic value, like [`Value`](super::Value), that borrows its texts and bytes where possible.
///
/// A value read from a message borrows from that message: no text or bytes are copied. [`into_owned`](Self::into_owned) makes a value
/// that outlives the message. JSON texts with escapes, and values that a program creates, are owned.
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
    String(Cow<'a, str>),
    /// Bytes. In JSON they're a list of numbers, and are read back as such.
    Bytes(Cow<'a, [u8]>),
    /// A list of values.
    List(Vec<Dynamic<'a>>),
    /// Values by name, in the order in which they were read. If a name occurs several times in JSON, the last value counts. Reading a message
    /// of the wire format with such a map fails.
    Map(Vec<(Cow<'a, str>, Dynamic<'a>)>),
}

impl Dynamic<'_> {
    /// Returns the same value with owned texts and bytes.
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
