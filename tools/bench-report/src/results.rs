//! What one run of the benchmarks writes: a machine, its tools, and everything that was measured.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use serde::{Deserialize, Serialize};

/// The version of the format; a file of another one is refused.
pub const FORMAT: u32 = 2;

/// The most samples that a measure keeps.
pub const SAMPLES: usize = 100;

/// The subject that every comparison is about.
pub const OURS: &str = "ours";
/// The hand-written call that does the same work.
pub const FLOOR: &str = "floor";
/// The same work as a call from Rust to Rust, without any boundary.
pub const DIRECT: &str = "direct";
/// What the subjects of gRPC begin with: `grpc tcp`, `grpc unix`, `grpc tcp pinned`, `grpc unix pinned`.
pub const GRPC: &str = "grpc";

/// One run on one machine.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// [`FORMAT`].
    pub format: u32,
    /// Where it ran.
    pub machine: Machine,
    /// When it began, UTC, as in `2026-11-21T12:00:00Z`.
    pub began: String,
    /// The source's commit, short.
    pub commit: String,
    /// Whether files differed from that commit.
    pub modified: bool,
    /// Whether it was a quick look, which proves nothing.
    pub quick: bool,
    /// Versions of compilers, runtimes, harnesses and peers by name, as in `rustc` → `1.95.0`.
    pub tools: BTreeMap<String, String>,
    /// How each harness warmed up, how long and how often it measured, and which CPUs it was bound to, in words, by stage.
    pub method: BTreeMap<String, String>,
    /// What failed, or couldn't run here: by host or group, why.
    #[serde(default)]
    pub missing: BTreeMap<String, String>,
    /// Everything that was measured.
    pub measures: Vec<Measure>,
}

/// Where a run took place.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Machine {
    /// Names the folder of its results: lower-case letters, digits and hyphens.
    pub name: String,
    /// What the report calls the system: `Linux`, `Windows`, `macOS`, `windows (Wine 8)`.
    pub platform: String,
    /// The system's own words about itself.
    pub os: String,
    /// The processor's name.
    pub cpu: String,
    /// How many of its cores the run could use.
    pub cores: usize,
    /// Of the first core: `performance`, or empty where the system doesn't tell.
    pub governor: String,
    /// Main memory in bytes.
    pub memory_bytes: u64,
}

/// One subject in one scenario.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Measure {
    /// As in the catalogue, with the variant: `bench.small 76/80, segment`.
    pub scenario: String,
    /// The caller's language: `rust`, `c`, `python`, `java`, `kotlin`, `csharp`.
    pub host: String,
    /// The lane it belongs to: `core`, `librustbridge`, `native`, `ctypes`, `ffm`, `jni`, `pinvoke`. Empty where it
    /// stands beside all lanes of the host, as gRPC and most peers do.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub transport: String,
    /// `ours`, `floor`, `direct`, `grpc ..`, or a peer: `uniffi`, `pyo3`, `jna`, `cffi`, `boltffi`, `predecessor`.
    pub subject: String,
    /// How many threads called at once.
    #[serde(default = "one")]
    pub threads: u32,
    /// Nanoseconds of one operation, a value per sample; a sample may be the mean of many operations. With several
    /// threads it's the time of one operation on one thread, so that perfect scaling leaves it unchanged.
    pub ns: Vec<f64>,
    /// Single operations, each timed by itself, where the clock is fine enough to say something.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub single: Option<Single>,
    /// Bytes that one operation allocates on the host's heap, where the harness counts them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alloc_bytes: Option<f64>,
    /// What measured: `criterion`, `jmh`, `benchmarkdotnet`, `pytest-benchmark`, `c`, `grpc`.
    pub harness: String,
}

/// Percentiles of single operations, in nanoseconds, with the clock's own time in them.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Single {
    /// How many operations.
    pub count: u64,
    /// Half of them took no longer.
    pub p50: f64,
    /// 90 % of them took no longer.
    pub p90: f64,
    /// 99 % of them took no longer.
    pub p99: f64,
    /// 99.9 % of them took no longer.
    pub p999: f64,
    /// What reading the clock twice takes, median.
    pub clock: f64,
}

fn one() -> u32 {
    1
}

impl Run {
    /// Reads a file.
    ///
    /// # Errors
    /// When it isn't there, isn't JSON of this format, or holds a measure without a sensible time.
    pub fn read(file: &Path) -> Result<Run> {
        let text =
            fs::read_to_string(file).with_context(|| format!("reading {}", file.display()))?;
        Run::parse(&text).with_context(|| format!("reading {}", file.display()))
    }

    /// Reads a text.
    ///
    /// # Errors
    /// As [`Run::read`].
    pub fn parse(text: &str) -> Result<Run> {
        let run: Run = serde_json::from_str(text).context("results of another format")?;
        ensure!(
            run.format == FORMAT,
            "format {} instead of {FORMAT}",
            run.format
        );
        for measure in &run.measures {
            measure.check()?;
        }
        Ok(run)
    }

    /// The file's text: a measure a line, so that a difference between two runs can be read.
    ///
    /// # Errors
    /// When a number in it is none.
    pub fn to_text(&self) -> Result<String> {
        let head = Run {
            measures: Vec::new(),
            ..self.clone()
        };
        let head = serde_json::to_string_pretty(&head).context("writing the run")?;
        let head = head
            .strip_suffix("[]\n}")
            .context("the measures come last")?;
        let lines = self
            .measures
            .iter()
            .map(|measure| Ok(format!("    {}", serde_json::to_string(measure)?)))
            .collect::<Result<Vec<String>>>()
            .context("writing the measures")?;
        Ok(format!("{head}[\n{}\n  ]\n}}\n", lines.join(",\n")))
    }

