//! `rustbridge completions`.

use std::io;

use clap::{Args, Command};
use clap_complete::Shell;

use crate::problem::Problem;

/// What `completions` takes.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The shell.
    shell: Shell,
}

pub(crate) fn run(arguments: &Arguments, command: &mut Command) -> Result<(), Problem> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, command, "rustbridge", &mut script);
    io::Write::write_all(&mut io::stdout(), &script).map_err(Problem::new)
}
