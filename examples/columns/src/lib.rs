//! CSV to columns: a table that stays in the plugin, and columns of numbers that cross as they lie in memory.

mod messages;
mod table;

use rustbridge::prelude::*;

pub use messages::{Column, ColumnError, CsvError, Dialect, Kind};
pub use table::Table;

/// Reads CSV.
#[derive(Debug, Default)]
pub struct Columns;

/// Reads CSV to columns.
#[plugin(name = "columns", objects(Table))]
impl Columns {
    /// Reads a file, whose first row has the names of the columns.
    pub fn read(&self, dialect: Dialect, file: &[u8]) -> Result<Object<Table>, CsvError> {
        let table = Table::read(&dialect, file)?;
        info!(rows = table.rows(), columns = table.columns().len(), "read");
        Ok(Object::new(table))
    }
}

#[cfg(test)]
mod tests;
