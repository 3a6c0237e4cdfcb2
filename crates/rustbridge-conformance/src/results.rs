//! How each case went on a host, in the file that `docs/conformance.md` is made of. `conformance/README.md` has the format.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs};

use serde::Serialize;

use crate::run::Report;

/// Environment variable with the folder for such files; without it none are written.
pub const RESULTS: &str = "RUSTBRIDGE_CONFORMANCE_RESULTS";

/// Environment variable with what the table calls the platform, where that isn't plainly this system.
pub const PLATFORM: &str = "RUSTBRIDGE_PLATFORM";

#[derive(Serialize)]
struct Results<'a> {
    host: &'a str,
    platform: &'a str,
    cases: BTreeMap<&'a str, String>,
}

/// Writes the file of a host, named as in `benches/catalogue.toml`, if anybody wants it.
///
/// # Panics
/// If it can't be written.
pub fn save(report: &Report, host: &str) {
    if let Some(folder) = env::var_os(RESULTS) {
        let platform = env::var(PLATFORM).unwrap_or_else(|_| here().to_owned());
        write(Path::new(&folder), report, host, &platform);
    }
}

fn here() -> &'static str {
    if cfg!(windows) {
        "Windows"
    } else if cfg!(target_os = "macos") {
        "macOS"
    } else {
        "Linux"
    }
}

fn write(folder: &Path, report: &Report, host: &str, platform: &str) -> PathBuf {
    let mut cases = BTreeMap::new();
    for case in &report.passed_cases {
        cases.insert(case.as_str(), "passed".to_owned());
    }
    for case in &report.skipped {
        cases.insert(
            case,
            "skipped: the host's types rule the mistake out".to_owned(),
        );
    }
    for failure in &report.failures {
        let (case, problem) = failure.split_once(": ").unwrap_or((failure, ""));
        cases.insert(case, format!("failed: {problem}"));
    }
    let results = Results {
        host,
        platform,
        cases,
    };
    fs::create_dir_all(folder).expect("the folder for results can be made");
    let file = folder.join(format!("{}-{}.json", slug(platform), slug(host)));
    let text = serde_json::to_string_pretty(&results).expect("texts are JSON");
    fs::write(&file, text + "\n").expect("results can be written");
    file
}

/// Lower-case letters, digits and hyphens.
fn slug(text: &str) -> String {
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric());
    let words: Vec<String> = words
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_lowercase)
        .collect();
    words.join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_says_how_every_case_went() {
        let folder = env::temp_dir().join(format!("rb-test-results-{}", std::process::id()));
        let report = Report {
            passed: 1,
            passed_cases: vec!["a.right".to_owned()],
            skipped: vec!["b.beyond".to_owned()],
            failures: vec!["c.wrong: expected OK: found INTERNAL".to_owned()],
        };
        let file = write(&folder, &report, "rust/core", "windows (Wine 8)");
        assert_eq!(file.file_name().unwrap(), "windows-wine-8-rust-core.json");
        let text = fs::read_to_string(&file).unwrap();
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["host"], "rust/core");
        assert_eq!(value["platform"], "windows (Wine 8)");
        assert_eq!(value["cases"]["a.right"], "passed");
        assert_eq!(
            value["cases"]["b.beyond"],
            "skipped: the host's types rule the mistake out"
        );
        assert_eq!(
            value["cases"]["c.wrong"],
            "failed: expected OK: found INTERNAL"
        );
        fs::remove_dir_all(&folder).unwrap();
    }
}
