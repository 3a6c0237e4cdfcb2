//! The Rust hosts, which cargo has built with the plugins.

use std::env::consts::EXE_SUFFIX;

use anyhow::Result;

use super::host::{Demo, Host};

pub const HOST: Host = Host {
    language: "Rust",
    title: "the Rust host",
    run,
};

fn run(demo: &mut Demo<'_, '_>) -> Result<()> {
    demo.stage("running the Rust hosts", |demo| {
        let workspace = demo.workspace();
        let program = |name: &str| {
            let built = workspace.target.join("release");
            workspace.command(built.join(format!("{name}{EXE_SUFFIX}")))
        };
        demo.collect(program("demo-host").arg(demo.plugin()).arg(demo.floor()))?;
        demo.collect_shop(program("shop-host").arg(demo.shop()))?;
        demo.collect_contacts(program("contacts-host").arg(demo.contacts()))
    })
}
