//! A supervised program that is told to stop ends all that it has started.

#![cfg(unix)]

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use child_process::{RUN, Watchdog};

fn supervised(script: &str) -> Command {
    // Of tests that a shell runs in the background, SIGINT is ignored, and so it is of whatever they start.
    // SAFETY: no handler is set, and nothing here has one.
    unsafe { libc::signal(libc::SIGINT, libc::SIG_DFL) };
    let mut command = Command::new(env!("CARGO_BIN_EXE_supervised"));
    command.args(["sh", "-c", script]);
    command
}

/// Starts a script that reports the IDs of all its processes, and waits for that many lines.
fn started(script: &str, lines: usize) -> (Child, Vec<libc::pid_t>, Watchdog) {
    let mut command = supervised(script);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let (mut child, mark) = child_process::start(&mut command).expect("it can be started");
    let dog = Watchdog::over(&child, mark, RUN);
    let stdout = child.stdout.take().expect("it's a pipe");
    let ids = BufReader::new(stdout)
        .lines()
        .take(lines)
        .map(|line| line.expect("it's text").trim().parse().expect("it's an ID"))
        .collect();
    (child, ids, dog)
}

fn is_alive(id: libc::pid_t) -> bool {
    // SAFETY: signal 0 only asks whether the process is there.
    unsafe { libc::kill(id, 0) == 0 }
}

fn signal(child: &Child, signal: libc::c_int) {
    let id = libc::pid_t::try_from(child.id()).expect("an ID fits");
    // SAFETY: the child hasn't been waited for, so the ID is the child's.
    assert_eq!(unsafe { libc::kill(id, signal) }, 0);
}

fn stderr_of(child: &mut Child) -> String {
    let mut said = String::new();
    let stderr = child.stderr.as_mut().expect("it's a pipe");
    stderr.read_to_string(&mut said).expect("it's text");
    said
}

/// A grandchild of the worker, and on Linux a daemon, which has left its parents.
const FAMILY: &str = if cfg!(target_os = "linux") {
    "echo $$; sh -c 'echo $$; sleep 1001; :' & (setsid sh -c 'echo $$; sleep 1002; :' &); wait; sleep 1003"
} else {
    "echo $$; sh -c 'echo $$; sleep 1001; :' & sh -c 'echo $$; sleep 1002; :' & wait"
};

#[test]
fn a_signal_ends_grandchildren_and_daemons_and_is_reported() {
    for (number, name) in [(libc::SIGTERM, "SIGTERM"), (libc::SIGINT, "SIGINT")] {
        let (mut child, ids, _dog) = started(FAMILY, 3);
        assert_eq!(ids.len(), 3);
        assert!(ids.iter().all(|id| is_alive(*id)));
        signal(&child, number);
        let said = stderr_of(&mut child);
        let status = child.wait().expect("it's waited for");
        assert_eq!(status.code(), Some(128 + number), "{said}");
        assert!(said.contains(&format!("stopped by {name}")), "{said}");
        assert!(said.contains("also ended: "), "{said}");
        // The system's first process may take a moment to wait for what has become its child.
        let gone = (0..1000).any(|_| {
            thread::sleep(Duration::from_millis(10));
            !ids.iter().any(|id| is_alive(*id))
        });
        assert!(gone, "{ids:?} are alive");
    }
}

/// `pkill` signals both, since they have the same name. While the worker is exiting, its children aren't listed as descendants.
#[test]
fn a_signal_to_the_worker_as_well_leaves_nothing_behind() {
    for _ in 0..10 {
        let (mut child, ids, _dog) = started(&format!("echo $PPID; {FAMILY}"), 4);
        // SAFETY: signals to this test's own processes; the worker is waited for by its supervisor alone, which runs.
        unsafe { libc::kill(ids[0], libc::SIGTERM) };
        signal(&child, libc::SIGTERM);
        let said = stderr_of(&mut child);
        let status = child.wait().expect("it's waited for");
        assert_eq!(status.code(), Some(128 + libc::SIGTERM), "{said}");
        let gone = (0..1000).any(|_| {
            thread::sleep(Duration::from_millis(10));
            !ids.iter().any(|id| is_alive(*id))
        });
        assert!(gone, "{ids:?} are alive");
    }
}

#[test]
fn an_exit_code_is_passed_on_and_daemons_are_left_alone() {
    let ended = child_process::run(&mut supervised("exit 7"), RUN).expect("it can be started");
    assert_eq!(ended.status.and_then(|status| status.code()), Some(7));
    assert_eq!(ended.said(), "");
}
