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
