//! The C# host.

use anyhow::Result;

use super::host::{Demo, Host};
use crate::dotnet::Dotnet;

pub const HOST: Host = Host {
    language: "C#",
    title: "the C# host",
    run,
};

fn run(demo: &mut Demo<'_, '_>) -> Result<()> {
    let dotnet = Dotnet::find()?;
    let workspace = demo.workspace();
    demo.stage("building the C# host", |demo| {
        demo.step
            .run(&mut dotnet.build(workspace, "examples/demo/csharp"))
            .map(drop)
    })?;
    demo.stage("running the C# host", |demo| {
        let mut host = dotnet.run(workspace, "DemoHost");
        host.arg(demo.plugin()).arg(demo.floor());
        demo.collect(&mut host)
    })
}
