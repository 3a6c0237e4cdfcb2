//! What is written in Python, from descriptions that are awkward.

use rustbridge_gen::{ClientSchema, Error, Language, Options, generate};
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

fn python(description: &str) -> Result<String, Error> {
    let client_schema = ClientSchema::read(description.as_bytes())?;
    let files = generate(&client_schema, Language::Python, &Options::default())?;
    assert_eq!(files.len(), 1);
    Ok(files[0].text.clone())
}

fn point() -> Value {
    json!([{"name": "Point", "record": [{"name": "x", "type": "f64"}]}])
}

#[test]
fn the_same_description_gives_the_same_text_in_a_file_of_the_plugins_name() {
    let description = described("my-plugin", "", &["a.b", "c"], point());
    let client_schema = ClientSchema::read(description.as_bytes()).unwrap();
    let write = |namespace: Option<&str>| {
        let namespace = namespace.map(str::to_owned);
        generate(
            &client_schema,
            Language::Python,
            &Options {
                namespace,
                ..Options::default()
            },
        )
    };
    let files = write(None).unwrap();
    assert_eq!(files[0].path, "my_plugin.py");
    assert_eq!(write(None).unwrap(), files);
    assert!(files[0].text.contains("class MyPlugin(typed.Client):"));
    assert!(files[0].text.contains(
        "def a_b(self, request: Point, *, options: rustbridge.CallOptions | None = None) -> Point:"
    ));
    let elsewhere = write(Some("clients.mine")).unwrap();
    assert_eq!(elsewhere[0].path, "clients/mine.py");
    for hides in ["calendar", "queue", "compression"] {
        let error = write(Some(hides)).unwrap_err().to_string();
        assert!(error.contains("standard library"), "{hides}: {error}");
        assert!(write(Some(&format!("clients.{hides}"))).is_ok());
    }
    for wrong in ["", ".", "a..b", "My", "class", "a/b", "../a", "a b"] {
        let error = write(Some(wrong)).unwrap_err().to_string();
        assert!(
            error.contains("can't be the name of a module"),
            "{wrong}: {error}"
        );
    }
}

#[test]
fn names_that_the_language_has_are_avoided() {
    let types = json!([{"name": "Any", "record": [
        {"name": "class", "type": "u8"}, {"name": "list", "type": {"list": "u16"}}, {"name": "firstName", "type": "string"}]}]);
    let text = python(&described("p", "", &["import", "close", "plugin"], types)).unwrap();
    for expected in [
        "class Any_:",
        "class_: int",
        "list_: list[int]",
        "first_name: str",
        "def import_(self, request: Any_, ",
        "def close_(self",
        "def plugin_(self",
    ] {
        assert!(text.contains(expected), "{expected}:\n{text}");
    }
}

#[test]
fn a_type_of_the_plugins_does_not_hide_the_one_of_decimal_numbers() {
    let types = json!([{"name": "Decimal", "record": [{"name": "value", "type": "decimal"}]}]);
    let text = python(&described("p", "", &["a"], types)).unwrap();
    for expected in [
        "from decimal import Decimal",
        "class Decimal_:",
        "value: Decimal\n",
    ] {
        assert!(text.contains(expected), "{expected}:\n{text}");
    }
}

#[test]
fn names_that_become_one_are_refused() {
    let record = |fields: Value| json!([{"name": "A", "record": fields}]);
    let fields =
        record(json!([{"name": "firstName", "type": "u8"}, {"name": "first_name", "type": "u8"}]));
    let types =
        json!([{"name": "FirstName", "newtype": "u8"}, {"name": "first_name", "newtype": "u8"}]);
    let object = json!({"name": "p", "methods": [
        {"name": "get", "entries": [{"index": 0, "encoding": "wire", "response": {"type": {"object": "P"}}}]}]});
    for description in [
        described("p", "", &["a"], fields),
        described("p", "", &["a"], types),
        described("p", "", &["a.b", "a_b"], point()),
        // The client, and a type or an object.
        described("point", "", &["a"], point()),
        object.to_string(),
    ] {
        let error = python(&description).unwrap_err().to_string();
        assert!(error.contains("are both `"), "{description}: {error}");
    }
}

