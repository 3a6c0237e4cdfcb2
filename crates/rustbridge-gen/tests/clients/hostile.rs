//! Descriptions whose names and prose are code: none of it may become code of the client.

use rustbridge_gen::{ClientSchema, File, Language, Options, generate};
use serde_json::{Value, json};

const LANGUAGES: [Language; 8] = [
    Language::Python,
    Language::Java,
    Language::CSharp,
    Language::Cpp,
    Language::Kotlin,
    Language::Rust,
    Language::Go,
    Language::TypeScript,
];

/// What may not be found among code: made of what no name in a language has.
const MARK: &str = "P!N";

/// A description that has the text in each name and each piece of prose, which `of_names` and `of_prose` say.
fn described(of_names: &str, of_prose: &str) -> String {
    let named = |name: &str| format!("{name}{of_names}");
    let of_type = |number: u32| json!({"type": {"ref": number}});
    let entry = |index: u32| {
        json!({"index": index, "encoding": "wire", "async": true, "request": of_type(0), "response": of_type(1),
            "error": of_type(1)})
    };
    let fields = json!([{"name": named("one"), "doc": of_prose, "type": "u8"},
        {"name": named("two"), "doc": of_prose, "type": {"ref": 2}, "default": true},
        {"name": named("three"), "type": "string", "default": true, "default_value": of_prose}]);
    json!({
        "name": named("plugin"), "version": named("1.0"), "description": of_prose,
        "methods": [
            {"name": named("call"), "doc": of_prose, "entries": [entry(0)]},
            {"name": named("bare"), "entries": [entry(1)]},
            {"name": named("taken"), "doc": of_prose, "entries": [{"index": 2, "encoding": "wire", "arguments": true,
                "request": of_type(4), "response": {"type": {"object": named("Thing")}}}]},
            {"name": named("Thing.do"), "entries": [{"index": 4, "encoding": "wire", "receiver": named("Thing")}]},
            {"name": named("untyped"), "entries": [{"index": 3, "encoding": "json"}]},
        ],
        "services": [{"name": named("group.of"), "doc": of_prose, "encoding": "wire", "request": of_type(0)}],
        "types": [
            {"name": named("Record"), "doc": of_prose, "record": fields},
            {"name": named("Choice"), "doc": of_prose, "enum": {"variants": [
                {"name": named("Empty"), "doc": of_prose},
                {"name": named("Fields"), "doc": of_prose, "fields": fields},
                {"name": named("Tuple"), "doc": of_prose, "tuple": [{"ref": 3}, {"ref": 5}]}],
                "tag": {"inside": named("tag")}}},
            {"name": named("Plain"), "doc": of_prose, "enum": {"variants": [{"name": named("A"), "doc": of_prose}, {"name": named("B")}]}},
            {"name": named("Inside"), "doc": of_prose, "newtype": "string"},
            {"name": named("Taken"), "record": [{"name": named("left"), "doc": of_prose, "type": "u8"},
                {"name": named("right"), "doc": of_prose, "type": "string", "default": true, "default_value": of_prose}]},
            {"name": named("Two"), "doc": of_prose, "tuple": ["u8", "u8"]},
        ],
    })
    .to_string()
}

fn generated(description: &str, language: Language) -> Result<Vec<File>, String> {
    let client_schema =
        ClientSchema::read(description.as_bytes()).map_err(|error| error.to_string())?;
    generate(&client_schema, language, &Options::default()).map_err(|error| error.to_string())
}

/// How a comment or a literal begins and ends, and whether a backslash takes away a character's meaning in it.
type Quoting = (&'static str, &'static str, bool);

