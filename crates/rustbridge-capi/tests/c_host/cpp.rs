//! The host in C++, `include/rustbridge.hpp`: every conformance case, programs for what only it has, and its guide.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

use rustbridge_conformance::cases::{Case, Files, Op, Plugin};
use rustbridge_conformance::run::{self, CASE_LIMIT, Selection};
use rustbridge_conformance::testee::Testee;
use rustbridge_conformance::{libraries, system};
use serde_json::Value;

use crate::support::{self, Link, Source};

fn source<'a>(file: &'a str) -> Source<'a> {
    support::source(file)
        .include("tests/cpp")
        .link(Link::Shared)
        .with_hpp()
}

fn plugin(package: &str) -> PathBuf {
    system::argument(&libraries::path(package)).into()
}

/// Runs the wanted cases, which must all be right, with so much time for each.
fn run_those(
    make: impl Fn() -> Command + 'static,
    limit: Duration,
    wanted: impl Fn(&Case) -> bool,
    way: impl Fn(&str) -> bool,
) {
    let library = |of: Plugin| plugin(of.package());
    let files = Files::read().unwrap();
    let mut testee = Testee::start(make, library, limit).unwrap();
    let selection = Selection {
        case: &wanted,
        way: &way,
        until: None,
    };
    let report = run::all(&files, &mut testee, &selection);
    report.assert_right();
    let wanted = files.cases().filter(|case| wanted(case)).count();
    assert_eq!(report.case_counts().passed, wanted, "{report}");
    assert!(wanted > 100, "{wanted}");
}

/// Without a memory checker the program looks itself at what lies behind the storage.
fn guarded(program: &Path) -> Command {
    let mut command = support::command(program);
    command.arg("guard");
    command
}

/// The host of the conformance cases, compiled once.
fn conformance_host() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        source("tests/cpp/conformance.cpp").program(&support::folder("cpp"), "conformance_cpp")
    })
}

#[test]
fn every_case_is_right_in_a_cpp_host() {
    let program = conformance_host();
    run_those(|| guarded(program), CASE_LIMIT, |_| true, |_| true);
}

#[test]
fn a_memory_checker_finds_nothing_while_every_case_runs_in_a_cpp_host() {
    // Memory checkers take minutes for a request of 100 MB, and the ways differ in what the other test sees.
    let small = |case: &Case| {
        case.steps.iter().all(|step| match &step.op {
            Op::Call(call) => call.request.len() < 10_000_000,
            _ => true,
        })
    };
    let usual = |way: &str| way == "call";
    let limit = Duration::from_secs(600);
    if support::have_valgrind() {
        let program = conformance_host();
        let make = || support::under_valgrind(&support::command(program));
        run_those(make, limit, small, usual);
    } else if support::have_address_sanitizer() {
        let program = source("tests/cpp/conformance.cpp")
            .with_address_sanitizer()
            .program(&support::folder("cpp"), "conformance_cpp_asan");
        run_those(move || support::command(&program), limit, small, usual);
    } else {
        eprintln!(
            "skipped: no valgrind here, and no AddressSanitizer that works with a shared library of Rust's"
        );
    }
}

/// The programs for what only the host in C++ has, and the plugins that each is for.
const PROGRAMS: [(&str, &[&str]); 14] = [
    (
        "calls",
        &["hello-plugin", "operations-plugin", "conformance-plugin"],
    ),
    ("lifetime", &["hello-plugin", "operations-plugin"]),
    ("operations", &["operations-plugin"]),
    ("streams", &["operations-plugin"]),
    ("headers", &["operations-plugin", "types-plugin"]),
    ("services", &["operations-plugin", "hello-plugin"]),
    ("typed_values", &["types-plugin"]),
    ("typed_calls", &["types-plugin", "hello-plugin"]),
    ("callbacks", &["fixtures-plugin"]),
    ("branches", &["fixtures-plugin"]),
    ("traits", &["fixtures-plugin"]),
    ("shared", &["fixtures-plugin", "gallery-plugin"]),
    ("default_values", &["fixtures-plugin"]),
    (
        "typed_versions",
        &[
            "types-plugin-next",
            "types-plugin-older",
            "types-plugin-broken",
        ],
    ),
];

/// Runs a program, and once more with a memory checker if there's one.
fn passes(name: &str) {
    passes_with(name, &[], &[]);
}

