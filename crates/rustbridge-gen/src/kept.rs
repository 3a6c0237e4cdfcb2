//! The description as it's kept in a file, for who can't run the plugin.

use serde_json::Value;

use crate::error::Error;

/// The text of a plugin's description, to be kept beside its client: without what doesn't say what the plugin can do (whether it's
/// a debug build) and without schemas, which say what types say.
///
/// # Errors
/// If it isn't JSON.
pub fn kept(text: &[u8]) -> Result<String, Error> {
    let mut description: Value = serde_json::from_slice(text).map_err(Error::new)?;
    if let Some(fields) = description.as_object_mut() {
        fields.remove("debug");
        fields.remove("config");
        for list in ["methods", "services"] {
            fields.get_mut(list).map(without_schemas);
        }
    }
    Ok(format!("{description:#}\n"))
}

/// Takes the schemas out of entries and services, wherever they stand. Types have names of their own, and fields that may be called so.
fn without_schemas(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(without_schemas),
        Value::Object(fields) => {
            for side in ["request", "response", "items"] {
                if let Some(side) = fields.get_mut(side).and_then(Value::as_object_mut) {
                    side.remove("schema");
                }
            }
            if let Some(entries) = fields.get_mut("entries") {
                without_schemas(entries);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemas_and_the_build_are_left_out() {
        let text = br#"{"name": "p", "debug": true, "config": {}, "methods": [{"name": "schema", "entries": [
            {"index": 0, "encoding": "json", "request": {"schema": {"a": 1}}, "response": {"type": "u8", "schema": 1}}]}],
            "types": [{"name": "schema", "record": [{"name": "schema", "type": "u8"}]}]}"#;
        let kept = kept(text).unwrap();
        let kept: Value = serde_json::from_str(&kept).unwrap();
        assert_eq!(
            kept,
            serde_json::json!({"name": "p", "methods": [{"name": "schema", "entries": [
                {"index": 0, "encoding": "json", "request": {}, "response": {"type": "u8"}}]}],
                "types": [{"name": "schema", "record": [{"name": "schema", "type": "u8"}]}]})
        );
    }
}
