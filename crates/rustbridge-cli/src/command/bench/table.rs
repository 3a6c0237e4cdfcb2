//! What was measured: for people a table, for programs JSON.

use std::fmt;
use std::time::Duration;

use serde_json::{Value, json};

use super::measured_call::MeasuredCall;
use crate::problem::Problem;
use crate::times::shown;

/// The times of every host.
pub(super) struct Table {
    time: Duration,
    /// The methods, the first being the empty one, and how many bytes each is called with.
    methods: Vec<(String, usize)>,
    pub(super) rows: Vec<Row>,
    /// Which languages there is nothing of, and why.
    pub(super) left_out: Vec<(&'static str, Problem)>,
}

/// The times of one host.
pub(super) struct Row {
    host: &'static str,
    /// Of each method, in nanoseconds a call.
    times: Vec<Spread>,
}

/// What lies in the middle of what was measured, and between which a tenth less and a tenth more.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Spread {
    median: f64,
    p10: f64,
    p90: f64,
}

impl Row {
    /// A row of how long a call took in each batch, of each method.
    pub(super) fn of(host: &'static str, samples: Vec<Vec<f64>>) -> Row {
        let times = samples.into_iter().map(Spread::of).collect();
        Row { host, times }
    }
}

impl Spread {
    fn of(mut samples: Vec<f64>) -> Spread {
        samples.sort_unstable_by(f64::total_cmp);
        let last = samples.len().saturating_sub(1) as f64;
        let at = |share: f64| {
            let sample = samples.get((last * share).round() as usize);
            sample.copied().unwrap_or(f64::NAN)
        };
        Spread {
            median: at(0.5),
            p10: at(0.1),
            p90: at(0.9),
        }
    }
}

impl Table {
    pub(super) fn new(time: Duration, calls: &[MeasuredCall]) -> Table {
        let methods = calls
            .iter()
            .map(|call| (call.method.clone(), call.request.len()));
        Table {
            time,
            methods: methods.collect(),
            rows: Vec::new(),
            left_out: Vec::new(),
        }
    }

    pub(super) fn json(&self) -> Value {
        let rows = self.rows.iter().map(|row| {
            let calls = self.methods.iter().zip(&row.times);
            let calls = calls.enumerate().map(|(index, ((method, bytes), time))| {
                json!({
                    "method": method,
                    "is_empty_call": index == 0,
                    "request_bytes": bytes,
                    "median_ns": time.median,
                    "p10_ns": time.p10,
                    "p90_ns": time.p90,
                })
            });
            json!({"host": row.host, "calls": calls.collect::<Vec<_>>()})
        });
        let left_out = self
            .left_out
            .iter()
            .map(|(host, problem)| json!({"host": host, "problem": problem.to_string()}));
        json!({
            "seconds": self.time.as_secs_f64(),
            "hosts": rows.collect::<Vec<_>>(),
            "left_out": left_out.collect::<Vec<_>>(),
        })
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let heads = self.methods.iter().enumerate().map(|(index, (method, _))| {
            // The method of the user's that is called so is another one.
            if index == 0 { "empty call" } else { method }
        });
        let heads: Vec<&str> = heads.collect();
        let wide: Vec<usize> = heads
            .iter()
            .map(|head| head.chars().count().max(8))
            .collect();
        write!(f, "{:<10}", "host")?;
        for (head, wide) in heads.iter().zip(&wide) {
            write!(f, "  {head:>wide$}")?;
        }
        writeln!(f)?;
        for row in &self.rows {
            write!(f, "{:<10}", row.host)?;
            for (time, wide) in row.times.iter().zip(&wide) {
                write!(f, "  {:>wide$}", shown(time.median))?;
            }
            writeln!(f)?;
        }
        let seconds = self.time.as_secs_f64();
        writeln!(
            f,
            "\nThe time of a call on one thread, the median of {seconds} s in each; JSON is text in each language, bytes are bytes."
        )?;
        for (host, problem) in &self.left_out {
            let problem = problem.to_string();
            let problem = problem.lines().next().unwrap_or_default();
            writeln!(f, "left out: {host}: {problem}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    fn measured(method: &str, request: &[u8]) -> MeasuredCall {
        MeasuredCall {
            library: PathBuf::new(),
            config: None,
            method: method.to_owned(),
            is_text: true,
            request: request.to_owned(),
            request_file: PathBuf::new(),
        }
    }

    #[test]
    fn a_table_has_a_column_for_each_method_and_a_line_for_each_host() {
        let calls = [measured("empty", b""), measured("a.long.name", b"{}")];
        let mut table = Table::new(Duration::from_millis(500), &calls);
        table.rows = vec![
            Row::of("Rust", vec![vec![21.0, 20.0, 90.0], vec![200.0]]),
            Row::of("Java, FFM", vec![vec![30.0], vec![1_234.0]]),
        ];
        table.left_out = vec![("C#", Problem::new("`dotnet` isn't here"))];
        assert_eq!(
            table.to_string(),
            "\
host        empty call  a.long.name
Rust             21 ns       200 ns
Java, FFM        30 ns      1.23 µs

The time of a call on one thread, the median of 0.5 s in each; JSON is text in each language, bytes are bytes.
left out: C#: `dotnet` isn't here
"
        );
        let json = table.json();
        assert_eq!(json["hosts"][0]["calls"][0]["median_ns"], 21.0);
        assert_eq!(json["hosts"][1]["calls"][1]["request_bytes"], 2);
        assert_eq!(json["left_out"][0]["host"], "C#");
    }
}
