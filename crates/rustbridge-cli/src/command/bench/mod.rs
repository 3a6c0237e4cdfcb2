//! `rustbridge bench`.

mod host;
pub(crate) mod measure;
mod measured_call;
mod table;

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf, absolute};
use std::time::Duration;

use clap::Args;
use rustbridge_core::{Load, Plugin};
use rustbridge_description::UNARY;
use tempfile::TempDir;

use self::host::Host;
use self::measured_call::MeasuredCall;
use self::table::Table;
use crate::command::call::{CallTarget, close, given, refused, seconds};
use crate::language::Language;
use crate::packages::Packages;
use crate::problem::Problem;
use crate::visible::visible;

/// What `bench` takes.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The plugin's library.
    #[arg(value_name = "PLUGIN")]
    plugin: PathBuf,
    /// Methods, each with what it's called with behind it: JSON, or `@FILE` for what's in a file; without it nothing.
    #[arg(
        value_name = "METHOD [REQUEST]",
        required = true,
        allow_negative_numbers = true
    )]
    calls: Vec<String>,
    /// The hosts' languages, with commas between them; without it those whose tools are here. Kotlin calls as Java does.
    #[arg(long, value_name = "LANGUAGES", value_delimiter = ',')]
    host: Vec<Language>,
    /// How long each method is called in each host, after half of that to warm up.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "1")]
    seconds: Duration,
    /// The plugin's configuration: JSON or `@FILE`.
    #[arg(long, value_name = "JSON")]
    config: Option<String>,
    /// The folder that `cargo xtask package` has written, if this command isn't in it.
    #[arg(long, value_name = "FOLDER")]
    packages: Option<PathBuf>,
    /// Print it as JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Problem> {
    if arguments.host.contains(&Language::Kotlin) {
        return Err(Problem::new(
            "Kotlin calls as Java does: measure that, by `--host java`",
        ));
    }
    let packages = Packages::find(arguments.packages.as_deref())?;
    let work = TempDir::new().map_err(Problem::new)?;
    let calls = calls(arguments, &packages, work.path())?;
    let mut table = Table::new(arguments.seconds, &calls);
    for language in host::LANGUAGES {
        let is_asked = arguments.host.contains(&language);
        if !arguments.host.is_empty() && !is_asked {
            continue;
        }
        eprintln!("{:>9}  calls from {}", "measuring", host::title(language));
        let host = Host {
            packages: &packages,
            work: work.path(),
            calls: &calls,
            time: arguments.seconds,
        };
        match host.measure(language) {
            Ok(rows) => table.rows.extend(rows),
            Err(problem) if is_asked => return Err(problem),
            // Tools that are there by half are as good as none.
            Err(problem) => table.left_out.push((host::title(language), problem)),
        }
    }
    let mut out = io::stdout();
    let printed = if arguments.json {
        writeln!(out, "{}", table.json())
    } else {
        write!(out, "{}", visible(&table.to_string()))
    };
    printed.map_err(Problem::new)
}

/// The calls that are asked for, the first being the empty one. Each has been made once and answered.
fn calls(
    arguments: &Arguments,
    packages: &Packages,
    work: &Path,
) -> Result<Vec<MeasuredCall>, Problem> {
    let mut calls = vec![MeasuredCall {
        library: packages.empty_plugin()?,
        config: None,
        method: "empty".to_owned(),
        is_text: true,
        request: Vec::new(),
        request_file: PathBuf::new(),
    }];
    let given_twice = arguments.calls.iter().chain(&arguments.config);
    if given_twice.filter(|text| *text == "-").count() > 1 {
        return Err(Problem::new(
            "standard input can be read only once: pass the others as `@FILE`",
        ));
    }
    let config = arguments.config.as_deref().map(given).transpose()?;
    let config_file = config.as_ref().map(|_| work.join("config"));
    if let (Some(config), Some(file)) = (&config, &config_file) {
        fs::write(file, config).map_err(Problem::new)?;
    }
    let library = absolute(&arguments.plugin).map_err(Problem::new)?;
    let plugin = load(&library, config_file.as_deref())?;
    let mut left = arguments.calls.iter().peekable();
    while let Some(name) = left.next() {
        let called = CallTarget::of(&plugin, name)?;
        if called.kind != UNARY {
            return Err(Problem::new(format_args!(
                "`{name}` has the kind `{}`, expected a unary method",
                called.kind
            )));
        }
        let request = left.next_if(|next| !is_name(next));
        let request = request.map_or_else(|| Ok(Vec::new()), |request| given(request))?;
        called.once_quietly(&request)?;
        calls.push(MeasuredCall {
            library: library.clone(),
            config: config_file.clone(),
            method: name.clone(),
            is_text: called.is_text,
            request,
            request_file: PathBuf::new(),
        });
    }
    close(plugin)?;
    for (index, call) in calls.iter_mut().enumerate() {
        call.request_file = work.join(format!("request-{index}"));
        fs::write(&call.request_file, &call.request).map_err(Problem::new)?;
    }
    Ok(calls)
}

/// Whether it's a method's name, and not what one is called with: JSON, a file.
fn is_name(text: &str) -> bool {
    let begins_so = text.starts_with(|letter: char| letter.is_alphabetic() || letter == '_');
    begins_so && !["true", "false", "null"].contains(&text)
}

fn load(library: &Path, config: Option<&Path>) -> Result<Plugin, Problem> {
    let mut load = Load::path(library);
    if let Some(file) = config {
        load = load.config(fs::read(file).map_err(Problem::new)?);
    }
    load.open().map_err(|error| refused(&error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_requests_are_told_apart() {
        for name in ["greet", "math.add", "_x", "größe", "nullify"] {
            assert!(is_name(name), "{name}");
        }
        for request in [
            "{}", "[1]", "\"a\"", "-1", "1.5", "@file", "null", "true", "",
        ] {
            assert!(!is_name(request), "{request}");
        }
    }
}
