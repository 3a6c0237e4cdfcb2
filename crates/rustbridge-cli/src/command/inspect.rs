//! `rustbridge inspect`.

use clap::Args;
use rustbridge_gen::Contract;

use crate::problem::Problem;
use crate::subject::Subject;

/// What `inspect` takes.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    subject: Subject,
    /// Print the description as the plugin wrote it, a JSON object.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Problem> {
    let described = arguments.subject.describe()?;
    if arguments.json {
        println!("{}", String::from_utf8_lossy(&described));
        return Ok(());
    }
    let contract = Contract::read(&described).map_err(|error| {
        Problem::new(format_args!(
            "`{}`: {error}",
            arguments.subject.path().display()
        ))
    })?;
    println!("{} {}", contract.plugin, contract.version);
    for method in &contract.methods {
        println!("  {}", method.name);
    }
    Ok(())
}
