//! The C# benchmarks: building them, running them, and rows of what BenchmarkDotNet has measured.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use serde::Deserialize;

use crate::dotnet::Dotnet;
use crate::rows::{self, Row};
use crate::step::Step;

/// The benchmarks' project.
pub const FOLDER: &str = "rustbridge-csharp/RustBridge.Benchmarks";

const PROGRAM: &str = "RustBridge.Benchmarks";

/// Builds them; the natives are there already.
pub fn build(step: &mut Step<'_>, dotnet: &Dotnet) -> Result<()> {
    step.run(&mut dotnet.build(step.workspace, FOLDER))?;
    Ok(())
}

/// Runs them and writes rows.
pub fn measure(
    step: &mut Step<'_>,
    dotnet: &Dotnet,
    folder: &Path,
    row_folder: &Path,
    quick: bool,
) -> Result<()> {
    let result = folder.join("benchmarkdotnet.json");
    let mut command = dotnet.run(step.workspace, PROGRAM);
    command.arg("--result").arg(&result);
    if quick {
        command.arg("--quick");
    }
    step.run(&mut command)?;
    let text =
        fs::read_to_string(&result).with_context(|| format!("reading {}", result.display()))?;
    let measures =
        serde_json::from_str(&text).with_context(|| format!("reading {}", result.display()))?;
    rows::write(&row_folder.join("csharp.json"), &to_rows(measures)?)
}

/// One method in one round, as the program writes it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Measure {
    scenario: String,
    /// `ours`, `floor`, or the name of a part of the floor.
    kind: String,
    threads: u32,
    /// One call, by iteration.
    ns: Vec<f64>,
    /// What one call allocates on all threads together.
    bytes: Option<f64>,
}

/// What all rounds measured of one method.
#[derive(Default)]
struct Pooled {
    ns: Vec<f64>,
    bytes: Vec<f64>,
}

/// Pools the rounds. The floor is the sum of whatever a scenario has besides `ours`: one call by hand, or the parts of
/// the work measured apart.
fn to_rows(measures: Vec<Measure>) -> Result<Vec<Row>> {
    let mut scenarios: BTreeMap<(String, u32), BTreeMap<String, Pooled>> = BTreeMap::new();
    for measure in measures {
        let kinds = scenarios
            .entry((measure.scenario, measure.threads))
            .or_default();
        let pooled = kinds.entry(measure.kind).or_default();
        pooled.ns.extend(measure.ns);
        pooled.bytes.extend(
            measure
                .bytes
                .map(|bytes| bytes / f64::from(measure.threads)),
        );
    }
    let mut all = Vec::new();
    for ((scenario, threads), mut kinds) in scenarios {
        let Some(ours) = kinds.remove("ours") else {
            bail!("{scenario} has a floor, but not ours");
        };
        let median = |pooled: &Pooled| {
            rows::median(&pooled.ns).with_context(|| format!("{scenario} has no times"))
        };
        let ns = median(&ours)?;
        let floor = if kinds.is_empty() {
            None
        } else {
            Some(kinds.values().map(median).sum::<Result<f64>>()?)
        };
        let mut row = rows::row(
            &scenario,
            "csharp",
            "pinvoke",
            threads,
            ns,
            floor,
            "benchmarkdotnet",
        );
        row.alloc_bytes = rows::median(&ours.bytes);
        all.push(row);
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measure(scenario: &str, kind: &str, threads: u32, ns: &[f64], bytes: f64) -> Measure {
        Measure {
            scenario: scenario.into(),
            kind: kind.into(),
            threads,
            ns: ns.to_vec(),
            bytes: Some(bytes),
        }
    }

    #[test]
    fn measures_are_pooled_over_rounds_and_find_their_floor() {
        let rows = to_rows(vec![
            measure("pod 8/8", "floor", 1, &[4.0, 90.0], 0.0),
            measure("pod 8/8", "ours", 1, &[10.0, 10.5], 0.0),
            measure("pod 8/8", "ours", 2, &[11.0], 48.0),
            measure("pod 8/8", "floor", 1, &[5.0], 0.0),
            measure("pod 8/8", "ours", 1, &[99.0], 24.0),
        ])
        .expect("they are complete");
        let told: Vec<_> = rows
            .iter()
            .map(|row| (row.threads, row.ours_ns, row.floor_ns, row.alloc_bytes))
            .collect();
        assert_eq!(
            told,
            [
                (1, 10.5, Some(5.0), Some(12.0)),
                (2, 11.0, None, Some(24.0)),
            ]
        );
        assert_eq!(rows[0].ratio, Some(2.1));
        assert!(
            rows.iter()
                .all(|row| row.host == "csharp" && row.transport == "pinvoke")
        );
    }

    #[test]
    fn the_parts_of_the_work_add_up_to_a_floor() {
        let rows = to_rows(vec![
            measure("objects", "serialise", 1, &[70.0], 56.0),
            measure("objects", "call", 1, &[60.0], 0.0),
            measure("objects", "deserialise", 1, &[200.0, 190.0, 500.0], 160.0),
            measure("objects", "ours", 1, &[363.0], 160.0),
        ])
        .expect("they are complete");
        assert_eq!(rows.len(), 1);
        assert_eq!(rows[0].floor_ns, Some(330.0));
        assert_eq!(rows[0].alloc_bytes, Some(160.0));
    }

    #[test]
    fn a_floor_or_a_row_without_times_is_refused() {
        assert!(to_rows(vec![measure("pod", "floor", 1, &[4.0], 0.0)]).is_err());
        assert!(to_rows(vec![measure("pod", "ours", 1, &[], 0.0)]).is_err());
    }

    #[test]
    fn the_program_s_words_are_read() {
        let text =
            r#"[{"scenario": "pod", "kind": "ours", "threads": 1, "ns": [4.5], "bytes": null}]"#;
        let measures: Vec<Measure> = serde_json::from_str(text).expect("it can be read");
        assert_eq!(to_rows(measures).expect("it is complete")[0].ours_ns, 4.5);
    }
}
