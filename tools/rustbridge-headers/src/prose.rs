//! From what cbindgen writes to C that reads as if written by hand.

use std::fmt::Write as _;

/// The Rust name of each item that C sees under another one. cbindgen renames the code by it, [`for_c`] the comments.
pub const NAMES: &[(&str, &str)] = &[
    ("ABI_MAJOR", "RB_ABI_MAJOR"),
    ("ABI_MINOR", "RB_ABI_MINOR"),
    ("ABI_VERSION", "RB_ABI_VERSION"),
    ("StatusCode", "rb_status"),
    ("EncodingCode", "rb_encoding"),
    ("LevelCode", "rb_level"),
    ("RecordKindCode", "rb_record_kind"),
    ("Text", "rb_text"),
    ("Response", "rb_response"),
    ("LogRecord", "rb_log_record"),
    ("LogExtension", "rb_log_extension"),
    ("Host", "rb_host"),
    ("CallContext", "rb_call_context"),
    ("CallHost", "rb_call_host"),
    ("EntryPoint", "rb_entry_point"),
    ("PluginTable", "rb_plugin_table"),
    ("Op", "rb_op"),
    ("Object", "rb_object"),
    ("Reply", "rb_reply"),
    ("ReplyHeaders", "rb_reply_headers"),
    ("Batch", "rb_batch"),
    ("AsyncExtension", "rb_async_extension"),
    ("AsyncHost", "rb_async_host"),
    ("ObjectsExtension", "rb_objects_extension"),
    ("ServiceDone", "rb_service_done"),
    ("ServiceHost", "rb_service_host"),
    ("ServiceCall", "rb_service_call"),
    ("Service", "rb_service"),
    ("Queue", "rb_queue"),
    ("Event", "rb_event"),
    ("Submission", "rb_submission"),
    ("Callback", "rb_callback"),
    ("CloseOptions", "rb_close_options"),
    ("Instance", "rb_instance"),
    ("LogSink", "rb_log_sink"),
    ("LoadOptions", "rb_load_options"),
    ("Method", "rb_method"),
    ("CallArgs", "rb_call_args"),
    ("Outcome", "rb_call_result"),
];

/// The condition around what a later version appends.
pub const GROWN: &str = "RB_GROWN";

/// Takes out the conditions of [`GROWN`], with what stands in them unless it's wanted.
pub fn with_growth(header: &str, wanted: bool) -> String {
    let condition = format!("#if defined({GROWN})");
    let mut text = String::with_capacity(header.len());
    let mut inside = false;
    for line in header.lines() {
        match line.trim() {
            line if line == condition => inside = true,
            "#endif" if inside => inside = false,
            _ if inside && !wanted => {}
            // What ends a field stands alone where a condition was.
            ";" => {
                text.truncate(text.trim_end().trim_end_matches(';').len());
                text.push_str(";\n");
            }
            _ => {
                text.push_str(line);
                text.push('\n');
            }
        }
    }
    text
}

/// Turns what cbindgen writes into what reads well in a header: the names in comments become C's, links lose their
/// brackets, short comments take one line, and lists of constants stand together.
pub fn for_c(header: &str) -> String {
    let mut text = String::with_capacity(header.len());
    let mut struct_name = "";
    let mut lines = header.lines();
    while let Some(line) = lines.next() {
        let indent = &line[..line.len() - line.trim_start().len()];
        if line.trim_start() == "/*" {
            let prose: Vec<&str> = lines
                .by_ref()
                .take_while(|line| line.trim() != "*/")
                .map(|line| line.strip_prefix(indent).unwrap_or(line))
                .map(|line| line.strip_prefix(' ').unwrap_or(line))
                .collect();
            push_comment(&mut text, indent, &prose);
            continue;
        }
        if let Some(name) = line
            .strip_prefix("typedef struct ")
            .and_then(|rest| rest.strip_suffix(" {"))
        {
            struct_name = name;
            text.push_str(line);
        } else {
            if line.starts_with('}') {
                struct_name = "";
            }
            text.push_str(&code_for_c(line, struct_name));
        }
        text.push('\n');
    }
    close_up_constants(&text)
}

fn push_comment(text: &mut String, indent: &str, prose: &[&str]) {
    match prose {
        [only] => {
            let _ = writeln!(text, "{indent}/* {} */", comment_for_c(only));
        }
        lines => {
            let _ = writeln!(text, "{indent}/*");
            let mut lead = "";
            for line in lines {
                // Rust's heading for what the caller of an unsafe function promises.
                if *line == "# Safety" {
                    lead = "Pointers: ";
                    continue;
                }
                let line = format!("{indent} * {lead}{}", comment_for_c(line));
                let _ = writeln!(text, "{}", line.trim_end());
                lead = "";
            }
            let _ = writeln!(text, "{indent} */");
        }
    }
}

