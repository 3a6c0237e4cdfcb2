//! The Go hosts.

use std::env::consts::EXE_SUFFIX;
use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use super::built::Needs;
use super::csharp::with_natives;
use super::host::{CAPI, Demo, Host};
use crate::go;

pub const HOST: Host = Host {
    name: "go",
    language: "Go",
    packages: [&[CAPI], &[]],
    needs: [Needs::First, Needs::First],
    prepare,
    run,
    run_typed,
};

fn prepare(demo: &mut Demo<'_, '_>) -> Result<()> {
    for name in ["demo", "shop", "contacts"] {
        let source = format!("examples/{name}/go");
        let mut build = go::build(demo.workspace(), &source, &file(demo, name))?;
        demo.step.run(&mut build)?;
    }
    Ok(())
}

fn run(demo: &mut Demo<'_, '_>) -> Result<()> {
    let mut host = program(demo, "demo");
    demo.collect(host.arg(demo.plugin()).arg(demo.floor()))?;
    let mut shop = program(demo, "shop");
    demo.collect_shop(shop.arg(demo.shop()))
}

fn run_typed(demo: &mut Demo<'_, '_>) -> Result<()> {
    let mut contacts = program(demo, "contacts");
    demo.collect_contacts(contacts.arg(demo.contacts()))
}

fn file(demo: &Demo<'_, '_>, name: &str) -> PathBuf {
    demo.folder("go").join(format!("{name}{EXE_SUFFIX}"))
}

fn program(demo: &Demo<'_, '_>, name: &str) -> Command {
    let mut command = demo.workspace().command(file(demo, name));
    with_natives(&mut command, &demo.natives());
    command
}
