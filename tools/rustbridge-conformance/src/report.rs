//! How the cases went on a host: for a person, as JUnit XML, and as the counts that `docs/conformance.md` is made of.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write as _};
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use serde_json::{Value, json};

use crate::protocol::Hello;

/// Environment variable with the folder for the two files; without it none are written.
pub const RESULTS: &str = "RUSTBRIDGE_CONFORMANCE_RESULTS";

/// Environment variable with what the table calls the platform, where that isn't plainly this system.
pub const PLATFORM: &str = "RUSTBRIDGE_PLATFORM";

/// How a case went in a way of calling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// As it should.
    Passed,
    /// The host can't express the case, for this reason.
    Skipped(String),
    /// Something else came.
    Failed(String),
}

/// One case in one way.
#[derive(Clone, Debug)]
pub struct Run {
    /// What the case has in common with others.
    pub topic: String,
    /// The case.
    pub case: String,
    /// How the calls were made.
    pub way: String,
    /// How it went.
    pub outcome: Outcome,
}

/// How it went on a host.
#[derive(Debug, Default)]
pub struct Report {
    /// The host's name.
    pub host: String,
    /// How it can call.
    pub ways: Vec<String>,
    /// Every case in every way; a skipped case is there once.
    pub runs: Vec<Run>,
    /// How many calls were made for that.
    pub calls: usize,
    /// How long it took.
    pub seconds: f64,
}

/// Cases, or cases in ways of calling.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Right.
    pub passed: usize,
    /// Wrong.
    pub failed: usize,
    /// Left out.
    pub skipped: usize,
}

impl Counts {
    fn add(&mut self, outcome: &Outcome) {
        match outcome {
            Outcome::Passed => self.passed += 1,
            Outcome::Skipped(_) => self.skipped += 1,
            Outcome::Failed(_) => self.failed += 1,
        }
    }
}

impl Report {
    /// Nothing yet.
    #[must_use]
    pub fn new(hello: &Hello) -> Report {
        Report {
            host: hello.host.clone(),
            ways: hello.ways.iter().map(|way| way.name.clone()).collect(),
            ..Report::default()
        }
    }

    /// Whether there is anything about a case.
    #[must_use]
    pub fn has(&self, case: &str) -> bool {
        self.runs.iter().any(|run| run.case == case)
    }

    /// Adds how a case went in a way.
    pub fn add(&mut self, topic: &str, case: &str, way: &str, outcome: Outcome) {
        self.runs.push(Run {
            topic: topic.to_owned(),
            case: case.to_owned(),
            way: way.to_owned(),
            outcome,
        });
    }

    /// The cases with how they went in all: wrong in one way is wrong.
    #[must_use]
    pub fn cases(&self) -> BTreeMap<&str, &Run> {
        let mut cases: BTreeMap<&str, &Run> = BTreeMap::new();
        for run in &self.runs {
            let known = cases.entry(&run.case).or_insert(run);
            if matches!(run.outcome, Outcome::Failed(_))
                && !matches!(known.outcome, Outcome::Failed(_))
            {
                *known = run;
            }
        }
        cases
    }

    /// The counts of cases.
    #[must_use]
    pub fn case_counts(&self) -> Counts {
        let mut counts = Counts::default();
        for run in self.cases().values() {
            counts.add(&run.outcome);
        }
        counts
    }

    /// The counts of cases in ways.
    #[must_use]
    pub fn run_counts(&self) -> Counts {
        let mut counts = Counts::default();
        for run in &self.runs {
            counts.add(&run.outcome);
        }
        counts
    }

    /// Whether something ran and nothing was wrong.
    #[must_use]
    pub fn is_right(&self) -> bool {
        let counts = self.run_counts();
        counts.failed == 0 && counts.passed > 0
    }

    /// # Panics
    /// If a case failed, or none ran.
    pub fn assert_right(&self) {
        assert!(self.is_right(), "{self}");
    }

