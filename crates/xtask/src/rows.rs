//! The rows of the benchmark table, and the benchmark tools' own files that they are read from.
//!
//! Every bench writes its rows as a JSON array into a file of its own in `target/bench/rows`, or is converted into
//! one here. `benches/README.md` gives the format.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use serde::{Deserialize, Serialize};

/// One measured call beside its floor.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    pub scenario: String,
    /// `rust`, `c`, `python`, `java`, `csharp`.
    pub host: String,
    /// How the host reaches the core: `core`, `librustbridge` (by `rb_call`), `librustbridge call_into`, `native`,
    /// `ctypes`, `ffm`, `jni`, `pinvoke`.
    pub transport: String,
    pub ours_ns: f64,
    /// The hand-written call in the same run; null where there is none.
    pub floor_ns: Option<f64>,
    pub ratio: Option<f64>,
    pub threads: u32,
    /// Bytes allocated per call, where the tool counts them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alloc_bytes: Option<f64>,
    /// The tool that measured: `criterion`, `pytest-benchmark`, `jmh`, `benchmarkdotnet`.
    pub source: String,
}

/// One median before it has found its floor.
struct Measured {
    scenario: String,
    host: String,
    transport: String,
    threads: u32,
    ns: f64,
}

const FLOOR: &str = "floor";

/// Reads criterion's folder: `<group>/<host>/<threads>/new/{benchmark,estimates}.json`.
pub fn from_criterion(folder: &Path) -> Result<Vec<Row>> {
    let mut measured = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = folder.read_dir() else {
            continue;
        };
        for entry in entries.flatten().filter(|entry| entry.path().is_dir()) {
            let path = entry.path();
            if entry.file_name() == "new" && path.join("estimates.json").is_file() {
                let id: CriterionId = read_json(&path.join("benchmark.json"))?;
                let estimates: Estimates = read_json(&path.join("estimates.json"))?;
                measured.push(criterion_measure(id, estimates.median.point_estimate));
            } else {
                folders.push(path);
            }
        }
    }
    Ok(with_floors(measured, "criterion"))
}

#[derive(Deserialize)]
struct CriterionId {
    group_id: String,
    function_id: Option<String>,
    value_str: Option<String>,
}

#[derive(Deserialize)]
struct Estimates {
    median: Estimate,
}

#[derive(Deserialize)]
struct Estimate {
    point_estimate: f64,
}

/// A group is a scenario, a function a host, a value the number of threads. A function that is no host, and a value
/// too large for a number of threads, tell variants of the scenario apart.
fn criterion_measure(id: CriterionId, ns: f64) -> Measured {
    let mut scenario = id.group_id;
    let function = id.function_id.unwrap_or_default();
    let (host, transport) = match function.as_str() {
        FLOOR => (FLOOR, ""),
        "c" => ("c", "librustbridge"),
        "c-into" => ("c", "librustbridge call_into"),
        "rust" => ("rust", "core"),
        other => {
            scenario = format!("{scenario}: {other}");
            ("rust", "core")
        }
    };
    let value = id.value_str.unwrap_or_else(|| "1".into());
    let threads = match value.parse() {
        Ok(threads @ 1..=64) => threads,
        _ => {
            scenario = format!("{scenario} {value}");
            1
        }
    };
    Measured {
        scenario,
        host: host.into(),
        transport: transport.into(),
        threads,
        ns,
    }
}

/// Reads what pytest-benchmark wrote. Each benchmark says in `extra_info` what it is: `scenario`, `transport`
/// (`native`, `ctypes`, or `floor` for the hand-written call), for a floor also `for`, the transport it belongs to.
pub fn from_pytest(file: &Path) -> Result<Vec<Row>> {
    let report: PytestReport = read_json(file)?;
    let mut floors = BTreeMap::new();
    for benchmark in &report.benchmarks {
        let info = &benchmark.extra_info;
        if info.transport == FLOOR {
            floors.insert(
                (&info.scenario, &info.floor_for, info.threads),
                benchmark.stats.median * 1e9,
            );
        }
    }
    let ours = report
        .benchmarks
        .iter()
        .filter(|benchmark| benchmark.extra_info.transport != FLOOR);
    Ok(ours
        .map(|benchmark| {
            let info = &benchmark.extra_info;
            let floor = [Some(info.transport.clone()), None]
                .iter()
                .find_map(|transport| {
                    floors
                        .get(&(&info.scenario, transport, info.threads))
                        .copied()
                });
            row(
                &info.scenario,
                "python",
                &info.transport,
                info.threads,
                benchmark.stats.median * 1e9,
                floor,
                "pytest-benchmark",
            )
        })
        .collect())
}

