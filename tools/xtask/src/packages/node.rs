//! The npm package as it ships, with the addon inside, and whether a program that has nothing else calls a plugin by it.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use serde_json::Value;

use super::making::{self, copy, emptied, says_hello};
use crate::node;
use crate::notices;
use crate::step::Step;
use crate::workspace::Workspace;

/// The folder that is packed, which a manifest may name as well.
const FOLDER: &str = "rustbridge";

/// What npm calls the folder in every package.
const INSIDE: &str = "package";

/// What the package's file is called.
pub fn file() -> String {
    format!("rustbridge-{}.tgz", env!("CARGO_PKG_VERSION"))
}

/// Makes it in a folder that has nothing else afterwards, with the addons for this system and for those of which there are some.
pub fn make(step: &mut Step<'_>, folder: &Path, natives: &Path, more: Option<&Path>) -> Result<()> {
    let scripts = node::compiled(step)?;
    let mut addons = vec![node::addon(natives)];
    if let Some(more) = more {
        let mut others = node::addons_of(more)?;
        others.retain(|(platform, _)| *platform != addons[0].0);
        addons.append(&mut others);
    }
    let folder = emptied(folder.to_owned())?;
    let inside = folder.join(FOLDER);
    fill(step.workspace, &inside, &scripts, &addons)?;
    let mut plain = node::node(step)?;
    step.run(
        plain
            .args(["-e", MANIFEST])
            .arg(inside.join("package.json")),
    )?;
    making::archive(step, &inside, &file(), INSIDE)
}

/// Takes what is for this repository alone out of the manifest: whoever is given the folder would have it installed. What stands first
/// counts in some of it, so the order stays.
const MANIFEST: &str = r#"
const { readFileSync, writeFileSync } = require('node:fs');
const file = process.argv[1];
const { scripts, devDependencies, ...manifest } = JSON.parse(readFileSync(file));
writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
"#;

/// Puts all that is in it into a folder.
fn fill(
    workspace: &Workspace,
    inside: &Path,
    scripts: &Path,
    addons: &[(String, PathBuf)],
) -> Result<()> {
    let ours = workspace.root.join(node::FOLDER);
    for name in [
        "package.json",
        "README.md",
        "bundled.mjs",
        "index.mjs",
        "index.d.mts",
        "typed.mjs",
    ] {
        copy(&ours.join(name), &inside.join(name))?;
    }
    for name in notices::LICENCES.into_iter().chain([notices::FILE]) {
        copy(&workspace.root.join(name), &inside.join(name))?;
    }
    let sources = format!("{}/src", node::FOLDER);
    for path in workspace.files(&[&sources])? {
        let Some(name) = path
            .strip_prefix(&format!("{sources}/"))
            .and_then(|path| path.strip_suffix(".ts"))
        else {
            continue;
        };
        // One that was removed is in git's list until that is told.
        if !workspace.root.join(&path).is_file() {
            continue;
        }
        for ending in ["js", "d.ts"] {
            let file = format!("{name}.{ending}");
            copy(&scripts.join(&file), &inside.join("dist").join(&file))?;
        }
    }
    for (platform, addon) in addons {
        let place = inside.join("native").join(platform).join(node::FILE);
        copy(addon, &place)?;
    }
    Ok(())
}

/// Has a project take TypeScript and Node's types in the versions that were fetched for the tests of the package.
pub fn lock(workspace: &Workspace, project: &Path) -> Result<()> {
    let ours = workspace.root.join(node::FOLDER).join("package-lock.json");
    let text = fs::read_to_string(&ours).with_context(|| format!("reading {}", ours.display()))?;
    let mut lock: Value = serde_json::from_str(&text).context("reading package-lock.json")?;
    let packages = lock["packages"]
        .as_object_mut()
        .context("package-lock.json has no packages")?;
    packages.retain(|name, _| {
        ["@types/node", "typescript", "undici-types"]
            .iter()
            .any(|wanted| name.strip_prefix("node_modules/") == Some(wanted))
    });
    fs::write(project.join("package-lock.json"), lock.to_string()).context("writing a lock")
}

