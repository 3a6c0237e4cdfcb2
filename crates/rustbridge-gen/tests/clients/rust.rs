//! What clients in Rust are made of small descriptions. That they work is tested in `rustbridge-host`, with the client of `plugins/types-plugin`.

use rustbridge_gen::{ClientSchema, File, Language, Options, generate};
use serde_json::{Value, json};

/// A plugin with a method that takes and gives the first of these types.
fn client_schema(types: &Value) -> ClientSchema {
    method(types, &json!({"name": "echo", "doc": "Gives it back."}))
}

fn method(types: &Value, method: &Value) -> ClientSchema {
    let mut method = method.clone();
    let is_async = method["async"].as_bool().unwrap_or_default();
    method["entries"] = json!([{"index": 0, "encoding": "wire", "async": is_async,
        "request": {"type": {"ref": 0}}, "response": {"type": {"ref": 0}}}]);
    read(&json!({"name": "small", "methods": [method], "types": types}))
}

fn read(description: &Value) -> ClientSchema {
    ClientSchema::read(description.to_string().as_bytes()).unwrap()
}

fn files(client_schema: &ClientSchema) -> Vec<File> {
    generate(client_schema, Language::Rust, &Options::default()).unwrap()
}

fn text(client_schema: &ClientSchema) -> String {
    let files = files(client_schema);
    assert_eq!(files.len(), 1);
    files.into_iter().next().unwrap().text
}

fn refused(client_schema: &ClientSchema, namespace: Option<&str>) -> String {
    let options = Options {
        namespace: namespace.map(str::to_owned),
        ..Options::default()
    };
    generate(client_schema, Language::Rust, &options)
        .unwrap_err()
        .to_string()
}

