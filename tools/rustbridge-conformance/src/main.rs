//! The judge as a program: starts a testee, runs the cases on it, and says what was wrong. `conformance/README.md` has the usage.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use rustbridge_conformance::cases::{Case, Files};
use rustbridge_conformance::run::{self, CASE_LIMIT, Selection};
use rustbridge_conformance::testee::Testee;
use rustbridge_conformance::{libraries, report, system};

const USAGE: &str = "usage: rustbridge-conformance run [--host NAME] [--cases FOLDER] [--case PREFIX] [--way NAME] [--plugins FOLDER]
  [--limit SECONDS] [--total SECONDS] [--results FOLDER] [--platform NAME] --testee PROGRAM [ARGUMENT..]";

struct Options {
    host: Option<String>,
    cases: PathBuf,
    case: String,
    way: Option<String>,
    plugins: Option<PathBuf>,
    limit: Duration,
    total: Duration,
    results: Option<PathBuf>,
    platform: String,
    testee: Vec<OsString>,
}

fn main() -> ExitCode {
    let options = match parsed(env::args_os().skip(1)) {
        Ok(options) => options,
        Err(problem) => {
            eprintln!("{problem}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match judged(options) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

/// Runs the cases; whether all was right.
fn judged(options: Options) -> Result<bool, String> {
    let files = Files::read_from(&options.cases).map_err(|problem| problem.to_string())?;
    let command = options.testee;
    let make = move || {
        let mut started = Command::new(&command[0]);
        started.args(&command[1..]);
        started
    };
    let plugins = options.plugins;
    let library = move |plugin: rustbridge_conformance::cases::Plugin| {
        let package = plugin.package();
        let path = match &plugins {
            Some(folder) => folder.join(libraries::file_name(package)),
            None => libraries::path(package),
        };
        system::argument(&path).into()
    };
    let mut testee = Testee::start(make, library, options.limit)?;
    let report = run::all(
        &files,
        &mut testee,
        &Selection {
            case: &|case: &Case| case.id.starts_with(&options.case),
            way: &|way| options.way.as_deref().is_none_or(|wanted| wanted == way),
            until: Some(Instant::now() + options.total),
        },
    );
    print!("{report}");
    if let Some(folder) = &options.results {
        report
            .write(folder, &options.platform)
            .map_err(|problem| format!("{}: {problem}", folder.display()))?;
    }
    if let Some(wanted) = options.host.filter(|wanted| *wanted != report.host) {
        return Err(format!("this is {}, not {wanted}", report.host));
    }
    Ok(report.is_right())
}

fn parsed(mut arguments: impl Iterator<Item = OsString>) -> Result<Options, String> {
    if arguments.next().is_none_or(|verb| verb != "run") {
        return Err("there is one thing to do: run".to_owned());
    }
    let mut options = Options {
        host: None,
        cases: Files::folder(),
        case: String::new(),
        way: None,
        plugins: None,
        limit: CASE_LIMIT,
        total: Duration::from_secs(900),
        results: env::var_os(report::RESULTS).map(PathBuf::from),
        platform: report::platform(),
        testee: Vec::new(),
    };
    while let Some(option) = arguments.next() {
        let option = text(option)?;
        let mut value = || {
            let missing = || format!("{option} needs a value");
            arguments.next().ok_or_else(missing)
        };
        match &*option {
            "--host" => options.host = Some(text(value()?)?),
            "--cases" => options.cases = value()?.into(),
            "--case" => options.case = text(value()?)?,
            "--way" => options.way = Some(text(value()?)?),
            "--plugins" => options.plugins = Some(value()?.into()),
            "--limit" => options.limit = seconds(value()?)?,
            "--total" => options.total = seconds(value()?)?,
            "--results" => options.results = Some(value()?.into()),
            "--platform" => options.platform = text(value()?)?,
            "--testee" => {
                options.testee = arguments.collect();
                break;
            }
            _ => return Err(format!("{option} has no meaning")),
        }
    }
    if options.testee.is_empty() {
        return Err("there's no testee".to_owned());
    }
    Ok(options)
}

fn text(argument: OsString) -> Result<String, String> {
    argument
        .into_string()
        .map_err(|argument| format!("{} is no text", argument.display()))
}

fn seconds(argument: OsString) -> Result<Duration, String> {
    let text = text(argument)?;
    let number = text
        .parse()
        .map_err(|_| format!("`{text}` is no number of seconds"))?;
    Ok(Duration::from_secs_f64(number))
}
