//! Suites that needn't run again, because all files they read are the same as when they last passed.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::PathBuf;

use anyhow::Result;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::counts::Counts;
use crate::files;
use crate::tools::{output, which};
use crate::workspace::Workspace;

/// Below the target folder: what has passed. Whoever removes what suites have built removes it, too.
const PASSED: &str = "xtask/passed.toml";

/// The folders of the bindings that only their own language's suites read.
const BINDINGS: [&str; 5] = ["csharp", "go", "java", "node", "python"];

/// What else those suites don't read, unless it's a guide, whose examples they run.
const DOCUMENTS: [&str; 2] = ["docs/", "book/"];
const GUIDES: &str = "docs/guide/";

/// What the results depend on that isn't in the repository.
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

/// The beginnings of names of environment variables that change what is built or tested.
const VARIABLES: [&str; 6] = ["CARGO_", "CC", "CXX", "JAVA", "RUST", "PATH"];

/// Which files a suite reads.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "String")]
pub enum Reads {
    /// Those of the repository.
    All,
    /// Those of the repository except other languages' bindings and the documentation; of that, only the guide.
    Language(String),
}

impl From<String> for Reads {
    fn from(text: String) -> Reads {
        match text.as_str() {
            "all" => Reads::All,
            _ => Reads::Language(text),
        }
    }
}

/// What has passed, and the files as they are now.
pub struct Unchanged {
    file: PathBuf,
    /// The tools and variables.
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
    pub fn read(workspace: &Workspace) -> Result<Unchanged> {
        let file = workspace.target.join(PASSED);
        let passed = fs::read_to_string(&file).unwrap_or_default();
        let mut files = Vec::new();
        for path in workspace.files(&[])? {
            // What git knows and somebody has removed, and submodules.
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

    /// Keeps what has passed, and forgets what hasn't. The files are those from before the suite began.
    pub fn keep<'s>(
        mut self,
        ended: impl IntoIterator<Item = (&'s str, &'s Reads, Option<Counts>)>,
    ) -> Result<()> {
        for (suite, reads, counts) in ended {
            let Some(Counts {
                passed, skipped, ..
            }) = counts
            else {
                self.passed.remove(suite);
                continue;
            };
            let files = self.key(reads);
            let passed = Passed {
                files,
                passed,
                skipped,
            };
            self.passed.insert(suite.to_owned(), passed);
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
    let counts = |name: &str| VARIABLES.iter().any(|prefix| name.starts_with(prefix));
    for (name, value) in variables {
        if name.to_str().is_some_and(counts) {
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
}
