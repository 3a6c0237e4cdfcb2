//! What is written in Java, from descriptions that are awkward.

use rustbridge_gen::{ClientSchema, Error, File, Language, Options, generate};
use serde_json::{Value, json};

/// A plugin with these types, and methods of these names that take and give the first of them.
fn described(plugin: &str, doc: &str, methods: &[&str], types: Value) -> String {
    let methods: Vec<Value> = methods
        .iter()
        .enumerate()
        .map(|(index, name)| {
            let side = json!({"type": {"ref": 0}});
            let entry =
                json!({"index": index, "encoding": "wire", "request": side, "response": side});
            json!({"name": name, "doc": doc, "entries": [entry]})
        })
        .collect();
    json!({"name": plugin, "description": doc, "methods": methods, "types": types}).to_string()
}

fn java(description: &str, namespace: Option<&str>) -> Result<Vec<File>, Error> {
    let client_schema = ClientSchema::read(description.as_bytes())?;
    let namespace = namespace.map(str::to_owned);
    generate(
        &client_schema,
        Language::Java,
        &Options {
            namespace,
            ..Options::default()
        },
    )
}

/// The text of the file of that class.
fn class<'f>(files: &'f [File], name: &str) -> &'f str {
    let file = files
        .iter()
        .find(|file| file.path.ends_with(&format!("{name}.java")));
    &file
        .unwrap_or_else(|| panic!("no {name} in {files:?}"))
        .text
}

fn point() -> Value {
    json!([{"name": "Point", "record": [{"name": "x", "type": "f64"}]}])
}

#[test]
fn the_same_description_gives_the_same_files_in_the_folder_of_their_package() {
    let description = described("my-plugin", "", &["a.b", "c"], point());
    let files = java(&description, Some("org.example.mine")).unwrap();
    assert_eq!(java(&description, Some("org.example.mine")).unwrap(), files);
    for file in &files {
        assert!(file.path.starts_with("org/example/mine/"), "{}", file.path);
        assert!(file.text.contains("package org.example.mine;"));
        assert!(!file.text.contains('\t') && file.text.ends_with("}\n"));
    }
    assert!(class(&files, "/MyPlugin").contains("public Point aB(Point request)"));
    for wrong in ["", ".", "a..b", "class", "a/b", "../a", "a b", "1a"] {
        let error = java(&description, Some(wrong)).unwrap_err().to_string();
        assert!(error.contains("package"), "{wrong}: {error}");
    }
}

#[test]
fn names_that_the_language_has_are_avoided() {
    let types = json!([{"name": "String", "record": [
        {"name": "class", "type": "u8"}, {"name": "hash_code", "type": "u8"}, {"name": "first-name", "type": "string"}]}]);
    let files = java(
        &described("p", "", &["import", "close", "plugin"], types),
        None,
    )
    .unwrap();
    let client = class(&files, "/P");
    for expected in [" import_(", " close_(", " plugin_("] {
        assert!(client.contains(expected), "{expected}:\n{client}");
    }
    let record = files
        .iter()
        .find(|file| file.text.contains("firstName"))
        .unwrap();
    assert!(record.text.contains("class_"), "{}", record.text);
    assert!(!record.path.ends_with("/String.java"), "{}", record.path);
}

#[test]
fn what_only_the_client_schema_names_is_not_imported() {
    let types = json!([{"name": "Values", "record": [{"name": "Instant", "type": "u8"}]}]);
    let files = java(&described("p", "", &["a"], types), None).unwrap();
    let client = class(&files, "/P");
    assert!(client.contains("Values_ a(Values_ request)"), "{client}");
    for unused in ["import io.github.rustbridge.wire.Values;", "Instant;"] {
        assert!(!client.contains(unused), "{unused}:\n{client}");
    }
}

#[test]
fn names_that_become_one_are_refused() {
    let record = |fields: Value| json!([{"name": "A", "record": fields}]);
    let fields =
        record(json!([{"name": "firstName", "type": "u8"}, {"name": "first_name", "type": "u8"}]));
    let types = json!([{"name": "FirstName", "newtype": {"ref": 1}}, {"name": "first_name", "newtype": "u8"}]);
    for description in [
        described("p", "", &["a"], fields),
        described("p", "", &["a"], types),
        described("p", "", &["a.b", "a_b"], point()),
        described("point", "", &["a"], point()),
    ] {
        let error = java(&description, None).unwrap_err().to_string();
        assert!(error.contains("are both `"), "{description}: {error}");
    }
}

