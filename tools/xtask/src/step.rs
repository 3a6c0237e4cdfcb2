//! One piece of work: commands with a time limit, a log of what they print, and checks that count.

use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};

use crate::counts::{self, Counts};
use crate::progress::{self, Task, seconds};
use crate::suite;
use crate::tools::shown;
use crate::workspace::Workspace;

/// How many of its last lines a command that had to be ended is shown with.
const TAIL: usize = 40;

/// A tool that a suite needs and that the machine lacks. On CI that is a failure.
#[derive(Debug)]
pub struct Missing(pub String);

/// Something that cannot be done here, whatever is installed: another system's tool, or a database out of reach.
#[derive(Debug)]
pub struct Unavailable(pub String);

impl Missing {
    /// A tool that `doctor` knows.
    pub fn tool(name: &str) -> Missing {
        Missing(format!(
            "no {name}; `cargo xtask doctor` shows how to get it"
        ))
    }
}

impl std::fmt::Display for Missing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::fmt::Display for Unavailable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Missing {}
impl std::error::Error for Unavailable {}

/// One piece of work: the commands it runs, their output in one log file, and the tests they counted.
pub struct Step<'a> {
    pub workspace: &'a Workspace,
    path: PathBuf,
    log: File,
    /// The tests so far.
    pub counts: Counts,
    /// Test commands that failed; the step goes on so that one run shows all of them.
    failures: Vec<String>,
    /// Parts that were left out, with the reason.
    pub skipped: Vec<String>,
    /// What its commands have taken of the processors, where the system tells.
    pub work: Duration,
    /// What each command gets, and when all of it is to be over.
    limit: Duration,
    deadline: Instant,
    /// Shows which command is running.
    task: Task,
    /// How far its commands leave the processors to others that want them.
    nice: u8,
}

impl<'a> Step<'a> {
    pub fn start(workspace: &'a Workspace, name: &str) -> Result<Step<'a>> {
        let folder = workspace.target.join("xtask").join("logs");
        fs::create_dir_all(&folder).with_context(|| format!("making {}", folder.display()))?;
        let path = folder.join(format!("{name}.log"));
        let log = File::options()
            .create(true)
            .truncate(true)
            .read(true)
            .write(true)
            .open(&path)
            .with_context(|| format!("writing {}", path.display()))?;
        let limit = suite::limit_of(name)?;
        Ok(Step {
            workspace,
            path,
            log,
            counts: Counts::default(),
            failures: Vec::new(),
            skipped: Vec::new(),
            work: Duration::ZERO,
            limit,
            deadline: Instant::now() + limit,
            task: Task::begin(name),
            nice: 0,
        })
    }

    /// How far the commands that follow leave the processors to others that want them: see [`child_process::lower_priority`].
    pub fn lower_priority(&mut self, nice: u8) {
        self.nice = nice;
    }

    /// Gives each command and all that is to come this much time, instead of what a test gets.
    pub fn within(mut self, command: Duration, whole: Duration) -> Step<'a> {
        self.limit = command;
        self.deadline = Instant::now() + whole;
        self
    }

    /// Waits for another piece of work, which is shown instead.
    pub fn wait<T>(&self, wait: impl FnOnce() -> T) -> T {
        self.task.waits(true);
        let result = wait();
        self.task.waits(false);
        result
    }

    /// Writes a line into the log.
    pub fn note(&mut self, text: &str) -> Result<()> {
        writeln!(self.log, "{text}").context("writing the log")
    }

    /// Runs a command that has to succeed; what it printed is returned, both streams.
    pub fn run(&mut self, command: &mut Command) -> Result<String> {
        let (status, output) = self.execute(command)?;
        if !status.success() {
            bail!("`{}` failed: {status}", shown(command));
        }
        Ok(output)
    }

    /// Runs tests. A failure is kept for the end, so that what follows runs too. A run that executes no test at all
    /// is a failure: it would always pass.
    pub fn test(
        &mut self,
        command: &mut Command,
        count: impl FnOnce(&str) -> Counts,
    ) -> Result<()> {
        let counts = self.count(command, count, |counts, _| {
            (counts.total() == 0).then(|| "ran no test".to_owned())
        })?;
        self.counts += counts;
        Ok(())
    }

    /// Runs programs with tests in Rust as one run; some of them may have none.
    pub fn test_each(&mut self, commands: impl IntoIterator<Item = Command>) -> Result<()> {
        /// The last line of each, also of one without a test.
        const END: &str = "test result: ";
        let before = self.counts.total();
        for mut command in commands {
            let counts = self.count(&mut command, counts::cargo_test, |_, output| {
                (!output.contains(END)).then(|| "exited 0 before its end".to_owned())
            })?;
            self.counts += counts;
        }
        match self.counts.total() == before {
            true => self.check("tests are run", Some("there was none".to_owned())),
            false => Ok(()),
        }
    }

    fn count(
        &mut self,
        command: &mut Command,
        count: impl FnOnce(&str) -> Counts,
        problem: impl FnOnce(&Counts, &str) -> Option<String>,
    ) -> Result<Counts> {
        let (status, output) = self.execute(command)?;
        let mut counts = count(&output);
        let problem = match &counts {
            _ if !status.success() => Some(format!("failed: {status}")),
            counts if counts.failed > 0 => Some("exited 0 but reports failed tests".to_owned()),
            counts => problem(counts, &output),
        };
        if let Some(problem) = problem {
            counts.failed = counts.failed.max(1);
            self.failures
                .push(format!("`{}` {problem}", shown(command)));
        }
        Ok(counts)
    }

