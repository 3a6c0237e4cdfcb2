//! The lines in which tests in other languages say how each conformance case ended, made into the files that the
//! conformance table is made of. Lines can be appended from any process and thread; a file can't.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};

use crate::conformance;
use crate::step::Step;
use crate::workspace::Workspace;

/// Names the folder for the tests; without it they write no lines.
pub const VARIABLE: &str = "RUSTBRIDGE_CONFORMANCE_RESULTS";

/// The lines that hosts write while their tests run: into `<host>.tsv` the case's id and how it ended, with a tab
/// between, once for each way of calling.
pub struct Recording {
    platform: String,
    /// What the variable has to name.
    pub folder: PathBuf,
    hosts: &'static [&'static str],
}

impl Recording {
    /// Removes the lines of an earlier run. The hosts are named as in the catalogue of scenarios: `python/native`; the
    /// platform as the table is to name it.
    pub fn begin(
        workspace: &Workspace,
        platform: &str,
        hosts: &'static [&'static str],
    ) -> Result<Recording> {
        let folder = conformance::left(workspace).join(slug(platform));
        fs::create_dir_all(&folder).with_context(|| format!("making {}", folder.display()))?;
        let recording = Recording {
            platform: platform.to_owned(),
            folder,
            hosts,
        };
        for host in hosts {
            let file = recording.lines(host);
            if file.exists() {
                fs::remove_file(&file).with_context(|| format!("removing {}", file.display()))?;
            }
        }
        Ok(recording)
    }

    /// The same for hosts of the system this runs on, with the folder in the environment of the tests' command.
    pub fn here(
        workspace: &Workspace,
        hosts: &'static [&'static str],
        command: &mut Command,
    ) -> Result<Recording> {
        let platform = match std::env::consts::OS {
            "linux" => "Linux",
            "macos" => "macOS",
            "windows" => "Windows",
            other => other,
        };
        let recording = Recording::begin(workspace, platform, hosts)?;
        command.env(VARIABLE, &recording.folder);
        Ok(recording)
    }

    /// Makes a file of each host's lines. Which of the hosts run depends on what is installed; the log names those that
    /// didn't.
    pub fn end(self, step: &mut Step<'_>) -> Result<()> {
        let cases = cases(step.workspace)?;
        for host in self.hosts {
            let file = self.lines(host);
            if !file.is_file() {
                step.note(&format!("{host} has recorded no conformance case"))?;
                continue;
            }
            let lines =
                fs::read_to_string(&file).with_context(|| format!("reading {}", file.display()))?;
            let outcomes = outcomes(&lines, &cases)?;
            let results = json!({"host": host, "platform": self.platform, "cases": outcomes});
            let name = format!("{}-{}.json", slug(&self.platform), slug(host));
            let place = conformance::left(step.workspace).join(name);
            fs::write(&place, format!("{results:#}\n"))
                .with_context(|| format!("writing {}", place.display()))?;
            step.note(&format!("conformance results in {}", place.display()))?;
        }
        Ok(())
    }

    fn lines(&self, host: &str) -> PathBuf {
        self.folder.join(format!("{}.tsv", slug(host)))
    }
}

/// A case has passed if it did in every way of calling. One that no typed API can express, and that isn't among the
/// lines, was left out for that.
fn outcomes(lines: &str, cases: &[Case]) -> Result<BTreeMap<String, String>> {
    let mut outcomes: BTreeMap<String, String> = BTreeMap::new();
    for line in lines.lines() {
        let Some((id, outcome)) = line.split_once('\t') else {
            bail!("`{line}` is no case and its outcome with a tab between");
        };
        if !cases.iter().any(|case| case.id == id) {
            bail!("a test ran `{id}`, which is no case");
        }
        let known = outcomes
            .entry(id.to_owned())
            .or_insert_with(|| outcome.to_owned());
        if known == "passed" {
            outcome.clone_into(known);
        }
    }
    for case in cases.iter().filter(|case| case.needs) {
        outcomes
            .entry(case.id.clone())
            .or_insert_with(|| "skipped: the host's types rule the mistake out".to_owned());
    }
    Ok(outcomes)
}

struct Case {
    id: String,
    /// Whether it needs what a typed API doesn't have.
    needs: bool,
}

fn cases(workspace: &Workspace) -> Result<Vec<Case>> {
    let mut cases = Vec::new();
    for path in workspace.files(&["conformance/cases"])? {
        let text = fs::read_to_string(workspace.root.join(&path))
            .with_context(|| format!("reading {path}"))?;
        let file: Value = serde_json::from_str(&text).with_context(|| format!("reading {path}"))?;
        for case in file["cases"].as_array().into_iter().flatten() {
            cases.push(Case {
                id: case["id"].as_str().unwrap_or_default().to_owned(),
                needs: case.get("needs").is_some(),
            });
        }
    }
    Ok(cases)
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

    fn given() -> Vec<Case> {
        [("a", false), ("b", false), ("c", true)]
            .map(|(id, needs)| Case {
                id: id.to_owned(),
                needs,
            })
            .into()
    }

    #[test]
    fn a_case_that_failed_in_one_way_has_failed() {
        let found = outcomes("a\tpassed\na\tfailed: no\na\tpassed\nb\tpassed\n", &given());
        let found: Vec<(String, String)> = found.expect("they are lines").into_iter().collect();
        let wanted = [
            ("a", "failed: no"),
            ("b", "passed"),
            ("c", "skipped: the host's types rule the mistake out"),
        ];
        assert_eq!(
            found,
            wanted.map(|(id, outcome)| (id.to_owned(), outcome.to_owned()))
        );
    }

    #[test]
    fn a_line_of_no_case_is_an_error() {
        assert!(outcomes("d\tpassed\n", &given()).is_err());
        assert!(outcomes("a passed\n", &given()).is_err());
    }

    #[test]
    fn files_are_named_after_platform_and_host() {
        assert_eq!(slug("windows (Wine 8)"), "windows-wine-8");
        assert_eq!(slug("python/native"), "python-native");
    }
}