/// The same for one that takes files besides, and with a memory checker some more arguments.
fn passes_with(name: &str, files: &[PathBuf], checked: &[&str]) {
    let plugins = PROGRAMS.iter().find(|(program, _)| *program == name);
    let mut plugins: Vec<PathBuf> = plugins.unwrap().1.iter().map(|of| plugin(of)).collect();
    plugins.extend(files.iter().map(|file| system::argument(file).into()));
    let file = format!("tests/cpp/{name}.cpp");
    let folder = support::folder("cpp");
    let program = support::command(&source(&file).program(&folder, &format!("{name}_cpp")));
    let mut runs = vec![(support::command(Path::new(program.get_program())), &[][..])];
    if support::soak() > 1 {
        // What is repeated so often takes hours with a memory checker, which has seen it all in a test.
    } else if support::have_valgrind() {
        runs.push((support::under_valgrind(&program), checked));
    } else if support::have_address_sanitizer() {
        let source = source(&file).with_address_sanitizer();
        let program = source.program(&folder, &format!("{name}_cpp_asan"));
        runs.push((support::command(&program), checked));
    }
    for (mut run, more) in runs {
        let said = support::run(run.args(&plugins).args(more));
        assert!(said.contains(&format!("{name}: ok")), "{said}");
    }
}

#[test]
fn calls_carry_what_they_are_given_and_errors_say_why() {
    passes("calls");
}

#[test]
fn nothing_lives_too_short_and_what_was_moved_from_refuses() {
    passes("lifetime");
}

#[test]
fn calls_end_later_by_functions_futures_and_a_queue() {
    passes("operations");
}

#[test]
fn streams_go_both_ways_and_end_as_they_should() {
    passes("streams");
}

#[test]
fn headers_come_before_anything_else() {
    passes("headers");
}

#[test]
fn services_objects_and_log_sinks_keep_exceptions_to_themselves() {
    passes("services");
}

/// The vectors of the wire form as a program reads them that knows no JSON: method, bytes in hexadecimal digits or `-`, and what comes of it.
fn wire_vectors() -> PathBuf {
    let text = fs::read(support::workspace().join("conformance/wire/vectors.json")).unwrap();
    let read: Value = serde_json::from_slice(&text).unwrap();
    let line = |vector: &Value| {
        let text = |name: &str| vector[name].as_str().unwrap().to_owned();
        let bytes = Some(text("wire")).filter(|bytes| !bytes.is_empty());
        let kind = match (vector.get("refused"), vector["filled"].as_bool()) {
            (Some(_), _) => "refused",
            (None, Some(true)) => "filled",
            _ => "same",
        };
        format!(
            "{} {} {kind}\n",
            text("method"),
            bytes.as_deref().unwrap_or("-")
        )
    };
    let lines: String = read["vectors"]
        .as_array()
        .unwrap()
        .iter()
        .map(line)
        .collect();
    let file = support::folder("cpp").join("vectors.txt");
    fs::write(&file, lines).unwrap();
    file
}

#[test]
fn typed_clients_write_and_read_values_of_every_type() {
    // Random values are the plugin's work above all, which a memory checker makes take fifty times as long; a few of each type
    // show it what the client does with memory.
    passes_with("typed_values", &[wire_vectors()], &["4"]);
}

#[test]
fn typed_clients_have_errors_streams_objects_and_services() {
    passes("typed_calls");
}

#[test]
fn typed_clients_implement_callbacks() {
    passes("callbacks");
}

#[test]
fn functions_of_callbacks_accept_and_return_objects() {
    passes("branches");
}

#[test]
fn clients_of_two_plugins_have_types_in_common() {
    passes("shared");
}

#[test]
fn objects_of_typed_clients_have_traits() {
    passes("traits");
}

#[test]
fn typed_clients_show_default_values() {
    passes("default_values");
}

#[test]
fn typed_clients_are_resolved_for_other_versions_and_told_what_breaks() {
    passes("typed_versions");
}

