//! What is different between two versions of a plugin, for who was written for the older one.

use std::fmt;

use serde_json::Value;

use super::traits::{called_for, trait_of};
use super::{Change, Direction, Effect, Signature, Table, compare, compare_services};
use crate::{Description, Entry, Error, Method, Service, Side};

/// The encoding of typed clients.
const WIRE: &str = "wire";

/// Those in which fields and variants are known by their places, and nothing brings both sides together.
const WITHOUT_NAMES: [&str; 2] = ["bincode", "postcard"];

/// What is different in one method or service, or in the plugin as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The method's or the service's name; empty for the plugin as a whole.
    pub of: String,
    /// What it is, and what it does to clients and hosts of the one version that load the other.
    pub change: Change,
    /// The encodings whose callers it concerns. Empty if it concerns typed clients, or all callers.
    pub encodings: Vec<String>,
}

/// For people: `person: at request.age: the client has u32, and the plugin String`.
impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.of.is_empty() {
            write!(f, "{}: ", self.of)?;
        }
        self.change.fmt(f)
    }
}

/// Compares two versions of a plugin: what becomes of clients and hosts that were written for `old` when they load `new`. For those that
/// were written for the newer one and load the older, give them the other way round.
///
/// Types are compared as [`Signature::compare`] does. Layouts have to be equal, since hosts lay them out by hand. Schemas aren't
/// understood: where nothing else describes a method, that they differ is told, and doesn't break.
///
/// # Errors
/// If the types of one of the two can't be used.
pub fn differences(
    old: &Description<'_, Value>,
    new: &Description<'_, Value>,
) -> Result<Vec<Difference>, Error> {
    let mut found = Found {
        old: Table::of(old)?,
        new: Table::of(new)?,
        of: String::new(),
        encodings: Vec::new(),
        differences: Vec::new(),
    };
    if old.name != new.name {
        found.tell(
            Effect::Resolved,
            format_args!(
                "the plugin was called `{}`, and is `{}`",
                old.name, new.name
            ),
        );
    }
    if let (Some(ty), Some(other)) = (&old.config_type, &new.config_type) {
        found.types("configuration", ty, other, Direction::Request, false)?;
    } else if old.config.as_ref().filter(|it| !accepts_all(it))
        != new.config.as_ref().filter(|it| !accepts_all(it))
    {
        found.tell(Effect::Resolved, "its configuration has another schema");
    }
    for method in &old.methods {
        found.of = method.name.to_string();
        match new.methods.iter().find(|other| other.name == method.name) {
            Some(other) => {
                found.method(method, other)?;
                found.trait_of(method, other);
            }
            None => found.lost(method),
        }
    }
    for method in &new.methods {
        if !old.methods.iter().any(|other| other.name == method.name) {
            found.added(method);
        }
    }
    for service in &new.services {
        found.of = service.name.to_string();
        match old.services.iter().find(|other| other.name == service.name) {
            Some(before) => found.service(before, service)?,
            None if service.optional => found.tell(
                Effect::Resolved,
                "the plugin calls this host function if it's registered",
            ),
            None => found.tell(Effect::Breaks, "the plugin requires this host function"),
        }
    }
    for service in &old.services {
        if !new.services.iter().any(|other| other.name == service.name) {
            found.of = service.name.to_string();
            found.tell(
                Effect::Resolved,
                "the plugin no longer calls this host function",
            );
        }
    }
    Ok(found.differences)
}

struct Found {
    old: Table,
    new: Table,
    /// What is compared.
    of: String,
    /// The encodings of its callers, if it's an entry of one.
    encodings: Vec<String>,
    differences: Vec<Difference>,
}

impl Found {
    fn tell(&mut self, effect: Effect, what: impl fmt::Display) {
        self.add(Change {
            path: String::new(),
            effect,
            what: what.to_string(),
        });
    }

    fn add(&mut self, change: Change) {
        self.differences.push(Difference {
            of: self.of.clone(),
            change,
            encodings: self.encodings.clone(),
        });
    }

    /// A method, or a trait of an object's type, that only the older version has.
    fn lost(&mut self, method: &Method<'_, Value>) {
        let Some((object, of)) = called_for(method) else {
            self.tell(Effect::FailsWhenUsed, "the plugin doesn't have this method");
            return;
        };
        object.clone_into(&mut self.of);
        self.tell(
            Effect::FailsWhenUsed,
            format_args!("the type no longer has the trait `{}`", of.name()),
        );
    }

