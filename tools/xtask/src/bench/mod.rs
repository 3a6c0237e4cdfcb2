//! `xtask bench`: every language's harness, one after the other, into one file per machine and run.

mod bdn;
mod c;
mod collect;
mod cpp;
mod criterion;
mod go;
mod grpc;
mod harness;
mod jmh;
mod lists;
mod machine;
mod node;
mod options;
mod peers;
mod pin;
mod pytest;
mod session;

use std::process::ExitCode;

use anyhow::{Result, ensure};
use bench_report::Catalogue;
use bench_report::report::terminal;

use crate::workspace::Workspace;

pub use bdn::HARNESS as BDN;
pub use c::HARNESS as C;
pub use cpp::HARNESS as CPP;
pub use criterion::HARNESS as CRITERION;
pub use go::HARNESS as GO;
pub use grpc::HARNESS as GRPC;
pub use grpc::{check as check_grpc, smoke as smoke_grpc};
pub use harness::{Harness, blame};
pub use jmh::{HARNESS as JMH, KOTLIN};
pub use lists::{check as check_list, check_budgets};
pub use node::HARNESS as NODE;
pub use options::Options;
pub use peers::HARNESS as PEERS;
pub use pytest::HARNESS as PYTEST;
pub use session::{NATIVES, Session};

/// Measures with those of the harnesses that are wanted, in their order.
pub fn run(
    workspace: &Workspace,
    options: &Options,
    harnesses: &[&'static Harness],
) -> Result<ExitCode> {
    for name in &options.only {
        let names: Vec<&str> = harnesses.iter().map(|harness| harness.language).collect();
        ensure!(
            names.contains(&name.as_str()),
            "nothing measures `{name}`; there are: {}",
            names.join(", ")
        );
    }
    let folder = workspace.target.join("bench");
    let catalogue = Catalogue::read(&workspace.root.join("benches/catalogue.toml"))?;
    let wanted = wanted(options, harnesses, &catalogue)?;
    let mut session = Session::begin(workspace, options, &folder)?;
    let failed = session.measure_all(&wanted)?;
    let run = session.close(&catalogue, &wanted)?;
    let sources = crate::report::sources(workspace, vec![run.clone()])?;
    print!("{:#}", terminal(&sources));
    session.save(&run)?;
    let incomplete = options.is_full() && !run.missing.is_empty();
    Ok(if failed || (incomplete && workspace.ci) {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}

/// The harnesses that have something to do.
fn wanted(
    options: &Options,
    harnesses: &[&'static Harness],
    catalogue: &Catalogue,
) -> Result<Vec<&'static Harness>> {
    let named = |harness: &&Harness| {
        let Some(name) = &options.scenario else {
            return true;
        };
        let keys = catalogue.expected_from(harness.name);
        keys.iter().any(|key| key.scenario.contains(name.as_str()))
    };
    let wanted: Vec<_> = harnesses
        .iter()
        .copied()
        .filter(|harness| options.wants(harness.language))
        .filter(named)
        .collect();
    ensure!(
        !wanted.is_empty(),
        "none of these languages has a scenario whose name contains `{}`; benches/catalogue.toml has them all",
        options.scenario.as_deref().unwrap_or_default()
    );
    Ok(wanted)
}
