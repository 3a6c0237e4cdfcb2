//! Reads how many tests ran from what the test runners print.

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

/// Reads pytest's last line, e.g. `==== 12 passed, 1 skipped, 2 warnings in 0.12s ====`.
pub fn pytest(output: &str) -> Counts {
    let mut counts = Counts::default();
    let summary = output
        .lines()
        .rev()
        .map(|line| line.trim_matches(['=', ' ']))
        .find(|line| line.contains(" in ") && line.starts_with(|c: char| c.is_ascii_digit()));
    if let Some(summary) = summary {
        let summary = summary
            .rsplit_once(" in ")
            .map_or(summary, |(before, _)| before);
        for part in summary.split(',') {
            count_part(&mut counts, part);
        }
    }
    counts
}

/// Sums the closing lines of Maven's surefire, one for each module and JVM. The lines of the test classes look the same
/// but for the time they end in; what a test prints without a line feed may stand before either.
pub fn surefire(output: &str) -> Counts {
    let mut counts = Counts::default();
    for line in output
        .lines()
        .filter(|line| !line.contains("Time elapsed:"))
    {
        let Some((_, summary)) = line.split_once("] Tests run: ") else {
            continue;
        };
        let numbers: Vec<u64> = summary
            .split([',', ':'])
            .filter_map(|part| part.trim().parse().ok())
            .collect();
        if let &[run, failures, errors, skipped, ..] = numbers.as_slice() {
            counts.failed += failures + errors;
            counts.skipped += skipped;
            counts.passed += run.saturating_sub(failures + errors + skipped);
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
        "passed" | "xpassed" => counts.passed += number,
        "failed" | "error" | "errors" => counts.failed += number,
        "skipped" | "ignored" | "xfailed" => counts.skipped += number,
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(passed: u64, failed: u64, skipped: u64) -> Counts {
        Counts {
            passed,
            failed,
            skipped,
        }
    }

    #[test]
    fn cargo_test_results_of_several_binaries_are_summed() {
        let output = "running 2 tests\ntest a ... ok\n\
            test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\n   Doc-tests x\n\
            test result: FAILED. 3 passed; 1 failed; 2 ignored; 0 measured; 7 filtered out; finished in 0.35s\n";
        assert_eq!(cargo_test(output), counts(5, 1, 2));
    }

    #[test]
    fn a_cargo_test_that_never_ran_counts_nothing() {
        assert_eq!(
            cargo_test("error[E0308]: mismatched types\nerror: could not compile `x`"),
            Counts::default()
        );
    }

    #[test]
    fn pytest_counts_failures_errors_and_skips() {
        let output = "tests/test_a.py ..F\n=========== 1 failed, 12 passed, 3 skipped, 2 warnings, 1 error in 0.52s ===========\n";
        assert_eq!(pytest(output), counts(12, 2, 3));
        assert_eq!(pytest("102 passed in 3.14s"), counts(102, 0, 0));
        assert_eq!(
            pytest("== 5 passed in 75.10s (0:01:15) =="),
            counts(5, 0, 0)
        );
        assert_eq!(pytest("no tests ran in 0.01s"), Counts::default());
    }

    #[test]
    fn surefire_counts_modules_and_not_their_classes_again() {
        let output = "[INFO] Running io.github.rustbridge.A\n\
            [INFO] Tests run: 4, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.050 s -- in io.github.rustbridge.A\n\
            [ERROR] Tests run: 5, Failures: 1, Errors: 1, Skipped: 1, Time elapsed: 0.1 s <<< FAILURE! -- in io.github.rustbridge.B\n\
            [INFO] Results:\n[ERROR] Tests run: 9, Failures: 1, Errors: 1, Skipped: 1\n\
            [INFO] Results:\n[INFO] Tests run: 9, Failures: 0, Errors: 0, Skipped: 0\n\
            printed[WARNING] Tests run: 2, Failures: 0, Errors: 0, Skipped: 2\n";
        assert_eq!(surefire(output), counts(15, 2, 3));
        assert_eq!(
            surefire("[INFO] No tests to run.\n[INFO] BUILD SUCCESS"),
            Counts::default()
        );
    }

    #[test]
    fn dotnet_test_counts_assemblies_and_not_their_tests_again() {
        let output = "  Passed Some.Test [3 ms]\n\
            Passed!  - Failed:     0, Passed:   124, Skipped:     0, Total:   124, Duration: 4 s - A.Tests.dll (net8.0)\n\
            Failed!  - Failed:     2, Passed:     3, Skipped:     1, Total:     6, Duration: 1 m 2 s - B.Tests.dll (net8.0)\n\
            printed without a feedSkipped!  - Failed:     0, Passed:     0, Skipped:     4, Total:     4, Duration: 1 s - C.dll\n";
        assert_eq!(dotnet_test(output), counts(127, 2, 5));
        assert_eq!(
            dotnet_test("No test is available in A.dll."),
            Counts::default()
        );
    }

    #[test]
    fn the_closing_line_has_the_shape_that_ci_reads() {
        assert_eq!(counts(3, 0, 1).to_string(), "3 passed, 0 failed, 1 skipped");
    }
}
