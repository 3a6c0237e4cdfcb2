//! `rustbridge call`.

use std::io::{self, BufRead, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{fs, thread};

use clap::{Args, ValueEnum};
use rustbridge_core::{Encoding, Error, Level, Load, Method, Plugin, Record, Sender};
use rustbridge_description::{BIDI_STREAM, CLIENT_STREAM, Description, SERVER_STREAM, UNARY};
use serde_json::{Value, json};

use crate::problem::Problem;
use crate::times::Times;
use crate::visible::visible;

/// How long closing waits for what the plugin still does.
const CLOSING: Duration = Duration::from_secs(10);

/// How alike a name has to be to one that isn't there, 1 being the same.
const ALIKE: f64 = 0.8;

/// What `call` takes.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The plugin's library.
    #[arg(value_name = "PLUGIN")]
    plugin: PathBuf,
    /// The method, as `inspect` shows it.
    #[arg(value_name = "METHOD")]
    method: String,
    #[command(flatten)]
    with: With,
}

/// What a method is called with, and how its answer is shown.
#[derive(Args)]
pub(crate) struct With {
    /// What it's called with: JSON, `@FILE` for what's in a file, `-` for standard input; without it nothing.
    #[arg(value_name = "REQUEST", allow_negative_numbers = true)]
    request: Option<String>,
    /// What is sent to a method that takes a stream, a line for each item: the lines, `@FILE`, or `-` for standard input.
    #[arg(long, value_name = "LINES", allow_negative_numbers = true)]
    items: Option<String>,
    /// The plugin's configuration: JSON, `@FILE` or `-`.
    #[arg(long, value_name = "JSON")]
    config: Option<String>,
    /// Give the call up after so many seconds.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    timeout: Option<Duration>,
    /// Call so often, and tell how long it took.
    #[arg(long, value_name = "TIMES", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    repeat: Option<u32>,
    /// Show what the plugin logs from this level on, on standard error.
    #[arg(long, value_name = "LEVEL")]
    log: Option<ShownLevel>,
    /// Print each answer on one line, and failures and times as JSON, too.
    #[arg(long)]
    json: bool,
}

/// The levels, as they are written.
#[derive(Clone, Copy, ValueEnum)]
enum ShownLevel {
    Error,
    Warn,
    Info,
    Debug,
    Trace,
}

impl ShownLevel {
    fn level(self) -> Level {
        match self {
            ShownLevel::Error => Level::Error,
            ShownLevel::Warn => Level::Warn,
            ShownLevel::Info => Level::Info,
            ShownLevel::Debug => Level::Debug,
            ShownLevel::Trace => Level::Trace,
        }
    }
}

pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Problem> {
    arguments.with.check()?;
    let plugin = arguments.with.open(&arguments.plugin)?;
    let result = arguments.with.call(&plugin, &arguments.method);
    let closed = close(plugin);
    result.and(closed)
}

/// Ends an instance, when what it still does is over.
pub(crate) fn close(plugin: Plugin) -> Result<(), Problem> {
    plugin.close(CLOSING).map_err(Problem::new)
}

impl With {
    /// Whether all of it can be had at once.
    pub(crate) fn check(&self) -> Result<(), Problem> {
        if self.reads_input() > 1 {
            return Err(Problem::new(
                "standard input can be read only once: pass the others as `@FILE`",
            ));
        }
        if self.repeat.is_some() && self.items.as_deref() == Some("-") {
            return Err(Problem::new(
                "standard input can be read only once, so it doesn't work with `--repeat`: pass the items as `--items @FILE`",
            ));
        }
        Ok(())
    }

    /// For how many things standard input is to be read.
    pub(crate) fn reads_input(&self) -> usize {
        let given = [&self.request, &self.items, &self.config];
        let from_input = given.iter().filter(|text| text.as_deref() == Some("-"));
        from_input.count()
    }

    /// Loads a plugin.
    pub(crate) fn open(&self, library: &Path) -> Result<Plugin, Problem> {
        let mut load = Load::path(library);
        if let Some(config) = &self.config {
            load = load.config(given(config)?);
        }
        if let Some(level) = self.log {
            load = load.log(level.level(), Box::new(show));
        }
        load.open().map_err(|error| refused(&error))
    }

    /// Calls a method, and prints its answer.
    pub(crate) fn call(&self, plugin: &Plugin, method: &str) -> Result<(), Problem> {
        let request = self.request.as_deref().map(given).transpose()?;
        CallTarget::of(plugin, method)?.call(self, &request.unwrap_or_default())
    }
}

/// What an argument stands for.
pub(crate) fn given(text: &str) -> Result<Vec<u8>, Problem> {
    match text.strip_prefix('@') {
        Some(file) => fs::read(file)
            .map_err(|error| Problem::new(format_args!("`{file}` can't be read: {error}"))),
        None if text == "-" => {
            let mut bytes = Vec::new();
            io::stdin().read_to_end(&mut bytes).map_err(Problem::new)?;
            Ok(bytes)
        }
        None => Ok(text.as_bytes().to_vec()),
    }
}

