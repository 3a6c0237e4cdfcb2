//! The messages: the configuration, a file's dialect, the descriptions of columns, and the errors.

use rustbridge::prelude::*;

/// The configuration of an instance. Every field has a default, so `{}` is a valid configuration.
#[derive(Clone, Debug, Message)]
#[serde(default, deny_unknown_fields)]
pub struct ColumnsConfig {
    /// The maximum size of a file, in bytes.
    pub most_bytes: u64,
    /// The maximum number of cells in a table, including the names. A cell may take one byte in a file, but takes dozens in memory.
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

/// The syntax of a file.
#[derive(Clone, Debug, Message)]
pub struct Dialect {
    /// The ASCII character between two cells. The default is a comma.
    #[serde(default = "comma")]
    pub delimiter: char,
}

fn comma() -> char {
    ','
}

/// The description of a column, without its cells.
#[derive(Clone, Debug, Message, PartialEq)]
pub struct Column {
    /// The name, from the first row.
    pub name: String,
    /// The kind of its cells.
    pub kind: Kind,
    /// The number of empty cells.
    pub missing: u64,
}

/// The kind of a column's cells.
#[derive(Clone, Copy, Debug, Message, PartialEq)]
pub enum Kind {
    /// Every cell that isn't empty is a number, and there is at least one. Cells that a double would change aren't numbers here: `007`,
    /// and whole numbers of more than 15 digits.
    Numbers,
    /// Any other cells.
    Texts,
}

/// The reason why a file couldn't be read as a table.
#[derive(Debug, thiserror::Error, StatusError)]
pub enum CsvError {
    /// The file exceeds a limit of the configuration.
    #[error("it has more than the {most} {what} that are allowed")]
    #[status(RESOURCE_EXHAUSTED)]
    TooLarge {
        /// The limited quantity: `bytes` or `cells`.
        what: String,
        /// The maximum number of them.
        most: u64,
    },
    /// The file has no row of names.
    #[error("there's nothing in it")]
    #[status(INVALID_ARGUMENT)]
    Empty,
    /// A row has a different number of cells than the first row.
    #[error("line {line} has {found} cells, and {expected} are expected")]
    #[status(INVALID_ARGUMENT)]
    Uneven {
        /// The line on which the row begins, counted from 1.
        line: u64,
        /// The number of cells in the row.
        found: u64,
        /// The number of cells in the first row.
        expected: u64,
    },
    /// A row isn't UTF-8.
    #[error("line {line} isn't UTF-8")]
    #[status(INVALID_ARGUMENT)]
    NotText {
        /// The line on which the row begins, counted from 1.
        line: u64,
    },
    /// Two columns have the same name.
    #[error("two columns are called {name:?}")]
    #[status(INVALID_ARGUMENT)]
    Twice {
        /// The name.
        name: String,
    },
    /// The delimiter is invalid.
    #[error(
        "{delimiter:?} can't stand between cells: it's no ASCII character, or a quote or the end of a line"
    )]
    #[status(INVALID_ARGUMENT)]
    Delimiter {
        /// The requested delimiter.
        delimiter: char,
    },
}

/// The reason why a column couldn't be returned.
#[derive(Debug, thiserror::Error, StatusError)]
pub enum ColumnError {
    /// The table has no column of this name.
    #[error("there's no column {name:?}")]
    #[status(NOT_FOUND)]
    Unknown {
        /// The requested name.
        name: String,
        /// The names of the table's columns.
        names: Vec<String>,
    },
    /// The column's cells aren't numbers.
    #[error("in the column {name:?} {cell:?} is no number")]
    #[status(FAILED_PRECONDITION)]
    NoNumbers {
        /// The name of the column.
        name: String,
        /// The first cell that isn't a number. It's empty if all cells are empty.
        cell: String,
    },
}