    /// Counts one check of ours that is not a test runner's; `problem` says what is wrong, if something is.
    pub fn check(&mut self, name: &str, problem: Option<String>) -> Result<()> {
        match problem {
            None => {
                self.counts.passed += 1;
                self.note(&format!("ok: {name}"))
            }
            Some(problem) => {
                self.counts.failed += 1;
                self.note(&format!("FAILED: {name}: {problem}"))?;
                self.failures.push(format!("{name}: {problem}"));
                Ok(())
            }
        }
    }

    /// A part of this step that cannot be done here, with the reason. It's named in the closing lines.
    pub fn skip(&mut self, what: &str, why: &str) -> Result<()> {
        self.counts.skipped += 1;
        self.skipped.push(format!("{what}: {why}"));
        self.note(&format!("skipped: {what}: {why}"))
    }

    /// Says that nobody needs this folder of the target folder any more, which goes if nothing is built a second time here. What
    /// has failed is left as it is: an input that the fuzzer found is in there.
    pub fn done_with(&mut self, folder: &str) -> Result<()> {
        let folder = self.workspace.target.join(folder);
        if !self.workspace.built_once || !self.failures.is_empty() || !folder.exists() {
            return Ok(());
        }
        fs::remove_dir_all(&folder).with_context(|| format!("removing {}", folder.display()))?;
        self.note(&format!("removed {}", folder.display()))
    }

    /// The end: an error if any of the tests failed.
    pub fn finish(&mut self) -> Result<()> {
        if self.failures.is_empty() {
            return Ok(());
        }
        bail!("{}", self.failures.join("; "))
    }

    /// The whole log, for showing a failure.
    pub fn read_log(&self) -> String {
        progress::clear();
        fs::read(&self.path).map_or_else(
            |error| error.to_string(),
            |bytes| String::from_utf8_lossy(&bytes).into_owned(),
        )
    }

    /// Runs a command that may end otherwise than with 0; returns how it ended and what it printed.
    pub fn execute(&mut self, command: &mut Command) -> Result<(ExitStatus, String)> {
        self.note(&format!("$ {}", shown(command)))?;
        let start = self.log.seek(SeekFrom::End(0)).context("writing the log")?;
        // Both streams go straight to the file, so that a hanging grandchild can never keep us waiting for a pipe.
        // Windows and Unix both append through the shared cursor of a duplicated handle.
        let stdout = self.log.try_clone().context("writing the log")?;
        let stderr = self.log.try_clone().context("writing the log")?;
        let began = Instant::now();
        let limit = self
            .limit
            .min(self.deadline.saturating_duration_since(began));
        let (child, mark) =
            child_process::start(command.stdin(Stdio::null()).stdout(stdout).stderr(stderr))
                .with_context(|| format!("starting `{}`", shown(command)))?;
        if self.nice > 0 {
            child_process::lower_priority(&child, self.nice);
        }
        self.task.command(Some(shown(command)));
        let waited = child_process::wait_and_count(child, &mark, limit);
        self.task.command(None);
        let (status, work) = waited.context("waiting for a command")?;
        let bytes = fs::read(&self.path).context("reading the log")?;
        let output =
            String::from_utf8_lossy(bytes.get(start as usize..).unwrap_or_default()).into_owned();
        self.log.seek(SeekFrom::End(0)).context("writing the log")?;
        let took = seconds(began.elapsed());
        self.work += work.unwrap_or_default();
        let of_processors = work.map(|work| format!("; {} of processors", seconds(work)));
        self.note(&format!(
            "(took {took}{})",
            of_processors.unwrap_or_default()
        ))?;
        let Some(status) = status else {
            let whose = if limit < self.limit {
                " of its step"
            } else {
                ""
            };
            bail!(
                "`{}` and its child processes were ended after {took}: the time{whose} was over; the end of its output:\n{}",
                shown(command),
                tail(&output)
            );
        };
        Ok((status, output))
    }
}

/// The last lines of what was printed.
fn tail(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(TAIL)..].join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_run_without_tests_counts_as_a_failure() {
        let workspace = Workspace::find().expect("the workspace is there");
        let mut step = Step::start(&workspace, "self-test-none").expect("the log can be written");
        let mut command = workspace.cargo();
        step.test(command.arg("--version"), counts::cargo_test)
            .expect("cargo can be run");
        assert_eq!(
            step.counts,
            Counts {
                failed: 1,
                ..Counts::default()
            }
        );
        assert!(step.finish().is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_command_that_hangs_is_ended_with_what_it_started_and_its_last_words_are_shown() {
        let workspace = Workspace::find().expect("the workspace is there");
        let mut step = Step::start(&workspace, "self-test-hang")
            .expect("the log can be written")
            .within(Duration::from_secs(60), Duration::from_millis(500));
        let mut command = workspace.command("sh");
        command.args(["-c", "echo its word; sleep 1000 & sleep 1000"]);
        let error = step.run(&mut command).expect_err("it's ended");
        assert!(
            error
                .to_string()
                .contains("the end of its output:\nits word"),
            "{error}"
        );
    }
}