    /// A method, or a trait of an object's type, that only the newer version has.
    fn added(&mut self, method: &Method<'_, Value>) {
        match called_for(method) {
            None => {
                self.of = method.name.to_string();
                self.tell(Effect::Resolved, "the plugin has added this method");
            }
            Some((object, of)) => {
                object.clone_into(&mut self.of);
                self.tell(
                    Effect::Resolved,
                    format_args!("the type has the trait `{}`, too", of.name()),
                );
            }
        }
    }

    /// Compares for which operations a method is called. It can be called in any case.
    fn trait_of(&mut self, old: &Method<'_, Value>, new: &Method<'_, Value>) {
        let (old, new) = (trait_of(old), trait_of(new));
        if old == new {
            return;
        }
        let what = match (old, new) {
            (Some(old), Some(new)) => format!("it was `{}`, and is `{}`", old.name(), new.name()),
            (Some(old), None) => format!("it's no longer the `{}` of its object", old.name()),
            (None, Some(new)) => format!("it's now the `{}` of its object", new.name()),
            (None, None) => return,
        };
        self.tell(Effect::Resolved, what);
    }

    fn method(&mut self, old: &Method<'_, Value>, new: &Method<'_, Value>) -> Result<(), Error> {
        if old.id != new.id && old.id.is_some() {
            self.tell(Effect::Breaks, "the method has another number");
        }
        for entry in &old.entries {
            self.encodings = vec![entry.encoding.to_string()];
            let Some(other) = new
                .entries
                .iter()
                .find(|other| other.encoding == entry.encoding)
            else {
                self.tell(
                    Effect::Breaks,
                    format_args!("it can't be called in `{}`", entry.encoding),
                );
                continue;
            };
            if entry.encoding == WIRE {
                // It speaks for the encodings with names as well.
                self.encodings.clear();
                let signature = Signature::of(&self.old, entry)?;
                let other = Signature::of(&self.new, other)?;
                for change in Signature::compare((&self.old, &signature), (&self.new, &other)) {
                    self.add(change);
                }
            } else {
                let typed = old.entries.iter().any(|entry| entry.encoding == WIRE);
                self.untyped(entry, other, typed)?;
            }
        }
        self.encodings.clear();
        for entry in &new.entries {
            if !old
                .entries
                .iter()
                .any(|other| other.encoding == entry.encoding)
            {
                self.tell(
                    Effect::Resolved,
                    format_args!("it can be called in `{}`, too", entry.encoding),
                );
            }
        }
        Ok(())
    }

    /// Compares what a message, or the configuration, is in both. In an encoding without names whatever differs breaks.
    fn types(
        &mut self,
        of: &str,
        old: &Value,
        new: &Value,
        direction: Direction,
        without_names: bool,
    ) -> Result<(), Error> {
        let (old, new) = (self.old.reference(old)?, self.new.reference(new)?);
        for change in compare((&self.old, &old), (&self.new, &new), direction) {
            let effect = match change.effect {
                Effect::Noted => Effect::Noted,
                _ if without_names => Effect::Breaks,
                effect => effect,
            };
            self.add(Change { effect, ..change }.within(of));
        }
        Ok(())
    }

    /// Entries in another encoding than the wire form. If the same method is in that as well, it says what has changed.
    fn untyped(
        &mut self,
        old: &Entry<'_, Value>,
        new: &Entry<'_, Value>,
        typed: bool,
    ) -> Result<(), Error> {
        let encoding = &old.encoding;
        if !typed && old.kind != new.kind {
            self.tell(
                Effect::Breaks,
                format_args!(
                    "it was `{}` in `{encoding}`, and is `{}`",
                    old.kind, new.kind
                ),
            );
        }
        if !typed && old.receiver != new.receiver {
            self.tell(
                Effect::Breaks,
                format_args!("it's the method of another object in `{encoding}`"),
            );
        }
        let none = Side::bytes();
        let (items, other_items) = (old.items.as_ref(), new.items.as_ref());
        let sides = [
            ("request", &old.request, &new.request, Direction::Request),
            (
                "response",
                &old.response,
                &new.response,
                Direction::Response,
            ),
            (
                "items",
                items.unwrap_or(&none),
                other_items.unwrap_or(&none),
                Direction::Request,
            ),
        ];
        for (side, one, other, direction) in sides {
            if let (Some(ty), Some(other)) = (&one.ty, &other.ty) {
                if !typed {
                    let without_names = WITHOUT_NAMES.contains(&&*old.encoding);
                    self.types(side, ty, other, direction, without_names)?;
                }
                continue;
            }
            let (effect, what) = if one.layout != other.layout {
                (Effect::Breaks, "lies in memory in another way")
            } else if !typed && one.schema != other.schema {
                (Effect::Resolved, "has another schema")
            } else {
                continue;
            };
            self.add(Change {
                path: side.to_owned(),
                effect,
                what: format!("it {what}, in `{encoding}`"),
            });
        }
        Ok(())
    }

