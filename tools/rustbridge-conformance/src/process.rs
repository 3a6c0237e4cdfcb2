//! The program that is a testee: the pipes to it, the time it's given, and its end.

use std::collections::VecDeque;
use std::io::{BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rustbridge_abi::Status;

use crate::host::Fault;
use crate::protocol::{BREACH, Frame, Hello, Message};

/// So much of what it says on the standard error is kept for a message.
const SAID: usize = 8 * 1024;

/// The program and the pipes to it.
pub(crate) struct Process {
    child: Arc<Mutex<Child>>,
    commands: Option<ChildStdin>,
    results: BufReader<ChildStdout>,
    said: Arc<Mutex<VecDeque<u8>>>,
    listener: Option<JoinHandle<()>>,
    pub(crate) watch: Watch,
    /// Numbers of instances that are free to be used.
    pub(crate) free: Vec<u8>,
}

impl Process {
    pub(crate) fn start(command: &mut Command) -> Result<Process, String> {
        let shown = format!("{command:?}");
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|problem| format!("{shown}: {problem}"))?;
        let commands = child.stdin.take();
        let results = BufReader::new(child.stdout.take().expect("it was piped"));
        let mut errors = child.stderr.take().expect("it was piped");
        let said = Arc::new(Mutex::new(VecDeque::new()));
        let heard = Arc::clone(&said);
        let listener = thread::spawn(move || {
            let mut part = [0; 4096];
            while let Ok(len @ 1..) = errors.read(&mut part) {
                let mut heard = heard.lock().unwrap_or_else(PoisonError::into_inner);
                heard.extend(&part[..len]);
                let old = heard.len().saturating_sub(SAID);
                heard.drain(..old);
            }
        });
        let child = Arc::new(Mutex::new(child));
        Ok(Process {
            watch: Watch::start(Arc::clone(&child)),
            child,
            commands,
            results,
            said,
            listener: Some(listener),
            free: (0..200).rev().collect(),
        })
    }

    pub(crate) fn hello(&mut self, limit: Duration) -> Result<Hello, Fault> {
        self.watch.set(Some(limit));
        let (status, bytes) = self.tell(&Message(vec![b'H']))?;
        if status != Status::Ok {
            return Err(format!("the testee begins with {status}").into());
        }
        Ok(Hello::parse(&String::from_utf8_lossy(&bytes))?)
    }

    /// Sends a command and reads its result.
    pub(crate) fn tell(&mut self, command: &Message) -> Result<(Status, Vec<u8>), Fault> {
        let letter = command.0[0];
        let told = self.exchange(command);
        let frame = match told {
            Ok(frame) => frame,
            Err(problem) => return Err(self.gone(&problem.to_string())),
        };
        if frame.letter != letter {
            let problem = format!(
                "it answered {:?} with {:?}",
                char::from(letter),
                char::from(frame.letter)
            );
            return Err(self.gone(&problem));
        }
        if frame.status == BREACH {
            return Err(String::from_utf8_lossy(&frame.bytes).into_owned().into());
        }
        let status = Status::from_code(frame.status);
        if status.code() == frame.status {
            Ok((status, frame.bytes))
        } else {
            Err(format!("{} is no status", frame.status).into())
        }
    }

    fn exchange(&mut self, command: &Message) -> std::io::Result<Frame> {
        let commands = self
            .commands
            .as_mut()
            .ok_or(std::io::ErrorKind::BrokenPipe)?;
        commands.write_all(&command.0)?;
        commands.flush()?;
        Frame::read(&mut self.results)
    }

    /// Makes sure that it is, and says why and what it said.
    fn gone(&mut self, problem: &str) -> Fault {
        drop(self.commands.take());
        let hung = self.watch.has_fired();
        if !hung {
            // It may be on its way out, and then its own exit code says more than ours.
            self.wait(Duration::from_secs(2));
        }
        end(&self.child);
        let status = self.wait(Duration::from_secs(5));
        let why = if hung {
            "the testee hung and was ended".to_owned()
        } else {
            format!("the testee is gone ({problem}; it ended with {status})")
        };
        Fault {
            what: format!("{why}; its output:\n{}", self.said()),
            is_end: true,
        }
    }

    fn wait(&self, limit: Duration) -> String {
        let until = Instant::now() + limit;
        loop {
            let mut child = self.child.lock().unwrap_or_else(PoisonError::into_inner);
            match child.try_wait() {
                Ok(Some(status)) => return status.to_string(),
                Ok(None) if Instant::now() > until => return "nothing yet".to_owned(),
                Ok(None) => {}
                Err(problem) => return problem.to_string(),
            }
            drop(child);
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Waits for its end, which must be a good one: a memory checker says there what it found.
    pub(crate) fn terminate(&mut self) -> Result<(), Fault> {
        drop(self.commands.take());
        let mut rest = Vec::new();
        let read = self.results.read_to_end(&mut rest);
        let hung = self.watch.has_fired();
        let limit = Duration::from_secs(if hung { 5 } else { 60 });
        let status = self.wait(limit);
        self.watch.set(None);
        let problem = if hung {
            "it hung when there was nothing more to do"
        } else if read.is_err() || !rest.is_empty() {
            "it answered without a question"
        } else if status != "exit status: 0" && status != "exit code: 0" {
            "it didn't end well"
        } else {
            return Ok(());
        };
        end(&self.child);
        Err(Fault {
            what: format!("{problem} ({status}); its output:\n{}", self.said()),
            is_end: true,
        })
    }

    /// The last of what it said on its standard error.
    fn said(&mut self) -> String {
        // What was said last is on its way; a child of the testee's may hold the pipe open for good.
        let until = Instant::now() + Duration::from_secs(1);
        while self.listener.as_ref().is_some_and(|one| !one.is_finished()) && Instant::now() < until
        {
            thread::sleep(Duration::from_millis(5));
        }
        let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(said.make_contiguous()).into_owned()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.watch.set(None);
        if self.wait(Duration::ZERO) == "nothing yet" {
            end(&self.child);
            self.wait(Duration::from_secs(5));
        }
    }
}

/// Ends a testee with whatever it has started: a shell or Wine would leave its own child behind.
fn end(child: &Mutex<Child>) {
    let mut child = child.lock().unwrap_or_else(PoisonError::into_inner);
    if cfg!(unix) && matches!(child.try_wait(), Ok(None)) {
        let group = format!("-{}", child.id());
        let _ = Command::new("kill").args(["-KILL", "--", &group]).status();
    }
    let _ = child.kill();
}

/// Ends a testee that takes too long; the pipes to it end with it, so nobody waits for it.
pub(crate) struct Watch {
    state: Arc<(Mutex<WatchState>, Condvar)>,
}

#[derive(Default)]
struct WatchState {
    deadline: Option<Instant>,
    has_fired: bool,
    is_over: bool,
}

impl Watch {
    fn start(child: Arc<Mutex<Child>>) -> Watch {
        let state = Arc::new((Mutex::new(WatchState::default()), Condvar::new()));
        let watched = Arc::clone(&state);
        thread::spawn(move || {
            let (state, changed) = &*watched;
            let mut now = state.lock().unwrap_or_else(PoisonError::into_inner);
            while !now.is_over {
                let left = now
                    .deadline
                    .map(|deadline| deadline.saturating_duration_since(Instant::now()));
                now = match left {
                    Some(Duration::ZERO) => {
                        now.has_fired = true;
                        end(&child);
                        return;
                    }
                    Some(left) => {
                        let waited = changed.wait_timeout(now, left);
                        waited.unwrap_or_else(PoisonError::into_inner).0
                    }
                    None => changed.wait(now).unwrap_or_else(PoisonError::into_inner),
                };
            }
        });
        Watch { state }
    }

    /// From now on there's so much time, or as much as it takes.
    pub(crate) fn set(&self, limit: Option<Duration>) {
        let mut state = self.state.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.deadline = limit.map(|limit| Instant::now() + limit);
        self.state.1.notify_one();
    }

    fn has_fired(&self) -> bool {
        let state = self.state.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.has_fired
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let mut state = self.state.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.is_over = true;
        self.state.1.notify_one();
    }
}
