//! What every host does, and what its calls cost, as one table that fits on a screen.

use std::fmt::Write as _;

use super::lines::{Line, What};

/// What each host shows, in the order in which it does.
const KINDS: [&str; 7] = [
    "log", "error", "object", "callback", "stream", "cancel", "typed",
];

/// What something takes of a line: the names of rows, and a column.
const LABEL: usize = 9;
const COLUMN: usize = 6;

/// The transports in as few letters as there is room for.
const TRANSPORTS: [(&str, &str); 7] = [
    ("librustbridge", "C ABI"),
    ("core, linked in", "core"),
    ("extension", "ext."),
    ("native", "C ABI"),
    ("P/Invoke", "P/Inv"),
    ("Node-API", "N-API"),
    ("ctypes", "ctyp."),
];

struct Column<'l> {
    host: &'l str,
    transport: &'l str,
    lines: Vec<&'l What>,
}

pub fn render(lines: &[Line], colours: bool) -> String {
    let columns = columns(lines);
    let mut text = String::new();
    let hosts: Vec<String> = columns
        .iter()
        .enumerate()
        .map(|(index, column)| {
            // The name of several columns stands above the first.
            let again = index > 0 && columns[index - 1].host == column.host;
            if again {
                String::new()
            } else {
                column.host.to_owned()
            }
        })
        .collect();
    row(&mut text, "", hosts);
    row(
        &mut text,
        "",
        columns
            .iter()
            .map(|column| short(column.transport).to_owned()),
    );
    for kind in KINDS {
        let cells = columns.iter().map(|column| {
            if column.shows(kind) {
                paint("✓", "32", colours)
            } else {
                paint("·", "2", colours)
            }
        });
        row(&mut text, kind, cells);
    }
    for (method, encoding) in timed(&columns) {
        let found = |column: &Column<'_>| column.time(method, encoding);
        let times = columns
            .iter()
            .map(|column| found(column).map_or_else(String::new, |(ns, _)| time(ns)));
        let name = method.rsplit('.').next().unwrap_or(method);
        row(&mut text, name, times);
        let ratios = columns.iter().map(|column| {
            let Some((ns, bare)) = found(column) else {
                return String::new();
            };
            let ratio = ns / bare;
            let colour = if ratio <= 2.0 { "32" } else { "33" };
            paint(&format!("{ratio:.1}"), colour, colours)
        });
        row(&mut text, " x bare", ratios);
    }
    text.push_str(
        "\nTimes: medians of whole calls, echo with JSON, add and small with structs. x bare: as a\n\
         multiple of a function written by hand that does the same work, called in turn.\n\
         The machine was busy: `cargo xtask bench` measures on a quiet one.\n",
    );
    text
}

impl Column<'_> {
    fn shows(&self, kind: &str) -> bool {
        self.lines.iter().any(|what| match what {
            What::Event { event: shown, .. }
            | What::Happened {
                happened: shown, ..
            } => shown == kind,
            What::Call { .. } => false,
        })
    }

    /// What a call takes, and what the bare one does.
    fn time(&self, wanted: &str, wanted_encoding: &str) -> Option<(f64, f64)> {
        self.lines.iter().find_map(|what| match what {
            What::Call {
                method,
                encoding,
                ns: Some(ns),
                bare_ns: Some(bare),
                ..
            } if method == wanted && encoding == wanted_encoding => Some((*ns, *bare)),
            _ => None,
        })
    }
}

/// One for each host and transport, in the order in which they come.
fn columns(lines: &[Line]) -> Vec<Column<'_>> {
    let mut columns: Vec<Column<'_>> = Vec::new();
    for line in lines {
        let known = columns
            .iter_mut()
            .find(|it| it.host == line.host && it.transport == line.transport);
        match known {
            Some(column) => column.lines.push(&line.what),
            None => columns.push(Column {
                host: &line.host,
                transport: &line.transport,
                lines: vec![&line.what],
            }),
        }
    }
    columns
}

/// The calls that are timed, with their encodings.
fn timed<'l>(columns: &[Column<'l>]) -> Vec<(&'l str, &'l str)> {
    let mut timed = Vec::new();
    for what in columns.iter().flat_map(|column| &column.lines) {
        if let What::Call {
            method,
            encoding,
            ns: Some(_),
            ..
        } = what
        {
            let call = (method.as_str(), encoding.as_str());
            if !timed.contains(&call) {
                timed.push(call);
            }
        }
    }
    timed
}

fn row(text: &mut String, label: &str, cells: impl IntoIterator<Item = String>) {
    let mut line = format!("{label:<LABEL$}");
    for cell in cells {
        let pad = COLUMN.saturating_sub(width(&cell));
        let _ = write!(line, "{cell}{}", " ".repeat(pad));
    }
    text.push_str(line.trim_end());
    text.push('\n');
}

/// How many places a cell takes, without its colour.
fn width(cell: &str) -> usize {
    let mut parts = cell.split('\x1b');
    let first = parts.next().unwrap_or_default().chars().count();
    let rest = parts.map(|part| {
        part.split_once('m')
            .map_or(0, |(_, text)| text.chars().count())
    });
    first + rest.sum::<usize>()
}

fn short(transport: &str) -> &str {
    let known = TRANSPORTS.iter().find(|(name, _)| *name == transport);
    known.map_or(transport, |(_, short)| short)
}

fn paint(text: &str, colour: &str, colours: bool) -> String {
    if colours {
        format!("\x1b[{colour}m{text}\x1b[0m")
    } else {
        text.to_owned()
    }
}

/// A time in at most five letters.
pub fn time(ns: f64) -> String {
    match ns {
        ns if ns < 999.5 => format!("{ns:.0}ns"),
        ns if ns < 9_950.0 => format!("{:.1}µs", ns / 1e3),
        ns if ns < 999_500.0 => format!("{:.0}µs", ns / 1e3),
        ns => format!("{:.0}ms", ns / 1e6),
    }
}
