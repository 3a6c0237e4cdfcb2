//! What is written of services and of open enums, in each language.

use rustbridge_gen::{ClientSchema, Error, Language, Options, generate};
use serde_json::{Value, json};

const LANGUAGES: [Language; 3] = [Language::Java, Language::CSharp, Language::Python];

/// All files of a client, one behind the other.
fn written(description: &Value, language: Language) -> Result<String, Error> {
    let client_schema = ClientSchema::read(description.to_string().as_bytes())?;
    let files = generate(&client_schema, language, &Options::default())?;
    Ok(files.iter().map(|file| &*file.text).collect())
}

fn service(name: &str, optional: bool, request: Value, response: Value) -> Value {
    json!({"name": name, "encoding": "wire", "optional": optional,
        "request": {"type": request}, "response": {"type": response}})
}

#[test]
fn a_group_that_is_needed_has_to_be_given() {
    let description = json!({"name": "shop", "services": [
        service("price_list.of", true, json!("string"), json!("u64")),
        service("price_list.default", false, json!("unit"), json!("unit")),
        service("audit.tell", true, json!("string"), json!("unit")),
        service("config", true, json!("unit"), json!("string")),
    ]});
    let java = written(&description, Language::Java).unwrap();
    for expected in [
        "public interface PriceList {",
        "public interface Audit {",
        "public interface ShopServices {",
        "void default_() throws Exception;",
        "default CompletionStage<Void> tellAsync(String request) throws Exception {",
        "PluginConfig config, PriceList priceList, Audit audit, ShopServices shopServices) {",
        "Objects.requireNonNull(priceList, \"priceList\");",
        "if (audit != null) {",
        "none -> shopServices.configAsync()",
        "public final class Shop extends TypedClient implements ShopApi {",
        "services.find(PriceList.class, true),",
        "services.find(Audit.class, false),",
    ] {
        assert!(java.contains(expected), "{expected}:\n{java}");
    }
    assert!(!java.contains("load(Path library)"), "{java}");
    assert!(
        !java.contains("load(byte[] image, PluginConfig config)"),
        "{java}"
    );
    let csharp = written(&description, Language::CSharp).unwrap();
    for expected in [
        "public interface IPriceList",
        "public interface IShopServices",
        "IPriceList priceList,\n        PluginConfig? config = null,\n        IAudit? audit = null",
        "ArgumentNullException.ThrowIfNull(priceList);",
        "public static Shop Load(\n        ReadOnlySpan<byte> image,\n        IPriceList priceList,",
        "public sealed class Shop : IShop, ITypedClient<Shop>, IAsyncDisposable",
        "TypedServices.Required<IPriceList>(services),",
        "(IAudit?)services.GetService(typeof(IAudit)),",
        "await audit.TellAsync(request, cancellationToken).ConfigureAwait(false);",
        "void Default()",
    ] {
        assert!(csharp.contains(expected), "{expected}:\n{csharp}");
    }
    let python = written(&description, Language::Python).unwrap();
    for expected in [
        "class PriceList(Protocol):",
        "class ShopServices(Protocol):",
        "    def load(  # type: ignore[override]\n",
        "        price_list: PriceList,\n",
        "        audit: Audit | None = None,\n",
        "functions[\"config\"] = shop_services.config",
        "    def default(self) -> None | Awaitable[None]:",
    ] {
        assert!(python.contains(expected), "{expected}:\n{python}");
    }
}

#[test]
fn a_plugin_that_asks_nothing_is_loaded_as_ever() {
    let description = json!({"name": "shop"});
    for language in LANGUAGES {
        let text = written(&description, language).unwrap();
        for absent in ["TypedServices", "serving(config, ", "Serving(config, "] {
            assert!(!text.contains(absent), "{absent}: {text}");
        }
    }
}

#[test]
fn services_with_objects_are_left_to_who_registers_them_without_types() {
    let description = json!({"name": "shop", "services": [
        service("keep.it", true, json!({"object": "Basket"}), json!("unit")),
    ]});
    for language in LANGUAGES {
        let text = written(&description, language).unwrap();
        for absent in [
            "interface Keep",
            "interface IKeep",
            "Protocol",
            "TypedServices",
        ] {
            assert!(!text.contains(absent), "{absent}: {text}");
        }
    }
}

#[test]
fn names_that_become_one_are_refused() {
    let both = json!({"name": "shop", "services": [
        service("prices.get_all", true, json!("unit"), json!("u8")),
        service("prices.getAll", true, json!("unit"), json!("u8")),
    ]});
    let groups = json!({"name": "shop", "services": [
        service("price_list.a", true, json!("unit"), json!("u8")),
        service("priceList.b", true, json!("unit"), json!("u8")),
    ]});
    for language in LANGUAGES {
        let error = written(&both, language).unwrap_err().to_string();
        assert!(error.contains("`get_all` and `getAll` are both"), "{error}");
        let error = written(&groups, language).unwrap_err().to_string();
        assert!(error.contains("are both"), "{error}");
    }
}

fn open(variants: &Value) -> Value {
    json!({"name": "shop", "methods": [{"name": "m", "entries": [{"index": 0, "encoding": "wire",
        "request": {"type": {"ref": 0}}, "response": {"type": {"ref": 0}}}]}],
        "types": [{"name": "State", "enum": {"open": true, "variants": variants}}]})
}

