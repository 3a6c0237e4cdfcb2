//! What is written in Kotlin, from descriptions that are awkward.

use rustbridge_gen::{Contract, Error, File, Language, Options, generate};
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

fn kotlin(description: &str, namespace: Option<&str>) -> Result<Vec<File>, Error> {
    let contract = Contract::read(description.as_bytes())?;
    let namespace = namespace.map(str::to_owned);
    generate(
        &contract,
        Language::Kotlin,
        &Options {
            namespace,
            ..Options::default()
        },
    )
}

/// The text of the file of that name.
fn file<'f>(files: &'f [File], name: &str) -> &'f str {
    let file = files
        .iter()
        .find(|file| file.path.ends_with(&format!("/{name}.kt")));
    &file
        .unwrap_or_else(|| panic!("no {name} in {files:?}"))
        .text
}

fn has(text: &str, expected: &[&str]) {
    for expected in expected {
        assert!(text.contains(expected), "{expected}:\n{text}");
    }
}

fn point() -> Value {
    json!([{"name": "Point", "record": [{"name": "x", "type": "f64"}]}])
}

#[test]
fn the_same_description_gives_the_same_files_in_the_folder_of_their_package() {
    let description = described("my-plugin", "", &["a.b", "c"], point());
    let files = kotlin(&description, Some("org.example.mine")).unwrap();
    assert_eq!(
        kotlin(&description, Some("org.example.mine")).unwrap(),
        files
    );
    for file in &files {
        assert!(file.path.starts_with("org/example/mine/"), "{}", file.path);
        assert!(file.text.contains("package org.example.mine\n"));
        assert!(!file.text.contains('\t') && file.text.ends_with('\n'));
        assert!(
            file.text
                .starts_with("// Written by `rustbridge gen -l kotlin`")
        );
    }
    has(
        file(&files, "MyPlugin"),
        &["public fun aB(request: Point, options: CallOptions = CallOptions.defaults()): Point"],
    );
    for wrong in ["", ".", "a..b", "class", "a/b", "../a", "a b", "1a", "in"] {
        let error = kotlin(&description, Some(wrong)).unwrap_err().to_string();
        assert!(error.contains("package"), "{wrong}: {error}");
    }
}

#[test]
fn names_that_the_language_has_are_avoided() {
    let types = json!([{"name": "String", "record": [
        {"name": "class", "type": "u8"}, {"name": "hash_code", "type": "u8"},
        {"name": "in", "type": "u8"}, {"name": "first-name", "type": "string"}]}]);
    let files = kotlin(
        &described("p", "", &["object", "close", "plugin", "value"], types),
        None,
    )
    .unwrap();
    has(
        file(&files, "P"),
        &[
            "fun object_(",
            "fun close_(",
            "fun plugin_(",
            "fun value(request: String_,",
        ],
    );
    has(
        file(&files, "PMessages"),
        &[
            "data class String_(",
            "val class_: UByte,",
            "val hashCode_: UByte,",
            "val in_: UByte,",
            "val firstName: String,",
        ],
    );
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
        let error = kotlin(&description, None).unwrap_err().to_string();
        assert!(error.contains("are both `"), "{description}: {error}");
    }
}

#[test]
fn prose_stays_prose_and_texts_stay_texts() {
    let doc = "Ends */ here, /* begins there, @see nothing and [Nobody], for $price.";
    let types = json!([{"name": "$A", "doc": doc, "record": [{"name": "$x", "doc": doc, "type": "string"}]}]);
    let files = kotlin(&described("p", doc, &["$a"], types), None).unwrap();
    for file in &files {
        let comments = file.text.matches("/*").count();
        assert_eq!(file.text.matches("*/").count(), comments, "{}", file.text);
        assert!(!file.text.contains("@see"), "{}", file.text);
        assert!(!file.text.contains("[Nobody]"), "{}", file.text);
        let templates = file.text.matches("\"$").count() + file.text.matches("{$").count();
        assert_eq!(templates, 0, "{}", file.text);
    }
    has(file(&files, "P"), &["append(", "\\$a"]);
}

#[test]
fn numbers_keep_their_signs_and_lists_of_them_are_arrays() {
    let types = json!([{"name": "A", "record": [
        {"name": "a", "type": "u32"},
        {"name": "b", "type": {"list": "u64"}},
        {"name": "c", "type": {"array": ["u16", 2]}},
        {"name": "d", "type": {"list": {"option": "u8"}}},
        {"name": "e", "type": {"tuple": ["u8", "i8", "bool", "any"]}},
        {"name": "f", "type": {"option": "any"}, "default": true},
        {"name": "g", "type": "u8", "default": true},
    ]}]);
    let files = kotlin(&described("p", "", &["a"], types), None).unwrap();
    has(
        file(&files, "PMessages"),
        &[
            "@file:OptIn(ExperimentalUnsignedTypes::class)\n",
            "val a: UInt,",
            "val b: ULongArray,",
            "val c: UShortArray,",
            "val d: List<UByte?>,",
            "val e: Tuple4<UByte, Byte, Boolean, Any?>,",
            "val f: Maybe<Any?>? = null,",
            "val g: UByte? = null,",
            "Content.equal(content(), other.content())",
        ],
    );
    has(
        file(&files, "PCodec"),
        &[
            "output.i32(value.a.toInt())",
            "output.i64s(value.b.asLongArray())",
            "output.i16s(value.c.asShortArray(), 2, \"A.c\")",
            "input.i16s(2).asUShortArray(),",
        ],
    );
}