/// Installs the package in a folder that has nothing, has programs call a plugin by it, and gives its addon.
pub fn check(step: &mut Step<'_>, made: &Path, folder: &Path, plugin: &Path) -> Result<PathBuf> {
    let programs = installed(step, made, folder)?;
    for name in programs {
        let mut command = node::node(step)?;
        command
            .arg(name)
            .arg(plugin)
            .current_dir(folder)
            .env_remove("RUSTBRIDGE_NODE_ADDON")
            .env_remove("RUSTBRIDGE_PLUGIN_DIR");
        let what = format!("{name} in Node calls a plugin with the npm package and nothing else");
        says_hello(step, &what, &mut command, "")?;
    }
    let (platform, _) = node::addon(folder);
    Ok(addon(folder, &platform))
}

/// The addon for a platform of Node's in the package that a folder has.
pub fn addon(folder: &Path, platform: &str) -> PathBuf {
    let package = folder.join("node_modules/rustbridge");
    package.join("native").join(platform).join(node::FILE)
}

/// Installs the package in a folder that has nothing else afterwards, and gives the programs there that use it.
pub fn installed(step: &mut Step<'_>, made: &Path, folder: &Path) -> Result<[&'static str; 2]> {
    let folder = emptied(folder.to_owned())?;
    fs::write(folder.join("package.json"), "{\"private\": true}\n").context("writing a file")?;
    let mut install = node::npm(step)?;
    install
        .args(["install", "--offline", "--no-audit", "--no-fund"])
        // Its cache would go on giving the package of another day, which has the same version.
        .arg("--cache")
        .arg(folder.join("cache"))
        .arg(made.join(file()))
        .current_dir(&folder);
    step.run(&mut install)?;
    for (name, text) in PROGRAMS {
        fs::write(folder.join(name), text).with_context(|| format!("writing {name}"))?;
    }
    Ok(PROGRAMS.map(|(name, _)| name))
}

/// One for each kind of module.
const PROGRAMS: [(&str, &str); 2] = [
    (
        "imports.mjs",
        "import { load } from 'rustbridge';\n\nconst hello = load(process.argv[2]);\nconsole.log((await hello.call('greet', { name: 'Ada' })).greeting);\nawait hello.close();\n",
    ),
    (
        "requires.cjs",
        "const { load } = require('rustbridge');\n\nconsole.log(load(process.argv[2]).callSync('greet', { name: 'Ada' }).greeting);\n",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_package_has_scripts_types_and_addons_and_no_tests() {
        let workspace = Workspace::find().expect("the workspace is there");
        let place = workspace.target.join("xtask").join("self-test-npm");
        let folder = emptied(place).expect("a folder can be made");
        let scripts = folder.join("scripts");
        let sources = format!("{}/src", node::FOLDER);
        for path in workspace.files(&[&sources]).expect("git lists them") {
            let name = path.trim_start_matches(&*sources).trim_start_matches('/');
            let name = name.trim_end_matches(".ts");
            for ending in ["js", "d.ts"] {
                let file = scripts.join(format!("{name}.{ending}"));
                fs::create_dir_all(file.parent().expect("it has one")).expect("it can be made");
                fs::write(file, "").expect("a file can be written");
            }
        }
        let addon = folder.join("an-addon");
        fs::write(&addon, "no addon").expect("a file can be written");
        fs::write(scripts.join("gone.js"), "").expect("a file can be written");
        let inside = folder.join(FOLDER);
        let addons = [("win32-x64".to_owned(), addon)];
        fill(&workspace, &inside, &scripts, &addons).expect("it's made");
        for file in [
            "package.json",
            "bundled.mjs",
            "index.mjs",
            "typed.mjs",
            "dist/index.js",
            "dist/typed/index.d.ts",
            "native/win32-x64/rustbridge.node",
            "LICENSE-MIT",
            "THIRD-PARTY.txt",
        ] {
            assert!(inside.join(file).exists(), "{file}");
        }
        for file in ["test", "src", "dist/gone.js", "package-lock.json"] {
            assert!(!inside.join(file).exists(), "{file}");
        }
    }

    #[test]
    fn all_that_the_manifest_names_is_in_the_package() {
        let workspace = Workspace::find().expect("the workspace is there");
        let manifest = workspace.root.join(node::FOLDER).join("package.json");
        let manifest = fs::read_to_string(manifest).expect("it's there");
        let manifest: Value = serde_json::from_str(&manifest).expect("it's JSON");
        assert_eq!(manifest["version"], env!("CARGO_PKG_VERSION"));
        assert_eq!(
            manifest["files"],
            serde_json::json!([
                "bundled.mjs",
                "dist",
                "index.mjs",
                "index.d.mts",
                "native",
                "typed.mjs"
            ])
        );
    }
}
