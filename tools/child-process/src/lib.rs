//! Child processes with a time limit, for tests and developer commands: a process that hangs is ended with all that it
//! started, and what it has said until then is shown.

mod family;
#[cfg(unix)]
mod forked;
#[cfg(unix)]
mod supervisor;
#[cfg(unix)]
mod work;

use std::io::{self, Read};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

pub use family::Mark;
#[cfg(unix)]
pub use forked::ForkedChild;
#[cfg(unix)]
pub use supervisor::supervise;
#[cfg(unix)]
pub use work::work_of_all;

/// For a program of a test's: far beyond what any takes, on a machine with much else to do too.
pub const RUN: Duration = Duration::from_secs(600);

/// For a compiler, or cargo with everything it may have to build: five times what it takes on two busy cores was seen.
pub const BUILD: Duration = Duration::from_secs(1500);

/// How long what a process has said may take to arrive after its end. Somebody it started may hold its pipes for ever.
const REST: Duration = Duration::from_secs(10);

/// How a process ended, and what it said.
#[derive(Debug)]
pub struct ProcessOutput {
    /// `None` if its time was over and it was ended.
    pub status: Option<ExitStatus>,
    /// What it wrote to its standard output.
    pub stdout: Vec<u8>,
    /// What it wrote to its standard error.
    pub stderr: Vec<u8>,
}

impl ProcessOutput {
    /// Both streams.
    #[must_use]
    pub fn said(&self) -> String {
        let [out, err] = [&self.stdout, &self.stderr].map(|bytes| String::from_utf8_lossy(bytes));
        format!("{out}{err}")
    }
}

/// Runs a command to its end, or ends it.
///
/// # Errors
/// If it can't be started.
pub fn run(command: &mut Command, limit: Duration) -> io::Result<ProcessOutput> {
    run_or_look(command, limit, |_| ())
}

/// The same; a process that takes too long is shown by its number before it's ended.
///
/// # Errors
/// If it can't be started.
pub fn run_or_look(
    command: &mut Command,
    limit: Duration,
    look: impl FnOnce(u32),
) -> io::Result<ProcessOutput> {
    let (mut child, mark) = start(command.stdout(Stdio::piped()).stderr(Stdio::piped()))?;
    let [stdout, stderr] = [
        child.stdout.take().map(listen),
        child.stderr.take().map(listen),
    ];
    let status = poll(&mut child, limit)?;
    if status.is_none() {
        look(child.id());
        terminate(&mut child, &mark)?;
    }
    Ok(ProcessOutput {
        status,
        stdout: stdout.map(Heard::text).unwrap_or_default(),
        stderr: stderr.map(Heard::text).unwrap_or_default(),
    })
}

/// What [`Command::output`] does, for a test: without an input, and with a limit.
///
/// # Panics
/// If the command can't be started, and, with everything it has said, if its time is over.
#[track_caller]
pub fn output(command: &mut Command, limit: Duration) -> Output {
    let ended = match run(command.stdin(Stdio::null()), limit) {
        Ok(ended) => ended,
        Err(error) => panic!("{command:?}: {error}"),
    };
    let Some(status) = ended.status else {
        panic!(
            "{command:?} hung and was ended after {} s; its output:\n{}",
            limit.as_secs(),
            ended.said()
        );
    };
    Output {
        status,
        stdout: ended.stdout,
        stderr: ended.stderr,
    }
}

/// Starts a command so that everything it will start can be told from the rest of the machine.
///
/// # Errors
/// If it can't be started.
pub fn start(command: &mut Command) -> io::Result<(Child, Mark)> {
    let mark = Mark::put(command);
    Ok((command.spawn()?, mark))
}

/// Waits for a process, and ends it with all it has started when its time is over; the status is `None` then. The second value
/// is the processor time of the process and of all descendants that were waited for, if the system reports it.
///
/// # Errors
/// If it can't be waited for.
pub fn wait_and_count(
    child: Child,
    mark: &Mark,
    limit: Duration,
) -> io::Result<(Option<ExitStatus>, Option<Duration>)> {
    let began = Instant::now();
    let mut pause = Duration::from_millis(1);
    let mut is_late = false;
    let mut reaper = Reaper(child);
    loop {
        if let Some((status, work)) = reaper.try_wait()? {
            return Ok(((!is_late).then_some(status), work));
        }
        if began.elapsed() > limit {
            is_late = true;
            mark.end_all(reaper.0.id());
            // Where the tool that ends them all is missing, this one is ended all the same. It may have ended by itself meanwhile.
            let _ = reaper.0.kill();
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(50));
    }
}

/// A child that is waited for in a way that reports its processor time. The standard library doesn't know of that wait, so
/// nothing else may be done with the child afterwards.
struct Reaper(Child);

impl Reaper {
    #[cfg(unix)]
    fn try_wait(&mut self) -> io::Result<Option<(ExitStatus, Option<Duration>)>> {
        Ok(work::reap(self.0.id())?.map(|(status, work)| (status, Some(work))))
    }

    #[cfg(not(unix))]
    fn try_wait(&mut self) -> io::Result<Option<(ExitStatus, Option<Duration>)>> {
        Ok(self.0.try_wait()?.map(|status| (status, None)))
    }
}

fn poll(child: &mut Child, limit: Duration) -> io::Result<Option<ExitStatus>> {
    let began = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if began.elapsed() > limit {
            return Ok(None);
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(50));
    }
}

