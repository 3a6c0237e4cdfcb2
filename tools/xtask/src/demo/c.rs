//! The hosts in C, and the one in C++ with a typed client, which CMake builds.

use std::env::consts::EXE_SUFFIX;
use std::path::{Path, PathBuf};

use anyhow::Result;

use super::built::Needs;
use super::host::{CAPI, CLI, Demo, Host};
use crate::step::Missing;
use crate::tools::which;

pub const HOST: Host = Host {
    name: "c",
    language: "C",
    packages: [&[CAPI], &[CLI]],
    needs: [Needs::First, Needs::Second],
    prepare: |_| cmake().map(drop),
    run,
    run_typed,
};

fn run(demo: &mut Demo<'_, '_>) -> Result<()> {
    let workspace = demo.workspace();
    let build = demo.folder("c");
    for target in ["demo_host", "shop_host"] {
        made(demo, "examples/demo", &build, &[], target)?;
    }
    let program = |name: &str| workspace.command(build.join(format!("{name}{EXE_SUFFIX}")));
    demo.collect(program("demo_host").arg(demo.plugin()))?;
    demo.collect_shop(program("shop_host").arg(demo.shop()))
}

fn run_typed(demo: &mut Demo<'_, '_>) -> Result<()> {
    let client = format!("-DCLIENT={}", slashes(&demo.client("cpp")?));
    let build = demo.folder("cpp");
    made(
        demo,
        "examples/contacts/cpp",
        &build,
        &[client],
        "contacts_host",
    )?;
    let mut typed = demo
        .workspace()
        .command(build.join(format!("contacts_host{EXE_SUFFIX}")));
    typed.arg(demo.contacts());
    demo.collect_contacts(&mut typed)
}

/// The program that builds the C and C++ hosts.
fn cmake() -> Result<PathBuf> {
    let missing = || {
        Missing(
            "no CMake, which builds the C hosts; `cargo xtask doctor` shows how to get it".into(),
        )
    };
    Ok(which("cmake").ok_or_else(missing)?)
}

/// Builds one program of a folder in release mode.
pub fn made(
    demo: &mut Demo<'_, '_>,
    source: &str,
    build: &Path,
    definitions: &[String],
    target: &str,
) -> Result<()> {
    let workspace = demo.workspace();
    let cmake = cmake()?;
    let mut configure = workspace.command(&cmake);
    configure
        .arg("-S")
        .arg(workspace.root.join(source))
        .arg("-B")
        .arg(build)
        .arg("-DCMAKE_BUILD_TYPE=Release")
        .arg(format!(
            "-DRUSTBRIDGE_LIBRARY_DIR={}",
            slashes(&demo.natives())
        ))
        .args(definitions);
    demo.step.run(&mut configure)?;
    demo.step.run(
        workspace
            .command(&cmake)
            .arg("--build")
            .arg(build)
            .args(["--config", "Release", "--target", target]),
    )?;
    Ok(())
}

/// CMake takes backslashes for escapes.
pub fn slashes(path: &Path) -> String {
    path.display().to_string().replace('\\', "/")
}