/// What rustfmt makes of it.
#[cfg(not(windows))]
fn formatted(text: &str) -> String {
    use std::io::Write;
    use std::process::{Command, Stdio};

    let mut rustfmt = Command::new("rustfmt")
        .args(["--edition", "2024"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("rustfmt, which is a part of the toolchain");
    let mut input = rustfmt.stdin.take().unwrap();
    input.write_all(text.as_bytes()).unwrap();
    drop(input);
    let output = rustfmt.wait_with_output().unwrap();
    assert!(output.status.success(), "rustfmt doesn't take it:\n{text}");
    String::from_utf8(output.stdout).unwrap()
}

/// Methods and types whose names are of all lengths, so that each line is broken somewhere.
#[cfg(not(windows))]
fn of_every_length() -> Vec<ClientSchema> {
    let mut all = Vec::new();
    for length in 1..44 {
        let long = |first: char| format!("{first}{}", "x".repeat(length));
        let half = |first: char| format!("{first}{}", "x".repeat(length / 2));
        let entry = |index: usize, kind: &str, request: Value, response: Value| {
            json!({"index": index, "encoding": "wire", "kind": kind, "async": index.is_multiple_of(2), "arguments": true,
                "request": {"type": request}, "response": {"type": response}})
        };
        let with_items = |mut entry: Value| {
            entry["items"] = json!({"type": {"ref": 0}});
            entry
        };
        let entries = [
            entry(0, "unary", json!({"ref": 1}), json!({"ref": 0})),
            entry(1, "unary", json!({"ref": 0}), json!({"ref": 0})),
            entry(
                2,
                "unary",
                json!("unit"),
                json!({"tuple": ["u8", {"ref": 0}, {"list": {"ref": 0}}]}),
            ),
            entry(3, "server_stream", json!({"ref": 0}), json!({"ref": 0})),
            with_items(entry(
                4,
                "client_stream",
                json!({"ref": 3}),
                json!({"map": ["string", {"ref": 0}]}),
            )),
            with_items(entry(5, "bidi_stream", json!("unit"), json!({"ref": 0}))),
            entry(6, "unary", json!({"object": "O"}), json!({"object": "O"})),
        ];
        let methods: Vec<Value> = entries
            .into_iter()
            .enumerate()
            .map(|(position, entry)| {
                let name = format!(
                    "{}{position}",
                    if position.is_multiple_of(2) {
                        long('m')
                    } else {
                        half('m')
                    }
                );
                json!({"name": name, "doc": "Does it.", "entries": [entry]})
            })
            .collect();
        let field = |name: String, ty: Value| json!({"name": name, "type": ty});
        let several = |count: usize| -> Vec<Value> {
            (0..count)
                .map(|place| field(format!("{}{place}", half('f')), json!({"ref": 0})))
                .collect()
        };
        let types = json!([
            {"name": long('R'), "doc": "Some.", "record": [
                field(long('f'), json!({"map": ["string", {"option": {"list": {"list": "f64"}}}]})),
                field("s".to_owned(), json!({"list": {"tuple": [{"ref": 4}, {"ref": 5}]}})),
                field("t".to_owned(), json!({"tuple": ["string", {"list": "u128"}, {"option": "bool"}, {"array": ["u8", length]}, {"ref": 2}]})),
            ]},
            {"name": "Several", "record": several(3)},
            {"name": "E", "enum": {"open": length % 4 == 1, "variants": [
                {"name": long('V'), "fields": [field(half('f'), json!("u8"))]},
                {"name": "Pair", "fields": [field("a".to_owned(), json!("u8")), field(half('b'), json!({"ref": 2}))]},
                {"name": "Tuple", "tuple": [{"ref": 2}, {"list": {"ref": 0}}, "string"]},
                {"name": "Unit"},
            ]}},
            {"name": "Two", "record": several(2)},
            {"name": "Tuple", "tuple": [{"ref": 0}, {"list": {"ref": 4}}, "u8"]},
            {"name": "Newtype", "newtype": {"map": ["string", {"option": {"ref": 0}}]}},
        ]);
        let service = |name: String, request: Value| json!({"name": name, "encoding": "wire", "optional": length % 4 == 1, "request": {"type": request}, "response": {"type": {"ref": 0}}});
        let services = json!([
            service(format!("group.{}", long('s')), json!("unit")),
            service(long('t'), json!({"ref": 0})),
            service(format!("{}.get", long('g')), json!({"ref": 0})),
            service(format!("{}.got", long('g')), json!("unit")),
        ]);
        all.push(read(
            &json!({"name": half('p'), "methods": methods, "types": types, "services": services}),
        ));
    }
    all
}

#[test]
#[cfg(not(windows))]
fn rustfmt_has_nothing_to_change() {
    for client_schema in of_every_length() {
        let text = text(&client_schema);
        let formatted = formatted(&text);
        for (ours, theirs) in text.lines().zip(formatted.lines()) {
            assert_eq!(ours, theirs, "in:\n{text}");
        }
        assert_eq!(text, formatted);
    }
}

#[test]
fn it_is_a_module_in_one_file_and_always_the_same() {
    let types = json!([{"name": "Person", "doc": "Somebody.", "record": [
        {"name": "first_name", "type": "string", "doc": "What they're called."},
        {"name": "age", "type": {"option": "u32"}}]}]);
    let client_schema = client_schema(&types);
    let files = files(&client_schema);
    assert_eq!(files, self::files(&client_schema));
    assert_eq!(files[0].path, "small.rs");
    let text = &files[0].text;
    assert!(text.starts_with(
        "// Generated by `rustbridge gen -l rust` from the plugin `small`; do not edit.\n"
    ));
    assert!(text.contains(
        "/// Somebody.\n#[derive(Clone, Debug, PartialEq, typed::Wire)]\npub struct Person {\n    /// What they're called.\n    pub first_name: String,\n    pub age: Option<u32>,\n}\n"
    ));
    assert!(text.contains("    pub fn echo(&self, request: &Person) -> Result<Person, Error> {\n        self.0.call(&self.0.methods.echo, request)\n    }\n"));
    assert!(!text.contains("unsafe") && !text.contains("\n\n\n") && !text.contains(" \n"));
}

#[test]
fn names_that_are_keywords_are_escaped_and_others_kept_for_the_wire() {
    let types = json!([{"name": "Option", "record": [
        {"name": "type", "type": "u8"}, {"name": "self", "type": "u8"}, {"name": "3d", "type": "u8"}, {"name": "aB", "type": "u8"}]}]);
    let text = text(&method(&types, &json!({"name": "fn"})));
    assert!(
        text.contains(
            "#[wire(rename = \"Option\")]\npub struct Option_ {\n    pub r#type: u8,\n    #[wire(rename = \"self\")]\n    pub self_: u8,\n    #[wire(rename = \"3d\")]\n    pub _3d: u8,\n    #[wire(rename = \"aB\")]\n    pub a_b: u8,\n}\n"
        ),
        "{text}"
    );
    assert!(text.contains("pub fn r#fn(&self, request: &Option_) -> Result<Option_, Error> {"));
    assert!(text.contains("            r#fn: method(\"fn\", "));
    let load = method(&types, &json!({"name": "load"}));
    assert!(self::text(&load).contains("pub fn load_(&self, "));
}

#[test]
fn names_that_become_one_are_refused() {
    let fields = json!([{"name": "A", "record": [{"name": "a_b", "type": "u8"}, {"name": "aB", "type": "u8"}]}]);
    assert!(refused(&client_schema(&fields), None).contains("`a_b` and `aB` are both `a_b`"));
    let types = json!([{"name": "A", "record": [{"name": "b", "type": {"ref": 1}}]}, {"name": "a", "newtype": "string"}]);
    assert!(refused(&client_schema(&types), None).contains("both `A`"));
    let client = json!([{"name": "Small", "record": [{"name": "b", "type": "string"}]}]);
    assert!(refused(&client_schema(&client), None).contains("both `Small`"));
    let variants = json!([{"name": "E", "enum": {"variants": [{"name": "a-b", "tuple": ["u8"]}, {"name": "a_b"}]}}]);
    assert!(refused(&client_schema(&variants), None).contains("both `AB`"));
}

#[test]
fn a_namespace_is_a_module() {
    let client_schema = client_schema(&json!([{"name": "A", "newtype": "string"}]));
    for wrong in [
        "", "a::", "::a", "a::fn", "a b", "1a", "A", "a/b", "..", "self",
    ] {
        assert!(
            refused(&client_schema, Some(wrong)).contains("module"),
            "{wrong}"
        );
    }
    let options = Options {
        namespace: Some("clients::small_1".to_owned()),
        ..Options::default()
    };
    let files = generate(&client_schema, Language::Rust, &options).unwrap();
    assert_eq!(files[0].path, "clients/small_1.rs");
}

#[test]
fn prose_stays_in_its_comment_and_its_examples_are_no_tests() {
    let types = json!([{"name": "A", "newtype": "string",
        "doc": "One.\r\nTwo\u{2028}pub fn\n\n```\nlet a = 1;\n```\n```json\n{}\n```\n~~~rust,no_run\n~~~"}]);
    let text = text(&client_schema(&types));
    assert!(
        text.contains(
            "/// One.\n/// Two pub fn\n///\n/// ```text\n/// let a = 1;\n/// ```\n/// ```json\n/// {}\n/// ```\n/// ~~~text\n/// ~~~\n#[derive("
        ),
        "{text}"
    );
}

#[test]
fn what_has_itself_inside_is_behind_a_pointer() {
    let types = json!([
        {"name": "A", "record": [{"name": "b", "type": {"option": {"ref": 1}}}, {"name": "c", "type": {"ref": 2}}, {"name": "all", "type": {"list": {"ref": 0}}}]},
        {"name": "B", "newtype": {"tuple": ["u8", {"option": {"ref": 0}}]}},
        {"name": "C", "record": [{"name": "all", "type": {"map": ["string", {"ref": 0}]}}]}]);
    let text = text(&client_schema(&types));
    assert!(
        text.contains("    pub b: Option<Box<B>>,\n    pub c: C,\n    pub all: Vec<A>,\n"),
        "{text}"
    );
    assert!(text.contains("pub struct B(pub (u8, Option<Box<A>>));\n"));
    assert!(text.contains("    pub all: HashMap<String, A>,\n"));
}

#[test]
fn an_open_enum_has_a_variant_for_what_the_client_does_not_know() {
    let types = json!([{"name": "E", "enum": {"open": true, "variants": [{"name": "A"}, {"name": "Unknown"}]}}]);
    let text = text(&client_schema(&types));
    assert!(
        text.contains("    A,\n    #[wire(rename = \"Unknown\")]\n    Unknown_,\n"),
        "{text}"
    );
    assert!(text.contains("    #[wire(unknown)]\n    Unknown,\n}\n"));
}

#[test]
fn plain_old_data_with_gaps_is_refused() {
    let fields = |first: &str| json!([{"name": "P", "pod": [{"name": "a", "type": first}, {"name": "b", "type": "u64"}]}]);
    assert!(
        text(&client_schema(&fields("f64"))).contains("#[wire(pod)]\n#[repr(C)]\npub struct P {")
    );
    assert!(refused(&client_schema(&fields("u32")), None).contains("gaps"));
}

#[test]
fn asynchronous_handlers_have_a_method_that_is_awaited() {
    let types = json!([{"name": "A", "newtype": "string"}]);
    let text = text(&method(&types, &json!({"name": "math.add", "async": true})));
    assert!(text.contains("    pub fn math_add(&self, request: &A) -> Result<A, Error> {\n"));
    assert!(text.contains(
        "    pub async fn math_add_async(&self, request: &A) -> Result<A, Error> {\n        self.0.call_async(&self.0.methods.math_add, request).await\n    }\n"
    ));
}

#[test]
fn services_are_traits_of_their_groups() {
    let service = |name: &str, optional: bool| {
        json!({"name": name, "encoding": "wire", "optional": optional,
            "request": {"type": "string"}, "response": {"type": "unit"}})
    };
    let services = json!([
        service("price_list.get", true),
        service("price_list.got", false),
        service("tell", true)
    ]);
    let client_schema = read(&json!({"name": "small", "services": services}));
    let text = text(&client_schema);
    assert!(text.contains("pub trait PriceList: Send + Sync + 'static {"));
    assert!(text.contains("    fn get(&self, request: String) -> Result<(), Error>;\n"));
    // One of its services is needed.
    assert!(
        text.contains("    pub price_list: Arc<dyn PriceList>,\n"),
        "{text}"
    );
    assert!(text.contains("    pub small_services: Option<Arc<dyn SmallServices>>,\n"));
}
