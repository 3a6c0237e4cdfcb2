//! Objects that behave like values of the host's language.

#![allow(clippy::len_without_is_empty, reason = "clients need the length only")]

use std::fmt;

use rustbridge::prelude::*;

/// The label of a shelf whose text for users can't be written.
const SMUDGED: &str = "smudged";

/// Books in an order. Shelves with the same label and the same books are equal; others are ordered by their labels first.
#[derive(Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Shelf {
    label: String,
    books: Vec<String>,
}

impl fmt::Display for Shelf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.label {
            SMUDGED => Err(fmt::Error),
            label => write!(f, "{label}: {}", self.books.join(", ")),
        }
    }
}

#[object(traits(Display, Debug, Hash, Ord))]
impl Shelf {
    /// Creates a shelf.
    #[constructor]
    pub fn new(label: String, books: Vec<String>) -> Shelf {
        Shelf { label, books }
    }

    /// The label.
    #[getter]
    pub fn label(&self) -> String {
        self.label.clone()
    }

    /// Returns the number of books.
    #[len]
    pub fn len(&self) -> u64 {
        self.books.len() as u64
    }

    /// Returns the books.
    #[iter]
    pub fn books(&self) -> impl Iterator<Item = String> {
        self.books.clone().into_iter()
    }

    /// Returns another reference to the same shelf.
    #[method]
    pub fn again(shelf: Object<Shelf>) -> Object<Shelf> {
        shelf
    }
}

/// A mark at a place. Marks at the same place are equal, and a mark at no number is equal to no other.
#[derive(PartialEq)]
pub struct Mark {
    place: f64,
}

#[object(traits(PartialEq))]
impl Mark {
    /// Creates a mark.
    #[constructor]
    pub fn new(place: f64) -> Mark {
        Mark { place }
    }
}
