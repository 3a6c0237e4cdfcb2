//! Java's text: comments, literals, lines that are too long.

use crate::source::Source;

/// The longest line.
pub(super) const WIDTH: usize = 100;

/// A constant text in quotes.
pub(super) fn quoted(text: &str) -> String {
    let mut written = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => {
                written.push('\\');
                written.push(letter);
            }
            '\n' => written.push_str("\\n"),
            // Not `\\u`, which is replaced before the compiler looks for the ends of lines and texts.
            letter if letter.is_control() => {
                written.push_str(&format!("\\{:03o}", u32::from(letter)));
            }
            letter => written.push(letter),
        }
    }
    written.push('"');
    written
}

/// A text that may be longer than a line, in pieces: together they may be longer than a constant gets.
pub(super) fn pieces(text: &str) -> Vec<String> {
    let mut pieces = vec![String::new()];
    let mut room = WIDTH - 14;
    for letter in text.chars() {
        let width = match letter {
            '"' | '\\' | '\n' => 2,
            letter if letter.is_control() => 6,
            _ => 1,
        };
        if width > room {
            pieces.push(String::new());
            room = WIDTH - 14;
        }
        room -= width;
        if let Some(last) = pieces.last_mut() {
            last.push(letter);
        }
    }
    pieces.iter().map(|piece| quoted(piece)).collect()
}

/// What stands in the parentheses of a call or a declaration: in one line, in a line of its own, or in a line each.
pub(super) fn call(out: &mut Source, before: &str, inside: &[String], behind: &str) {
    let line = format!("{before}({}){behind}", inside.join(", "));
    if fits(out, &line) {
        out.line(line);
        return;
    }
    out.line(format_args!("{before}("));
    out.indented(|out| {
        out.indented(|out| {
            let line = format!("{}){behind}", inside.join(", "));
            if fits(out, &line) {
                out.line(line);
                return;
            }
            for (place, item) in inside.iter().enumerate() {
                let end = if place + 1 == inside.len() {
                    format!("){behind}")
                } else {
                    ",".to_owned()
                };
                let line = format!("{item}{end}");
                let arrow = outside_of_texts(&line, " -> ").next();
                match arrow {
                    Some(place) if !fits(out, &line) => {
                        let (before, behind) = (&line[..place], &line[place + 4..]);
                        out.line(format_args!("{before} ->"));
                        out.indented(|out| out.indented(|out| body(out, behind)));
                    }
                    _ => out.line(line),
                }
            }
        });
    });
}

/// A call inside another: with its arguments in a line of their own or in a line each if it's too long.
pub(super) fn body(out: &mut Source, text: &str) {
    let Some((before, inside)) = text.split_once('(').filter(|_| !fits(out, text)) else {
        out.line(text);
        return;
    };
    out.line(format_args!("{before}("));
    out.indented(|out| {
        out.indented(|out| match fits(out, inside) {
            true => out.line(inside),
            false => {
                let mut begin = 0;
                for place in outside_of_texts(inside, ", ") {
                    out.line(&inside[begin..=place]);
                    begin = place + 2;
                }
                out.line(&inside[begin..]);
            }
        });
    });
}

/// The places at which a pattern stands in code, but not inside a text.
fn outside_of_texts<'t>(code: &'t str, pattern: &'t str) -> impl Iterator<Item = usize> + 't {
    let (mut is_inside, mut is_escaped) = (false, false);
    let places = code.char_indices().filter(move |(_, letter)| {
        let is_outside = !is_inside;
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = is_inside,
            '"' => is_inside = !is_inside,
            _ => {}
        }
        is_outside
    });
    places
        .map(|(place, _)| place)
        .filter(move |place| code[*place..].starts_with(pattern))
}

/// Whether a line isn't too long at the present depth.
pub(super) fn fits(out: &Source, line: &str) -> bool {
    out.column() + line.chars().count() <= WIDTH
}

/// Prose as Javadoc has it: no tags, no end of the comment, no escapes of characters.
pub(super) fn escaped(text: &str) -> String {
    let mut written = String::new();
    for letter in text.trim().chars() {
        match letter {
            '&' => written.push_str("&amp;"),
            '<' => written.push_str("&lt;"),
            '>' => written.push_str("&gt;"),
            '@' => written.push_str("&#64;"),
            '\\' => written.push_str("&#92;"),
            '{' => written.push_str("&#123;"),
            '}' => written.push_str("&#125;"),
            '/' if written.ends_with('*') => written.push_str("&#47;"),
            letter => written.push(letter),
        }
    }
    written
}

