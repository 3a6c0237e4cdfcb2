//! Python's text: docstrings, literals, lines that are too long.

use crate::source::Source;

/// The longest line.
pub(super) const WIDTH: usize = 120;

/// A call or a definition in one line; what is in the parentheses in a line of its own if it's too long, and in several if that is, too.
pub(super) fn call(out: &mut Source, before: &str, inside: &[String], behind: &str) {
    let joined = inside.join(", ");
    let [before_it, in_it, behind_it] = [before, &joined, behind].map(|text| text.chars().count());
    if out.column() + before_it + in_it + behind_it + 2 <= WIDTH {
        out.line(format_args!("{before}({joined}){behind}"));
        return;
    }
    out.line(format_args!("{before}("));
    out.indented(|out| {
        if out.column() + in_it <= WIDTH {
            out.line(joined);
            return;
        }
        for one in inside {
            out.line(format_args!("{one},"));
        }
    });
    out.line(format_args!("){behind}"));
}

/// A tuple in one line, or a line each if it's too long.
pub(super) fn tuple(out: &mut Source, items: &[String]) {
    let line = format!("({}),", items.join(", "));
    if out.column() + line.chars().count() <= WIDTH {
        out.line(line);
        return;
    }
    out.line("(");
    out.indented(|out| {
        for item in items {
            out.line(format_args!("{item},"));
        }
    });
    out.line("),");
}

/// Whether a word stands in a text.
pub(super) fn mentions(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
        !text[..at].ends_with(is_word) && !text[at + word.len()..].starts_with(is_word)
    })
}

/// A constant text that may be longer than a line, in several pieces. Most have double quotes in them, and stand in single ones.
pub(super) fn pieces(text: &str) -> Vec<String> {
    let letters: Vec<char> = text.chars().collect();
    letters
        .chunks(WIDTH - 16)
        .map(|piece| {
            let piece: String = piece.iter().collect();
            if !piece.contains('"') {
                return quoted(&piece);
            }
            format!("'{}'", piece.replace('\\', "\\\\").replace('\'', "\\'"))
        })
        .collect()
}

pub(super) fn quoted(text: &str) -> String {
    let mut written = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => {
                written.push('\\');
                written.push(letter);
            }
            '\n' => written.push_str("\\n"),
            letter if letter.is_control() => {
                written.push_str(&format!("\\U{:08x}", u32::from(letter)));
            }
            letter => written.push(letter),
        }
    }
    written.push('"');
    written
}

pub(super) fn prose(doc: &str, name: &str) -> String {
    match doc {
        "" => format!("``{name}``."),
        doc => doc.to_owned(),
    }
}

/// Prose as a docstring.
pub(super) fn doc(out: &mut Source, text: &str) {
    let text = text.trim().replace('\\', "\\\\");
    // At the end each for itself, since the docstring's own come behind.
    let inside = text.trim_end_matches('"');
    let quotes = text.len() - inside.len();
    let text = inside.replace("\"\"\"", "\\\"\\\"\\\"") + &"\\\"".repeat(quotes);
    if text.contains('\n') {
        out.line(format_args!("\"\"\"{text}"));
        out.line("\"\"\"");
    } else {
        out.line(format_args!("\"\"\"{text}\"\"\""));
    }
}

/// Prose above what has no docstring.
pub(super) fn comment(out: &mut Source, text: &str) {
    for line in text.trim().lines() {
        out.line(format!("#: {line}").trim_end());
    }
}
