//! What the plugin asks of its host, in messages with types.

use std::collections::BTreeMap;

use rustbridge::prelude::*;

use crate::messages::Person;

/// Who is known.
#[service(encoding = "wire", optional)]
pub trait Directory {
    /// Who is called so, if anybody is.
    fn find(&self, name: &str) -> Result<Option<Person>>;
    /// The same, of somebody who is there; fails with `NOT_FOUND` otherwise.
    async fn fetch(&self, name: String) -> Result<Person>;
    /// How many there are.
    fn count(&self) -> Result<u64>;
}

/// How old people are.
#[service(encoding = "wire", optional)]
pub trait Ages {
    /// Of each by name.
    fn of(&self, people: Vec<Person>) -> Result<BTreeMap<String, u32>>;
}
