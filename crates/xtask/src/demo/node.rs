//! The Node hosts.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};

use super::host::{Demo, Host};
use crate::library;
use crate::node;

pub const HOST: Host = Host {
    language: "Node",
    title: "the Node hosts",
    run,
};

fn run(demo: &mut Demo<'_, '_>) -> Result<()> {
    let workspace = demo.workspace();
    let folder = workspace.target.join("demo").join("node");
    node::program()?;
    demo.stage("building the Node hosts", |demo| {
        for package in ["rustbridge-napi", "floor-napi"] {
            library::build(demo.step, package)?;
        }
        node::install(demo.step)?;
        node::installed_beside(workspace, &folder)?;
        for name in ["demo", "shop"] {
            copy(
                &workspace
                    .root
                    .join(format!("examples/{name}/node/main.mjs")),
                &folder.join(format!("{name}.mjs")),
            )?;
        }
        let mut compile = node::module(demo.step, "typescript/bin/tsc")?;
        compile
            .arg("-p")
            .arg(workspace.root.join("examples/contacts/node"))
            .arg("--outDir")
            .arg(folder.join("contacts"));
        demo.step.run(&mut compile)?;
        // By which Node sees that they're modules.
        copy(
            &workspace.root.join("examples/contacts/node/package.json"),
            &folder.join("contacts/package.json"),
        )
    })?;
    demo.stage("running the Node hosts", |demo| {
        let mut host = node::node(demo.step)?;
        let floor = workspace.cdylib("floor-napi");
        host.arg(folder.join("demo.mjs"))
            .arg(demo.plugin())
            .arg(floor);
        demo.collect(&mut host)?;
        let mut shop = node::node(demo.step)?;
        shop.arg(folder.join("shop.mjs")).arg(demo.shop());
        demo.collect_shop(&mut shop)?;
        let mut contacts = node::node(demo.step)?;
        contacts
            .arg(folder.join("contacts/main.js"))
            .arg(demo.contacts());
        demo.collect_contacts(&mut contacts)
    })
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::copy(from, to)
        .map(drop)
        .with_context(|| format!("copying {}", from.display()))
}
