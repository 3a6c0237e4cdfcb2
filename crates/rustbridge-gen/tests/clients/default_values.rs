//! Default values of fields and parameters in each language.

use rustbridge_gen::{ClientSchema, Int64, Language, Options, generate};
use serde_json::{Value, json};

fn client_schema(record: Value) -> ClientSchema {
    let text = json!({
        "name": "pages",
        "types": [
            record,
            { "name": "Colour", "enum": { "variants": [ { "name": "red" }, { "name": "deep blue" } ] } },
        ],
        "methods": [ { "name": "cut", "entries": [ { "index": 0, "encoding": "wire", "arguments": true,
            "request": { "type": { "ref": 0 } }, "response": { "type": "string" } } ] } ],
    });
    ClientSchema::read(text.to_string().as_bytes()).unwrap()
}

fn with_default(name: &str, ty: Value, value: Value) -> Value {
    json!({ "name": name, "type": ty, "default": true, "default_value": value })
}

fn parameters() -> Value {
    json!({ "name": "CutParameters", "record": [
        { "name": "text", "type": "string" },
        with_default("limit", json!("u32"), json!(5)),
        with_default("least", json!("i64"), json!(i64::MIN)),
        with_default("end", json!("string"), json!("$\"\\")),
        with_default("colour", json!({ "ref": 1 }), json!("deep blue")),
        with_default("tags", json!({ "list": "string" }), json!([])),
        { "name": "note", "type": { "option": "string" } },
    ] })
}

/// All files of a client as one text.
fn written(language: Language) -> String {
    let files = generate(&client_schema(parameters()), language, &Options::default()).unwrap();
    files.into_iter().map(|file| file.text).collect()
}

#[test]
fn signatures_show_the_values() {
    for (language, expected) in [
        (
            Language::Python,
            &[
                "limit: int = 5,",
                "least: int = -9223372036854775808,",
                r#"end: str = "$\"\\","#,
                "colour: Colour = Colour.DEEP_BLUE,",
                "tags: list[str] | None = None,",
                "[] if tags is None else tags",
            ][..],
        ),
        (
            Language::Kotlin,
            &[
                "limit: UInt = 5u,",
                "least: Long = Long.MIN_VALUE,",
                r#"end: String = "\$\"\\","#,
                "colour: Colour = Colour.DEEP_BLUE,",
                "tags: List<String> = emptyList(),",
            ],
        ),
        (
            Language::CSharp,
            &[
                "uint limit = 5,",
                "long least = -9223372036854775808,",
                r#"string end = "$\"\\","#,
                "Colour colour = global::PagesClient.Colour.DeepBlue,",
                "string[]? tags = null,",
                "tags ?? []",
            ],
        ),
        (
            Language::Cpp,
            &[
                "std::uint32_t limit = 5,",
                "std::int64_t least = -9223372036854775807 - 1,",
                r#"std::string_view end = "$\"\\","#,
                "Colour colour = Colour::deep_blue,",
                "const std::vector<std::string>& tags = {},",
                "text, true, limit, true, least,",
            ],
        ),
        (
            Language::TypeScript,
            &[
                "limit: number = 5,",
                "least: bigint = -9223372036854775808n,",
                "colour: Colour = \"deep blue\",",
                "tags: string[] = [],",
            ],
        ),
        (
            Language::Java,
            &[
                "String cut(String text) {",
                "String cut(String text, CallOptions options) {",
                "-9223372036854775808L,",
                "Colour.DEEP_BLUE,",
                "List.of(),",
            ],
        ),
        (
            Language::Rust,
            &[
                "* `limit`: The default value is 5.",
                "limit: u32,",
                "Some(limit),",
            ],
        ),
        (
            Language::Go,
            &[
                "limit *uint32",
                "wire.Or(v.Limit, 5)",
                "Nil for the default value, deep blue.",
            ],
        ),
    ] {
        let text = written(language);
        for line in expected {
            assert!(text.contains(line), "{language:?}: {line}\n{text}");
        }
    }
}

#[test]
fn a_parameter_alone_is_one_if_it_has_a_default_value() {
    let alone = |field: Value| {
        let record = json!({ "name": "CutParameters", "record": [field] });
        client_schema(record).methods[0].arguments.is_some()
    };
    assert!(alone(with_default("limit", json!("u32"), json!(5))));
    assert!(!alone(json!({ "name": "limit", "type": "u32" })));
    assert!(!alone(
        json!({ "name": "limit", "type": "u32", "default": true })
    ));
}

#[test]
fn a_client_carries_the_values_that_it_shows() {
    let carried = client_schema(parameters()).text;
    let carried: Value = serde_json::from_str(&carried).unwrap();
    let limit = &carried["types"][0]["record"][1];
    assert_eq!(limit["default_value"], 5);
}

#[test]
fn a_default_value_that_a_number_of_typescript_cannot_hold_is_refused() {
    let schema = client_schema(parameters());
    let with = |int64| Options {
        int64,
        ..Options::default()
    };
    let error = generate(&schema, Language::TypeScript, &with(Int64::Number)).unwrap_err();
    let error = error.to_string();
    assert!(
        error.contains("`CutParameters.least` is -9223372036854775808")
            && error.contains("--int64 bigint"),
        "{error}"
    );
    for (int64, expected) in [
        (Int64::BigInt, "least: bigint = -9223372036854775808n"),
        (Int64::Text, "least: string = \"-9223372036854775808\""),
    ] {
        let files = generate(&schema, Language::TypeScript, &with(int64)).unwrap();
        assert!(files[0].text.contains(expected), "{}", files[0].text);
    }
    let exact = client_schema(json!({ "name": "CutParameters", "record": [
        with_default("limit", json!("u64"), json!((1_u64 << 53) - 1)),
    ] }));
    let files = generate(&exact, Language::TypeScript, &with(Int64::Number)).unwrap();
    assert!(
        files[0].text.contains("limit: number = 9007199254740991"),
        "{}",
        files[0].text
    );
}

#[test]
fn a_default_value_of_a_kind_of_a_later_version_is_left_to_the_plugin() {
    let later = |value: Value| {
        client_schema(json!({ "name": "CutParameters", "record": [
            { "name": "text", "type": "string" },
            with_default("tags", json!({ "list": "string" }), value),
        ] }))
    };
    for language in [
        Language::Python,
        Language::Java,
        Language::Kotlin,
        Language::CSharp,
        Language::Cpp,
        Language::Rust,
        Language::Go,
        Language::TypeScript,
    ] {
        let of = |value: Value| -> String {
            let files = generate(&later(value), language, &Options::default()).unwrap();
            files.into_iter().map(|file| file.text).collect()
        };
        assert_eq!(of(json!(["a", "b"])), of(Value::Null), "{language:?}");
    }
}
