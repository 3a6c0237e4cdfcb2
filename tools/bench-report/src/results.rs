//! The result of one run of the benchmarks: a machine, its tools, and all measures.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use serde::{Deserialize, Serialize};

use crate::catalogue::Lane;

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
/// The prefix of gRPC's subjects: `grpc tcp`, `grpc unix`, `grpc tcp pinned`, `grpc unix pinned`.
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
    /// The reasons of parts that failed or couldn't run here, by host or group.
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
    /// The system's name in the report: `Linux`, `Windows`, `macOS`, `windows (Wine 8)`.
    pub platform: String,
    /// The system's own words about itself.
    pub os: String,
    /// The processor's name.
    pub cpu: String,
    /// How many of its cores the run could use.
    pub cores: usize,
    /// Of the first core: `performance`, or empty where the system doesn't report it.
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
    /// belongs to all lanes of the host, as gRPC and most peers do.
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
    /// Single operations, each timed by itself, where the clock is fine enough.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub single: Option<Single>,
    /// Bytes that one operation allocates on the host's heap, where the harness counts them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alloc_bytes: Option<f64>,
    /// The harness: `criterion`, `jmh`, `benchmarkdotnet`, `pytest-benchmark`, `c`, `grpc`.
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
    /// The time of reading the clock twice, median.
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

    /// Returns the fastest measure of a subject, in a lane or next to all lanes of its host. [`GRPC`] stands for each of
    /// gRPC's subjects.
    #[must_use]
    pub fn find(
        &self,
        subject: &str,
        scenario: &str,
        lane: &Lane,
        threads: u32,
    ) -> Option<&Measure> {
        let fits = |measure: &&Measure| {
            measure.scenario == scenario
                && measure.host == lane.host
                && (measure.transport == lane.transport || measure.transport.is_empty())
                && measure.threads == threads
                && (measure.subject == subject || subject == GRPC && measure.is_grpc())
        };
        let found = self.measures.iter().filter(fits);
        found.min_by(|one, other| one.median().total_cmp(&other.median()))
    }

    /// Returns the same work by another subject. gRPC and peers don't know variants, which differ only in how a host passes
    /// the bytes. So they are also found under the name of the scenario of which it's a variant.
    #[must_use]
    pub fn same_work(
        &self,
        subject: &str,
        scenario: &str,
        lane: &Lane,
        threads: u32,
    ) -> Option<&Measure> {
        if matches!(subject, OURS | FLOOR) {
            return self.find(subject, scenario, lane, threads);
        }
        let mut name = scenario;
        loop {
            let found = self.find(subject, name, lane, threads);
            match name.rsplit_once(", ") {
                Some((base, _)) if found.is_none() => name = base,
                _ => return found,
            }
        }
    }

    /// Returns the floor of a measure.
    #[must_use]
    pub fn floor(&self, ours: &Measure) -> Option<&Measure> {
        self.find(FLOOR, &ours.scenario, &ours.lane(), ours.threads)
    }

    /// Reports whether it was measured on another system's kernel: such a run isn't evidence for Windows.
    #[must_use]
    pub fn is_wine(&self) -> bool {
        self.machine.platform.to_lowercase().contains("wine")
    }
}

impl Measure {
    /// The middle of its samples.
    #[must_use]
    pub fn median(&self) -> f64 {
        quantile(&self.ns, 0.5)
    }

    /// Its host and transport.
    #[must_use]
    pub fn lane(&self) -> Lane {
        Lane {
            host: self.host.clone(),
            transport: self.transport.clone(),
        }
    }

    /// Reports whether it's one of gRPC's.
    #[must_use]
    pub fn is_grpc(&self) -> bool {
        self.subject.starts_with(GRPC)
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
        // The commits order two runs of the same second, so that the order of files doesn't matter.
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

/// Builders of runs for tests.
#[cfg(test)]
pub(crate) mod sample {
    use super::*;

    /// A measure of one sample.
    pub fn measure(scenario: &str, lane: &str, subject: &str, threads: u32, ns: f64) -> Measure {
        let (host, transport) = lane.split_once('/').expect("a lane");
        Measure {
            scenario: scenario.into(),
            host: host.into(),
            transport: transport.into(),
            subject: subject.into(),
            threads,
            ns: vec![ns],
            single: None,
            alloc_bytes: None,
            harness: "test".into(),
        }
    }

    /// A run on a machine that is called like its system.
    pub fn run(platform: &str, measures: Vec<Measure>) -> Run {
        Run {
            format: FORMAT,
            machine: Machine {
                name: platform.to_lowercase(),
                platform: platform.into(),
                os: "its own name".into(),
                cpu: "a processor".into(),
                cores: 2,
                governor: String::new(),
                memory_bytes: 1 << 33,
            },
            began: "2026-01-01T00:00:00Z".into(),
            commit: "abc".into(),
            modified: false,
            quick: false,
            tools: BTreeMap::new(),
            method: BTreeMap::new(),
            missing: BTreeMap::new(),
            measures,
        }
    }
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
    fn a_run_is_written_a_measure_a_line_and_read_again() {
        let ours = sample::measure("pod 8/8", "c/librustbridge", OURS, 1, 3.0);
        let run = sample::run("Linux", vec![ours.clone(), ours]);
        let text = run.to_text().expect("it can be written");
        assert_eq!(Run::parse(&text).expect("it can be read"), run);
        assert_eq!(text.matches("\"ns\"").count(), 2);
        assert!(text.ends_with("\"test\"}\n  ]\n}\n"), "{text}");
        assert!(Run::parse(&text.replace("[3.0]", "[]")).is_err());
        assert!(Run::parse(&text.replace("[3.0]", "[-1]")).is_err());
        assert!(Run::parse(&text.replace("\"format\": 2", "\"format\": 1")).is_err());
    }

    #[test]
    fn grpc_and_peers_are_found_under_the_name_without_the_variant() {
        let ours = sample::measure("pod, typed, into", "c/librustbridge", OURS, 1, 3.0);
        let tcp = sample::measure("pod", "c/", "grpc tcp", 1, 9.0);
        let unix = sample::measure("pod", "c/", "grpc unix", 1, 7.0);
        let floor = sample::measure("pod", "c/librustbridge", FLOOR, 1, 2.0);
        let lane = ours.lane();
        let run = sample::run("Linux", vec![tcp, unix, floor, ours]);
        let found = |subject| run.same_work(subject, "pod, typed, into", &lane, 1);
        assert_eq!(found(GRPC).map(Measure::median), Some(7.0));
        assert_eq!(found("grpc tcp").map(Measure::median), Some(9.0));
        assert_eq!(found(FLOOR), None);
    }

    #[test]
    fn the_newest_full_run_of_each_machine_and_system_counts() {
        let run = |platform: &str, began: &str, quick| Run {
            began: began.into(),
            quick,
            ..sample::run(platform, Vec::new())
        };
        let runs = [
            run("Linux", "2026-01-02", false),
            run("Linux", "2026-01-03", true),
            run("Linux", "2026-01-01", false),
            run("Windows", "2026-01-01", false),
        ];
        let newest = newest(runs.into());
        let began: Vec<&str> = newest.iter().map(|run| run.began.as_str()).collect();
        assert_eq!(began, ["2026-01-02", "2026-01-01"]);
    }
}
