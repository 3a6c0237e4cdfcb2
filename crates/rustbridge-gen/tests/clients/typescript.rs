//! What clients in TypeScript are made of small descriptions. That they work is tested in Node, with the client of `plugins/types-plugin`.

use rustbridge_gen::{Contract, File, Int64, Language, Options, generate};
use serde_json::{Value, json};

/// A plugin with a method that takes and gives the first of these types.
fn contract(types: &Value) -> Contract {
    of_methods(
        types,
        &json!([{"name": "echo", "doc": "Gives it back.", "entries": [{"index": 0, "encoding": "wire",
            "request": {"type": {"ref": 0}}, "response": {"type": {"ref": 0}}}]}]),
        &json!([]),
    )
}

fn of_methods(types: &Value, methods: &Value, services: &Value) -> Contract {
    let text = json!({"name": "small", "methods": methods, "types": types, "services": services});
    Contract::read(text.to_string().as_bytes()).unwrap()
}

fn files(contract: &Contract) -> Vec<File> {
    generate(contract, Language::TypeScript, &Options::default()).unwrap()
}

fn text(contract: &Contract) -> String {
    files(contract).remove(0).text
}

fn refused(contract: &Contract, namespace: Option<&str>) -> String {
    let options = Options {
        namespace: namespace.map(str::to_owned),
        ..Options::default()
    };
    generate(contract, Language::TypeScript, &options)
        .unwrap_err()
        .to_string()
}

