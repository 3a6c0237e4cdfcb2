//! The Node hosts.

use anyhow::Result;

use super::built::{self, Needs};
use super::host::{Demo, Host};
use crate::files::copy;
use crate::node;
use crate::platforms::NODE;

pub const HOST: Host = Host {
    name: "node",
    language: "Node",
    packages: [&[], &["rustbridge-napi", "floor-napi"]],
    needs: [Needs::Second, Needs::Second],
    prepare,
    run,
    run_typed,
};

fn prepare(demo: &mut Demo<'_, '_>) -> Result<()> {
    node::program()?;
    node::compiled(demo.step).map(drop)
}

fn run(demo: &mut Demo<'_, '_>) -> Result<()> {
    let workspace = demo.workspace();
    let folder = demo.folder("node");
    let addon = built::library(workspace, node::ADDON);
    node::installed(demo.step, &NODE.here(), &addon)?;
    node::installed_beside(workspace, &folder)?;
    for name in ["demo", "shop"] {
        let script = workspace
            .root
            .join(format!("examples/{name}/node/main.mjs"));
        copy(&script, &folder.join(format!("{name}.mjs")))?;
    }
    let mut host = node::node(demo.step)?;
    host.arg(folder.join("demo.mjs"))
        .arg(demo.plugin())
        .arg(built::library(workspace, "floor-napi"));
    demo.collect(&mut host)?;
    let mut shop = node::node(demo.step)?;
    shop.arg(folder.join("shop.mjs")).arg(demo.shop());
    demo.collect_shop(&mut shop)
}

fn run_typed(demo: &mut Demo<'_, '_>) -> Result<()> {
    let sources = demo.workspace().root.join("examples/contacts/node");
    let folder = demo.folder("node").join("contacts");
    let mut compile = node::module(demo.step, "typescript/bin/tsc")?;
    compile.arg("-p").arg(&sources).arg("--outDir").arg(&folder);
    demo.step.run(&mut compile)?;
    // By which Node sees that they're modules.
    copy(&sources.join("package.json"), &folder.join("package.json"))?;
    let mut contacts = node::node(demo.step)?;
    contacts.arg(folder.join("main.js")).arg(demo.contacts());
    demo.collect_contacts(&mut contacts)
}