#[derive(Deserialize)]
struct PytestReport {
    benchmarks: Vec<PytestBenchmark>,
}

#[derive(Deserialize)]
struct PytestBenchmark {
    stats: PytestStats,
    extra_info: PytestInfo,
}

#[derive(Deserialize)]
struct PytestStats {
    median: f64,
}

#[derive(Deserialize)]
struct PytestInfo {
    scenario: String,
    transport: String,
    #[serde(rename = "for")]
    floor_for: Option<String>,
    #[serde(default = "one")]
    threads: u32,
}

fn one() -> u32 {
    1
}

/// Reads what JMH wrote, of several rounds in one file. The parameters `scenario` and `transport` say what a benchmark
/// is, its method's name whether it's `ours` or `floor`, of a variant if that comes before: `intoArray_ours`.
pub fn from_jmh(file: &Path) -> Result<Vec<Row>> {
    let results: Vec<JmhResult> = read_json(file)?;
    let mut pooled: BTreeMap<(String, String, u32, bool), Pooled> = BTreeMap::new();
    for result in results {
        let metric = &result.primary_metric;
        if metric.unit != "ns/op" {
            bail!(
                "{} is measured in {}, not ns/op",
                result.benchmark,
                metric.unit
            );
        }
        let (variant, is_floor) = jmh_method(&result.benchmark)?;
        let scenario = result.params.scenario + &variant;
        let key = (scenario, result.params.transport, result.threads, is_floor);
        let pooled = pooled.entry(key).or_default();
        pooled.ns.extend(metric.numbers());
        if let Some(allocated) = result.secondary_metrics.allocated {
            pooled.bytes.extend(allocated.numbers());
        }
    }
    let ours = pooled
        .iter()
        .filter(|((_, _, _, is_floor), _)| !is_floor)
        .map(|((scenario, transport, threads, _), pooled_ours)| {
            let key = (scenario.clone(), transport.clone(), *threads, true);
            let floor = pooled.get(&key).and_then(|floor| median(&floor.ns));
            let ns = median(&pooled_ours.ns).with_context(|| format!("{scenario} has no times"))?;
            let mut row = row(scenario, "java", transport, *threads, ns, floor, "jmh");
            row.alloc_bytes = median(&pooled_ours.bytes);
            Ok(row)
        });
    ours.collect()
}

/// What all rounds measured of one benchmark.
#[derive(Default)]
struct Pooled {
    ns: Vec<f64>,
    bytes: Vec<f64>,
}

