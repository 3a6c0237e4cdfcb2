//! What clients in Go are made of small descriptions. That they work is tested in Go, with the client of `plugins/types-plugin`.

use std::io::{ErrorKind, Write};
use std::process::{Command, Stdio};

use rustbridge_gen::{ClientSchema, File, Language, Options, generate};
use serde_json::{Value, json};

/// A plugin with a method that takes and gives the first of these types.
fn client_schema(types: &Value) -> ClientSchema {
    of_methods(
        types,
        &json!([{"name": "echo", "doc": "Gives it back.", "entries": [{"index": 0, "encoding": "wire",
            "request": {"type": {"ref": 0}}, "response": {"type": {"ref": 0}}}]}]),
    )
}

fn of_methods(types: &Value, methods: &Value) -> ClientSchema {
    let text = json!({"name": "small", "methods": methods, "types": types}).to_string();
    ClientSchema::read(text.as_bytes()).unwrap()
}

fn files(client_schema: &ClientSchema) -> Vec<File> {
    generate(client_schema, Language::Go, &Options::default()).unwrap()
}

/// All of a client, one file behind the other.
fn text(client_schema: &ClientSchema) -> String {
    files(client_schema)
        .iter()
        .map(|file| &*file.text)
        .collect()
}

fn refused(client_schema: &ClientSchema, namespace: Option<&str>) -> String {
    let options = Options {
        namespace: namespace.map(str::to_owned),
        ..Options::default()
    };
    generate(client_schema, Language::Go, &options)
        .unwrap_err()
        .to_string()
}

/// Every kind of type and of name there is, and prose that gofmt would lay out in another way.
fn odd() -> ClientSchema {
    let prose = "A list:\n- one\n- two\n\n1. three\n\n    set in\n\n# Heading\n```rust\n    let a = 1;\n```\n~~~\n- a\n~~~\n[link]: https://example.org\n* star";
    let fields = json!([
        {"name": "type", "type": {"ref": 1}, "doc": prose},
        {"name": "3d", "type": "u8"},
        {"name": "日本", "type": {"option": {"ref": 2}}},
        {"name": "a_longer_name", "type": {"option": "u8"}, "default": true},
        {"name": "list", "type": {"list": {"tuple": ["u8", {"list": "u16"}]}}, "default": true, "doc": "Some."},
        {"name": "arrays", "type": {"array": [{"array": [{"option": "string"}, 2]}, 3]}},
        {"name": "numbers", "type": {"list": {"array": ["u8", 4]}}},
        {"name": "gaps", "type": {"list": {"ref": 4}}},
        {"name": "pods", "type": {"list": {"ref": 5}}},
        {"name": "map", "type": {"map": [{"ref": 6}, {"map": ["char", {"option": {"ref": 2}}]}]}},
        {"name": "none", "type": {"list": {"option": "bytes"}}},
        {"name": "objects", "type": {"list": {"object": "Thing"}}},
        {"name": "one", "type": {"tuple": ["uuid"]}},
    ]);
    let types = json!([
        {"name": "Record", "doc": prose, "record": fields},
        {"name": "Wrapped", "newtype": {"option": {"list": {"ref": 0}}}},
        {"name": "Choice", "doc": prose, "enum": {"open": true, "variants": [
            {"name": "Empty", "tuple": []}, {"name": "Plain", "doc": prose}, {"name": "One", "tuple": [{"ref": 2}]},
            {"name": "Fields", "fields": [{"name": "value", "type": {"ref": 3}, "doc": "It."}, {"name": "o", "type": "any"}]}]}},
        {"name": "Named", "tuple": [{"ref": 2}, "duration"]},
        {"name": "Gaps", "pod": [{"name": "a", "type": "u8"}, {"name": "b", "type": "u64"}]},
        {"name": "Pod", "pod": [{"name": "a", "type": {"array": ["u128", 2]}}, {"name": "b", "type": "f64"}]},
        {"name": "Key", "newtype": "string"},
        {"name": "Taken", "record": [{"name": "ctx", "type": "u8", "doc": prose}, {"name": "type", "type": {"ref": 1}},
            {"name": "taken", "type": "bytes"}]},
        {"name": "Load", "enum": {"variants": [{"name": "a"}, {"name": "b", "doc": "B."}, {"name": "longer"}]}},
        {"name": "Hidden", "newtype": {"object": "Thing"}},
        {"name": "Enclosed", "newtype": {"ref": 2}},
        {"name": "Array", "newtype": {"array": ["string", 2]}},
    ]);
    let side = |ty: Value| json!({"type": ty});
    let method = |name: &str, entry: Value| {
        let mut entry = entry;
        entry["encoding"] = json!("wire");
        json!({"name": name, "doc": prose, "entries": [entry]})
    };
    let methods = json!([
        method(
            "echo",
            json!({"index": 0, "request": side(json!({"ref": 0})), "response": side(json!({"ref": 0}))})
        ),
        method(
            "plugin",
            json!({"index": 1, "arguments": true, "request": side(json!({"ref": 7})), "response": side(json!({"tuple": ["u8", {"ref": 9}]}))})
        ),
        method(
            "type",
            json!({"index": 2, "error": side(json!({"ref": 8})), "response": side(json!({"tuple": ["u8", "u8", "u8", "u8"]}))})
        ),
        method(
            "many",
            json!({"index": 3, "kind": "bidi_stream", "request": side(json!({"ref": 10})), "items": side(json!({"ref": 11})), "response": side(json!({"ref": 11}))})
        ),
        method(
            "Thing.close",
            json!({"index": 4, "kind": "client_stream", "receiver": "Thing", "items": side(json!("u8"))})
        ),
        method(
            "Thing.stream",
            json!({"index": 5, "kind": "server_stream", "receiver": "Thing", "response": side(json!({"list": {"ref": 8}}))})
        ),
    ]);
    let service = |name: &str, optional: bool, request: Value, response: Value| json!({"name": name, "encoding": "wire", "optional": optional, "request": side(request), "response": side(response)});
    let text = json!({"name": "odd-name", "description": prose, "methods": methods, "types": types, "services": [
        service("group.of", false, json!("string"), json!("unit")), service("group.type", true, json!("unit"), json!("unit")),
        service("bare", true, json!("unit"), json!({"ref": 10})), service("other.one", true, json!({"ref": 0}), json!("u8"))]});
    let mut text = text;
    // Services with objects are left out.
    text["services"][3]["request"] = json!({"type": {"ref": 5}});
    ClientSchema::read(text.to_string().as_bytes()).unwrap()
}

