//! The C# benchmarks: builds them, runs them, and converts BenchmarkDotNet's results to measures.

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context as _, Result, bail, ensure};
use bench_report::Measure;
use bench_report::results::{FLOOR, OURS, quantile};
use serde::Deserialize;

use super::harness::{Harness, Job, json};
use super::pin::Bind;
use crate::dotnet::Dotnet;

pub const HARNESS: Harness = Harness {
    name: "benchmarkdotnet",
    language: "csharp",
    title: "the C# host",
    folder: FOLDER,
    build,
    measure,
    list,
};

const FOLDER: &str = "rustbridge-csharp/RustBridge.Benchmarks";
const PROGRAM: &str = "RustBridge.Benchmarks";

fn build(job: &mut Job<'_, '_>) -> Result<()> {
    let dotnet = Dotnet::find()?;
    job.step.run(&mut dotnet.build(job.workspace(), FOLDER))?;
    let mut command = dotnet.command(job.workspace(), "--version");
    let said = job.step.run(&mut command)?;
    job.tool("dotnet sdk", Some(said.trim().to_owned()));
    let project = job
        .workspace()
        .root
        .join(FOLDER)
        .join(format!("{PROGRAM}.csproj"));
    let project = fs::read_to_string(project).unwrap_or_default();
    let version = project
        .split_once("Include=\"BenchmarkDotNet\" Version=\"")
        .and_then(|(_, rest)| rest.split('"').next());
    job.tool("benchmarkdotnet", version.map(str::to_owned));
    Ok(())
}

/// On every core: .NET compiles and collects in threads of its own, and one process measures with one thread and with
/// several.
fn measure(job: &mut Job<'_, '_>) -> Result<()> {
    let result = job.folder.join("benchmarkdotnet.json");
    let mut command = job.prepared(Dotnet::find()?.run(job.workspace(), PROGRAM));
    command.arg("--result").arg(&result);
    job.choose(&mut command, "--only");
    // A class that fails fails the program, which has measured and written the others nevertheless.
    let ran = job.run(command, Bind::All);
    if ran.is_err() && !result.is_file() {
        return ran.map(drop);
    }
    job.write(HARNESS.name, &to_measures(json(&result)?)?)?;
    let words = job.pinning.words(Bind::All);
    job.say(HARNESS.name, &words);
    ran.map(drop)
}

fn list(job: &mut Job<'_, '_>) -> Result<String> {
    build(job)?;
    let mut command = job.prepared(Dotnet::find()?.run(job.workspace(), PROGRAM));
    command.arg("--list");
    job.step.run(&mut command)
}

/// One method in one round, as the program writes it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Round {
    scenario: String,
    /// `ours` or `floor`.
    kind: String,
    threads: u32,
    /// One call, by iteration.
    ns: Vec<f64>,
    /// The bytes that one call allocates on all threads together.
    bytes: Option<f64>,
}

/// The measures of one method in all rounds.
#[derive(Default)]
struct Pooled {
    ns: Vec<f64>,
    bytes: Vec<f64>,
}

/// Pools the rounds of each method; a floor follows its method.
fn to_measures(rounds: Vec<Round>) -> Result<Vec<Measure>> {
    let mut scenarios: BTreeMap<(String, u32), BTreeMap<String, Pooled>> = BTreeMap::new();
    for round in rounds {
        let kinds = scenarios
            .entry((round.scenario, round.threads))
            .or_default();
        let pooled = kinds.entry(round.kind).or_default();
        pooled.ns.extend(round.ns);
        let bytes = round.bytes.map(|bytes| bytes / f64::from(round.threads));
        pooled.bytes.extend(bytes);
    }
    let mut all = Vec::new();
    for ((scenario, threads), mut kinds) in scenarios {
        let ours = kinds
            .remove(OURS)
            .with_context(|| format!("{scenario} has a floor, but not ours"))?;
        let floor = kinds.remove(FLOOR);
        if let Some(stranger) = kinds.keys().next() {
            bail!("{scenario} has `{stranger}`, which is neither ours nor a floor");
        }
        let measure = |subject: &str, ns: Vec<f64>, bytes: &[f64]| {
            ensure!(!ns.is_empty(), "{scenario} has no times");
            Ok(Measure {
                scenario: scenario.clone(),
                host: "csharp".into(),
                transport: "pinvoke".into(),
                subject: subject.into(),
                threads,
                ns,
                single: None,
                alloc_bytes: (!bytes.is_empty()).then(|| quantile(bytes, 0.5)),
                harness: HARNESS.name.into(),
            })
        };
        all.push(measure(OURS, ours.ns, &ours.bytes)?);
        if let Some(floor) = floor {
            all.push(measure(FLOOR, floor.ns, &[])?);
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(scenario: &str, kind: &str, threads: u32, ns: &[f64], bytes: f64) -> Round {
        Round {
            scenario: scenario.into(),
            kind: kind.into(),
            threads,
            ns: ns.to_vec(),
            bytes: Some(bytes),
        }
    }

    #[test]
    fn rounds_are_pooled_and_stand_beside_their_floor() {
        let measures = to_measures(vec![
            round("pod 8/8", "floor", 1, &[4.0, 90.0], 0.0),
            round("pod 8/8", "ours", 1, &[10.0, 10.5], 0.0),
            round("pod 8/8", "ours", 2, &[11.0], 48.0),
            round("pod 8/8", "floor", 1, &[5.0], 0.0),
            round("pod 8/8", "ours", 1, &[99.0], 24.0),
        ])
        .expect("they are complete");
        let told: Vec<_> = measures
            .iter()
            .map(|one| {
                (
                    one.subject.as_str(),
                    one.threads,
                    one.median(),
                    one.alloc_bytes,
                )
            })
            .collect();
        assert_eq!(
            told,
            [
                ("ours", 1, 10.5, Some(12.0)),
                ("floor", 1, 5.0, None),
                ("ours", 2, 11.0, Some(24.0)),
            ]
        );
    }

    #[test]
    fn what_has_no_ours_no_times_or_another_subject_is_refused() {
        assert!(to_measures(vec![round("pod", "floor", 1, &[4.0], 0.0)]).is_err());
        assert!(to_measures(vec![round("pod", "ours", 1, &[], 0.0)]).is_err());
        let both = ["ours", "serialise"].map(|kind| round("pod", kind, 1, &[4.0], 0.0));
        assert!(to_measures(both.into()).is_err());
    }

    #[test]
    fn the_program_s_words_are_read() {
        let text =
            r#"[{"scenario": "pod", "kind": "ours", "threads": 1, "ns": [4.5], "bytes": null}]"#;
        let rounds: Vec<Round> = serde_json::from_str(text).expect("it can be read");
        let measures = to_measures(rounds).expect("it is complete");
        assert_eq!(
            measures[0].key().to_string(),
            "pod\tcsharp\tpinvoke\tours\t1"
        );
    }
}
