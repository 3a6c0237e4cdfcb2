//! What measures calls from Rust: this command itself, which `rustbridge bench` starts as it does the programs of the other languages.
//! What a batch is has to be the same in those, which are among the templates.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;

use super::load;
use crate::command::call::{CallTarget, close, seconds};
use crate::problem::Problem;

/// A batch is long enough for the clock.
const LEAST: Duration = Duration::from_millis(1);

/// What the programs of all languages are given.
#[derive(Args)]
pub(crate) struct Arguments {
    #[arg(value_parser = seconds)]
    time: Duration,
    /// Where the times go.
    out: PathBuf,
    /// For each call a library, a file with its configuration or nothing, a method, its encoding, and a file with the request.
    calls: Vec<String>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Problem> {
    let mut lines = String::new();
    for (index, call) in arguments.calls.chunks(5).enumerate() {
        let [library, config, method, _, request] = call else {
            return Err(Problem::new("a call is told by five things"));
        };
        let config = (!config.is_empty()).then(|| Path::new(config));
        let plugin = load(Path::new(library), config)?;
        let called = CallTarget::of(&plugin, method)?;
        let request = fs::read(request).map_err(Problem::new)?;
        for time in measured(&called, &request, arguments.time)? {
            lines.push_str(&format!("{index} {time}\n"));
        }
        close(plugin)?;
    }
    fs::write(&arguments.out, lines).map_err(Problem::new)
}

/// How many nanoseconds a call took in each batch.
fn measured(called: &CallTarget, request: &[u8], time: Duration) -> Result<Vec<f64>, Problem> {
    let batch = |calls: u64| {
        let began = Instant::now();
        for _ in 0..calls {
            called.once_quietly(request)?;
        }
        Ok(began.elapsed())
    };
    let mut calls = 1;
    while batch(calls)? < LEAST {
        calls *= 2;
    }
    let began = Instant::now();
    while began.elapsed() < time / 2 {
        batch(calls)?;
    }
    let mut times = Vec::new();
    let began = Instant::now();
    while times.is_empty() || began.elapsed() < time {
        times.push(batch(calls)?.as_nanos() as f64 / calls as f64);
    }
    Ok(times)
}
