//! Points in time and spans of it.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::read::{Decode, Fault, Reader};
use crate::types::{Type, Typed};
use crate::write::{Encode, Measure, Writer};

/// Nanoseconds in a second.
const NANOS: u32 = 1_000_000_000;

/// Writes seconds and nanoseconds.
///
/// # Safety
/// There's room for twelve bytes.
#[inline(always)]
pub unsafe fn put_parts(seconds: [u8; 8], nanos: u32, writer: &mut Writer) {
    // SAFETY: the caller's promise.
    unsafe {
        writer.put(seconds);
        writer.put(nanos.to_le_bytes());
    }
}

/// Reads seconds and nanoseconds, of which there are fewer than a second has.
///
/// # Errors
/// As for [`Decode::get`].
#[inline(always)]
pub fn get_parts<'de, S: Decode<'de>>(reader: &mut Reader<'de>) -> Result<(S, u32), Fault> {
    let seconds = S::get(reader)?;
    let nanos = u32::get(reader)?;
    if nanos < NANOS {
        Ok((seconds, nanos))
    } else {
        Err(Fault)
    }
}

macro_rules! typed {
    ($type:ty, $wire:expr) => {
        impl Typed for $type {
            const TYPE: Type = $wire;
            const LEAST: usize = 12;
            const EXACT: bool = true;
        }
    };
}

typed!(Duration, Type::Duration);
typed!(SystemTime, Type::Timestamp);

// SAFETY: twelve bytes.
unsafe impl Encode for Duration {
    #[inline]
    fn measure(&self, measure: &mut Measure) {
        measure.add(12);
    }

    #[inline]
    unsafe fn put(&self, writer: &mut Writer) {
        // SAFETY: the caller's promise.
        unsafe { put_parts(self.as_secs().to_le_bytes(), self.subsec_nanos(), writer) };
    }
}

// SAFETY: twelve bytes.
unsafe impl<'de> Decode<'de> for Duration {
    #[inline]
    fn get(reader: &mut Reader<'de>) -> Result<Duration, Fault> {
        get_parts(reader).map(|(seconds, nanos)| Duration::new(seconds, nanos))
    }
}

// SAFETY: twelve bytes.
unsafe impl Encode for SystemTime {
    #[inline]
    fn measure(&self, measure: &mut Measure) {
        measure.add(12);
    }

    #[inline]
    unsafe fn put(&self, writer: &mut Writer) {
        let (seconds, nanos) = match self.duration_since(UNIX_EPOCH) {
            Ok(since) => (i64::try_from(since.as_secs()), since.subsec_nanos()),
            // Nanoseconds count forwards from the second below.
            Err(before) => {
                let before = before.duration();
                let seconds = i64::try_from(before.as_secs());
                match before.subsec_nanos() {
                    0 => (seconds.map(|seconds| -seconds), 0),
                    nanos => (seconds.map(|seconds| -seconds - 1), NANOS - nanos),
                }
            }
        };
        let seconds = seconds.unwrap_or_else(|_| {
            writer.refuse("the point in time is too far from 1970: its seconds must fit an i64");
            0
        });
        // SAFETY: the caller's promise.
        unsafe { put_parts(seconds.to_le_bytes(), nanos, writer) };
    }
}

// SAFETY: twelve bytes.
unsafe impl<'de> Decode<'de> for SystemTime {
    #[inline]
    fn get(reader: &mut Reader<'de>) -> Result<SystemTime, Fault> {
        let (seconds, nanos) = get_parts::<i64>(reader)?;
        let second = if seconds < 0 {
            UNIX_EPOCH.checked_sub(Duration::from_secs(seconds.unsigned_abs()))
        } else {
            UNIX_EPOCH.checked_add(Duration::from_secs(seconds.unsigned_abs()))
        };
        second
            .and_then(|second| second.checked_add(Duration::from_nanos(nanos.into())))
            .ok_or_else(|| {
                reader.refuse(
                    "the point in time is outside the range of this machine's clock".to_owned(),
                )
            })
    }
}
