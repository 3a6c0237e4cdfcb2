//! What a command is about: a plugin's library, or a description that was kept.

use std::ffi::OsStr;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;
use std::{env, fs, io, thread};

use clap::Args;
use rustbridge_core::Load;
use rustbridge_gen::ClientSchema;

use crate::problem::Problem;

/// What a file's name ends with that holds a description.
pub(crate) const DESCRIPTION: &str = "rbdesc";

/// How long a plugin may take to describe itself.
const LIMIT: Duration = Duration::from_secs(30);

/// A plugin, as the command line names it.
#[derive(Args, Clone, Debug)]
pub(crate) struct Subject {
    /// The plugin's library, or a file with its description (`.rbdesc`), as `gen` keeps one.
    #[arg(value_name = "PLUGIN")]
    path: PathBuf,
}

impl Subject {
    /// What is there.
    pub(crate) fn at(path: PathBuf) -> Subject {
        Subject { path }
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The file that it's described in, if it's no library.
    pub(crate) fn is_description(&self) -> bool {
        self.path.extension() == Some(OsStr::new(DESCRIPTION))
    }

    /// What it says of itself. A library's code runs in a process of its own for that.
    pub(crate) fn describe(&self) -> Result<Vec<u8>, Problem> {
        if self.is_description() {
            return fs::read(&self.path).map_err(|error| {
                Problem::new(format_args!(
                    "`{}` can't be read: {error}",
                    self.path.display()
                ))
            });
        }
        self.describe_apart().map_err(|error| {
            Problem::new(format_args!(
                "`{}` can't be described: {error}",
                self.path.display()
            ))
        })?
    }

    /// Reads its description, for a client.
    pub(crate) fn read(&self, described: &[u8]) -> Result<ClientSchema, Problem> {
        ClientSchema::read(described)
            .map_err(|error| Problem::new(format_args!("`{}`: {error}", self.path.display())))
    }

    /// Lets a client use the types of this plugin's client. Returns a note for each type that the client has itself.
    pub(crate) fn import(
        &self,
        client_schema: &mut ClientSchema,
        namespace: &str,
    ) -> Result<Vec<String>, Problem> {
        let other = self.read(&self.describe()?)?;
        Ok(client_schema.import(namespace, other))
    }

    /// Prints what a library says of itself, by loading it.
    pub(crate) fn describe_here(&self) -> Result<(), Problem> {
        let described = Load::path(&self.path).describe().map_err(Problem::new)?;
        io::stdout()
            .write_all(described.as_bytes())
            .map_err(Problem::new)
    }

    fn describe_apart(&self) -> io::Result<Result<Vec<u8>, Problem>> {
        let mut child = Command::new(env::current_exe()?)
            .arg("describe")
            .arg("--")
            .arg(&self.path)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let said = read_all(child.stdout.take());
        let complaints = read_all(child.stderr.take());
        let described = said.recv_timeout(LIMIT);
        if described.is_err() {
            child.kill()?;
        }
        let status = child.wait()?;
        Ok(match described {
            Ok(described) if status.success() => Ok(described),
            Ok(_) => {
                let complaints = complaints.recv_timeout(LIMIT).unwrap_or_default();
                let complaints = String::from_utf8_lossy(&complaints);
                let complaints = complaints.trim();
                Err(Problem::new(match complaints.strip_prefix("error: ") {
                    Some(problem) => problem.to_owned(),
                    None => format!(
                        "`{}` ended the process that described it ({status}): {complaints}",
                        self.path.display()
                    ),
                }))
            }
            Err(_) => Err(Problem::new(format_args!(
                "describing `{}` timed out after {} s",
                self.path.display(),
                LIMIT.as_secs()
            ))),
        })
    }
}

/// Reads a pipe to its end on a thread of its own, so that nobody waits for whoever holds it for ever.
fn read_all(pipe: Option<impl Read + Send + 'static>) -> mpsc::Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            // What came before a failure is shown all the same.
            let _ = pipe.read_to_end(&mut bytes);
        }
        let _ = sender.send(bytes);
    });
    receiver
}
