//! Splits a program into a worker and a supervisor, which ends everything that the worker has started if the program is told
//! to stop.

use std::collections::BTreeMap;
use std::env;
#[cfg(target_os = "linux")]
use std::fs;
use std::io::{self, Write as _};
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Command, ExitCode, ExitStatus};
use std::ptr;
use std::sync::mpsc::{self, Receiver, TryRecvError};
use std::thread;
use std::time::Duration;

use crate::family;

/// Names the supervisor in the worker's environment, by its process ID: other programs that the worker starts inherit the
/// variable, and aren't children of the supervisor.
const SUPERVISOR: &str = "RUSTBRIDGE_SUPERVISOR";

/// The signals that tell a program to stop.
const STOPPING: [(libc::c_int, &str); 3] = [
    (libc::SIGHUP, "SIGHUP"),
    (libc::SIGINT, "SIGINT"),
    (libc::SIGTERM, "SIGTERM"),
];

/// Tells the waiting thread that the worker has ended.
const WAKEUP: libc::c_int = libc::SIGUSR1;

/// How long the end of a killed process may take to arrive.
const REAPING: Duration = Duration::from_secs(5);

/// Starts the program a second time, as a worker, and waits for its end. Returns the program's exit code in the supervisor,
/// and `None` in the worker, which goes on with its work. Call this first in `main`, before any thread is started.
///
/// If the supervisor receives SIGTERM, SIGINT or SIGHUP, or if a signal ends the worker, the supervisor kills all that the
/// worker has started, reports that on standard error and returns 128 + the signal. On Linux that includes daemons: orphans
/// become children of the supervisor, which also counts their processor time (see [`work_of_all`](crate::work_of_all)).
#[must_use]
pub fn supervise() -> Option<ExitCode> {
    if supervisor().is_some() {
        prepare_worker();
        return None;
    }
    let signals = stopping();
    // SAFETY: the set is initialized. There is no other thread yet, so that each later one inherits the mask.
    unsafe { libc::pthread_sigmask(libc::SIG_BLOCK, &raw const signals, ptr::null_mut()) };
    #[cfg(target_os = "linux")]
    // SAFETY: the call takes numbers only. If it fails, daemons aren't found, as on other systems.
    unsafe {
        libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    };
    let worker = match start_worker() {
        Ok(worker) => worker,
        Err(error) => {
            eprintln!("running without a supervisor, which couldn't start a worker: {error}");
            prepare_worker();
            return None;
        }
    };
    let ended = reap_until(worker);
    let mut killed = BTreeMap::new();
    let signal = match received(&signals, &ended) {
        Event::Ended(status) => match status.signal() {
            // What the worker had started is still there.
            Some(signal) => signal,
            None => return Some(code_of(status.code().unwrap_or(1))),
        },
        Event::Signal(signal) => {
            kill_all(&mut killed);
            let _ = ended.recv_timeout(REAPING);
            signal
        }
    };
    // While the worker is exiting, its children aren't listed as descendants of this process. After its exit they are children of
    // this process.
    kill_all(&mut killed);
    report(signal, &killed);
    Some(code_of(128 + signal))
}

/// The supervisor's process ID, in the worker.
pub(crate) fn supervisor() -> Option<u32> {
    let named = env::var(SUPERVISOR).ok()?.parse().ok()?;
    (named == std::os::unix::process::parent_id()).then_some(named)
}

fn start_worker() -> io::Result<u32> {
    let mut arguments = env::args_os();
    let mut worker = Command::new(env::current_exe()?);
    // Messages show the name by which the program was started.
    if let Some(name) = arguments.next() {
        std::os::unix::process::CommandExt::arg0(&mut worker, name);
    }
    worker
        .args(arguments)
        .env(SUPERVISOR, std::process::id().to_string());
    // The thread below waits for every child, whichever it is.
    Ok(worker.spawn()?.id())
}

/// The worker's own children need the usual signals, and the worker ends if its supervisor does.
fn prepare_worker() {
    let signals = stopping();
    // SAFETY: the set is initialized.
    unsafe { libc::pthread_sigmask(libc::SIG_UNBLOCK, &raw const signals, ptr::null_mut()) };
    #[cfg(target_os = "linux")]
    // SAFETY: the call takes numbers only.
    unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGTERM, 0, 0, 0)
    };
    #[cfg(target_os = "linux")]
    if supervisor().is_none() {
        // It ended before that was asked for.
        std::process::exit(128 + libc::SIGTERM);
    }
}

