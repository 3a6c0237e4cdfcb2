//! Typed clients of plugins whose names are awkward, compiled in each language: `crates/rustbridge-gen/examples/names` writes them.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};

use crate::dotnet::{self, Dotnet};
use crate::files::{below, copy, entries, remove, write};
use crate::go;
use crate::java::{self, Java};
use crate::node;
use crate::python;
use crate::step::{Missing, Step};
use crate::tested;
use crate::tools::{find_cxx, version_in};
use crate::workspace::Workspace;

/// What compiles the clients in the folders of a folder.
type Compile = fn(&mut Step<'_>, &Path) -> Result<()>;

const LANGUAGES: [(&str, Compile); 8] = [
    ("python", python),
    ("java", java),
    ("csharp", csharp),
    ("cpp", cpp),
    ("kotlin", kotlin),
    ("rust", rust),
    ("go", go),
    ("typescript", typescript),
];

/// The environment's variable with the position of names to try in whole, in place of one part of one position.
const POSITION: &str = "RUSTBRIDGE_NAMES";

pub fn run(step: &mut Step<'_>) -> Result<()> {
    let workspace = step.workspace;
    let writer = tested::example(step, "names")?;
    let said = step.run(&mut workspace.command(&writer))?;
    let (positions, parts) = said.split_once('\n').context("positions, and parts")?;
    let positions: Vec<&str> = positions.split(' ').collect();
    let parts: usize = parts.trim().parse().context("a number of parts")?;
    let all = (0..positions.len() * parts)
        .map(|place| (positions[place % positions.len()], place / positions.len()));
    let all: Vec<(&str, usize)> = all.collect();
    let only = env::var(POSITION).ok();
    if let Some(only) = &only {
        ensure!(
            positions.contains(&&**only),
            "{POSITION} is `{only}`, which is none of the positions {positions:?}"
        );
    }
    let folder = workspace.target.join("names");
    // The log names them. A commit has the same ones wherever it's tested.
    let first = workspace.commits();
    for (number, (language, compile)) in LANGUAGES.into_iter().enumerate() {
        let tried = match &only {
            Some(only) => (0..parts).map(|part| (&**only, part)).collect(),
            None if workspace.soak > 1 => all.clone(),
            None => vec![all[(first + number * (parts + 1)) % all.len()]],
        };
        for (position, part) in tried {
            let folder = folder.join(language);
            remove(&folder)?;
            let mut write = workspace.command(&writer);
            write
                .arg(&folder)
                .args([language, position])
                .arg(part.to_string());
            let name = format!("{language}: part {part} of the names as {position}");
            match step.run(&mut write).and_then(|_| compile(step, &folder)) {
                Ok(()) => step.check(&name, None)?,
                Err(error) if error.is::<Missing>() && !workspace.ci => {
                    step.skip(language, &format!("{error:#}"))?;
                    break;
                }
                Err(error) => step.check(&name, Some(format!("{error:#}")))?,
            }
        }
    }
    step.done_with("names")?;
    step.finish()
}

/// The files below a folder whose names end so.
fn files(folder: &Path, ending: &str) -> Result<Vec<PathBuf>> {
    let mut found = below(folder)?;
    found.retain(|path| path.to_string_lossy().ends_with(ending));
    Ok(found)
}

fn python(step: &mut Step<'_>, folder: &Path) -> Result<()> {
    let workspace = step.workspace;
    python::environment(step)?;
    let sources = workspace.root.join("rustbridge-python/src");
    let modules = files(folder, ".py")?;
    let mut check = workspace.command(python::program(workspace, "mypy"));
    check
        .env("MYPYPATH", &sources)
        .args(["--strict", "--follow-imports=silent", "--cache-dir"])
        .arg(folder.join("mypy"))
        .args(&modules);
    step.run(&mut check)?;
    for module in modules {
        let mut import = workspace.command(python::program(workspace, "python"));
        import
            .env("PYTHONPATH", &sources)
            .args(["-W", "error"])
            .arg(module);
        step.run(&mut import)?;
    }
    Ok(())
}

/// The classes of the package, and of the one for Kotlin.
fn classes(workspace: &Workspace) -> Result<[PathBuf; 2]> {
    let of = |module: &str| {
        workspace
            .root
            .join(java::FOLDER)
            .join(module)
            .join("target/classes")
    };
    let both = ["rustbridge", "rustbridge-kotlin"].map(of);
    match both.iter().all(|folder| folder.is_dir()) {
        true => Ok(both),
        false => Err(Missing(
            "the Java packages aren't built: `cargo xtask test --only java` does".into(),
        )
        .into()),
    }
}

fn java(step: &mut Step<'_>, folder: &Path) -> Result<()> {
    let workspace = step.workspace;
    let [classes, _] = classes(workspace)?;
    let sources = folder.join("sources");
    let list: String = files(folder, ".java")?
        .iter()
        .map(|file| format!("\"{}\"\n", file.display()))
        .collect();
    write(&sources, &list)?;
    let mut compile = workspace.command(Java::find()?.program("javac"));
    compile
        .args([
            "-Xlint:all",
            "-Werror",
            "-proc:none",
            "--release",
            "17",
            "-cp",
        ])
        .arg(classes)
        .arg("-d")
        .arg(folder.join("classes"))
        .arg(format!("@{}", sources.display()));
    step.run(&mut compile).map(drop)
}

/// By the compiler that Maven has fetched for the package.
fn kotlin(step: &mut Step<'_>, folder: &Path) -> Result<()> {
    let workspace = step.workspace;
    let classes = classes(workspace)?;
    let home = env::home_dir().context("there's no home folder")?;
    let jars = home.join(".m2/repository/org/jetbrains");
    let newest = |of: &str| -> Result<PathBuf> {
        let mut found = files(&jars.join(of), ".jar")?;
        found.retain(|jar| !jar.to_string_lossy().contains("-sources"));
        found.sort_by_key(|jar| version_in(&jar.file_name().unwrap_or_default().to_string_lossy()));
        found
            .pop()
            .with_context(|| format!("Maven has fetched no {of}"))
    };
    let compiler = [
        "kotlin/kotlin-compiler-embeddable",
        "kotlin/kotlin-stdlib",
        "kotlin/kotlin-script-runtime",
        "kotlin/kotlin-reflect",
        "kotlin/kotlin-daemon-embeddable",
        "kotlinx/kotlinx-coroutines-core-jvm",
        "annotations",
    ];
    let compiler = compiler
        .map(newest)
        .into_iter()
        .collect::<Result<Vec<_>>>()?;
    let needed = [
        "kotlin/kotlin-stdlib",
        "kotlinx/kotlinx-coroutines-core-jvm",
    ]
    .map(newest)
    .into_iter()
    .collect::<Result<Vec<_>>>()?;
    let path = |parts: &[PathBuf]| env::join_paths(parts).context("a path has a separator in it");
    let mut compile = workspace.command(Java::find()?.program("java"));
    compile
        .args([
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xmx2g",
            "-cp",
        ])
        .arg(path(&compiler)?)
        .args([
            "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler",
            "-no-stdlib",
            "-no-reflect",
            "-Werror",
            "-cp",
        ])
        .arg(path(&[&classes[..], &needed].concat())?)
        .arg("-d")
        .arg(folder.join("classes"))
        .args(entries(folder)?);
    step.run(&mut compile).map(drop)
}

fn csharp(step: &mut Step<'_>, folder: &Path) -> Result<()> {
    let workspace = step.workspace;
    let dotnet = Dotnet::find()?;
    let framework = dotnet::newest_framework();
    let library = workspace
        .root
        .join("rustbridge-csharp/RustBridge/bin/Release")
        .join(&framework)
        .join("RustBridge.dll");
    if !library.is_file() {
        return Err(Missing(
            "the C# package isn't built: `cargo xtask test --only csharp-build` does".into(),
        )
        .into());
    }
    let project = folder.join("Probe.csproj");
    write(
        &project,
        format!(
            "<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><TargetFramework>{framework}</TargetFramework><Nullable>enable</Nullable>\
         <TreatWarningsAsErrors>true</TreatWarningsAsErrors><NuGetAudit>false</NuGetAudit>\
             <DisableTransitiveFrameworkReferenceDownloads>true</DisableTransitiveFrameworkReferenceDownloads></PropertyGroup>\
         <ItemGroup><Reference Include=\"{}\" /></ItemGroup></Project>",
            library.display()
        ),
    )?;
    let mut build = dotnet.command(workspace, "build");
    build.arg(&project).args([
        "--nologo",
        "--verbosity",
        "quiet",
        "--disable-build-servers",
    ]);
    step.run(&mut build).map(drop)
}

/// The address space of the C++ compiler in KiB, which fails if memory grows with the square of the number of names. The largest clients here
/// have 450 methods with an error enum each.
const MEMORY: u32 = 2 << 20;

/// Each by itself, since a program has few clients.
fn cpp(step: &mut Step<'_>, folder: &Path) -> Result<()> {
    let workspace = step.workspace;
    let compiler = find_cxx().ok_or_else(|| Missing::tool("C++ compiler"))?;
    for header in files(folder, ".hpp")? {
        let source = header.with_extension("cpp");
        write(&source, format!("#include \"{}\"\n", header.display()))?;
        let mut compile = workspace.command("sh");
        compile
            .args(["-c", &format!("ulimit -v {MEMORY}; exec \"$0\" \"$@\"")])
            .arg(&compiler)
            .args([
                "-std=c++20",
                "-fsyntax-only",
                "-Wall",
                "-Wextra",
                "-Werror",
                "-Iinclude",
            ])
            .arg(source);
        step.run(&mut compile)?;
    }
    Ok(())
}

fn rust(step: &mut Step<'_>, folder: &Path) -> Result<()> {
    let workspace = step.workspace;
    let mut library = String::from("#![deny(warnings)]\n");
    for (number, client) in files(folder, ".rs")?.iter().enumerate() {
        library.push_str(&format!("#[path = {client:?}]\npub mod client{number};\n"));
    }
    write(&folder.join("src/lib.rs"), &library)?;
    let host = workspace.root.join("crates/rustbridge-host");
    write(
        &folder.join("Cargo.toml"),
        format!(
            "[package]\nname = \"probe\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[dependencies]\nrustbridge-host = {{ path = {host:?} }}\n[workspace]\n"
        ),
    )?;
    copy(
        &workspace.root.join("Cargo.lock"),
        &folder.join("Cargo.lock"),
    )?;
    let mut check = workspace.cargo();
    check
        .current_dir(folder)
        .args(["check", "--offline"])
        .env("CARGO_TARGET_DIR", &workspace.target);
    step.run(&mut check).map(drop)
}

fn go(step: &mut Step<'_>, folder: &Path) -> Result<()> {
    let workspace = step.workspace;
    const MODULE: &str = "github.com/rustbridge/rustbridge/rustbridge-go";
    let ours = workspace.root.join(go::FOLDER);
    write(
        &folder.join("go.mod"),
        format!(
            "module probe\n\ngo 1.24\n\nrequire {MODULE} v0.0.0\n\nreplace {MODULE} => {}\n",
            ours.display()
        ),
    )?;
    let mut vet = go::command(workspace, go::FOLDER, &["vet", "./..."])?;
    vet.current_dir(folder);
    step.run(&mut vet).map(drop)
}

fn typescript(step: &mut Step<'_>, folder: &Path) -> Result<()> {
    let scripts = node::compiled(step)?;
    let package = folder.join("node_modules/rustbridge");
    let ours = step.workspace.root.join(node::FOLDER);
    for file in ["package.json", "index.d.mts"] {
        copy(&ours.join(file), &package.join(file))?;
    }
    node::copy_all(&scripts, &package.join("dist"))?;
    let types = ours.join("node_modules/@types");
    write(
        &folder.join("tsconfig.json"),
        format!(
            "{{\"compilerOptions\": {{\"strict\": true, \"target\": \"es2022\", \"lib\": [\"es2022\", \"esnext.disposable\"], \"module\": \"node16\", \
         \"noEmit\": true, \"types\": [\"node\"], \"typeRoots\": [{types:?}], \"noUnusedLocals\": true, \"noUncheckedIndexedAccess\": true, \
         \"exactOptionalPropertyTypes\": true}}, \"include\": [\"*/*.ts\"]}}\n"
        ),
    )?;
    let mut compile = node::module(step, "typescript/bin/tsc")?;
    compile.arg("-p").arg(folder);
    step.run(&mut compile).map(drop)
}
