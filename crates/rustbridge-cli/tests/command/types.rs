//! A typed client's methods are prepared if its types are the plugin's, and refused with what differs if they aren't.

use rustbridge_core::{Encoding, Error, Load, Plugin, ServiceCall, Status};
use rustbridge_gen::ClientSchema;
use serde_json::json;

fn types() -> Plugin {
    // SAFETY: a plugin of ours, whose entry point follows the ABI.
    unsafe { Load::linked(rustbridge::entry_point::<types_plugin::Types>(), "types") }
        .open()
        .unwrap()
}

fn client_schema(plugin: &Plugin) -> ClientSchema {
    ClientSchema::read(plugin.describe().as_bytes()).unwrap()
}

#[test]
fn each_method_is_prepared_for_the_client_of_the_same_plugin() {
    let plugin = types();
    let client_schema = client_schema(&plugin);
    assert!(client_schema.methods.len() > 30);
    assert_eq!(client_schema.others, Vec::<String>::new());
    for method in &client_schema.methods {
        let fingerprint = method.fingerprint.to_string();
        plugin
            .typed_method(&method.name, &fingerprint, &client_schema.text)
            .unwrap();
        // Where they are equal, nothing else is looked at.
        plugin.typed_method(&method.name, &fingerprint, "").unwrap();
    }
}

#[test]
fn what_a_client_carries_gives_the_same_fingerprints() {
    let client_schema = client_schema(&types());
    let carried = ClientSchema::read(client_schema.text.as_bytes()).unwrap();
    assert!(!client_schema.text.contains("doc"));
    assert_eq!(carried.text, client_schema.text);
    for (one, other) in client_schema.methods.iter().zip(&carried.methods) {
        assert_eq!(one.fingerprint, other.fingerprint, "{}", one.name);
    }
}

#[test]
fn a_client_of_other_types_is_refused_with_what_differs() {
    let plugin = types();
    let text = client_schema(&plugin).text;
    let other = text.replace(
        r#"{"name":"age","type":"u32"}"#,
        r#"{"name":"age","type":"string"}"#,
    );
    assert_ne!(text, other);
    let client = ClientSchema::read(other.as_bytes()).unwrap();
    for method in ["person", "people", "every"] {
        let known = client
            .methods
            .iter()
            .find(|one| one.name == method)
            .unwrap();
        let error = plugin
            .typed_method(method, &known.fingerprint.to_string(), &client.text)
            .unwrap_err();
        assert_eq!(error.status(), Status::FailedPrecondition);
        assert_eq!(error.type_name(), "rustbridge.TypesDiffer");
        let message = error.message();
        assert!(
            message.contains("age`: the client has String, and the plugin u32"),
            "{message}"
        );
        assert!(message.contains(&format!("`{method}`")), "{message}");
        assert!(message.contains("rustbridge gen"), "{message}");
    }
    // Methods that don't have the type stay as they are.
    let numbers = client
        .methods
        .iter()
        .find(|one| one.name == "numbers")
        .unwrap();
    plugin
        .typed_method("numbers", &numbers.fingerprint.to_string(), &client.text)
        .unwrap();
}

#[test]
fn what_is_no_fingerprint_or_client_schema_is_refused() {
    let plugin = types();
    let text = client_schema(&plugin).text;
    let zeros = "0".repeat(32);
    for (method, fingerprint, client_schema, status, why) in [
        (
            "person",
            "",
            &*text,
            Status::InvalidArgument,
            "32 hexadecimal digits",
        ),
        (
            "person",
            "xyz",
            &text,
            Status::InvalidArgument,
            "32 hexadecimal digits",
        ),
        (
            "person",
            &zeros,
            "",
            Status::InvalidArgument,
            "can't be read",
        ),
        (
            "person",
            &zeros,
            "{}",
            Status::InvalidArgument,
            "missing field",
        ),
        (
            "person",
            &zeros,
            r#"{"name":"types"}"#,
            Status::InvalidArgument,
            "doesn't have the method",
        ),
        (
            "person",
            &zeros,
            &text,
            Status::InvalidArgument,
            "doesn't match its types",
        ),
        (
            "nobody",
            &zeros,
            &text,
            Status::NotFound,
            "no method `nobody`",
        ),
    ] {
        let error = plugin
            .typed_method(method, fingerprint, client_schema)
            .unwrap_err();
        assert_eq!(error.status(), status, "{}", error.message());
        assert!(error.message().contains(why), "{}", error.message());
    }
}

/// Loads the plugin like a client that was generated from `client_schema`, with a function for `directory.count`.
fn serving(client_schema: &str) -> Result<Plugin, Error> {
    // SAFETY: a plugin of ours, whose entry point follows the ABI.
    unsafe { Load::linked(rustbridge::entry_point::<types_plugin::Types>(), "types") }
        .service(
            "directory.count",
            Encoding::Wire,
            |_: &[u8], _: &ServiceCall<'_>| -> Result<Vec<u8>, Error> {
                Ok(7_u64.to_le_bytes().to_vec())
            },
        )
        .client_schema(client_schema)
        .open()
}

#[test]
fn a_client_whose_services_have_other_types_is_refused_when_it_loads() {
    let text = client_schema(&types()).text;
    let plugin = serving(&text).unwrap();
    assert!(plugin.describe().contains("directory.count"));
    let answers = |name: &str, ty: &str| {
        json!({"name": "types", "services": [{"name": name, "encoding": "wire", "response": {"type": ty}}]})
            .to_string()
    };
    let error = serving(&answers("directory.count", "string")).unwrap_err();
    assert_eq!(error.status(), Status::FailedPrecondition);
    assert_eq!(error.type_name(), "rustbridge.TypesDiffer");
    let message = error.message();
    for said in [
        "`directory.count`",
        "`response`: the client has String, and the plugin u64",
        "rustbridge gen",
    ] {
        assert!(message.contains(said), "{said}: {message}");
    }
    // What isn't registered, what the plugin doesn't call, and what has no types is nobody's concern.
    for (name, ty) in [("directory.find", "u8"), ("directory.gone", "u8")] {
        drop(serving(&answers(name, ty)).unwrap());
    }
    let untyped =
        r#"{"name": "types", "services": [{"name": "directory.count", "encoding": "json"}]}"#;
    drop(serving(untyped).unwrap());
}

#[test]
fn a_client_schema_of_services_that_is_none_is_refused() {
    for text in ["", "{}", "nonsense"] {
        let loaded = serving(text);
        if text.is_empty() {
            drop(loaded.unwrap());
            continue;
        }
        let error = loaded.unwrap_err();
        assert_eq!(error.status(), Status::InvalidArgument, "{text}");
        assert_eq!(error.type_name(), "rustbridge.InvalidClientSchema");
    }
}
