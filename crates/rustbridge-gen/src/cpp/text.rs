//! C++'s text: literals, documentation, lines that are too long.

use crate::source::Source;

/// The longest line.
pub(super) const WIDTH: usize = 120;

/// Text that stays on its line.
pub(super) fn one_line(text: &str) -> String {
    let breaks = |letter: char| letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}');
    text.replace(breaks, " ")
}

/// A constant text, in ASCII: other bytes are escaped, so that no compiler takes them for another character set.
pub(super) fn quoted(text: &str) -> String {
    quoted_bytes(text.as_bytes())
}

fn quoted_bytes(bytes: &[u8]) -> String {
    let mut written = String::from("\"");
    for &byte in bytes {
        match byte {
            b'"' | b'\\' => {
                written.push('\\');
                written.push(char::from(byte));
            }
            b' '..=b'~' => written.push(char::from(byte)),
            // Three digits, so that none that follows belongs to it.
            _ => written.push_str(&format!("\\{byte:03o}")),
        }
    }
    written.push('"');
    written
}

/// A constant text that may be longer than a line, in several pieces.
pub(super) fn pieces(text: &str) -> Vec<String> {
    text.as_bytes()
        .chunks(WIDTH - 40)
        .map(quoted_bytes)
        .collect()
}

/// A documentation comment.
pub(super) fn doc(out: &mut Source, text: &str) {
    for line in text.trim().lines() {
        let mut line = one_line(line).trim_end().to_owned();
        if line.ends_with('\\') {
            // It would have the next line in the comment, too.
            line.push('.');
        }
        out.line(format!("/// {line}").trim_end());
    }
}

/// What comes before brackets, what is in them, what comes behind: in one line, or a line each if it's too long.
pub(super) fn list(out: &mut Source, before: &str, items: &[String], behind: &str) {
    let line = format!("{before}{}{behind}", items.join(", "));
    if items.is_empty() || !line.contains('\n') && out.column() + line.chars().count() <= WIDTH {
        out.line(line);
        return;
    }
    out.line(before);
    out.indented(|out| {
        out.indented(|out| {
            for (place, item) in items.iter().enumerate() {
                let end = if place + 1 < items.len() { "," } else { behind };
                out.line(format_args!("{item}{end}"));
            }
        });
    });
}

/// What is called, and with what.
pub(super) struct Call {
    /// Up to the parenthesis.
    pub(super) before: String,
    pub(super) arguments: Vec<String>,
}

/// A function that is one call: in one line if it fits there, else with the call in lines of its own.
pub(super) fn function(
    out: &mut Source,
    head: &str,
    parameters: &[String],
    behind: &str,
    call: &Call,
) {
    let before = format!("{}(", call.before);
    let line = format!(
        "{head}({}){behind} {{ {before}{}); }}",
        parameters.join(", "),
        call.arguments.join(", ")
    );
    if !line.contains('\n') && out.column() + line.chars().count() <= WIDTH {
        out.line(line);
        return;
    }
    list(
        out,
        &format!("{head}("),
        parameters,
        &format!("){behind} {{"),
    );
    out.indented(|out| list(out, &before, &call.arguments, ");"));
    out.line("}");
}
