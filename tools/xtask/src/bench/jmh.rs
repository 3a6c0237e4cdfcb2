//! The Java benchmarks: builds their jar, runs it, and converts JMH's file to measures.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash as _, Hasher as _};
use std::path::PathBuf;

use anyhow::{Context as _, Result, bail, ensure};
use bench_report::Measure;
use serde::Deserialize;

use super::harness::{Harness, Job, json};
use super::pin::Bind;
use crate::java::{self, Java};
use crate::workspace::Workspace;

pub const HARNESS: Harness = Harness {
    name: "jmh",
    language: "java",
    title: "the Java host, FFM and JNI",
    folder: FOLDER,
    build,
    measure,
    list,
};

/// Typed clients in Kotlin, which the same program measures.
pub const KOTLIN: Harness = Harness {
    name: "jmh-kotlin",
    language: "kotlin",
    title: "the Kotlin host",
    measure: measure_kotlin,
    list: list_kotlin,
    ..HARNESS
};

const FOLDER: &str = "rustbridge-java/rustbridge-benchmarks";

/// Where Maven puts the program with everything that it needs.
pub fn jar(workspace: &Workspace) -> PathBuf {
    workspace.root.join(FOLDER).join("target/benchmarks.jar")
}

pub fn build(job: &mut Job<'_, '_>) -> Result<()> {
    build_with(job, &[])
}

fn build_with(job: &mut Job<'_, '_>, options: &[&str]) -> Result<()> {
    let java = Java::find()?;
    let inputs = inputs(job.workspace());
    let mut command = java.maven(job.workspace(), &job.workspace().root);
    let module = FOLDER
        .trim_start_matches(java::FOLDER)
        .trim_start_matches('/');
    command
        .args(["--quiet", "--also-make", "--projects", module])
        .args(options)
        .args(["-DskipTests", "-Dmaven.javadoc.skip", "package"]);
    job.step.run(&mut command)?;
    is_made_of(job.workspace(), &inputs)?;
    job.tool_of("java", Some(&java.program("java")), "--version");
    Ok(())
}

/// Builds it where nothing is measured, unless it's there already, with the checks of format and style with which the suite `java` compiles
/// everything else.
pub fn ready(job: &mut Job<'_, '_>) -> Result<()> {
    let workspace = job.workspace();
    if fs::read_to_string(stamp(workspace)).is_ok_and(|made| made == inputs(workspace)) {
        return Ok(());
    }
    // In the folder of that build, so that what is up to date isn't compiled again.
    let options = ["--activate-profiles=lint", "-Drustbridge.build=target"];
    build_with(job, &options)
}

/// A hash of the program's sources: every file with its length and time of writing. Computed before it's built.
fn inputs(workspace: &Workspace) -> String {
    let mut hasher = DefaultHasher::new();
    let natives = ["rustbridge", "rustbridge_jni"].map(|name| workspace.cdylib(name));
    let sources = workspace.files(&[java::FOLDER]).unwrap_or_default();
    let sources = sources.iter().map(|path| workspace.root.join(path));
    for path in sources.chain(natives) {
        let data = fs::metadata(&path).ok();
        let written = data.as_ref().and_then(|data| data.modified().ok());
        (path, data.map(|data| data.len()), written).hash(&mut hasher);
    }
    format!("{:016x}", hasher.finish())
}

/// Records the hash of the program's sources, if it has been built.
fn is_made_of(workspace: &Workspace, inputs: &str) -> Result<()> {
    if !jar(workspace).is_file() {
        return Ok(());
    }
    let stamp = stamp(workspace);
    fs::write(&stamp, inputs).with_context(|| format!("writing {}", stamp.display()))
}

fn stamp(workspace: &Workspace) -> PathBuf {
    jar(workspace).with_extension("made-of")
}

/// On every core: a JVM compiles and collects in threads of its own, and JMH gives each of its forks the same processors
/// whether they call on one thread or on eight.
fn measure(job: &mut Job<'_, '_>) -> Result<()> {
    measure_host(job, &HARNESS)
}

fn measure_kotlin(job: &mut Job<'_, '_>) -> Result<()> {
    measure_host(job, &KOTLIN)
}

fn measure_host(job: &mut Job<'_, '_>, harness: &Harness) -> Result<()> {
    let result = job.folder.join("jmh.json");
    let singles = format!("singles-{}.json", harness.name);
    let mut command = job.command(Java::find()?.program("java"));
    command
        .arg("-jar")
        .arg(jar(job.workspace()))
        .args(["--host", harness.language])
        .arg("--singles")
        .arg(job.rows.join(singles))
        .arg("--result")
        .arg(&result);
    let flags = [("--quick", job.quick), ("--peers", job.peers)];
    command.args(
        flags
            .iter()
            .filter(|(_, given)| *given)
            .map(|(flag, _)| flag),
    );
    if let Some(scenario) = job.scenario {
        // Java's way to quote a text within a regular expression.
        command.arg("--only").arg(format!("\\Q{scenario}\\E"));
    }
    // One benchmark that fails fails the program, which has measured and written the others nevertheless.
    let ran = job.run(command, Bind::All);
    if ran.is_err() && !result.is_file() {
        return ran.map(drop);
    }
    let results: Vec<JmhResult> = json(&result)?;
    if let Some(first) = results.first() {
        job.tool("jmh", Some(first.jmh_version.clone()));
    }
    let measures = results
        .into_iter()
        .map(to_measure)
        .collect::<Result<Vec<_>>>()?;
    job.write(harness.name, &measures)?;
    let words = job.pinning.words(Bind::All);
    job.say(harness.name, &words);
    ran.map(drop)
}

