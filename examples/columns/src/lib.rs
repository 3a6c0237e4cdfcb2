//! CSV to columns: a table that stays in the plugin, and columns of numbers that cross as they lie in memory.

mod messages;
mod table;

use rustbridge::prelude::*;

pub use messages::{Column, ColumnError, ColumnsConfig, CsvError, Dialect, Kind};
pub use table::Table;

/// Reads CSV.
#[derive(Debug, Default)]
pub struct Columns {
    config: ColumnsConfig,
}

/// Reads CSV to columns.
#[plugin(name = "columns", objects(Table))]
impl Columns {
    /// Makes an instance.
    pub fn create(config: ColumnsConfig) -> Result<Columns> {
        Ok(Columns { config })
    }

    /// Reads a file, whose first row has the names of the columns. A quote that is never closed takes all that follows into its cell.
    pub fn read(&self, dialect: Dialect, file: &[u8]) -> Result<Object<Table>, CsvError> {
        let table = Table::read(&self.config, &dialect, file)?;
        info!(rows = table.rows(), columns = table.columns().len(), "read");
        Ok(Object::new(table))
    }
}

#[cfg(test)]
mod tests;
