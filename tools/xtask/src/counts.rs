//! How many tests ran, by the last lines of those test runners that write no JUnit report.

use std::fmt;
use std::ops::AddAssign;

use regex_lite::Regex;

/// How many tests there were.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub passed: u64,
    pub failed: u64,
    pub skipped: u64,
}

impl Counts {
    pub fn total(self) -> u64 {
        self.passed + self.failed + self.skipped
    }

    /// Adds a number by the runner's word for it.
    fn add(&mut self, word: &str, number: u64) {
        match word.to_ascii_lowercase().as_str() {
            "pass" | "passed" => self.passed += number,
            "fail" | "failed" | "cancelled" => self.failed += number,
            "skip" | "skipped" | "ignored" | "todo" => self.skipped += number,
            _ => {}
        }
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counts {
            passed,
            failed,
            skipped,
        } = self;
        write!(f, "{passed} passed, {failed} failed, {skipped} skipped")
    }
}

/// Sums the lines `test result: ok. 3 passed; 0 failed; 1 ignored; ...` of cargo test, doc-tests included.
pub fn cargo_test(output: &str) -> Counts {
    sum(
        output,
        r"^\s*test result: ",
        r"(?P<number>\d+) (?P<word>passed|failed|ignored);",
    )
}

/// Counts the lines of `go test -v`: `--- PASS: TestName (0.00s)`; those of subtests are indented.
pub fn go_test(output: &str) -> Counts {
    sum(output, r"^\s*--- ", r"--- (?P<word>PASS|FAIL|SKIP): ")
}

/// Sums the last lines of `node --test` in TAP: `# pass 57`, `# fail 0` and so on.
pub fn node_test(output: &str) -> Counts {
    sum(
        output,
        "^# ",
        r"^# (?P<word>pass|fail|cancelled|skipped|todo) (?P<number>\d+)\s*$",
    )
}

/// Sums the last lines of `dotnet test`, one for each assembly and framework:
/// `Passed!  - Failed:     0, Passed:   124, Skipped:     0, Total:   124, Duration: 4 s - A.Tests.dll (net8.0)`.
pub fn dotnet_test(output: &str) -> Counts {
    sum(
        output,
        "!  - Failed:",
        r"(?P<word>Passed|Failed|Skipped):\s+(?P<number>\d+),",
    )
}

/// Sums the numbers in some lines; a word without one counts once.
fn sum(output: &str, line: &str, number: &str) -> Counts {
    let mut counts = Counts::default();
    let [line, number] = [line, number].map(|pattern| Regex::new(pattern).expect("it's right"));
    for line in output.lines().filter(|it| line.is_match(it)) {
        for found in number.captures_iter(line) {
            let number = found.name("number").map_or(Ok(1), |it| it.as_str().parse());
            counts.add(&found["word"], number.unwrap_or_default());
        }
    }
    counts
}