    fn service(&mut self, old: &Service<'_, Value>, new: &Service<'_, Value>) -> Result<(), Error> {
        if old.encoding != new.encoding {
            self.tell(
                Effect::Breaks,
                format_args!(
                    "it was called in `{}`, and is in `{}`",
                    old.encoding, new.encoding
                ),
            );
            return Ok(());
        }
        if old.optional && !new.optional {
            self.tell(
                Effect::Breaks,
                "the plugin now requires this host function, which was optional",
            );
        }
        if old.encoding == WIRE {
            for change in compare_services((&self.old, old), (&self.new, new))? {
                self.add(change);
            }
            return Ok(());
        }
        let sides = [
            ("request", &old.request, &new.request, Direction::Response),
            ("response", &old.response, &new.response, Direction::Request),
        ];
        for (side, one, other, direction) in sides {
            if let (Some(ty), Some(other)) = (&one.ty, &other.ty) {
                let without_names = WITHOUT_NAMES.contains(&&*old.encoding);
                self.types(side, ty, other, direction, without_names)?;
            } else if one.layout != other.layout || one.schema != other.schema {
                self.add(Change {
                    path: side.to_owned(),
                    effect: match one.layout == other.layout {
                        true => Effect::Resolved,
                        false => Effect::Breaks,
                    },
                    what: "it has another form".to_owned(),
                });
            }
        }
        Ok(())
    }
}

