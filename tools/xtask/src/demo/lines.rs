//! The output of host programs, and its tables.

use serde::Deserialize;

use crate::progress::cut;
use crate::table::{Align, Table, nanoseconds};

/// One line of a host program: a log record or an error that arrived (`event`), a step of a call that goes on and its time (`happened`), or a
/// call and its answer, timed or not (`method`).
#[derive(Debug, Deserialize)]
#[serde(default)]
#[derive(Default)]
pub struct Line {
    pub host: String,
    pub transport: String,
    event: Option<String>,
    happened: Option<String>,
    pub text: String,
    at_ms: u64,
    pub method: Option<String>,
    pub encoding: String,
    answer: String,
    ns: Option<f64>,
    bare_ns: Option<f64>,
    bare: String,
}

impl Line {
    /// What the host shows by it.
    pub fn kind(&self) -> Option<&str> {
        self.event.as_deref().or(self.happened.as_deref())
    }

    /// The time of a call, and of the bare one.
    pub fn times(&self) -> Option<(f64, f64)> {
        self.ns.zip(self.bare_ns)
    }

    pub fn column(&self) -> (&str, &str) {
        (&self.host, &self.transport)
    }

    fn name(&self) -> String {
        format!("{} ({})", self.host, self.transport)
    }
}

pub fn render(lines: &[Line], colours: bool) -> String {
    let columns = ["host", "", "what arrived"].map(|title| (title, Align::Left));
    let mut events = Table::new(&columns);
    for line in lines {
        if let Some(event) = &line.event {
            events.row(vec![line.name(), event.clone(), cut(&line.text, 110)]);
        }
    }
    let mut calls = Table::new(&[
        ("host", Align::Left),
        ("transport", Align::Left),
        ("method", Align::Left),
        ("encoding", Align::Left),
        ("answer", Align::Left),
        ("median", Align::Right),
        ("bare call", Align::Right),
        ("ratio", Align::Right),
        ("the bare call is", Align::Left),
    ]);
    let mut last = None;
    for line in lines {
        let Some(method) = &line.method else { continue };
        if last.is_some_and(|last| last != line.column()) {
            calls.gap();
        }
        last = Some(line.column());
        let [time, bare] =
            [line.ns, line.bare_ns].map(|ns| ns.map(nanoseconds).unwrap_or_default());
        let ratio = line
            .times()
            .map(|(ns, bare)| paint_ratio(ns / bare, 2, colours));
        calls.row(vec![
            line.host.clone(),
            line.transport.clone(),
            method.clone(),
            line.encoding.clone(),
            cut(&line.answer, 58),
            time,
            bare,
            ratio.unwrap_or_default(),
            line.bare.clone(),
        ]);
    }
    format!(
        "\nLog records and errors as they arrive in each host:\n\n{}{}\nAnswers and times:\n\n{}\n\
         median: the whole call as the host sees it, from its value to its value, median over batches.\n\
         bare call: the same work in a foreign function written by hand (benches/floor), with no handles, no guard,\n\
         no panic barrier, in the same run. ratio = median / bare call. Times differ between machines and runs;\n\
         the ratios are what to compare. The programs: examples/demo.\n",
        events.render(),
        happenings(lines, colours),
        calls.render()
    )
}

/// A line for each host and transport: what it has shown, and the time of its first timed call.
pub fn summaries(lines: &[Line]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for name in lines.iter().map(Line::name) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let summary = |name: String| {
        let of = || lines.iter().filter(|line| line.name() == name);
        let mut kinds: Vec<&str> = Vec::new();
        for kind in of().filter_map(Line::kind) {
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        let timed = of().find_map(|line| {
            let ((ns, bare), method) = line.times().zip(line.method.as_ref())?;
            Some(format!(
                "; {method} {}, {:.1}x bare",
                nanoseconds(ns),
                ns / bare
            ))
        });
        format!(
            "{name:<22} {}{}",
            kinds.join(" "),
            timed.unwrap_or_default()
        )
    };
    names.into_iter().map(summary).collect()
}

/// What goes on while calls run, one host after the other.
fn happenings(lines: &[Line], colours: bool) -> String {
    let mut table = Table::new(&[
        ("host", Align::Left),
        ("after", Align::Right),
        ("", Align::Left),
        ("what happened", Align::Left),
    ]);
    let mut last = None;
    for line in lines {
        let Some(happened) = &line.happened else {
            continue;
        };
        let is_new = last != Some(line.column());
        if is_new && last.is_some() {
            table.gap();
        }
        last = Some(line.column());
        // So that a person sees where something else begins.
        let colour = match happened.as_str() {
            "stream" => "32",
            "callback" => "35",
            "cancel" => "33",
            "object" => "36",
            "typed" => "34",
            _ => "2",
        };
        let host = if is_new { line.name() } else { String::new() };
        let kind = paint(happened, colour, colours);
        table.row(vec![
            host,
            format!("{} ms", line.at_ms),
            kind,
            cut(&line.text, 80),
        ]);
    }
    if last.is_none() {
        return String::new();
    }
    format!(
        "\nCalls that go on (examples/shop): a basket that stays in the plugin, prices that the plugin asks its host for, a\n\
         parcel that is followed, and a delivery that is cancelled. Typed calls (examples/contacts), by clients that\n\
         `rustbridge gen` has written from the library.\n\n{}",
        table.render()
    )
}

pub fn paint(text: &str, colour: &str, colours: bool) -> String {
    match colours {
        true => format!("\x1b[{colour}m{text}\x1b[0m"),
        false => text.to_owned(),
    }
}

/// Green for calls that cost little more than the bare one, yellow for others.
pub fn paint_ratio(ratio: f64, digits: usize, colours: bool) -> String {
    let colour = if ratio <= 2.0 { "32" } else { "33" };
    paint(&format!("{ratio:.digits$}"), colour, colours)
}
