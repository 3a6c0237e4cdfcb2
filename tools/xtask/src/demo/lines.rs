//! What host programs say, and the tables of it.

use serde::Deserialize;

use crate::table::{Align, Table, nanoseconds};

/// One line of a host program.
#[derive(Debug, Deserialize)]
pub struct Line {
    pub host: String,
    pub transport: String,
    #[serde(flatten)]
    pub what: What,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum What {
    /// A log record or an error that arrived.
    Event { event: String, text: String },
    /// What a call that goes on does, and when.
    Happened {
        happened: String,
        text: String,
        at_ms: u64,
    },
    /// A call and its answer, timed or not.
    Call {
        method: String,
        encoding: String,
        answer: String,
        ns: Option<f64>,
        bare_ns: Option<f64>,
        bare: Option<String>,
    },
}

pub fn render(lines: &[Line], colours: bool) -> String {
    let mut text = String::from("\nLog records and errors as they arrive in each host:\n\n");
    let mut events = Table::new(&[
        ("host", Align::Left),
        ("", Align::Left),
        ("what arrived", Align::Left),
    ]);
    for line in lines {
        if let What::Event { event, text } = &line.what {
            let host = format!("{} ({})", line.host, line.transport);
            events.row(vec![host, event.clone(), shorten(text, 110)]);
        }
    }
    text.push_str(&events.render());
    text.push_str(&happenings(lines, colours));
    text.push_str("\nAnswers and times:\n\n");
    let mut table = Table::new(&[
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
        let What::Call {
            method,
            encoding,
            answer,
            ns,
            bare_ns,
            bare,
        } = &line.what
        else {
            continue;
        };
        let this = (&line.host, &line.transport);
        if last.is_some_and(|last| last != this) {
            table.gap();
        }
        last = Some(this);
        let time = |ns: &Option<f64>| ns.map(nanoseconds).unwrap_or_default();
        let ratio = match (ns, bare_ns) {
            (Some(ns), Some(bare)) => paint(&format!("{:.2}", ns / bare), ns / bare, colours),
            _ => String::new(),
        };
        table.row(vec![
            line.host.clone(),
            line.transport.clone(),
            method.clone(),
            encoding.clone(),
            shorten(answer, 58),
            time(ns),
            time(bare_ns),
            ratio,
            bare.clone().unwrap_or_default(),
        ]);
    }
    text.push_str(&table.render());
    text.push_str(
        "\nmedian: the whole call as the host sees it, from its value to its value, median over batches.\n\
         bare call: the same work in a foreign function written by hand (benches/floor), with no handles, no guard,\n\
         no panic barrier, in the same run. ratio = median / bare call. Times differ between machines and runs;\n\
         the ratios are what to compare. The programs: examples/demo.\n",
    );
    text
}

/// A line for each host and transport: what it has shown, and what its first timed call takes.
pub fn summaries(lines: &[Line]) -> Vec<String> {
    let mut hosts: Vec<(String, Vec<&str>, Option<String>)> = Vec::new();
    for line in lines {
        let name = format!("{} ({})", line.host, line.transport);
        let index = hosts.iter().position(|(known, ..)| *known == name);
        let index = index.unwrap_or_else(|| {
            hosts.push((name, Vec::new(), None));
            hosts.len() - 1
        });
        let (_, kinds, time) = &mut hosts[index];
        match &line.what {
            What::Event { event: kind, .. } | What::Happened { happened: kind, .. } => {
                if !kinds.contains(&kind.as_str()) {
                    kinds.push(kind);
                }
            }
            What::Call {
                method,
                ns: Some(ns),
                bare_ns: Some(bare),
                ..
            } if time.is_none() => {
                *time = Some(format!(
                    "; {method} {}, {:.1}x bare",
                    nanoseconds(*ns),
                    ns / bare
                ));
            }
            What::Call { .. } => {}
        }
    }
    hosts
        .into_iter()
        .map(|(name, kinds, time)| {
            format!("{name:<22} {}{}", kinds.join(" "), time.unwrap_or_default())
        })
        .collect()
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
        let What::Happened {
            happened,
            text,
            at_ms,
        } = &line.what
        else {
            continue;
        };
        let this = (&line.host, &line.transport);
        if last.is_some_and(|last| last != this) {
            table.gap();
        }
        // Where something else begins, a person sees it.
        let colour = match happened.as_str() {
            "stream" => "32",
            "callback" => "35",
            "cancel" => "33",
            "object" => "36",
            "typed" => "34",
            _ => "2",
        };
        let kind = if colours {
            format!("\x1b[{colour}m{happened}\x1b[0m")
        } else {
            happened.clone()
        };
        let host = if last == Some(this) {
            String::new()
        } else {
            format!("{} ({})", line.host, line.transport)
        };
        last = Some(this);
        table.row(vec![host, format!("{at_ms} ms"), kind, shorten(text, 80)]);
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

/// Green for what costs little beside the bare call, yellow for more.
fn paint(text: &str, ratio: f64, colours: bool) -> String {
    match (colours, ratio) {
        (false, _) => text.to_owned(),
        (true, ratio) if ratio <= 2.0 => format!("\x1b[32m{text}\x1b[0m"),
        (true, _) => format!("\x1b[33m{text}\x1b[0m"),
    }
}

fn shorten(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let kept: String = text.chars().take(most - 3).collect();
    format!("{kept}...")
}
