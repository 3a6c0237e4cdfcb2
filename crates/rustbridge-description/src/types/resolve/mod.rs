//! Messages of one side's types in the other's words: a plan, made once of what two tables have in common by names, and its
//! interpreter, which goes through a message by it.

mod compile;
mod error;
mod run;
#[cfg(test)]
mod tests;

use std::fmt;

pub use error::{ErrorPlan, Resolved};

use super::{Change, Direction, Signature, Table, TypeRef, compare};

/// The number of a variant that a client of an open enum doesn't know. Nothing is behind it.
pub const UNKNOWN_VARIANT: u16 = u16::MAX;

/// How many bytes a message takes at most, as `docs/wire.md` says.
pub const MAX_BYTES: usize = 0x7fff_fff7;

/// How many types with names, dynamic lists and dynamic maps may lie in each other.
const MAX_DEPTH: u32 = 128;

/// How messages of one side become messages of the other.
///
/// There's one wherever [`compare`] finds something that doesn't break: both follow the same rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    nodes: Vec<Node>,
    root: u32,
}

/// What is done with one value.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Node {
    kind: Kind,
    /// How many bytes it is on both sides, if those of one are just what the other has, whatever they are.
    width: Option<u64>,
    /// Whether it counts among those that lie in each other.
    is_deep: bool,
}

/// What a value is, to whoever reads it. Numbers are those of nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    /// So many bytes, and what they are.
    Copy(u64, Box<str>),
    Bool,
    Char,
    String,
    Bytes,
    /// Seconds and nanoseconds of what.
    Time(&'static str),
    Any,
    Option(u32),
    List {
        item: u32,
        /// The fewest bytes of an item, where it comes from.
        least: u64,
        /// Whether its items are aligned where it comes from, and where it goes.
        aligned: (bool, bool),
    },
    Array {
        item: u32,
        count: u64,
        least: u64,
    },
    Map {
        key: u32,
        value: u32,
        least: u64,
    },
    /// What is inside.
    Same(u32),
    /// Parts that lie in the same order on both sides.
    Steps(Box<[Step]>),
    /// Parts that don't: first all are gone through where they come from, then put where they go.
    Sorted {
        from: Box<[Step]>,
        /// Which of `from` each is.
        to: Box<[(Option<u32>, Step)]>,
    },
    Enum {
        name: Box<str>,
        cases: Box<[Case]>,
    },
}

/// A variant of where the value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Case {
    name: Box<str>,
    /// Its number where the value goes.
    to: u16,
    /// What is behind it, if anything is.
    body: Option<u32>,
    /// Whether that isn't wanted where the value goes.
    is_lost: bool,
}

/// A part with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Step {
    name: Box<str>,
    act: Act,
    /// How many bytes this and the following take up to the step of that number, if they are copied as they are.
    run: (u64, u32),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Act {
    /// A value that is always there.
    Value(u32),
    /// One that may be absent on both sides.
    Perhaps(u32),
    /// One that is always there, and goes where it may be absent.
    Add(u32),
    /// One that may be absent, and goes where it's always there.
    Must(u32),
    /// What there's nothing of: it's absent.
    Absent,
    /// A value that isn't wanted.
    Skip(u32),
    /// One that isn't wanted, and may be absent.
    SkipPerhaps(u32),
}

/// Why a message can't be resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The field that it's in, e.g. `users[3].name`; empty for the message itself.
    pub path: String,
    /// How many bytes were right.
    pub position: usize,
    /// What was found and expected there.
    pub message: String,
    /// Whether the message is right, and too large in the other side's words.
    pub is_too_large: bool,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() {
            f.write_str("at ")?;
        } else {
            write!(f, "at `{}`, ", self.path)?;
        }
        write!(f, "byte {}: {}", self.position, self.message)
    }
}

impl std::error::Error for Problem {}

impl Plan {
    /// Makes the plan for messages of a client's and a plugin's type that go in that direction. `None` if they can go as they are.
    ///
    /// ```
    /// use rustbridge_description::types::{Definition, Direction, Plan, Table, TypeRef};
    ///
    /// let table = |text| Table::new(serde_json::from_str::<Vec<Definition>>(text).unwrap()).unwrap();
    /// let client = table(r#"[{"name": "P", "record": [{"name": "x", "type": "u8"}]}]"#);
    /// let plugin = table(r#"[{"name": "P", "record": [{"name": "y", "type": "u8", "default": true}, {"name": "x", "type": "u8"}]}]"#);
    /// let ty = TypeRef::Ref(0);
    /// let plan = Plan::new((&client, &ty), (&plugin, &ty), Direction::Request).unwrap().unwrap();
    /// assert_eq!(plan.resolve(&[7]).unwrap(), [0, 7]);
    /// ```
    ///
    /// # Errors
    /// What is different, if any of it [breaks](Change::breaks).
    pub fn new(
        client: (&Table, &TypeRef),
        plugin: (&Table, &TypeRef),
        direction: Direction,
    ) -> Result<Option<Plan>, Vec<Change>> {
        let changes = compare(client, plugin, direction);
        if changes.is_empty() {
            return Ok(None);
        }
        if changes.iter().any(|change| change.breaks) {
            return Err(changes);
        }
        let (from, to) = match direction {
            Direction::Request => (client, plugin),
            Direction::Response => (plugin, client),
        };
        Ok(Some(compile::plan(from, to)))
    }

    /// A message in the other side's words.
    ///
    /// # Errors
    /// If the bytes don't hold a message of the side that it comes from, or one that the other side has no words for.
    pub fn resolve(&self, message: &[u8]) -> Result<Vec<u8>, Problem> {
        run::run(self, message, MAX_BYTES)
    }
}

/// How a client's calls of a method, or of a service, become those of the plugin's types, and their answers the client's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolution {
    /// From the client to the plugin.
    pub request: Option<Plan>,
    /// From the plugin to the client: the answer, or each item of a stream that it gives.
    pub response: Option<Plan>,
    /// From the client to the plugin: each item of a stream that it takes.
    pub items: Option<Plan>,
    /// From the plugin to the client.
    pub error: ErrorPlan,
}

impl Signature {
    /// Resolves a client's method to the plugin's.
    ///
    /// # Errors
    /// What is different, if any of it [breaks](Change::breaks).
    pub fn resolve(
        client: (&Table, &Signature),
        plugin: (&Table, &Signature),
    ) -> Result<Resolution, Vec<Change>> {
        let changes = Signature::compare(client, plugin);
        if changes.iter().any(|change| change.breaks) {
            return Err(changes);
        }
        let ((known, client), (table, plugin)) = (client, plugin);
        let plan = |one, other, direction| Plan::new((known, one), (table, other), direction);
        Ok(Resolution {
            request: plan(&client.request, &plugin.request, Direction::Request)?,
            response: plan(&client.response, &plugin.response, Direction::Response)?,
            items: match (&client.items, &plugin.items) {
                (Some(one), Some(other)) => plan(one, other, Direction::Request)?,
                _ => None,
            },
            error: ErrorPlan::new(
                (known, client.error.as_ref()),
                (table, plugin.error.as_ref()),
            ),
        })
    }
}
