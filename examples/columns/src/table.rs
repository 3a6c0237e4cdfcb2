//! The table, which is stored by columns.

use csv::{ErrorKind, ReaderBuilder, StringRecord};
use rustbridge::prelude::*;

use crate::messages::{Column, ColumnError, ColumnsConfig, CsvError, Dialect, Kind};

/// A table that was read from a file.
#[derive(Debug)]
pub struct Table {
    rows: u64,
    columns: Vec<(Column, Cells)>,
}

/// A table that was read from a file.
#[object]
impl Table {
    /// Returns the number of rows, without the row of names.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Returns the descriptions of the columns, from left to right.
    pub fn columns(&self) -> Vec<Column> {
        self.columns
            .iter()
            .map(|(column, _)| column.clone())
            .collect()
    }

    /// Returns a column of numbers as doubles in this machine's byte order, 8 bytes each. An empty cell is NaN.
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

    /// Returns a column's cells as texts. In a column of numbers, each number is formatted again, so `1.50` becomes `1.5`.
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
    /// Reads a table from the bytes of a file.
    pub(crate) fn read(
        config: &ColumnsConfig,
        dialect: &Dialect,
        file: &[u8],
    ) -> Result<Table, CsvError> {
        allowed("bytes", file.len(), config.most_bytes)?;
        let delimiter = u8::try_from(dialect.delimiter)
            .ok()
            .filter(|byte| byte.is_ascii() && !b"\"\r\n".contains(byte))
            .ok_or(CsvError::Delimiter {
                delimiter: dialect.delimiter,
            })?;
        let file = file.strip_prefix(b"\xef\xbb\xbf").unwrap_or(file);
        let mut reader = ReaderBuilder::new().delimiter(delimiter).from_reader(file);
        let names = reader.headers().map_err(refused)?.clone();
        if names.is_empty() {
            return Err(CsvError::Empty);
        }
        let mut sorted: Vec<&str> = names.iter().collect();
        sorted.sort_unstable();
        if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            let name = pair[0].to_owned();
            return Err(CsvError::Twice { name });
        }
        allowed("cells", names.len(), config.most_cells)?;
        // The cells are collected by column, because each record of a list would take at least a hundred bytes.
        let mut texts = vec![Vec::new(); names.len()];
        let mut rows = 0;
        let mut record = StringRecord::new();
        while reader.read_record(&mut record).map_err(refused)? {
            rows += 1;
            allowed("cells", (rows + 1) * names.len(), config.most_cells)?;
            for (column, cell) in texts.iter_mut().zip(&record) {
                column.push(cell.to_owned());
            }
        }
        let column = |(name, texts): (&str, Vec<String>)| {
            let missing = texts.iter().filter(|text| text.trim().is_empty()).count();
            let cells = cells(texts);
            let column = Column {
                name: name.to_owned(),
                kind: match cells {
                    Cells::Numbers(_) => Kind::Numbers,
                    Cells::Texts(..) => Kind::Texts,
                },
                missing: missing as u64,
            };
            (column, cells)
        };
        Ok(Table {
            rows: rows as u64,
            columns: names.iter().zip(texts).map(column).collect(),
        })
    }

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

/// The cells of a column.
#[derive(Debug)]
enum Cells {
    /// Numbers. An empty cell is NaN.
    Numbers(Vec<f64>),
    /// Texts, and the first of them that isn't a number.
    Texts(Vec<String>, String),
}

/// Converts a column's cells to numbers, if there's at least one number and all other cells are numbers or empty.
fn cells(texts: Vec<String>) -> Cells {
    let numbers: Option<Vec<f64>> = texts.iter().map(|text| number(text)).collect();
    match numbers {
        Some(numbers) if !numbers.iter().all(|number| number.is_nan()) => Cells::Numbers(numbers),
        _ => {
            let odd = texts.iter().find(|text| number(text).is_none());
            let odd = odd.cloned().unwrap_or_default();
            Cells::Texts(texts, odd)
        }
    }
}

/// Returns a cell as a number, NaN for an empty cell, and `None` for text. `nan` and `inf`, which Rust would parse, are text. So are `007`
/// and long identifiers, because a double would lose the leading zeros or the last digits.
fn number(text: &str) -> Option<f64> {
    let text = text.trim();
    if text.is_empty() {
        return Some(f64::NAN);
    }
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let digit = |at| digits.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
    let is_whole = digits.bytes().all(|byte| byte.is_ascii_digit());
    if !(digit(0) || digits.starts_with('.'))
        || (digits.starts_with('0') && digit(1))
        || (is_whole && digits.len() > 15)
    {
        return None;
    }
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

fn allowed(what: &str, found: usize, most: u64) -> Result<(), CsvError> {
    match found as u64 > most {
        true => Err(CsvError::TooLarge {
            what: what.to_owned(),
            most,
        }),
        false => Ok(()),
    }
}

fn refused(error: csv::Error) -> CsvError {
    match error.kind() {
        ErrorKind::UnequalLengths {
            pos,
            expected_len,
            len,
        } => CsvError::Uneven {
            line: pos.as_ref().map_or(0, csv::Position::line),
            found: *len,
            expected: *expected_len,
        },
        // A row isn't UTF-8: reading from memory fails in no other way. Without a position, it's the first row, the names.
        _ => CsvError::NotText {
            line: error.position().map_or(1, csv::Position::line),
        },
    }
}
