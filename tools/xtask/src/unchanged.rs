//! Suites that needn't run again, because all files that they read are the same as when they last passed.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::PathBuf;

use anyhow::{Error, Result, bail};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::counts::Counts;
use crate::files;
use crate::tools::{output, which};
use crate::workspace::Workspace;

/// The results of earlier runs, below the target folder. They are removed with the files that the suites have built.
const PASSED: &str = "xtask/passed.toml";

/// The bindings whose folders only their own language's suites read.
const BINDINGS: [&str; 5] = ["csharp", "go", "java", "node", "python"];

/// The languages whose suites read no folder of a binding.
const OTHERS: [&str; 2] = ["c", "rust"];

/// The folders of documentation. A language's suites read only the guides, whose examples they run.
const DOCUMENTS: [&str; 2] = ["docs/", "book/"];
const GUIDES: &str = "docs/guide/";

/// The tools on which results depend, with the arguments that print their versions.
const TOOLS: [(&str, &[&str]); 12] = [
    ("cargo", &["--version"]),
    ("cc", &["--version"]),
    ("dotnet", &["--list-runtimes"]),
    ("go", &["version"]),
    ("java", &["-version"]),
    ("mvn", &["--version"]),
    ("node", &["--version"]),
    ("python3", &["--version"]),
    ("rustc", &["--version"]),
    ("rustup", &["toolchain", "list", "--verbose"]),
    ("valgrind", &["--version"]),
    ("wine", &["--version"]),
];

/// Prefixes of the environment variables that change what is built or tested.
const VARIABLES: [&str; 6] = ["CARGO_", "CC", "CXX", "JAVA", "RUST", "PATH"];

/// The files that a suite reads.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub enum Reads {
    /// All files of the repository.
    All,
    /// All files except other languages' bindings and the documentation next to the guide.
    Language(String),
}

impl TryFrom<String> for Reads {
    type Error = Error;

    fn try_from(text: String) -> Result<Reads> {
        match text.as_str() {
            "all" => Ok(Reads::All),
            language if BINDINGS.contains(&language) || OTHERS.contains(&language) => {
                Ok(Reads::Language(text))
            }
            _ => bail!("`reads` is `all` or a language, not `{text}`"),
        }
    }
}

/// The results of earlier runs, and the current files.
pub struct Unchanged {
    file: PathBuf,
    /// The versions of the tools, and the variables.
    machine: String,
    /// Paths with the hashes of the files.
    files: Vec<(String, [u8; 32])>,
    passed: BTreeMap<String, Passed>,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
struct Passed {
    files: String,
    passed: u64,
    skipped: u64,
}

impl Unchanged {
    /// Reads the results and the files.
    ///
    /// # Errors
    /// If git can't list the files.
    pub fn read(workspace: &Workspace) -> Result<Unchanged> {
        let file = workspace.target.join(PASSED);
        let passed = fs::read_to_string(&file).unwrap_or_default();
        let mut files = Vec::new();
        for path in workspace.files(&[])? {
            // Git also lists removed files and submodules.
            if let Ok(content) = fs::read(workspace.root.join(&path)) {
                files.push((path, Sha256::digest(content).into()));
            }
        }
        Ok(Unchanged {
            file,
            machine: machine(),
            files,
            passed: toml::from_str(&passed).unwrap_or_default(),
        })
    }

    /// Returns the counts of a suite that has passed with the same files.
    pub fn counts(&self, suite: &str, reads: &Reads) -> Option<Counts> {
        let passed = self.passed.get(suite)?;
        (passed.files == self.key(reads)).then_some(Counts {
            passed: passed.passed,
            failed: 0,
            skipped: passed.skipped,
        })
    }

    /// Writes the counts of suites that have passed, and removes those without counts. The files are those from before the run, so
    /// a file that was changed during the run is a change.
    pub fn keep<'s>(
        mut self,
        ended: impl IntoIterator<Item = (&'s str, &'s Reads, Option<Counts>)>,
    ) -> Result<()> {
        for (suite, reads, counts) in ended {
            self.passed.remove(suite);
            if let Some(counts) = counts {
                let passed = Passed {
                    files: self.key(reads),
                    passed: counts.passed,
                    skipped: counts.skipped,
                };
                self.passed.insert(suite.to_owned(), passed);
            }
        }
        files::write(&self.file, toml::to_string(&self.passed)?)
    }

