//! The traits of objects: operations of the host's language that call methods.

use super::{Signature, TypeRef};
use crate::{Entry, Method, SERVER_STREAM, UNARY};

/// An operation of the host's language on an object, as `trait` names it in a description.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trait {
    /// A text for users.
    Display,
    /// A text for programmers.
    Debug,
    /// Equality. A value may differ from itself.
    PartialEq,
    /// Equality. Each value is equal to itself.
    Eq,
    /// A hash that equal objects have in common.
    Hash,
    /// An order.
    Ord,
    /// The number of items.
    Len,
    /// The items.
    Iter,
}

impl Trait {
    /// All traits.
    pub const ALL: [Trait; 8] = [
        Trait::Display,
        Trait::Debug,
        Trait::PartialEq,
        Trait::Eq,
        Trait::Hash,
        Trait::Ord,
        Trait::Len,
        Trait::Iter,
    ];

    /// Returns the trait with a name in a description; `None` for a name that this version doesn't know.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Trait> {
        Trait::ALL.into_iter().find(|it| it.name() == name)
    }

    /// Returns the name in a description.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Trait::Display => "Display",
            Trait::Debug => "Debug",
            Trait::PartialEq => "PartialEq",
            Trait::Eq => "Eq",
            Trait::Hash => "Hash",
            Trait::Ord => "Ord",
            Trait::Len => "len",
            Trait::Iter => "iter",
        }
    }

    /// Returns the end of the method's name behind that of the object's type. `None` for a method that the author has named, and that clients
    /// have, too.
    #[must_use]
    pub const fn reserved(self) -> Option<&'static str> {
        match self {
            Trait::Display => Some(":display"),
            Trait::Debug => Some(":debug"),
            Trait::PartialEq | Trait::Eq => Some(":eq"),
            Trait::Hash => Some(":hash"),
            Trait::Ord => Some(":cmp"),
            Trait::Len | Trait::Iter => None,
        }
    }

    /// Returns why a method can't be called for this trait: what is expected, and what was found. `shown` shows a type.
    #[must_use]
    pub fn mistake(
        self,
        name: &str,
        entry: &Entry<'_>,
        signature: &Signature,
        shown: impl Fn(&TypeRef) -> String,
    ) -> Option<String> {
        let receiver = &*entry.receiver;
        let own = name.strip_prefix(receiver).unwrap_or_default();
        let is_named = match self.reserved() {
            Some(reserved) => own == reserved,
            None => own.starts_with('.'),
        };
        if receiver.is_empty() || !is_named {
            let behind = match self.reserved() {
                Some(reserved) => format!("`{reserved}`"),
                None => "a name behind a dot".to_owned(),
            };
            return Some(format!(
                "its `trait` is `{}`, expected a method of an object, called like the object's type and {behind}",
                self.name(),
            ));
        }
        let object = TypeRef::Object(receiver.to_owned().into());
        let is_compared = matches!(self, Trait::PartialEq | Trait::Eq | Trait::Ord);
        let request = if is_compared { object } else { TypeRef::Unit };
        let (is_answer, answer) = match (self, &signature.response) {
            (Trait::Display | Trait::Debug, ty) => (*ty == TypeRef::String, "a string"),
            (Trait::PartialEq | Trait::Eq, ty) => (*ty == TypeRef::Bool, "a bool"),
            (Trait::Hash, ty) => (*ty == TypeRef::U64, "a u64"),
            (Trait::Ord, ty) => (*ty == TypeRef::I8, "an i8"),
            (Trait::Len, ty) => (matches!(ty, TypeRef::U64 | TypeRef::U32), "a u64 or u32"),
            (Trait::Iter, _) => (true, "items"),
        };
        let kind = if self == Trait::Iter {
            SERVER_STREAM
        } else {
            UNARY
        };
        if signature.kind == kind
            && signature.request == request
            && is_answer
            && !entry.is_async
            && !signature.is_raw
        {
            return None;
        }
        let found = if entry.is_async { "an async" } else { "a" };
        Some(format!(
            "its `trait` is `{}`, expected a {kind} method with the request {} and {answer} as the response, not {found} {} method from {} to {}",
            self.name(),
            shown(&request),
            signature.kind,
            shown(&signature.request),
            shown(&signature.response),
        ))
    }
}

/// Returns the trait for which clients call a method.
#[must_use]
pub fn trait_of<S>(method: &Method<'_, S>) -> Option<Trait> {
    let mut entries = method.entries.iter();
    entries.find_map(|entry| Trait::from_name(&entry.implements))
}