    /// The cases that were left out.
    #[must_use]
    pub fn skipped(&self) -> Vec<&str> {
        let left_out = |run: &&&Run| matches!(run.outcome, Outcome::Skipped(_));
        let runs = self.cases();
        runs.values()
            .filter(left_out)
            .map(|run| &*run.case)
            .collect()
    }

    /// The counts by topic, and whatever isn't plainly right, with the reasons.
    #[must_use]
    pub fn summary(&self, platform: &str) -> Value {
        let mut topics: BTreeMap<&str, Counts> = BTreeMap::new();
        let mut skipped: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        let mut failed: BTreeMap<&str, String> = BTreeMap::new();
        for (case, run) in self.cases() {
            topics.entry(&run.topic).or_default().add(&run.outcome);
            match &run.outcome {
                Outcome::Passed => {}
                Outcome::Skipped(reason) => {
                    skipped.entry(reason).or_default().insert(case);
                }
                Outcome::Failed(reason) => {
                    failed.insert(case, format!("{}: {}", run.way, one_line(reason)));
                }
            }
        }
        let topics: BTreeMap<&str, [usize; 3]> = topics
            .into_iter()
            .map(|(topic, counts)| (topic, [counts.passed, counts.failed, counts.skipped]))
            .collect();
        let runs = self.run_counts();
        json!({
            "host": self.host,
            "platform": platform,
            "ways": self.ways,
            "runs": runs.passed + runs.failed,
            "calls": self.calls,
            "topics": topics,
            "skipped": skipped,
            "failed": failed,
        })
    }

    /// The same for whoever reads JUnit's XML: a test case is a case in a way.
    #[must_use]
    pub fn junit(&self) -> String {
        let counts = self.run_counts();
        let host = escaped(&self.host);
        let mut xml = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <testsuite name=\"conformance {host}\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\" time=\"{:.3}\">\n",
            self.runs.len(),
            counts.failed,
            counts.skipped,
            self.seconds
        );
        for run in &self.runs {
            let name = escaped(&run.case);
            let way = escaped(&run.way);
            let _ = write!(
                xml,
                "  <testcase classname=\"conformance.{host}.{way}\" name=\"{name}\""
            );
            let _ = match &run.outcome {
                Outcome::Passed => writeln!(xml, "/>"),
                Outcome::Skipped(reason) => {
                    writeln!(
                        xml,
                        "><skipped message=\"{}\"/></testcase>",
                        escaped(reason)
                    )
                }
                Outcome::Failed(reason) => {
                    writeln!(
                        xml,
                        "><failure message=\"{}\"/></testcase>",
                        escaped(reason)
                    )
                }
            };
        }
        xml.push_str("</testsuite>\n");
        xml
    }

    /// Writes both files into the folder that [`RESULTS`] names, if anybody wants them.
    ///
    /// # Panics
    /// If they can't be written.
    pub fn save(&self) {
        if let Some(folder) = env::var_os(RESULTS) {
            self.write(Path::new(&folder), &platform())
                .expect("results can be written");
        }
    }

    /// Writes both files into a folder, named after platform and host; gives the one with the counts.
    ///
    /// # Errors
    /// They can't be written.
    pub fn write(&self, folder: &Path, platform: &str) -> io::Result<PathBuf> {
        fs::create_dir_all(folder)?;
        let name = format!("{}-{}", slug(platform), slug(&self.host));
        fs::write(folder.join(format!("{name}.xml")), self.junit())?;
        let file = folder.join(format!("{name}.json"));
        fs::write(&file, format!("{:#}\n", self.summary(platform)))?;
        Ok(file)
    }
}

