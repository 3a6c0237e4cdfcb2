//! `cargo xtask regen`: writes what is generated, and checks that it has been.

use std::process::ExitCode;

use anyhow::{Context as _, Result};

use crate::conformance;
use crate::figures;
use crate::notices;
use crate::python;
use crate::step::Step;
use crate::tested;
use crate::workspace::{self, Workspace};

/// Copies of the headers for C, in the folder of the package that includes them: of others `go mod vendor` copies nothing.
const HEADERS_OF_GO: [&str; 2] = [
    "rustbridge-go/internal/native/rustbridge.h",
    "rustbridge-go/internal/native/rustbridge_plugin.h",
];

/// What is generated as a whole: folders and files.
pub const GENERATED: &[&str] = &[
    "include",
    HEADERS_OF_GO[0],
    HEADERS_OF_GO[1],
    "docs/abi",
    "rustbridge-node/src/constants.ts",
    "rustbridge-python/src/rustbridge/_constants.py",
    "rustbridge-csharp/RustBridge/Internal/Abi.g.cs",
    "rustbridge-java/rustbridge/src/main/java/io/github/rustbridge/interop/AbiLayout.java",
    "conformance/cases",
    "conformance/wire",
    "fuzz/Cargo.lock",
    "benches/grpc/Cargo.lock",
    "plugins/types-plugin/types.rbdesc",
    "plugins/bench-plugin/bench.rbdesc",
    "crates/rustbridge-capi/tests/cpp/clients",
    "benches/boundary/src/scenarios/clients",
    "benches/cpp/src/clients",
    "crates/rustbridge-host/tests/clients",
    "examples/contacts/contacts.rbdesc",
    "examples/contacts/rust/src/contacts.rs",
    "examples/contacts/go/contacts",
    "examples/contacts/node/contacts.ts",
    "examples/schemas/schemas.rbdesc",
    "examples/schemas/rust/src/schemas.rs",
    "rustbridge-python/tests/clients",
    "rustbridge-python/benchmarks/clients",
    "rustbridge-csharp/RustBridge.Tests/Clients",
    "rustbridge-csharp/RustBridge.Benchmarks/Clients",
    "rustbridge-java/rustbridge-tests/src/test/java/io/github/rustbridge/tests/clients",
    "rustbridge-java/rustbridge-benchmarks/src/main/java/io/github/rustbridge/benchmarks/clients",
    "rustbridge-java/rustbridge-benchmarks/src/main/kotlin/io/github/rustbridge/benchmarks/kotlin",
    "rustbridge-java/rustbridge-kotlin/src/test/kotlin/io/github/rustbridge/kotlin/clients",
    "rustbridge-java/rustbridge-spring-boot-starter/src/test/java/io/github/rustbridge/spring/contacts",
    "rustbridge-go/internal/clients",
    "rustbridge-node/test/clients",
    conformance::DOCUMENT,
    notices::FILE,
    notices::OF_COMMAND,
    "rustbridge-python/LICENSE-APACHE",
    "rustbridge-python/LICENSE-MIT",
    "rustbridge-python/THIRD-PARTY.txt",
];

/// A plugin that clients are written of.
struct Described {
    package: &'static str,
    /// Where its description is kept.
    description: &'static str,
    /// Per client the language, the folder of sources and the namespace.
    clients: &'static [(&'static str, &'static str, &'static str)],
}

/// The one that has every type there is, the one that is measured, and those of examples whose hosts in Rust are built with all others.
const DESCRIBED: &[Described] = &[
    Described {
        package: "types-plugin",
        description: "plugins/types-plugin/types.rbdesc",
        clients: &[
            ("python", "rustbridge-python", "tests.clients.types_client"),
            ("cpp", "crates/rustbridge-capi/tests/cpp/clients", "types"),
            (
                "csharp",
                "rustbridge-csharp/RustBridge.Tests/Clients/Types",
                "RustBridge.Tests.Clients.Types",
            ),
            (
                "java",
                "rustbridge-java/rustbridge-tests/src/test/java",
                "io.github.rustbridge.tests.clients.types",
            ),
            (
                "kotlin",
                "rustbridge-java/rustbridge-kotlin/src/test/kotlin",
                "io.github.rustbridge.kotlin.clients.types",
            ),
            ("rust", "crates/rustbridge-host/tests/clients", "types"),
            ("go", "rustbridge-go/internal/clients", "types"),
            ("typescript", "rustbridge-node/test/clients", "types"),
        ],
    },
    Described {
        package: "bench-plugin",
        description: "plugins/bench-plugin/bench.rbdesc",
        clients: &[
            (
                "python",
                "rustbridge-python",
                "benchmarks.clients.bench_client",
            ),
            (
                "csharp",
                "rustbridge-csharp/RustBridge.Benchmarks/Clients",
                "RustBridge.Benchmarks.Clients",
            ),
            (
                "java",
                "rustbridge-java/rustbridge-benchmarks/src/main/java",
                "io.github.rustbridge.benchmarks.clients",
            ),
            ("rust", "benches/boundary/src/scenarios/clients", "bench"),
            ("cpp", "benches/cpp/src/clients", "bench"),
            (
                "kotlin",
                "rustbridge-java/rustbridge-benchmarks/src/main/kotlin",
                "io.github.rustbridge.benchmarks.kotlin.clients",
            ),
        ],
    },
    Described {
        package: "contacts-plugin",
        description: "examples/contacts/contacts.rbdesc",
        clients: &[
            (
                "java",
                "rustbridge-java/rustbridge-spring-boot-starter/src/test/java",
                "io.github.rustbridge.spring.contacts",
            ),
            ("rust", "examples/contacts/rust/src", "contacts"),
            ("go", "examples/contacts/go", "contacts"),
            ("typescript", "examples/contacts/node", "contacts"),
        ],
    },
    Described {
        package: "schemas-plugin",
        description: "examples/schemas/schemas.rbdesc",
        clients: &[("rust", "examples/schemas/rust/src", "schemas")],
    },
];

