//! Types of other crates, each behind the feature of the crate's name.

#[cfg(feature = "uuid")]
mod ids {
    use uuid::Uuid;

    use crate::read::{Decode, Fault, Reader};
    use crate::types::{Type, Typed};
    use crate::write::{Encode, Measure, Writer};

    impl Typed for Uuid {
        const TYPE: Type = Type::Uuid;
        const LEAST: usize = 16;
        const EXACT: bool = true;
    }

    // SAFETY: sixteen bytes.
    unsafe impl Encode for Uuid {
        #[inline]
        fn measure(&self, measure: &mut Measure) {
            measure.add(16);
        }

        #[inline]
        unsafe fn put(&self, writer: &mut Writer) {
            // SAFETY: the caller's promise.
            unsafe { writer.put(self.into_bytes()) };
        }
    }

    // SAFETY: sixteen bytes.
    unsafe impl<'de> Decode<'de> for Uuid {
        #[inline]
        fn get(reader: &mut Reader<'de>) -> Result<Uuid, Fault> {
            <[u8; 16]>::get(reader).map(Uuid::from_bytes)
        }
    }
}

/// Those whose ranges are others than the wire form's: what is outside of either is refused.
#[cfg(any(feature = "chrono", feature = "jiff", feature = "time"))]
mod times {
    use crate::impls::time::{get_parts, put_parts};
    use crate::read::{Decode, Fault, Reader};
    use crate::types::{Type, Typed};
    use crate::write::{Encode, Measure, Writer};

    macro_rules! times {
        ($($type:ty = $wire:expr, $seconds:ty,
            |$value:ident| $into:expr, or $unwritable:literal,
            |$whole:ident, $nanos:ident| $from:expr, or $unreadable:literal;)+) => {$(
            impl Typed for $type {
                const TYPE: Type = $wire;
                const LEAST: usize = 12;
                const EXACT: bool = true;
            }

            // SAFETY: twelve bytes.
            unsafe impl Encode for $type {
                #[inline]
                fn measure(&self, measure: &mut Measure) {
                    measure.add(12);
                }

                #[inline]
                unsafe fn put(&self, writer: &mut Writer) {
                    let $value = *self;
                    let parts: Option<($seconds, u32)> = $into;
                    let (seconds, nanos) = parts.unwrap_or_else(|| {
                        writer.refuse($unwritable);
                        (0, 0)
                    });
                    // SAFETY: the caller's promise.
                    unsafe { put_parts(seconds.to_le_bytes(), nanos, writer) };
                }
            }

            // SAFETY: twelve bytes.
            unsafe impl<'de> Decode<'de> for $type {
                #[inline]
                fn get(reader: &mut Reader<'de>) -> Result<$type, Fault> {
                    let ($whole, $nanos) = get_parts::<$seconds>(reader)?;
                    let value: Option<$type> = $from;
                    value.ok_or_else(|| reader.refuse(format!($unreadable, $whole)))
                }
            }
        )+};
    }

    #[cfg(feature = "chrono")]
    times! {
        chrono::DateTime<chrono::Utc> = Type::Timestamp, i64,
            |value| (value.timestamp_subsec_nanos() < 1_000_000_000)
                .then(|| (value.timestamp(), value.timestamp_subsec_nanos())),
            or "a `chrono::DateTime` is inside a leap second, which a timestamp can't represent",
            |seconds, nanos| chrono::DateTime::from_timestamp(seconds, nanos),
            or "{} seconds from 1970 are outside the range of a `chrono::DateTime`";
        chrono::TimeDelta = Type::Duration, u64,
            |value| u64::try_from(value.num_seconds()).ok().zip(u32::try_from(value.subsec_nanos()).ok()),
            or "a `chrono::TimeDelta` is negative: expected zero or more",
            |seconds, nanos| i64::try_from(seconds).ok()
                .and_then(|seconds| chrono::TimeDelta::new(seconds, nanos)),
            or "{} seconds are outside the range of a `chrono::TimeDelta`";
    }

    #[cfg(feature = "jiff")]
    times! {
        jiff::Timestamp = Type::Timestamp, i64,
            |value| {
                // Both count from 1970 in the same direction, and here nanoseconds count forwards.
                let (seconds, nanos) = (value.as_second(), value.subsec_nanosecond());
                Some(match u32::try_from(nanos) {
                    Ok(nanos) => (seconds, nanos),
                    Err(_) => (seconds - 1, 1_000_000_000 - nanos.unsigned_abs()),
                })
            },
            or "a `jiff::Timestamp` has no seconds",
            |seconds, nanos| jiff::Timestamp::new(seconds, nanos as i32).ok(),
            or "{} seconds from 1970 are outside the range of a `jiff::Timestamp`";
        jiff::SignedDuration = Type::Duration, u64,
            |value| u64::try_from(value.as_secs()).ok().zip(u32::try_from(value.subsec_nanos()).ok()),
            or "a `jiff::SignedDuration` is negative: expected zero or more",
            |seconds, nanos| i64::try_from(seconds).ok()
                .map(|seconds| jiff::SignedDuration::new(seconds, nanos as i32)),
            or "{} seconds are outside the range of a `jiff::SignedDuration`";
    }

    #[cfg(feature = "time")]
    times! {
        // The offset is lost, as it is where two of these are compared; what is read is in UTC.
        time::OffsetDateTime = Type::Timestamp, i64,
            |value| Some((value.unix_timestamp(), value.nanosecond())),
            or "a `time::OffsetDateTime` has no seconds",
            |seconds, nanos| time::OffsetDateTime::from_unix_timestamp(seconds).ok()
                .and_then(|second| second.replace_nanosecond(nanos).ok()),
            or "{} seconds from 1970 are outside the range of a `time::OffsetDateTime`";
        time::UtcDateTime = Type::Timestamp, i64,
            |value| Some((value.unix_timestamp(), value.nanosecond())),
            or "a `time::UtcDateTime` has no seconds",
            |seconds, nanos| time::UtcDateTime::from_unix_timestamp(seconds).ok()
                .and_then(|second| second.replace_nanosecond(nanos).ok()),
            or "{} seconds from 1970 are outside the range of a `time::UtcDateTime`";
        time::Duration = Type::Duration, u64,
            |value| u64::try_from(value.whole_seconds()).ok()
                .zip(u32::try_from(value.subsec_nanoseconds()).ok()),
            or "a `time::Duration` is negative: expected zero or more",
            |seconds, nanos| i64::try_from(seconds).ok()
                .map(|seconds| time::Duration::new(seconds, nanos as i32)),
            or "{} seconds are outside the range of a `time::Duration`";
    }
}
