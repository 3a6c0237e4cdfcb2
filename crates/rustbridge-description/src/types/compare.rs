//! Whether messages of one side's types can be understood by the other: by names, not by places.

use std::collections::{HashMap, HashSet, VecDeque};
use std::fmt;

use serde_json::Value;

use super::{Enum, Field, Shape, Table, TypeRef, Variant};

/// How many types without a name, or that are what is inside them, may lie in each other where two sides are compared. Others are compared
/// one after the other: they may lie in each other as deep as there are types, and a stack isn't.
const MAX_DEPTH: usize = 128;

/// Which way messages go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From the client to the plugin: requests, and items that are sent.
    Request,
    /// From the plugin to the client: responses, and items that come.
    Response,
}

/// What is different, in one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Where, from the message on: `items[].email`, empty for the message itself.
    pub path: String,
    /// What it does to messages.
    pub effect: Effect,
    /// What it is, as a clause: `the client has u32, and the plugin String`.
    pub what: String,
}

/// What a difference does to messages between the two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// Messages are the same. What clients show is different, such as a default value.
    Noted,
    /// Compatible: each message can be translated for the other side.
    Resolved,
    /// A message that uses it is refused; all others are translated. An example is a field that only the client knows, once it's set.
    FailsWhenUsed,
    /// The types are incompatible: no message can be exchanged.
    Breaks,
}

impl Change {
    /// Whether no message can be exchanged because of it.
    #[must_use]
    pub fn breaks(&self) -> bool {
        self.effect == Effect::Breaks
    }

    /// The same change, as it lies in `step`.
    pub(super) fn within(self, step: &str) -> Change {
        Change {
            path: match &*self.path {
                "" => step.to_owned(),
                path => format!("{step}.{path}"),
            },
            ..self
        }
    }
}

/// For people: `at email: the client has u32, and the plugin String`.
impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "at `{}`: ", self.path)?;
        }
        f.write_str(&self.what)
    }
}

/// What is different between the types of a client, which was written for an older or a newer plugin, and the plugin's.
///
/// Nothing, if messages can go as they are. What doesn't [break](Effect::Breaks) is what can be resolved by names: fields in another
/// order, or that the plugin added and that may be absent in requests; variants that the plugin added in requests, or in responses
/// where its enum is open. What only the client has [fails when it's used](Effect::FailsWhenUsed), if calls can do without it.
#[must_use]
pub fn compare(
    client: (&Table, &TypeRef),
    plugin: (&Table, &TypeRef),
    direction: Direction,
) -> Vec<Change> {
    let mut comparison = Comparison::new(client.0, plugin.0, direction);
    comparison.types(client.1, plugin.1);
    comparison.changes()
}

/// [`compare`] for what the plugin's method fails with. A variant that the plugin has added to the error itself doesn't break: clients get
/// it as an error without a type.
pub(super) fn compare_errors(
    client: (&Table, &TypeRef),
    plugin: (&Table, &TypeRef),
) -> Vec<Change> {
    let mut comparison = Comparison::new(client.0, plugin.0, Direction::Response);
    if let (&TypeRef::Ref(one), &TypeRef::Ref(other)) = (client.1, plugin.1)
        && let (Some(one), Some(other)) = (client.0.get(one), plugin.0.get(other))
        && let (Shape::Enum(shape), Shape::Enum(others)) = (&one.shape, &other.shape)
    {
        comparison.added = AddedVariant::Untyped;
        comparison.variants(shape, others, &one.name);
    } else {
        comparison.types(client.1, plugin.1);
    }
    comparison.changes()
}

/// What becomes of a variant that only the plugin has, in what it sends.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum AddedVariant {
    /// It comes as an unknown one, if the client expects such.
    Unknown,
    /// It's an error, and comes as one without a type.
    Untyped,
    /// It's a key of a map, where two unknown ones would be one.
    Key,
}

/// Two types with names, by their numbers.
struct Pair {
    /// Where they lie.
    path: String,
    client: u32,
    plugin: u32,
    added: AddedVariant,
}