    fn key(&self, reads: &Reads) -> String {
        let mut hash = Sha256::new();
        hash.update(&self.machine);
        for (path, digest) in self.files.iter().filter(|(path, _)| reads.include(path)) {
            hash.update(path);
            hash.update([0]);
            hash.update(digest);
        }
        hash.finalize()
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }
}

impl Reads {
    fn include(&self, path: &str) -> bool {
        let Reads::Language(language) = self else {
            return true;
        };
        let is_other = |binding: &&str| {
            *binding != language && path.starts_with(&format!("rustbridge-{binding}/"))
        };
        let is_document = DOCUMENTS.iter().any(|folder| path.starts_with(folder));
        !BINDINGS.iter().any(is_other) && (!is_document || path.starts_with(GUIDES))
    }
}

fn machine() -> String {
    let mut text = String::new();
    for (tool, arguments) in TOOLS {
        let version = which(tool).and_then(|path| output(&path, arguments));
        text.push_str(&format!("{tool}: {version:?}\n"));
    }
    let mut variables: Vec<_> = env::vars_os().collect();
    variables.sort();
    let is_relevant = |name: &str| VARIABLES.iter().any(|prefix| name.starts_with(prefix));
    for (name, value) in variables {
        if name.to_str().is_some_and(is_relevant) {
            text.push_str(&format!("{name:?}={value:?}\n"));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now(files: &[(&str, u8)]) -> Unchanged {
        Unchanged {
            file: PathBuf::new(),
            machine: String::new(),
            files: files
                .iter()
                .map(|(path, content)| ((*path).to_owned(), [*content; 32]))
                .collect(),
            passed: BTreeMap::new(),
        }
    }

    #[test]
    fn a_suite_reads_all_but_other_languages_folders_and_the_documentation() {
        let before = now(&[
            ("crates/a.rs", 1),
            ("rustbridge-go/a.go", 1),
            ("docs/a.md", 1),
        ]);
        let others = now(&[
            ("crates/a.rs", 1),
            ("rustbridge-go/a.go", 2),
            ("docs/a.md", 2),
        ]);
        let core = now(&[
            ("crates/a.rs", 2),
            ("rustbridge-go/a.go", 1),
            ("docs/a.md", 1),
        ]);
        let more = now(&[
            ("crates/a.rs", 1),
            ("crates/b.rs", 1),
            ("rustbridge-go/a.go", 1),
        ]);
        let of = |language: &str| Reads::Language(language.into());
        assert_eq!(before.key(&of("java")), others.key(&of("java")));
        assert_ne!(before.key(&of("go")), others.key(&of("go")));
        assert_ne!(before.key(&Reads::All), others.key(&Reads::All));
        for reads in [of("java"), of("go"), Reads::All] {
            assert_ne!(before.key(&reads), core.key(&reads));
            assert_ne!(before.key(&reads), more.key(&reads));
        }
    }

    #[test]
    fn a_tool_of_another_version_is_a_change() {
        let before = now(&[("a", 1)]);
        let mut after = now(&[("a", 1)]);
        after.machine.push_str("rustc 2");
        assert_ne!(before.key(&Reads::All), after.key(&Reads::All));
    }

    #[test]
    fn what_a_suite_reads_is_a_language_or_everything() {
        let reads = |text: &str| Reads::try_from(text.to_owned());
        assert_eq!(reads("all").unwrap(), Reads::All);
        assert_eq!(reads("go").unwrap(), Reads::Language("go".into()));
        assert!(reads("pyhton").is_err());
    }

    #[test]
    fn a_suite_is_unchanged_until_it_fails_or_a_file_changes() {
        let reads = Reads::Language("go".into());
        let folder = env::temp_dir().join(format!("rustbridge-unchanged-{}", std::process::id()));
        let current = |content: u8| {
            let mut current = now(&[("crates/a.rs", content)]);
            current.file = folder.join("passed.toml");
            let kept = fs::read_to_string(&current.file).unwrap_or_default();
            current.passed = toml::from_str(&kept).unwrap();
            current
        };
        let counts = Counts {
            passed: 3,
            failed: 0,
            skipped: 1,
        };
        assert_eq!(current(1).counts("go", &reads), None);
        current(1).keep([("go", &reads, Some(counts))]).unwrap();
        assert_eq!(current(1).counts("go", &reads), Some(counts));
        assert_eq!(current(2).counts("go", &reads), None);
        current(1).keep([("go", &reads, None)]).unwrap();
        assert_eq!(current(1).counts("go", &reads), None);
        files::remove(&folder).unwrap();
    }
}
