//! CSV to columns: a table that stays in the plugin, and columns of numbers that cross as they lie in memory.

mod read;

use rustbridge::prelude::*;

use read::{Cells, read};

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
    /// Every cell that has something has a number.
    Numbers,
    /// Something else.
    Texts,
}

/// Why a file isn't a table.
#[derive(Debug, thiserror::Error, StatusError)]
pub enum CsvError {
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

/// A file that was read.
#[derive(Debug)]
pub struct Table {
    rows: u64,
    columns: Vec<(Column, Cells)>,
}

/// A file that was read.
#[object]
impl Table {
    /// How many rows it has, without that of the names.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Its columns, as they stand from left to right.
    pub fn columns(&self) -> Vec<Column> {
        self.columns
            .iter()
            .map(|(column, _)| column.clone())
            .collect()
    }

    /// A column of numbers, as doubles lie in this machine's memory: 8 bytes each, NaN where nothing is.
    pub fn numbers(&self, name: String) -> Result<Bytes, ColumnError> {
        match self.column(name)? {
            (_, Cells::Numbers(numbers)) => {
                Ok(Bytes::copy_from_slice(bytemuck::cast_slice(numbers)))
            }
            (column, Cells::Texts(_, odd)) => Err(ColumnError::NoNumbers {
                name: column.name.clone(),
                cell: odd.clone(),
            }),
        }
    }

    /// A column's cells, as they stand in the file; numbers as they are written again.
    pub fn texts(&self, name: String) -> Result<Vec<String>, ColumnError> {
        match self.column(name)? {
            (_, Cells::Texts(texts, _)) => Ok(texts.clone()),
            (_, Cells::Numbers(numbers)) => Ok(numbers
                .iter()
                .map(|number| match number.is_nan() {
                    true => String::new(),
                    false => number.to_string(),
                })
                .collect()),
        }
    }
}

impl Table {
    fn column(&self, name: String) -> Result<&(Column, Cells), ColumnError> {
        let mut columns = self.columns.iter();
        columns
            .find(|(column, _)| column.name == name)
            .ok_or_else(|| {
                let names = self.columns.iter().map(|(column, _)| column.name.clone());
                ColumnError::Unknown {
                    name,
                    names: names.collect(),
                }
            })
    }
}

/// Reads CSV.
#[derive(Debug, Default)]
pub struct Columns;

/// Reads CSV to columns.
#[plugin(name = "columns", objects(Table))]
impl Columns {
    /// Reads a file, whose first row has the names of the columns.
    pub fn read(&self, dialect: Dialect, file: &[u8]) -> Result<Object<Table>, CsvError> {
        let table = read(&dialect, file)?;
        info!(rows = table.rows, columns = table.columns.len(), "read");
        Ok(Object::new(table))
    }
}

#[cfg(test)]
mod tests;
