//! Collects the files that the harnesses have written.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use bench_report::results::{Single, thin};
use bench_report::{Catalogue, Difference, Key, Measure, Run};
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// The contents of the files.
#[derive(Default)]
pub struct Found {
    pub measures: Vec<Measure>,
    /// Versions by name.
    pub tools: BTreeMap<String, String>,
    /// The harnesses' descriptions of their methods.
    pub method: BTreeMap<String, String>,
}

/// Percentiles in a file of their own, because a third-party tool writes the measures.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Apart {
    scenario: String,
    host: String,
    #[serde(default)]
    transport: String,
    subject: String,
    single: Single,
}

const SINGLES: &str = "singles-";
const TOOLS: &str = "tools-";
const METHOD: &str = "method-";

/// Reads a folder of rows. An invalid file is recorded in `missing`; it doesn't prevent reading the others.
pub fn read(folder: &Path, missing: &mut BTreeMap<String, String>) -> Result<Found> {
    let mut files: Vec<PathBuf> = folder
        .read_dir()
        .with_context(|| format!("reading {}", folder.display()))?
        .flatten()
        .map(|entry| entry.path())
        .collect();
    files.sort();
    let mut found = Found::default();
    let mut apart = Vec::new();
    for file in &files {
        let name = file
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let read = read_one(file, &name, &mut found, &mut apart);
        if let Err(error) = read {
            missing.insert(format!("rows of {name}"), format!("{error:#}"));
        }
    }
    for (name, one) in apart {
        if let Err(error) = merge(&mut found.measures, one) {
            missing.insert(format!("rows of {name}"), format!("{error:#}"));
        }
    }
    pool(&mut found.measures);
    Ok(found)
}

fn read_one(
    file: &Path,
    name: &str,
    found: &mut Found,
    apart: &mut Vec<(String, Apart)>,
) -> Result<()> {
    if let Some(harness) = name.strip_prefix(METHOD) {
        let words = fs::read_to_string(file).context("reading it")?;
        let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
        let words = words.trim_end_matches('.').to_owned();
        found.method.insert(harness.to_owned(), words);
    } else if name.starts_with(TOOLS) {
        found.tools.extend(json::<BTreeMap<String, String>>(file)?);
    } else if name.starts_with(SINGLES) {
        let singles = json::<Vec<Apart>>(file)?;
        apart.extend(singles.into_iter().map(|one| (name.to_owned(), one)));
    } else {
        let measures = json::<Vec<Measure>>(file)?;
        for measure in &measures {
            ensure!(
                !measure.ns.is_empty() && measure.ns.iter().all(|ns| ns.is_finite() && *ns >= 0.0),
                "{} has no sensible time",
                measure.key().to_string().replace('\t', " | ")
            );
        }
        found.measures.extend(measures);
    }
    Ok(())
}

/// Without the file's path: a file of results is no place for it.
fn json<T: DeserializeOwned>(file: &Path) -> Result<T> {
    let text = fs::read_to_string(file).context("reading it")?;
    serde_json::from_str(&text).context("reading its JSON")
}

fn merge(measures: &mut [Measure], apart: Apart) -> Result<()> {
    let key = Key {
        scenario: apart.scenario,
        host: apart.host,
        transport: apart.transport,
        subject: apart.subject,
        threads: 1,
    };
    let measure = measures.iter_mut().find(|measure| measure.key() == key);
    let name = key.to_string().replace('\t', " | ");
    let measure =
        measure.with_context(|| format!("single operations of {name}, which isn't measured"))?;
    measure.single = Some(apart.single);
    Ok(())
}

/// Makes one measure of those that several rounds or processes have made of the same, in the order of the first ones.
pub fn pool(measures: &mut Vec<Measure>) {
    let mut places: BTreeMap<Key, usize> = BTreeMap::new();
    let mut pooled: Vec<Measure> = Vec::new();
    for measure in measures.drain(..) {
        match places.get(&measure.key()) {
            Some(&place) => {
                let first = &mut pooled[place];
                first.ns.extend(measure.ns);
                first.single = first.single.or(measure.single);
                first.alloc_bytes = first.alloc_bytes.or(measure.alloc_bytes);
            }
            None => {
                places.insert(measure.key(), pooled.len());
                pooled.push(measure);
            }
        }
    }
    for measure in &mut pooled {
        measure.ns = thin(&measure.ns);
        measure.alloc_bytes = measure
            .alloc_bytes
            .map(|bytes| (bytes * 10.0).round() / 10.0);
    }
    *measures = pooled;
}

