//! A program that runs on, and what it says meanwhile.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;

use anyhow::{Context as _, Result};
use child_process::Mark;

/// A program that ends with this, and all it has started.
pub struct Running {
    child: Child,
    mark: Mark,
    /// The lines of its standard output, as they come.
    pub lines: Receiver<String>,
}

impl Running {
    pub fn start(command: &mut Command) -> Result<Running> {
        command.stdin(Stdio::null()).stdout(Stdio::piped());
        let (mut child, mark) =
            child_process::start(command).with_context(|| format!("starting {command:?}"))?;
        let out = child.stdout.take().context("its output is piped")?;
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            let lines = BufReader::new(out).lines().map_while(Result::ok);
            lines
                .map(|line| sender.send(line))
                .take_while(Result::is_ok)
                .count()
        });
        Ok(Running { child, mark, lines })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Nobody is there to be told any more.
        let _ = child_process::terminate(&mut self.child, &self.mark);
    }
}
