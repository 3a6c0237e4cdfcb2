//! The Rust hosts, which cargo has built with the plugins.

use anyhow::Result;

use super::built::{Needs, program};
use super::host::{Demo, Host};

pub const HOST: Host = Host {
    name: "rust",
    language: "Rust",
    packages: [&["demo-host", "shop-host"], &[]],
    needs: [Needs::First, Needs::First],
    prepare: |_| Ok(()),
    run,
    run_typed,
};

fn run(demo: &mut Demo<'_, '_>) -> Result<()> {
    let workspace = demo.workspace();
    let mut host = workspace.command(program(workspace, "demo-host"));
    demo.collect(host.arg(demo.plugin()).arg(demo.floor()))?;
    let mut shop = workspace.command(program(workspace, "shop-host"));
    demo.collect_shop(shop.arg(demo.shop()))
}

fn run_typed(demo: &mut Demo<'_, '_>) -> Result<()> {
    let workspace = demo.workspace();
    let mut contacts = workspace.command(program(workspace, "contacts-host"));
    demo.collect_contacts(contacts.arg(demo.contacts()))
}
