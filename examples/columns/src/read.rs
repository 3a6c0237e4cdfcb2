//! From the bytes of a file to its columns.

use csv::{ByteRecord, ErrorKind, ReaderBuilder, StringRecord};

use crate::{Column, CsvError, Dialect, Kind, Table};

/// What is in a column.
#[derive(Debug)]
pub(crate) enum Cells {
    /// Numbers; NaN where there's nothing.
    Numbers(Vec<f64>),
    /// Texts, and the first of them that is no number.
    Texts(Vec<String>, String),
}

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
    let sorted = {
        let mut sorted: Vec<&str> = names.iter().collect();
        sorted.sort_unstable();
        sorted
    };
    if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        let name = pair[0].to_owned();
        return Err(CsvError::Twice { name });
    }
    let mut cells: Vec<Cells> = names.iter().map(|_| Cells::Numbers(Vec::new())).collect();
    let mut rows: Vec<StringRecord> = Vec::new();
    let mut record = ByteRecord::new();
    while reader.read_byte_record(&mut record).map_err(refused)? {
        let line = record.position().map_or(0, csv::Position::line);
        let row = StringRecord::from_byte_record(record.clone())
            .map_err(|_| CsvError::NotText { line })?;
        rows.push(row);
    }
    for (index, cells) in cells.iter_mut().enumerate() {
        *cells = column(&rows, index);
    }
    let missing = |index: usize| rows.iter().filter(move |row| row[index].trim().is_empty());
    let columns = names
        .iter()
        .enumerate()
        .zip(cells)
        .map(|((index, name), cells)| {
            let column = Column {
                name: name.to_owned(),
                kind: match cells {
                    Cells::Numbers(_) => Kind::Numbers,
                    Cells::Texts(..) => Kind::Texts,
                },
                missing: missing(index).count() as u64,
            };
            (column, cells)
        })
        .collect();
    Ok(Table {
        rows: rows.len() as u64,
        columns,
    })
}

/// A column of numbers if it can be one, and has at least one.
fn column(rows: &[StringRecord], index: usize) -> Cells {
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
