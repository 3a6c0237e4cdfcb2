//! What every host does, and what its calls cost, as one table that fits on a screen.

use std::fmt::Write as _;

use super::lines::{Line, paint, paint_ratio};
use crate::table::width;

/// What each host shows, in the order in which it does.
const KINDS: [&str; 7] = [
    "log", "error", "object", "callback", "stream", "cancel", "typed",
];

/// The width of the names of rows, and of a column.
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

pub fn render(lines: &[Line], colours: bool) -> String {
    let mut columns: Vec<(&str, &str)> = Vec::new();
    let mut calls: Vec<(&str, &str)> = Vec::new();
    for line in lines {
        if !columns.contains(&line.column()) {
            columns.push(line.column());
        }
        let call = line
            .method
            .as_deref()
            .map(|method| (method, &*line.encoding));
        let call = call.filter(|call| line.times().is_some() && !calls.contains(call));
        calls.extend(call);
    }
    let of = |column| lines.iter().filter(move |line| line.column() == column);
    let mut text = String::new();
    // The name of several columns stands above the first.
    let hosts = columns.iter().enumerate().map(|(index, (host, _))| {
        let is_again = index > 0 && columns[index - 1].0 == *host;
        if is_again { "" } else { *host }.to_owned()
    });
    row(&mut text, "", hosts);
    row(
        &mut text,
        "",
        columns.iter().map(|(_, transport)| {
            let known = TRANSPORTS.iter().find(|(name, _)| name == transport);
            known.map_or(*transport, |(_, short)| short).to_owned()
        }),
    );
    for kind in KINDS {
        let cells = columns.iter().map(|column| {
            let shows = of(*column).any(|line| line.kind() == Some(kind));
            let (mark, colour) = if shows { ("✓", "32") } else { ("·", "2") };
            paint(mark, colour, colours)
        });
        row(&mut text, kind, cells);
    }
    for (method, encoding) in calls {
        let is_call =
            |line: &&Line| line.method.as_deref() == Some(method) && line.encoding == encoding;
        let times = |column| of(column).filter(is_call).find_map(Line::times);
        let cells = columns.iter().map(|column| times(*column));
        let name = method.rsplit('.').next().unwrap_or(method);
        row(
            &mut text,
            name,
            cells
                .clone()
                .map(|it| it.map(|(ns, _)| time(ns)).unwrap_or_default()),
        );
        let ratio = |(ns, bare): (f64, f64)| paint_ratio(ns / bare, 1, colours);
        row(
            &mut text,
            " x bare",
            cells.map(|it| it.map(ratio).unwrap_or_default()),
        );
    }
    text.push_str(
        "\nTimes: medians of whole calls, echo with JSON, add and small with structs. x bare: as a\n\
         multiple of a function written by hand that does the same work, called in turn.\n\
         The machine was busy: `cargo xtask bench` measures on a quiet one.\n",
    );
    text
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

/// A time in at most five letters.
fn time(ns: f64) -> String {
    match ns {
        ns if ns < 999.5 => format!("{ns:.0}ns"),
        ns if ns < 9_950.0 => format!("{:.1}µs", ns / 1e3),
        ns if ns < 999_500.0 => format!("{:.0}µs", ns / 1e3),
        ns => format!("{:.0}ms", ns / 1e6),
    }
}
