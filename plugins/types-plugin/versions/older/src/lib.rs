//! A version of the plugin that is older than its clients: it lacks most methods, and people have no address.

use rustbridge::prelude::*;

/// Somebody.
#[derive(Message, Clone, Debug, PartialEq)]
pub struct Person {
    /// What they are called.
    pub name: String,
    /// In years.
    pub age: u32,
}

/// Some of many.
#[derive(Message, Clone, Debug, PartialEq)]
pub struct Page<T> {
    /// These.
    pub items: Vec<T>,
    /// How many there are in all.
    pub total: u64,
}

/// Gives back what it gets.
#[derive(Debug, Default)]
pub struct Types;

#[plugin(name = "types")]
impl Types {
    /// The same person.
    pub fn person(&self, person: Person) -> Person {
        person
    }

    /// Those who are sent, with how many there are together with those before.
    pub async fn collect(&self, before: u64, mut items: Items<Person>) -> Result<Page<Person>> {
        let mut people = Vec::new();
        while let Some(person) = items.next().await {
            people.push(person?);
        }
        Ok(Page {
            total: before + people.len() as u64,
            items: people,
        })
    }
}
