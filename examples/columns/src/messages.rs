//! What crosses: how a file is written, what there is in it, and what may be wrong.

use rustbridge::prelude::*;

/// How an instance is set up. Everything has a default, so `{}` is enough.
#[derive(Clone, Debug, Message)]
#[serde(default, deny_unknown_fields)]
pub struct ColumnsConfig {
    /// How many bytes a file may have.
    pub most_bytes: u64,
    /// How many cells a table may have, with the names: one takes a byte in a file, and dozens in memory.
    pub most_cells: u64,
}

impl Default for ColumnsConfig {
    fn default() -> ColumnsConfig {
        ColumnsConfig {
            most_bytes: 64 << 20,
            most_cells: 5_000_000,
        }
    }
}

/// How a file is written.
#[derive(Clone, Debug, Message)]
pub struct Dialect {
    /// What stands between two cells: an ASCII character.
    #[serde(default = "comma")]
    pub delimiter: char,
}

fn comma() -> char {
    ','
}

/// A column, without what's in it.
#[derive(Clone, Debug, Message, PartialEq)]
pub struct Column {
    /// What stands above it.
    pub name: String,
    /// What is in it.
    pub kind: Kind,
    /// How many of its cells have nothing in them.
    pub missing: u64,
}

/// What is in a column.
#[derive(Clone, Copy, Debug, Message, PartialEq)]
pub enum Kind {
    /// Every cell that has something has a number. What a double would falsify is none: `007`, and whole numbers of more than 15 digits.
    Numbers,
    /// Something else.
    Texts,
}

/// Why a file isn't a table.
#[derive(Debug, thiserror::Error, StatusError)]
pub enum CsvError {
    /// It's larger than the configuration lets it be.
    #[error("it has more than the {most} {what} that are allowed")]
    #[status(RESOURCE_EXHAUSTED)]
    TooLarge {
        /// Of what it has too many: `bytes` or `cells`.
        what: String,
        /// How many it may have.
        most: u64,
    },
    /// There's no row of names.
    #[error("there's nothing in it")]
    #[status(INVALID_ARGUMENT)]
    Empty,
    /// A row has another length than the first.
    #[error("line {line} has {found} cells, and {expected} are expected")]
    #[status(INVALID_ARGUMENT)]
    Uneven {
        /// Where it begins, counted from 1.
        line: u64,
        /// How many cells it has.
        found: u64,
        /// How many the first has.
        expected: u64,
    },
    /// A row isn't text.
    #[error("line {line} isn't UTF-8")]
    #[status(INVALID_ARGUMENT)]
    NotText {
        /// Where it begins, counted from 1.
        line: u64,
    },
    /// Two columns have one name.
    #[error("two columns are called {name:?}")]
    #[status(INVALID_ARGUMENT)]
    Twice {
        /// The name.
        name: String,
    },
    /// What is to stand between cells can't.
    #[error(
        "{delimiter:?} can't stand between cells: it's no ASCII character, or a quote or the end of a line"
    )]
    #[status(INVALID_ARGUMENT)]
    Delimiter {
        /// What it was to be.
        delimiter: char,
    },
}

/// Why a column isn't given.
#[derive(Debug, thiserror::Error, StatusError)]
pub enum ColumnError {
    /// There's none of that name.
    #[error("there's no column {name:?}")]
    #[status(NOT_FOUND)]
    Unknown {
        /// What was asked for.
        name: String,
        /// What there is.
        names: Vec<String>,
    },
    /// It's not of numbers.
    #[error("in the column {name:?} {cell:?} is no number")]
    #[status(FAILED_PRECONDITION)]
    NoNumbers {
        /// The column.
        name: String,
        /// The first cell that is something else.
        cell: String,
    },
}
