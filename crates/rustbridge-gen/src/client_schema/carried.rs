//! What a client carries of a plugin's description.

use rustbridge_abi::Encoding;
use rustbridge_description::Description;
use rustbridge_description::types::{Field, Shape, Table, typed_entry};
use serde_json::json;

/// The description with what clients with types call of its methods and serve alone, and without prose.
pub(super) fn carried(description: &Description<'_>, types: &Table) -> String {
    let methods = description
        .methods
        .iter()
        .filter_map(|method| {
            let typed = typed_entry(&method.entries)?;
            Some(json!({
                "name": method.name,
                "entries": [{
                    "index": typed.index,
                    "kind": typed.kind,
                    "encoding": typed.encoding,
                    "request": typed.request,
                    "arguments": typed.arguments,
                    "parameter": typed.parameter,
                    "response": typed.response,
                    "items": typed.items,
                    "error": typed.error,
                    "receiver": typed.receiver,
                }],
            }))
        })
        .collect::<Vec<_>>();
    let services = description
        .services
        .iter()
        .filter(|service| service.encoding == Encoding::Wire.name())
        .map(|service| {
            let mut carried = json!({
                "name": service.name,
                "encoding": service.encoding,
                "optional": service.optional,
                "request": service.request,
                "response": service.response,
            });
            if let Some(error) = &service.error {
                carried["error"] = json!(error);
            }
            carried
        })
        .collect::<Vec<_>>();
    let mut definitions = types.definitions().to_vec();
    for definition in &mut definitions {
        definition.doc = "".into();
        match &mut definition.shape {
            Shape::Record(fields) | Shape::Pod(fields) => silence(fields),
            Shape::Enum(shape) => {
                for variant in &mut shape.variants {
                    variant.doc = "".into();
                    silence(variant.fields.as_deref_mut().unwrap_or_default());
                }
            }
            Shape::Newtype(_) | Shape::Tuple(_) => {}
        }
    }
    let mut carried = json!({
        "name": description.name,
        "version": description.version,
        "methods": methods,
        "types": definitions,
    });
    if !services.is_empty() {
        carried["services"] = services.into();
    }
    carried.to_string()
}

fn silence(fields: &mut [Field]) {
    for field in fields {
        field.doc = "".into();
    }
}