/// Why a plugin doesn't load, and what helps.
pub(crate) fn refused(error: &Error) -> Problem {
    match error.type_name() {
        "rustbridge.MissingService" => Problem::new(format_args!(
            "{error}; the command line offers no services, so such a plugin is called from a host"
        )),
        _ => Problem::new(error),
    }
}

/// Shows a record.
fn show(record: &Record<'_>) {
    let fields = match record.fields() {
        "" | "{}" => String::new(),
        fields => format!(" {fields}"),
    };
    eprintln!(
        "{:<5} {}: {}{}",
        record.level().name(),
        visible(record.target()),
        visible(record.message()),
        visible(&fields)
    );
}

/// What is called.
pub(crate) struct CallTarget {
    method: Method,
    name: String,
    pub(crate) kind: String,
    /// Whether it's JSON, and not bytes as they are.
    pub(crate) is_text: bool,
}

impl CallTarget {
    /// Looks a method up, in the encoding that a command line can write: JSON, or bytes as they are.
    pub(crate) fn of(plugin: &Plugin, name: &str) -> Result<CallTarget, Problem> {
        let description: Description<'_, Value> =
            Description::read(plugin.describe().as_bytes()).map_err(Problem::new)?;
        let found = description
            .methods
            .iter()
            .find(|method| method.name == name);
        let Some(found) = found else {
            let names = description.methods.iter().map(|method| &*method.name);
            return Err(unknown(&description.name, name, names));
        };
        let in_encoding = |encoding: Encoding| {
            let mut entries = found.entries.iter();
            entries.find(|entry| entry.encoding == encoding.name())
        };
        let of = [Encoding::Json, Encoding::Raw]
            .into_iter()
            .find_map(|encoding| Some((encoding, in_encoding(encoding)?)));
        let Some((encoding, entry)) = of else {
            let encodings: Vec<&str> = found.entries.iter().map(|entry| &*entry.encoding).collect();
            return Err(Problem::new(format_args!(
                "`{name}` is called by `{}` alone, and a command line can write JSON and bytes: have it offer `json`, or call it with a client that `rustbridge gen` writes",
                encodings.join("`, `")
            )));
        };
        if !entry.receiver.is_empty() {
            return Err(Problem::new(format_args!(
                "`{name}` is called of a `{}`, an object, and a command line has none: call it from a host",
                entry.receiver
            )));
        }
        Ok(CallTarget {
            method: plugin.method(name, encoding).map_err(Problem::new)?,
            name: name.to_owned(),
            kind: entry.kind.to_string(),
            is_text: encoding == Encoding::Json,
        })
    }

    /// Calls it as hosts do, and leaves the answer.
    pub(crate) fn once_quietly(&self, request: &[u8]) -> Result<(), Problem> {
        match self.method.call(request) {
            Ok(_) => Ok(()),
            Err(error) => Err(failure(&error, false)),
        }
    }

    fn call(&self, arguments: &With, request: &[u8]) -> Result<(), Problem> {
        let takes_items = [CLIENT_STREAM, BIDI_STREAM].contains(&&*self.kind);
        match (&arguments.items, takes_items) {
            (None, true) => {
                return Err(Problem::new(format_args!(
                    "`{}` accepts a stream: pass the items by `--items @FILE` or `--items -`, one on each line",
                    self.name
                )));
            }
            (Some(_), false) => {
                return Err(Problem::new(format_args!(
                    "`{}` accepts no stream: remove `--items`",
                    self.name
                )));
            }
            _ => {}
        }
        let out = Output {
            is_text: self.is_text,
            is_shown: !arguments.json && io::stdout().is_terminal(),
        };
        let mut times = Times::default();
        for time in 0..arguments.repeat.unwrap_or(1) {
            // The others answer the same, or differ for a reason that isn't asked for here.
            let out = (time == 0).then_some(&out);
            let began = Instant::now();
            self.once(arguments, request, out)?;
            times.add(began.elapsed());
        }
        if arguments.repeat.is_some() {
            // What is read by others is the answer alone, unless they say that they read this, too.
            if arguments.json {
                return writeln!(io::stdout(), "{}", times.json()).map_err(Problem::new);
            }
            eprint!("{times}");
        }
        Ok(())
    }