/// Returns the signals that stop this program, without those that it inherited as ignored, as from `nohup`: `sigwait` returns a
/// blocked signal even if the process ignores it.
fn stopping() -> libc::sigset_t {
    let mut set = std::mem::MaybeUninit::uninit();
    // SAFETY: `sigemptyset` initializes the set before anything else reads it.
    unsafe {
        libc::sigemptyset(set.as_mut_ptr());
        for (signal, _) in STOPPING {
            if !is_ignored(signal) {
                libc::sigaddset(set.as_mut_ptr(), signal);
            }
        }
        libc::sigaddset(set.as_mut_ptr(), WAKEUP);
        set.assume_init()
    }
}

fn is_ignored(signal: libc::c_int) -> bool {
    let mut action = std::mem::MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: without a new action the call only writes the present one; zeroes are one, too.
    unsafe {
        libc::sigaction(signal, ptr::null(), action.as_mut_ptr());
        action.assume_init().sa_sigaction == libc::SIG_IGN
    }
}

enum Event {
    Ended(ExitStatus),
    Signal(libc::c_int),
}

/// Waits for a signal or for the worker's end, whichever is first.
fn received(signals: &libc::sigset_t, ended: &Receiver<ExitStatus>) -> Event {
    let mut signal = 0;
    loop {
        // SAFETY: the set is initialized, and `signal` is writable.
        if unsafe { libc::sigwait(signals, &raw mut signal) } != 0 {
            continue;
        }
        return match ended.try_recv() {
            Ok(status) => Event::Ended(status),
            // Somebody else sent it, and it means nothing.
            Err(TryRecvError::Empty) if signal == WAKEUP => continue,
            Err(TryRecvError::Empty) => Event::Signal(signal),
            // There is no child any more, and how the worker ended isn't known: its own children may be ignored as a signal.
            Err(TryRecvError::Disconnected) => Event::Ended(ExitStatus::from_raw(1 << 8)),
        };
    }
}

/// Waits for every child in a thread, orphans included, and sends how the worker ended.
fn reap_until(worker: u32) -> Receiver<ExitStatus> {
    let (send, receive) = mpsc::channel();
    thread::spawn(move || {
        loop {
            let mut status = 0;
            // SAFETY: `status` is writable.
            let child = unsafe { libc::waitpid(-1, &raw mut status, 0) };
            if u32::try_from(child).is_ok_and(|child| child == worker) {
                let _ = send.send(ExitStatus::from_raw(status));
                wake();
            } else if child < 0 && io::Error::last_os_error().kind() != io::ErrorKind::Interrupted {
                drop(send);
                return wake();
            }
        }
    });
    receive
}

/// Wakes the thread that waits for signals.
fn wake() {
    // SAFETY: a signal to this process, in which it's blocked.
    unsafe { libc::kill(libc::getpid(), WAKEUP) };
}

/// Kills all descendants of this process, and counts them by their names.
fn kill_all(killed: &mut BTreeMap<String, usize>) {
    let own = std::process::id();
    // A process that is being started isn't seen the first time.
    for _ in 0..100 {
        let mut alive = family::descendants_of(own);
        alive.retain(|process| *process != own);
        if alive.is_empty() {
            break;
        }
        for process in alive {
            let name = name_of(process);
            let Ok(process) = libc::pid_t::try_from(process) else {
                continue;
            };
            // SAFETY: the call takes numbers only. The process is a descendant; its ID can't have been used again since it
            // was listed, because a wait for it frees the ID, and the system then hands out all others first.
            if unsafe { libc::kill(process, libc::SIGKILL) } == 0 {
                *killed.entry(name).or_default() += 1;
            }
        }
        thread::sleep(Duration::from_millis(10));
    }
}

#[cfg(target_os = "linux")]
fn name_of(process: u32) -> String {
    fs::read_to_string(format!("/proc/{process}/comm"))
        .map_or_else(|_| "unknown".to_owned(), |name| name.trim().to_owned())
}

#[cfg(not(target_os = "linux"))]
fn name_of(_process: u32) -> String {
    "process".to_owned()
}

fn report(signal: libc::c_int, killed: &BTreeMap<String, usize>) {
    let known = STOPPING.iter().find(|(number, _)| *number == signal);
    let signal = known.map_or_else(
        || format!("signal {signal}"),
        |(_, name)| (*name).to_owned(),
    );
    let names: Vec<String> = killed
        .iter()
        .map(|(name, count)| match count {
            1 => name.clone(),
            _ => format!("{name} ({count})"),
        })
        .collect();
    let what = if names.is_empty() {
        "all that was started has ended".to_owned()
    } else {
        format!("also ended: {}", names.join(", "))
    };
    // The line feed ends the worker's status line. An error means that standard error is closed, as after SIGHUP, and is ignored.
    let _ = writeln!(io::stderr(), "\nstopped by {signal}; {what}");
}

fn code_of(code: i32) -> ExitCode {
    ExitCode::from(u8::try_from(code).unwrap_or(u8::MAX))
}
