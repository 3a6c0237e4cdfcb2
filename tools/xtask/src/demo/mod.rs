//! `xtask demo`: one plugin, called from every language, beside bare calls.

mod batch;
mod host;
mod lines;
mod matrix;

use std::io::{self, IsTerminal};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use anyhow::{Result, bail};
use clap::Args;

use crate::progress::{say, seconds};
use crate::step::{Missing, Step};
use crate::workspace::Workspace;

use batch::Cargo;
use host::{Demo, Host};
use lines::{Line, render, summaries};

#[derive(Args, Default)]
pub struct Options {
    /// Run this host only, and show everything that its programs print; may be given several times, or with commas.
    #[arg(long = "host", value_name = "NAME", value_delimiter = ',')]
    hosts: Vec<String>,
}

/// Calls the plugin from the languages of these hosts, in their order.
pub fn run(workspace: &Workspace, options: &Options) -> Result<ExitCode> {
    let hosts = chosen(&options.hosts)?;
    println!(
        "One plugin (plugins/hello-plugin, Rust) loaded and called by programs in {}.",
        listed(&hosts)
    );
    println!("Each host's rows appear as soon as it has run.\n");
    let outcome = run_all(workspace, &hosts);
    let colours = io::stdout().is_terminal();
    if !options.hosts.is_empty() {
        print!("{}", render(&outcome.lines, colours));
    }
    print!("\n{}", matrix::render(&outcome.lines, colours));
    for line in outcome.skipped.iter().chain(&outcome.failed) {
        println!("{line}");
    }
    if options.hosts.is_empty() {
        println!("All that a host's programs print: `cargo xtask demo --host python`");
    }
    Ok(if outcome.failed.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// The hosts of these names; all, if there are none.
fn chosen(names: &[String]) -> Result<Vec<Host>> {
    let mut hosts = Host::all()?;
    for name in names {
        if !hosts.iter().any(|host| host.is_called(name)) {
            let known: Vec<&str> = hosts.iter().map(|host| &*host.name).collect();
            bail!("there is no host `{name}`; there are: {}", known.join(", "));
        }
    }
    let is_named = |host: &Host| names.iter().any(|name| host.is_called(name));
    hosts.retain(|host| names.is_empty() || is_named(host));
    Ok(hosts)
}

/// The languages, as in a sentence.
fn listed(hosts: &[Host]) -> String {
    let names: Vec<&str> = hosts.iter().map(|host| &*host.language).collect();
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => names.join(""),
    }
}

/// What came of all hosts.
#[derive(Default)]
struct Outcome {
    /// What the programs have printed, in the order of the hosts.
    lines: Vec<Line>,
    /// A line for each host whose toolchain is missing.
    skipped: Vec<String>,
    /// A line for each host that failed.
    failed: Vec<String>,
}

/// Cargo builds what the hosts load while each host, in a thread, prepares what doesn't depend on that, and then runs.
fn run_all(workspace: &Workspace, hosts: &[Host]) -> Outcome {
    let cargo = Cargo::for_hosts(hosts);
    let began = Instant::now();
    let outcomes: Vec<Mutex<Outcome>> = hosts.iter().map(|_| Mutex::default()).collect();
    thread::scope(|scope| {
        scope.spawn(|| cargo.build(workspace));
        for (host, outcome) in hosts.iter().zip(&outcomes) {
            let cargo = &cargo;
            scope.spawn(move || {
                let ended = run_one(workspace, host, cargo, began);
                *outcome.lock().unwrap_or_else(PoisonError::into_inner) = ended;
            });
        }
    });
    let mut whole = Outcome::default();
    for outcome in outcomes {
        let outcome = outcome.into_inner().unwrap_or_else(PoisonError::into_inner);
        whole.lines.extend(outcome.lines);
        whole.skipped.extend(outcome.skipped);
        whole.failed.extend(outcome.failed);
    }
    whole
}

fn run_one(workspace: &Workspace, host: &Host, cargo: &Cargo, began: Instant) -> Outcome {
    let mut outcome = Outcome::default();
    let mut step = match Step::start(workspace, &format!("demo-{}", host.name)) {
        Ok(step) => step,
        Err(error) => {
            outcome
                .failed
                .push(format!("FAIL {}: {error:#}", host.language));
            return outcome;
        }
    };
    let mut demo = Demo {
        step: &mut step,
        lines: Vec::new(),
    };
    let result = phases(&mut demo, host, cargo, began);
    outcome.lines = demo.lines;
    let time = seconds(began.elapsed());
    match result {
        Ok(()) => {}
        Err(why) if why.is::<Missing>() => {
            let line = format!("skip {}: {why}", host.language);
            say(&line);
            outcome.skipped.push(line);
        }
        Err(why) => {
            let line = format!("FAIL {}: {why:#}", host.language);
            say(&format!(
                "FAIL {time:>12}  {}\n{}\n",
                host.language,
                step.read_log()
            ));
            outcome.failed.push(line);
        }
    }
    outcome
}

/// The three phases of a host, with the rows of each as soon as it's over.
fn phases(demo: &mut Demo<'_, '_>, host: &Host, cargo: &Cargo, began: Instant) -> Result<()> {
    // What the first hosts wait for comes first.
    demo.step.lower_priority(host.nice);
    demo.run(&host.prepare)?;
    demo.step.lower_priority(0);
    demo.step.wait(|| cargo.wait_for(host.needs[0]))?;
    demo.run(&host.run)?;
    show(&demo.lines, began);
    let before = demo.lines.len();
    demo.step.wait(|| cargo.wait_for(host.needs[1]))?;
    demo.run(&host.typed)?;
    show(&demo.lines[before..], began);
    Ok(())
}

fn show(lines: &[Line], began: Instant) {
    let time = seconds(began.elapsed());
    for row in summaries(lines) {
        say(&format!("ok   {time:>12}  {row}"));
    }
}
