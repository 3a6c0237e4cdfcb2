//! What a description may have wrong that somebody has written by hand, and that its types alone don't tell.

use std::collections::HashSet;

use serde_json::Value;

use super::{Field, Shape, Signature, Table, Trait, TypeRef};
use crate::{Description, Entry, Side};

/// What is wrong with how a description uses its types, each in a sentence: nothing that a derive has written, for that can't
/// write it. A client of such a plugin would be refused later, or read something else than is sent.
#[must_use]
pub fn mistakes(plugin: &Description<'_, Value>, types: &Table) -> Vec<String> {
    let mut found = Vec::new();
    let mut names = HashSet::new();
    for definition in types.definitions() {
        let name = &definition.name;
        if !names.insert(name) {
            found.push(format!("two types are called `{name}`"));
        }
        if let Shape::Pod(fields) = &definition.shape {
            let odd = fields.iter().find(|field| !is_plain(types, &field.ty));
            found.extend(odd.map(|field| {
                format!(
                    "`{name}` is a pod, and its field `{}` is no number, pod or array of such",
                    field.name
                )
            }));
        }
    }
    for method in &plugin.methods {
        for entry in &method.entries {
            let mut wrong = Vec::new();
            in_entry(entry, types, &method.name, &mut wrong);
            let of = format_args!("`{}` in {}", method.name, entry.encoding).to_string();
            found.extend(wrong.into_iter().map(|what| format!("{of}: {what}")));
        }
    }
    for service in &plugin.services {
        let mut wrong = Vec::new();
        for (which, side) in [
            ("request", &service.request),
            ("response", &service.response),
        ] {
            in_side(which, side, types, &service.encoding, &mut wrong);
        }
        in_error(service.error.as_ref(), types, &service.encoding, &mut wrong);
        found.extend(
            wrong
                .into_iter()
                .map(|what| format!("the service `{}`: {what}", service.name)),
        );
    }
    if let Some(error) = plugin.config_type.as_ref().map(|ty| types.reference(ty)) {
        found.extend(
            error
                .err()
                .map(|error| format!("its configuration: {}", error.what())),
        );
    }
    found
}

fn in_entry(entry: &Entry<'_, Value>, types: &Table, method: &str, found: &mut Vec<String>) {
    let encoding = &*entry.encoding;
    let request = in_side("request", &entry.request, types, encoding, found);
    let response = in_side("response", &entry.response, types, encoding, found);
    match (&entry.items, entry.is_stream_in()) {
        (Some(items), true) => {
            in_side("items", items, types, encoding, found);
        }
        (Some(_), false) => found.push(format!("it has `items`, and is {}", entry.kind)),
        (None, true) if encoding == "wire" => {
            found.push("it accepts a stream but has no `items` type".to_owned());
        }
        (None, _) => {}
    }
    in_error(entry.error.as_ref(), types, encoding, found);
    let is_record = request
        .as_ref()
        .is_none_or(|ty| fields(types, ty).is_some());
    if entry.arguments && encoding == "wire" && !is_record {
        found.push("it has `arguments`, and its request is no record".to_owned());
    }
    let receiver = &*entry.receiver;
    let is_of_it = method
        .strip_prefix(receiver)
        .is_some_and(|rest| receiver.is_empty() || rest.starts_with(['.', ':']));
    if !is_of_it {
        found.push(format!(
            "it's a method of `{receiver}`, whose name its own would begin with"
        ));
    }
    in_class(method, entry, response.as_ref(), found);
    // A name that isn't known is a later version's. An encoding that isn't wire has the same types, or none.
    if let (Some(of), "wire") = (Trait::from_name(&entry.implements), encoding)
        && let Ok(signature) = Signature::of(types, entry)
    {
        found.extend(of.mistake(method, entry, &signature, |ty| types.show(ty)));
    }
}

/// What is wrong with the type of an error.
fn in_error(error: Option<&Side<'_>>, types: &Table, encoding: &str, found: &mut Vec<String>) {
    let Some(error) = error else { return };
    match in_side("error", error, types, encoding, found) {
        Some(TypeRef::Ref(_)) => {}
        // Told already.
        None if error.ty.is_some() => {}
        _ => found.push("its `error` is no type with a name".to_owned()),
    }
}

/// What is wrong with a constructor, an associated function or a property.
fn in_class(method: &str, entry: &Entry<'_>, response: Option<&TypeRef>, found: &mut Vec<String>) {
    let class = &*entry.class;
    let is_of_it = method
        .strip_prefix(class)
        .is_some_and(|rest| class.is_empty() || rest.starts_with('.'));
    if !is_of_it {
        found.push(format!(
            "its `class` is `{class}`, with which its name doesn't begin"
        ));
    }
    if !class.is_empty() && !entry.receiver.is_empty() {
        found.push("it has a `class` and a `receiver`".to_owned());
    }
    let is_made = matches!(response, Some(TypeRef::Object(name)) if **name == *class);
    if entry.constructor && entry.encoding == "wire" && !is_made {
        found.push(format!(
            "it's a constructor, and its response is no `{class}`"
        ));
    }
    if !["", "get", "set"].contains(&&*entry.property) {
        found.push(format!(
            "its `property` is `{}`, expected `get` or `set`",
            entry.property
        ));
    }
    if !entry.property.is_empty() && entry.receiver.is_empty() {
        found.push("it's a property of no object".to_owned());
    }
}