/// The words that a method's name adds to the scenario, and whether it's a floor.
fn jmh_method(benchmark: &str) -> Result<(String, bool)> {
    let method = benchmark.rsplit('.').next().unwrap_or_default();
    let mut parts: Vec<&str> = method.split('_').collect();
    let is_floor = match parts.pop() {
        Some("ours") => false,
        Some(FLOOR) => true,
        _ => bail!("{benchmark} is called neither ours nor floor"),
    };
    let variants = parts.iter().map(|part| {
        let mut words = String::from(", ");
        for letter in part.chars() {
            if letter.is_uppercase() {
                words.push(' ');
            }
            words.extend(letter.to_lowercase());
        }
        words
    });
    Ok((variants.collect(), is_floor))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct JmhResult {
    benchmark: String,
    threads: u32,
    params: JmhParams,
    primary_metric: JmhMetric,
    secondary_metrics: JmhSecondary,
}

#[derive(Deserialize)]
struct JmhParams {
    scenario: String,
    transport: String,
}

#[derive(Deserialize)]
struct JmhSecondary {
    #[serde(rename = "gc.alloc.rate.norm")]
    allocated: Option<JmhMetric>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct JmhMetric {
    #[serde(rename = "scoreUnit")]
    unit: String,
    /// By fork, then by iteration. What isn't a number is a text, `"NaN"`.
    raw_data: Vec<Vec<serde_json::Value>>,
}

impl JmhMetric {
    fn numbers(&self) -> impl Iterator<Item = f64> {
        self.raw_data
            .iter()
            .flatten()
            .filter_map(serde_json::Value::as_f64)
    }
}

/// The middle one, or what lies between the two in the middle.
pub fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    let upper = *sorted.get(middle)?;
    Some(if sorted.len().is_multiple_of(2) {
        f64::midpoint(sorted[middle - 1], upper)
    } else {
        upper
    })
}

/// Puts beside each measure the floor of its scenario and number of threads.
fn with_floors(measured: Vec<Measured>, source: &str) -> Vec<Row> {
    let (floors, ours): (Vec<Measured>, Vec<Measured>) =
        measured.into_iter().partition(|one| one.host == FLOOR);
    let floor_of = |ours: &Measured| {
        floors
            .iter()
            .find(|floor| floor.scenario == ours.scenario && floor.threads == ours.threads)
            .map(|floor| floor.ns)
    };
    ours.iter()
        .map(|ours| {
            row(
                &ours.scenario,
                &ours.host,
                &ours.transport,
                ours.threads,
                ours.ns,
                floor_of(ours),
                source,
            )
        })
        .collect()
}

pub fn row(
    scenario: &str,
    host: &str,
    transport: &str,
    threads: u32,
    ns: f64,
    floor: Option<f64>,
    source: &str,
) -> Row {
    Row {
        scenario: scenario.into(),
        host: host.into(),
        transport: transport.into(),
        ours_ns: ns,
        floor_ns: floor,
        ratio: floor.map(|floor| ns / floor),
        threads,
        alloc_bytes: None,
        source: source.into(),
    }
}

/// Reads all row files of a folder, in a stable order.
pub fn read_folder(folder: &Path) -> Result<Vec<Row>> {
    let entries = folder
        .read_dir()
        .with_context(|| format!("reading {}", folder.display()))?;
    let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "json"));
    files.sort();
    let mut rows: Vec<Row> = Vec::new();
    for file in files {
        rows.extend(read_json::<Vec<Row>>(&file)?);
    }
    rows.sort_by(|a, b| {
        let key = |row: &Row| {
            (
                row.host.clone(),
                row.transport.clone(),
                row.scenario.clone(),
                row.threads,
            )
        };
        key(a).cmp(&key(b))
    });
    Ok(rows)
}

pub fn write(file: &Path, rows: &[Row]) -> Result<()> {
    let mut text = serde_json::to_string_pretty(rows).context("writing rows")?;
    text.push('\n');
    fs::write(file, text).with_context(|| format!("writing {}", file.display()))
}

