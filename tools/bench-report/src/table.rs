//! The one kind of table: columns that are questions, asked of each row. Also numbers as text.

use std::fmt;

type Cell<'a, R> = Box<dyn Fn(&R) -> Option<String> + 'a>;

/// Columns, before they are asked.
pub struct Columns<'a, R> {
    columns: Vec<(Head, Cell<'a, R>)>,
}

#[derive(Clone)]
struct Head {
    title: String,
    /// Whether it names the row, rather than having its figures.
    is_name: bool,
}

impl<'a, R> Columns<'a, R> {
    /// No columns.
    #[must_use]
    pub fn new() -> Columns<'a, R> {
        Columns {
            columns: Vec::new(),
        }
    }

    /// Adds a column that names the row.
    #[must_use]
    pub fn name(mut self, title: impl Into<String>, cell: impl Fn(&R) -> String + 'a) -> Self {
        let title = title.into();
        let head = Head {
            title,
            is_name: true,
        };
        self.columns
            .push((head, Box::new(move |row| Some(cell(row)))));
        self
    }

    /// Adds a column of figures; not every row needs one.
    #[must_use]
    pub fn figure(
        mut self,
        title: impl Into<String>,
        cell: impl Fn(&R) -> Option<String> + 'a,
    ) -> Self {
        let title = title.into();
        let head = Head {
            title,
            is_name: false,
        };
        self.columns.push((head, Box::new(cell)));
        self
    }

    /// Fills a table, without the rows and columns that have no figures.
    pub fn table(&self, rows: impl IntoIterator<Item = R>) -> Table {
        let mut used: Vec<bool> = self.columns.iter().map(|(head, _)| head.is_name).collect();
        let mut filled = Vec::new();
        for row in rows {
            let cells: Vec<Option<String>> =
                self.columns.iter().map(|(_, cell)| cell(&row)).collect();
            let figures = cells.iter().zip(&self.columns);
            if figures
                .clone()
                .any(|(cell, (head, _))| cell.is_some() && !head.is_name)
            {
                let now = cells.iter().map(Option::is_some);
                used.iter_mut()
                    .zip(now)
                    .for_each(|(used, now)| *used |= now);
                filled.push(cells);
            }
        }
        let kept = |index: &usize| used[*index];
        Table {
            heads: (0..used.len())
                .filter(kept)
                .map(|index| self.columns[index].0.clone())
                .collect(),
            rows: filled
                .into_iter()
                .map(|mut cells| {
                    let texts = (0..used.len()).filter(kept);
                    texts
                        .map(|index| cells[index].take().unwrap_or_default())
                        .collect()
                })
                .collect(),
        }
    }
}

impl<R> Default for Columns<'_, R> {
    fn default() -> Self {
        Columns::new()
    }
}

/// A table, which displays as Markdown, or as nothing without rows; as `{:#}`, its columns are aligned.
pub struct Table {
    heads: Vec<Head>,
    rows: Vec<Vec<String>>,
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.rows.is_empty() {
            return Ok(());
        }
        let titles = self.heads.iter().map(|head| head.title.clone());
        let rules = self.heads.iter().map(|head| match head.is_name {
            true => "---".into(),
            false => "---:".into(),
        });
        let mut lines: Vec<Vec<String>> = vec![titles.collect(), rules.collect()];
        let cells = |row: &Vec<String>| row.iter().map(|cell| escape(cell)).collect();
        lines.extend(self.rows.iter().map(cells));
        let width = |index: usize| {
            let cells = lines.iter().map(|line| line[index].chars().count());
            cells.max().filter(|_| f.alternate()).unwrap_or_default()
        };
        let widths: Vec<usize> = (0..self.heads.len()).map(width).collect();
        for line in &lines {
            for ((cell, head), width) in line.iter().zip(&self.heads).zip(&widths) {
                match head.is_name {
                    true => write!(f, "| {cell:<width$} ")?,
                    false => write!(f, "| {cell:>width$} ")?,
                }
            }
            writeln!(f, "|")?;
        }
        writeln!(f)
    }
}

