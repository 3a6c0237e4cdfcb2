//! Constructors, associated functions and properties in clients in Java and Kotlin. That they work is tested there, with the client of
//! `plugins/fixtures-plugin`.

use rustbridge_gen::{ClientSchema, Language, Options, generate};
use serde_json::json;

use super::classes_csgo::client_schema;

fn text(client_schema: &ClientSchema, language: Language, name: &str) -> String {
    let files = generate(client_schema, language, &Options::default()).unwrap();
    let mut all = files.iter();
    let found = all.find(|file| file.path.ends_with(&format!("/{name}")));
    found
        .unwrap_or_else(|| panic!("no {name} in {files:?}"))
        .text
        .clone()
}

fn has(text: &str, expected: &[&str]) {
    for expected in expected {
        assert!(text.contains(expected), "{expected}:\n{text}");
    }
}

#[test]
fn a_class_in_java_has_a_constructor_and_static_methods() {
    let class = text(&client_schema(), Language::Java, "Thing.java");
    has(
        &class,
        &[
            "\n  Thing(Small client, PluginObject untyped) {\n    super(untyped);\n    this.client = client;\n",
            "\n  public Thing(Small client, Thing client_, Integer options_) {\n    super(\n        client.thing__new_.call(new ThingNewParameters(client_, options_), CallOptions.defaults()));\n    this.client = client;\n",
            "\n  public Thing(Small client, Thing client_, Integer options_, CallOptions options) {\n    super(client.thing__new_.call(new ThingNewParameters(client_, options_), options));\n    this.client = client;\n",
            "\n  public static Thing fromFile(Small client, byte[] client_) {\n",
            "\n  public static Thing openAll(Small client, CallOptions options) {\n    return client.thing__openAll.call(null, options);\n",
            "\n  public static int equals_(Small client) {\n    return client.thing__equals_.call(null);\n",
            "\n  public byte[] data() {\n",
            "\n  public void setData(byte[] value) {\n",
            "\n  public void setOnly(Long value, CallOptions options) {\n",
            "\n  public int later() {\n",
            "\n  public CompletableFuture<Integer> laterAsync() {\n",
        ],
    );
    // A constructor can't be awaited, and without methods there's no need of the client.
    let other = text(&client_schema(), Language::Java, "Other.java");
    has(
        &other,
        &[
            "\n  public static Other new_(Small client) {\n",
            "\n  public static CompletableFuture<Other> newAsync(Small client, CallOptions options) {\n",
            "\n    super(untyped);\n  }\n",
        ],
    );
    for name in ["Small.java", "SmallApi.java"] {
        let client = text(&client_schema(), Language::Java, name);
        assert!(!client.contains("static Thing "), "{client}");
        assert!(!client.contains("Thing openAll("), "{client}");
    }
}

#[test]
fn a_class_in_kotlin_has_a_constructor_a_companion_and_properties() {
    let classes = text(&client_schema(), Language::Kotlin, "SmallObjects.kt");
    has(
        &classes,
        &[
            "public class Thing internal constructor(private val client: Small, untyped: PluginObject) :\n",
            "    public constructor(\n        client: Small,\n        client_: Thing,\n        options_: UByte? = null,\n        options: CallOptions = CallOptions.defaults(),\n    ) : this(\n        client,\n        client.thing__new.call(ThingNewParameters(client_, options_), options).untyped(),\n    )\n",
            "\n    public var data: ByteArray\n        get() = this.client.thing__data.call(Unit, receiving(CallOptions.defaults()))\n        set(value) = this.client.thing__setData.call(value, receiving(CallOptions.defaults()))\n",
            // A setter without a getter, or of another type, is a function.
            "\n    public fun setOnly(value: UInt? = null, ",
            "\n    public val text: String\n        get() = ",
            "\n    public fun setText(value: String? = null, ",
            "\n    public fun plain(options: CallOptions = CallOptions.defaults()): UByte =\n",
            "\n    public fun setPlain(value: UByte, ",
            "\n    public val dispose: Thing?\n",
            "\n    public val thing: Pair<UByte, Boolean>\n",
            "\n    public val later: UByte\n",
            "\n    public suspend fun awaitLater(options: CallOptions = CallOptions.defaults()): UByte =\n",
            "\n    public companion object {\n",
            "\n        public fun fromFile(\n            client: Small,\n            client_: ByteArray,\n",
            "\n        public fun openAll(client: Small, options: CallOptions = CallOptions.defaults()): Thing =\n            client.thing__openAll.call(Unit, options)\n",
            "\n        public fun equals_(client: Small, options: CallOptions = CallOptions.defaults()): UByte =\n            client.thing__equals_.callWith(Unit, options)\n",
            "@Suppress(\"UNUSED_PARAMETER\") client: Small",
            "\n        public fun new(client: Small, options: CallOptions = CallOptions.defaults()): Other =\n",
            "\n        public suspend fun awaitNew(",
        ],
    );
    assert_eq!(classes.matches("public constructor(").count(), 1);
    for name in ["Small.kt", "SmallApi.kt"] {
        let client = text(&client_schema(), Language::Kotlin, name);
        assert!(!client.contains("fun openAll("), "{client}");
    }
}

