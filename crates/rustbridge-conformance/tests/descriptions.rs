//! What the plugins written in Rust say of themselves, beside the model of a description.

use conformance_plugin::Conformance;
use hello_plugin::Hello;
use rustbridge_core::{EntryPoint, Load};
use rustbridge_description::Description;
use serde_json::Value;

fn described(entry_point: EntryPoint, name: &str) -> String {
    // SAFETY: a plugin of ours, whose entry point follows the ABI.
    let load = unsafe { Load::linked(entry_point, name) };
    let plugin = load.config("{}").open().unwrap();
    plugin.describe().to_owned()
}

#[test]
fn the_model_knows_all_that_plugins_say() {
    for text in [
        described(rustbridge::entry_point::<Hello>(), "hello"),
        described(rustbridge::entry_point::<Conformance>(), "conformance"),
    ] {
        let description: Description<'_> = Description::read(text.as_bytes()).unwrap();
        let whole: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(serde_json::to_value(&description).unwrap(), whole);
        assert!(!description.methods.is_empty());
        for method in &description.methods {
            assert_eq!(method.callable().count(), method.entries.len());
            for (encoding, entry) in method.callable() {
                let pod = encoding == rustbridge_core::Encoding::Pod;
                assert_eq!(
                    (
                        entry.request.layout.is_some(),
                        entry.response.layout.is_some()
                    ),
                    (pod, pod),
                    "{} in {entry}",
                    method.name
                );
            }
        }
    }
}
