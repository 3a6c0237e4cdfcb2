//! What a method takes and gives, for clients with types: in the wire form, or as raw bytes.

use std::borrow::Cow;

use rustbridge_abi::Encoding;
use serde_json::Value;

use super::compare::compare_errors;
use super::{
    Change, Definition, Direction, Effect, Field, Fingerprint, Shape, Table, TypeRef, compare,
    fingerprint,
};
use crate::{Entry, Error, Side};

/// The types of a method, or of a service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// Whether messages are the bytes or the text itself, without a form. Otherwise they are in the wire form.
    pub is_raw: bool,
    /// What calling it means: [`UNARY`](crate::UNARY), say.
    pub kind: String,
    /// What goes in: `unit` if nothing does.
    pub request: TypeRef,
    /// What comes out; of a stream, each item.
    pub response: TypeRef,
    /// What each item is that is sent to it, if it takes a stream.
    pub items: Option<TypeRef>,
    /// What the handler fails with, if that has a type of its own.
    pub error: Option<TypeRef>,
    /// Whether the request is a record of what the handler takes one by one. The wire form is the same.
    one_by_one: bool,
    /// The name of the only parameter, which is the whole request; empty where there's none or several. Not in the fingerprint, since it's not
    /// in messages.
    pub parameter: String,
    /// The type of the object whose method it is; empty for the plugin's own.
    pub receiver: String,
}

/// The most that clients take one by one: C# has no tuples of more.
pub const MOST_ARGUMENTS: usize = 12;

/// The entries of a method that clients with types can call: one in the wire form, and a raw one that has one request and one response.
pub fn typed_entries<'e, 'a, S>(
    entries: &'e [Entry<'a, S>],
) -> impl Iterator<Item = &'e Entry<'a, S>> {
    let wire = |entry: &&Entry<'a, S>| entry.known() == Some(Encoding::Wire);
    let raw = |entry: &&Entry<'a, S>| entry.callable() == Some(Encoding::Raw);
    let wire = entries.iter().find(wire);
    wire.into_iter().chain(entries.iter().find(raw))
}

/// The entry that clients with types call: the one in the wire form, if there's one.
#[must_use]
pub fn typed_entry<'e, 'a, S>(entries: &'e [Entry<'a, S>]) -> Option<&'e Entry<'a, S>> {
    typed_entries(entries).next()
}

