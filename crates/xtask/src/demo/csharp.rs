//! The C# host.

use anyhow::Result;

use super::host::{Demo, Host};
use crate::dotnet::Dotnet;

pub const HOST: Host = Host {
    language: "C#",
    title: "the C# hosts",
    run,
};

fn run(demo: &mut Demo<'_, '_>) -> Result<()> {
    let dotnet = Dotnet::find()?;
    let workspace = demo.workspace();
    let client = demo.stage("writing the client in C#", |demo| demo.client("csharp"))?;
    demo.stage("building the C# hosts", |demo| {
        for project in ["examples/demo/csharp", "examples/shop/csharp"] {
            demo.step.run(&mut dotnet.build(workspace, project))?;
        }
        let mut contacts = dotnet.build(workspace, "examples/contacts/csharp");
        contacts.arg(format!("-p:Client={}", client.display()));
        demo.step.run(&mut contacts)?;
        Ok(())
    })?;
    demo.stage("running the C# hosts", |demo| {
        let mut host = dotnet.run(workspace, "DemoHost");
        host.arg(demo.plugin()).arg(demo.floor());
        demo.collect(&mut host)?;
        let mut shop = dotnet.run(workspace, "ShopHost");
        shop.arg(demo.shop());
        demo.collect_shop(&mut shop)?;
        let mut contacts = dotnet.run(workspace, "ContactsHost");
        contacts.arg(demo.contacts());
        demo.collect_contacts(&mut contacts)
    })
}
