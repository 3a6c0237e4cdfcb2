//! What the plugins written in Rust say of themselves, beside the model of a description.

use rustbridge_conformance::libraries;
use rustbridge_core::{Encoding, Load};
use rustbridge_description::types::Table;
use rustbridge_description::{Description, UNARY};
use serde_json::Value;

#[test]
fn the_model_knows_all_that_plugins_say() {
    for (package, config) in [
        ("hello-plugin", "{}"),
        ("conformance-plugin", r#"{"label":"described"}"#),
        ("operations-plugin", "{}"),
        ("types-plugin", "{}"),
    ] {
        let plugin = Load::path(libraries::path(package)).config(config).open();
        let text = plugin.unwrap().describe().to_owned();
        let description: Description<'_> = Description::read(text.as_bytes()).unwrap();
        let whole: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(serde_json::to_value(&description).unwrap(), whole);
        assert!(!description.methods.is_empty());
        let types = Table::of(&description).unwrap();
        for method in &description.methods {
            // Streams are no calls.
            let calls = method.entries.iter().filter(|entry| entry.kind == UNARY);
            assert_eq!(method.callable().count(), calls.count());
            for (encoding, entry) in method.callable() {
                let pod = encoding == Encoding::Pod;
                for side in [&entry.request, &entry.response] {
                    let place = format!("{} in {entry}", method.name);
                    assert_eq!(side.layout.is_some(), pod, "{place}");
                    // A schema is made of each type where messages have names.
                    match encoding {
                        Encoding::Wire | Encoding::Raw => assert!(side.ty.is_some(), "{place}"),
                        Encoding::Pod => assert!(side.ty.is_none(), "{place}"),
                        _ => assert!(side.ty.is_none() || side.schema.is_some(), "{place}"),
                    }
                    if let Some(ty) = &side.ty {
                        types.reference(ty).unwrap();
                    }
                }
            }
        }
    }
}