#[test]
fn open_enums_have_a_variant_for_those_that_are_not_known() {
    let plain = open(&json!([{"name": "on"}]));
    let data = open(&json!([{"name": "on", "tuple": ["u8"]}]));
    for (language, of_plain, of_data) in [
        (
            Language::Java,
            "  UNKNOWN\n",
            "record Unknown() implements State {}",
        ),
        (
            Language::CSharp,
            "Unknown = 65535,",
            "public sealed record Unknown : State;",
        ),
        (
            Language::Python,
            "UNKNOWN = None",
            "\"StateOn | StateUnknown\"",
        ),
    ] {
        let text = written(&plain, language).unwrap();
        assert!(text.contains(of_plain), "{text}");
        let text = written(&data, language).unwrap();
        assert!(text.contains(of_data), "{text}");
    }
    for variants in [
        json!([{"name": "Unknown"}]),
        json!([{"name": "unknown", "tuple": ["u8"]}]),
    ] {
        for language in LANGUAGES {
            let text = written(&open(&variants), language).unwrap();
            let ours = ["UNKNOWN2", "Unknown2", "StateUnknown2"];
            assert!(ours.iter().any(|name| text.contains(name)), "{text}");
        }
    }
}

#[test]
fn what_a_client_leaves_out_is_named_in_it() {
    let side = json!({"type": "unit"});
    let description = json!({"name": "shop",
        "methods": [
            {"name": "open", "entries": [{"index": 0, "encoding": "wire", "request": side, "response": side}]},
            {"name": "untyped", "entries": [{"index": 1, "encoding": "json"}]}],
        "services": [service("keeper.of", true, json!({"object": "Basket"}), json!("unit"))]});
    for language in [
        Language::Python,
        Language::Java,
        Language::CSharp,
        Language::Cpp,
        Language::Kotlin,
        Language::Rust,
    ] {
        let written = written(&description, language).unwrap();
        let named = written
            .split("Without a method here")
            .nth(1)
            .unwrap_or_default();
        let named = named.get(..200).unwrap_or(named);
        assert!(
            named.contains("untyped") && named.contains("keeper.of"),
            "{language:?}: {named}"
        );
    }
}

#[test]
fn a_packaged_client_loads_its_library_without_a_path_and_others_know_of_none() {
    let described = |services: Value| json!({"name": "shop", "services": services});
    let optional = described(json!([service(
        "audit.tell",
        true,
        json!("string"),
        json!("unit")
    )]));
    let needed = described(json!([service(
        "audit.tell",
        false,
        json!("string"),
        json!("unit")
    )]));
    let packaged = |description: &Value, language| -> String {
        let client_schema = ClientSchema::read(description.to_string().as_bytes()).unwrap();
        let options = Options {
            packaged: Some("shop_plugin".to_owned()),
            ..Options::default()
        };
        let files = generate(&client_schema, language, &options).unwrap();
        files.iter().map(|file| &*file.text).collect()
    };
    let plain = described(json!([]));
    type Expected<'a> = (&'a Value, &'a [&'a str]);
    let cases: [(Language, [Expected<'_>; 3]); 4] = [
        (
            Language::Java,
            [
                (
                    &plain,
                    &["public static Shop load() {", "/libshop_plugin.so\""],
                ),
                (
                    &optional,
                    &[
                        "public static Shop load() {",
                        "public static Shop load(PluginConfig config, Audit audit) {",
                        "return loadResource(Shop.class, packagedLibrary(), config, audit);",
                    ],
                ),
                (
                    &needed,
                    &["public static Shop load(PluginConfig config, Audit audit) {"],
                ),
            ],
        ),
        (
            Language::CSharp,
            [
                (
                    &plain,
                    &[
                        "public static Shop Load(PluginConfig? config = null)",
                        "Plugin plugin = Plugin.Load(PackagedLibrary(), config);",
                        "\"shop_plugin.dll\"",
                    ],
                ),
                (
                    &optional,
                    &["public static Shop Load(PluginConfig? config = null, IAudit? audit = null)"],
                ),
                (
                    &needed,
                    &["public static Shop Load(IAudit audit, PluginConfig? config = null)"],
                ),
            ],
        ),
        (
            Language::Python,
            [
                (
                    &plain,
                    &[
                        "import pathlib\n",
                        "_PACKAGED = pathlib.Path(__file__).with_name(\"shop_plugin\")",
                        "return cls._loaded(_PACKAGED if source is None else source, config, options)",
                    ],
                ),
                (&optional, &["source: typed.Source | None = None,"]),
                (
                    &needed,
                    &[
                        "_PACKAGED if source is None else source, config, options, _CLIENT_SCHEMA, functions)",
                    ],
                ),
            ],
        ),
        (
            Language::TypeScript,
            [
                (
                    &plain,
                    &[
                        "source: string | URL | Uint8Array = packagedLibrary(),",
                        "new URL(`./native/${system}/shop_plugin`, import.meta.url)",
                    ],
                ),
                (
                    &optional,
                    &["options: wire.LoadOptions & { host?: Services } = {},"],
                ),
                (
                    &needed,
                    &["options: wire.LoadOptions & { host: Services },"],
                ),
            ],
        ),
    ];
    for (language, descriptions) in cases {
        for (description, expected) in descriptions {
            let text = packaged(description, language);
            for expected in expected {
                assert!(text.contains(expected), "{expected}:\n{text}");
            }
            let text = written(description, language).unwrap().to_lowercase();
            assert!(!text.contains("packaged"), "{text}");
        }
    }
    let text = packaged(&needed, Language::Java);
    assert!(!text.contains("Shop load()"), "{text}");
}
