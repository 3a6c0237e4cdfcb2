//! Spans of time.

use std::time;

use rustbridge_wire::{Decode, Encode, Fault, Measure, Reader, Type, Typed, Writer, derive};
use serde::de::Error as _;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

const NEGATIVE: &str = "the duration is negative: expected zero or more";

/// The message type for another crate's spans of time, like [`std::time::Duration`]. In the wire format and in clients it's a `duration`,
/// in other encodings a record of `secs` and `nanos`. Spans of other crates may be negative; these can't be written.
///
/// With the features of those names, `time::Duration` and `jiff::SignedDuration` can be sent as this type.
///
/// ```
/// # #[cfg(feature = "time")] {
/// use rustbridge::{Message, via};
///
/// #[derive(Message)]
/// struct Song {
///     #[message(via = via::Duration)]
///     lasts: time::Duration,
/// }
///
/// let song = Song { lasts: time::Duration::milliseconds(2_500) };
/// let json = serde_json::to_string(&song).unwrap();
/// assert_eq!(json, r#"{"lasts":{"secs":2,"nanos":500000000}}"#);
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Duration {
    seconds: i64,
    nanoseconds: i32,
}

impl Duration {
    /// Creates a span of seconds and nanoseconds. Returns `None` if the nanoseconds make up a second or more, or if one of them is
    /// negative and the other positive.
    #[must_use]
    pub const fn new(seconds: i64, nanoseconds: i32) -> Option<Duration> {
        let opposed = seconds > 0 && nanoseconds < 0 || seconds < 0 && nanoseconds > 0;
        if opposed || nanoseconds.unsigned_abs() >= 1_000_000_000 {
            return None;
        }
        Some(Duration {
            seconds,
            nanoseconds,
        })
    }

    /// Returns the whole seconds.
    #[must_use]
    pub const fn seconds(self) -> i64 {
        self.seconds
    }

    /// Returns the nanoseconds after the whole seconds, with the same sign.
    #[must_use]
    pub const fn nanoseconds(self) -> i32 {
        self.nanoseconds
    }

    fn parts(self) -> Option<(u64, u32)> {
        let seconds = u64::try_from(self.seconds).ok()?;
        Some((seconds, u32::try_from(self.nanoseconds).ok()?))
    }

    fn from_parts(seconds: u64, nanoseconds: u32) -> Result<Duration, String> {
        match i64::try_from(seconds) {
            // Nanoseconds were compared with those of a second.
            Ok(seconds) => Ok(Duration {
                seconds,
                nanoseconds: nanoseconds as i32,
            }),
            Err(_) => Err(format!("{seconds} seconds are more than 2^63 - 1")),
        }
    }
}

impl Typed for Duration {
    const TYPE: Type = Type::Duration;
    const LEAST: usize = 12;
    const EXACT: bool = true;
}

// SAFETY: twelve bytes.
unsafe impl Encode for Duration {
    #[inline]
    fn measure(&self, measure: &mut Measure) {
        measure.add(12);
    }

    #[inline]
    unsafe fn put(&self, writer: &mut Writer) {
        let (seconds, nanos) = self.parts().unwrap_or_else(|| {
            writer.refuse(NEGATIVE);
            (0, 0)
        });
        // SAFETY: the caller's promise.
        unsafe { derive::put_parts(seconds.to_le_bytes(), nanos, writer) };
    }
}

// SAFETY: twelve bytes.
unsafe impl<'de> Decode<'de> for Duration {
    #[inline]
    fn get(reader: &mut Reader<'de>) -> Result<Duration, Fault> {
        let (seconds, nanos) = derive::get_parts(reader)?;
        Duration::from_parts(seconds, nanos).map_err(|why| reader.refuse(why))
    }
}

impl Serialize for Duration {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.parts() {
            Some((seconds, nanos)) => time::Duration::new(seconds, nanos).serialize(serializer),
            None => Err(S::Error::custom(NEGATIVE)),
        }
    }
}

impl<'de> Deserialize<'de> for Duration {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        let duration = time::Duration::deserialize(deserializer)?;
        Duration::from_parts(duration.as_secs(), duration.subsec_nanos()).map_err(D::Error::custom)
    }
}

#[cfg(feature = "time")]
mod with_time {
    use super::Duration;

    impl From<::time::Duration> for Duration {
        fn from(duration: ::time::Duration) -> Duration {
            Duration {
                seconds: duration.whole_seconds(),
                nanoseconds: duration.subsec_nanoseconds(),
            }
        }
    }

    impl From<Duration> for ::time::Duration {
        fn from(duration: Duration) -> ::time::Duration {
            ::time::Duration::new(duration.seconds, duration.nanoseconds)
        }
    }
}

#[cfg(feature = "jiff")]
mod with_jiff {
    use super::Duration;

    impl From<jiff::SignedDuration> for Duration {
        fn from(duration: jiff::SignedDuration) -> Duration {
            Duration {
                seconds: duration.as_secs(),
                nanoseconds: duration.subsec_nanos(),
            }
        }
    }

    impl From<Duration> for jiff::SignedDuration {
        fn from(duration: Duration) -> jiff::SignedDuration {
            jiff::SignedDuration::new(duration.seconds, duration.nanoseconds)
        }
    }
}
