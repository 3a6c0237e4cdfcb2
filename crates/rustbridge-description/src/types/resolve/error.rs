//! Errors that have a type, in the other side's words. Others are the same for everybody.

use std::collections::HashSet;

use super::compile::{self, UnknownPolicy};
use super::plan::{Plan, Problem, Reason};
use crate::types::compare::compare_errors;
use crate::types::{Shape, Table, TypeRef};

/// The first number of a payload that has a type.
pub(super) const TYPED: u32 = 1;

/// What becomes of a method's errors on the way to who was written for other types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorPlan {
    kind: ErrorKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum ErrorKind {
    /// They go as they are.
    Same,
    /// They go without a type: the client knows none.
    Untyped,
    /// They become the client's.
    Typed {
        plan: Option<Plan>,
        /// What the plugin and the client call the type.
        names: (String, String),
        /// By variants of the plugin's: those that the client doesn't know, which go without a type.
        lost: Vec<bool>,
    },
}

/// An error's payload in the other side's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResolvedPayload {
    /// As it is.
    Same,
    /// These bytes in place of it.
    Typed(Vec<u8>),
    /// An error without a type that the client knows: what is said of it, and what it's called.
    Untyped {
        /// For people.
        message: String,
        /// The plugin's name of it.
        type_name: String,
    },
}

impl ErrorPlan {
    /// The plan for what a plugin's method fails with. Nothing that differs breaks.
    pub(super) fn new(
        (known, client): (&Table, Option<&TypeRef>),
        (table, plugin): (&Table, Option<&TypeRef>),
    ) -> ErrorPlan {
        let kind = match (client, plugin) {
            (_, None) => ErrorKind::Same,
            (None, Some(_)) => ErrorKind::Untyped,
            (Some(client), Some(plugin)) => {
                let names = (table.show(plugin), known.show(client));
                let changes = compare_errors((known, client), (table, plugin));
                if changes.is_empty() && names.0 == names.1 {
                    ErrorKind::Same
                } else {
                    let is_same = changes.is_empty();
                    ErrorKind::Typed {
                        plan: (!is_same).then(|| {
                            compile::plan((table, plugin), (known, client), UnknownPolicy::LeftOut)
                        }),
                        names,
                        lost: lost((known, client), (table, plugin)),
                    }
                }
            }
        };
        ErrorPlan { kind }
    }

    /// An error's payload in the other side's words.
    ///
    /// # Errors
    /// If the payload isn't what it says it is.
    pub fn resolve(&self, payload: &[u8]) -> Result<ResolvedPayload, Problem> {
        let is_typed = payload.first().is_some_and(|first| *first != b'{');
        if self.kind == ErrorKind::Same || !is_typed {
            return Ok(ResolvedPayload::Same);
        }
        let mut reader = Reader::new(payload);
        let kind = reader.number()?;
        if kind != TYPED {
            // Of a later version, of which nothing is known.
            return Ok(ResolvedPayload::Same);
        }
        reader.number()?;
        let message = reader.text()?;
        let before_name = reader.at;
        let type_name = reader.text()?;
        reader.padding()?;
        let value = reader.rest();
        let untyped = || ResolvedPayload::Untyped {
            message: message.to_owned(),
            type_name: type_name.to_owned(),
        };
        let ErrorKind::Typed { plan, names, lost } = &self.kind else {
            return Ok(untyped());
        };
        let variant = value
            .first_chunk()
            .map(|bytes| usize::from(u16::from_le_bytes(*bytes)));
        let is_lost = variant.and_then(|variant| lost.get(variant)) == Some(&true);
        let variant_name = type_name
            .strip_prefix(&*names.0)
            .filter(|rest| rest.is_empty() || rest.starts_with('.'));
        let Some(variant_name) = variant_name.filter(|_| !is_lost) else {
            return Ok(untyped());
        };
        let value = match plan {
            Some(plan) => plan.resolve(value)?,
            None => value.to_vec(),
        };
        let name = format!("{}{variant_name}", names.1);
        let mut bytes = payload[..before_name].to_vec();
        bytes.extend_from_slice(&(name.len() as u32).to_le_bytes());
        bytes.extend_from_slice(name.as_bytes());
        bytes.resize(bytes.len().next_multiple_of(8), 0);
        bytes.extend_from_slice(&value);
        Ok(ResolvedPayload::Typed(bytes))
    }
}

/// Which of the plugin's variants a client doesn't know, and isn't told of as an unknown one.
fn lost(client: (&Table, &TypeRef), plugin: (&Table, &TypeRef)) -> Vec<bool> {
    let shape = |(table, ty): (&Table, &TypeRef)| match ty {
        TypeRef::Ref(number) => table.get(*number).map(|named| named.shape.clone()),
        _ => None,
    };
    match (shape(client), shape(plugin)) {
        (Some(Shape::Enum(client)), Some(Shape::Enum(plugin))) if !client.open => {
            let known: HashSet<&str> = client.variants.iter().map(|known| &*known.name).collect();
            plugin
                .variants
                .iter()
                .map(|variant| !known.contains(&*variant.name))
                .collect()
        }
        _ => Vec::new(),
    }
}

/// What is in front of an error's value.
pub(super) struct Reader<'a> {
    payload: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(payload: &'a [u8]) -> Reader<'a> {
        Reader { payload, at: 0 }
    }

    #[cold]
    pub(super) fn problem(&self, message: &str) -> Problem {
        Problem {
            path: String::new(),
            position: self.at,
            message: message.to_owned(),
            reason: Reason::Malformed,
        }
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8], Problem> {
        let rest = &self.payload[self.at..];
        let Some(bytes) = rest.get(..count) else {
            return Err(self.problem("an error's payload ends too early"));
        };
        self.at += count;
        Ok(bytes)
    }

    /// What comes after all that was read.
    pub(super) fn rest(&self) -> &'a [u8] {
        &self.payload[self.at..]
    }

    pub(super) fn padding(&mut self) -> Result<(), Problem> {
        let zeros = self.take(self.at.wrapping_neg() % 8)?;
        match zeros.iter().all(|byte| *byte == 0) {
            true => Ok(()),
            false => Err(self.problem("the padding isn't zero")),
        }
    }

    pub(super) fn number(&mut self) -> Result<u32, Problem> {
        let mut number = [0; 4];
        number.copy_from_slice(self.take(4)?);
        Ok(u32::from_le_bytes(number))
    }

    pub(super) fn text(&mut self) -> Result<&'a str, Problem> {
        let count = self.number()? as usize;
        let bytes = self.take(count)?;
        std::str::from_utf8(bytes).map_err(|_| self.problem("an error's text isn't UTF-8"))
    }
}