/// What gofmt makes of it; nothing where there is none.
fn formatted(text: &str) -> Option<String> {
    let gofmt = Command::new("gofmt")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let mut gofmt = match gofmt {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            assert!(std::env::var_os("CI").is_none(), "there is no gofmt");
            return None;
        }
        gofmt => gofmt.unwrap(),
    };
    let mut input = gofmt.stdin.take().unwrap();
    input.write_all(text.as_bytes()).unwrap();
    drop(input);
    let output = gofmt.wait_with_output().unwrap();
    assert!(output.status.success(), "gofmt doesn't take it:\n{text}");
    Some(String::from_utf8(output.stdout).unwrap())
}

#[test]
fn gofmt_has_nothing_to_change() {
    for file in files(&odd()).into_iter().chain(files(&callback())) {
        let Some(formatted) = formatted(&file.text) else {
            return;
        };
        for (ours, theirs) in file.text.lines().zip(formatted.lines()) {
            assert_eq!(ours, theirs, "in:\n{}", file.text);
        }
        assert_eq!(file.text, formatted);
    }
}

#[test]
fn it_is_a_package_of_three_files_and_always_the_same() {
    let types = json!([{"name": "Person", "doc": "Somebody.", "record": [
        {"name": "first_name", "type": "string", "doc": "What they're called."},
        {"name": "age", "type": {"option": "u32"}}]}]);
    let client_schema = client_schema(&types);
    let files = files(&client_schema);
    assert_eq!(files, self::files(&client_schema));
    let paths: Vec<&str> = files.iter().map(|file| &*file.path).collect();
    assert_eq!(
        paths,
        [
            "small/small.go",
            "small/small_types.go",
            "small/small_wire.go"
        ]
    );
    for file in &files {
        let first = file.text.lines().next().unwrap();
        assert!(
            first.starts_with("// Code generated by \"rustbridge gen -l go\" ")
                && first.ends_with(" DO NOT EDIT.")
        );
    }
    assert!(files[1].text.contains(
        "// Somebody.\ntype Person struct {\n\t// What they're called.\n\tFirstName string  `json:\"first_name\"`\n\tAge       *uint32 `json:\"age,omitempty\"`\n}\n"
    ));
    assert!(files[0].text.contains(
        "// Gives it back.\nfunc (c *Small) Echo(ctx context.Context, request Person) (Person, error) {\n\treturn c.echo.Call(ctx, request)\n}\n"
    ));
    assert!(!files[1].text.contains("import"), "{}", files[1].text);
}