#[test]
fn prose_stays_prose() {
    let doc = "Ends \"\"\" here, and \\ there.\n# no comment, but \"";
    let text = python(&described("p", doc, &["a"], point())).unwrap();
    assert!(
        text.contains("\"\"\"Ends \\\"\\\"\\\" here, and \\\\ there."),
        "{text}"
    );
    assert!(text.contains("# no comment, but \\\"\n"), "{text}");
}

#[test]
fn what_has_no_types_is_named_and_objects_are_classes() {
    let thing = json!({"type": {"object": "Thing"}});
    let description = json!({"name": "p", "methods": [
        {"name": "plain", "entries": [{"index": 0, "encoding": "json"}]},
        {"name": "all", "entries": [{"index": 1, "encoding": "wire", "kind": "server_stream", "response": thing}]},
        {"name": "Thing.get", "entries": [{"index": 2, "encoding": "wire", "receiver": "Thing", "response": {"type": "u8"}}]}]});
    let text = python(&description.to_string()).unwrap();
    assert!(
        text.contains("Without a method here, because they have no types or are streams of objects: all, plain."),
        "{text}"
    );
    assert!(text.contains("class Thing(typed.Object):"), "{text}");
    assert!(
        text.contains("def get(self, *, options: rustbridge.CallOptions | None = None) -> int:"),
        "{text}"
    );
}

/// A plugin with the callback `Heard`, of one function, and a service with two parameters.
pub fn with_callback() -> String {
    let object = json!({"type": {"object": "Heard"}});
    let number = json!({"type": "u64"});
    let method = |index: u32, name: &str, fields: Value| {
        let mut entry = json!({"index": index, "encoding": "wire"});
        let (entry_fields, fields) = (entry.as_object_mut(), fields.as_object());
        entry_fields.unwrap().extend(fields.unwrap().clone());
        json!({"name": name, "entries": [entry]})
    };
    let service = |name: &str, receiver: &str, arguments: bool, request: Value| {
        json!({"name": name, "encoding": "wire", "optional": true, "receiver": receiver, "arguments": arguments,
            "request": {"type": request}, "response": {"type": "bool"}})
    };
    json!({"name": "p", "methods": [
        method(0, "hear", json!({"request": object, "response": {"type": {"option": {"object": "Heard"}}}})),
        method(1, "Heard.close", json!({"receiver": "Heard", "request": {"type": "string"}, "response": {"type": "bool"}})),
        method(2, "Heard:number", json!({"receiver": "Heard", "response": number})),
        method(3, "Heard:new", json!({"request": number, "response": object})),
    ], "services": [
        service("Heard.close", "Heard", true, json!({"ref": 0})),
        service("Heard:release", "Heard", false, json!("u64")),
        service("store.find", "", true, json!({"ref": 1})),
    ], "types": [
        {"name": "HeardCloseRequest", "record": [{"name": "object", "type": "u64"}, {"name": "text", "type": "string"}]},
        {"name": "StoreFindRequest", "record": [{"name": "firstName", "type": "string"}, {"name": "self", "type": {"option": "u32"}}]},
    ]})
    .to_string()
}

