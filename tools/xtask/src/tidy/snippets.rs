//! Whether what the guides that go side by side show stands in programs that the demo or the tests run.

use super::source::Source;

/// What the tests of each language's own guide build, what they build for the pages below, and an example that the demo runs.
const TESTS: &[&str] = &[
    "crates/rustbridge/tests/",
    "crates/rustbridge-capi/tests/c/",
    "crates/rustbridge-capi/tests/cpp/",
    "crates/rustbridge-host/tests/",
    "examples/contacts/",
    "examples/java/src/test/java/",
    "plugins/hello-plugin/src/",
    "rustbridge-csharp/RustBridge.Extensions.Tests/",
    "rustbridge-go/side_by_side_test.go",
    "rustbridge-java/rustbridge-kotlin/src/test/kotlin/",
    "rustbridge-node/test/side-by-side.test.mjs",
    "rustbridge-python/tests/",
];

/// A guide, and where its programs are: what their paths begin with.
const GUIDES: &[(&str, &[&str])] = &[
    ("docs/guide/errors.md", TESTS),
    ("docs/guide/logging.md", TESTS),
    ("docs/guide/migrating.md", TESTS),
    (
        "docs/guide/operations.md",
        &[
            "examples/shop/",
            "examples/contacts/",
            "crates/rustbridge-capi/tests/cpp/",
            "rustbridge-java/rustbridge-kotlin/src/test/kotlin/",
        ],
    ),
    ("docs/guide/other-languages.md", &["examples/plugins/"]),
    ("docs/guide/plugins.md", TESTS),
    ("docs/guide/plugins-testing.md", TESTS),
    ("docs/guide/plugins-types.md", TESTS),
    ("docs/guide/types.md", &["examples/contacts/"]),
    ("docs/guide/types-services.md", &["examples/contacts/"]),
    ("docs/guide/zero-copy.md", TESTS),
];

/// Blocks of code that no program of that language has, line for line. What a shell is told isn't in any, nor are manifests and what is
/// marked as somebody else's code.
pub fn findings(sources: &[Source]) -> Vec<String> {
    GUIDES
        .iter()
        .flat_map(|(guide, programs)| missing(sources, guide, programs))
        .collect()
}

fn missing(sources: &[Source], path: &str, folders: &[&str]) -> Vec<String> {
    let Some(guide) = sources.iter().find(|source| source.path == path) else {
        return vec![format!("{path} is not there")];
    };
    let mut blocks = blocks(&guide.text);
    blocks.retain(|(language, _)| is_ours(language));
    if blocks.is_empty() {
        return vec![format!("{path} shows nothing")];
    }
    let programs: Vec<(&str, Vec<&str>)> = sources
        .iter()
        .filter(|source| folders.iter().any(|folder| source.path.starts_with(folder)))
        .map(|source| (source.ending(), words_of(&source.text)))
        .collect();
    blocks
        .iter()
        .filter(|(language, lines)| {
            let ending = ending_of(language);
            !programs
                .iter()
                .any(|(theirs, program)| *theirs == ending && has(program, lines))
        })
        .map(|(language, lines)| {
            let first = lines.first().copied().unwrap_or("nothing");
            let folders = folders.join(", ");
            format!("{path}: no program in {folders} has this {language}: {first}")
        })
        .collect()
}

/// Whether a block with that behind its fence is a part of a program of ours. `python foreign` is Python that shows what others do.
fn is_ours(fence: &str) -> bool {
    !matches!(fence, "sh" | "toml" | "xml") && !fence.ends_with(" foreign")
}

fn ending_of(language: &str) -> &str {
    match language {
        "rust" => "rs",
        "csharp" => "cs",
        "python" => "py",
        "kotlin" => "kt",
        "js" => "mjs",
        other => other,
    }
}

/// The lines without their indentation, which is another one in the guide, and without empty ones.
fn words_of(text: &str) -> Vec<&str> {
    text.lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect()
}

fn has(program: &[&str], lines: &[&str]) -> bool {
    !lines.is_empty() && program.windows(lines.len()).any(|window| window == lines)
}

/// Each block's language and lines.
fn blocks(text: &str) -> Vec<(&str, Vec<&str>)> {
    let mut found = Vec::new();
    let mut open: Option<(&str, Vec<&str>)> = None;
    for line in text.lines().map(str::trim) {
        match (line.strip_prefix("```"), open.take()) {
            (Some(language), None) => open = Some((language, Vec::new())),
            (Some(_), Some(block)) => found.push(block),
            (None, Some((language, mut lines))) => {
                if !line.is_empty() {
                    lines.push(line);
                }
                open = Some((language, lines));
            }
            (None, None) => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_found_wherever_it_is_indented_and_only_whole() {
        let guide = "text\n```rust\nlet a = 1;\n\n    let b = 2;\n```\n```c\nint a;\n```\n";
        let blocks = blocks(guide);
        assert_eq!(
            blocks,
            [
                ("rust", vec!["let a = 1;", "let b = 2;"]),
                ("c", vec!["int a;"])
            ]
        );
        let program = words_of("fn main() {\n        let a = 1;\n        let b = 2;\n}\n");
        assert!(has(&program, &blocks[0].1));
        assert!(!has(&program, &["let a = 1;", "}"]));
        assert!(!has(&program, &[]));
    }
}
