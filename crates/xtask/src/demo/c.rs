//! The C host, which CMake has built.

use std::env::consts::EXE_SUFFIX;

use anyhow::Result;

use super::host::{Demo, Host};

pub const HOST: Host = Host {
    language: "C",
    title: "the C host",
    run,
};

fn run(demo: &mut Demo<'_, '_>) -> Result<()> {
    demo.stage("running the C host", |demo| {
        let program = demo.built.join(format!("demo_host{EXE_SUFFIX}"));
        let mut host = demo.workspace().command(program);
        demo.collect(host.arg(demo.plugin()))
    })
}