#[test]
fn streams_are_flows_and_async_handlers_suspend() {
    let entry = |index: u32, kind: &str, items: Value| {
        let side = json!({"type": {"ref": 0}});
        let mut entry = json!({"index": index, "encoding": "wire", "kind": kind, "request": side, "response": side});
        if !items.is_null() {
            entry["items"] = items;
        }
        if kind == "unary" {
            entry["async"] = true.into();
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
    let files = kotlin(&description.to_string(), None).unwrap();
    let client = file(&files, "P");
    has(
        client,
        &[
            "or streams of objects: `swap`.",
            "public fun plain(request: Point, options",
            "public suspend fun awaitPlain(",
            "public fun flow(request: Point, options: CallOptions = CallOptions.defaults()): Flow<Point> =",
            "private val sum: TypedSending<Point, ULong, Point> =",
            "public suspend fun sum(",
            "items: Flow<ULong>,",
            "public fun both(",
            "): Flow<Point> = this.both.exchange(request, items, options)",
        ],
    );
    assert!(!client.contains("fun swap("), "{client}");
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
    let files = kotlin(&description.to_string(), None).unwrap();
    has(
        file(&files, "P"),
        &[
            "public fun open(options: CallOptions = CallOptions.defaults()): Counter =",
            "this.open.call(Unit, options)",
            "        options_: UInt? = null,\n",
            "this.move.call(MoveParameters(from, options_), options)",
            "internal val counter__add: TypedMethod<Long, Long> =",
            "private val counterAdd: TypedMethod<Counter, Unit> =",
        ],
    );
    has(
        file(&files, "PObjects"),
        &[
            "public class Counter internal constructor(private val client: P, untyped: PluginObject) :",
            "this.client.counter__add.call(request, receiving(options))",
        ],
    );
    has(
        file(&files, "PMessages"),
        &["internal class MoveParameters("],
    );
}

#[test]
fn services_are_interfaces_that_loading_takes_and_those_without_a_group_are_the_plugins() {
    let service = |name: &str, optional: bool, request: Value| {
        json!({"name": name, "encoding": "wire", "optional": optional,
            "request": request, "response": {"type": "u64"}})
    };
    let text = || json!({"type": "string"});
    let mut description: Value =
        serde_json::from_str(&described("my-plugin", "", &["a"], point())).unwrap();
    description["services"] = json!([
        service("price_list.find", true, text()),
        service("now", true, json!({})),
        service("stock.in", false, text()),
        service("stock.out", true, text()),
        service(
            "objects.take",
            false,
            json!({"type": {"object": "Counter"}})
        ),
    ]);
    let files = kotlin(&description.to_string(), None).unwrap();
    has(
        file(&files, "MyPluginServices"),
        &[
            "public interface PriceList {",
            "public suspend fun find(request: String): ULong\n",
            "public interface MyPluginServices {",
            "public suspend fun now(): ULong\n",
            "public interface Stock {",
            "public suspend fun in_(request: String): ULong\n",
        ],
    );
    let client = file(&files, "MyPlugin");
    has(
        client,
        &[
            "            library: Path,\n            stock: Stock,\n            priceList: PriceList? = null,\n            myPluginServices: MyPluginServices? = null,\n",
            "if (priceList != null) {",
            "{ priceList.find(it) }",
            "{ stock.in_(it) }",
            "{ myPluginServices.now() }",
        ],
    );
    assert!(!client.contains("stock != null") && !client.contains("objects.take(it)"));
}

#[test]
fn an_open_enum_has_a_variant_for_those_that_are_not_known() {
    let plain = json!({"name": "Kind", "enum": {"open": true, "variants": [{"name": "a"}]}});
    let data = json!({"name": "Data", "enum": {"open": true, "variants": [
        {"name": "None"}, {"name": "Some", "tuple": [{"ref": 0}]}]}});
    let mut description: Value =
        serde_json::from_str(&described("p", "", &["a"], json!([plain, data]))).unwrap();
    description["methods"][0]["entries"][0]["response"] = json!({"type": {"ref": 1}});
    let files = kotlin(&description.to_string(), None).unwrap();
    has(
        file(&files, "PMessages"),
        &["    UNKNOWN,\n", "public data object Unknown : Data"],
    );
    has(
        file(&files, "PCodec"),
        &[
            "if (value == Kind.UNKNOWN) {",
            "Kind.entries.get(input.openVariant(1, \"Kind\"))",
            "when (input.openVariant(2, \"Data\")) {",
            "else -> Data.Unknown",
            "is Data.Unknown ->",
            "throw UnfitException(\"Data: a variant that this client doesn't know can't be sent\")",
        ],
    );
}
