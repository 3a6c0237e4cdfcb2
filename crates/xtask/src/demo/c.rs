//! The C hosts, which CMake has built.

use std::env::consts::EXE_SUFFIX;

use anyhow::Result;

use super::host::{Demo, Host};

pub const HOST: Host = Host {
    language: "C",
    title: "the C host",
    run,
};

fn run(demo: &mut Demo<'_, '_>) -> Result<()> {
    demo.stage("running the C hosts", |demo| {
        let workspace = demo.workspace();
        let built = demo.built.clone();
        let program = |name: &str| workspace.command(built.join(format!("{name}{EXE_SUFFIX}")));
        demo.collect(program("demo_host").arg(demo.plugin()))?;
        demo.collect_shop(program("shop_host").arg(demo.shop()))
    })
}