/// A comment: paragraphs, and what is behind tags.
pub(super) struct Doc {
    paragraphs: Vec<String>,
    tags: Vec<(String, String)>,
}

impl Doc {
    /// Of the plugin's prose, or else of a name.
    pub(super) fn of(prose: &str, name: &str) -> Doc {
        let prose = escaped(prose);
        let paragraphs = prose
            .split("\n\n")
            .map(|paragraph| paragraph.split_whitespace().collect::<Vec<_>>().join(" "))
            .filter(|paragraph| !paragraph.is_empty())
            .collect::<Vec<_>>();
        Doc {
            paragraphs: if paragraphs.is_empty() {
                vec![format!("{{@code {name}}}.")]
            } else {
                paragraphs
            },
            tags: Vec::new(),
        }
    }

    /// With our own words in place of all others.
    pub(super) fn replaced(mut self, text: &str) -> Doc {
        self.paragraphs = vec![text.to_owned()];
        self
    }

    /// A paragraph of our own.
    pub(super) fn paragraph(mut self, text: impl Into<String>) -> Doc {
        self.paragraphs.push(text.into());
        self
    }

    /// A tag with our own text.
    pub(super) fn tag(mut self, tag: impl Into<String>, text: impl Into<String>) -> Doc {
        self.tags.push((tag.into(), text.into()));
        self
    }

    /// A component or parameter with the plugin's prose, or else by its name.
    pub(super) fn param(self, name: &str, prose: &str, more: &str) -> Doc {
        let prose = escaped(prose);
        let prose = prose.split_whitespace().collect::<Vec<_>>().join(" ");
        let text = match (&*prose, more) {
            ("", "") => format!("{{@code {name}}}"),
            ("", more) => more.to_owned(),
            (prose, "") => prose.to_owned(),
            (prose, more) => format!("{prose} ({more})"),
        };
        self.tag(format!("@param {name}"), text)
    }

    /// Writes it.
    pub(super) fn write(&self, out: &mut Source) {
        if let ([only], []) = (&*self.paragraphs, &*self.tags) {
            let line = format!("/** {only} */");
            if fits(out, &line) {
                out.line(line);
                return;
            }
        }
        out.line("/**");
        let mut first = true;
        for paragraph in &self.paragraphs {
            if first {
                filled(out, paragraph, "");
            } else {
                out.line(" *");
                filled(out, &format!("<p>{paragraph}"), "");
            }
            first = false;
        }
        if !self.tags.is_empty() {
            out.line(" *");
        }
        for (tag, text) in &self.tags {
            filled(out, &format!("{tag} {text}"), "    ");
        }
        out.line(" */");
    }
}

/// Words in lines that aren't too long.
fn filled(out: &mut Source, text: &str, indent: &str) {
    let mut line = String::from(" *");
    let mut empty = true;
    for word in words(text) {
        if !empty && !fits(out, &format!("{line} {word}")) {
            out.line(&line);
            line = format!(" * {indent}{word}");
        } else {
            line.push(' ');
            line.push_str(word);
        }
        empty = false;
    }
    out.line(line);
}

/// What isn't broken between lines: words, and the formatter takes no inline tag for one.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(' ').filter(|word| !word.is_empty())
}

/// What something is, and what else can be said of it.
pub(super) fn said(what: &str, meaning: &str) -> String {
    match meaning {
        "" => what.to_owned(),
        meaning if meaning.starts_with("or null") => format!("{what}, {meaning}"),
        meaning => format!("{what}; {meaning}"),
    }
}

/// A call as a statement, in a line or two.
pub(super) fn statement(out: &mut Source, written: &str) {
    let line = format!("{written};");
    match written.split_once('(') {
        Some((before, inside)) if !fits(out, &line) => {
            out.line(format_args!("{before}("));
            out.indented(|out| out.indented(|out| out.line(format_args!("{inside};"))));
        }
        _ => out.line(line),
    }
}

/// An assignment of a call, broken where the formatter breaks it.
pub(super) fn assign(out: &mut Source, left: &str, before: &str, inside: &[String], behind: &str) {
    let line = format!("{left} = {before}({}){behind}", inside.join(", "));
    if fits(out, &line) {
        out.line(line);
        return;
    }
    out.line(format_args!("{left} ="));
    out.indented(|out| out.indented(|out| call(out, before, inside, behind)));
}
