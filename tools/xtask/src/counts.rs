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

    #[test]
    fn go_s_lines_are_counted() {
        let output = "=== RUN   TestA\n--- PASS: TestA (0.00s)\n    --- PASS: TestA/b (0.00s)\n--- SKIP: TestC (0.00s)\n--- FAIL: TestD (1.00s)\nok\n";
        let counts = Counts {
            passed: 2,
            failed: 1,
            skipped: 1,
        };
        assert_eq!(go_test(output), counts);
    }
}