fn list(job: &mut Job<'_, '_>) -> Result<String> {
    list_host(job, &HARNESS)
}

fn list_kotlin(job: &mut Job<'_, '_>) -> Result<String> {
    list_host(job, &KOTLIN)
}

fn list_host(job: &mut Job<'_, '_>, harness: &Harness) -> Result<String> {
    ready(job)?;
    let mut command = job.command(Java::find()?.program("java"));
    // JNA is a peer that Java's measures; without `--peers` it would be missing from the list.
    let jar = jar(job.workspace());
    command.arg("-jar").arg(jar).args(["--list", "--peers"]);
    command.args(["--host", harness.language]);
    job.step.run(&mut command)
}

/// The parameters have the scenario and the transport. The last part of the method's name is the subject, and the parts
/// before it are variants: `intoArray_ours`. The class's name has the language if it isn't Java.
fn to_measure(result: JmhResult) -> Result<Measure> {
    let metric = &result.primary_metric;
    let name = &result.benchmark;
    let per_unit = match metric.unit.as_str() {
        "ns/op" => 1.0,
        "us/op" => 1e3,
        "ms/op" => 1e6,
        other => bail!("{name} is measured in {other}, not ns/op"),
    };
    let method = name.rsplit('.').next().unwrap_or_default();
    let mut parts: Vec<&str> = method.split('_').collect();
    let subject = words(parts.pop().unwrap_or_default());
    ensure!(!subject.is_empty(), "{name} doesn't say what is measured");
    let harness = match name.contains(".Kotlin") {
        true => &KOTLIN,
        false => &HARNESS,
    };
    let mut scenario = result.params.scenario;
    for variant in parts {
        scenario.push_str(", ");
        scenario.push_str(&words(variant));
    }
    let mut ns = metric.numbers();
    ns.iter_mut().for_each(|value| *value *= per_unit);
    let bytes = result.secondary_metrics.allocated;
    let bytes = bytes.map(|metric| metric.numbers()).unwrap_or_default();
    Ok(Measure {
        scenario,
        host: harness.language.into(),
        transport: result.params.transport,
        subject,
        threads: result.threads,
        ns,
        single: None,
        alloc_bytes: (!bytes.is_empty()).then(|| bench_report::results::quantile(&bytes, 0.5)),
        harness: harness.name.into(),
    })
}

/// `intoArray` is `into array`.
fn words(camel_case: &str) -> String {
    let mut words = String::new();
    for letter in camel_case.chars() {
        if letter.is_uppercase() {
            words.push(' ');
        }
        words.extend(letter.to_lowercase());
    }
    words
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct JmhResult {
    jmh_version: String,
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
    fn numbers(&self) -> Vec<f64> {
        let values = self.raw_data.iter().flatten();
        values.filter_map(serde_json::Value::as_f64).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measure(method: &str, unit: &str, ns: &str, bytes: &str) -> Result<Measure> {
        let text = format!(
            r#"{{"jmhVersion": "1.37", "benchmark": "a.b.FfmPods.Pair.{method}", "mode": "avgt", "threads": 2,
                "params": {{"scenario": "pod 8/8", "transport": "ffm"}},
                "primaryMetric": {{"score": 9.0, "scoreError": "NaN", "scoreUnit": "{unit}", "rawData": [[{ns}], [7.5]]}},
                "secondaryMetrics": {{"gc.alloc.rate": {{"rawData": [["NaN"]]}},
                  "gc.alloc.rate.norm": {{"scoreUnit": "B/op", "rawData": [[{bytes}]]}}}}}}"#
        );
        to_measure(serde_json::from_str(&text).expect("JMH's form"))
    }

    #[test]
    fn a_method_s_name_says_variant_and_subject() {
        let ours = measure(
            "segment_requestBuiltInside_ours",
            "ns/op",
            "10.0, 10.5",
            "24.1, \"NaN\"",
        );
        let ours = ours.expect("it is complete");
        assert_eq!(
            ours.key().to_string(),
            "pod 8/8, segment, request built inside\tjava\tffm\tours\t2"
        );
        assert_eq!(ours.ns, [10.0, 10.5, 7.5]);
        assert_eq!(ours.alloc_bytes, Some(24.1));
        let floor = measure("floor", "us/op", "4.0", "").expect("it is complete");
        assert_eq!(floor.key().to_string(), "pod 8/8\tjava\tffm\tfloor\t2");
        assert_eq!(floor.ns, [4000.0, 7500.0]);
        assert_eq!(floor.alloc_bytes, None);
    }

    #[test]
    fn a_class_of_kotlin_s_measures_kotlin() {
        let text = r#"{"jmhVersion": "1.37", "benchmark": "a.b.KotlinTyped.Text.ours", "threads": 1,
            "params": {"scenario": "typed text", "transport": "ffm"}, "secondaryMetrics": {},
            "primaryMetric": {"scoreUnit": "ns/op", "rawData": [[7.5]]}}"#;
        let ours = to_measure(serde_json::from_str(text).expect("JMH's form"));
        let ours = ours.expect("it is complete");
        assert_eq!(ours.key().to_string(), "typed text\tkotlin\tffm\tours\t1");
        assert_eq!(ours.harness, "jmh-kotlin");
    }

    #[test]
    fn what_is_no_time_is_refused() {
        assert!(measure("ours", "ops/s", "4.0", "").is_err());
    }
}
