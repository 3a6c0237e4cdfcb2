//! A callback, whose objects are the host's or the plugin's, and objects with traits.

use std::fmt;
use std::sync::Mutex;

use rustbridge::prelude::*;

/// Why a listener doesn't listen.
#[derive(Debug, thiserror::Error, StatusError)]
pub enum ListenerError {
    /// It listens to nobody.
    #[error("deaf since {since}")]
    #[status(FAILED_PRECONDITION)]
    Deaf {
        /// The year.
        since: u32,
    },
    /// Any other error.
    #[error(transparent)]
    #[status(transparent)]
    Other(#[from] Error),
}

/// Listens. It's the host's or the plugin's.
#[callback]
pub trait Listener {
    /// Accepts a text and how often it was said, and returns a number.
    fn told(&self, text: String, times: u32) -> Result<u64, ListenerError>;

    /// Accepts and returns nothing.
    fn ping(&self) -> Result<()>;

    /// Accepts another listener, and returns the one that it had.
    fn swap(&self, other: Option<Object<ListenerClient>>)
    -> Result<Option<Object<ListenerClient>>>;
}

/// The plugin's listener. It returns the length of a text multiplied by the number of times.
#[derive(Default)]
pub(crate) struct Own {
    other: Mutex<Option<Object<ListenerClient>>>,
}

impl Listener for Own {
    fn told(&self, text: String, times: u32) -> Result<u64, ListenerError> {
        match times {
            0 => Err(ListenerError::Deaf { since: 1999 }),
            _ => Ok(text.len() as u64 * u64::from(times)),
        }
    }

    fn ping(&self) -> Result<()> {
        Ok(())
    }

    fn swap(
        &self,
        other: Option<Object<ListenerClient>>,
    ) -> Result<Option<Object<ListenerClient>>> {
        let mut kept = self.other.lock().map_err(|_| Error::internal("poisoned"))?;
        Ok(std::mem::replace(&mut *kept, other))
    }
}

/// A card. Cards are equal if their texts are, and ordered by these.
#[derive(Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Card {
    text: String,
}

impl Card {
    pub(crate) fn new(text: String) -> Card {
        Card { text }
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.text {
            "" => Err(fmt::Error),
            text => write!(f, "the card {text}"),
        }
    }
}

/// Has the traits that hosts know.
#[object(traits(Display, Debug, Eq, Hash, Ord))]
impl Card {
    /// Returns its text.
    pub fn text(&self) -> String {
        self.text.clone()
    }
}
