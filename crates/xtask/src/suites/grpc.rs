//! gRPC's server and clients, which the benchmarks compare with: what is built of them works.

use anyhow::Result;

use crate::bench;
use crate::step::Step;

pub fn rust(step: &mut Step<'_>) -> Result<()> {
    bench::check_grpc(step)
}

pub fn clients(step: &mut Step<'_>) -> Result<()> {
    bench::smoke_grpc(step)
}
