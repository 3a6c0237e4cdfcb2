//! The options that every client has, and what the Rust client makes of them.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use bench_report::Measure;
use clap::Args;
use tokio::runtime::{Builder, Runtime};

use crate::calls::{Caller, SCENARIOS, Scenario, THREADED, check};
use crate::measure::{self, Effort};

/// The numbers of threads that share a channel, beside one.
const THREADS: [u32; 3] = [2, 4, 8];

/// What the clients in all languages understand.
#[derive(Args, Clone, Debug)]
pub struct Options {
    /// Where the server listens by TCP, HOST:PORT; without it nothing is measured over TCP.
    #[arg(long)]
    pub tcp: Option<String>,
    /// The server's Unix socket; likewise.
    #[arg(long)]
    pub unix: Option<String>,
    /// Says that client and server are bound to one core: the small messages only, under subjects of their own.
    #[arg(long)]
    pub pinned: bool,
    /// Only scenarios whose name contains this.
    #[arg(long, value_name = "SUBSTRING", default_value = "")]
    pub only: String,
    /// Shorter measurements: enough for a look, not for a claim.
    #[arg(long)]
    pub quick: bool,
    /// Prints a line per measure and makes none.
    #[arg(long)]
    pub list: bool,
    /// Calls every method once, looks at the answers, and measures nothing.
    #[arg(long)]
    pub smoke: bool,
    /// The file to write the measures to.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// One measure that will be made.
struct Planned {
    scenario: &'static Scenario,
    subject: String,
    address: String,
    threads: u32,
}

fn plan(options: &Options) -> Vec<Planned> {
    let suffix = if options.pinned { " pinned" } else { "" };
    let tcp = options.tcp.iter().map(|it| ("tcp", format!("http://{it}")));
    let unix = options.unix.iter().map(|it| ("unix", format!("unix:{it}")));
    let mut planned = Vec::new();
    for (way, address) in tcp.chain(unix) {
        let wanted = SCENARIOS.iter().filter(|scenario| {
            scenario.name.contains(&options.only) && (scenario.pinned || !options.pinned)
        });
        for scenario in wanted {
            let threaded = scenario.name == THREADED && !options.pinned;
            let more = THREADS.iter().filter(|_| threaded);
            planned.extend([1].iter().chain(more).map(|&threads| Planned {
                scenario,
                subject: format!("grpc {way}{suffix}"),
                address: address.clone(),
                threads,
            }));
        }
    }
    planned
}

/// Does what the options say with the client in Rust.
///
/// # Errors
/// When the server can't be reached or answers wrongly, or the measures can't be written.
pub fn run(options: &Options) -> Result<()> {
    let planned = plan(options);
    if options.list {
        for Planned {
            scenario,
            subject,
            threads,
            ..
        } in planned
        {
            println!("{}\trust\t\t{subject}\t{threads}", scenario.name);
        }
        return Ok(());
    }
    let effort = if options.quick {
        Effort::QUICK
    } else {
        Effort::FULL
    };
    let mut connection: Option<(String, Caller)> = None;
    let mut measures = Vec::new();
    for it in &planned {
        let known = connection
            .take()
            .filter(|(address, _)| *address == it.address);
        let (_, caller) = match known {
            Some(known) => connection.insert(known),
            None => {
                let caller = Caller::connect(&runtime()?, &it.address)?;
                connection.insert((it.address.clone(), caller))
            }
        };
        let mut operation = it.scenario.operation(caller);
        check(it.scenario.name, &mut operation)?;
        if options.smoke {
            println!(
                "ok: rust, {}, {}, threads {}",
                it.subject, it.scenario.name, it.threads
            );
            continue;
        }
        // An answer that turns wrong or a call that fails while it's measured must not pass for a fast one.
        let mut strict = move || assert!(matches!(operation(false), Ok(true)), "a call failed");
        let (ns, single) = if it.threads == 1 {
            let (ns, single) = measure::alone(effort, &mut strict);
            (ns, Some(single))
        } else {
            let operations = (0..it.threads).map(|_| -> Box<dyn FnMut() + Send> {
                let mut operation = it.scenario.operation(caller);
                Box::new(move || assert!(matches!(operation(false), Ok(true)), "a call failed"))
            });
            (measure::together(effort, operations.collect()), None)
        };
        let measure = Measure {
            scenario: it.scenario.name.into(),
            host: "rust".into(),
            transport: String::new(),
            subject: it.subject.clone(),
            threads: it.threads,
            ns,
            single,
            alloc_bytes: None,
            harness: "grpc".into(),
        };
        let microseconds = measure.median() / 1e3;
        eprintln!(
            "rust, {}, {}, threads {}: {microseconds:.1} µs",
            it.subject, it.scenario.name, it.threads
        );
        measures.push(measure);
    }
    if let Some(file) = &options.out {
        let text = serde_json::to_string(&measures)?;
        std::fs::write(file, text).with_context(|| format!("writing {}", file.display()))?;
    }
    Ok(())
}

/// One thread that calls drives the connection itself, which tonic's example of a blocking client leaves to other
/// threads: that costs a change of threads per call, and gRPC is to be at its best. With several threads it's no slower.
fn runtime() -> Result<Arc<Runtime>> {
    let runtime = Builder::new_current_thread().enable_all().build();
    Ok(Arc::new(runtime.context("starting tokio")?))
}