/// Whether a schema accepts every value, as one that isn't there does.
fn accepts_all(schema: &Value) -> bool {
    *schema == Value::Bool(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(old: &str, new: &str) -> Vec<(Effect, String)> {
        let read = |text: &str| format!(r#"{{"name":"p",{text}}}"#);
        let (old, new) = (read(old), read(new));
        let old = Description::read(old.as_bytes()).unwrap();
        let new = Description::read(new.as_bytes()).unwrap();
        differences(&old, &new)
            .unwrap()
            .into_iter()
            .map(|found| (found.change.effect, found.to_string()))
            .collect()
    }

    #[test]
    fn a_configuration_that_is_ignored_needs_no_schema() {
        assert_eq!(said(r#""config":true"#, r#""methods":[]"#), []);
        assert_eq!(said(r#""config":true"#, r#""config":{}"#).len(), 1);
    }

    #[test]
    fn a_difference_names_the_encodings_whose_callers_it_concerns() {
        let read = |text: &str| -> Description<'static, Value> {
            let text = format!(r#"{{"name":"p",{text}}}"#);
            Description::read(Box::leak(text.into_boxed_str()).as_bytes()).unwrap()
        };
        let method = |wire: &str, size: u32| {
            let pod = format!(
                r#"{{"index":1,"encoding":"pod","request":{{"layout":{{"type":"A","size":{size}}}}}}}"#
            );
            let json = r#"{"index":2,"encoding":"json"}"#;
            read(&format!(
                r#""methods":[{{"name":"m","entries":[{{"index":0,"encoding":"wire","request":{{"type":"{wire}"}}}},{pod},{json}]}}]"#
            ))
        };
        let concerned = |old, new| -> Vec<Vec<String>> {
            let found = differences(&old, &new).unwrap();
            found.into_iter().map(|found| found.encodings).collect()
        };
        assert_eq!(concerned(method("u8", 8), method("u8", 16)), [["pod"]]);
        let all: Vec<String> = Vec::new();
        assert_eq!(concerned(method("u8", 8), method("u16", 8)), [all]);
        let without = read(
            r#""methods":[{"name":"m","entries":[{"index":0,"encoding":"wire","request":{"type":"u8"}},{"index":2,"encoding":"json"}]}]"#,
        );
        assert_eq!(concerned(method("u8", 8), without), [["pod"]]);
    }

    const TYPED: &str = r#""methods":[{"name":"m","entries":[{"index":0,"encoding":"wire","request":{"type":"u8"},"response":{"type":{"ref":0}}}]}]"#;

    /// The older version, the newer one, the effect, and what is said.
    const CHANGES: &[(&str, &str, Effect, &str)] = &[
        (
            r#""methods":[{"name":"m","entries":[{"index":0,"encoding":"json"}]}]"#,
            r#""methods":[]"#,
            Effect::FailsWhenUsed,
            "m: the plugin doesn't have this method",
        ),
        (
            r#""methods":[]"#,
            r#""methods":[{"name":"m","entries":[{"index":0,"encoding":"json"}]}]"#,
            Effect::Resolved,
            "m: the plugin has added this method",
        ),
        (
            r#""methods":[{"name":"m","id":1,"entries":[]}]"#,
            r#""methods":[{"name":"m","id":2,"entries":[]}]"#,
            Effect::Breaks,
            "m: the method has another number",
        ),
        (
            r#""methods":[{"name":"m","entries":[{"index":0,"encoding":"json"},{"index":1,"encoding":"raw"}]}]"#,
            r#""methods":[{"name":"m","entries":[{"index":1,"encoding":"raw"}]}]"#,
            Effect::Breaks,
            "m: it can't be called in `json`",
        ),
        (
            r#""methods":[{"name":"m","entries":[{"index":0,"encoding":"json"}]}]"#,
            r#""methods":[{"name":"m","entries":[{"index":0,"encoding":"json"},{"index":1,"encoding":"raw"}]}]"#,
            Effect::Resolved,
            "m: it can be called in `raw`, too",
        ),
        (
            r#""methods":[{"name":"m","entries":[{"index":0,"encoding":"json","request":{"schema":{"type":"string"}}}]}]"#,
            r#""methods":[{"name":"m","entries":[{"index":0,"encoding":"json","request":{"schema":{"type":"object"}}}]}]"#,
            Effect::Resolved,
            "m: at `request`: it has another schema, in `json`",
        ),
        (
            r#""methods":[{"name":"m","entries":[{"index":0,"encoding":"json"}]}]"#,
            r#""methods":[{"name":"m","entries":[{"index":0,"encoding":"json","kind":"server_stream"}]}]"#,
            Effect::Breaks,
            "m: it was `unary` in `json`, and is `server_stream`",
        ),
        (
            r#""methods":[{"name":"m","entries":[{"index":0,"encoding":"pod","request":{"layout":{"type":"A","size":8}}}]}]"#,
            r#""methods":[{"name":"m","entries":[{"index":0,"encoding":"pod","request":{"layout":{"type":"A","size":16}}}]}]"#,
            Effect::Breaks,
            "m: at `request`: it lies in memory in another way, in `pod`",
        ),
        (
            r#""services":[]"#,
            r#""services":[{"name":"s","encoding":"json"}]"#,
            Effect::Breaks,
            "s: the plugin requires this host function",
        ),
        (
            r#""services":[]"#,
            r#""services":[{"name":"s","encoding":"json","optional":true}]"#,
            Effect::Resolved,
            "s: the plugin calls this host function if it's registered",
        ),
        (
            r#""services":[{"name":"s","encoding":"json","optional":true}]"#,
            r#""services":[{"name":"s","encoding":"json"}]"#,
            Effect::Breaks,
            "s: the plugin now requires",
        ),
        (
            r#""services":[{"name":"s","encoding":"json"}]"#,
            r#""services":[{"name":"s","encoding":"raw"}]"#,
            Effect::Breaks,
            "s: it was called in `json`, and is in `raw`",
        ),
        (
            r#""services":[{"name":"s","encoding":"json"}]"#,
            r#""services":[]"#,
            Effect::Resolved,
            "s: the plugin no longer calls this host function",
        ),
        (
            r#""config":{"type":"object"}"#,
            r#""config":{"type":"null"}"#,
            Effect::Resolved,
            "its configuration has another schema",
        ),
        (
            r#""config_type":{"ref":0},"types":[{"name":"A","record":[]}]"#,
            r#""config_type":{"ref":0},"types":[{"name":"A","record":[{"name":"a","type":"u8"}]}]"#,
            Effect::Breaks,
            "at `configuration.a`: the plugin needs this field",
        ),
        // Where there's no wire form, the types of JSON say what's different.
        (
            r#""methods":[{"name":"m","entries":[{"index":0,"encoding":"json","request":{"type":"u8"}}]}]"#,
            r#""methods":[{"name":"m","entries":[{"index":0,"encoding":"json","request":{"type":"string"}}]}]"#,
            Effect::Breaks,
            "m: at `request`: the client has u8, and the plugin String",
        ),
        (
            r#""methods":[{"name":"m","entries":[{"index":0,"encoding":"json","response":{"type":{"ref":0}}}]}],"types":[{"name":"A","record":[]}]"#,
            r#""methods":[{"name":"m","entries":[{"index":0,"encoding":"json","response":{"type":{"ref":0}}}]}],"types":[{"name":"A","record":[{"name":"a","type":"u8"}]}]"#,
            Effect::Resolved,
            "m: at `response.a`: the plugin has added this field",
        ),
        (
            r#""methods":[{"name":"m","entries":[{"index":0,"encoding":"postcard","response":{"type":{"ref":0}}}]}],"types":[{"name":"A","record":[]}]"#,
            r#""methods":[{"name":"m","entries":[{"index":0,"encoding":"postcard","response":{"type":{"ref":0}}}]}],"types":[{"name":"A","record":[{"name":"a","type":"u8"}]}]"#,
            Effect::Breaks,
            "m: at `response.a`: the plugin has added this field",
        ),
        // What the plugin sends is what the host reads: a field more is no harm, one less is.
        (
            r#""services":[{"name":"s","encoding":"wire","request":{"type":{"ref":0}}}],"types":[{"name":"A","record":[{"name":"a","type":"u8"}]}]"#,
            r#""services":[{"name":"s","encoding":"wire","request":{"type":{"ref":0}}}],"types":[{"name":"A","record":[{"name":"a","type":"u8"},{"name":"b","type":"u8"}]}]"#,
            Effect::Resolved,
            "s: at `request.b`: the plugin has added this field",
        ),
        (
            r#""services":[{"name":"s","encoding":"wire","response":{"type":{"ref":0}}}],"types":[{"name":"A","record":[{"name":"a","type":"u8"}]}]"#,
            r#""services":[{"name":"s","encoding":"wire","response":{"type":{"ref":0}}}],"types":[{"name":"A","record":[{"name":"a","type":"u8"},{"name":"b","type":"u8"}]}]"#,
            Effect::Breaks,
            "s: at `response.b`: the plugin needs this field",
        ),
    ];

    #[test]
    fn each_kind_of_difference_is_told_and_breaks_or_not() {
        for (old, new, effect, what) in CHANGES {
            let same = said(old, old);
            assert!(same.is_empty(), "{old}: {same:?}");
            let said = said(old, new);
            assert_eq!(said.len(), 1, "{old} → {new}: {said:?}");
            assert_eq!(said[0].0, *effect, "{old} → {new}: {said:?}");
            assert!(said[0].1.starts_with(what), "{old} → {new}: {said:?}");
        }
    }

    #[test]
    fn another_default_value_is_noted_in_both_directions_and_in_every_encoding() {
        for encoding in ["wire", "json", "postcard"] {
            let with = |value: &str| {
                format!(
                    r#""methods":[{{"name":"m","entries":[{{"index":0,"encoding":"{encoding}","request":{{"type":{{"ref":0}}}}}}]}}],"types":[{{"name":"A","record":[{{"name":"a","type":"u8","default":true{value}}}]}}]"#
                )
            };
            let (five, six) = (r#","default_value":5"#, r#","default_value":6"#);
            for (old, new, what) in [
                (five, six, "5 for the client, and 6 in the plugin"),
                (six, five, "6 for the client, and 5 in the plugin"),
                (five, "", "5 for the client, and unknown in the plugin"),
                ("", six, "unknown for the client, and 6 in the plugin"),
            ] {
                let expected = format!("m: at `request.a`: the default value is {what}");
                assert_eq!(said(&with(old), &with(new)), [(Effect::Noted, expected)]);
            }
        }
    }

    #[test]
    fn types_are_compared_as_a_client_and_a_plugin_compare_them() {
        let with =
            |fields: &str| format!(r#"{TYPED},"types":[{{"name":"A","record":[{fields}]}}]"#);
        let old = with(r#"{"name":"a","type":"u8"}"#);
        assert_eq!(
            said(&old, &with(r#"{"name":"a","type":"u16"}"#)),
            [(
                Effect::Breaks,
                "m: at `response.a`: the client has u8, and the plugin u16".to_owned()
            )]
        );
        let (effect, what) = &said(
            &old,
            &with(r#"{"name":"a","type":"u8"},{"name":"b","type":"u8"}"#),
        )[0];
        assert_eq!(*effect, Effect::Resolved, "{what}");
    }
}
