//! Other ways to call native code, measured with `--peers` only.

use anyhow::{Result, bail};

use super::{Harness, Job};

pub const HARNESS: Harness = Harness {
    name: "peers",
    language: "peers",
    title: "the peers",
    folder: "benches/peers",
    guess: [300.0, 60.0, 480.0],
    build,
    measure,
    list,
};

fn build(_: &mut Job<'_, '_>) -> Result<()> {
    bail!("no peer is here")
}

fn measure(_: &mut Job<'_, '_>) -> Result<()> {
    bail!("no peer is here")
}

fn list(_: &mut Job<'_, '_>) -> Result<String> {
    bail!("no peer is here")
}
