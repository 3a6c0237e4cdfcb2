//! Picks out of a failed suite's log the lines that say what failed.

/// How many lines are shown of one suite.
const MOST: usize = 60;
/// How many lines follow one that begins a failed test's own output.
const BLOCK: usize = 12;
/// How many lines are shown of the end of a log in which nothing tells.
const END: usize = 20;

/// What cargo, libtest, pytest, Maven, xunit, MSBuild, gcc, the kernel, the judge and the sanitizers write where something fails.
const TOLD: [&str; 21] = [
    "FAILED",
    "FAIL ",
    "[FAIL]",
    "[ERROR]",
    // A warning is an error to the lints.
    ".java:[",
    "error: ",
    "error[",
    "error CS",
    "error MSB",
    "error NETSDK",
    "error NU",
    "No space left",
    "Killed",
    ": fatal error",
    "process didn't exit successfully",
    "(signal: ",
    "Segmentation fault",
    "ERROR: AddressSanitizer",
    "WARNING: ThreadSanitizer",
    "AssertionError",
    "E   ",
];

/// The lines of `log` that tell what failed, in order; the first and the last if there are too many, and the end of the log
/// if there are none. MSBuild says a thing when it happens and again at the end: a line is told once.
pub fn of(log: &str) -> Vec<String> {
    let mut told = Vec::new();
    let mut block = 0usize;
    for line in log.lines() {
        // libtest's heading of what a failed test has printed.
        if line.starts_with("---- ") && line.ends_with(" ----") {
            block = BLOCK;
        } else if line.starts_with("failures:") || line.trim_start().starts_with("stack backtrace:")
        {
            block = 0;
        }
        if block > 0 || is_telling(line) {
            block = block.saturating_sub(1);
            if !line.trim().is_empty() && !told.iter().any(|earlier| earlier == line) {
                told.push(line.to_owned());
            }
        }
    }
    if told.is_empty() {
        let lines: Vec<&str> = log.lines().filter(|line| !line.trim().is_empty()).collect();
        let end = lines[lines.len().saturating_sub(END)..].iter();
        told.extend(end.map(|line| (*line).to_owned()));
    }
    if told.len() > MOST {
        let left_out = told.len() - MOST;
        told.splice(
            MOST / 2..MOST / 2 + left_out,
            [format!("… {left_out} lines more …")],
        );
    }
    told
}

fn is_telling(line: &str) -> bool {
    let words = line.trim_start_matches("> ");
    TOLD.iter().any(|telling| words.contains(telling)) && !words.starts_with("test result: ok")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_test_is_told_with_its_words_and_without_its_backtrace() {
        let log = "test a ... ok\ntest b ... FAILED\n\nfailures:\n\n---- b stdout ----\n\nthread 'b' panicked at x.rs:1:2:\n\
            left: 1\nright: 2\nstack backtrace:\n   0: rust_begin_unwind\n\nfailures:\n    b\n\ntest result: FAILED. 1 passed";
        assert_eq!(
            of(log),
            [
                "test b ... FAILED",
                "---- b stdout ----",
                "thread 'b' panicked at x.rs:1:2:",
                "left: 1",
                "right: 2",
                "test result: FAILED. 1 passed",
            ]
        );
    }

    #[test]
    fn a_process_that_crashed_is_told() {
        let log = "test a ... ok\nerror: test failed, to rerun pass `-p floor --lib`\n\nCaused by:\n  \
            process didn't exit successfully: `floor` (signal: 11, SIGSEGV: invalid memory reference)\n";
        assert_eq!(of(log).len(), 2);
    }

    #[test]
    fn of_many_lines_the_first_and_the_last_are_told() {
        let log: String = (0..100).map(|at| format!("error: {at}\n")).collect();
        let told = of(&log);
        assert_eq!(told.len(), MOST + 1);
        assert_eq!(told.first().map(String::as_str), Some("error: 0"));
        assert_eq!(told[MOST / 2], "… 40 lines more …");
        assert_eq!(told.last().map(String::as_str), Some("error: 99"));
    }

    #[test]
    fn a_log_in_which_nothing_tells_is_told_by_its_end() {
        let mut log: String = (0..100).map(|at| format!("step {at}\n")).collect();
        log.push_str("test result: ok. 1 passed; 0 FAILED\n\n");
        let told = of(&log);
        assert_eq!(told.len(), END);
        assert_eq!(told[END - 2], "step 99");
    }

    #[test]
    fn what_msbuild_says_twice_is_told_once() {
        let line = "A.targets(9,5): error MSB3021: Unable to copy file. No space left on device\n";
        assert_eq!(of(&format!("{line}\n{line}")).len(), 1);
    }
}