impl Signature {
    /// Reads it from an entry in the wire form, or a raw one.
    ///
    /// # Errors
    /// If a type isn't one, or isn't in the table.
    pub fn of(table: &Table, entry: &Entry<'_, Value>) -> Result<Signature, Error> {
        let is_raw = entry.encoding == Encoding::Raw.name();
        let side = |side: &Side<'_>| match &side.ty {
            Some(value) if is_raw => match table.reference(value)? {
                ty @ (TypeRef::Unit | TypeRef::String | TypeRef::Bytes) => Ok(ty),
                other => Err(Error::new(format!(
                    "a raw entry has bytes, a string or nothing, not {}",
                    table.show(&other)
                ))),
            },
            Some(value) => table.reference(value),
            None if is_raw => Ok(TypeRef::Bytes),
            None => Ok(TypeRef::Unit),
        };
        Ok(Signature {
            is_raw,
            kind: entry.kind.to_string(),
            request: side(&entry.request)?,
            response: side(&entry.response)?,
            items: entry.items.as_ref().map(side).transpose()?,
            error: entry.error.as_ref().map(side).transpose()?,
            one_by_one: entry.arguments,
            parameter: entry.parameter.to_string(),
            receiver: entry.receiver.to_string(),
        })
    }

    /// What clients take one by one, if they do: the fields of the request's record. Clients know the values of all defaults. A single field has
    /// a default value: without one, the parameter itself is the request.
    #[must_use]
    pub fn arguments<'t>(&self, table: &'t Table) -> Option<&'t [Field]> {
        let TypeRef::Ref(number) = self.request else {
            return None;
        };
        let Shape::Record(fields) = &table.get(number)?.shape else {
            return None;
        };
        let is_plain = |field: &Field| !field.has_unknown_default() && !field.flatten;
        let are_plain = fields.iter().all(is_plain);
        let are_few = match &fields[..] {
            [one] => one.default,
            several => (2..=MOST_ARGUMENTS).contains(&several.len()),
        };
        (self.one_by_one && are_plain && are_few).then_some(fields)
    }

    /// What two sides have in common exactly if nothing has to be resolved between them.
    #[must_use]
    pub fn fingerprint(&self, table: &Table) -> Fingerprint {
        let types = [
            Some(&self.request),
            Some(&self.response),
            self.items.as_ref(),
        ];
        // Nothing where there's none, so that it's as it was before errors had types.
        let error = self.error.iter().map(Some);
        let form = if self.is_raw { " raw" } else { "" };
        fingerprint(
            table,
            &format!("{}{form} {}", self.kind, self.receiver),
            types.into_iter().chain(error),
        )
    }

    /// What is different between a client's and a plugin's; see [`compare`].
    #[must_use]
    pub fn compare(client: (&Table, &Signature), plugin: (&Table, &Signature)) -> Vec<Change> {
        let ((known, client), (table, plugin)) = (client, plugin);
        let different = |what: &str, one: &str, other: &str| {
            (one != other).then(|| Change {
                path: String::new(),
                effect: Effect::Breaks,
                what: format!("{what} `{one}` for the client, and `{other}` in the plugin"),
            })
        };
        let form = |is_raw: bool| if is_raw { "raw" } else { "wire" };
        let mut changes: Vec<Change> = different("it's", &client.kind, &plugin.kind)
            .into_iter()
            .chain(different(
                "it's called in",
                form(client.is_raw),
                form(plugin.is_raw),
            ))
            .chain(different(
                "it's a method of",
                &client.receiver,
                &plugin.receiver,
            ))
            .collect();
        if client.is_raw && plugin.is_raw {
            // Raw messages have no form that could be resolved.
            for (what, one, other) in [
                ("request", &client.request, &plugin.request),
                ("response", &client.response, &plugin.response),
            ] {
                if one != other {
                    changes.push(Change {
                        path: what.to_owned(),
                        effect: Effect::Breaks,
                        what: format!(
                            "the client has {}, and the plugin {}",
                            known.show(one),
                            table.show(other)
                        ),
                    });
                }
            }
            return changes;
        }
        let requests = Requests::of((known, client), (table, plugin));
        let found = compare(requests.client(), requests.plugin(), Direction::Request);
        changes.extend(found.into_iter().map(|change| change.within("request")));
        let mut side = |what: &str, one: &TypeRef, other: &TypeRef, direction| {
            let found = compare((known, one), (table, other), direction);
            changes.extend(found.into_iter().map(|change| change.within(what)));
        };
        side(
            "response",
            &client.response,
            &plugin.response,
            Direction::Response,
        );
        if let (Some(one), Some(other)) = (&client.items, &plugin.items) {
            side("items", one, other, Direction::Request);
        }
        match (&client.error, &plugin.error) {
            (Some(one), Some(other)) => {
                let found = compare_errors((known, one), (table, other));
                changes.extend(found.into_iter().map(|change| change.within("error")));
            }
            (None, None) => {}
            (_, error) => changes.push(Change {
                path: "error".to_owned(),
                effect: Effect::Resolved,
                what: match error {
                    Some(_) => "it has a type in the plugin, and none for the client".to_owned(),
                    None => "it has a type for the client, and none in the plugin".to_owned(),
                },
            }),
        }
        changes
    }
}

/// The requests of a method as both sides have them. Where they have different numbers of parameters they are records of parameters: the wire
/// form of a record with one field is the field's, and that of one without fields is empty.
pub(super) struct Requests<'t> {
    client: (Cow<'t, Table>, TypeRef),
    plugin: (Cow<'t, Table>, TypeRef),
}

/// How many parameters a method has, as far as its description says.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Parameters {
    None,
    One,
    Several,
    /// The request isn't said to be parameters.
    Unnamed,
}

