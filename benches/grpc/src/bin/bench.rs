//! Measures gRPC over loopback: starts the server, runs the clients of all languages, and ends what it started.

use clap::Parser;
use grpc_bench::clients::{Options, run};

#[derive(Parser)]
#[command(about, disable_version_flag = true)]
struct Arguments {
    #[command(flatten)]
    options: Options,
}

fn main() -> anyhow::Result<()> {
    run(&Arguments::parse().options)
}
