//! Constructors, associated functions and properties in clients in C# and Go. That they work is tested there, with the client of
//! `plugins/fixtures-plugin`.

use rustbridge_gen::{ClientSchema, Language, Options, generate};
use serde_json::{Value, json};

/// Returns a plugin with all members that a class can have, with names that the languages or the generated code have.
pub(crate) fn client_schema() -> ClientSchema {
    let thing = json!({"object": "Thing"});
    let method =
        |(index, (name, request, response, more)): (usize, (&str, Value, Value, Value))| {
            let mut entry = json!({"index": index, "encoding": "wire",
            "request": {"type": request}, "response": {"type": response}});
            for (name, value) in more.as_object().unwrap() {
                entry[name] = value.clone();
            }
            json!({"name": name, "entries": [entry]})
        };
    let unit = || json!("unit");
    let read = || json!({"receiver": "Thing", "property": "get"});
    let write = || json!({"receiver": "Thing", "property": "set", "parameter": "value"});
    let make = || json!({"class": "Thing", "constructor": true});
    let other = json!({"class": "Other", "constructor": true, "async": true});
    let several = json!({"class": "Thing", "constructor": true, "arguments": true});
    let client = json!({"class": "Thing", "constructor": true, "parameter": "client"});
    let methods = [
        ("Thing.new", json!({"ref": 0}), thing.clone(), several),
        ("Thing.from_file", json!("bytes"), thing.clone(), client),
        ("Thing.open_all", unit(), thing.clone(), make()),
        (
            "Thing.equals",
            unit(),
            json!("u8"),
            json!({"class": "Thing"}),
        ),
        ("Other.new", unit(), json!({"object": "Other"}), other),
        ("Thing.set_data", json!("bytes"), unit(), write()),
        ("Thing.data", unit(), json!("bytes"), read()),
        ("Thing.set_only", json!({"option": "u32"}), unit(), write()),
        (
            "Thing.set_text",
            json!({"option": "string"}),
            unit(),
            write(),
        ),
        ("Thing.text", unit(), json!("string"), read()),
        ("Thing.set_plain", json!("u8"), unit(), write()),
        (
            "Thing.plain",
            unit(),
            json!("u8"),
            json!({"receiver": "Thing"}),
        ),
        ("Thing.dispose", unit(), json!({"option": thing}), read()),
        (
            "Thing.thing",
            unit(),
            json!({"tuple": ["u8", "bool"]}),
            read(),
        ),
        (
            "Thing.later",
            unit(),
            json!("u8"),
            json!({"receiver": "Thing", "property": "get", "async": true}),
        ),
    ];
    let methods: Vec<Value> = methods.into_iter().enumerate().map(method).collect();
    let text = json!({"name": "small", "methods": methods, "types": [
        {"name": "ThingNewParameters", "record": [{"name": "client", "type": {"object": "Thing"}}, {"name": "options", "type": {"option": "u8"}}]}]});
    ClientSchema::read(text.to_string().as_bytes()).unwrap()
}

fn text(language: Language, path: &str) -> String {
    let files = generate(&client_schema(), language, &Options::default()).unwrap();
    let found = files.iter().find(|file| file.path == path);
    found.unwrap_or_else(|| panic!("no {path}")).text.clone()
}

#[test]
fn a_class_in_csharp_has_a_constructor_static_methods_and_properties() {
    let class = text(Language::CSharp, "Thing.cs");
    for part in [
        "    internal Thing(PluginObject untyped, Small client)\n",
        "    public Thing(Small client, Thing client_, byte? options_ = null, CallOptions? options = null)\n        : this(client.m_thing__new.CallWire<",
        "(null, (client_, options_), options).Untyped, client)\n    {\n    }\n",
        "    public static Thing FromFile(Small client, ReadOnlyMemory<byte> client_, CallOptions? options = null) =>\n",
        "    public static Thing OpenAll(Small client, CallOptions? options = null) =>\n",
        "    public static byte Equals_(Small client) =>\n        client.m_thing__equals.CallWire<",
        "    public byte[] Data\n    {\n        get => _client.m_thing__data.",
        "        set => _client.m_thing__setData.CallWire<ReadOnlyMemory<byte>, MemoryCodec, ValueTuple, UnitCodec>(Untyped, value, null);\n",
        "    public uint? Only\n    {\n        set => ",
        // The getter has another type, or is a method: a method sets it.
        "    public string Text =>\n        _client.",
        "    public void SetText(string? value = null, CallOptions? options = null) =>\n",
        "    public byte Plain(CallOptions? options = null) =>\n",
        "    public void SetPlain(byte value, CallOptions? options = null) =>\n",
        "    public Thing? Dispose_ =>\n",
        "    public (byte, bool) Thing_ =>\n",
        "    public byte Later =>\n",
        "    public ValueTask<byte> LaterAsync(CancellationToken cancellationToken = default) =>\n",
    ] {
        assert!(class.contains(part), "{part}: {class}");
    }
    // A constructor can't be awaited.
    let other = text(Language::CSharp, "Other.cs");
    for part in [
        "    public static Other New(Small client, CallOptions? options = null) =>\n",
        "    public static ValueTask<Other> NewAsync(Small client, CallOptions options) =>\n",
        "        _ = client;\n",
    ] {
        assert!(other.contains(part), "{part}: {other}");
    }
    let client = text(Language::CSharp, "ISmall.cs");
    assert!(!client.contains("Thing"), "{client}");
}

#[test]
fn a_package_in_go_has_functions_that_construct() {
    let text = text(Language::Go, "small/small.go");
    for part in [
        "func NewThing(ctx context.Context, client *Small, client_ *Thing, options *uint8) (*Thing, error) {\n\treturn client.thingNew.Call(ctx, thingNewParameters{client_, options})\n",
        "func NewThingFromFile(ctx context.Context, client *Small, client_ []byte) (*Thing, error) {\n",
        "func OpenThingAll(ctx context.Context, client *Small) (*Thing, error) {\n",
        "func ThingEquals(ctx context.Context, client *Small) (uint8, error) {\n",
        "func NewOther(ctx context.Context, client *Small) (*Other, error) {\n",
        "func (c *Thing) SetOnly(ctx context.Context, value *uint32) error {\n",
        "func (c *Thing) Text(ctx context.Context) (string, error) {\n",
        "func (c *Thing) Thing(ctx context.Context) (uint8, bool, error) {\n",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}
