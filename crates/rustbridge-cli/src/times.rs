//! How long calls took.

use std::fmt;
use std::time::Duration;

use serde_json::{Value, json};

/// How long each call took.
#[derive(Default)]
pub(crate) struct Times {
    each: Vec<Duration>,
}

impl Times {
    pub(crate) fn add(&mut self, time: Duration) {
        self.each.push(time);
    }

    /// Whatever stands in the table, in nanoseconds.
    pub(crate) fn json(&self) -> Value {
        let nanoseconds = |time: Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        let rows = self.rows();
        let mut times: serde_json::Map<String, Value> = rows
            .iter()
            .map(|(name, _, time)| (format!("{name}_ns"), json!(nanoseconds(*time))))
            .collect();
        times.insert("calls".to_owned(), json!(self.each.len()));
        times.into()
    }

    fn rows(&self) -> [(&'static str, &'static str, Duration); 6] {
        let mut sorted = self.each.clone();
        sorted.sort_unstable();
        let last = sorted.len().saturating_sub(1);
        // What this share of them doesn't take longer than.
        let quantile = |share: f64| {
            let at = (last as f64 * share).round() as usize;
            sorted.get(at).copied().unwrap_or_default()
        };
        let first = self.each.first().copied().unwrap_or_default();
        [
            ("first", "the first, shown", first),
            ("min", "the fastest", quantile(0.0)),
            ("median", "the median", quantile(0.5)),
            ("p99", "99 of 100 at most", quantile(0.99)),
            ("max", "the slowest", quantile(1.0)),
            ("total", "all together", self.each.iter().sum()),
        ]
    }
}

/// A table of them, each with the unit in which it's read most easily.
impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} calls", self.each.len())?;
        for (_, name, time) in self.rows() {
            writeln!(f, "  {name:<18} {:>10}", shown(time.as_nanos() as f64))?;
        }
        Ok(())
    }
}

/// Three or four digits and a unit.
pub(crate) fn shown(nanoseconds: f64) -> String {
    match nanoseconds {
        0.0..1e3 => format!("{nanoseconds:.0} ns"),
        1e3..1e6 => format!("{:.2} µs", nanoseconds / 1e3),
        1e6..1e9 => format!("{:.2} ms", nanoseconds / 1e6),
        _ => format!("{:.2} s", nanoseconds / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_told_in_order_and_in_units_that_fit() {
        let mut times = Times::default();
        for nanoseconds in [900, 1_500, 100, 2_500_000, 3_000_000_000] {
            times.add(Duration::from_nanos(nanoseconds));
        }
        assert_eq!(
            times.to_string(),
            "5 calls
  the first, shown       900 ns
  the fastest            100 ns
  the median            1.50 µs
  99 of 100 at most      3.00 s
  the slowest            3.00 s
  all together           3.00 s
"
        );
        assert_eq!(times.json()["median_ns"], 1_500);
        assert_eq!(times.json()["calls"], 5);
    }
}
