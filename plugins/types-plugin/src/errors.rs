//! Errors of every shape.

use rustbridge::prelude::*;

use crate::messages::{Color, Person};

/// Why nobody was found.
#[derive(Debug, thiserror::Error, StatusError)]
pub enum SearchError {
    /// There's nobody like that.
    #[error("nobody is called {name:?}")]
    #[status(NOT_FOUND)]
    Nobody {
        /// Who was looked for.
        name: String,
        /// Those who are called nearly so.
        similar: Vec<Person>,
    },
    /// They are there, and don't want to be found.
    #[error("they hide")]
    #[status(PERMISSION_DENIED)]
    Hidden,
    /// There are too many.
    #[error("{0} of them are at {1:?}")]
    #[status(RESOURCE_EXHAUSTED)]
    Crowd(u64, Vec<f64>),
}

/// What isn't to one's taste.
#[derive(Debug, thiserror::Error, StatusError)]
#[error("not in {color:?}")]
#[status(ABORTED)]
pub struct Refused {
    /// What it was in.
    pub color: Color,
    /// What it might be in.
    pub better: Option<Color>,
}

/// Whether there's power.
#[derive(Debug, thiserror::Error, StatusError)]
pub enum PowerError {
    /// There is none.
    #[error("it's dark")]
    #[status(UNAVAILABLE)]
    Out,
}

/// Looks among people, and fails in every way there is.
pub(crate) fn search(name: &str, people: Vec<Person>) -> Result<Person, SearchError> {
    let ages = people.iter().map(|person| f64::from(person.age)).collect();
    let (mut found, others): (Vec<_>, Vec<_>) =
        people.into_iter().partition(|person| person.name == name);
    let is_similar = |person: &Person| person.name.starts_with(|letter| name.starts_with(letter));
    match (found.len(), found.pop()) {
        _ if name.is_empty() => Err(SearchError::Hidden),
        (1, Some(person)) => Ok(person),
        (0, _) => Err(SearchError::Nobody {
            name: name.to_owned(),
            similar: others.into_iter().filter(is_similar).collect(),
        }),
        (count, _) => Err(SearchError::Crowd(count as u64, ages)),
    }
}
