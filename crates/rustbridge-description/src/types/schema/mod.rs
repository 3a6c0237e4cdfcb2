//! JSON Schemas of a plugin's messages, which its types make: so no plugin carries them, nor code to write them with.

mod write;

use serde_json::{Map, Value};

pub use self::write::schema;
use super::Table;
use crate::{Description, Error, Outline};

/// The encodings whose messages aren't what a schema could say.
const WITHOUT: [&str; 3] = ["wire", "pod", "raw"];

/// A description's text with the schemas that its types make: of what goes in and comes out in each encoding that writes the names of
/// fields, and of the configuration. A schema that's there stays, and so does what this version doesn't know. None if there's nothing to
/// be made.
///
/// # Errors
/// If it's no description, its types can't be used, or the schemas lie deeper in each other than a description may.
pub fn with_schemas(text: &[u8]) -> Result<Option<String>, Error> {
    let table = Table::of(&Description::read(text)?)?;
    let mut description: Map<String, Value> = serde_json::from_slice(text)
        .map_err(|error| Error::new(format_args!("it is not the JSON object expected: {error}")))?;
    let mut made = 0;
    if let Some(ty) = missing(&description, "config_type", "config") {
        made += 1;
        let schema = schema(&table, &table.reference(ty)?);
        description.insert("config".to_owned(), schema);
    }
    let methods = members(&mut description, "methods");
    for entry in methods.flat_map(|method| members(method, "entries")) {
        made += complete(&table, entry)?;
    }
    for service in members(&mut description, "services") {
        made += complete(&table, service)?;
    }
    if made == 0 {
        return Ok(None);
    }
    let text = text_of(description);
    // A schema is deeper than the type that it's made from, and hosts read the one as they read the other.
    Outline::read(text.as_bytes())?;
    Ok(Some(text))
}

/// The description's text, with what a reader may want without the rest in front, as plugins write it.
fn text_of(mut description: Map<String, Value>) -> String {
    let mut fields = Vec::new();
    for name in [
        "abi",
        "name",
        "version",
        "description",
        "rustbridge",
        "debug",
    ] {
        fields.extend(description.remove_entry(name));
    }
    fields.extend(description);
    let fields: Vec<String> = fields
        .into_iter()
        .map(|(name, value)| format!("{}:{value}", Value::String(name)))
        .collect();
    format!("{{{}}}", fields.join(","))
}

/// The type in the field `ty`, if there's no schema in the other.
fn missing<'v>(of: &'v Map<String, Value>, ty: &str, schema: &str) -> Option<&'v Value> {
    let is_missing = of.get(schema).is_none_or(Value::is_null);
    of.get(ty).filter(|ty| is_missing && !ty.is_null())
}

/// The objects in a list.
fn members<'v>(
    of: &'v mut Map<String, Value>,
    list: &str,
) -> impl Iterator<Item = &'v mut Map<String, Value>> + use<'v> {
    let list = of.get_mut(list).and_then(Value::as_array_mut);
    list.into_iter().flatten().filter_map(Value::as_object_mut)
}

/// Writes the schemas of what goes through an entry or a service, and says how many.
fn complete(table: &Table, entry: &mut Map<String, Value>) -> Result<usize, Error> {
    let encoding = entry.get("encoding").and_then(Value::as_str);
    if encoding.is_none_or(|encoding| WITHOUT.contains(&encoding)) {
        return Ok(0);
    }
    let mut made = 0;
    for side in ["request", "response", "items"] {
        let Some(side) = entry.get_mut(side).and_then(Value::as_object_mut) else {
            continue;
        };
        if let Some(ty) = missing(side, "type", "schema") {
            let schema = schema(table, &table.reference(ty)?);
            side.insert("schema".to_owned(), schema);
            made += 1;
        }
    }
    Ok(made)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decimal_number_may_be_a_text_or_a_number() {
        let described = r#"{"name":"p","methods":[{"name":"m","entries":[{"index":0,"encoding":"json","request":{"type":"decimal"}}]}]}"#;
        let complete = with_schemas(described.as_bytes()).unwrap().unwrap();
        let complete: Value = serde_json::from_str(&complete).unwrap();
        let schema = &complete["methods"][0]["entries"][0]["request"]["schema"];
        assert_eq!(schema["type"], serde_json::json!(["string", "number"]));
    }

    #[test]
    fn schemas_lie_no_deeper_than_a_description_may() {
        let described = |pairs: usize| {
            let (begin, end) = (r#"{"option":{"list":"#.repeat(pairs), "}}".repeat(pairs));
            format!(
                r#"{{"name":"p","methods":[{{"name":"m","entries":[{{"index":0,"encoding":"json","request":{{"type":{{"ref":0}}}}}}]}}],
                    "types":[{{"name":"T","record":[{{"name":"a","type":{begin}"u8"{end}}}]}}]}}"#
            )
        };
        let complete = with_schemas(described(10).as_bytes()).unwrap().unwrap();
        assert!(Outline::read(complete.as_bytes()).is_ok());
        let deep = described(32);
        assert!(Outline::read(deep.as_bytes()).is_ok());
        let why = with_schemas(deep.as_bytes()).unwrap_err().to_string();
        assert!(why.contains("100"), "{why}");
    }
}
