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
                .is_some_and(|name| match import.starts_with(FUNCTIONS) {
                    true if name.starts_with(char::is_lowercase) => {
                        // All but one are called on something; methods may have the same names.
                        code.contains(&format!(".{name}("))
                            || name == CONFIG && mentions(code, name)
                    }
                    _ => mentions(code, name),
                })
        })
        .map(str::to_owned)
        .collect();
    imports.sort_unstable();
    imports
}

/// Whether code has arrays that are experimental in Kotlin.
pub(super) fn has_unsigned_arrays(code: &str) -> bool {
    UNSIGNED.iter().any(|array| mentions(code, array))
}

/// Whether a word stands in a text.
fn mentions(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let is_word = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '.';
        let behind = |letter: char| letter.is_alphanumeric() || letter == '_';
        !text[..at].ends_with(is_word) && !text[at + word.len()..].starts_with(behind)
    })
}

/// What is experimental in Kotlin.
const UNSIGNED: &[&str] = &["UByteArray", "UIntArray", "ULongArray", "UShortArray"];

/// Where functions are that generated code calls.
const FUNCTIONS: &str = "io.github.rustbridge.kotlin.";

/// The function that makes configurations.
pub(super) const CONFIG: &str = "pluginConfig";

/// What generated code may need, in the order of imports.
const IMPORTS: &[&str] = &[
    "io.github.rustbridge.CallOptions",
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
    "io.github.rustbridge.kotlin.Content",
    "io.github.rustbridge.kotlin.PluginOptions",
    "io.github.rustbridge.kotlin.await",
    "io.github.rustbridge.kotlin.callWith",
    "io.github.rustbridge.kotlin.exchange",
    "io.github.rustbridge.kotlin.flow",
    "io.github.rustbridge.kotlin.pluginConfig",
    "io.github.rustbridge.kotlin.send",
    "io.github.rustbridge.kotlin.serve",
    "io.github.rustbridge.kotlin.serveCrossing",
    "io.github.rustbridge.wire.EncodeException",
    "io.github.rustbridge.wire.Maybe",
    "io.github.rustbridge.wire.Values",
    "io.github.rustbridge.wire.WireReader",
    "io.github.rustbridge.wire.WireWriter",
    "java.math.BigDecimal",
    "java.math.BigInteger",
    "java.nio.file.Path",
    "java.time.Duration",
    "java.time.Instant",
    "java.util.UUID",
    "kotlin.reflect.KClass",
    "kotlinx.coroutines.flow.Flow",
];