#[test]
fn nil_is_absent_where_a_type_has_it_and_a_pointer_is_elsewhere() {
    let types = json!([{"name": "A", "record": [
        {"name": "bytes", "type": {"option": "bytes"}}, {"name": "choice", "type": {"option": {"ref": 1}}},
        {"name": "any", "type": {"option": "any"}}, {"name": "plain", "type": {"option": {"ref": 2}}},
        {"name": "both", "type": {"option": "u8"}, "default": true}, {"name": "list", "type": {"list": "u8"}, "default": true}]},
        {"name": "B", "enum": {"variants": [{"name": "C", "tuple": ["u8"]}]}},
        {"name": "P", "enum": {"variants": [{"name": "C"}]}}]);
    let text = text(&client_schema(&types));
    for expected in [
        "Bytes  []byte `json:\"bytes,omitempty\"`\n",
        "Choice B      `json:\"choice,omitempty\"`\n",
        "Any    *any   `json:\"any,omitempty\"`\n",
        "Plain  *P     `json:\"plain,omitempty\"`\n",
        "Both **uint8 `json:\"both,omitempty\"`\n",
        "List []uint8 `json:\"list,omitempty\"`\n",
    ] {
        assert!(text.contains(expected), "{expected}{text}");
    }
}

#[test]
fn names_that_become_one_are_refused() {
    let fields = json!([{"name": "A", "record": [{"name": "a_b", "type": "u8"}, {"name": "aB", "type": "u8"}]}]);
    assert!(refused(&client_schema(&fields), None).contains("`a_b` and `aB` are both `AB`"));
    let variants = json!([{"name": "A", "enum": {"variants": [{"name": "b"}]}}, {"name": "a_b", "newtype": "string"}]);
    // A name that is joined gives way to one that isn't.
    let written = text(&client_schema(&variants));
    assert!(written.contains("AB2"), "{written}");
    let client = json!([{"name": "Small", "record": [{"name": "b", "type": "string"}]}]);
    assert!(refused(&client_schema(&client), None).contains("both `Small`"));
    let unknown = json!([{"name": "A", "enum": {"open": true, "variants": [{"name": "Unknown"}]}}]);
    let written = text(&client_schema(&unknown));
    assert!(written.contains("AUnknown2"), "{written}");
    let long = json!([{"name": "A", "newtype": {"tuple": vec!["u8"; 13]}}]);
    assert!(refused(&client_schema(&long), None).contains("a tuple of 13 values is too long"));
}

#[test]
fn a_package_is_one_and_the_last_part_of_its_folder() {
    let client_schema = client_schema(&json!([{"name": "A", "newtype": "string"}]));
    for wrong in [
        "", "a/", "/a", "../a", "type", "main", "a-b", "1a", "a_test", "internal", "a b", "wire",
        "string",
    ] {
        assert!(
            refused(&client_schema, Some(wrong)).contains("package"),
            "{wrong}"
        );
    }
    let options = Options {
        namespace: Some("internal/my-clients/small".to_owned()),
        ..Options::default()
    };
    let files = generate(&client_schema, Language::Go, &options).unwrap();
    assert_eq!(files[0].path, "internal/my-clients/small/small.go");
    assert!(
        files
            .iter()
            .all(|file| file.text.contains("\npackage small\n"))
    );
    for (plugin, package) in [
        ("my-plugin", "myplugin"),
        ("type", "typeclient"),
        ("main", "mainclient"),
        ("3d", "dclient"),
        ("wire", "wireclient"),
    ] {
        let text = json!({"name": plugin}).to_string();
        let client_schema = ClientSchema::read(text.as_bytes()).unwrap();
        let files = generate(&client_schema, Language::Go, &Options::default()).unwrap();
        assert!(
            files[0].text.contains(&format!("\npackage {package}\n")),
            "{}",
            files[0].text
        );
    }
}

