//! The client in Rust: tonic, called as blocking code calls it.

use clap::Parser;
use grpc_bench::plan::{Options, run};

#[derive(Parser)]
#[command(about, disable_version_flag = true)]
struct Arguments {
    #[command(flatten)]
    options: Options,
}

fn main() -> anyhow::Result<()> {
    run(&Arguments::parse().options)
}
