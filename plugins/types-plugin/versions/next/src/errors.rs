//! Errors that have more to say than those of the version before.

use rustbridge::prelude::*;

use crate::messages::{Color, Person};

/// Why nobody was found.
#[derive(Debug, thiserror::Error, StatusError)]
pub enum SearchError {
    /// Nobody is looked for that way, which is new.
    #[error("{name:?} is no name")]
    #[status(INVALID_ARGUMENT)]
    Nameless {
        /// Who was looked for.
        name: String,
    },
    /// There are too many.
    #[error("{0} of them are at {1:?}")]
    #[status(RESOURCE_EXHAUSTED)]
    Crowd(u64, Vec<f64>),
    /// They are there, and don't want to be found.
    #[error("they hide")]
    #[status(PERMISSION_DENIED)]
    Hidden,
    /// There's nobody like that.
    #[error("nobody is called {name:?}")]
    #[status(NOT_FOUND)]
    Nobody {
        /// Among how many, which is new.
        among: u64,
        /// Those who are called nearly so.
        similar: Vec<Person>,
        /// Who was looked for.
        name: String,
    },
}

/// What isn't to one's taste.
#[derive(Debug, thiserror::Error, StatusError)]
#[error("not in {color:?}")]
#[status(ABORTED)]
pub struct Refused {
    /// What it might be in.
    pub better: Option<Color>,
    /// Whether it might be in nothing else, which is new.
    pub is_final: bool,
    /// What it was in.
    pub color: Color,
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
    let among = people.len() as u64;
    let (mut found, others): (Vec<_>, Vec<_>) =
        people.into_iter().partition(|person| person.name == name);
    let is_similar = |person: &Person| person.name.starts_with(|letter| name.starts_with(letter));
    match (found.len(), found.pop()) {
        _ if name.is_empty() => Err(SearchError::Hidden),
        _ if name == "?" => Err(SearchError::Nameless {
            name: name.to_owned(),
        }),
        (1, Some(person)) => Ok(person),
        (0, _) => Err(SearchError::Nobody {
            among,
            name: name.to_owned(),
            similar: others.into_iter().filter(is_similar).collect(),
        }),
        (count, _) => Err(SearchError::Crowd(count as u64, ages)),
    }
}
