//! What a method takes and gives in the wire form.

use serde_json::Value;

use super::compare::compare_errors;
use super::{Change, Direction, Field, Fingerprint, Shape, Table, TypeRef, compare, fingerprint};
use crate::{Entry, Error, Side};

/// The types of a method, or of a service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
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
    /// The type of the object whose method it is; empty for the plugin's own.
    pub receiver: String,
}

/// The most that clients take one by one: C# has no tuples of more.
const MOST_ARGUMENTS: usize = 12;

impl Signature {
    /// Reads it from an entry in the wire form.
    ///
    /// # Errors
    /// If a type isn't one, or isn't in the table.
    pub fn of(table: &Table, entry: &Entry<'_, Value>) -> Result<Signature, Error> {
        let side = |side: &Side<'_>| match &side.ty {
            Some(value) => table.reference(value),
            None => Ok(TypeRef::Unit),
        };
        Ok(Signature {
            kind: entry.kind.to_string(),
            request: side(&entry.request)?,
            response: side(&entry.response)?,
            items: entry.items.as_ref().map(side).transpose()?,
            error: entry.error.as_ref().map(side).transpose()?,
            one_by_one: entry.arguments,
            receiver: entry.receiver.to_string(),
        })
    }

    /// What clients take one by one, if they do: the fields of the request's record, none of which has a default.
    #[must_use]
    pub fn arguments<'t>(&self, table: &'t Table) -> Option<&'t [Field]> {
        let TypeRef::Ref(number) = self.request else {
            return None;
        };
        let Shape::Record(fields) = &table.get(number)?.shape else {
            return None;
        };
        let are_plain = fields.iter().all(|field| !field.default && !field.flatten);
        let are_few = (2..=MOST_ARGUMENTS).contains(&fields.len());
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
        fingerprint(
            table,
            &format!("{} {}", self.kind, self.receiver),
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
                breaks: true,
                what: format!("{what} `{one}` for the client, and `{other}` in the plugin"),
            })
        };
        let mut changes: Vec<Change> = different("it's", &client.kind, &plugin.kind)
            .into_iter()
            .chain(different(
                "it's a method of",
                &client.receiver,
                &plugin.receiver,
            ))
            .collect();
        let mut side = |what: &str, one: &TypeRef, other: &TypeRef, direction| {
            let found = compare((known, one), (table, other), direction);
            changes.extend(found.into_iter().map(|change| change.within(what)));
        };
        side(
            "request",
            &client.request,
            &plugin.request,
            Direction::Request,
        );
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
                breaks: false,
                what: match error {
                    Some(_) => "it has a type in the plugin, and none for the client".to_owned(),
                    None => "it has a type for the client, and none in the plugin".to_owned(),
                },
            }),
        }
        changes
    }
}
