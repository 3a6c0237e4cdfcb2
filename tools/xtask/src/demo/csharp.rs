//! The C# hosts.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use super::built::Needs;
use super::host::{CAPI, CLI, Demo, Host};
use crate::dotnet::Dotnet;

pub const HOST: Host = Host {
    name: "csharp",
    language: "C#",
    packages: [&[CAPI], &[CLI]],
    needs: [Needs::First, Needs::Second],
    prepare,
    run,
    run_typed,
};

fn prepare(demo: &mut Demo<'_, '_>) -> Result<()> {
    let dotnet = Dotnet::find()?;
    for project in ["examples/demo/csharp", "examples/shop/csharp"] {
        demo.step
            .run(&mut dotnet.build(demo.workspace(), project))?;
    }
    Ok(())
}

fn run(demo: &mut Demo<'_, '_>) -> Result<()> {
    let mut host = program(demo, "DemoHost")?;
    demo.collect(host.arg(demo.plugin()).arg(demo.floor()))?;
    let mut shop = program(demo, "ShopHost")?;
    demo.collect_shop(shop.arg(demo.shop()))
}

fn run_typed(demo: &mut Demo<'_, '_>) -> Result<()> {
    let client = demo.client("csharp")?;
    let mut contacts = build(demo, &Dotnet::find()?, "examples/contacts/csharp");
    contacts.arg(format!("-p:Client={}", client.display()));
    demo.step.run(&mut contacts)?;
    let mut contacts = program(demo, "ContactsHost")?;
    demo.collect_contacts(contacts.arg(demo.contacts()))
}

/// Without the analysers, which take longer than the compiler (the suite `csharp-build` runs them), and without a compiler that
/// stays there for the next build.
fn build(demo: &Demo<'_, '_>, dotnet: &Dotnet, project: &str) -> Command {
    let mut build = dotnet.build(demo.workspace(), project);
    build.args([
        "-p:RunAnalyzers=false",
        "-p:EnforceCodeStyleInBuild=false",
        "-p:UseSharedCompilation=false",
    ]);
    build
}

fn program(demo: &Demo<'_, '_>, name: &str) -> Result<Command> {
    let mut command = Dotnet::find()?.run(demo.workspace(), name);
    with_natives(&mut command, &demo.natives());
    Ok(command)
}

/// Has a program take librustbridge from there.
pub fn with_natives(command: &mut Command, natives: &Path) {
    command.env("RUSTBRIDGE_LIBRARY", natives);
}