/// Writes all generated files.
///
/// The generator of the headers runs as a program of its own and is no dependency of xtask: cbindgen would double the time it takes
/// until the first command of a clean clone starts.
pub fn write(step: &mut Step<'_>) -> Result<()> {
    notices::write(step.workspace)?;
    if step.workspace.has_package(HEADERS) {
        let program = tested::binaries(step, &[HEADERS])?.join(HEADERS);
        step.run(&mut step.workspace.command(program))?;
    }
    // A module of Go's sees nothing outside of its folder.
    for header in HEADERS_OF_GO {
        let to = step.workspace.root.join(header);
        let from = step.workspace.root.join("include");
        let from = from.join(to.file_name().unwrap_or_default());
        std::fs::copy(&from, &to).with_context(|| format!("writing {}", to.display()))?;
    }
    if step.workspace.has("conformance/generate.py") {
        let python = python::interpreter(step.workspace)?;
        step.run(
            step.workspace
                .command(python)
                .arg("conformance/generate.py"),
        )?;
    }
    // Workspaces of their own, whose lock files follow what this one depends on.
    for folder in ["fuzz", "benches/grpc"] {
        let manifest = format!("{folder}/Cargo.toml");
        if step.workspace.has(&manifest) {
            let mut command = step.workspace.cargo();
            command.args([
                "tree",
                "--quiet",
                "--depth",
                "0",
                "--manifest-path",
                &manifest,
            ]);
            step.run(&mut command)?;
        }
    }
    clients(step)?;
    conformance::write(step.workspace)?;
    figures::write(step.workspace)
}

/// What writes the headers, and its program.
const HEADERS: &str = "rustbridge-headers";

/// The command that users have.
const COMMAND: &str = "rustbridge";

/// Writes typed clients, as users write theirs.
fn clients(step: &mut Step<'_>) -> Result<()> {
    if !step.workspace.has_package("rustbridge-cli") {
        return Ok(());
    }
    let generator = tested::binaries(step, &[COMMAND])?.join(COMMAND);
    let described: Vec<&str> = DESCRIBED
        .iter()
        .map(|described| described.package)
        .collect();
    let plugins = tested::libraries(step, &described)?;
    for described in DESCRIBED {
        let Described {
            package,
            description,
            clients,
        } = described;
        let plugin = plugins.join(workspace::file_of_cdylib(package));
        for (language, out, namespace) in *clients {
            let mut command = step.workspace.command(&generator);
            command
                .args(["gen", "--language", language, "--out", out])
                .args(["--namespace", namespace, "--keep", description])
                .arg(&plugin);
            step.run(&mut command)?;
        }
    }
    Ok(())
}

/// Writes them and fails if that changed anything against what is committed or staged.
pub fn check(step: &mut Step<'_>) -> Result<()> {
    // Before they are written: a document may have changes of its own that aren't committed yet.
    figures::check(step)?;
    write(step)?;
    for folder in GENERATED.iter().filter(|folder| step.workspace.has(folder)) {
        let mut diff = step.workspace.command("git");
        let changed = step.run(diff.args(["status", "--porcelain", "--", folder]))?;
        let mut text = step.workspace.command("git");
        step.run(text.args(["--no-pager", "diff", "--", folder]))?;
        let problem = (!changed.trim().is_empty()).then(|| {
            format!(
                "`cargo xtask regen` changes it; commit the result:\n{}",
                changed.trim_end()
            )
        });
        step.check(&format!("{folder} equals the generator's output"), problem)?;
    }
    Ok(())
}

pub fn run(workspace: &Workspace) -> Result<ExitCode> {
    let mut step = Step::start(workspace, "regen")?;
    write(&mut step).inspect_err(|_| eprint!("{}", step.read_log()))?;
    println!(
        "written: {}",
        GENERATED.join(", ") + ", and the tables of figures"
    );
    Ok(ExitCode::SUCCESS)
}
