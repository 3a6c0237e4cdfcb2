//! Whether types of two plugins are the same.

use std::collections::BTreeSet;

use rustbridge_description::types::Table;
use serde_json::Value;

/// Whether two types of two plugins are the same, with all types in them.
pub(super) fn is_same(one: &Table, number: u32, other: &Table, their: u32) -> bool {
    let mut seen = BTreeSet::new();
    let mut next = vec![(number, their)];
    while let Some(pair) = next.pop() {
        if !seen.insert(pair) {
            continue;
        }
        let (Some(mine), Some(theirs)) = (comparable(one, pair.0), comparable(other, pair.1))
        else {
            return false;
        };
        if mine.text != theirs.text {
            return false;
        }
        next.extend(mine.refers.into_iter().zip(theirs.refers));
    }
    true
}

/// A definition without documentation, and with names in place of numbers.
struct Comparable {
    text: Value,
    /// The numbers, in their order.
    refers: Vec<u32>,
}

fn comparable(types: &Table, number: u32) -> Option<Comparable> {
    let mut text = serde_json::to_value(types.get(number)?).ok()?;
    let mut refers = Vec::new();
    replace(types, &mut text, &mut refers);
    Some(Comparable { text, refers })
}

fn replace(types: &Table, value: &mut Value, refers: &mut Vec<u32>) {
    match value {
        Value::Object(members) => {
            members.remove("doc");
            for (key, member) in members.iter_mut() {
                let number = member.as_u64().and_then(|it| u32::try_from(it).ok());
                match number.filter(|_| key == "ref") {
                    Some(number) => {
                        refers.push(number);
                        let name = types.get(number).map(|it| it.name.to_string());
                        *member = name.into();
                    }
                    None => replace(types, member, refers),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|it| replace(types, it, refers)),
        _ => {}
    }
}
