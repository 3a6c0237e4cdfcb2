//! Checks a schema before it's compiled: a short schema can refer to itself endlessly, or expand to millions of schemas.

use serde_json::{Map, Value};

/// The reason why a schema is refused.
pub(crate) enum Refused {
    /// The schema refers to itself endlessly, or contains a reference that isn't valid here.
    Wrong { place: String, problem: String },
    /// The schema expands to too many schemas, or they are nested too deeply.
    TooLarge,
}

/// The maximum depth of nested schemas, with references followed. Compiling takes stack for each of them.
const DEEPEST: usize = 64;

/// The maximum depth of nested schemas that apply to the same value. Checking takes stack for each of them, at each level of the document.
const DEEPEST_OF_SAME: usize = 16;

/// Keywords whose schema, or list of schemas, applies to the same value as the schema that contains the keyword.
const SAME: &[&str] = &["allOf", "anyOf", "oneOf", "not", "if", "then", "else"];

/// Keywords like [`SAME`], but with a schema for each name.
const SAME_BY_NAME: &[&str] = &["dependentSchemas", "dependencies"];

/// Keywords whose schema, or list of schemas, applies to parts of the value.
const INNER: &[&str] = &[
    "additionalItems",
    "additionalProperties",
    "contains",
    "items",
    "prefixItems",
    "propertyNames",
    "unevaluatedItems",
    "unevaluatedProperties",
];

/// Keywords like [`INNER`], but with a schema for each name.
const INNER_BY_NAME: &[&str] = &["properties", "patternProperties"];

/// Keywords that make the target of a reference unclear. Only the root may have `$id` and `$schema`.
const REFUSED: &[&str] = &["$id", "$schema", "$dynamicRef", "$recursiveRef"];

/// Checks a schema, and follows its references as the validator will. Refuses a schema that is endless, is nested too deeply, or expands to
/// more than `most` schemas.
pub(crate) fn check(schema: &Value, most: u64) -> Result<(), Refused> {
    let draft_4 = schema["$schema"]
        .as_str()
        .is_some_and(|it| it.contains("draft-04"));
    let mut walk = Walk {
        root: schema,
        draft_4,
        most,
        count: 0,
        path: Vec::new(),
    };
    walk.schema(schema, "", true, 1)
}

struct Walk<'a> {
    root: &'a Value,
    draft_4: bool,
    most: u64,
    count: u64,
    /// The schemas that contain the current one, and whether each applies to the same value as the schema before it.
    path: Vec<(&'a Value, bool)>,
}

impl<'a> Walk<'a> {
    /// Checks a schema and its subschemas. The schema counts `times` times, since the validator will compile it that often.
    fn schema(
        &mut self,
        schema: &'a Value,
        place: &str,
        same: bool,
        times: u64,
    ) -> Result<(), Refused> {
        let Value::Object(keywords) = schema else {
            return Ok(());
        };
        if self.returns(schema, place, same)? {
            return Ok(());
        }
        self.count = self.count.saturating_add(times);
        let above = self.path.iter().rev().take_while(|(_, same)| *same).count();
        let deep = self.path.len() == DEEPEST || (same && above == DEEPEST_OF_SAME);
        if deep || self.count > self.most {
            return Err(Refused::TooLarge);
        }
        self.resource(schema, place)?;
        self.path.push((schema, same));
        self.keywords(keywords, place, times)?;
        self.path.pop();
        Ok(())
    }

    /// Reports whether a schema is one of the schemas that contain it. Such a recursion ends with the document, unless all the schemas
    /// apply to the same value. In that case, returns an error.
    fn returns(&self, schema: &Value, place: &str, same: bool) -> Result<bool, Refused> {
        let mut path = self.path.iter();
        let Some(at) = path.position(|(above, _)| std::ptr::eq(*above, schema)) else {
            return Ok(false);
        };
        match same && self.path[at + 1..].iter().all(|(_, same)| *same) {
            true => Err(wrong(place, "it refers to itself for the same value")),
            false => Ok(true),
        }
    }

    fn keywords(
        &mut self,
        keywords: &'a Map<String, Value>,
        place: &str,
        times: u64,
    ) -> Result<(), Refused> {
        // For each of these keywords, the validator compiles all subschemas once more, to find the unevaluated parts of a value.
        let again = ["unevaluatedItems", "unevaluatedProperties"];
        let again = again.iter().filter(|it| keywords.contains_key(**it));
        let times = times.saturating_mul(1 + again.count() as u64);
        for (keyword, value) in keywords {
            let place = format!("{place}/{}", escaped(keyword));
            let is = |all: &[&str]| all.contains(&keyword.as_str());
            match value {
                Value::String(reference) if keyword == "$ref" => {
                    let target = self.target(reference, &place)?;
                    if !self.returns(target, &place, true)? {
                        self.schema(target, &reference[1..], true, times)?;
                    }
                }
                Value::Array(list) if is(SAME) || is(INNER) => {
                    for (index, one) in list.iter().enumerate() {
                        self.schema(one, &format!("{place}/{index}"), is(SAME), times)?;
                    }
                }
                Value::Object(named) if is(SAME_BY_NAME) || is(INNER_BY_NAME) => {
                    for (name, one) in named {
                        let place = format!("{place}/{}", escaped(name));
                        self.schema(one, &place, is(SAME_BY_NAME), times)?;
                    }
                }
                one if is(SAME) || is(INNER) => self.schema(one, &place, is(SAME), times)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// Returns the schema that a reference leads to: `#`, or `#` with a JSON pointer.
    fn target(&self, reference: &str, place: &str) -> Result<&'a Value, Refused> {
        let unknown = || wrong(place, &format!("`{reference}` isn't in it"));
        let pointer = reference.strip_prefix('#').ok_or_else(unknown)?;
        if !(pointer.is_empty() || pointer.starts_with('/')) || pointer.contains('%') {
            let problem = format!("`{reference}` is neither `#` nor a plain JSON pointer");
            return Err(wrong(place, &problem));
        }
        let mut target = self.root;
        let mut name = String::new();
        for step in pointer.split('/').skip(1) {
            name = format!("{name}/{step}");
            target = target.pointer(&format!("/{step}")).ok_or_else(unknown)?;
            self.resource(target, &name)?;
        }
        Ok(target)
    }

    /// Refuses a schema that isn't part of the root's document, or that has a reference of a kind that isn't followed here.
    fn resource(&self, schema: &Value, place: &str) -> Result<(), Refused> {
        let root = std::ptr::eq(schema, self.root);
        let refused = REFUSED
            .iter()
            .chain(self.draft_4.then_some(&"id"))
            .find(|it| (!root || it.ends_with("Ref")) && schema[**it].is_string());
        match refused {
            Some(keyword) => Err(wrong(
                &format!("{place}/{keyword}"),
                "it isn't followed by this plugin",
            )),
            None => Ok(()),
        }
    }
}

fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

fn wrong(place: &str, problem: &str) -> Refused {
    Refused::Wrong {
        place: place.to_owned(),
        problem: problem.to_owned(),
    }
}
