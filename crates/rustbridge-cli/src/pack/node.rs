//! An npm package: the client in JavaScript with its types, and the plugin's libraries.

use std::fs;
use std::path::Path;
use std::process::Command;

use rustbridge_gen::Language;
use serde_json::{Map, Value, json};

use super::parts::{Kind, Made, Parts, check_name, copy, emptied, rustbridge};
use super::platform::Platform;
use crate::client::write;
use crate::packages::slashes;
use crate::problem::Problem;
use crate::project::Project;
use crate::tool::{self, NPM};

const WHAT: &str = "a package for Node";

/// How the client is compiled.
const COMPILER: &str = r#"{
  "compilerOptions": {
    "target": "ES2022",
    "lib": ["ES2023", "ESNext.Disposable"],
    "module": "NodeNext",
    "types": ["node"],
    "rootDir": "src",
    "outDir": "dist",
    "declaration": true,
    "strict": true,
    "skipLibCheck": true
  },
  "include": ["src"]
}
"#;

fn name(project: &Project) -> Result<String, Problem> {
    let given = project.manifest.names.node.name.clone();
    let name = given.unwrap_or_else(|| project.name.clone());
    let is_part = |part: &str| {
        let is_letter = |letter: char| {
            letter.is_ascii_lowercase() || letter.is_ascii_digit() || "-_.~".contains(letter)
        };
        !part.is_empty() && !part.starts_with(['.', '_']) && part.chars().all(is_letter)
    };
    let is_valid = name.len() <= 214
        && match name.strip_prefix('@') {
            None => is_part(&name),
            Some(scoped) => scoped
                .split_once('/')
                .is_some_and(|(scope, name)| is_part(scope) && is_part(name)),
        };
    check_name(&name, "the name of an npm package", "node.name", is_valid)?;
    Ok(name)
}

pub(super) fn check(project: &Project) -> Result<(), Problem> {
    name(project)?;
    rustbridge(project)?.part("node", "the npm package")?;
    tool::check(NPM, WHAT)
}

pub(super) fn make(parts: &Parts<'_>) -> Result<Made, Problem> {
    let name = name(parts.project)?;
    let work = parts.work(Kind::Node);
    for part in ["src", "dist"] {
        emptied(work.join(part))?;
    }
    let sources = parts.client(Language::TypeScript, None, &work.join("src"))?;
    compile(parts, &work)?;
    let output = parts.output(Kind::Node)?;
    // The last part of a name with a scope.
    let package = output.join(name.rsplit('/').next().unwrap_or(&name));
    for source in &sources {
        let stem = source.file_stem().unwrap_or_default().to_string_lossy();
        for ending in ["js", "d.ts"] {
            copy(
                &work.join("dist").join(format!("{stem}.{ending}")),
                &package,
            )?;
        }
    }
    parts.place(&package.join("native"), Platform::node)?;
    for text in &parts.texts {
        copy(text, &package)?;
    }
    let main = sources
        .first()
        .and_then(|path| path.file_stem())
        .unwrap_or_default()
        .to_string_lossy();
    let manifest = manifest(parts, &name, &main);
    write(
        &package.join("package.json"),
        format!("{manifest:#}\n").as_bytes(),
    )?;
    let mut pack = Command::new(NPM);
    pack.args(["pack", "--silent", "--pack-destination"])
        .arg(&output)
        .current_dir(&package);
    let said = tool::output(&mut pack, WHAT)?;
    let file = said
        .lines()
        .map(str::trim)
        .rfind(|line| line.ends_with(".tgz"));
    let file = file
        .ok_or_else(|| Problem::new(format_args!("{WHAT}: `{NPM} pack` named no file: {said}")))?;
    Ok(Made {
        kind: Kind::Node,
        files: vec![output.join(file), package],
        line: format!("npm install {name}@{}", parts.project.manifest.version),
    })
}

/// Compiles `src` to `dist` with a compiler of the folder's own, which is installed if it isn't there.
fn compile(parts: &Parts<'_>, work: &Path) -> Result<(), Problem> {
    let ours = rustbridge(parts.project)?.part("node", "the npm package")?;
    let ours = slashes(&ours.join("rustbridge"))?;
    let manifest = json!({
        "name": "build",
        "private": true,
        "type": "module",
        "devDependencies": {
            "@types/node": "^20.19.0",
            "rustbridge": format!("file:{ours}"),
            "typescript": "^5.9.0",
        },
    });
    write(
        &work.join("package.json"),
        format!("{manifest:#}\n").as_bytes(),
    )?;
    write(&work.join("tsconfig.json"), COMPILER.as_bytes())?;
    // The folder is never installed from, so its lock is of use to the next build alone.
    let mut install = Command::new(NPM);
    install
        .args(["install", "--silent", "--no-audit", "--no-fund"])
        .current_dir(work);
    tool::output(&mut install, WHAT)?;
    let mut compile = Command::new("node");
    compile
        .args(["node_modules/typescript/bin/tsc", "-p", "."])
        .current_dir(work);
    tool::output(&mut compile, WHAT)?;
    // What a compilation leaves that isn't there any more would be packed.
    fs::metadata(work.join("dist"))
        .map(drop)
        .map_err(Problem::new)
}

fn manifest(parts: &Parts<'_>, name: &str, main: &str) -> Value {
    let manifest = &parts.project.manifest;
    let mut fields = Map::new();
    let mut field = |name: &str, value: Value| fields.insert(name.to_owned(), value);
    field("name", json!(name));
    field("version", json!(manifest.version));
    field("description", json!(parts.description));
    field("license", json!(parts.license));
    if let Some(url) = &manifest.repository {
        field("repository", json!({"type": "git", "url": url}));
    }
    if let Some(author) = manifest.authors.first() {
        field("author", json!(author));
    }
    field("type", json!("module"));
    field("main", json!(format!("./{main}.js")));
    field("types", json!(format!("./{main}.d.ts")));
    // TypeScript finds the types beside the script.
    let main = format!("./{main}.js");
    field(
        "exports",
        json!({".": main, "./package.json": "./package.json"}),
    );
    field("engines", json!({"node": ">=20"}));
    field(
        "dependencies",
        json!({"rustbridge": format!("^{}", env!("CARGO_PKG_VERSION"))}),
    );
    Value::Object(fields)
}
