//! Numbers as a reader sees them. None of these ever writes `NaN` or `inf`: what isn't a number is a dash.

/// What stands where there is no number.
pub const NOTHING: &str = "–";

/// Three digits, with as many places behind the point as that leaves: `8.14`, `41.2`, `612`.
fn three_digits(value: f64) -> String {
    // What rounds up to the next power of ten has a digit more before the point.
    let places = match value.abs() {
        value if value < 9.995 => 2,
        value if value < 99.95 => 1,
        _ => 0,
    };
    format!("{value:.places$}")
}

fn scaled(value: f64, units: &[(f64, &str)]) -> String {
    if !value.is_finite() {
        return NOTHING.into();
    }
    // 999.6 of a unit would be written 1000, so it's 1.00 of the next one.
    let unit = units.iter().rev().find(|(size, _)| value >= size * 0.9995);
    let (size, name) = unit.unwrap_or(&units[0]);
    format!("{} {name}", three_digits(value / size))
}

/// A time: `8.14 ns`, `1.32 µs`, `10.2 ms`.
#[must_use]
pub fn time(ns: f64) -> String {
    scaled(ns, &[(1.0, "ns"), (1e3, "µs"), (1e6, "ms"), (1e9, "s")])
}

/// How often a second: `1.76 M/s`.
#[must_use]
pub fn rate(per_second: f64) -> String {
    scaled(
        per_second,
        &[(1.0, "/s"), (1e3, "k/s"), (1e6, "M/s"), (1e9, "G/s")],
    )
}

/// A number of bytes, whole below a kilobyte: `96 B`, `97.7 KB`.
#[must_use]
pub fn bytes(count: f64) -> String {
    if count < 1024.0 && count.is_finite() {
        // A measured zero has the measuring tool's own allocations in it, shared out to the calls.
        return format!("{} B", count.max(0.0).round());
    }
    let (kilo, mega) = (1024.0, 1024.0 * 1024.0);
    scaled(count, &[(kilo, "KB"), (mega, "MB"), (mega * kilo, "GB")])
}

/// A ratio: `1.61×`, `14.2×`, `219×`.
#[must_use]
pub fn times(ratio: f64) -> String {
    if ratio >= 1e4 && ratio.is_finite() {
        format!("{}×", thousands(ratio))
    } else if ratio.is_finite() {
        format!("{}×", three_digits(ratio))
    } else {
        NOTHING.into()
    }
}

/// A change in hundredths, with its sign: `−17.8 %`.
#[must_use]
pub fn percent(share: f64) -> String {
    if !share.is_finite() {
        return NOTHING.into();
    }
    let size = format!("{:.1} %", share.abs() * 100.0);
    match share {
        _ if size == "0.0 %" => size,
        share if share < 0.0 => format!("−{size}"),
        _ => format!("+{size}"),
    }
}

/// About so many, in two digits: `14,000`.
#[must_use]
pub fn thousands(value: f64) -> String {
    if !value.is_finite() || value < 0.0 {
        return NOTHING.into();
    }
    let unit = 10f64.powf((value.max(1.0).log10().floor() - 1.0).max(0.0));
    // Downwards: it's an amount that something holds up to.
    count(((value / unit).floor() * unit) as u64)
}

/// A whole number in groups of three, as in `10,000`.
#[must_use]
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The quotient, if it is a number.
#[must_use]
pub fn ratio(over: f64, under: f64) -> Option<f64> {
    let ratio = over / under;
    (ratio.is_finite() && ratio >= 0.0).then_some(ratio)
}

/// `one`, `one and two`, `one, two and three`.
#[must_use]
pub fn list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_has_three_digits_in_the_unit_that_keeps_it_short() {
        let times = [
            0.0, 8.136, 41.25, 99.96, 411.6, 999.7, 17_450.0, 2.5e6, 695e6, 12e9,
        ];
        let texts = times.map(time);
        let expected = [
            "0.00 ns", "8.14 ns", "41.2 ns", "100 ns", "412 ns", "1.00 µs", "17.4 µs", "2.50 ms",
            "695 ms", "12.0 s",
        ];
        assert_eq!(texts, expected);
    }

    #[test]
    fn what_is_no_number_is_a_dash() {
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            for text in [
                time(value),
                rate(value),
                times(value),
                percent(value),
                bytes(value),
            ] {
                assert_eq!(text, NOTHING);
            }
        }
        assert_eq!(ratio(1.0, 0.0), None);
        assert_eq!(ratio(0.0, 0.0), None);
    }

    #[test]
    fn bytes_rates_and_shares_are_short() {
        assert_eq!(bytes(0.04), "0 B");
        assert_eq!(bytes(-0.01), "0 B");
        assert_eq!(bytes(688.0), "688 B");
        assert_eq!(bytes(34714.0), "33.9 KB");
        assert_eq!(bytes(48.0 * 1024.0 * 1024.0), "48.0 MB");
        assert_eq!(rate(1_759_411.0), "1.76 M/s");
        assert_eq!(times(1.613), "1.61×");
        assert_eq!(times(4628.2), "4628×");
        assert_eq!(times(659_404.0), "650,000×");
        assert_eq!(percent(-0.178), "−17.8 %");
        assert_eq!(percent(0.0001), "0.0 %");
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!(count(999), "999");
        assert_eq!(thousands(14_690.0), "14,000");
        assert_eq!(thousands(7.9), "7");
    }
}