struct Comparison<'t> {
    client: &'t Table,
    plugin: &'t Table,
    direction: Direction,
    /// Of the enum that's looked at next.
    added: AddedVariant,
    /// Pairs of types with names that are compared once, and once more as keys.
    seen: HashSet<(u32, u32, AddedVariant)>,
    /// Those that are to be compared.
    next: VecDeque<Pair>,
    path: String,
    /// How many types lie around the one that's looked at.
    depth: usize,
    changes: Vec<Change>,
}

impl<'t> Comparison<'t> {
    fn new(client: &'t Table, plugin: &'t Table, direction: Direction) -> Comparison<'t> {
        Comparison {
            client,
            plugin,
            direction,
            added: AddedVariant::Unknown,
            seen: HashSet::new(),
            next: VecDeque::new(),
            path: String::new(),
            depth: 0,
            changes: Vec::new(),
        }
    }

    /// What is different, once the types with names have been compared as well that wait for it.
    fn changes(mut self) -> Vec<Change> {
        while let Some(pair) = self.next.pop_front() {
            self.path = pair.path;
            self.added = pair.added;
            self.named(pair.client, pair.plugin);
        }
        self.changes
    }

    fn change(&mut self, effect: Effect, what: impl fmt::Display) {
        self.changes.push(Change {
            path: self.path.clone(),
            effect,
            what: what.to_string(),
        });
    }

    fn inside(&mut self, step: &str, compare: impl FnOnce(&mut Self)) {
        let before = self.path.len();
        if before > 0 && !step.starts_with('[') {
            self.path.push('.');
        }
        self.path.push_str(step);
        compare(self);
        self.path.truncate(before);
    }

    fn types(&mut self, client: &TypeRef, plugin: &TypeRef) {
        // Two that have themselves in them, but not in the same places, have no end.
        if self.depth == MAX_DEPTH {
            return self.change(
                Effect::Breaks,
                "types lie too deep in each other to be compared",
            );
        }
        self.depth += 1;
        self.both(client, plugin);
        self.depth -= 1;
    }

    fn both(&mut self, client: &TypeRef, plugin: &TypeRef) {
        match (client, plugin) {
            (TypeRef::Option(one), TypeRef::Option(other)) => self.types(one, other),
            (TypeRef::List(one), TypeRef::List(other)) => {
                self.inside("[]", |this| this.types(one, other));
            }
            (TypeRef::Array(one, count), TypeRef::Array(other, also)) if count == also => {
                self.inside("[]", |this| this.types(one, other));
            }
            (TypeRef::Map(key, value), TypeRef::Map(other_key, other_value)) => {
                self.inside("[key]", |this| {
                    this.added = AddedVariant::Key;
                    this.types(key, other_key);
                    this.added = AddedVariant::Unknown;
                });
                self.inside("[]", |this| this.types(value, other_value));
            }
            (TypeRef::Tuple(one), TypeRef::Tuple(other)) if one.len() == other.len() => {
                self.tuple(one, other);
            }
            (TypeRef::Ref(one), TypeRef::Ref(other)) => {
                let added = std::mem::replace(&mut self.added, AddedVariant::Unknown);
                if self.seen.insert((*one, *other, added)) {
                    self.next.push_back(Pair {
                        path: self.path.clone(),
                        client: *one,
                        plugin: *other,
                        added,
                    });
                }
            }
            // What has a name of its own and is what's inside, is that.
            (TypeRef::Ref(number), other) if self.newtype(self.client, *number).is_some() => {
                if let Some(inside) = self.newtype(self.client, *number) {
                    self.types(inside, other);
                    self.change(Effect::Resolved, self.differ(client, plugin));
                }
            }
            (other, TypeRef::Ref(number)) if self.newtype(self.plugin, *number).is_some() => {
                if let Some(inside) = self.newtype(self.plugin, *number) {
                    self.types(other, inside);
                    self.change(Effect::Resolved, self.differ(client, plugin));
                }
            }
            (one, other) if one == other => {}
            _ => self.change(Effect::Breaks, self.differ(client, plugin)),
        }
    }

    fn differ(&self, client: &TypeRef, plugin: &TypeRef) -> String {
        format!(
            "the client has {}, and the plugin {}",
            self.client.show(client),
            self.plugin.show(plugin)
        )
    }

    fn newtype(&self, table: &'t Table, number: u32) -> Option<&'t TypeRef> {
        match &table.get(number)?.shape {
            Shape::Newtype(inside) => Some(inside),
            _ => None,
        }
    }

    fn tuple(&mut self, client: &[TypeRef], plugin: &[TypeRef]) {
        for (place, (one, other)) in client.iter().zip(plugin).enumerate() {
            self.inside(&place.to_string(), |this| this.types(one, other));
        }
    }

    fn named(&mut self, client: u32, plugin: u32) {
        let (Some(one), Some(other)) = (self.client.get(client), self.plugin.get(plugin)) else {
            return;
        };
        match (&one.shape, &other.shape) {
            (
                Shape::Record(fields) | Shape::Pod(fields),
                Shape::Record(others) | Shape::Pod(others),
            ) => {
                if matches!(one.shape, Shape::Pod(_)) != matches!(other.shape, Shape::Pod(_)) {
                    self.change(
                        Effect::Resolved,
                        format_args!(
                            "`{}` is plain old data on one side, so that lists of it lie in another way",
                            one.name
                        ),
                    );
                }
                self.fields(fields, others);
            }
            (Shape::Newtype(inside), Shape::Newtype(other)) => self.types(inside, other),
            (Shape::Newtype(inside), _) => {
                self.types(inside, &TypeRef::Ref(plugin));
                self.change(
                    Effect::Resolved,
                    self.differ(&TypeRef::Ref(client), &TypeRef::Ref(plugin)),
                );
            }
            (_, Shape::Newtype(inside)) => {
                self.types(&TypeRef::Ref(client), inside);
                self.change(
                    Effect::Resolved,
                    self.differ(&TypeRef::Ref(client), &TypeRef::Ref(plugin)),
                );
            }
            (Shape::Tuple(types), Shape::Tuple(others)) if types.len() == others.len() => {
                self.tuple(types, others);
            }
            (Shape::Enum(shape), Shape::Enum(others)) => self.variants(shape, others, &one.name),
            _ => self.change(
                Effect::Breaks,
                format_args!(
                    "`{}` is {} in the client, and {} in the plugin",
                    one.name,
                    kind(&one.shape),
                    kind(&other.shape)
                ),
            ),
        }
    }

    fn fields(&mut self, client: &[Field], plugin: &[Field]) {
        let (known, there) = (by_name(client), by_name(plugin));
        // Places only among those that both have, or every one behind one that was added would be told, too.
        let places = |fields: &[Field], others: &HashMap<&str, &Field>| -> HashMap<String, usize> {
            let both = fields
                .iter()
                .filter(|field| others.contains_key(&*field.name));
            let named = both.enumerate();
            named
                .map(|(place, field)| (field.name.to_string(), place))
                .collect()
        };
        let (own_places, other_places) = (places(client, &there), places(plugin, &known));
        for field in client {
            let Some(other) = there.get(&*field.name) else {
                self.inside(&field.name, |this| this.unknown_field(field));
                continue;
            };
            self.inside(&field.name, |this| {
                match (field.default, other.default) {
                    (true, false) if this.direction == Direction::Request => this.change(
                        Effect::FailsWhenUsed,
                        "the client may leave this field out, and the plugin needs it",
                    ),
                    (true, false) | (false, true) => {
                        this.change(Effect::Resolved, "one side may leave this field out");
                    }
                    (true, true) => this.default_values(field, other),
                    (false, false) => {}
                }
                this.types(&field.ty, &other.ty);
                if own_places.get(&*field.name) != other_places.get(&*field.name) {
                    this.change(Effect::Resolved, "this field has another place");
                }
            });
        }
        for other in plugin {
            if known.contains_key(&*other.name) {
                continue;
            }
            self.inside(&other.name, |this| match this.direction {
                Direction::Request if !can_be_absent(other) => this.change(
                    Effect::Breaks,
                    "the plugin needs this field, and the client doesn't know it",
                ),
                _ => this.change(Effect::Resolved, "the plugin has added this field"),
            });
        }
    }

    fn default_values(&mut self, client: &Field, plugin: &Field) {
        let (one, other) = (&client.default_value, &plugin.default_value);
        if one == other {
            return;
        }
        let shown = |value: &Option<Value>| match value {
            Some(value) => value.to_string(),
            None => "unknown".to_owned(),
        };
        self.change(
            Effect::Noted,
            format_args!(
                "the default value is {} for the client, and {} in the plugin",
                shown(one),
                shown(other)
            ),
        );
    }

    /// A field that the client has and the plugin lacks: one that can be absent is, in what comes from the plugin, and has to be in what
    /// goes to it.
    fn unknown_field(&mut self, field: &Field) {
        let effect = match self.direction {
            _ if !can_be_absent(field) => Effect::Breaks,
            Direction::Request => Effect::FailsWhenUsed,
            Direction::Response => Effect::Resolved,
        };
        self.change(
            effect,
            "the client has this field, and the plugin has none of that name",
        );
    }

    fn variants(&mut self, client: &'t Enum, plugin: &'t Enum, name: &str) {
        let added = std::mem::replace(&mut self.added, AddedVariant::Unknown);
        let named = |shape: &'t Enum| -> HashMap<&'t str, (usize, &'t Variant)> {
            let variants = shape.variants.iter().enumerate();
            variants
                .map(|(place, it)| (&*it.name, (place, it)))
                .collect()
        };
        let (known, there) = (named(client), named(plugin));
        for (place, variant) in client.variants.iter().enumerate() {
            let Some(&(there, other)) = there.get(&*variant.name) else {
                // A variant that never comes does no harm, but one that's sent isn't understood.
                let effect = match self.direction {
                    Direction::Request => Effect::FailsWhenUsed,
                    Direction::Response => Effect::Resolved,
                };
                self.change(
                    effect,
                    format_args!("the plugin's `{name}` has no variant `{}`", variant.name),
                );
                continue;
            };
            if place != there {
                self.change(
                    Effect::Resolved,
                    format_args!("variant `{}` of `{name}` has another number", variant.name),
                );
            }
            self.inside(&variant.name, |this| this.variant(variant, other));
        }
        for other in &plugin.variants {
            if known.contains_key(&*other.name) {
                continue;
            }
            // Whether to expect others is the client's to know: it was written with what the enum said then.
            let is_expected = match added {
                AddedVariant::Unknown => client.open,
                AddedVariant::Untyped => true,
                AddedVariant::Key => false,
            };
            let effect = match self.direction {
                Direction::Response if !is_expected => Effect::Breaks,
                _ => Effect::Resolved,
            };
            self.change(
                effect,
                format_args!("the plugin has added variant `{}` to `{name}`", other.name),
            );
        }
    }

    fn variant(&mut self, client: &Variant, plugin: &Variant) {
        match (
            (&client.tuple, &client.fields),
            (&plugin.tuple, &plugin.fields),
        ) {
            ((None, None), (None, None)) => {}
            ((Some(types), None), (Some(others), None)) if types.len() == others.len() => {
                self.tuple(types, others);
            }
            ((None, Some(fields)), (None, Some(others))) => self.fields(fields, others),
            _ => self.change(
                Effect::Breaks,
                format_args!("variant `{}` has another form", client.name),
            ),
        }
    }
}