/// cbindgen renames a constant where it's defined but not where another one's value mentions it, and writes `struct`
/// before every name, which only a struct that points to itself needs.
fn code_for_c(line: &str, struct_name: &str) -> String {
    if line.starts_with("#define") {
        return line
            .split_inclusive(|c: char| !is_word(c))
            .map(|piece| {
                let word = piece.trim_end_matches(|c: char| !is_word(c));
                format!("{}{}", c_name(word), &piece[word.len()..])
            })
            .collect();
    }
    if line.starts_with("typedef") {
        return line.to_owned();
    }
    line.split_inclusive(|c: char| !is_word(c))
        .fold((String::new(), false), |(mut line, after_struct), piece| {
            let word = piece.trim_end_matches(|c: char| !is_word(c));
            if after_struct && word == struct_name {
                line.push_str("struct ");
            }
            if word == "struct" {
                return (line, true);
            }
            line.push_str(piece);
            (line, false)
        })
        .0
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Takes out the empty line before a one-line comment that follows a constant.
fn close_up_constants(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let mut closed = String::with_capacity(text.len());
    for (index, line) in lines.iter().enumerate() {
        let after_constant = index > 0 && lines[index - 1].starts_with("#define");
        let before_short_constant = lines
            .get(index + 1)
            .is_some_and(|next| next.starts_with("/* "))
            && lines
                .get(index + 2)
                .is_some_and(|next| next.starts_with("#define"));
        if !(line.is_empty() && after_constant && before_short_constant) {
            closed.push_str(line);
            closed.push('\n');
        }
    }
    closed
}

fn comment_for_c(line: &str) -> String {
    let line = line.replace("[`", "`").replace("`]", "`");
    let mut text = String::new();
    for (index, piece) in line.split('`').enumerate() {
        if index > 0 {
            text.push('`');
        }
        if index % 2 == 1 {
            text.push_str(&code_word(piece));
        } else {
            text.push_str(piece);
        }
    }
    text
}

/// `Host::flags` is `rb_host.flags` in C, and `Response` is `rb_response`.
fn code_word(word: &str) -> String {
    match word.split_once("::") {
        Some((owner, member)) => format!("{}.{member}", c_name(owner)),
        None => c_name(word).to_owned(),
    }
}

fn c_name(rust: &str) -> &str {
    NAMES
        .iter()
        .find(|(name, _)| *name == rust)
        .map_or(rust, |(_, c)| c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_speak_of_c_names_and_short_ones_take_one_line() {
        assert_eq!(
            for_c("/*\n Bit of [`Host::flags`], a `Text`; see `rb_call`.\n */\n"),
            "/* Bit of `rb_host.flags`, a `rb_text`; see `rb_call`. */\n"
        );
        assert_eq!(
            for_c("  /*\n   One.\n\n   Two.\n   */\n"),
            "  /*\n   * One.\n   *\n   * Two.\n   */\n"
        );
    }

    #[test]
    fn what_a_later_version_appends_is_there_only_where_it_is_wanted() {
        let header = "a;\n#if defined(RB_GROWN)\n  /* b */\n  b\n#endif\n  ;\n#if X\nc;\n#endif\n";
        assert_eq!(with_growth(header, false), "a;\n#if X\nc;\n#endif\n");
        assert_eq!(
            with_growth(header, true),
            "a;\n  /* b */\n  b;\n#if X\nc;\n#endif\n"
        );
    }

    #[test]
    fn constants_stand_together() {
        assert_eq!(
            for_c("/*\n A.\n */\n#define A 1\n\n/*\n B.\n */\n#define B 2\n\nint x;\n"),
            "/* A. */\n#define A 1\n/* B. */\n#define B 2\n\nint x;\n"
        );
    }

    #[test]
    fn a_constant_made_of_others_uses_their_c_names() {
        assert_eq!(
            for_c("#define RB_ABI_VERSION ((ABI_MAJOR << 16) | ABI_MINOR)"),
            "#define RB_ABI_VERSION ((RB_ABI_MAJOR << 16) | RB_ABI_MINOR)\n"
        );
    }

    #[test]
    fn only_a_struct_that_points_to_itself_says_struct() {
        let code = "typedef struct rb_a {\n  struct rb_a *next;\n  struct rb_b other;\n} rb_a;\n";
        assert_eq!(
            for_c(code),
            "typedef struct rb_a {\n  struct rb_a *next;\n  rb_b other;\n} rb_a;\n"
        );
    }
}