/// A source without its comments and literals; or what of them doesn't end.
fn code(text: &str, language: Language) -> Result<String, String> {
    let quotings: &[Quoting] = match language {
        Language::Python => &[
            ("\"\"\"", "\"\"\"", true),
            ("\"", "\"", true),
            ("'", "'", true),
            ("#", "\n", false),
        ],
        // What stands behind a `'` is a lifetime.
        Language::Rust => &[
            ("r#\"", "\"#", false),
            ("/*", "*/", false),
            ("//", "\n", false),
            ("\"", "\"", true),
        ],
        _ => &[
            ("/*", "*/", false),
            ("//", "\n", false),
            ("\"", "\"", true),
            ("'", "'", true),
        ],
    };
    let ends_line = |letter: char| match language {
        Language::CSharp => matches!(letter, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}'),
        _ => matches!(letter, '\n' | '\r'),
    };
    // Java has escapes everywhere, and they come before all else.
    if matches!(language, Language::Java) && text.replace("\\\\", "").contains("\\u") {
        return Err("an escape of a character".to_owned());
    }
    let text: String = text
        .chars()
        .map(|it| if ends_line(it) { '\n' } else { it })
        .collect();
    let (mut code, mut rest) = (String::new(), &*text);
    while let Some(letter) = rest.chars().next() {
        let Some((begin, end, escapes)) = quotings.iter().find(|it| rest.starts_with(it.0)) else {
            code.push(letter);
            rest = &rest[letter.len_utf8()..];
            continue;
        };
        let whole = rest;
        rest = &rest[begin.len()..];
        let is_text = *end == "\"" || *end == "'";
        // There comments lie in each other.
        let nests = *begin == "/*" && matches!(language, Language::Kotlin | Language::Rust);
        while !rest.starts_with(end) {
            let is_code = match language {
                Language::Cpp => *begin == "//" && rest.starts_with("\\\n"),
                Language::Kotlin => is_text && rest.starts_with('$'),
                _ => false,
            };
            if is_code || nests && rest.starts_with("/*") {
                return Err(whole.lines().take(2).collect());
            }
            let mut letters = rest.chars();
            match letters.next() {
                Some('\\') if *escapes => _ = letters.next(),
                Some('\n') if is_text => {
                    return Err(whole.lines().take(2).collect());
                }
                Some(_) => {}
                None => return Err(whole.lines().take(2).collect()),
            }
            rest = letters.as_str();
        }
        rest = &rest[end.len()..];
        code.push(' ');
    }
    Ok(code)
}

#[test]
fn what_names_and_prose_say_is_never_code() {
    // Each language by itself, since there are many texts.
    std::thread::scope(|scope| {
        for language in LANGUAGES {
            scope.spawn(move || is_never_code(language));
        }
    });
}

fn is_never_code(language: Language) {
    for before in [
        "",
        "\n",
        "\r",
        "\r\n",
        "\u{85}",
        "\u{2028}",
        "\u{2029}",
        "\u{c}",
        "\u{b}",
        "\0",
        "*/",
        "* /",
        "*\n/",
        "*\r/",
        "*\u{0}/",
        "**//",
        "/*",
        "*&#47;",
        "\"\"\"",
        "\"",
        "'''",
        "'",
        "\\",
        "\\\"\"\"",
        "\\\"",
        "\\n",
        "\\u000a",
        "\\u002a\\u002f",
        "\\\\u000a",
        "\\uu000a",
        "\\u0022",
        "\"#",
        "\"##",
        "r#\"",
        "$",
        "${",
        "/**/",
        "/*/",
        "*/*",
        "/\u{0}*",
        "??/",
        "\\ ",
        "#include <x>",
        "]]",
        "```",
        "</summary>",
        "{@code",
        "{",
        "}",
        "`",
        "-->",
        "]]>",
        "?>",
        ";",
        "#",
        "//",
        "\u{202e}",
        "/\n",
        "\"\"",
        "\"\"\"\"",
        "\"\"\"\"\"\"\"",
        "\\\\\"\"\"",
    ] {
        for behind in ["", "\"", "\\"] {
            let text = format!("{before} {MARK} {behind}");
            for (of_names, of_prose) in [("", &*text), (&*text, "")] {
                let Ok(files) = generated(&described(of_names, of_prose), language) else {
                    assert!(of_prose.is_empty(), "prose is never refused: {text:?}");
                    continue;
                };
                for file in files {
                    let code = code(&file.text, language).unwrap_or_else(|open| {
                        panic!("{language:?} {text:?}: {}: {open}", file.path)
                    });
                    assert!(
                        !code.contains(MARK),
                        "{language:?} {text:?}: {}\n{code}",
                        file.path
                    );
                }
            }
        }
    }
}

