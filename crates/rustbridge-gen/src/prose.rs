//! Prose as clients have it in comments.

use rustbridge_description::types::{Definition, Field, Shape, Table, Text};

/// What ends a line somewhere, has no meaning for people, or has them see another order than there is: comments in a language end
/// by the first, and compilers refuse the last.
pub(crate) fn is_invisible(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{2028}' | '\u{2029}' | '\u{fffe}' | '\u{ffff}')
        || matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Prose whose lines end by `\n`, and that has nothing else that isn't seen.
pub(crate) fn prose(text: &str) -> String {
    text.replace("\r\n", "\n")
        .replace('\r', "\n")
        .replace(|letter| letter != '\n' && is_invisible(letter), " ")
}

/// The types of a table, with such prose.
pub(crate) fn definitions(types: &Table) -> Vec<Definition> {
    let mut definitions = types.definitions().to_vec();
    for definition in &mut definitions {
        mend(&mut definition.doc);
        match &mut definition.shape {
            Shape::Record(fields) | Shape::Pod(fields) => mend_fields(fields),
            Shape::Enum(shape) => {
                for variant in &mut shape.variants {
                    mend(&mut variant.doc);
                    mend_fields(variant.fields.as_deref_mut().unwrap_or_default());
                }
            }
            Shape::Newtype(_) | Shape::Tuple(_) => {}
        }
    }
    definitions
}

fn mend_fields(fields: &mut [Field]) {
    for field in fields {
        mend(&mut field.doc);
    }
}

fn mend(doc: &mut Text) {
    *doc = prose(doc).into();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_keeps_its_lines_and_loses_what_is_not_seen() {
        assert_eq!(
            prose("a\r\nb\rc\nd\te\u{202e}f\u{85}*/\\u000a"),
            "a\nb\nc\nd e f */\\u000a"
        );
    }
}