fn read_json<T: for<'de> Deserialize<'de>>(file: &Path) -> Result<T> {
    let text = fs::read_to_string(file).with_context(|| format!("reading {}", file.display()))?;
    serde_json::from_str(&text).with_context(|| format!("reading {}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(group: &str, function: &str, value: &str) -> CriterionId {
        CriterionId {
            group_id: group.into(),
            function_id: Some(function.into()),
            value_str: Some(value.into()),
        }
    }

    #[test]
    fn a_measure_finds_the_floor_of_its_scenario_and_threads() {
        let rows = with_floors(
            vec![
                criterion_measure(id("pod 8/8", "floor", "1"), 4.0),
                criterion_measure(id("pod 8/8", "floor", "2"), 5.0),
                criterion_measure(id("pod 8/8", "rust", "1"), 8.0),
                criterion_measure(id("pod 8/8", "c", "2"), 10.0),
                criterion_measure(id("pod 8/8", "c-into", "2"), 15.0),
                criterion_measure(id("lease", "rust", "65536"), 20.0),
                criterion_measure(id("load", "mapped before", "1"), 9000.0),
            ],
            "criterion",
        );
        assert_eq!(rows[1].transport, "librustbridge");
        assert_eq!(rows[2].transport, "librustbridge call_into");
        let told: Vec<(&str, &str, u32, Option<f64>)> = rows
            .iter()
            .map(|row| {
                (
                    row.scenario.as_str(),
                    row.host.as_str(),
                    row.threads,
                    row.ratio,
                )
            })
            .collect();
        assert_eq!(
            told,
            [
                ("pod 8/8", "rust", 1, Some(2.0)),
                ("pod 8/8", "c", 2, Some(2.0)),
                ("pod 8/8", "c", 2, Some(3.0)),
                ("lease 65536", "rust", 1, None),
                ("load: mapped before", "rust", 1, None),
            ]
        );
    }

    #[test]
    fn pytest_benchmarks_say_what_they_are_in_their_extra_info() {
        let folder = std::env::temp_dir().join(format!("rustbridge-rows-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a temporary folder");
        let file = folder.join("python.json");
        fs::write(
            &file,
            r#"{"machine_info": {}, "benchmarks": [
                {"stats": {"median": 3e-8}, "extra_info": {"scenario": "pod", "transport": "floor", "for": "native"}},
                {"stats": {"median": 6e-8}, "extra_info": {"scenario": "pod", "transport": "native"}},
                {"stats": {"median": 5e-7}, "extra_info": {"scenario": "pod", "transport": "ctypes"}}]}"#,
        )
        .expect("it can be written");
        let rows = from_pytest(&file).expect("it can be read");
        fs::remove_dir_all(&folder).expect("our own folder");
        assert_eq!(rows.len(), 2);
        assert_eq!(rows[0].ratio, Some(6e-8 * 1e9 / (3e-8 * 1e9)));
        assert_eq!(rows[1].floor_ns, None);
    }

    #[test]
    fn jmh_benchmarks_are_pooled_over_rounds_and_find_their_floor() {
        let folder = std::env::temp_dir().join(format!("rustbridge-rows-3-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a temporary folder");
        let result = |method: &str, transport: &str, threads: u32, ns: &str, bytes: &str| {
            format!(
                r#"{{"jmhVersion": "1.37", "benchmark": "a.b.FfmPods.Pair.{method}", "mode": "avgt", "threads": {threads},
                    "params": {{"scenario": "pod 8/8", "transport": "{transport}"}},
                    "primaryMetric": {{"score": 9.0, "scoreError": "NaN", "scoreUnit": "ns/op", "rawData": [[{ns}]]}},
                    "secondaryMetrics": {{"gc.alloc.rate": {{"rawData": [["NaN"]]}},
                      "gc.alloc.rate.norm": {{"scoreUnit": "B/op", "rawData": [[{bytes}]]}}}}}}"#
            )
        };
        let text = [
            result("floor", "ffm", 1, "4.0, 90.0", "24.0"),
            result("ours", "ffm", 1, "10.0, 10.5", "24.1"),
            result("ours", "ffm", 2, "11.0", "24.0"),
            result("ours", "jni", 1, "40.0", "24.0"),
            result("segment_requestBuiltInside_ours", "ffm", 1, "7.0", "0.0"),
            result("floor", "ffm", 1, "5.0", "24.0"),
            result("ours", "ffm", 1, "99.0", "24.3"),
        ];
        let file = folder.join("jmh.json");
        fs::write(&file, format!("[{}]", text.join(","))).expect("it can be written");
        let rows = from_jmh(&file).expect("it can be read");
        fs::remove_dir_all(&folder).expect("our own folder");
        let told: Vec<_> = rows
            .iter()
            .map(|row| {
                (
                    row.scenario.as_str(),
                    row.transport.as_str(),
                    row.threads,
                    row.ours_ns,
                    row.floor_ns,
                )
            })
            .collect();
        assert_eq!(
            told,
            [
                ("pod 8/8", "ffm", 1, 10.5, Some(5.0)),
                ("pod 8/8", "ffm", 2, 11.0, None),
                ("pod 8/8", "jni", 1, 40.0, None),
                (
                    "pod 8/8, segment, request built inside",
                    "ffm",
                    1,
                    7.0,
                    None
                ),
            ]
        );
        assert!(rows.iter().all(|row| row.host == "java"));
        assert_eq!(rows[0].ratio, Some(2.1));
        assert_eq!(rows[0].alloc_bytes, Some(f64::midpoint(24.1, 24.3)));
        assert!(jmh_method("a.b.C.other").is_err());
    }

    #[test]
    fn rows_survive_writing_and_reading() {
        let folder = std::env::temp_dir().join(format!("rustbridge-rows-2-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a temporary folder");
        let rows = vec![row(
            "pod",
            "c",
            "librustbridge",
            2,
            8.0,
            Some(4.0),
            "criterion",
        )];
        write(&folder.join("a.json"), &rows).expect("it can be written");
        assert_eq!(read_folder(&folder).expect("it can be read"), rows);
        fs::remove_dir_all(&folder).expect("our own folder");
    }
}