#[test]
fn files_are_written_below_the_folder_of_the_client_alone() {
    for name in [
        "../up",
        "/absolute",
        "a/../../b",
        "..",
        "C:\\x",
        "a\\..\\b",
        ".",
    ] {
        let description = json!({"name": name, "types": [{"name": name, "record": []}], "methods": [
            {"name": name, "entries": [{"index": 0, "encoding": "wire", "request": {"type": {"ref": 0}}}]}]});
        for language in LANGUAGES {
            let Ok(files) = generated(&description.to_string(), language) else {
                continue;
            };
            for file in files {
                let is_plain = |part: &str| {
                    part.split_once('.')
                        .map_or(part, |(name, _)| name)
                        .chars()
                        .all(|it| it.is_alphanumeric() || it == '_')
                };
                assert!(
                    file.path
                        .split('/')
                        .all(|part| !part.is_empty() && is_plain(part)),
                    "{}",
                    file.path
                );
            }
        }
    }
}

/// A plugin whose types lie in each other so deep, each within the one before.
fn deep(types: u32, within: impl Fn(Value) -> Value) -> Value {
    let types: Vec<Value> = (0..types)
        .map(|number| {
            let inside = if number + 1 == types {
                json!("u8")
            } else {
                json!({"ref": number + 1})
            };
            json!({"name": format!("T{number}"), "record": [{"name": "a", "type": within(inside)}]})
        })
        .collect();
    let side = json!({"type": {"ref": 0}});
    json!({"name": "p", "types": types, "methods": [{"name": "m", "entries": [
        {"index": 0, "encoding": "wire", "request": side, "response": side}]}]})
}

/// More types in each other than fit on the stack, if a level of them needs 350 bytes of it.
#[test]
fn types_lie_in_each_other_however_deep() {
    const DEPTH: u32 = 1500;
    const STACK: usize = 512 * 1024;
    let generate_all = || {
        for description in [
            deep(DEPTH, |inside| json!({"list": inside})),
            deep(DEPTH, |inside| json!({"option": inside})),
        ] {
            for language in LANGUAGES {
                generated(&description.to_string(), language).unwrap();
            }
        }
    };
    let thread = std::thread::Builder::new().stack_size(STACK);
    thread.spawn(generate_all).unwrap().join().unwrap();
}

#[test]
fn types_of_which_no_message_has_room_for_a_value_are_refused() {
    let long = 1_u64 << 31;
    let wide = json!({"array": [{"array": ["u64", 1_u64 << 32]}, 1_u64 << 29]});
    for (ty, fits) in [
        (json!({"array": ["u8", 1000]}), true),
        (json!({"array": ["u8", long]}), false),
        (json!({"array": ["unit", long]}), false),
        (json!({"array": [{"array": ["unit", long]}, 0]}), false),
        (json!({"option": {"list": wide}}), false),
        (wide, false),
        (
            json!({"tuple": [{"array": ["u8", long / 2]}, {"array": ["u8", long / 2]}]}),
            false,
        ),
    ] {
        let side = json!({"type": {"option": ty}});
        let in_message = json!({"name": "p", "methods": [{"name": "m", "entries": [
            {"index": 0, "encoding": "wire", "request": side}]}]});
        let in_type =
            json!({"name": "p", "types": [{"name": "T", "record": [{"name": "a", "type": ty}]}]});
        let in_variant = json!({"name": "p", "types": [{"name": "T", "enum": {"variants": [{"name": "A", "tuple": [ty]}]}}]});
        for description in [in_message, in_type, in_variant] {
            for language in LANGUAGES {
                let written = generated(&description.to_string(), language);
                assert_eq!(written.is_ok(), fits, "{description}: {written:?}");
            }
        }
    }
}