#[test]
fn it_is_a_module_in_one_file_and_always_the_same() {
    let types = json!([{"name": "Person", "doc": "Somebody.", "record": [
        {"name": "first_name", "type": "string", "doc": "What they're called."},
        {"name": "age", "type": {"option": "u32"}}]}]);
    let contract = contract(&types);
    assert_eq!(files(&contract), files(&contract));
    assert_eq!(files(&contract)[0].path, "small.ts");
    let text = text(&contract);
    assert!(text.starts_with("// Written by `rustbridge gen -l typescript` of the plugin `small`: write it anew by that, not by hand.\n\nimport * as wire from \"rustbridge/typed\";\n"));
    for expected in [
        "/** Somebody. */\nexport interface Person {\n  /** What they're called. */\n  firstName: string;\n  age?: number | undefined;\n}\n",
        "  echo(request: Person, options?: wire.CallOptions): Promise<Person> {\n    return this.#methods.echo.call(request, options);\n  }\n",
        "  echoSync(request: Person, options?: wire.CallOptions): Person {\n",
        "  write(w, v) {\n    w.check(v);\n    w.enter();\n    w.text(v.firstName);\n    optionOfU32.write(w, v.age);\n    w.leave();\n  },\n",
        "\nconst optionOfU32 = wire.option(wire.u32);\n",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
    assert!(text.ends_with(";\n") && !text.contains("\n\n\n") && !text.contains(" \n"));
}

#[test]
fn enums_are_unions_that_a_property_or_a_text_tells_apart() {
    let types = json!([{"name": "Shape", "enum": {"open": true, "variants": [
            {"name": "none", "doc": "No shape."}, {"name": "Circle", "fields": [{"name": "kind", "type": {"ref": 1}}]},
            {"name": "one", "tuple": ["u8"]}, {"name": "two", "tuple": ["u8", "string"]}]}},
        {"name": "Color", "doc": "A colour.", "enum": {"open": true, "variants": [{"name": "dark_blue", "doc": "Nearly\nblack."}]}}]);
    let text = text(&contract(&types));
    for expected in [
        "export type Shape =\n  ShapeNone | ShapeCircle | ShapeOne | ShapeTwo | ShapeUnknown;\n",
        "/** No shape. */\nexport interface ShapeNone {\n  kind: \"none\";\n}\n",
        "export interface ShapeCircle {\n  kind: \"Circle\";\n  kind_: Color;\n}\n",
        "  kind: \"one\";\n  value: number;\n",
        "  kind: \"two\";\n  value: [number, string];\n",
        "/**\n * A colour.\n *\n * - `dark_blue`: Nearly\n *   black.\n * - `unknown`: One that",
        "export type Color = \"dark_blue\" | \"unknown\";\n",
        "wire.names<Color>([\"dark_blue\"], \"unknown\");\n",
        "switch (r.variant(4, true)) {",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
    let unknown = json!([{"name": "A", "enum": {"open": true, "variants": [{"name": "unknown"}]}}]);
    assert!(refused(&contract(&unknown), None).contains("what stands for the variants"));
}

#[test]
fn what_is_absent_is_told_from_what_is_nothing() {
    let types = json!([{"name": "A", "record": [
        {"name": "both", "type": {"option": "u8"}, "default": true}, {"name": "default", "type": "u8", "default": true},
        {"name": "any", "type": {"option": "any"}}, {"name": "unit", "type": {"option": "unit"}},
        {"name": "wrapped", "type": {"option": {"ref": 1}}}, {"name": "items", "type": {"list": {"option": "u8"}}},
        {"name": "lists", "type": {"list": {"list": {"option": "u8"}}}}]},
        {"name": "W", "newtype": {"option": "string"}}]);
    let text = text(&contract(&types));
    for expected in [
        "  both?: number | null | undefined;\n",
        "  default?: number | undefined;\n",
        "  any?: wire.Dynamic | undefined;\n",
        "  unit: undefined | null;\n",
        "  wrapped: W | null;\n",
        "  items: (number | undefined)[];\n",
        "  lists: (number | undefined)[][];\n",
        " = wire.optional(wire.nullable(wire.u8));\n",
        " = wire.optional(wire.any);\n",
        " = wire.nullable(wire.unit);\n",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
}

#[test]
fn parameters_and_services_have_the_names_that_they_may_have() {
    let types = json!([{"name": "P", "record": [{"name": "class", "type": "u8"}, {"name": "options", "type": {"option": "string"}},
        {"name": "last", "type": {"option": "u8"}}]}]);
    let methods = json!([{"name": "then", "entries": [{"index": 0, "encoding": "wire", "arguments": true, "request": {"type": {"ref": 0}}}]},
        {"name": "constructor", "entries": [{"index": 1, "encoding": "wire", "async": true}]}]);
    let service = |name: &str, optional: bool, request: &str, response: &str| json!({"name": name, "encoding": "wire", "optional": optional, "request": {"type": request}, "response": {"type": response}});
    let services = json!([
        service("clock.now", false, "unit", "timestamp"),
        service("audit.tell", true, "string", "unit"),
        service("all.tell", true, "string", "string")
    ]);
    let text = text(&of_methods(&types, &methods, &services));
    for expected in [
        "  then_(\n    class_: number,\n    options_?: string | undefined,\n    last?: number | undefined,\n    options?: wire.CallOptions,\n  ): Promise<undefined> {\n",
        "{ class: class_, options: options_, last },",
        "  constructor_(options?: wire.CallOptions): Promise<undefined> {\n    return this.#methods.constructor_.call(undefined, options);\n",
        "options: wire.LoadOptions & { host: Services },",
        "  clock: Clock;\n  audit?: Audit | undefined;\n",
        "throw new TypeError(\"the plugin needs the services `clock`\");",
        "  tell(request: string, call: wire.ServiceCall): void | PromiseLike<void>;\n",
        "wire.nothing(audit.tell(request, call))",
        "const all_ = host?.all_;\n",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
}

#[test]
fn names_that_become_one_are_refused_and_modules_are_files() {
    let fields = json!([{"name": "A", "record": [{"name": "a_b", "type": "u8"}, {"name": "aB", "type": "u8"}]}]);
    assert!(refused(&contract(&fields), None).contains("`a_b` and `aB` are both `aB`"));
    let client = json!([{"name": "Small", "record": []}]);
    assert!(refused(&contract(&client), None).contains("both `Small`"));
    let contract = contract(&json!([{"name": "A", "newtype": "string"}]));
    for wrong in ["", "/a", "a/", "../a", "a b", "a//b"] {
        assert!(
            refused(&contract, Some(wrong)).contains("module"),
            "{wrong}"
        );
    }
    let options = Options {
        namespace: Some("clients/small-plugin".to_owned()),
        ..Options::default()
    };
    let files = generate(&contract, Language::TypeScript, &options).unwrap();
    assert_eq!(files[0].path, "clients/small-plugin.ts");
}

#[test]
fn integers_and_the_tag_are_as_the_options_say() {
    let contract = Contract::read(
        br#"{"name":"p","methods":[{"name":"m","entries":[{"index":0,"encoding":"wire","request":{"type":{"ref":0}},"response":{"type":{"list":"u64"}}}]}],
            "types":[{"name":"Sign","enum":{"variants":[{"name":"Up","fields":[{"name":"kind","type":"i64"}]},{"name":"Down"}]}}]}"#,
    )
    .unwrap();
    let written = |int64, tag: &str| {
        let options = Options {
            int64,
            tag: Some(tag.to_owned()),
            ..Options::default()
        };
        generate(&contract, Language::TypeScript, &options).map(|files| files[0].text.clone())
    };
    let text = written(Int64::Number, "type").unwrap();
    for part in [
        "type: \"Up\";\n  kind: number;",
        "switch (v.type) {",
        "return { type: \"Down\" };",
        "Promise<number[]>",
        "wire.i64AsNumber.write(w, v.kind);",
        "kind: wire.i64AsNumber.read(r),",
        "wire.aligned(wire.u64AsNumber)",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let text = written(Int64::Text, "kind").unwrap();
    assert!(text.contains("kind_: string;"), "{text}");
    let text = written(Int64::BigInt, "kind").unwrap();
    assert!(text.contains("Promise<BigUint64Array>"), "{text}");
    for wrong in ["", "value", "a-b", "1a"] {
        let error = written(Int64::BigInt, wrong).unwrap_err().to_string();
        assert!(error.contains("tells variants apart"), "{error}");
    }
}
