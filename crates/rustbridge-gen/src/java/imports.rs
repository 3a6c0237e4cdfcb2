//! The imports of a file.

use std::collections::BTreeMap;

/// Returns the classes that code mentions and that are elsewhere, in the order of the alphabet. `imported` are classes of other clients,
/// with their packages.
pub(super) fn imports(code: &str, imported: &BTreeMap<String, String>) -> Vec<String> {
    let imported = imported.iter();
    let imported: Vec<String> = imported
        .map(|(class, package)| format!("{package}.{class}"))
        .collect();
    let all = IMPORTS
        .iter()
        .copied()
        .chain(imported.iter().map(|it| &**it));
    let mut imports: Vec<String> = all
        .filter(|import| {
            import
                .rsplit('.')
                .next()
                .is_some_and(|name| mentions(code, name))
        })
        .map(str::to_owned)
        .collect();
    imports.sort_unstable();
    imports
}

/// Whether a word stands in a text.
fn mentions(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let is_word = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '.';
        let behind = |letter: char| letter.is_alphanumeric() || letter == '_';
        !text[..at].ends_with(is_word) && !text[at + word.len()..].starts_with(behind)
    })
}

/// What generated code may need, in the order of imports.
const IMPORTS: &[&str] = &[
    "io.github.rustbridge.CallOptions",
    "io.github.rustbridge.Items",
    "io.github.rustbridge.Plugin",
    "io.github.rustbridge.PluginConfig",
    "io.github.rustbridge.PluginException",
    "io.github.rustbridge.PluginObject",
    "io.github.rustbridge.TypedCallback",
    "io.github.rustbridge.TypedClient",
    "io.github.rustbridge.TypedClientFactory",
    "io.github.rustbridge.TypedClientServices",
    "io.github.rustbridge.TypedError",
    "io.github.rustbridge.TypedMethod",
    "io.github.rustbridge.TypedObject",
    "io.github.rustbridge.TypedServices",
    "io.github.rustbridge.TypedStreamingCall",
    "io.github.rustbridge.wire.Maybe",
    "io.github.rustbridge.wire.UnitValue",
    "io.github.rustbridge.wire.Values",
    "io.github.rustbridge.wire.WireReader",
    "io.github.rustbridge.wire.WireWriter",
    "java.math.BigDecimal",
    "java.math.BigInteger",
    "java.nio.file.Path",
    "java.time.Duration",
    "java.time.Instant",
    "java.util.List",
    "java.util.Map",
    "java.util.Objects",
    "java.util.UUID",
    "java.util.concurrent.CompletableFuture",
    "java.util.concurrent.CompletionStage",
    "java.util.concurrent.Flow",
];