/// Escapes the characters that have a meaning in Markdown, except backquotes and `**`.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (index, piece) in text.split('`').enumerate() {
        let is_code = index % 2 == 1;
        if index > 0 {
            out.push('`');
        }
        for c in piece.chars() {
            // A table's bars are found before its code is.
            if c == '|' || !is_code && matches!(c, '\\' | '<' | '>' | '_' | '[' | ']') {
                out.push('\\');
            }
            out.push(if c.is_control() { ' ' } else { c });
        }
    }
    out
}

/// A time in three digits: `8.14 ns`, `1.32 µs`, `10.2 ms`.
#[must_use]
pub fn time(ns: f64) -> String {
    scaled(ns, &[(1.0, "ns"), (1e3, "µs"), (1e6, "ms"), (1e9, "s")])
}

/// A number of events a second: `1.76 M/s`.
#[must_use]
pub fn rate(per_second: f64) -> String {
    let units = [(1.0, "/s"), (1e3, "k/s"), (1e6, "M/s"), (1e9, "G/s")];
    scaled(per_second, &units)
}

/// A ratio: `1.61×`, `14.2×`, `4628×`.
#[must_use]
pub fn times(ratio: f64) -> String {
    format!("{}×", three_digits(ratio))
}

/// The quotient, if it's a number.
#[must_use]
pub fn ratio(over: f64, under: f64) -> Option<f64> {
    let ratio = over / under;
    (ratio.is_finite() && ratio >= 0.0).then_some(ratio)
}

fn scaled(value: f64, units: &[(f64, &str)]) -> String {
    // 999.6 of a unit would be written 1000, so it's 1.00 of the next one.
    let unit = units.iter().rev().find(|(size, _)| value >= size * 0.9995);
    let (size, name) = unit.unwrap_or(&units[0]);
    format!("{} {name}", three_digits(value / size))
}

fn three_digits(value: f64) -> String {
    // A value that rounds up to the next power of ten has a digit more before the point.
    let places = match value.abs() {
        value if value < 9.995 => 2,
        value if value < 99.95 => 1,
        _ => 0,
    };
    format!("{value:.places$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_columns_without_figures_are_left_out() {
        let columns = Columns::<u32>::new()
            .name("row", |row| format!("`a|b` {row}"))
            .figure("never", |_| None)
            .figure("even", |row| {
                row.is_multiple_of(2).then(|| "**yes**".into())
            })
            .figure("four", |row| (*row == 4).then(|| "y_s".into()));
        let text = columns.table([2, 3, 4]).to_string();
        let expected = "| row | even | four |\n| --- | ---: | ---: |\n\
                        | `a\\|b` 2 | **yes** |  |\n| `a\\|b` 4 | **yes** | y\\_s |\n\n";
        assert_eq!(text, expected);
        assert_eq!(columns.table([3]).to_string(), "");
        let aligned = format!("{:#}", columns.table([4]));
        assert!(
            aligned.contains("\n| `a\\|b` 4 | **yes** | y\\_s |\n"),
            "{aligned}"
        );
        assert!(
            aligned.starts_with("| row      |    even | four |\n"),
            "{aligned}"
        );
    }

    #[test]
    fn numbers_have_three_digits_in_the_unit_that_keeps_them_short() {
        let values = [
            0.0, 8.136, 41.25, 99.96, 411.6, 999.7, 17_450.0, 2.5e6, 695e6, 12e9,
        ];
        let expected = [
            "0.00 ns", "8.14 ns", "41.2 ns", "100 ns", "412 ns", "1.00 µs", "17.4 µs", "2.50 ms",
            "695 ms", "12.0 s",
        ];
        assert_eq!(values.map(time), expected);
        assert_eq!(rate(1_759_411.0), "1.76 M/s");
        assert_eq!([1.613, 4628.2].map(times), ["1.61×", "4628×"]);
        assert_eq!([ratio(1.0, 0.0), ratio(0.0, 0.0)], [None, None]);
    }
}
