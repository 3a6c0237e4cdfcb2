//! The headers are what the Rust sources say, compile as C11 and as C++17 without a warning, agree with Rust about every
//! offset and size, and still fit a plugin that was built against the first release.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use rustbridge_abi as abi;
use rustbridge_host_abi as host;

use crate::assertions::assertions;
use crate::support;

#[test]
fn the_committed_headers_are_what_the_sources_say() {
    let pages = rustbridge_headers::pages();
    for (path, text) in rustbridge_headers::generate().into_iter().chain(pages) {
        let committed = fs::read_to_string(support::workspace().join(&path)).unwrap();
        assert!(
            committed == text,
            "{} is out of date: run `cargo xtask regen`",
            path.display()
        );
    }
}

#[test]
fn c11_and_cpp17_agree_with_rust_about_every_offset_size_and_constant() {
    let folder = support::folder("layout");
    let text = assertions();
    for name in ["layout.c", "layout.cpp"] {
        let file = folder.join(name);
        fs::write(&file, &text).unwrap();
        let program = support::source(file.to_str().unwrap())
            .link(support::Link::Shared)
            .program(&folder, &name.replace('.', "_"));
        support::run(&mut support::command(&program));
    }
}

/// The structs of a header by name, each with the names of its fields in order. Read from the text, so that a struct
/// nobody put into `assertions` is noticed.
fn structs(header: &str) -> Vec<(String, Vec<String>)> {
    let mut found = Vec::new();
    let mut open: Option<(String, Vec<String>)> = None;
    for line in header.lines() {
        if let Some(name) = line
            .strip_prefix("typedef struct ")
            .and_then(|rest| rest.strip_suffix(" {"))
        {
            open = Some((name.to_owned(), Vec::new()));
        } else if line.starts_with('}')
            && let Some(complete) = open.take()
        {
            found.push(complete);
        } else if let Some((_, fields)) = &mut open
            && !line.trim_start().starts_with(['*', '/'])
            && let Some(field) = field_name(line)
        {
            fields.push(field.to_owned());
        }
    }
    found
}

fn field_name(line: &str) -> Option<&str> {
    match line.split_once("(*") {
        Some((_, pointer)) => pointer.split_once(')').map(|(name, _)| name),
        None => line
            .strip_suffix(';')
            .filter(|line| !line.contains(')'))
            .and_then(|line| line.rsplit([' ', '*']).next())
            .map(|name| name.split_once('[').map_or(name, |(name, _)| name)),
    }
}

#[test]
fn every_struct_and_field_of_the_headers_is_asserted() {
    let assertions = assertions();
    let mut fields = 0;
    for (path, header) in rustbridge_headers::generate() {
        for (name, names) in structs(&header) {
            assert!(
                !names.is_empty(),
                "{name} in {} has no fields",
                path.display()
            );
            for field in names {
                let asserted = format!("offsetof({name}, {field})");
                assert!(assertions.contains(&asserted), "{asserted} is missing");
                fields += 1;
            }
        }
    }
    assert_eq!(fields, assertions.matches("offsetof(").count());
}

/// The headers of version 1.0, which later libraries have to get on with. Until they are released, `rc`: they may be
/// replaced.
const FROZEN: &str = "tests/frozen/1.0-rc";

#[test]
fn a_plugin_and_a_host_built_against_the_first_headers_get_on_with_today() {
    let folder = support::folder("frozen");
    let plugin = support::source("tests/frozen/1.0-rc/plugin.c")
        .include(FROZEN)
        .library(&folder, "frozen");
    for (name, headers) in [("host_of_today", "tests/c"), ("host_of_then", FROZEN)] {
        let host = support::source("tests/c/frozen.c")
            .include(headers)
            .link(support::Link::Shared)
            .program(&folder, name);
        support::run(
            support::command(&host).arg(rustbridge_conformance::system::argument(&plugin)),
        );
    }
}

