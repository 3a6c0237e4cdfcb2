//! Clients that use the types of another plugin's client. That they work is tested in each language, with the clients of
//! `plugins/fixtures-plugin` and `plugins/gallery-plugin`.

use rustbridge_gen::{ClientSchema, Language, Options, generate};
use serde_json::{Value, json};

/// A language, and a namespace in it.
const NAMESPACES: [(Language, &str); 8] = [
    (Language::Python, "com.one_client"),
    (Language::Java, "com.one"),
    (Language::CSharp, "Com.One"),
    (Language::Cpp, "com::one"),
    (Language::Kotlin, "com.one"),
    (Language::Rust, "super::one"),
    (Language::Go, "example.com/one"),
    (Language::TypeScript, "./one.js"),
];

/// A plugin whose method `echo` returns what it receives, a value of the first type.
fn plugin(name: &str, types: &[Value]) -> ClientSchema {
    let of = json!({"type": {"ref": 0}});
    let text = json!({
        "name": name,
        "methods": [{"name": "echo", "entries": [
            {"index": 0, "encoding": "wire", "request": of, "response": of}]}],
        "types": types,
    });
    ClientSchema::read(text.to_string().as_bytes()).unwrap()
}

fn record(name: &str, fields: &[(&str, Value)]) -> Value {
    let fields = fields
        .iter()
        .map(|(name, ty)| json!({"name": name, "type": ty}));
    json!({"name": name, "record": fields.collect::<Vec<_>>()})
}

fn point() -> Value {
    record("Point", &[("x", json!("f64")), ("y", json!("f64"))])
}

/// A line whose ends have another number in the table of types.
fn line(end: u32) -> Value {
    record(
        "Line",
        &[("from", json!({"ref": end})), ("to", json!({"ref": end}))],
    )
}

fn text(client_schema: &ClientSchema, language: Language) -> String {
    let files = generate(client_schema, language, &Options::default()).unwrap();
    let texts: Vec<String> = files.into_iter().map(|file| file.text).collect();
    texts.join("\n")
}

#[test]
fn types_that_are_the_same_are_the_other_clients_in_every_language() {
    let other = plugin("one", &[line(1), point()]);
    let all = record(
        "All",
        &[("line", json!({"ref": 2})), ("point", json!({"ref": 1}))],
    );
    for (language, namespace) in NAMESPACES {
        let mut client_schema = plugin("two", &[all.clone(), point(), line(1)]);
        let own = text(&client_schema, language);
        let notes = client_schema.import(namespace, other.clone());
        assert_eq!(notes, Vec::<String>::new(), "{language:?}");
        let text = text(&client_schema, language);
        let declarations: &[&str] = match language {
            Language::Python => &["class Line:", "class Point:"],
            Language::Java => &["public record Line(", "public record Point("],
            Language::CSharp => &["record Line(", "record Point("],
            Language::Cpp => &["struct Line {", "struct Codec<::two::Point>"],
            Language::Kotlin => &["class Line(", "class Point("],
            Language::Rust => &["pub struct Line {", "pub struct Point {"],
            Language::Go => &["type Line struct", "type Point struct"],
            Language::TypeScript => &["interface Line {", "interface Point {"],
        };
        for declaration in declarations {
            assert!(own.contains(declaration), "{declaration}: {own}");
            assert!(!text.contains(declaration), "{declaration}: {text}");
        }
        let imports: &[&str] = match language {
            Language::Python => &["from com.one_client import (\n    Line,\n    Point,\n)"],
            Language::Java => &["import com.one.Line;\nimport com.one.Point;\n"],
            Language::CSharp => &[
                "using Line = Com.One.Line;\n",
                "using Point = Com.One.Point;\n",
            ],
            Language::Cpp => &["#include \"one.hpp\"", "using ::com::one::Point;"],
            Language::Kotlin => &["import com.one.Line\nimport com.one.Point\n"],
            Language::Rust => &["pub use super::one::{Line, Point};"],
            Language::Go => &[
                "oneclient \"example.com/one\"",
                "type Point = oneclient.Point",
            ],
            Language::TypeScript => &["import { type Line, type Point } from \"./one.js\";"],
        };
        for import in imports {
            assert!(text.contains(import), "{import}: {text}");
        }
    }
}

