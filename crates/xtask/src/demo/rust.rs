//! The Rust host, which cargo has built with the plugin.

use std::env::consts::EXE_SUFFIX;

use anyhow::Result;

use super::host::{Demo, Host};

pub const HOST: Host = Host {
    language: "Rust",
    title: "the Rust host",
    run,
};

fn run(demo: &mut Demo<'_, '_>) -> Result<()> {
    demo.stage("running the Rust host", |demo| {
        let workspace = demo.workspace();
        let program = workspace
            .target
            .join("release")
            .join(format!("demo-host{EXE_SUFFIX}"));
        let mut host = workspace.command(program);
        demo.collect(host.arg(demo.plugin()).arg(demo.floor()))
    })
}
