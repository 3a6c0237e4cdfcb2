//! criterion's benchmarks of the Rust host: runs them, and converts criterion's files to measures.

use std::path::Path;

use anyhow::{Context as _, Result, bail};
use bench_report::Measure;
use bench_report::results::{DIRECT, FLOOR, OURS};
use serde::Deserialize;

use super::harness::{Harness, Job, json};
use super::pin::Bind;
use crate::tested;

pub const HARNESS: Harness = Harness {
    name: "criterion",
    language: "rust",
    title: "the Rust host",
    folder: "benches/boundary/Cargo.toml",
    build,
    measure,
    list,
};

const PACKAGE: [&str; 4] = ["bench", "--locked", "--package", "boundary"];

fn build(job: &mut Job<'_, '_>) -> Result<()> {
    let mut command = job.workspace().cargo();
    command.args(PACKAGE).arg("--no-run");
    job.step.run(&mut command)?;
    let packages = &job.workspace().dependencies()?.packages;
    let criterion = packages.iter().find(|package| package.name == "criterion");
    let version = criterion.map(|package| package.version.to_string());
    job.tool("criterion", version);
    Ok(())
}

/// Benchmarks with one thread are bound to one core, the others aren't; a benchmark's name ends in its number of threads.
fn measure(job: &mut Job<'_, '_>) -> Result<()> {
    let parts = [
        (Bind::One, "/1$", "one thread"),
        (Bind::All, "/[2-9][0-9]*$", "several threads"),
    ];
    // A scenario that fails ends criterion, which has written the earlier measures.
    let mut failed = Ok(());
    for (bind, threads, what) in parts {
        let home = job.folder.join(what.replace(' ', "-"));
        let scenario = job.scenario.map(literally).unwrap_or_default();
        let mut command = job.prepared(job.workspace().cargo());
        command
            .args(PACKAGE)
            .env("CRITERION_HOME", &home)
            .args(["--", "--noplot"])
            .arg(format!("{scenario}.*{threads}"));
        if job.quick {
            command.args([
                "--warm-up-time=0.1",
                "--measurement-time=0.2",
                "--sample-size=10",
            ]);
        }
        failed = failed.and(job.run(command, bind).map(drop));
        let name = format!("criterion-{}", what.replace(' ', "-"));
        job.write(&name, &read(&home)?)?;
        let words = format!("{what} {}", job.pinning.words(bind));
        job.say(HARNESS.name, &words);
    }
    failed
}

fn list(job: &mut Job<'_, '_>) -> Result<String> {
    // Built like the tests: it exists already, and the list doesn't depend on the profile.
    let program = tested::benchmark(job.step)?;
    let mut command = job.command(program);
    job.step.run(command.args(["--bench", "--list"]))
}

/// A regular expression that finds just this.
fn literally(text: &str) -> String {
    let mut expression = String::new();
    for letter in text.chars() {
        if !letter.is_alphanumeric() && letter != ' ' {
            expression.push('\\');
        }
        expression.push(letter);
    }
    expression
}

/// Reads criterion's folder: `<group>/<function>/<value>/new/{benchmark,sample}.json`. A group is a scenario, a function a
/// subject, a value the number of threads.
fn read(folder: &Path) -> Result<Vec<Measure>> {
    let mut measures = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = folder.read_dir() else {
            continue;
        };
        let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths.into_iter().filter(|path| path.is_dir()) {
            if path.ends_with("new") && path.join("sample.json").is_file() {
                let id: Id = json(&path.join("benchmark.json"))?;
                let sample: Sample = json(&path.join("sample.json"))?;
                measures.push(to_measure(id, &sample)?);
            } else {
                folders.push(path);
            }
        }
    }
    Ok(measures)
}

#[derive(Deserialize)]
struct Id {
    group_id: String,
    function_id: Option<String>,
    value_str: Option<String>,
}

#[derive(Deserialize)]
struct Sample {
    /// How many iterations each sample had.
    iters: Vec<f64>,
    /// The time of all of them, in nanoseconds.
    times: Vec<f64>,
}

fn to_measure(id: Id, sample: &Sample) -> Result<Measure> {
    let subject = id.function_id.unwrap_or_default();
    let transport = match subject.as_str() {
        OURS | FLOOR => "core",
        DIRECT => "",
        other => bail!("{}: `{other}` is no subject", id.group_id),
    };
    let threads = id.value_str.unwrap_or_else(|| "1".into());
    let threads = threads
        .parse()
        .with_context(|| format!("{}: `{threads}` threads", id.group_id))?;
    let times = sample.times.iter().zip(&sample.iters);
    Ok(Measure {
        scenario: id.group_id,
        host: "rust".into(),
        transport: transport.into(),
        subject,
        threads,
        ns: times.map(|(time, iterations)| time / iterations).collect(),
        single: None,
        alloc_bytes: None,
        harness: HARNESS.name.into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(function: &str, value: &str) -> Id {
        Id {
            group_id: "pod 8/8".into(),
            function_id: Some(function.into()),
            value_str: Some(value.into()),
        }
    }

    #[test]
    fn a_benchmark_is_named_by_scenario_subject_and_threads() {
        let sample = Sample {
            iters: vec![10.0, 20.0],
            times: vec![40.0, 100.0],
        };
        let ours = to_measure(id("ours", "2"), &sample).expect("it has its form");
        assert_eq!(ours.key().to_string(), "pod 8/8\trust\tcore\tours\t2");
        assert_eq!(ours.ns, [4.0, 5.0]);
        let direct = to_measure(id("direct", "1"), &sample).expect("it has its form");
        assert_eq!(direct.key().to_string(), "pod 8/8\trust\t\tdirect\t1");
        assert!(to_measure(id("rust", "1"), &sample).is_err());
        assert!(to_measure(id("ours", "many"), &sample).is_err());
    }

    #[test]
    fn a_scenario_is_looked_for_as_it_stands() {
        assert_eq!(literally("pod 8/8, a.b"), r"pod 8\/8\, a\.b");
    }
}
