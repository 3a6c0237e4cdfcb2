//! `rustbridge diff`: what becomes of clients of the one version that load the other, both ways.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use rustbridge_description::Description;
use rustbridge_description::types::{Difference, Effect, differences};
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
    /// Print a JSON array: for each difference whose `client` (`old` or `new`) meets the other version, `of`, `path`, `what`, the
    /// `effect`: `noted`, `resolved`, `fails_when_used` or `breaks`, and the `encodings` of the callers that it concerns, if it doesn't concern
    /// all.
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
    // What newer clients and older plugins can do together is said where it's less than everything.
    let mut backwards = differences(&after, &before).map_err(Problem::new)?;
    backwards.retain(is_failing);
    let breaking = found.iter().filter(|found| is_failing(found)).count();
    if arguments.json {
        let forwards = found.iter().map(|found| as_json("old", found));
        let backwards = backwards.iter().map(|found| as_json("new", found));
        let all: Vec<Value> = forwards.chain(backwards).collect();
        writeln!(io::stdout(), "{:#}", Value::from(all)).map_err(Problem::new)?;
    } else {
        print(&found)?;
        if found.is_empty() {
            writeln!(io::stdout(), "no difference for clients and hosts").map_err(Problem::new)?;
        }
        if !backwards.is_empty() {
            writeln!(
                io::stdout(),
                "\nclients and hosts of the newer version with the older plugin:"
            )
            .map_err(Problem::new)?;
            print(&backwards)?;
        }
    }
    match breaking {
        0 => Ok(()),
        _ => Err(Problem::answer(format_args!(
            "{} `{}` can't work with `{}`: {breaking} of {} differences {} them",
            concerned(&found),
            old.path().display(),
            new.path().display(),
            found.len(),
            if breaking == 1 { "breaks" } else { "break" },
        ))),
    }
}

/// Reports whether calls fail because of a difference.
fn is_failing(found: &Difference) -> bool {
    found.change.effect > Effect::Resolved
}

fn print(found: &[Difference]) -> Result<(), Problem> {
    for found in found {
        let text = visible(&found.to_string());
        let whom = whom(found);
        writeln!(io::stdout(), "{:<7}  {text}{whom}", mark(found)).map_err(Problem::new)?;
    }
    Ok(())
}

/// The callers that a difference breaks, if others go on.
pub(crate) fn whom(found: &Difference) -> String {
    if !is_failing(found) || found.encodings.is_empty() {
        return String::new();
    }
    format!(" (callers in {} only)", listed(&found.encodings))
}

/// The programs that can't go on: those that call in some encodings, if typed clients and the others can.
fn concerned(found: &[Difference]) -> String {
    let breaking = found.iter().filter(|found| is_failing(found));
    let mut encodings: Vec<String> = Vec::new();
    for found in breaking {
        if found.encodings.is_empty() {
            return "callers built for".to_owned();
        }
        encodings.extend(found.encodings.iter().cloned());
    }
    encodings.sort();
    encodings.dedup();
    format!("callers in {} built for", listed(&encodings))
}

fn listed(encodings: &[String]) -> String {
    let quoted: Vec<String> = encodings
        .iter()
        .map(|encoding| format!("`{encoding}`"))
        .collect();
    visible(&quoted.join(", "))
}

/// What a difference does to who was written for the other version, in a word.
pub(crate) fn mark(found: &Difference) -> &'static str {
    match found.change.effect {
        Effect::Noted => "notes",
        Effect::Resolved => "differs",
        Effect::FailsWhenUsed => "fails",
        Effect::Breaks => "breaks",
    }
}

fn read<'d>(subject: &Subject, text: &'d [u8]) -> Result<Description<'d, Value>, Problem> {
    Description::read(text)
        .map_err(|error| Problem::new(format_args!("`{}`: {error}", subject.path().display())))
}

fn as_json(client: &str, found: &Difference) -> Value {
    json!({
        "client": client,
        "of": found.of,
        "path": found.change.path,
        "what": found.change.what,
        "encodings": found.encodings,
        "effect": match found.change.effect {
            Effect::Noted => "noted",
            Effect::Resolved => "resolved",
            Effect::FailsWhenUsed => "fails_when_used",
            Effect::Breaks => "breaks",
        },
    })
}