/// Returns the object's type and the trait, if a method is for a trait alone: clients don't have the method.
#[must_use]
pub fn called_for<'m, S>(method: &'m Method<'_, S>) -> Option<(&'m str, Trait)> {
    let of = trait_of(method)?;
    let object = method.name.strip_suffix(of.reserved()?)?;
    Some((object, of))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::Trait;
    use crate::Description;
    use crate::types::{Effect, Table, differences, mistakes};

    /// A plugin whose objects have all traits, as JSON.
    fn shelf() -> Value {
        let entry = |index: u32, of: Trait, request: Value, response: Value| {
            json!({"index": index, "encoding": "wire", "receiver": "Shelf", "trait": of.name(),
                "request": {"type": request}, "response": {"type": response}})
        };
        let shelf = || json!({"object": "Shelf"});
        let mut iter = entry(6, Trait::Iter, json!("unit"), json!("string"));
        iter["kind"] = "server_stream".into();
        json!({"name": "p", "methods": [
            {"name": "Shelf:display", "entries": [entry(0, Trait::Display, json!("unit"), json!("string"))]},
            {"name": "Shelf:debug", "entries": [entry(1, Trait::Debug, json!("unit"), json!("string"))]},
            {"name": "Shelf:eq", "entries": [entry(2, Trait::Eq, shelf(), json!("bool"))]},
            {"name": "Shelf:hash", "entries": [entry(3, Trait::Hash, json!("unit"), json!("u64"))]},
            {"name": "Shelf:cmp", "entries": [entry(4, Trait::Ord, shelf(), json!("i8"))]},
            {"name": "Shelf.size", "entries": [entry(5, Trait::Len, json!("unit"), json!("u32"))]},
            {"name": "Shelf.books", "entries": [iter]},
        ]})
    }

    fn found(text: &Value) -> Vec<String> {
        let text = text.to_string();
        let plugin: Description<'_, Value> = Description::read(text.as_bytes()).unwrap();
        mistakes(&plugin, &Table::of(&plugin).unwrap())
    }

    #[test]
    fn a_method_that_cannot_be_called_for_its_trait_is_a_mistake() {
        assert_eq!(found(&shelf()), Vec::<String>::new());
        for (method, key, value, told) in [
            (
                0,
                "response",
                json!({"type": "u8"}),
                "expected a unary method with the request",
            ),
            (1, "async", json!(true), "not an async unary method"),
            (
                2,
                "request",
                json!({"type": "unit"}),
                "and a bool as the response",
            ),
            (
                2,
                "trait",
                json!("Ord"),
                "called like the object's type and `:cmp`",
            ),
            (
                3,
                "response",
                json!({"type": "i64"}),
                "and a u64 as the response",
            ),
            (
                4,
                "response",
                json!({"type": "u8"}),
                "and an i8 as the response",
            ),
            (
                5,
                "request",
                json!({"type": "u8"}),
                "and a u64 or u32 as the response",
            ),
            (5, "trait", json!("Hash"), "and `:hash`"),
            (6, "kind", json!("unary"), "expected a server_stream method"),
            (6, "trait", json!("len"), "expected a unary method"),
        ] {
            let mut text = shelf();
            text["methods"][method]["entries"][0][key] = value;
            let found = found(&text);
            assert!(
                found.len() == 1 && found[0].contains(told),
                "{method} {key}: {found:?}"
            );
        }
        let mut later = shelf();
        later["methods"][0]["entries"][0]["trait"] = "Beauty".into();
        assert_eq!(found(&later), Vec::<String>::new());
    }

    #[test]
    fn a_lost_trait_fails_when_used_and_an_added_one_is_compatible() {
        let without = |method: usize| {
            let mut text = shelf();
            text["methods"].as_array_mut().unwrap().remove(method);
            text
        };
        let told = |old: &Value, new: &Value| {
            let (old, new) = (old.to_string(), new.to_string());
            let old = Description::read(old.as_bytes()).unwrap();
            let new = Description::read(new.as_bytes()).unwrap();
            let found = differences(&old, &new).unwrap();
            let told = found.iter().map(|it| (it.change.effect, it.to_string()));
            told.collect::<Vec<_>>()
        };
        for (method, of) in [
            (0, "Display"),
            (1, "Debug"),
            (2, "Eq"),
            (3, "Hash"),
            (4, "Ord"),
        ] {
            let lost = format!("Shelf: the type no longer has the trait `{of}`");
            assert_eq!(
                told(&shelf(), &without(method)),
                [(Effect::FailsWhenUsed, lost)]
            );
            let added = format!("Shelf: the type has the trait `{of}`, too");
            assert_eq!(
                told(&without(method), &shelf()),
                [(Effect::Resolved, added)]
            );
        }
        let mut other = shelf();
        other["methods"][2]["entries"][0]["trait"] = "PartialEq".into();
        let weaker = "Shelf:eq: it was `Eq`, and is `PartialEq`".to_owned();
        assert_eq!(told(&shelf(), &other), [(Effect::Resolved, weaker)]);
        let mut other = shelf();
        other["methods"][5]["entries"][0]["trait"] = Value::Null;
        let lost = "Shelf.size: it's no longer the `len` of its object".to_owned();
        assert_eq!(told(&shelf(), &other), [(Effect::Resolved, lost)]);
        let added = "Shelf.size: it's now the `len` of its object".to_owned();
        assert_eq!(told(&other, &shelf()), [(Effect::Resolved, added)]);
    }
}
