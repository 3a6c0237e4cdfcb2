//! The Python host, on each backend.

use std::path::Path;

use anyhow::Result;

use super::host::{Demo, Host};
use crate::python;

pub const HOST: Host = Host {
    language: "Python",
    title: "the Python host",
    run,
};

fn run(demo: &mut Demo<'_, '_>) -> Result<()> {
    let workspace = demo.workspace();
    let client = demo.stage("writing the client in Python", |demo| demo.client("python"))?;
    for backend in python::backends(workspace) {
        demo.stage(&format!("running the Python host, {backend}"), |demo| {
            let mut host = workspace.command(python::program(workspace, "python"));
            host.arg(workspace.root.join("examples/demo/host.py"))
                .arg(backend)
                .arg(demo.plugin())
                .arg(demo.floor());
            if *backend == "native" && has_extension(&demo.built) {
                host.arg(&demo.built);
            }
            demo.collect(&mut host)?;
            let mut shop = workspace.command(python::program(workspace, "python"));
            shop.arg(workspace.root.join("examples/shop/host.py"))
                .arg(backend)
                .arg(demo.shop());
            demo.collect_shop(&mut shop)?;
            let mut contacts = workspace.command(python::program(workspace, "python"));
            contacts
                .env("PYTHONPATH", &client)
                .arg(workspace.root.join("examples/contacts/host.py"))
                .arg(backend)
                .arg(demo.contacts());
            demo.collect_contacts(&mut contacts)
        })?;
    }
    Ok(())
}

fn has_extension(folder: &Path) -> bool {
    let Ok(entries) = folder.read_dir() else {
        return false;
    };
    entries.flatten().any(|entry| {
        let path = entry.path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        name.starts_with("floor_extension.")
            && path
                .extension()
                .is_some_and(|ending| ending == "so" || ending == "pyd")
    })
}
