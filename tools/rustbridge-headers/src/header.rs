//! The two C headers: what is in them, from which files, in what order.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use cbindgen::{Builder, Config, DocumentationStyle, Language, Layout, LineEndingStyle, Style};

use rustbridge_abi::{
    ENTRY_POINT, RB_EXTENSION_ASYNC, RB_EXTENSION_CALL, RB_EXTENSION_LOG, RB_EXTENSION_OBJECTS,
    RB_EXTENSION_SERVICES,
};

use crate::prose::{self, NAMES};

/// The folder of the workspace's `Cargo.toml`.
#[must_use]
pub fn workspace_root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// Both headers: where each belongs, relative to the workspace's root, and its text.
///
/// # Panics
/// When cbindgen can't read the sources, which means that they don't compile either.
#[must_use]
pub fn generate() -> Vec<(PathBuf, String)> {
    headers(false)
}

/// The headers of a version to come, in which every struct that may grow has one field more. For the tests of how versions
/// get on with each other.
///
/// # Panics
/// As [`generate`].
#[must_use]
pub fn generate_grown() -> Vec<(PathBuf, String)> {
    headers(true)
}

fn headers(grown: bool) -> Vec<(PathBuf, String)> {
    [PLUGIN, HOST]
        .into_iter()
        .map(|header| {
            let path = Path::new("include").join(header.file_name);
            (path, header.text(grown))
        })
        .collect()
}

/// One header: prose by hand, then one part per Rust source file, in this order.
struct Header {
    file_name: &'static str,
    guard: &'static str,
    preamble: &'static str,
    source_folder: &'static str,
    parts: &'static [Part],
    closing: &'static str,
}

/// One concept: a Rust source file and the types in it that are C's business. Constants and functions come by
/// themselves; types must be named because the same files also hold the Rust side's enums.
struct Part {
    file: &'static str,
    title: &'static str,
    types: &'static [&'static str],
}

const fn part(file: &'static str, title: &'static str, types: &'static [&'static str]) -> Part {
    Part { file, title, types }
}

/// `include/rustbridge_plugin.h`.
const PLUGIN: Header = Header {
    file_name: "rustbridge_plugin.h",
    guard: "RUSTBRIDGE_PLUGIN_H",
    preamble: include_str!("../text/plugin.h"),
    source_folder: "crates/rustbridge-abi/src",
    parts: &[
        part("version.rs", "Version", &[]),
        part("status.rs", "Status", &["StatusCode"]),
        part("encoding.rs", "Encodings", &["EncodingCode"]),
        part("response.rs", "Responses", &["Response"]),
        part(
            "log.rs",
            "Text and logging",
            &[
                "Text",
                "LevelCode",
                "RecordKindCode",
                "LogRecord",
                "LogExtension",
            ],
        ),
        part(
            "call_context.rs",
            "Call context",
            &[
                "Op",
                "Object",
                "CallContext",
                "CallHost",
                "Reply",
                "ReplyHeaders",
            ],
        ),
        part("host.rs", "The host's table", &["Host"]),
        part(
            "operation.rs",
            "Asynchronous calls, streams and objects",
            &["Batch", "AsyncExtension", "AsyncHost", "ObjectsExtension"],
        ),
        part("service.rs", "Services", &["ServiceDone", "ServiceHost"]),
        part(
            "plugin.rs",
            "Entry point and table of a plugin",
            &["EntryPoint", "PluginTable"],
        ),
    ],
    closing: include_str!("../text/plugin_closing.h"),
};

