//! A plugin that reads CSV into columns. The table stays in the plugin. Columns of numbers cross with their layout in memory.

mod messages;
mod table;

use rustbridge::prelude::*;

pub use messages::{Column, ColumnError, ColumnsConfig, CsvError, Dialect, Kind};
pub use table::Table;

/// The state of an instance: its configuration.
#[derive(Debug, Default)]
pub struct Columns {
    config: ColumnsConfig,
}

/// Reads CSV into columns.
#[plugin(name = "columns", objects(Table))]
impl Columns {
    /// Creates an instance.
    pub fn create(config: ColumnsConfig) -> Result<Columns> {
        Ok(Columns { config })
    }

    /// Reads a file, whose first row has the names of the columns. If a quote is never closed, the rest of the file is part of its cell.
    pub fn read(&self, dialect: Dialect, file: &[u8]) -> Result<Object<Table>, CsvError> {
        let table = Table::read(&self.config, &dialect, file)?;
        info!(rows = table.rows(), columns = table.columns().len(), "read");
        Ok(Object::new(table))
    }
}

#[cfg(test)]
mod tests;