/// Returns a plugin with an object whose members accept callbacks, and with properties whose setters would have one name on the JVM.
fn with_callbacks() -> ClientSchema {
    let side = |ty: serde_json::Value| json!({"type": ty});
    let progress = || side(json!({"object": "Progress"}));
    let (unit, thing) = (|| side(json!("unit")), || side(json!({"object": "Thing"})));
    let entries = [
        (
            "Progress:new",
            json!({"request": side(json!("u64")), "response": progress()}),
        ),
        (
            "Progress:number",
            json!({"receiver": "Progress", "request": unit(), "response": side(json!("u64"))}),
        ),
        (
            "Progress.report",
            json!({"receiver": "Progress", "request": side(json!("u8")), "response": unit()}),
        ),
        (
            "Thing.new",
            json!({"class": "Thing", "constructor": true, "parameter": "progress", "request": progress(), "response": thing()}),
        ),
        (
            "Thing.open",
            json!({"class": "Thing", "parameter": "progress", "request": side(json!({"option": {"object": "Progress"}})), "response": unit()}),
        ),
        (
            "Thing.watch",
            json!({"receiver": "Thing", "arguments": true, "async": true, "request": side(json!({"ref": 1})), "response": unit()}),
        ),
        (
            "Thing.feed",
            json!({"receiver": "Thing", "kind": "client_stream", "parameter": "progress", "request": progress(), "items": side(json!("u8")), "response": unit()}),
        ),
        (
            "Thing.is_open",
            json!({"receiver": "Thing", "property": "get", "request": unit(), "response": side(json!("bool"))}),
        ),
        (
            "Thing.set_is_open",
            json!({"receiver": "Thing", "property": "set", "request": side(json!("bool")), "response": unit()}),
        ),
        (
            "Thing.isle",
            json!({"receiver": "Thing", "property": "get", "request": unit(), "response": side(json!("bool"))}),
        ),
        (
            "Thing.set_isle",
            json!({"receiver": "Thing", "property": "set", "request": side(json!("bool")), "response": unit()}),
        ),
        (
            "watch",
            json!({"parameter": "progress", "request": progress(), "response": unit()}),
        ),
    ];
    let methods = entries
        .into_iter()
        .enumerate()
        .map(|(index, (name, mut entry))| {
            entry["index"] = index.into();
            entry["encoding"] = "wire".into();
            json!({"name": name, "entries": [entry]})
        });
    let text = json!({"name": "small", "methods": methods.collect::<Vec<_>>(), "services": [
        {"name": "Progress.report", "encoding": "wire", "optional": true, "receiver": "Progress", "arguments": true,
            "request": side(json!({"ref": 0})), "response": unit()},
        {"name": "Progress:release", "encoding": "wire", "optional": true, "receiver": "Progress",
            "request": side(json!("u64")), "response": unit()},
    ], "types": [
        {"name": "ProgressReportRequest", "record": [{"name": "object", "type": "u64"}, {"name": "step", "type": "u8"}]},
        {"name": "ThingWatchParameters", "record": [{"name": "steps", "type": "u8"}, {"name": "watch", "type": {"object": "Progress"}}]},
    ]});
    ClientSchema::read(text.to_string().as_bytes()).unwrap()
}

#[test]
fn a_lambda_stands_behind_the_parentheses_in_kotlin() {
    let classes = text(&with_callbacks(), Language::Kotlin, "SmallObjects.kt");
    has(
        &classes,
        &[
            "    public constructor(\n        client: Small,\n        progress: Progress,\n    ) : this(client, CallOptions.defaults(), progress)\n",
            "    public constructor(\n        client: Small,\n        options: CallOptions,\n        progress: Progress,\n    ) : this(client, client.thing__new.call(progress, options).untyped())\n",
            "\n        public fun open(client: Small, progress: Progress? = null): Unit =\n            this.open(client, CallOptions.defaults(), progress)\n",
            "\n        public fun open(client: Small, options: CallOptions, progress: Progress? = null): Unit =\n            client.thing__open.call(progress, options)\n",
            "\n    public fun watch(steps: UByte, watch: Progress): Unit =\n        this.watch(steps, CallOptions.defaults(), watch)\n",
            "\n    public suspend fun awaitWatch(steps: UByte, options: CallOptions, watch: Progress): Unit =\n",
            // Items stand behind the callback.
            "\n    public suspend fun feed(\n        progress: Progress,\n        items: Flow<UByte>,\n        options: CallOptions = CallOptions.defaults(),\n",
        ],
    );
    // A fake implements one function.
    let api = text(&with_callbacks(), Language::Kotlin, "SmallApi.kt");
    has(
        &api,
        &[
            "\n    public fun watch(progress: Progress): Unit = this.watch(CallOptions.defaults(), progress)\n",
            "\n    public fun watch(options: CallOptions, progress: Progress)\n",
        ],
    );
    let client = text(&with_callbacks(), Language::Kotlin, "Small.kt");
    assert_eq!(client.matches("override fun watch(").count(), 1, "{client}");
}

#[test]
fn setters_of_properties_in_kotlin_have_names_of_their_own_on_the_jvm() {
    let classes = text(&with_callbacks(), Language::Kotlin, "SmallObjects.kt");
    has(
        &classes,
        &["\n    @set:JvmName(\"setIsOpen\")\n    public var isOpen: Boolean\n"],
    );
    assert_eq!(classes.matches("@set:JvmName").count(), 1, "{classes}");
}
