//! Tables for a terminal.

use std::fmt::Write as _;

/// Which side a column's cells lean to.
#[derive(Clone, Copy)]
pub enum Align {
    Left,
    Right,
}

/// A table with aligned columns, printed when all rows are known.
pub struct Table {
    columns: Vec<(&'static str, Align)>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub fn new(columns: &[(&'static str, Align)]) -> Table {
        Table {
            columns: columns.to_vec(),
            rows: Vec::new(),
        }
    }

    pub fn row(&mut self, cells: Vec<String>) {
        assert_eq!(
            cells.len(),
            self.columns.len(),
            "a row has as many cells as the table has columns"
        );
        self.rows.push(cells);
    }

    /// An empty row: a gap between groups.
    pub fn gap(&mut self) {
        self.rows.push(Vec::new());
    }

    pub fn render(&self) -> String {
        let widths: Vec<usize> = (0..self.columns.len())
            .map(|index| {
                let cells = self
                    .rows
                    .iter()
                    .filter_map(|row| row.get(index))
                    .map(|cell| width(cell));
                cells
                    .chain([width(self.columns[index].0)])
                    .max()
                    .unwrap_or(0)
            })
            .collect();
        let titles: Vec<String> = self
            .columns
            .iter()
            .map(|(title, _)| (*title).to_owned())
            .collect();
        let rules: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
        let mut text = String::new();
        for row in [&titles, &rules].into_iter().chain(&self.rows) {
            let mut line = String::new();
            for ((cell, column_width), (_, align)) in row.iter().zip(&widths).zip(&self.columns) {
                let pad = " ".repeat(column_width - width(cell));
                let _ = match align {
                    Align::Left => write!(line, "{cell}{pad}  "),
                    Align::Right => write!(line, "{pad}{cell}  "),
                };
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}

/// How many places a cell takes. One per character is right for all that we print, with colour codes left out.
pub fn width(cell: &str) -> usize {
    let mut count = 0;
    let mut inside = false;
    for c in cell.chars() {
        match c {
            '\x1b' => inside = true,
            'm' if inside => inside = false,
            _ if !inside => count += 1,
            _ => {}
        }
    }
    count
}

/// A time in the unit a reader expects: `8.4 ns`, `1.32 µs`, `10.2 ms`.
pub fn nanoseconds(ns: f64) -> String {
    match ns {
        ns if ns < 100.0 => format!("{ns:.1} ns"),
        ns if ns < 10_000.0 => format!("{ns:.0} ns"),
        ns if ns < 1e6 => format!("{:.1} µs", ns / 1e3),
        ns if ns < 1e9 => format!("{:.2} ms", ns / 1e6),
        ns => format!("{:.2} s", ns / 1e9),
    }
}