impl<'t> Requests<'t> {
    pub(super) fn of(
        client: (&'t Table, &Signature),
        plugin: (&'t Table, &Signature),
    ) -> Requests<'t> {
        use Parameters::{None, One, Several};
        let has_others = matches!(
            (client.1.parameters(client.0), plugin.1.parameters(plugin.0)),
            (None, One | Several) | (One, None | Several) | (Several, None | One)
        );
        // Several parameters and one message of the same fields are the same request.
        let breaks = || {
            let (one, other) = (&client.1.request, &plugin.1.request);
            let found = compare((client.0, one), (plugin.0, other), Direction::Request);
            found.iter().any(Change::breaks)
        };
        let is_wrapped = has_others && breaks();
        let of = |(table, signature): (&'t Table, &Signature)| {
            let wrapped = is_wrapped.then(|| signature.as_record(table)).flatten();
            wrapped.map_or_else(
                || (Cow::Borrowed(table), signature.request.clone()),
                |(table, ty)| (Cow::Owned(table), ty),
            )
        };
        Requests {
            client: of(client),
            plugin: of(plugin),
        }
    }

    pub(super) fn client(&self) -> (&Table, &TypeRef) {
        (&self.client.0, &self.client.1)
    }

    pub(super) fn plugin(&self) -> (&Table, &TypeRef) {
        (&self.plugin.0, &self.plugin.1)
    }
}

impl Signature {
    fn parameters(&self, table: &Table) -> Parameters {
        let is_record = |number: u32| {
            let shape = table.get(number).map(|definition| &definition.shape);
            matches!(shape, Some(Shape::Record(_)))
        };
        match self.request {
            _ if self.is_raw => Parameters::Unnamed,
            TypeRef::Ref(number) if self.one_by_one && is_record(number) => Parameters::Several,
            TypeRef::Unit => Parameters::None,
            _ if !self.parameter.is_empty() => Parameters::One,
            _ => Parameters::Unnamed,
        }
    }