/// The type of a side, if it has one and that's right.
fn in_side(
    which: &str,
    side: &Side<'_>,
    types: &Table,
    encoding: &str,
    found: &mut Vec<String>,
) -> Option<TypeRef> {
    if encoding == "wire" && side.ty.is_none() && (side.schema.is_some() || side.layout.is_some()) {
        found.push(format!(
            "its {which} has no `type`, which the wire form goes by"
        ));
    }
    match types.reference(side.ty.as_ref()?) {
        Ok(ty) => Some(ty),
        Err(error) => {
            found.push(format!("its {which}: {}", error.what()));
            None
        }
    }
}

fn fields<'t>(types: &'t Table, ty: &TypeRef) -> Option<&'t [Field]> {
    let TypeRef::Ref(number) = ty else {
        return None;
    };
    match &types.get(*number)?.shape {
        Shape::Record(fields) => Some(fields),
        _ => None,
    }
}

/// Whether it may lie in a pod: numbers, and what consists of them alone.
fn is_plain(types: &Table, ty: &TypeRef) -> bool {
    match ty {
        TypeRef::Array(item, _) => is_plain(types, item),
        TypeRef::Ref(number) => types
            .get(*number)
            .is_some_and(|definition| matches!(definition.shape, Shape::Pod(_))),
        TypeRef::U8 | TypeRef::I8 => true,
        number => types.is_aligned(number),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::mistakes;
    use crate::Description;
    use crate::types::Table;

    /// A description that is right, with one thing changed.
    fn found(pointer: &str, value: Value) -> Vec<String> {
        let mut text = json!({
            "name": "p",
            "methods": [
                { "name": "add", "entries": [ { "index": 0, "encoding": "wire", "arguments": true,
                    "request": { "type": { "ref": 0 } }, "response": { "type": "i64" }, "error": { "type": { "ref": 1 } } } ] },
                { "name": "Set.put", "entries": [ { "index": 1, "encoding": "wire", "receiver": "Set", "kind": "client_stream",
                    "request": { "type": "unit" }, "response": { "type": "unit" }, "items": { "type": "u8" } } ] } ],
            "services": [ { "name": "s", "encoding": "wire", "request": { "type": "u8" }, "response": { "type": "u8" } } ],
            "config_type": { "ref": 0 },
            "types": [
                { "name": "Add", "record": [ { "name": "a", "type": "i64" }, { "name": "b", "type": "i64" } ] },
                { "name": "Odd", "enum": { "variants": [ { "name": "Large" } ] } },
                { "name": "Pair", "pod": [ { "name": "a", "type": { "array": ["u8", 8] } }, { "name": "b", "type": "f64" } ] } ]
        });
        if !pointer.is_empty() {
            *text.pointer_mut(pointer).unwrap() = value;
        }
        let text = text.to_string();
        let plugin: Description<'_, Value> = Description::read(text.as_bytes()).unwrap();
        let types = Table::of(&plugin).unwrap();
        mistakes(&plugin, &types)
    }

    #[test]
    fn each_mistake_is_told_and_where() {
        assert_eq!(found("", Value::Null), Vec::<String>::new());
        for (pointer, value, told) in [
            ("/types/1/name", json!("Add"), "two types are called `Add`"),
            (
                "/types/2/pod/1/type",
                json!("string"),
                "`Pair` is a pod, and its field `b` is no number",
            ),
            ("/types/2/pod/0/type", json!("bool"), "its field `a`"),
            (
                "/methods/0/entries/0/request/type",
                json!({ "ref": 7 }),
                "`add` in wire: its request: ",
            ),
            (
                "/methods/0/entries/0/request",
                json!({ "type": "i64" }),
                "it has `arguments`, and its request is no record",
            ),
            (
                "/methods/0/entries/0/response",
                json!({ "schema": true }),
                "its response has no `type`",
            ),
            (
                "/methods/0/entries/0/error/type",
                json!("i64"),
                "its `error` is no type with a name",
            ),
            (
                "/methods/0/entries/0/error/type",
                json!({ "ref": 9 }),
                "`add` in wire: its error: ",
            ),
            (
                "/methods/0/entries/0/error",
                json!({}),
                "its `error` is no type with a name",
            ),
            (
                "/methods/1/entries/0/receiver",
                json!("Sets"),
                "it's a method of `Sets`",
            ),
            (
                "/methods/1/entries/0/items",
                Value::Null,
                "has no `items` type",
            ),
            (
                "/methods/1/entries/0/kind",
                json!("unary"),
                "it has `items`, and is unary",
            ),
            (
                "/services/0/request/type",
                json!({ "ref": 9 }),
                "the service `s`: its request: ",
            ),
            ("/config_type", json!("u9"), "its configuration: "),
        ] {
            let found = found(pointer, value);
            assert!(
                found.len() == 1 && found[0].contains(told),
                "{pointer}: {found:?}"
            );
        }
    }
}