#[test]
fn names_that_are_no_names_in_go_are_made_such() {
    let text = text(&odd());
    for expected in [
        "\tX_3d uint8",
        "\tX日本  Choice",
        "func (c *OddName) Plugin_(ctx context.Context, ctx_ uint8, type_ Wrapped, taken_ []byte) (uint8, Hidden, error) {",
        "v, err := c.plugin_.Call(ctx, taken{ctx_, type_, taken_})",
        "func (c *Thing) Close_(ctx context.Context, items iter.Seq2[uint8, error]) error {",
        "type Load_ uint16\n",
        "type LoadFailure = typed.Failure[Load_]\n",
        "if err := typed.CheckServices(\"group\", services.Group); err != nil {\n",
        "typed.Serve(served, \"group.type\", (*wire.Reader).Unit, (*wire.Writer).Unit, typed.Neither(services.Group.Type))\n",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
}

#[test]
fn what_is_taken_is_called_as_no_function_that_writes() {
    let pair = json!([{"name": "a", "type": "u8"}, {"name": "b", "type": "string"}]);
    let types = json!([{"name": "FooParameters", "record": pair}, {"name": "WriteFooParameters", "record": pair}]);
    let method = |name: &str, request: u32| {
        json!({"name": name, "entries": [{"index": request, "encoding": "wire", "arguments": true,
            "request": {"type": {"ref": request}}}]})
    };
    let text = text(&of_methods(
        &types,
        &json!([method("foo", 0), method("write_foo", 1)]),
    ));
    for expected in [
        "type fooParameters struct {",
        "type writeFooParameters_ struct {",
        "func writeFooParameters(w *wire.Writer, v fooParameters) {",
        "func writeWriteFooParameters_(w *wire.Writer, v writeFooParameters_) {",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
}

/// A callback of one function, with names that the language has, and a method that accepts and returns it.
fn callback() -> ClientSchema {
    let object = json!({"object": "notify"});
    let entry = |index: u32, request: Value, response: Value, more: Value| {
        let mut entry = json!({"index": index, "encoding": "wire",
            "request": {"type": request}, "response": {"type": response}});
        for (name, value) in more.as_object().unwrap() {
            entry[name] = value.clone();
        }
        json!([entry])
    };
    let of_object = json!({"receiver": "notify"});
    let several = json!({"receiver": "notify", "arguments": true});
    let service = |name: &str, request: Value, response: Value, arguments: bool| {
        json!({"name": name, "encoding": "wire", "optional": true, "receiver": "notify", "arguments": arguments,
            "request": {"type": request}, "response": {"type": response}})
    };
    let parameters = json!([{"name": "ctx", "type": "u32"}, {"name": "event", "type": "string"}]);
    let mut called = json!([{"name": "object", "type": "u64"}]);
    called
        .as_array_mut()
        .unwrap()
        .extend(parameters.as_array().unwrap().clone());
    let text = json!({"name": "small",
        "methods": [
            {"name": "pass", "entries": entry(0, object.clone(), json!({"option": object}), json!({"parameter": "target"}))},
            {"name": "notify.close", "entries": entry(1, json!({"ref": 0}), json!({"tuple": ["u8", "bool"]}), several)},
            {"name": "notify:number", "entries": entry(2, json!("unit"), json!("u64"), of_object)},
            {"name": "notify:new", "entries": entry(3, json!("u64"), object, json!({"parameter": "object"}))},
        ],
        "services": [
            service("notify.close", json!({"ref": 1}), json!({"tuple": ["u8", "bool"]}), true),
            service("notify:release", json!("u64"), json!("unit"), false),
        ],
        "types": [{"name": "CloseParameters", "record": parameters}, {"name": "CloseRequest", "record": called}]});
    ClientSchema::read(text.to_string().as_bytes()).unwrap()
}

#[test]
fn a_callback_is_an_interface_and_a_function() {
    let text = text(&callback());
    for part in [
        "type Notify interface {\n\t// Close_ is `notify.close`.\n\tClose_(ctx context.Context, ctx_ uint32, event string) (wire.Tuple2[uint8, bool], error)\n}\n",
        "type NotifyFunc func(ctx context.Context, ctx_ uint32, event string) (wire.Tuple2[uint8, bool], error)\n",
        "func (c *NotifyObject) Close_(ctx context.Context, ctx_ uint32, event string) (wire.Tuple2[uint8, bool], error) {\n",
        "func (c *Small) Pass(ctx context.Context, target Notify) (Notify, error) {\n",
        "func optionsWith(options *rustbridge.Options) (*rustbridge.Options, *hostObjects, error) {\n",
        "typed.ServeRelease(served, \"notify:release\", hosts.ofNotify)\n",
        "\t\treturn host.Close_(ctx, v.Ctx, v.Event)\n",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}