/// Whether a message may be without the field.
pub(super) fn can_be_absent(field: &Field) -> bool {
    field.default || matches!(field.ty, TypeRef::Option(_))
}

fn by_name(fields: &[Field]) -> HashMap<&str, &Field> {
    let named = fields.iter().map(|field| (&*field.name, field));
    named.collect()
}

fn kind(shape: &Shape) -> &'static str {
    match shape {
        Shape::Record(_) => "a record",
        Shape::Pod(_) => "plain old data",
        Shape::Newtype(_) => "a new type",
        Shape::Tuple(_) => "a tuple",
        Shape::Enum(_) => "an enum",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Definition;
    use crate::types::changes::CHANGES;

    fn table(text: &str) -> Table {
        let definitions: Vec<Definition> = serde_json::from_str(text).unwrap();
        Table::new(definitions).unwrap()
    }

    /// What is said of two records or enums, and the worst of its effects.
    fn said(client: &str, plugin: &str, direction: Direction) -> (String, Effect) {
        let wrap = |shape: &str| table(&format!(r#"[{{"name":"A",{shape}}}]"#));
        let (client, plugin) = (wrap(client), wrap(plugin));
        let changes = compare(
            (&client, &TypeRef::Ref(0)),
            (&plugin, &TypeRef::Ref(0)),
            direction,
        );
        let text: Vec<String> = changes.iter().map(ToString::to_string).collect();
        let worst = changes.iter().map(|change| change.effect).max();
        (text.join("; "), worst.unwrap_or(Effect::Resolved))
    }

    #[test]
    fn many_fields_are_compared_by_name_and_not_each_with_each() {
        let record = |places: &mut dyn Iterator<Item = usize>| {
            let fields: Vec<String> = places
                .map(|place| format!(r#"{{"name":"field{place}","type":"u8"}}"#))
                .collect();
            format!(r#""record":[{}]"#, fields.join(","))
        };
        let (client, plugin) = (record(&mut (0..6000)), record(&mut (0..6000).rev()));
        let (text, effect) = said(&client, &plugin, Direction::Request);
        assert!(text.contains("at `field5999`: this field has another place"));
        assert_eq!(effect, Effect::Resolved);
    }

    #[test]
    fn each_kind_of_change_is_told_and_judged() {
        for (client, plugin, requests, responses, what) in CHANGES {
            for (direction, effect) in [
                (Direction::Request, requests),
                (Direction::Response, responses),
            ] {
                let (text, found) = said(client, plugin, direction);
                assert_eq!(found, *effect, "{direction:?}: {client} {plugin}: {text}");
                assert!(
                    text.contains(what),
                    "{direction:?}: {client} {plugin}: {text}"
                );
                assert_eq!(text.is_empty(), what.is_empty(), "{text}");
            }
        }
    }

    #[test]
    fn a_type_with_a_name_is_what_is_inside_it() {
        let named = table(r#"[{"name":"Id","newtype":"u64"}]"#);
        let plain = table("[]");
        let changes = compare(
            (&plain, &TypeRef::U64),
            (&named, &TypeRef::Ref(0)),
            Direction::Request,
        );
        assert_eq!(changes.len(), 1);
        assert!(!changes[0].breaks());
        let changes = compare(
            (&named, &TypeRef::Ref(0)),
            (&plain, &TypeRef::U32),
            Direction::Request,
        );
        assert!(changes[0].breaks(), "{changes:?}");
    }

    #[test]
    fn types_are_compared_however_deep_they_lie_in_each_other() {
        let deep = |innermost: &str| {
            let types: Vec<String> = (1..=2000)
                .map(|next| {
                    let ty = match next {
                        2000 => format!("\"{innermost}\""),
                        next => format!("{{\"list\":{{\"ref\":{next}}}}}"),
                    };
                    format!(r#"{{"name":"T{next}","record":[{{"name":"a","type":{ty}}}]}}"#)
                })
                .collect();
            table(&format!("[{}]", types.join(",")))
        };
        // A thread of a host's, some of whose stack is used already.
        let compared = std::thread::Builder::new()
            .stack_size(128 << 10)
            .spawn(move || {
                let (client, plugin) = (deep("u8"), deep("u16"));
                let both = ((&client, &TypeRef::Ref(0)), (&plugin, &TypeRef::Ref(0)));
                compare(both.0, both.1, Direction::Request)
            });
        let changes = compared.unwrap().join().unwrap();
        assert_eq!(changes.len(), 1);
        assert!(changes[0].breaks());
    }

    #[test]
    fn types_without_an_end_in_common_are_refused() {
        let lists = table(r#"[{"name":"Lists","newtype":{"list":{"list":{"ref":0}}}}]"#);
        let changes = compare(
            (&lists, &TypeRef::List(Box::new(TypeRef::Ref(0)))),
            (&lists, &TypeRef::Ref(0)),
            Direction::Request,
        );
        assert!(changes.iter().any(Change::breaks), "{changes:?}");
    }
}