#[test]
fn types_that_differ_are_each_clients_own() {
    let wide = record("Point", &[("x", json!("f64")), ("y", json!("f32"))]);
    let renamed = record("Point", &[("x", json!("f64")), ("z", json!("f64"))]);
    let mut by_default = point();
    by_default["record"][0]["default"] = true.into();
    for other in [wide, renamed, by_default] {
        // The line differs because its ends do.
        let mut client_schema = plugin("two", &[line(1), point()]);
        let notes = client_schema.import("one", plugin("one", &[line(1), other]));
        let expected = |name: &str| {
            format!(
                "the type `{name}` differs between the plugins `two` and `one`, so each client has its own"
            )
        };
        assert_eq!(notes, [expected("Line"), expected("Point")]);
        assert!(text(&client_schema, Language::Python).contains("class Point:"));
    }
    // Documentation isn't a difference.
    let mut documented = point();
    documented["doc"] = "A point.".into();
    let mut client_schema = plugin("two", &[point()]);
    assert!(
        client_schema
            .import("one", plugin("one", &[documented]))
            .is_empty()
    );
}

#[test]
fn types_with_objects_and_with_types_of_a_third_client_are_the_clients_own() {
    let holder = record("Holder", &[("it", json!({"object": "Basket"}))]);
    let mut client_schema = plugin("two", std::slice::from_ref(&holder));
    let notes = client_schema.import("one", plugin("one", &[holder]));
    assert_eq!(
        notes,
        [
            "the type `Holder` contains objects, so the clients of the plugins `two` and `one` have their own"
        ]
    );

    let mut client_schema = plugin("three", &[line(1), point()]);
    assert!(
        client_schema
            .import("one", plugin("one", &[point()]))
            .is_empty()
    );
    let notes = client_schema.import("two", plugin("two", &[line(1), point()]));
    assert_eq!(
        notes,
        [
            "the type `Line` contains types of the client `one`, so the clients of the plugins `three` and `two` have their own"
        ]
    );
}

#[test]
fn a_type_with_another_name_in_the_other_client_is_refused() {
    // There, the plugin's own class has the name.
    let other = plugin("point", &[point()]);
    for (language, namespace) in NAMESPACES {
        let mut client_schema = plugin("two", &[point()]);
        client_schema.import(namespace, other.clone());
        let Err(error) = generate(&client_schema, language, &Options::default()) else {
            panic!("{language:?}");
        };
        let error = error.to_string();
        assert!(error.contains("oint"), "{language:?}: {error}");
    }
}

#[test]
fn a_namespace_that_is_none_in_the_language_is_refused() {
    for (language, _) in NAMESPACES {
        for namespace in ["", "a b", "a;b", "\"", "a\nb", "..", "1/2/"] {
            let mut client_schema = plugin("two", &[point()]);
            client_schema.import(namespace, plugin("one", &[point()]));
            let made = generate(&client_schema, language, &Options::default());
            let is_path = language == Language::TypeScript && [".."].contains(&namespace);
            let is_path = is_path || language == Language::TypeScript && namespace == "1/2/";
            assert_eq!(made.is_ok(), is_path, "{language:?}: {namespace:?}");
        }
    }
}

#[test]
fn two_packages_of_one_name_are_distinguished_in_go() {
    let mut client_schema = plugin(
        "three",
        &[
            record(
                "All",
                &[("line", json!({"ref": 1})), ("point", json!({"ref": 2}))],
            ),
            record("Line", &[("length", json!("f64"))]),
            point(),
        ],
    );
    let one = plugin("one", &[record("Line", &[("length", json!("f64"))])]);
    assert!(
        client_schema
            .import("example.com/one/types", one)
            .is_empty()
    );
    assert!(
        client_schema
            .import("example.com/two/types", plugin("two", &[point()]))
            .is_empty()
    );
    let text = text(&client_schema, Language::Go);
    for expected in [
        "typesclient \"example.com/one/types\"",
        "typesclient2 \"example.com/two/types\"",
        "type Line = typesclient.Line",
        "type Point = typesclient2.Point",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
}