/// `include/rustbridge.h`.
const HOST: Header = Header {
    file_name: "rustbridge.h",
    guard: "RUSTBRIDGE_H",
    preamble: include_str!("../text/host.h"),
    source_folder: "crates/rustbridge-host-abi/src",
    parts: &[
        part("version.rs", "Version", &[]),
        part("sink.rs", "Log sinks", &["LogSink"]),
        part("service.rs", "Services", &["ServiceCall", "Service"]),
        part("load.rs", "Loading", &["Instance", "LoadOptions"]),
        part("describe.rs", "Describing and preparing", &["Method"]),
        part("call.rs", "Calling", &["CallArgs"]),
        part(
            "into.rs",
            "Calling with the buffer as an argument",
            &["Outcome"],
        ),
        part("with.rs", "Calling with a call context", &[]),
        part("queue.rs", "Completion queues", &["Queue", "Event"]),
        part(
            "operation.rs",
            "Asynchronous calls",
            &["Submission", "Callback"],
        ),
        part("object.rs", "Objects", &[]),
        part("lifecycle.rs", "State and closing", &["CloseOptions"]),
        part("log.rs", "Logging", &[]),
        part("inspect.rs", "Inspection", &[]),
    ],
    closing: include_str!("../text/host_closing.h"),
};

impl Header {
    /// The whole header: as it is, or with a field appended to every struct that may grow.
    fn text(&self, grown: bool) -> String {
        let mut text = String::new();
        let _ = write!(
            text,
            "{}\n#ifndef {guard}\n#define {guard}\n\n",
            self.preamble_comment(),
            guard = self.guard
        );
        text.push_str(self.includes());
        text.push_str("\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
        for part in self.parts {
            let _ = write!(text, "\n/* ---- {} ---- */\n\n", part.title);
            text.push_str(self.part_text(part, grown).trim());
            text.push('\n');
        }
        text.push_str(&with_names(self.closing));
        let _ = write!(
            text,
            "\n#ifdef __cplusplus\n}} /* extern \"C\" */\n#endif\n\n#endif /* {} */\n",
            self.guard
        );
        text
    }

    /// The hand-written file is comment first, then includes and macros, divided by the first `#`.
    fn preamble_comment(&self) -> &str {
        &self.preamble[..self
            .preamble
            .find("\n#")
            .map_or(self.preamble.len(), |at| at + 1)]
    }

    fn includes(&self) -> &str {
        &self.preamble[self.preamble_comment().len()..]
    }

    fn part_text(&self, part: &Part, grown: bool) -> String {
        let source = workspace_root().join(self.source_folder).join(part.file);
        let mut written = Vec::new();
        Builder::new()
            .with_config(configuration(part.types))
            .with_src(&source)
            .generate()
            .unwrap_or_else(|error| panic!("cbindgen can't read {}: {error}", show(&source)))
            .write(&mut written);
        let raw = String::from_utf8(written).expect("cbindgen writes UTF-8");
        prose::for_c(&prose::with_growth(&raw, grown))
    }
}

/// cbindgen passes over constants that are C strings.
fn with_names(text: &str) -> String {
    let names = [
        ("@ENTRY_POINT@", ENTRY_POINT),
        ("@EXTENSION_LOG@", RB_EXTENSION_LOG),
        ("@EXTENSION_CALL@", RB_EXTENSION_CALL),
        ("@EXTENSION_ASYNC@", RB_EXTENSION_ASYNC),
        ("@EXTENSION_OBJECTS@", RB_EXTENSION_OBJECTS),
        ("@EXTENSION_SERVICES@", RB_EXTENSION_SERVICES),
    ];
    names.iter().fold(text.to_owned(), |text, (place, name)| {
        text.replace(place, &name.to_string_lossy())
    })
}

fn show(path: &Path) -> std::path::Display<'_> {
    path.display()
}

fn configuration(types: &[&str]) -> Config {
    let mut config = Config {
        language: Language::C,
        style: Style::Both,
        no_includes: true,
        usize_is_size_t: true,
        line_length: 120,
        tab_width: 2,
        line_endings: LineEndingStyle::LF,
        documentation_style: DocumentationStyle::C,
        ..Config::default()
    };
    config.function.args = Layout::Auto;
    config.defines = [("feature = grown".to_owned(), prose::GROWN.to_owned())].into();
    config.export.include = types.iter().map(ToString::to_string).collect();
    config.export.rename = NAMES
        .iter()
        .map(|(rust, c)| ((*rust).to_owned(), (*c).to_owned()))
        .collect();
    config
}