#[test]
fn prose_stays_prose() {
    let doc = "Ends */ here, <b> & {@code x}, \\u002a/ too.";
    let files = java(&described("p", doc, &["a"], point()), None).unwrap();
    let client = class(&files, "/P");
    let comments = client.matches("/**").count();
    assert_eq!(client.matches("*/").count(), comments, "{client}");
    assert!(!client.contains("\\u002a"), "{client}");
    assert!(client.contains("&lt;b&gt;"), "{client}");
}

#[test]
fn streams_come_for_a_loop_and_as_publishers_and_take_both_kinds_of_sources() {
    let entry = |index: u32, kind: &str, items: Value| {
        let side = json!({"type": {"ref": 0}});
        let mut entry = json!({"index": index, "encoding": "wire", "kind": kind, "request": side, "response": side});
        if !items.is_null() {
            entry["items"] = items;
        }
        json!([entry])
    };
    let items = json!({"type": "u64"});
    let description = json!({"name": "p", "types": point(), "methods": [
        {"name": "plain", "entries": entry(0, "unary", Value::Null)},
        {"name": "flow", "entries": entry(1, "server_stream", Value::Null)},
        {"name": "sum", "entries": entry(2, "client_stream", items)},
        {"name": "swap", "entries": entry(3, "bidi_stream", json!({"type": {"object": "Counter"}}))},
        {"name": "both", "entries": entry(4, "bidi_stream", json!({"type": "string"}))},
    ]});
    let files = java(&description.to_string(), None).unwrap();
    let client = class(&files, "/P");
    for expected in [
        "streams of objects: {@code swap}.",
        "public Point plain(Point request) {",
        "public Point plain(Point request, CallOptions options) {",
        "public Items<Point> flow(Point request) {",
        "public Flow.Publisher<Point> flowPublisher(Point request, CallOptions options) {",
        "private final TypedStreamingCall<Point, Long, Point> sum;",
        "public CompletableFuture<Point> sumAsync(Point request, Iterable<? extends Long> items) {",
        "Point request, Flow.Publisher<? extends Long> items, CallOptions options) {",
        "public Items<Point> both(Point request, Flow.Publisher<? extends String> items) {",
        "public Flow.Publisher<Point> bothPublisher(",
    ] {
        assert!(client.contains(expected), "{expected}:\n{client}");
    }
    assert!(!client.contains(" sum("), "{client}");
    let api = class(&files, "/PApi");
    for expected in [
        "public interface PApi {\n  /**",
        "  Point plain(Point request);",
        "of each, its bits are those of an unsigned number",
        "  Flow.Publisher<Point> flowPublisher(Point request, CallOptions options);",
    ] {
        assert!(api.contains(expected), "{expected}:\n{api}");
    }
}

#[test]
fn objects_are_classes_and_several_parameters_are_parameters() {
    let counter = json!({"type": {"object": "Counter"}});
    let entry = |index: u32, receiver: &str, request: Value, response: Value| {
        json!([{"index": index, "encoding": "wire", "receiver": receiver, "arguments": true,
            "request": request, "response": response}])
    };
    let fields = json!([
        {"name": "from", "type": {"object": "Counter"}},
        {"name": "options", "type": {"option": "u32"}},
    ]);
    let description = json!({"name": "p", "types": [{"name": "MoveParameters", "record": fields}], "methods": [
        {"name": "open", "entries": entry(0, "", json!({}), counter.clone())},
        {"name": "move", "entries": entry(1, "", json!({"type": {"ref": 0}}), json!({}))},
        {"name": "Counter.add", "entries": entry(2, "Counter", json!({"type": "i64"}), json!({"type": "i64"}))},
        {"name": "counter_add", "entries": entry(3, "", counter, json!({}))},
    ]});
    let files = java(&description.to_string(), None).unwrap();
    let client = class(&files, "/P");
    for expected in [
        "public Counter open() {",
        "return this.open.call(null, CallOptions.defaults());",
        "public void move(Counter from, Long options_) {",
        "this.move.call(new MoveParameters(from, options_), CallOptions.defaults());",
        "final TypedMethod<Long, Long> counter__add;",
        "private final TypedMethod<Counter, Void> counterAdd;",
    ] {
        assert!(client.contains(expected), "{expected}:\n{client}");
    }
    let counter = class(&files, "/Counter");
    for expected in [
        "public final class Counter extends TypedObject {",
        "return client.counter__add.call(request, receiving(CallOptions.defaults()));",
    ] {
        assert!(counter.contains(expected), "{expected}:\n{counter}");
    }
    let parameters = class(&files, "/MoveParameters");
    assert!(
        parameters.contains("\nrecord MoveParameters("),
        "{parameters}"
    );
}
