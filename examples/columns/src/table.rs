//! A table, column by column.

use csv::{ByteRecord, ErrorKind, ReaderBuilder, StringRecord};
use rustbridge::prelude::*;

use crate::messages::{Column, ColumnError, CsvError, Dialect, Kind};

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
    /// From the bytes of a file.
    pub(crate) fn read(dialect: &Dialect, file: &[u8]) -> Result<Table, CsvError> {
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
        let mut rows: Vec<StringRecord> = Vec::new();
        let mut record = ByteRecord::new();
        while reader.read_byte_record(&mut record).map_err(refused)? {
            let line = record.position().map_or(0, csv::Position::line);
            let row = StringRecord::from_byte_record(record.clone())
                .map_err(|_| CsvError::NotText { line })?;
            rows.push(row);
        }
        let column = |(index, name): (usize, &str)| {
            let cells = cells(&rows, index);
            let missing = rows.iter().filter(|row| row[index].trim().is_empty());
            let column = Column {
                name: name.to_owned(),
                kind: match cells {
                    Cells::Numbers(_) => Kind::Numbers,
                    Cells::Texts(..) => Kind::Texts,
                },
                missing: missing.count() as u64,
            };
            (column, cells)
        };
        let columns = names.iter().enumerate().map(column).collect();
        Ok(Table {
            rows: rows.len() as u64,
            columns,
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

/// What is in a column.
#[derive(Debug)]
enum Cells {
    /// Numbers; NaN where there's nothing.
    Numbers(Vec<f64>),
    /// Texts, and the first of them that is no number.
    Texts(Vec<String>, String),
}

/// What is in a column: numbers if all are, and there is at least one.
fn cells(rows: &[StringRecord], index: usize) -> Cells {
    let texts = || rows.iter().map(|row| &row[index]);
    let number = |text: &str| match text.trim() {
        "" => Some(f64::NAN),
        text => text.parse().ok(),
    };
    let odd = match texts().find(|text| number(text).is_none()) {
        Some(odd) => odd,
        None if texts().all(|text| text.trim().is_empty()) => "",
        None => return Cells::Numbers(texts().filter_map(number).collect()),
    };
    Cells::Texts(texts().map(str::to_owned).collect(), odd.to_owned())
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
        // The names, which are the first row. What is read from memory fails in no other way.
        _ => CsvError::NotText {
            line: error.position().map_or(1, csv::Position::line),
        },
    }
}
