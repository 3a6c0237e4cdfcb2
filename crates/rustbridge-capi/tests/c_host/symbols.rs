//! Libraries export what their header says and nothing else.

use std::collections::BTreeSet;
use std::path::Path;
use std::{env, fs};

use object::{Object, ObjectSymbol};
use rustbridge_conformance::{libraries, system};

use crate::support;

/// The functions and data that a shared library exports.
fn exports(library: &Path) -> BTreeSet<String> {
    let bytes = fs::read(library).unwrap();
    let file = object::File::parse(&*bytes).unwrap();
    // Mach-O puts an underscore before C's names.
    let plain = |name: &str| match file.format() {
        object::BinaryFormat::MachO => name.strip_prefix('_').unwrap_or(name).to_owned(),
        _ => name.to_owned(),
    };
    if file.format() == object::BinaryFormat::Elf {
        // Undefined ones are what it imports.
        return file
            .dynamic_symbols()
            .filter(|symbol| symbol.is_definition() && !symbol.is_local())
            .map(|symbol| plain(symbol.name().unwrap()))
            .collect();
    }
    file.exports()
        .unwrap()
        .map(|export| match export.unwrap().name() {
            object::read::NameOrOrdinal::Name(name) => plain(&String::from_utf8_lossy(name)),
            object::read::NameOrOrdinal::Ordinal(ordinal) => format!("ordinal {ordinal}"),
        })
        .collect()
}

/// The functions that rustbridge.h declares.
fn declared() -> BTreeSet<String> {
    let (_, header) = rustbridge_headers::generate()
        .into_iter()
        .find(|(path, _)| path.ends_with("rustbridge.h"))
        .unwrap();
    header
        .lines()
        .filter(|line| !line.starts_with([' ', '*', '#', '/', '}']) && !line.starts_with("static"))
        .filter_map(|line| line.split_once('('))
        .map(|(before, _)| before.rsplit([' ', '*']).next().unwrap().to_owned())
        .filter(|name| name.starts_with("rb_"))
        .collect()
}

#[test]
fn librustbridge_exports_the_functions_of_its_header_and_nothing_else() {
    let declared = declared();
    assert!(declared.len() >= 18, "{declared:?}");
    assert_eq!(exports(&support::librustbridge()), declared);
}

#[test]
fn a_plugin_in_rust_exports_exactly_one_symbol() {
    for plugin in ["hello-plugin", "conformance-plugin"] {
        let expected = BTreeSet::from(["rustbridge_plugin".to_owned()]);
        assert_eq!(exports(&libraries::path(plugin)), expected, "{plugin}");
    }
}

#[test]
fn a_plugin_in_c_exports_exactly_one_symbol() {
    let plugin =
        support::source("tests/c/plugin.c").library(&support::folder("symbols"), "c_plugin");
    let expected = BTreeSet::from(["rustbridge_plugin".to_owned()]);
    assert_eq!(exports(&plugin), expected);
}

/// Those for Windows are in the folder of the plugins, those of this system where the tests are built.
#[test]
fn every_library_exports_for_windows_what_it_exports_here() {
    let Some(folder) = system::cross().and_then(|_| env::var_os(libraries::PLUGIN_DIR)) else {
        return;
    };
    let built = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("debug");
    for name in ["rustbridge", "rustbridge_jni", "hello_plugin"] {
        let dll = Path::new(&folder).join(format!("{name}.dll"));
        let (prefix, suffix) = (env::consts::DLL_PREFIX, env::consts::DLL_SUFFIX);
        let here = built.join(format!("{prefix}{name}{suffix}"));
        assert_eq!(exports(&dll), exports(&here), "{name}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn librustbridge_is_remembered_by_its_name_and_not_by_where_it_was_built() {
    if system::is_windows() {
        eprintln!("skipped: Windows remembers no paths of libraries");
        return;
    }
    let folder = support::folder("symbols");
    let program = support::source("tests/c/arguments.c")
        .link(support::Link::Shared)
        .program(&folder, "linked");
    let bytes = fs::read(program).unwrap();
    let needed = b"\0librustbridge.so\0";
    assert!(bytes.windows(needed.len()).any(|window| window == needed));
    let path = support::librustbridge();
    let path = path.to_str().unwrap().as_bytes();
    assert!(!bytes.windows(path.len()).any(|window| window == path));
}
