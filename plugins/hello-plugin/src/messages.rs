//! What the example plugin's methods take and give.

use std::borrow::Cow;

use rustbridge::prelude::*;

/// How an instance is set up. Everything has a default, so `{}` is enough.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
#[serde(default, deny_unknown_fields)]
pub struct HelloConfig {
    /// The number of the first user that `user.create` makes.
    pub first_user: u32,
}

impl Default for HelloConfig {
    fn default() -> HelloConfig {
        HelloConfig { first_user: 1 }
    }
}

/// A text to send back.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct Echo<'a> {
    /// The text. Borrowed from the request unless it contains escapes.
    #[serde(borrow)]
    pub message: Cow<'a, str>,
}

/// The text that came in.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct Echoed<'a> {
    /// The text.
    #[serde(borrow)]
    pub message: Cow<'a, str>,
    /// Its length in bytes of UTF-8.
    pub length: usize,
}

/// Somebody to greet.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct Greet {
    /// The name.
    pub name: String,
}

/// A greeting.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct Greeting {
    /// The greeting's text.
    pub greeting: String,
}

/// Where to count down from.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct Countdown {
    /// The first number.
    pub from: u32,
}

/// One step of a countdown.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct Left {
    /// How far it is to the end.
    pub left: u32,
}

/// A counter to make.
#[derive(Message, Clone, Debug, Default, PartialEq, Eq)]
#[serde(default)]
pub struct NewCounter {
    /// What it begins at.
    pub start: i64,
}

/// A user to create.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct CreateUser {
    /// The name to log in with.
    pub username: String,
    /// The address.
    pub email: String,
}

/// The user that was created.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct CreatedUser {
    /// `user-` and eight hexadecimal digits.
    pub user_id: String,
    /// When, by RFC 3339 in UTC.
    pub created_at: String,
}

/// Two numbers to add.
#[derive(Message, Pod, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Add {
    /// The first.
    pub a: i64,
    /// The second.
    pub b: i64,
}

/// A sum.
#[derive(Message, Pod, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Sum {
    /// The sum.
    pub result: i64,
}

/// How long to sleep.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct Sleep {
    /// In milliseconds.
    pub duration_ms: u64,
}

/// How long it slept.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct Slept {
    /// In milliseconds, as asked for.
    pub slept_ms: u64,
}

/// What can go wrong with arithmetic.
#[derive(Debug, thiserror::Error, StatusError)]
pub enum MathError {
    /// The sum is no `i64`.
    #[error("{a} + {b} doesn't fit into 64 bits")]
    #[status(OUT_OF_RANGE)]
    Overflow {
        /// The first number.
        a: i64,
        /// The second.
        b: i64,
    },
}