    /// The request as a record of parameters, in a table that has it. `None` if it's one already.
    fn as_record(&self, table: &Table) -> Option<(Table, TypeRef)> {
        let fields = match self.parameters(table) {
            Parameters::None => Vec::new(),
            Parameters::One => vec![Field {
                name: self.parameter.clone().into(),
                ty: self.request.clone(),
                doc: "".into(),
                default: false,
                default_value: None,
                flatten: false,
            }],
            Parameters::Several | Parameters::Unnamed => return None,
        };
        let mut definitions = table.definitions().to_vec();
        let number = definitions.len() as u32;
        definitions.push(Definition {
            name: "Parameters".into(),
            doc: "".into(),
            status: "".into(),
            shape: Shape::Record(fields),
        });
        Some((Table::new(definitions).ok()?, TypeRef::Ref(number)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Description;
    use crate::types::Resolution;

    /// A plugin's method `m`, whose request is this.
    fn method(request: &str, types: &str) -> (Table, Signature) {
        let text = format!(
            r#"{{"name":"p","types":[{types}],"methods":[{{"name":"m","entries":[{{"index":0,"encoding":"wire",{request},"response":{{"type":"unit"}}}}]}}]}}"#
        );
        let description: Description<'_, Value> = Description::read(text.as_bytes()).unwrap();
        let table = Table::of(&description).unwrap();
        let signature = Signature::of(&table, &description.methods[0].entries[0]).unwrap();
        (table, signature)
    }

    fn resolve(
        client: &(Table, Signature),
        plugin: &(Table, Signature),
    ) -> Result<Resolution, Vec<Change>> {
        Signature::resolve((&client.0, &client.1), (&plugin.0, &plugin.1))
    }

    const PAUSE: &str = r#"{"name":"pause_ms","type":"u32"}"#;
    const TRIAL: &str = r#"{"name":"trial","type":{"option":"bool"}}"#;

    fn several(fields: &[&str]) -> (Table, Signature) {
        let record = format!(r#"{{"name":"P","record":[{}]}}"#, fields.join(","));
        method(r#""arguments":true,"request":{"type":{"ref":0}}"#, &record)
    }

    #[test]
    fn one_optional_parameter_more_is_compatible_both_ways_whatever_the_number_before() {
        let none = method(r#""request":{"type":"unit"}"#, "");
        let trial = method(
            r#""parameter":"trial","request":{"type":{"option":"bool"}}"#,
            "",
        );
        let pause = method(r#""parameter":"pause_ms","request":{"type":"u32"}"#, "");
        let both = several(&[PAUSE, TRIAL]);
        let three = several(&[PAUSE, r#"{"name":"who","type":{"option":"string"}}"#, TRIAL]);
        let sent = |client, plugin, message: &[u8]| {
            let plan = resolve(client, plugin).unwrap().request.unwrap();
            plan.resolve(message).map_err(|problem| problem.path)
        };
        assert_eq!(sent(&none, &trial, &[]), Ok(vec![0]));
        assert_eq!(sent(&trial, &none, &[0]), Ok(vec![]));
        assert_eq!(sent(&trial, &none, &[1, 1]), Err("trial".to_owned()));
        assert_eq!(sent(&pause, &both, &[7, 0, 0, 0]), Ok(vec![7, 0, 0, 0, 0]));
        assert_eq!(sent(&both, &pause, &[7, 0, 0, 0, 0]), Ok(vec![7, 0, 0, 0]));
        assert_eq!(
            sent(&both, &pause, &[7, 0, 0, 0, 1, 1]),
            Err("trial".to_owned())
        );
        assert_eq!(
            sent(&both, &three, &[7, 0, 0, 0, 1, 1]),
            Ok(vec![7, 0, 0, 0, 0, 1, 1])
        );
        assert_eq!(
            sent(&pause, &three, &[7, 0, 0, 0]),
            Ok(vec![7, 0, 0, 0, 0, 0])
        );
        // Of several, all optional, a client that has none.
        assert_eq!(sent(&none, &several(&[TRIAL]), &[]), Ok(vec![0]));
    }

    #[test]
    fn a_parameter_that_is_needed_breaks_and_another_name_of_the_only_one_does_not() {
        let pause = method(r#""parameter":"pause_ms","request":{"type":"u32"}"#, "");
        let other = method(r#""parameter":"wait_ms","request":{"type":"u32"}"#, "");
        assert_eq!(resolve(&pause, &other).unwrap().request, None);
        let needs = several(&[PAUSE, r#"{"name":"who","type":"string"}"#]);
        let told = resolve(&pause, &needs).unwrap_err();
        assert_eq!(told[0].path, "request.who");
        assert!(told[0].breaks());
        // By another name it's another parameter.
        assert!(resolve(&other, &several(&[PAUSE, TRIAL])).is_err());
        let none = method(r#""request":{"type":"unit"}"#, "");
        assert!(resolve(&none, &pause).is_err());
        // What isn't said to be a parameter is compared as it is.
        let unnamed = method(r#""request":{"type":"u32"}"#, "");
        assert!(resolve(&unnamed, &several(&[PAUSE, TRIAL])).is_err());
    }

    #[test]
    fn a_message_as_the_only_parameter_becomes_the_first_of_two() {
        let contact = r#"{"name":"Contact","record":[{"name":"ages","type":{"list":"f64"}}]}"#;
        let one = method(
            r#""parameter":"contact","request":{"type":{"ref":0}}"#,
            contact,
        );
        let two = method(
            r#""arguments":true,"request":{"type":{"ref":1}}"#,
            &format!(
                r#"{contact},{{"name":"P","record":[{{"name":"contact","type":{{"ref":0}}}},{TRIAL}]}}"#
            ),
        );
        let plan = resolve(&one, &two).unwrap().request.unwrap();
        let mut message = vec![1, 0, 0, 0, 0, 0, 0, 0];
        message.extend(1.5_f64.to_le_bytes());
        assert_eq!(plan.resolve(&message).unwrap(), [&*message, &[0]].concat());
    }

    #[test]
    fn several_parameters_and_a_message_of_the_same_fields_are_the_same_request() {
        let message = r#"{"name":"Pause","record":[{"name":"pause_ms","type":"u32"},{"name":"trial","type":{"option":"bool"}},{"name":"who","type":{"option":"string"}}]}"#;
        let one = method(
            r#""parameter":"request","request":{"type":{"ref":0}}"#,
            message,
        );
        let plan = resolve(&several(&[PAUSE, TRIAL]), &one).unwrap().request;
        assert_eq!(
            plan.unwrap().resolve(&[7, 0, 0, 0, 0]).unwrap(),
            [7, 0, 0, 0, 0, 0]
        );
    }

    #[test]
    fn raw_messages_have_one_type_on_both_sides() {
        let raw = |request: &str| {
            let text = format!(
                r#"{{"name":"p","types":[{{"name":"Blob","newtype":"bytes"}}],"methods":[{{"name":"m","entries":[{{"index":0,"encoding":"raw","request":{request},"response":{{"type":"unit"}}}}]}}]}}"#
            );
            let description: Description<'_, Value> = Description::read(text.as_bytes()).unwrap();
            let table = Table::of(&description).unwrap();
            let signature = Signature::of(&table, &description.methods[0].entries[0]);
            signature.map(|signature| (table, signature))
        };
        let (bytes, text) = (raw("{}").unwrap(), raw(r#"{"type":"string"}"#).unwrap());
        assert_eq!(bytes.1.request, TypeRef::Bytes);
        assert_eq!(resolve(&bytes, &bytes).unwrap().request, None);
        let told = resolve(&bytes, &text).unwrap_err();
        assert!(told[0].breaks() && told[0].path == "request", "{told:?}");
        let wire = method(r#""request":{"type":"bytes"}"#, "");
        assert!(resolve(&bytes, &wire).is_err());
        assert!(raw(r#"{"type":{"ref":0}}"#).is_err());
    }
}