/// Names what the catalogue promises of the harnesses that ran and they haven't measured, if they should have measured
/// everything, and what they have invented.
pub fn compare(run: &mut Run, catalogue: &Catalogue, harnesses: &[(&str, &str)], complete: bool) {
    let all: BTreeSet<Key> = run.measures.iter().map(Measure::key).collect();
    for &(name, language) in harnesses {
        // Its absence is explained already.
        if run.missing.contains_key(language) {
            continue;
        }
        let mut expected = catalogue.expected_from(name);
        // JNA is a peer that the Java benchmarks measure, and they may not have been asked to.
        if !harnesses.iter().any(|(name, _)| *name == "jmh") {
            expected.retain(|key| !key.subject.starts_with("jna"));
        }
        let made: BTreeSet<Key> = all
            .iter()
            .filter(|key| catalogue.harness_of(key).as_deref() == Some(name))
            .cloned()
            .collect();
        let difference = Difference::between(&expected, &made);
        if complete && !difference.missing.is_empty() {
            let names = names(&difference.missing);
            run.missing.insert(
                format!("some of {language}"),
                format!("not measured: {names}"),
            );
        }
    }
    let promised = catalogue.expected();
    let invented: Vec<Key> = all.difference(&promised).cloned().collect();
    if !invented.is_empty() {
        let text = format!("measured, but not in the catalogue: {}", names(&invented));
        run.missing.insert("catalogue".into(), text);
    }
    let singles: Vec<Key> = run
        .measures
        .iter()
        .filter(|measure| measure.single.is_none() && wants_single(catalogue, measure))
        .map(Measure::key)
        .collect();
    if complete && !singles.is_empty() {
        run.missing.insert(
            "percentiles".into(),
            format!("not measured: {}", names(&singles)),
        );
    }
}

fn wants_single(catalogue: &Catalogue, measure: &Measure) -> bool {
    let own = measure.subject == bench_report::results::OURS
        || measure.subject.starts_with(bench_report::results::GRPC);
    let entry = catalogue.entry(&measure.scenario);
    own && measure.threads == 1 && entry.is_some_and(|entry| entry.who.single)
}

/// The first few, and how many more.
fn names(keys: &[Key]) -> String {
    const SHOWN: usize = 12;
    let mut shown: Vec<String> = keys
        .iter()
        .take(SHOWN)
        .map(|key| {
            let words = [&key.scenario, &key.host, &key.transport, &key.subject];
            let words: Vec<&str> = words
                .into_iter()
                .map(String::as_str)
                .filter(|word| !word.is_empty())
                .collect();
            match key.threads {
                1 => words.join(" / "),
                threads => format!("{} / {threads} threads", words.join(" / ")),
            }
        })
        .collect();
    if let Some(more) = keys.len().checked_sub(SHOWN).filter(|more| *more > 0) {
        shown.push(format!("{more} more"));
    }
    shown.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder =
            std::env::temp_dir().join(format!("rustbridge-rows-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a temporary folder");
        folder
    }

    const MEASURE: &str = r#"{"scenario": "pod 8/8", "host": "c", "transport": "librustbridge", "subject": "ours",
        "threads": 1, "ns": [8.0, 9.0], "harness": "c"}"#;
    const SINGLE: &str = r#"{"scenario": "pod 8/8", "host": "c", "transport": "librustbridge", "subject": "ours",
        "single": {"count": 200, "p50": 30, "p90": 31, "p99": 40, "p999": 90, "clock": 20}}"#;

    #[test]
    fn measures_percentiles_words_and_versions_find_each_other() {
        let folder = folder("all");
        let write = |name: &str, text: &str| fs::write(folder.join(name), text).expect("writable");
        write("c.json", &format!("[{MEASURE}]"));
        write(
            "c-again.json",
            &format!("[{}]", MEASURE.replace("8.0, 9.0", "7.0")),
        );
        write("singles-c.json", &format!("[{SINGLE}]"));
        write("tools-c.json", r#"{"cc": "12.2"}"#);
        write("method-c.txt", "Half a second each,\nten samples.\n");
        let mut missing = BTreeMap::new();
        let found = read(&folder, &mut missing).expect("it can be read");
        assert_eq!(missing, BTreeMap::new());
        assert_eq!(found.measures.len(), 1);
        assert_eq!(found.measures[0].ns, [7.0, 8.0, 9.0]);
        let single = found.measures[0].single.expect("its percentiles");
        assert_eq!(single.p99, 40.0);
        assert_eq!(found.tools["cc"], "12.2");
        assert_eq!(found.method["c"], "Half a second each, ten samples");
        fs::remove_dir_all(&folder).expect("our own folder");
    }

    #[test]
    fn one_bad_file_does_not_take_the_others_with_it() {
        let folder = folder("bad");
        let write = |name: &str, text: &str| fs::write(folder.join(name), text).expect("writable");
        write("a.json", "no JSON");
        write("b.json", &format!("[{}]", MEASURE.replace("8.0, 9.0", "")));
        write("c.json", &format!("[{MEASURE}]"));
        let strange = SINGLE.replace("pod 8/8", "pod 9/9");
        write("singles-c.json", &format!("[{strange}]"));
        let mut missing = BTreeMap::new();
        let found = read(&folder, &mut missing).expect("the folder can be read");
        assert_eq!(found.measures.len(), 1);
        let named: Vec<&str> = missing.keys().map(String::as_str).collect();
        assert_eq!(named, ["rows of a", "rows of b", "rows of singles-c"]);
        assert!(missing["rows of singles-c"].contains("pod 9/9"));
        fs::remove_dir_all(&folder).expect("our own folder");
    }

    #[test]
    fn a_long_list_is_cut() {
        let keys: Vec<Key> = (0..20)
            .map(|number| Key {
                scenario: format!("s{number}"),
                host: "java".into(),
                transport: String::new(),
                subject: "grpc tcp".into(),
                threads: 2,
            })
            .collect();
        let text = names(&keys);
        assert!(
            text.starts_with("s0 / java / grpc tcp / 2 threads; s1 "),
            "{text}"
        );
        assert!(text.ends_with("; 8 more"), "{text}");
    }
}