/// What results call this platform.
#[must_use]
pub fn platform() -> String {
    env::var(PLATFORM).unwrap_or_else(|_| {
        let here = match env::consts::OS {
            "linux" => "Linux",
            "macos" => "macOS",
            "windows" => "Windows",
            other => other,
        };
        here.to_owned()
    })
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (cases, runs) = (self.case_counts(), self.run_counts());
        for run in &self.runs {
            if let Outcome::Failed(reason) = &run.outcome {
                writeln!(f, "FAILED: {} by {}: {reason}", run.case, run.way)?;
            }
        }
        writeln!(
            f,
            "{}: {} cases were right, {} wrong, {} skipped; in {} ways {} passed, {} failed, {} skipped; {} calls in {:.1} s",
            self.host,
            cases.passed,
            cases.failed,
            cases.skipped,
            self.ways.len(),
            runs.passed,
            runs.failed,
            runs.skipped,
            self.calls,
            self.seconds
        )
    }
}

fn one_line(text: &str) -> String {
    const MOST: usize = 500;
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").chars().take(MOST).collect()
}

/// As XML 1.0 can hold it: what it can't is replaced.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' => escaped.push_str("&#10;"),
            '\t' => escaped.push_str("&#9;"),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            letter => escaped.push(letter),
        }
    }
    escaped
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
    use crate::protocol::Way;

    fn report() -> Report {
        let way = |name: &str| Way {
            name: name.to_owned(),
            ..Way::default()
        };
        let mut report = Report::new(&Hello {
            host: "a/b".to_owned(),
            ways: vec![way("one"), way("two")],
            ..Hello::default()
        });
        report.add("t", "right", "one", Outcome::Passed);
        report.add("t", "right", "two", Outcome::Passed);
        report.add("t", "wrong", "one", Outcome::Passed);
        let reason = "found <\"\0\n&".to_owned();
        report.add("t", "wrong", "two", Outcome::Failed(reason));
        report.add("u", "beyond", "one", Outcome::Skipped("no word".to_owned()));
        report
    }

    #[test]
    fn a_case_that_is_wrong_in_one_way_is_wrong() {
        let report = report();
        let counts = |passed, failed, skipped| Counts {
            passed,
            failed,
            skipped,
        };
        assert_eq!(report.case_counts(), counts(1, 1, 1));
        assert_eq!(report.run_counts(), counts(3, 1, 1));
        assert!(!report.is_right());
        assert_eq!(report.skipped(), ["beyond"]);
        assert!(report.to_string().contains("FAILED: wrong by two: found"));
    }

    #[test]
    fn nothing_run_is_not_right() {
        let mut report = Report::default();
        assert!(!report.is_right());
        report.add("t", "a", "one", Outcome::Skipped("why".to_owned()));
        assert!(!report.is_right());
        report.add("t", "b", "one", Outcome::Passed);
        assert!(report.is_right());
    }

    #[test]
    fn the_summary_has_counts_by_topic_and_the_reasons() {
        let summary = report().summary("Here");
        assert_eq!(summary["topics"], json!({"t": [1, 1, 0], "u": [0, 0, 1]}));
        assert_eq!(summary["skipped"], json!({"no word": ["beyond"]}));
        assert_eq!(summary["runs"], 4);
        let failed = summary["failed"]["wrong"].as_str().unwrap();
        assert!(failed.starts_with("two: found"), "{failed}");
    }

    #[test]
    fn the_xml_has_a_test_for_each_run_and_nothing_that_xml_cannot_hold() {
        let xml = report().junit();
        assert!(xml.contains("tests=\"5\" failures=\"1\" errors=\"0\" skipped=\"1\""));
        assert_eq!(xml.matches("<testcase ").count(), 5);
        assert!(
            xml.contains("message=\"found &lt;&quot;\u{fffd}&#10;&amp;\""),
            "{xml}"
        );
    }

    #[test]
    fn files_are_named_after_platform_and_host() {
        let folder = env::temp_dir().join(format!("rb-test-report-{}", std::process::id()));
        let file = report().write(&folder, "windows (Wine 8)").unwrap();
        assert_eq!(file.file_name().unwrap(), "windows-wine-8-a-b.json");
        let text = fs::read(&file).unwrap();
        let value: Value = serde_json::from_slice(&text).unwrap();
        assert_eq!(value["host"], "a/b");
        assert!(file.with_extension("xml").is_file());
        fs::remove_dir_all(&folder).unwrap();
    }
}
