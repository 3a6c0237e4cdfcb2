//! Points in time.

use std::fmt;
use std::str::FromStr;

use rustbridge_wire::{Decode, Encode, Fault, Measure, Reader, Type, Typed, Writer, derive};
use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

const DAY: i64 = 86_400;

/// The message type for another crate's points in time. In the wire format and in clients it's a `timestamp`. In other encodings it's a
/// text in the format of RFC 3339, `2026-11-25T10:30:00.5Z`. Years before 0 and after 9999 are written with a sign and at least six digits,
/// as in ISO 8601. A text that is read may have any offset.
///
/// With the features of those names, `time::OffsetDateTime`, `time::UtcDateTime` and `jiff::Timestamp` can be sent as this type. The offset
/// of `time::OffsetDateTime` is lost; the value is read in UTC.
///
/// ```
/// # #[cfg(feature = "time")] {
/// use rustbridge::{Message, via};
///
/// #[derive(Message)]
/// struct Visit {
///     #[message(via = via::Timestamp)]
///     at: time::OffsetDateTime,
/// }
///
/// let visit: Visit = serde_json::from_str(r#"{"at": "1970-01-01T01:00:00+01:00"}"#).unwrap();
/// assert_eq!(visit.at, time::OffsetDateTime::UNIX_EPOCH);
/// assert_eq!(serde_json::to_string(&visit).unwrap(), r#"{"at":"1970-01-01T00:00:00Z"}"#);
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp {
    seconds: i64,
    nanoseconds: u32,
}

impl Timestamp {
    /// Creates a point in time: seconds after 1970-01-01T00:00:00Z, and nanoseconds after that second. Returns `None` if the nanoseconds
    /// make up a second or more.
    #[must_use]
    pub const fn new(seconds: i64, nanoseconds: u32) -> Option<Timestamp> {
        if nanoseconds >= 1_000_000_000 {
            return None;
        }
        Some(Timestamp {
            seconds,
            nanoseconds,
        })
    }

    /// Returns the seconds since 1970-01-01T00:00:00Z, rounded down.
    #[must_use]
    pub const fn seconds(self) -> i64 {
        self.seconds
    }

    /// Returns the nanoseconds after that second.
    #[must_use]
    pub const fn nanoseconds(self) -> u32 {
        self.nanoseconds
    }
}

/// Returns the date of a day counted from 1970-01-01, in the proleptic Gregorian calendar: `civil_from_days` of
/// <https://howardhinnant.github.io/date_algorithms.html>.
fn date(day: i64) -> (i64, i64, i64) {
    let day = day + 719_468;
    let (era, day) = (day.div_euclid(146_097), day.rem_euclid(146_097));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    // Counted from March on.
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + era * 400 + i64::from(month <= 2), month, day)
}

/// Returns the day of a date, counted from 1970-01-01: `days_from_civil` of the same page. The year has at most twelve digits.
fn day(year: i64, month: i64, day: i64) -> i64 {
    let year = year - i64::from(month <= 2);
    let (era, year) = (year.div_euclid(400), year.rem_euclid(400));
    let day = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year * 365 + year / 4 - year / 100 + day - 719_468
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = date(self.seconds.div_euclid(DAY));
        let second = self.seconds.rem_euclid(DAY);
        if (0..=9999).contains(&year) {
            write!(f, "{year:04}")?;
        } else {
            write!(f, "{year:+07}")?;
        }
        let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
        write!(f, "-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}")?;
        if self.nanoseconds > 0 {
            let digits = format!("{:09}", self.nanoseconds);
            write!(f, ".{}", digits.trim_end_matches('0'))?;
        }
        f.write_str("Z")
    }
}

/// The error for a text that isn't a point in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoTimestamp;

impl fmt::Display for NoTimestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("it isn't a date with a time and an offset as of RFC 3339, such as 2026-11-25T10:30:00Z")
    }
}

impl std::error::Error for NoTimestamp {}

/// The rest of a text that is being read.
struct Text<'a>(&'a [u8]);

