//! Tests whose subject could end the process run in one of their own.

use std::env;
use std::io::Read;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

const CHILD: &str = "RUSTBRIDGE_TEST_CHILD";
const DONE: &str = "the child came to its end";

/// Far beyond what any of these tests takes; a process that hangs must not hang the tests.
const PATIENCE: Duration = Duration::from_secs(180);

/// Runs `body` in a process of its own: this test binary again, told to run only the test `name`, which is the one that
/// calls this. Fails if the process ends in any other way than by returning from `body`.
pub fn in_a_process_of_its_own(name: &str, body: impl FnOnce()) {
    if env::var_os(CHILD).is_some_and(|child| child == *name) {
        body();
        println!("{DONE}");
        return;
    }
    let mut child = Command::new(env::current_exe().expect("a test binary has a path"))
        .args([name, "--exact", "--nocapture", "--test-threads=1"])
        .env(CHILD, name)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the test binary starts again");
    let mut stdout = child.stdout.take().expect("piped");
    let mut stderr = child.stderr.take().expect("piped");
    // Both pipes are read while it runs, or it would wait for room in them.
    let said = thread::spawn(move || {
        let mut text = Vec::new();
        stdout
            .read_to_end(&mut text)
            .map(|_| String::from_utf8_lossy(&text).into_owned())
    });
    let complained = thread::spawn(move || {
        let mut text = Vec::new();
        stderr
            .read_to_end(&mut text)
            .map(|_| String::from_utf8_lossy(&text).into_owned())
    });
    let started = Instant::now();
    let status = loop {
        match child.try_wait().expect("the child can be waited for") {
            Some(status) => break Some(status),
            None if started.elapsed() > PATIENCE => {
                child.kill().expect("the child can be ended");
                child.wait().expect("the child can be waited for");
                break None;
            }
            None => thread::sleep(Duration::from_millis(5)),
        }
    };
    let said = said
        .join()
        .expect("reads")
        .expect("the child's output can be read");
    let complained = complained
        .join()
        .expect("reads")
        .expect("the child's errors can be read");
    let outcome = status.map_or_else(
        || "hung and was ended".to_owned(),
        |status| status.to_string(),
    );
    assert!(
        status.is_some_and(|status| status.success()) && said.contains(DONE),
        "the process {outcome}\n{said}\n{complained}"
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