/// Gives a process that was just started, and all that it will start, a smaller share of the processors if others want them: on Linux, a
/// third for a `nice` of 5, a ninth for 10, and so on up to 19. Where the system can't do that, it competes with them.
pub fn lower_priority(child: &Child, nice: u8) {
    #[cfg(unix)]
    // SAFETY: the call takes numbers only; a failure means that the process has ended already.
    unsafe {
        libc::setpriority(libc::PRIO_PROCESS, child.id() as libc::id_t, nice.into());
    }
    #[cfg(not(unix))]
    let _ = (child, nice);
}

/// The processor time of all children, which this system doesn't report.
#[cfg(not(unix))]
#[must_use]
pub fn work_of_all() -> Duration {
    Duration::ZERO
}

/// Ends a process and everything that it, or what it started, has started.
///
/// # Errors
/// If it can't be waited for.
pub fn terminate(child: &mut Child, mark: &Mark) -> io::Result<()> {
    mark.end_all(child.id());
    // It may have ended by itself meanwhile.
    let _ = child.kill();
    child.wait().map(drop)
}

/// Ends a process when its time is over, while those who started it talk to it and don't wait.
#[derive(Debug)]
pub struct Watchdog {
    #[expect(
        dead_code,
        reason = "dropped, it tells the thread that nobody waits any more"
    )]
    calm: Sender<()>,
}

impl Watchdog {
    /// Watches until it's dropped.
    #[must_use]
    pub fn over(child: &Child, mark: Mark, limit: Duration) -> Watchdog {
        let id = child.id();
        let (calm, calmed) = mpsc::channel();
        thread::spawn(move || {
            if calmed.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
                mark.end_all(id);
            }
        });
        Watchdog { calm }
    }
}

/// What a thread has read so far, and where it says that there's no more.
struct Heard {
    bytes: Arc<Mutex<Vec<u8>>>,
    over: Receiver<()>,
}

impl Heard {
    fn text(self) -> Vec<u8> {
        // A pipe that stays open gives what came until now.
        let _ = self.over.recv_timeout(REST);
        std::mem::take(&mut self.bytes.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Reads a pipe as it fills; a process whose pipe is full would wait.
fn listen(mut pipe: impl Read + Send + 'static) -> Heard {
    let bytes = Arc::new(Mutex::new(Vec::new()));
    let (say, over) = mpsc::channel();
    let heard = Arc::clone(&bytes);
    thread::spawn(move || {
        let mut part = [0; 8192];
        while let Ok(len @ 1..) = pipe.read(&mut part) {
            let mut heard = heard.lock().unwrap_or_else(PoisonError::into_inner);
            heard.extend_from_slice(&part[..len]);
        }
        // Nobody may be waiting any more.
        let _ = say.send(());
    });
    Heard { bytes, over }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn what_a_process_says_and_how_it_ends_is_told() {
        let ended = run(&mut shell("echo out; echo err >&2; exit 3"), RUN).expect("sh is there");
        assert_eq!(ended.status.and_then(|status| status.code()), Some(3));
        assert_eq!(
            (&ended.stdout[..], &ended.stderr[..]),
            (&b"out\n"[..], &b"err\n"[..])
        );
    }

    #[test]
    fn more_than_a_pipe_holds_is_read_while_it_comes() {
        let script = "i=0; while [ $i -lt 3000 ]; do echo 0123456789012345678901234567890123456789; i=$((i+1)); done";
        let ended = run(&mut shell(script), RUN).expect("sh is there");
        assert_eq!(ended.stdout.len(), 3000 * 41);
    }

    #[test]
    #[should_panic(expected = "its output:\nfirst words")]
    fn who_hangs_is_ended_and_what_it_said_is_shown() {
        output(
            &mut shell("echo first words; exec sleep 1000"),
            Duration::from_millis(300),
        );
    }

    #[test]
    fn a_watchdog_ends_who_takes_too_long_and_is_called_off_by_dropping_it() {
        let begin = || start(&mut shell("exec sleep 1000")).expect("sh is there");
        let (mut child, mark) = begin();
        let dog = Watchdog::over(&child, mark, Duration::from_millis(50));
        assert!(!child.wait().expect("it's waited for").success());
        drop(dog);

        let (mut child, mark) = begin();
        drop(Watchdog::over(&child, mark, Duration::from_secs(1000)));
        assert!(child.try_wait().expect("it's asked").is_none());
        child.kill().expect("it runs");
        child.wait().expect("it's waited for");
    }

    #[test]
    fn the_processor_time_of_descendants_is_counted() {
        let script = "sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done'; exit 3";
        let (child, mark) = start(&mut shell(script)).expect("sh is there");
        let (status, work) = wait_and_count(child, &mark, RUN).expect("it's waited for");
        assert_eq!(status.and_then(|status| status.code()), Some(3));
        let work = work.expect("the system reports it");
        assert!(work > Duration::ZERO);
        assert!(work_of_all() >= work);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn nothing_that_was_started_is_left_not_even_what_has_become_a_daemon() {
        let script = "(setsid sleep 1001 >/dev/null 2>&1 &) ; sleep 1002 & echo $$; sleep 1003";
        let (child, mark) = start(shell(script).stdout(Stdio::null())).expect("sh is there");
        // Some shells become the last of their commands.
        let all = |found: usize| found >= 3;
        for _ in 0..2000 {
            if all(mark.processes(child.id()).len()) {
                break;
            }
            thread::sleep(Duration::from_millis(5));
        }
        assert!(all(mark.processes(child.id()).len()));
        let id = child.id();
        let (ended, _) = wait_and_count(child, &mark, Duration::ZERO).expect("it's waited for");
        assert!(ended.is_none());
        assert_eq!(mark.processes(id), Vec::<u32>::new());
    }
}
