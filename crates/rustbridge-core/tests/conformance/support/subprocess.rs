//! Tests whose subject could end the process run in one of their own.

use std::env;
use std::process::Command;

const CHILD: &str = "RUSTBRIDGE_TEST_CHILD";
const DONE: &str = "the child came to its end";

/// Runs `body` in a process of its own: this test binary again, told to run only the test `name`, which is the one that
/// calls this. Fails if the process ends in any other way than by returning from `body`.
pub fn in_a_process_of_its_own(name: &str, body: impl FnOnce()) {
    if env::var_os(CHILD).is_some_and(|child| child == *name) {
        body();
        println!("{DONE}");
        return;
    }
    let mut command = Command::new(env::current_exe().expect("a test binary has a path"));
    command
        .args([name, "--exact", "--nocapture", "--test-threads=1"])
        .env(CHILD, name);
    let output = child_process::output(&mut command, child_process::RUN);
    let [said, complained] =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    assert!(
        output.status.success() && said.contains(DONE),
        "the process {}\n{said}\n{complained}",
        output.status
    );
}

#[test]
fn a_process_that_ends_early_is_noticed() {
    if env::var_os(CHILD).is_some() {
        in_a_process_of_its_own("subprocess::a_process_that_ends_early_is_noticed", || {
            std::process::exit(0)
        });
    }
    let result = std::panic::catch_unwind(|| {
        in_a_process_of_its_own("subprocess::a_process_that_ends_early_is_noticed", || ());
    });
    assert!(result.is_err(), "an early exit went unnoticed");
}
