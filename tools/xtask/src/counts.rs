//! How many tests ran, and what those test runners print of it that write no report of JUnit's.

use std::fmt;
use std::ops::AddAssign;

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
        write!(
            f,
            "{} passed, {} failed, {} skipped",
            self.passed, self.failed, self.skipped
        )
    }
}

/// Sums the `test result: ok. 3 passed; 0 failed; 1 ignored; ...` lines of cargo test, doc-tests included.
pub fn cargo_test(output: &str) -> Counts {
    let mut counts = Counts::default();
    for line in output.lines() {
        let Some((_, summary)) = line
            .trim_start()
            .strip_prefix("test result: ")
            .and_then(|rest| rest.split_once(". "))
        else {
            continue;
        };
        for part in summary.split(';') {
            count_part(&mut counts, part);
        }
    }
    counts
}

/// Counts the lines of `go test -v`: `--- PASS: TestName (0.00s)`; those of subtests are indented.
pub fn go_test(output: &str) -> Counts {
    let mut counts = Counts::default();
    for line in output.lines().map(str::trim_start) {
        match line {
            _ if line.starts_with("--- PASS: ") => counts.passed += 1,
            _ if line.starts_with("--- FAIL: ") => counts.failed += 1,
            _ if line.starts_with("--- SKIP: ") => counts.skipped += 1,
            _ => {}
        }
    }
    counts
}

/// Reads the closing lines of `node --test` as it writes TAP: `# pass 57`, `# fail 0` and so on.
pub fn node_test(output: &str) -> Counts {
    let mut counts = Counts::default();
    for line in output.lines() {
        let Some((what, number)) = line
            .strip_prefix("# ")
            .and_then(|rest| rest.split_once(' '))
        else {
            continue;
        };
        let Ok(number) = number.trim().parse::<u64>() else {
            continue;
        };
        match what {
            "pass" => counts.passed += number,
            "fail" | "cancelled" => counts.failed += number,
            "skipped" | "todo" => counts.skipped += number,
            _ => {}
        }
    }
    counts
}

/// Sums the closing lines of `dotnet test`, one for each assembly and framework:
/// `Passed!  - Failed:     0, Passed:   124, Skipped:     0, Total:   124, Duration: 4 s - A.Tests.dll (net8.0)`.
pub fn dotnet_test(output: &str) -> Counts {
    let mut counts = Counts::default();
    for line in output.lines() {
        let Some((_, summary)) = line.split_once("!  - Failed:") else {
            continue;
        };
        for part in format!("Failed:{summary}").split(',') {
            let Some((what, number)) = part.split_once(':') else {
                continue;
            };
            let Ok(number) = number.trim().parse::<u64>() else {
                continue;
            };
            match what.trim() {
                "Passed" => counts.passed += number,
                "Failed" => counts.failed += number,
                "Skipped" => counts.skipped += number,
                _ => {}
            }
        }
    }
    counts
}

/// Adds a part such as `3 passed`.
fn count_part(counts: &mut Counts, part: &str) {
    let Some((number, what)) = part.trim().split_once(' ') else {
        return;
    };
    let Ok(number) = number.parse::<u64>() else {
        return;
    };
    match what.trim() {
        "passed" => counts.passed += number,
        "failed" => counts.failed += number,
        "ignored" => counts.skipped += number,
        _ => {}
    }
}