impl Text<'_> {
    /// Reads one of these bytes.
    fn one_of(&mut self, expected: &[u8]) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        let found = expected.contains(first).then_some(*first);
        if found.is_some() {
            self.0 = rest;
        }
        found
    }

    /// Reads a number with this many digits.
    fn number(&mut self, digits: usize) -> Option<i64> {
        let (digits, rest) = self.0.split_at_checked(digits)?;
        let mut number = 0;
        for digit in digits {
            number = number * 10 + i64::from(char::from(*digit).to_digit(10)?);
        }
        self.0 = rest;
        Some(number)
    }

    /// Reads a number with this many digits that is within a range.
    fn within(&mut self, digits: usize, least: i64, most: i64) -> Option<i64> {
        self.number(digits)
            .filter(|number| (least..=most).contains(number))
    }

    /// Returns the number of digits that come next.
    fn digits(&self) -> usize {
        self.0
            .iter()
            .take_while(|letter| letter.is_ascii_digit())
            .count()
    }

    fn year(&mut self) -> Option<i64> {
        match self.one_of(b"+-") {
            None => self.number(4),
            Some(sign) => {
                let digits = self.digits();
                let year = (6..=12).contains(&digits).then(|| self.number(digits));
                year?.map(|year| if sign == b'-' { -year } else { year })
            }
        }
    }

    fn timestamp(mut self) -> Option<Timestamp> {
        let year = self.year()?;
        self.one_of(b"-")?;
        let month = self.within(2, 1, 12)?;
        self.one_of(b"-")?;
        let day_of_month = self.within(2, 1, 31)?;
        let days = day(year, month, day_of_month);
        if date(days) != (year, month, day_of_month) {
            return None;
        }
        self.one_of(b"Tt ")?;
        let hour = self.within(2, 0, 23)?;
        self.one_of(b":")?;
        let minute = self.within(2, 0, 59)?;
        self.one_of(b":")?;
        let second = self.within(2, 0, 59)?;
        let mut nanoseconds = 0;
        if self.one_of(b".").is_some() {
            let digits = self.digits();
            if !(1..=9).contains(&digits) {
                return None;
            }
            nanoseconds = self.number(digits)? * 10_i64.pow(9 - digits as u32);
        }
        let offset = match self.one_of(b"Zz+-")? {
            b'Z' | b'z' => 0,
            sign => {
                let hours = self.within(2, 0, 23)?;
                self.one_of(b":")?;
                let seconds = hours * 3600 + self.within(2, 0, 59)? * 60;
                if sign == b'-' { -seconds } else { seconds }
            }
        };
        if !self.0.is_empty() {
            return None;
        }
        let seconds = days
            .checked_mul(DAY)?
            .checked_add(hour * 3600 + minute * 60 + second - offset)?;
        Timestamp::new(seconds, u32::try_from(nanoseconds).ok()?)
    }
}

impl FromStr for Timestamp {
    type Err = NoTimestamp;

    fn from_str(text: &str) -> Result<Timestamp, NoTimestamp> {
        Text(text.as_bytes()).timestamp().ok_or(NoTimestamp)
    }
}

impl Typed for Timestamp {
    const TYPE: Type = Type::Timestamp;
    const LEAST: usize = 12;
    const EXACT: bool = true;
}

// SAFETY: twelve bytes.
unsafe impl Encode for Timestamp {
    #[inline]
    fn measure(&self, measure: &mut Measure) {
        measure.add(12);
    }

    #[inline]
    unsafe fn put(&self, writer: &mut Writer) {
        // SAFETY: the caller's promise.
        unsafe { derive::put_parts(self.seconds.to_le_bytes(), self.nanoseconds, writer) };
    }
}

// SAFETY: twelve bytes.
unsafe impl<'de> Decode<'de> for Timestamp {
    #[inline]
    fn get(reader: &mut Reader<'de>) -> Result<Timestamp, Fault> {
        let (seconds, nanoseconds) = derive::get_parts(reader)?;
        Ok(Timestamp {
            seconds,
            nanoseconds,
        })
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Timestamp, D::Error> {
        struct OfText;

        impl Visitor<'_> for OfText {
            type Value = Timestamp;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a date with a time and an offset as of RFC 3339")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Timestamp, E> {
                text.parse().map_err(|error: NoTimestamp| E::custom(error))
            }
        }

        deserializer.deserialize_str(OfText)
    }
}

#[cfg(feature = "time")]
mod with_time {
    use time::{OffsetDateTime, UtcDateTime};

    use super::Timestamp;
    use crate::via::OutOfRange;

    macro_rules! times {
        ($($type:ident, $what:literal;)+) => {$(
            impl From<$type> for Timestamp {
                fn from(time: $type) -> Timestamp {
                    Timestamp {
                        seconds: time.unix_timestamp(),
                        nanoseconds: time.nanosecond(),
                    }
                }
            }

            impl TryFrom<Timestamp> for $type {
                type Error = OutOfRange;

                fn try_from(timestamp: Timestamp) -> Result<$type, OutOfRange> {
                    $type::from_unix_timestamp(timestamp.seconds)
                        .and_then(|second| second.replace_nanosecond(timestamp.nanoseconds))
                        .map_err(|_| OutOfRange::of($what, timestamp.seconds))
                }
            }
        )+};
    }

    times! {
        OffsetDateTime, "`time::OffsetDateTime`";
        UtcDateTime, "`time::UtcDateTime`";
    }
}

#[cfg(feature = "jiff")]
mod with_jiff {
    use super::Timestamp;
    use crate::via::OutOfRange;

    impl From<jiff::Timestamp> for Timestamp {
        fn from(time: jiff::Timestamp) -> Timestamp {
            // Both count from 1970 in the same direction, and here nanoseconds count forwards.
            let (seconds, nanoseconds) = (time.as_second(), time.subsec_nanosecond());
            match u32::try_from(nanoseconds) {
                Ok(nanoseconds) => Timestamp {
                    seconds,
                    nanoseconds,
                },
                Err(_) => Timestamp {
                    seconds: seconds - 1,
                    nanoseconds: 1_000_000_000 - nanoseconds.unsigned_abs(),
                },
            }
        }
    }

    impl TryFrom<Timestamp> for jiff::Timestamp {
        type Error = OutOfRange;

        fn try_from(timestamp: Timestamp) -> Result<jiff::Timestamp, OutOfRange> {
            jiff::Timestamp::new(timestamp.seconds, timestamp.nanoseconds as i32)
                .map_err(|_| OutOfRange::of("`jiff::Timestamp`", timestamp.seconds))
        }
    }
}
