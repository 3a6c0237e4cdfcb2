//! The hosts in C, which CMake has built, and the one in C++ with a typed client, which it builds here.

use std::env::consts::EXE_SUFFIX;

use anyhow::Result;

use super::host::{Demo, Host};
use super::{build_by, cmake};

pub const HOST: Host = Host {
    language: "C",
    title: "the C hosts",
    run,
};

fn run(demo: &mut Demo<'_, '_>) -> Result<()> {
    let workspace = demo.workspace();
    let client = demo.stage("writing the client in C++", |demo| demo.client("cpp"))?;
    let contacts = workspace.target.join("cmake").join("contacts");
    demo.stage("building the C++ host", |demo| {
        let client = format!("-DCLIENT={}", super::slashes(&client));
        build_by(
            demo,
            &cmake()?,
            "examples/contacts/cpp",
            &contacts,
            &[client],
        )
    })?;
    demo.stage("running the C and C++ hosts", |demo| {
        let built = demo.built.clone();
        let program = |name: &str| workspace.command(built.join(format!("{name}{EXE_SUFFIX}")));
        demo.collect(program("demo_host").arg(demo.plugin()))?;
        demo.collect_shop(program("shop_host").arg(demo.shop()))?;
        let mut typed = workspace.command(contacts.join(format!("contacts_host{EXE_SUFFIX}")));
        typed.arg(demo.contacts());
        demo.collect_contacts(&mut typed)
    })
}
