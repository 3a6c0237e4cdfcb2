//! Runs a command under supervision: `supervised COMMAND ARGUMENT...`. The tests signal it.

use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    #[cfg(unix)]
    if let Some(code) = child_process::supervise() {
        return code;
    }
    let mut arguments = std::env::args_os().skip(1);
    let Some(program) = arguments.next() else {
        eprintln!("usage: supervised COMMAND ARGUMENT...");
        return ExitCode::from(2);
    };
    let status =
        child_process::start(Command::new(program).args(arguments)).and_then(|(child, mark)| {
            child_process::wait_and_count(child, &mark, child_process::BUILD)
        });
    match status {
        Ok((Some(status), _)) => ExitCode::from(status.code().map_or(1, |code| code as u8)),
        Ok((None, _)) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("supervised: {error}");
            ExitCode::FAILURE
        }
    }
}