    fn once(&self, arguments: &With, request: &[u8], out: Option<&Output>) -> Result<(), Problem> {
        let failed = |error: Error| failure(&error, arguments.json);
        let mut with = self.method.with();
        if let Some(timeout) = arguments.timeout {
            with = with.timeout(timeout);
        }
        let items = arguments.items.as_deref().unwrap_or_default();
        let print = |bytes: &[u8]| out.map_or(Ok(()), |out| out.print(bytes));
        match &*self.kind {
            // Without anything beside the request it's the call that hosts make.
            UNARY if arguments.timeout.is_none() => {
                print(&self.method.call(request).map_err(failed)?)
            }
            UNARY => print(&with.call(request).map_err(failed)?.reply),
            SERVER_STREAM => {
                for item in with.stream(request).iterate() {
                    print(&item.map_err(failed)?)?;
                }
                Ok(())
            }
            CLIENT_STREAM => {
                let lines = lines(items)?;
                let (sender, pending) = with.send(request);
                let sent = self.send(lines, sender);
                let answer = pending.wait();
                sent.join()?;
                print(&answer.map_err(failed)?.reply)
            }
            BIDI_STREAM => {
                let lines = lines(items)?;
                let (sender, answers) = with.exchange(request);
                let sent = self.send(lines, sender);
                let mut answered = Ok(());
                for item in answers.iterate() {
                    answered = item.map_err(failed).and_then(|item| print(&item));
                    if answered.is_err() {
                        break;
                    }
                }
                sent.join()?;
                answered
            }
            other => Err(Problem::new(format_args!(
                "`{}` is of the kind `{other}`, which this version of `rustbridge` doesn't know",
                self.name
            ))),
        }
    }

    /// Sends lines on a thread of its own, since answers may come meanwhile.
    fn send(&self, lines: Box<dyn BufRead + Send>, mut sender: Sender) -> SenderThread {
        let is_text = self.is_text;
        SenderThread(thread::spawn(move || {
            for line in lines.split(b'\n') {
                let mut line = line.map_err(Problem::new)?;
                if line.last() == Some(&b'\r') {
                    line.pop();
                }
                if is_text && line.iter().all(u8::is_ascii_whitespace) {
                    continue;
                }
                if sender.send_wait(&line).is_err() {
                    // The answer says why.
                    return Ok(());
                }
            }
            sender.finish();
            Ok(())
        }))
    }
}

/// Where lines are to be read.
fn lines(source: &str) -> Result<Box<dyn BufRead + Send>, Problem> {
    Ok(match source.strip_prefix('@') {
        Some(file) => Box::new(io::BufReader::new(fs::File::open(file).map_err(
            |error| Problem::new(format_args!("`{file}` can't be read: {error}")),
        )?)),
        None if source == "-" => Box::new(io::BufReader::new(io::stdin())),
        None => Box::new(io::Cursor::new(source.to_owned().into_bytes())),
    })
}

/// What sends.
struct SenderThread(thread::JoinHandle<Result<(), Problem>>);

impl SenderThread {
    /// What it has to say, if it's done: one that waits for a line on standard input is left, since the call is over.
    fn join(self) -> Result<(), Problem> {
        if !self.0.is_finished() {
            return Ok(());
        }
        self.0
            .join()
            .unwrap_or_else(|_| Err(Problem::new("reading the items to send has failed")))
    }
}

/// Where answers go: to a terminal so that they're read easily and it obeys nothing in them, to others as they are.
struct Output {
    is_text: bool,
    is_shown: bool,
}

impl Output {
    fn print(&self, bytes: &[u8]) -> Result<(), Problem> {
        let mut out = io::stdout().lock();
        let printed = if self.is_shown {
            let value = self.is_text.then(|| serde_json::from_slice::<Value>(bytes));
            let text = match value {
                Some(Ok(value)) => format!("{value:#}"),
                _ => String::from_utf8_lossy(bytes).into_owned(),
            };
            writeln!(out, "{}", visible(&text))
        } else if self.is_text {
            out.write_all(bytes).and_then(|()| out.write_all(b"\n"))
        } else {
            out.write_all(bytes)
        };
        // Items are seen when they come.
        printed.and_then(|()| out.flush()).map_err(Problem::new)
    }
}

/// What a plugin's failure is to who called.
fn failure(error: &Error, is_json: bool) -> Problem {
    if is_json {
        // Who doesn't read it is told all the same, by how this ends.
        let _ = writeln!(io::stdout(), "{}", error.to_json());
    }
    let kind = match error.type_name() {
        "" => String::new(),
        kind => format!(" ({kind})"),
    };
    let mut said = format!("{}{kind}: {}", error.status(), error.message());
    if let Some(details) = error.details() {
        said.push_str(&format!("\n{:#}", json!(details)));
    }
    Problem::answer(said)
}

/// What is said of a name that isn't there: those that are, or the one that may have been meant.
fn unknown<'n>(plugin: &str, name: &str, names: impl Iterator<Item = &'n str> + Clone) -> Problem {
    let meant = names
        .clone()
        .map(|known| (strsim::jaro_winkler(known, name), known))
        .filter(|(alike, _)| *alike >= ALIKE)
        .max_by(|one, other| one.0.total_cmp(&other.0));
    let all: Vec<&str> = names.collect();
    let hint = match meant {
        Some((_, meant)) => format!("did you mean `{meant}`?"),
        None if all.is_empty() => "it has none".to_owned(),
        None => format!("it has `{}`", all.join("`, `")),
    };
    Problem::new(format_args!("`{plugin}` has no method `{name}`: {hint}"))
}
