//! The methods that give back what they get, by name: random messages for them, and messages as JSON. So the test of a client in any
//! language walks them all, and compares what it has of a value with what JSON has of it.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use rustbridge::{Error, Result};
use rustbridge_wire::{Decode, Encode, read, to_vec};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::foreign::Foreign;
use crate::messages::{
    Bounded, Celsius, Color, Defaults, Event, Every, Expr, Lists, Mood, Numbers, Page, Pairs,
    Person, Point, Renamed, Samples, Shape, Tagged, Texts, Times, Tree, Unit, Untagged,
};
use crate::random::{self, EARLIEST};

/// What serde says of a point in time that it has no form for.
const TOO_EARLY: &str = "SystemTime must be later than UNIX_EPOCH";

macro_rules! echoes {
    ($($method:literal: $type:ty = $values:expr;)+) => {
        /// Their names.
        pub const NAMES: &[&str] = &[$($method),+];

        /// The message of a random value of what a method gives back: the same for the same seed. Times are those that every language can
        /// hold: whole microseconds, from the year 1 to the year 9999, and spans of less than 9 × 10¹¹ seconds.
        ///
        /// # Errors
        /// If there's no such method.
        pub fn message(method: &str, seed: u64) -> Result<Vec<u8>> {
            match method {
                $($method => one::<$type>($values, seed),)+
                _ => Err(unknown(method)),
            }
        }

        /// The JSON of a message, as serde writes it. None if JSON has no form for what is in it: that's a [`SystemTime`] before 1970, which
        /// serde refuses. Of numbers that aren't finite it writes null, which is no number when it's read; none of the random ones is such.
        /// Every other value is the same in both forms.
        ///
        /// # Errors
        /// If there's no such method, or it's no message of its.
        pub fn to_json(method: &str, message: &[u8]) -> Result<Option<String>> {
            match method {
                $($method => text_of::<$type>(message),)+
                _ => Err(unknown(method)),
            }
        }

        /// The message of a value that is given as JSON.
        ///
        /// # Errors
        /// If there's no such method, or it's no JSON of its type.
        pub fn from_json(method: &str, json: &str) -> Result<Vec<u8>> {
            match method {
                $($method => message_of::<$type>(json),)+
                _ => Err(unknown(method)),
            }
        }
    };
}

echoes! {
    "every": Every = random::every().prop_map(|mut every| {
        every.times = portable(every.times);
        every
    });
    "numbers": Numbers = random::numbers();
    "texts": Texts = random::texts();
    "times": Times = random::times().prop_map(portable);
    "lists": Lists = random::lists();
    "pairs": Pairs = random::pairs();
    "person": Person = random::person();
    "people": Page<Person> = random::page(random::person());
    "shape": Shape = random::shape();
    "color": Color = random::color();
    "mood": Mood = random::mood();
    "events": Vec<Event> = vec(random::event(), 0..6);
    "tagged": Tagged = random::tagged();
    "untagged": Untagged = random::untagged();
    "expr": Expr = random::expr();
    "tree": Tree = random::tree();
    "samples": Samples = random::samples();
    "point": Point = random::point();
    "celsius": Celsius = any::<f64>().prop_map(Celsius);
    "foreign": Foreign = random::foreign();
    "bounded": Bounded = random::bounded();
    "unit": Unit = Just(Unit);
    "defaults": Defaults = random::defaults();
    "renamed": Renamed = random::renamed();
    "any": Value = random::json_value();
    "doubles": Vec<f64> = vec(any::<f64>(), 0..20);
    "map": BTreeMap<String, Person> = btree_map(any::<String>(), random::person(), 0..6);
    "maybe": Option<Person> = option::of(random::person());
    "tuple": (u8, String, Option<bool>) = any::<(u8, String, Option<bool>)>();
    "duration": Duration = random::times().prop_map(|times| portable(times).lasts);
    "timestamp": SystemTime = random::times().prop_map(|times| portable(times).at);
}

fn one<T: Encode>(values: impl Strategy<Value = T>, seed: u64) -> Result<Vec<u8>> {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let random = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let value = values
        .new_tree(&mut TestRunner::new_with_rng(Config::default(), random))
        .map_err(|reason| Error::internal(reason.message().to_owned()))?
        .current();
    to_vec(&value).map_err(|error| Error::internal(error.to_string()))
}

fn text_of<T: for<'r> Decode<'r> + Serialize>(message: &[u8]) -> Result<Option<String>> {
    let value: T = read(message).map_err(|problem| Error::invalid_argument(problem.to_string()))?;
    match serde_json::to_string(&value) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.to_string().contains(TOO_EARLY) => Ok(None),
        Err(error) => Err(Error::internal(error.to_string())),
    }
}

fn message_of<T: DeserializeOwned + Encode>(json: &str) -> Result<Vec<u8>> {
    let value: T =
        serde_json::from_str(json).map_err(|error| Error::invalid_argument(error.to_string()))?;
    to_vec(&value).map_err(|error| Error::internal(error.to_string()))
}

fn unknown(method: &str) -> Error {
    Error::not_found(format!("`{method}` gives nothing back"))
}

/// The same times, as far as every language has them.
fn portable(times: Times) -> Times {
    const LAST: i64 = 253_402_300_799;
    let at = |time: SystemTime| {
        let (seconds, nanos) = match time.duration_since(UNIX_EPOCH) {
            Ok(after) => (after.as_secs() as i64, after.subsec_nanos()),
            Err(before) => (-(before.duration().as_secs() as i64), 0),
        };
        let seconds = EARLIEST + seconds.rem_euclid(LAST - EARLIEST);
        let whole = Duration::from_secs(seconds.unsigned_abs());
        let second = if seconds < 0 {
            UNIX_EPOCH - whole
        } else {
            UNIX_EPOCH + whole
        };
        second + Duration::from_micros(u64::from(nanos / 1_000))
    };
    Times {
        at: at(times.at),
        lasts: Duration::from_secs(times.lasts.as_secs() % 900_000_000_000)
            + Duration::from_micros(u64::from(times.lasts.subsec_micros())),
        ends: times.ends.map(at),
    }
}
