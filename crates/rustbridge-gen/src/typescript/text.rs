//! TypeScript's text: comments, literals, and lists that are too long for a line, as prettier lays them out.

use crate::prose::is_invisible;
use crate::source::Source;

/// The longest line.
pub(super) const WIDTH: usize = 80;

/// How long a piece of a constant text is.
const PIECE: usize = 70;

/// Prose as a comment of documentation.
pub(super) fn doc(out: &mut Source, prose: &str) {
    let prose = prose.replace("*/", "*\\/");
    let lines: Vec<&str> = prose.trim().split('\n').map(str::trim_end).collect();
    match &lines[..] {
        [] | [""] => {}
        [one] => out.line(format_args!("/** {one} */")),
        several => {
            out.line("/**");
            for line in several {
                match line.is_empty() {
                    true => out.line(" *"),
                    false => out.line(format_args!(" * {line}")),
                }
            }
            out.line(" */");
        }
    }
}

/// Text that stays on its line.
pub(super) fn one_line(text: &str) -> String {
    text.replace(is_invisible, " ")
}

/// A constant text.
pub(super) fn quoted(text: &str) -> String {
    let mut written = String::new();
    for letter in text.chars() {
        match letter {
            '\\' => written.push_str("\\\\"),
            letter if is_invisible(letter) || letter == '\u{feff}' => {
                written.push_str(&format!("\\u{:04x}", u32::from(letter)));
            }
            letter => written.push(letter),
        }
    }
    // Prettier takes the quotes that need fewer escapes.
    let quotes = |quote: char| written.matches(quote).count();
    let quote = if quotes('"') > quotes('\'') {
        '\''
    } else {
        '"'
    };
    let escaped = written.replace(quote, &format!("\\{quote}"));
    format!("{quote}{escaped}{quote}")
}

/// A constant text that may be longer than a line, in several pieces.
pub(super) fn pieces(text: &str) -> Vec<String> {
    let letters: Vec<char> = text.chars().collect();
    letters
        .chunks(PIECE)
        .map(|piece| quoted(&piece.iter().collect::<String>()))
        .collect()
}

/// What is between brackets in one line, or with a line for each.
pub(super) fn list(out: &mut Source, before: &str, inside: &[String], after: &str) {
    let line = format!("{before}{}{after}", inside.join(", "));
    if inside.is_empty() || out.column() + width(&line) <= WIDTH {
        out.line(line);
        return;
    }
    // Between the brackets of types there's no comma at the end.
    let last = if before.ends_with('<') { "" } else { "," };
    out.line(before);
    out.indented(|out| {
        for (place, one) in inside.iter().enumerate() {
            let end = if place + 1 == inside.len() { last } else { "," };
            out.line(format_args!("{one}{end}"));
        }
    });
    out.line(after);
}

/// A type that is one of several.
pub(super) fn union(out: &mut Source, before: &str, types: &[String]) {
    let line = format!("{before} = {};", types.join(" | "));
    if out.column() + width(&line) <= WIDTH {
        out.line(line);
        return;
    }
    out.line(format_args!("{before} ="));
    out.indented(|out| {
        let line = format!("{};", types.join(" | "));
        if out.column() + width(&line) <= WIDTH {
            out.line(line);
            return;
        }
        for (place, one) in types.iter().enumerate() {
            let end = if place + 1 == types.len() { ";" } else { "" };
            out.line(format_args!("| {one}{end}"));
        }
    });
}

/// A type in one line, or if it's too long with a line for each of its parts.
pub(super) fn broken(out: &mut Source, before: &str, ty: &str, after: &str) {
    let line = format!("{before}{ty}{after}");
    let opened = ty.find(['<', '[']).filter(|_| ty.ends_with(['>', ']']));
    let (Some(opened), true) = (opened, out.column() + width(&line) > WIDTH) else {
        out.line(line);
        return;
    };
    out.line(format_args!("{before}{}", &ty[..=opened]));
    let is_tuple = ty.ends_with(']');
    let parts = parts_of(&ty[opened + 1..ty.len() - 1]);
    out.indented(|out| {
        for (place, part) in parts.iter().enumerate() {
            let comma = if is_tuple || place + 1 < parts.len() {
                ","
            } else {
                ""
            };
            broken(out, "", part, comma);
        }
    });
    out.line(format_args!("{}{after}", if is_tuple { "]" } else { ">" }));
}

/// What stands between the commas of a list of types.
fn parts_of(list: &str) -> Vec<&str> {
    let mut depth = 0;
    let split = list.split(move |letter| {
        match letter {
            '<' | '(' | '[' => depth += 1,
            '>' | ')' | ']' => depth -= 1,
            _ => {}
        }
        depth == 0 && letter == ','
    });
    split.map(str::trim).collect()
}

/// How many columns a text takes.
pub(super) fn width(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_stays_in_its_comment() {
        let mut out = Source::new("  ");
        doc(&mut out, "One.");
        doc(&mut out, "");
        doc(&mut out, "Two */ lines.\n\n  Set in.  ");
        assert_eq!(
            out.finish(),
            "/** One. */\n/**\n * Two *\\/ lines.\n *\n *   Set in.\n */\n"
        );
    }

    #[test]
    fn texts_have_the_quotes_that_need_fewer_escapes() {
        assert_eq!(quoted("a'b"), "\"a'b\"");
        assert_eq!(quoted("a\"b"), "'a\"b'");
        assert_eq!(quoted("\"'\\\n\u{2028}"), "\"\\\"'\\\\\\u000a\\u2028\"");
    }
}
