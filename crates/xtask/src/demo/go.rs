//! The Go hosts.

use std::env::consts::EXE_SUFFIX;

use anyhow::Result;

use super::host::{Demo, Host};
use crate::go;

pub const HOST: Host = Host {
    language: "Go",
    title: "the Go hosts",
    run,
};

fn run(demo: &mut Demo<'_, '_>) -> Result<()> {
    let workspace = demo.workspace();
    let folder = workspace.target.join("demo").join("go");
    let program = |name: &str| folder.join(format!("{name}{EXE_SUFFIX}"));
    demo.stage("building the Go hosts", |demo| {
        for name in ["demo", "shop", "contacts"] {
            let source = format!("examples/{name}/go");
            demo.step
                .run(&mut go::build(workspace, &source, &program(name))?)?;
        }
        Ok(())
    })?;
    demo.stage("running the Go hosts", |demo| {
        let natives = workspace.target.join("release");
        let mut host = workspace.command(program("demo"));
        host.arg(demo.plugin()).arg(demo.floor());
        demo.collect(host.env("RUSTBRIDGE_LIBRARY", &natives))?;
        let mut shop = workspace.command(program("shop"));
        shop.arg(demo.shop()).env("RUSTBRIDGE_LIBRARY", &natives);
        demo.collect_shop(&mut shop)?;
        let mut contacts = workspace.command(program("contacts"));
        contacts
            .arg(demo.contacts())
            .env("RUSTBRIDGE_LIBRARY", &natives);
        demo.collect_contacts(&mut contacts)
    })
}