#[test]
fn the_header_compiles_without_a_warning_with_every_compiler_that_is_here() {
    let file = support::folder("cpp").join("header.cpp");
    fs::write(
        &file,
        "#include \"rustbridge.hpp\"\n#include \"rustbridge.hpp\"\n\
         #include \"clients/types.hpp\"\n#include \"clients/types.hpp\"\n\
         struct Pod { int value; };\ntemplate class rustbridge::PodMethod<Pod, Pod>;\n\
         types::Every send(const types::Types& to) { return to.every(types::Every()); }\n",
    )
    .unwrap();
    let mut count = 0;
    for compiler in ["g++", "clang++", "x86_64-w64-mingw32-g++"] {
        if !support::have(compiler) {
            continue;
        }
        // Some warnings need the optimizer's data-flow analysis, which is slow: one compiler runs it. The others only check.
        let level = if count == 0 { "-O3" } else { "-fsyntax-only" };
        support::run(
            Command::new(compiler)
                .args([level, "-std=c++20"])
                .args(["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow"])
                .args(["-Wold-style-cast", "-Wnon-virtual-dtor", "-Werror", "-c"])
                .arg("-I")
                .arg(support::workspace().join("include"))
                .arg("-I")
                .arg(Path::new(support::CRATE).join("tests/cpp"))
                .arg(&file)
                .arg("-o")
                .arg(file.with_extension(format!("{compiler}.o"))),
        );
        count += 1;
    }
    if count == 0 {
        eprintln!("skipped: none of the compilers is here by that name");
    }
}

#[test]
fn what_is_installed_has_the_headers() {
    let prefix = support::folder("cpp").join("prefix");
    // An earlier version's headers may still be there.
    if prefix.exists() {
        fs::remove_dir_all(&prefix).unwrap();
    }
    rustbridge_headers::package(support::built(), &prefix).unwrap();
    let headers = |folder: &Path| {
        let include = folder.join("include");
        let mut found = Vec::new();
        for folder in [include.clone(), include.join("rustbridge")] {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.extension().is_some_and(|ending| ending == "hpp") {
                    let name = path.strip_prefix(&include).unwrap().to_owned();
                    found.push((name, fs::read_to_string(path).unwrap()));
                }
            }
        }
        found.sort();
        found
    };
    let installed = headers(&prefix);
    assert!(installed.len() > 10, "{}", installed.len());
    assert_eq!(installed, headers(&support::workspace()));
    let whole: String = ["rustbridge.hpp", "rustbridge_typed.hpp"]
        .map(|name| fs::read_to_string(support::workspace().join("include").join(name)).unwrap())
        .concat();
    for (name, _) in installed {
        if name.starts_with("rustbridge") {
            let name = name.display().to_string().replace('\\', "/");
            assert!(whole.contains(&format!("#include \"{name}\"")), "{name}");
        }
    }
}

/// Without the spaces that all of its lines have in front.
fn dedented(block: &str) -> String {
    let lines = || block.lines().filter(|line| !line.trim().is_empty());
    let indent = lines()
        .map(|line| line.len() - line.trim_start().len())
        .min()
        .unwrap_or(0);
    let lines: Vec<&str> = block
        .lines()
        .map(|line| line.get(indent..).unwrap_or_default())
        .collect();
    lines.join("\n").trim_matches('\n').to_owned()
}

#[test]
fn what_the_guide_shows_is_what_is_built() {
    let guide = fs::read_to_string(support::workspace().join("docs/guide/cpp.md")).unwrap();
    let source = fs::read_to_string(Path::new(support::CRATE).join("tests/cpp/guide.cpp")).unwrap();
    let shown: Vec<String> = guide
        .split("\n```")
        .filter_map(|part| part.strip_prefix("cpp\n"))
        .map(dedented)
        .collect();
    let built: Vec<String> = source
        .split("// guide\n")
        .skip(1)
        .map(|part| {
            let (block, _) = part.split_once("// end").expect("a snippet ends somewhere");
            dedented(block.trim_end())
        })
        .collect();
    for block in &shown {
        assert!(built.contains(block), "guide.cpp hasn't:\n{block}");
    }
    for block in &built {
        assert!(shown.contains(block), "the guide doesn't show:\n{block}");
    }
    assert!(shown.len() >= 20, "{}", shown.len());
}

#[test]
fn what_the_guide_shows_works() {
    if system::is_windows() {
        eprintln!("skipped: what it shows of a loop is for systems with `poll`");
        return;
    }
    let program = source("tests/cpp/guide.cpp").program(&support::folder("cpp"), "guide_cpp");
    let said = support::run(
        support::command(&program)
            .arg(plugin("hello-plugin"))
            .arg(plugin("operations-plugin")),
    );
    for line in [
        r#"{"greeting":"Hello, Ada! Welcome to rustbridge."}"#,
        r#"{"received":500,"size":1000}"#,
        r#"1: {"slept_ms":10}"#,
        "guide: ok",
    ] {
        assert!(said.lines().any(|said| said == line), "{line}: {said}");
    }
}