#[test]
fn what_counts_as_complete_is_what_the_first_headers_had() {
    fn size<T: abi::Growing>() -> usize {
        T::SIZE_1_0
    }
    let sizes = [
        ("rb_plugin_table", size::<abi::PluginTable>()),
        ("rb_host", size::<abi::Host>()),
        ("rb_log_record", size::<abi::LogRecord>()),
        ("rb_log_extension", size::<abi::LogExtension>()),
        ("rb_call_context", size::<abi::CallContext>()),
        ("rb_call_host", size::<abi::CallHost>()),
        ("rb_batch", size::<abi::Batch>()),
        ("rb_async_extension", size::<abi::AsyncExtension>()),
        ("rb_async_host", size::<abi::AsyncHost>()),
        ("rb_objects_extension", size::<abi::ObjectsExtension>()),
        ("rb_event", host::EVENT_1_0),
        ("rb_submission", host::SUBMISSION_1_0),
        ("rb_callback", size::<host::Callback>()),
        ("rb_load_options", size::<host::LoadOptions>()),
        ("rb_close_options", size::<host::CloseOptions>()),
        ("rb_log_sink", size::<host::LogSink>()),
        ("rb_service", size::<host::Service>()),
        ("rb_service_call", size::<host::ServiceCall>()),
        ("rb_service_host", size::<abi::ServiceHost>()),
        ("rb_method", size::<host::Method>()),
    ];
    let mut text = String::from("#include \"rustbridge.h\"\n");
    let frozen = fs::read_to_string(Path::new(support::CRATE).join(FROZEN).join("rustbridge.h"))
        .unwrap()
        + &fs::read_to_string(
            Path::new(support::CRATE)
                .join(FROZEN)
                .join("rustbridge_plugin.h"),
        )
        .unwrap();
    for (name, fields) in structs(&frozen) {
        let grows = fields.first().is_some_and(|field| field == "size");
        // An outcome is the library's own: nobody but its reader looks at the size.
        let known = sizes.iter().any(|(known, _)| *known == name) || name == "rb_call_result";
        assert_eq!(grows, known, "{name}");
    }
    for (name, size) in sizes {
        writeln!(
            text,
            "_Static_assert(sizeof({name}) == {size}, \"{name}\");"
        )
        .unwrap();
    }
    text.push_str("int main(void) { return 0; }\n");
    let folder = support::folder("frozen_sizes");
    let file = folder.join("sizes.c");
    fs::write(&file, text).unwrap();
    let program = support::source(file.to_str().unwrap())
        .include(FROZEN)
        .program(&folder, "sizes");
    support::run(&mut support::command(&program));
}

/// The declarations of a header without its comments and white space.
fn declarations(header: &str) -> Vec<String> {
    let mut code = String::new();
    let mut rest = header;
    while let Some((before, comment)) = rest.split_once("/*") {
        code.push_str(before);
        rest = comment.split_once("*/").map_or("", |(_, after)| after);
    }
    code.push_str(rest);
    // A directive ends with its line. A declaration may span several.
    let code = code.lines().fold(String::new(), |mut joined, line| {
        let end = if line.starts_with('#') { ";" } else { " " };
        joined.extend([end, line, end]);
        joined
    });
    code.split([';', '{', '}'])
        .map(|piece| piece.split_whitespace().collect::<Vec<_>>().join(" "))
        .filter(|piece| !piece.is_empty())
        .collect()
}

#[test]
fn the_current_headers_still_declare_all_that_the_first_ones_did() {
    let read = |folder: &str, name: &str| {
        let path = Path::new(support::CRATE).join(folder).join(name);
        declarations(&fs::read_to_string(path).unwrap())
    };
    for name in ["rustbridge_plugin.h", "rustbridge.h"] {
        let frozen = read(FROZEN, name);
        let mut current = read("../../include", name).into_iter();
        assert!(frozen.len() > 60, "{frozen:#?}");
        for declaration in frozen {
            // The minor version is what grows.
            if declaration.starts_with("#define RB_ABI_MINOR") {
                continue;
            }
            assert!(
                current.any(|now| now == declaration),
                "`{declaration}` of {name} is gone, changed or has moved"
            );
        }
    }
}

#[test]
fn the_headers_need_nothing_but_the_standard_library() {
    for (_, header) in rustbridge_headers::generate() {
        for line in header.lines().filter(|line| line.starts_with("#include")) {
            assert!(
                [
                    "#include <stddef.h>",
                    "#include <stdint.h>",
                    "#include <string.h>",
                    "#include \"rustbridge_plugin.h\""
                ]
                .contains(&line),
                "{line}"
            );
        }
    }
}

#[test]
fn every_function_says_on_which_threads_and_in_which_states_it_may_be_called() {
    let mut functions = 0;
    for (path, header) in rustbridge_headers::generate() {
        let lines: Vec<&str> = header.lines().collect();
        for (index, line) in lines.iter().enumerate() {
            let declares = !line.starts_with([' ', '*', '#', '}'])
                && (line.contains(" rb_") || line.contains("*rb_"))
                && line.contains('(')
                && !line.starts_with("static inline");
            let points = line.starts_with("  ") && line.contains("(*") && !line.contains("/*");
            if !(declares || points) {
                continue;
            }
            functions += 1;
            let start = lines[..index]
                .iter()
                .rposition(|line| line.trim_start().starts_with("/*"))
                .unwrap();
            let comment = lines[start..index].join(" ");
            assert!(
                comment.contains("Thread: ") && comment.contains("State: "),
                "{}: `{line}` doesn't say",
                path.display()
            );
        }
    }
    assert!(functions >= 28, "{functions}");
}

#[test]
fn a_compiler_that_finds_a_wrong_offset_says_so() {
    let folder = support::folder("layout");
    let wrong = assertions().replacen(
        "offsetof(rb_response, len) == 16",
        "offsetof(rb_response, len) == 17",
        1,
    );
    let file = folder.join("wrong.c");
    fs::write(&file, wrong).unwrap();
    let build = std::panic::catch_unwind(|| {
        support::source(file.to_str().unwrap())
            .link(support::Link::Shared)
            .program(&folder, "wrong")
    });
    assert!(build.is_err());
}
