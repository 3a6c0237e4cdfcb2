//! Time as RFC 3339 text. The two calendar functions a plugin needs don't make up for a date crate.

use std::time::{SystemTime, UNIX_EPOCH};

/// Now, to the millisecond, in UTC: `2026-03-01T12:00:00.000Z`.
pub fn now() -> String {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    let text = seconds(since.as_secs());
    format!(
        "{}.{:03}Z",
        text.trim_end_matches('Z'),
        since.subsec_millis()
    )
}

/// A moment given in seconds since 1970, in UTC: `2026-03-01T12:00:00Z`.
pub fn seconds(unix: u64) -> String {
    let (days, second) = (unix / 86_400, unix % 86_400);
    let (year, month, day) = civil(days);
    format!(
        "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z",
        second / 3_600,
        second / 60 % 60,
        second % 60
    )
}

/// The date of a day since 1970-01-01 in the proleptic Gregorian calendar; Howard Hinnant, "chrono-compatible low-level
/// date algorithms", `civil_from_days`. Years begin in March, so that the leap day comes last.
fn civil(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let era = days / 146_097;
    let day_of_era = days % 146_097;
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 {
        shifted_month + 3
    } else {
        shifted_month - 9
    };
    (year_of_era + era * 400 + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_moments_read_as_they_should() {
        for (unix, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (951_868_800, "2000-03-01T00:00:00Z"),
            (1_704_067_199, "2023-12-31T23:59:59Z"),
            (1_709_164_800, "2024-02-29T00:00:00Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(seconds(unix), text);
        }
    }

    #[test]
    fn now_has_milliseconds_and_ends_in_z() {
        let now = now();
        assert_eq!(now.len(), "2026-03-01T12:00:00.000Z".len());
        assert!(now.ends_with('Z') && now.as_bytes()[10] == b'T' && now.as_bytes()[19] == b'.');
    }
}