#[test]
fn callbacks_are_protocols_and_several_parameters_of_services_are_shown() {
    let text = python(&with_callback()).unwrap();
    for expected in [
        "class Heard(Protocol):",
        // A method of the plugin's objects has the same name.
        "    def close_(self, text: str, /) -> bool | Awaitable[bool]:",
        "    def close_(self, request: str, *, options: rustbridge.CallOptions | None = None) -> bool:",
        "HeardLike: TypeAlias = \"Heard | Callable[[str], bool | Awaitable[bool]]\"",
        "class HeardObject(typed.Object):",
        "    def hear(self, request: HeardLike, *, options: rustbridge.CallOptions | None = None) -> HeardLike | None:",
        "    def find(self, first_name: str, self_: int | None, /) -> bool | Awaitable[bool]:",
        "                \"Heard.close\": \"close_\",",
        "        self._prepare_callbacks(_CLIENT_SCHEMA)",
    ] {
        assert!(text.contains(expected), "{expected}:\n{text}");
    }
    for absent in [
        "class HeardCloseRequest",
        "class StoreFindRequest",
        "def new(",
    ] {
        assert!(!text.contains(absent), "{absent}:\n{text}");
    }
}

/// A plugin with an object's class: constructors, functions and properties of names that are awkward.
pub fn with_class() -> String {
    let unit = json!({"type": "unit"});
    let text = json!({"type": "string"});
    let thing = json!({"type": {"object": "Thing"}});
    let method = |index: u32, name: &str, fields: Value| {
        let mut entry = json!({"index": index, "encoding": "wire"});
        let (entry_fields, fields) = (entry.as_object_mut(), fields.as_object());
        entry_fields.unwrap().extend(fields.unwrap().clone());
        json!({"name": name, "entries": [entry]})
    };
    let maker = |is_async: bool| json!({"class": "Thing", "constructor": true, "async": is_async, "request": text, "parameter": "client", "response": thing});
    let part = |property: &str, request: &Value, response: &Value| json!({"receiver": "Thing", "property": property, "parameter": "value", "request": request, "response": response});
    json!({"name": "p", "methods": [
        method(0, "Thing.set_both", part("set", &text, &unit)),
        method(1, "Thing.new", maker(false)),
        method(2, "Thing.load", maker(true)),
        method(3, "Thing.prototype", json!({"class": "Thing", "response": {"type": "u8"}})),
        method(4, "Thing.set_lone", part("set", &text, &unit)),
        method(5, "Thing.both", part("get", &unit, &text)),
        method(6, "Thing.property", part("get", &unit, &text)),
        method(7, "Thing.after", json!({"receiver": "Thing", "response": {"type": "u8"}})),
        method(8, "Other.new", json!({"class": "Other", "constructor": true, "async": true, "response": {"type": {"object": "Other"}}})),
    ]})
    .to_string()
}

#[test]
fn constructors_functions_and_properties_stand_in_the_class() {
    let text = python(&with_class()).unwrap();
    let options = "*, options: rustbridge.CallOptions | None = None";
    for expected in [
        format!("    def __init__(self, client: P, client_: str, {options}) -> None:"),
        format!("    @classmethod\n    def load(cls, client: P, client_: str, {options}) -> Thing:"),
        format!("    @classmethod\n    async def load_async(cls, client: P, client_: str, {options}) -> Thing:"),
        format!("    @staticmethod\n    def prototype(client: P, {options}) -> int:"),
        "    @property\n    def property_(self) -> str:".to_owned(),
        "    @property\n    def both(self) -> str:".to_owned(),
        "        return answer\n\n    @both.setter\n    def both(self, value: str) -> None:".to_owned(),
        "        raise AttributeError(\"the property lone can be set, but not read\")\n\n    @lone.setter\n".to_owned(),
        "        self._client._o_thing__lone__set(value, None, self)".to_owned(),
        // What is awaited can't be a constructor.
        format!("    @classmethod\n    def new(cls, client: P, {options}) -> Other:"),
    ] {
        assert!(text.contains(&expected), "{expected}:\n{text}");
    }
    let client = text.split("class P(typed.Client)").nth(1).unwrap();
    assert!(!client.contains("    def thing"), "{client}");
    let slots = client.matches("        \"_o_thing__lone__set\",").count();
    assert_eq!(slots, 1, "{client}");
}