    /// The measure of a subject, if there is one.
    #[must_use]
    pub fn find(
        &self,
        scenario: &str,
        host: &str,
        transport: &str,
        subject: &str,
        threads: u32,
    ) -> Option<&Measure> {
        self.measures.iter().find(|measure| {
            measure.scenario == scenario
                && measure.host == host
                && (measure.transport == transport || measure.transport.is_empty())
                && measure.subject == subject
                && measure.threads == threads
        })
    }
}

impl Measure {
    /// The middle of its samples.
    #[must_use]
    pub fn median(&self) -> f64 {
        quantile(&self.ns, 0.5)
    }

    /// The lower and the upper quartile of its samples.
    #[must_use]
    pub fn quartiles(&self) -> (f64, f64) {
        (quantile(&self.ns, 0.25), quantile(&self.ns, 0.75))
    }

    fn check(&self) -> Result<()> {
        let sensible = |ns: &f64| ns.is_finite() && *ns >= 0.0;
        ensure!(
            !self.ns.is_empty() && self.ns.iter().all(sensible) && self.threads > 0,
            "{} of {} {} ({}) has no sensible time",
            self.scenario,
            self.host,
            self.transport,
            self.subject
        );
        Ok(())
    }
}

/// At most [`SAMPLES`] of the values, in order, taken evenly from the smallest to the largest, each rounded to five digits:
/// no clock measures finer.
#[must_use]
pub fn thin(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let count = sorted.len();
    if count > SAMPLES {
        let place = |index: usize| sorted[index * (count - 1) / (SAMPLES - 1)];
        sorted = (0..SAMPLES).map(place).collect();
    }
    sorted.into_iter().map(rounded).collect()
}

fn rounded(value: f64) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    let unit = 10f64.powi(4 - value.abs().log10().floor() as i32);
    (value * unit).round() / unit
}

/// Of each machine and platform the newest full run, in no particular order. Quick looks prove nothing and are left out.
#[must_use]
pub fn newest(runs: Vec<Run>) -> Vec<Run> {
    let mut newest: BTreeMap<(String, String), Run> = BTreeMap::new();
    for run in runs.into_iter().filter(|run| !run.quick) {
        let place = (run.machine.name.clone(), run.machine.platform.clone());
        // Two of the same second are told apart by their commits, so that the order of files doesn't.
        let later = |known: &Run| (&run.began, &run.commit) > (&known.began, &known.commit);
        if newest.get(&place).is_none_or(later) {
            newest.insert(place, run);
        }
    }
    newest.into_values().collect()
}

/// The value below which that share of the values lies, between two of them if need be; NaN for no values.
#[must_use]
pub fn quantile(values: &[f64], share: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let Some(last) = sorted.len().checked_sub(1) else {
        return f64::NAN;
    };
    let place = share * last as f64;
    let (low, high) = (place.floor() as usize, place.ceil() as usize);
    sorted[low] + (sorted[high] - sorted[low]) * place.fract()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_lie_between_values() {
        assert_eq!(quantile(&[3.0, 1.0], 0.5), 2.0);
        assert_eq!(quantile(&[1.0, 2.0, 3.0, 4.0, 5.0], 0.25), 2.0);
        assert_eq!(quantile(&[7.0], 0.99), 7.0);
        assert!(quantile(&[], 0.5).is_nan());
    }

    #[test]
    fn large_sets_are_thinned_evenly_and_keep_their_ends() {
        let many: Vec<f64> = (0..1000).rev().map(f64::from).collect();
        let thinned = thin(&many);
        assert_eq!(thinned.len(), SAMPLES);
        assert_eq!((thinned[0], thinned[SAMPLES - 1]), (0.0, 999.0));
        assert!((quantile(&thinned, 0.5) - 499.5).abs() < 6.0);
        assert_eq!(
            thin(&[123_456.7, 0.123_456, 8.0]),
            [0.123_46, 8.0, 123_460.0]
        );
    }

    #[test]
    fn a_measure_without_a_time_is_refused() {
        let text = |ns: &str| {
            format!(
                r#"{{"format": 2, "machine": {{"name": "m", "platform": "Linux", "os": "", "cpu": "", "cores": 2,
                "governor": "", "memory_bytes": 0}}, "began": "2026-01-01T00:00:00Z", "commit": "abc", "modified": false,
                "quick": false, "tools": {{}}, "method": {{}}, "measures": [{{"scenario": "pod 8/8", "host": "c",
                "transport": "librustbridge", "subject": "ours", "ns": {ns}, "harness": "c"}}]}}"#
            )
        };
        let run = Run::parse(&text("[2.0, 4.0, 3.0]")).expect("it is complete");
        let found = run.find("pod 8/8", "c", "librustbridge", OURS, 1);
        assert_eq!(found.map(Measure::median), Some(3.0));
        let written = run.to_text().expect("it can be written");
        assert_eq!(Run::parse(&written).expect("it can be read"), run);
        assert_eq!(written.matches("\"ns\"").count(), 1);
        assert!(written.ends_with("\"c\"}\n  ]\n}\n"), "{written}");
        assert!(Run::parse(&text("[]")).is_err());
        assert!(Run::parse(&text("[-1]")).is_err());
        assert!(Run::parse(&text("[1]").replace("\"format\": 2", "\"format\": 1")).is_err());
    }
}
