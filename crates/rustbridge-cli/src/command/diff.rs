//! `rustbridge diff`.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use rustbridge_description::Description;
use rustbridge_description::types::{Difference, differences};
use serde_json::{Value, json};

use crate::problem::Problem;
use crate::subject::Subject;
use crate::visible::visible;

/// What `diff` takes.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The older version: a plugin's library, or a file with its description (`.rbdesc`).
    #[arg(value_name = "OLD")]
    old: PathBuf,
    /// The newer version.
    #[arg(value_name = "NEW")]
    new: PathBuf,
    /// Print a JSON array: for each difference `of`, `path`, `what` and `breaks`.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Problem> {
    let (old, new) = (
        Subject::at(arguments.old.clone()),
        Subject::at(arguments.new.clone()),
    );
    let texts = (old.describe()?, new.describe()?);
    let (before, after) = (read(&old, &texts.0)?, read(&new, &texts.1)?);
    let found = differences(&before, &after).map_err(Problem::new)?;
    let breaking = found.iter().filter(|found| found.change.breaks).count();
    if arguments.json {
        let found: Vec<Value> = found.iter().map(as_json).collect();
        writeln!(io::stdout(), "{:#}", Value::from(found)).map_err(Problem::new)?;
    } else {
        for found in &found {
            writeln!(
                io::stdout(),
                "{:<7}  {}",
                mark(found),
                visible(&found.to_string())
            )
            .map_err(Problem::new)?;
        }
        if found.is_empty() {
            writeln!(io::stdout(), "no difference for clients and hosts").map_err(Problem::new)?;
        }
    }
    match breaking {
        0 => Ok(()),
        _ => Err(Problem::answer(format_args!(
            "what was written for `{}` can't go on with `{}`: {breaking} of {} differences {}",
            old.path().display(),
            new.path().display(),
            found.len(),
            if breaking == 1 {
                "breaks it"
            } else {
                "break it"
            },
        ))),
    }
}

/// What a difference does to what was written for the older one, in a word.
pub(crate) fn mark(found: &Difference) -> &'static str {
    if found.change.breaks {
        "breaks"
    } else {
        "differs"
    }
}

fn read<'d>(subject: &Subject, text: &'d [u8]) -> Result<Description<'d, Value>, Problem> {
    Description::read(text)
        .map_err(|error| Problem::new(format_args!("`{}`: {error}", subject.path().display())))
}

fn as_json(found: &Difference) -> Value {
    json!({
        "of": found.of,
        "path": found.change.path,
        "what": found.change.what,
        "breaks": found.change.breaks,
    })
}
