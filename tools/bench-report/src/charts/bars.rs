//! Horizontal bars, alone or in groups.

use std::fmt::Write as _;

use super::scale::Scale;
use super::svg::{WIDTH, text};
use crate::words;

/// Bars in groups; the values are nanoseconds.
#[derive(Clone, Debug, Default)]
pub struct Bars {
    /// A group's name and its bars. A group of one bar is named by its bar.
    pub groups: Vec<(String, Vec<Bar>)>,
}

/// One bar.
#[derive(Clone, Debug)]
pub struct Bar {
    /// What it's the time of.
    pub label: String,
    /// Nanoseconds.
    pub ns: f64,
    /// How it looks.
    pub role: Role,
}

/// What a bar stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Ours: full.
    Ours,
    /// The floor or the direct call: an outline.
    Floor,
    /// gRPC or a peer: hatched.
    Other,
}

/// Between the sides of a group's bars: names left of it, values right.
const LEFT: f64 = 58.0;
const RIGHT: f64 = 272.0;
const ALONE: f64 = 36.0;
const GROUPED: f64 = 17.0;
const HEADING: f64 = 20.0;
/// How many letters the longest bar is.
const LETTERS: f64 = 48.0;

impl Bars {
    /// Bars that stand alone, in order of their values.
    #[must_use]
    pub fn ranking(mut bars: Vec<Bar>) -> Bars {
        bars.sort_by(|a, b| a.ns.total_cmp(&b.ns));
        Bars {
            groups: bars
                .into_iter()
                .map(|bar| (String::new(), vec![bar]))
                .collect(),
        }
    }

    /// Adds a group, if it has bars.
    pub fn group(&mut self, name: impl Into<String>, bars: Vec<Bar>) {
        if !bars.is_empty() {
            self.groups.push((name.into(), bars));
        }
    }

    fn all(&self) -> impl Iterator<Item = &Bar> {
        self.groups.iter().flat_map(|(_, bars)| bars)
    }

    fn scale(&self) -> Scale {
        let values: Vec<f64> = self.all().map(|bar| bar.ns).collect();
        Scale::of(&values)
    }

    /// Its figures as a sentence; none without a figure.
    pub(super) fn about(&self) -> Option<String> {
        self.all().next()?;
        let groups = self.groups.iter().map(|(name, bars)| {
            let bars: Vec<String> = bars
                .iter()
                .map(|bar| format!("{} {}", bar.label, words::time(bar.ns)))
                .collect();
            if name.is_empty() {
                bars.join(", ")
            } else {
                format!("{name}: {}", bars.join(", "))
            }
        });
        let kind = match self.scale() {
            Scale::Linear(_) => "Bars",
            Scale::Log(..) => "Bars on a logarithmic scale",
        };
        Some(format!(
            "{kind}, shorter is faster. {}.",
            groups.collect::<Vec<_>>().join("; ")
        ))
    }

    /// The height it takes, and what is drawn.
    pub(super) fn draw(&self, id: &str) -> (f64, String) {
        let scale = self.scale();
        let alone = self
            .groups
            .iter()
            .all(|(name, bars)| name.is_empty() && bars.len() == 1);
        let (left, right) = if alone { (0.0, WIDTH) } else { (LEFT, RIGHT) };
        let height: f64 = if alone {
            ALONE * self.groups.len() as f64
        } else {
            self.groups
                .iter()
                .map(|(_, bars)| HEADING + GROUPED * bars.len() as f64 + 6.0)
                .sum()
        };
        let mut svg = String::new();
        let _ = write!(
            svg,
            "<defs><pattern id=\"{id}-hatch\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\" \
             patternTransform=\"rotate(45)\"><rect width=\"5\" height=\"5\" class=\"hatch-ground\"/>\
             <rect width=\"2.4\" height=\"5\" class=\"hatch\"/></pattern></defs>"
        );
        let ticks = scale.ticks();
        for tick in &ticks {
            let x = left + scale.place(*tick) * (right - left);
            let _ = write!(svg, "<path class=\"grid\" d=\"M{x:.1} 0V{height:.1}\"/>");
            // Between the sides of a group there's room for a name on either side of its line.
            let side = match scale.place(*tick) {
                place if alone && place < 0.01 => "tick",
                place if alone && place > 0.99 => "tick end",
                _ => "tick middle",
            };
            text(&mut svg, (x, height + 13.0), side, &tick_name(*tick));
        }
        let mut y = 0.0;
        for (name, bars) in &self.groups {
            if !alone {
                text(&mut svg, (0.0, y + 14.0), "name", name);
                y += HEADING;
            }
            for bar in bars {
                let width = (scale.place(bar.ns) * (right - left)).max(1.5);
                let value = words::time(bar.ns);
                let (top, thick) = if alone {
                    text(&mut svg, (0.0, y + 13.0), "label", &bar.label);
                    text(&mut svg, (WIDTH, y + 13.0), "value end", &value);
                    (y + 18.0, 11.0)
                } else {
                    text(&mut svg, (left - 5.0, y + 11.0), "label end", &bar.label);
                    text(&mut svg, (WIDTH, y + 11.0), "value end", &value);
                    (y + 2.0, 11.0)
                };
                let fill = match bar.role {
                    Role::Ours => "class=\"ours\"".to_owned(),
                    Role::Floor => "class=\"floor\"".to_owned(),
                    Role::Other => format!("class=\"other\" fill=\"url(#{id}-hatch)\""),
                };
                let _ = write!(
                    svg,
                    "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{thick:.1}\" rx=\"1.5\" {fill}/>"
                );
                y += if alone { ALONE } else { GROUPED };
            }
            if !alone {
                y += 6.0;
            }
        }
        let axis = if ticks.is_empty() { 2.0 } else { 18.0 };
        (height + axis, svg)
    }

    /// Bars made of letters, as lines of one width.
    pub(super) fn letters(&self) -> String {
        let scale = self.scale();
        let width = self
            .all()
            .map(|bar| bar.label.chars().count())
            .max()
            .unwrap_or(0);
        let mut lines = String::new();
        for (name, bars) in &self.groups {
            if !name.is_empty() {
                let _ = writeln!(lines, "{name}");
            }
            for bar in bars {
                let length = (scale.place(bar.ns) * LETTERS).round().max(1.0) as usize;
                let letter = match bar.role {
                    Role::Ours => "█",
                    Role::Floor => "░",
                    Role::Other => "▒",
                };
                let pad = " ".repeat(width - bar.label.chars().count());
                let _ = writeln!(
                    lines,
                    "{}{pad}  {} {}",
                    bar.label,
                    letter.repeat(length),
                    words::time(bar.ns)
                );
            }
        }
        if let Scale::Log(..) = scale {
            lines.push_str("(logarithmic scale)\n");
        }
        lines
    }
}

/// A power of ten without needless digits: `10 ns`, `1 µs`.
fn tick_name(ns: f64) -> String {
    let name = words::time(ns);
    match name.split_once(' ') {
        Some((number, unit)) if number.contains('.') => {
            let number = number.trim_end_matches('0').trim_end_matches('.');
            format!("{number} {unit}")
        }
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bar(label: &str, ns: f64) -> Bar {
        Bar {
            label: label.into(),
            ns,
            role: Role::Ours,
        }
    }

    #[test]
    fn a_ranking_begins_with_the_fastest() {
        let bars = Bars::ranking(vec![bar("slow", 40.0), bar("fast", 20.0)]);
        let about = bars.about().expect("it has bars");
        assert_eq!(
            about,
            "Bars, shorter is faster. fast 20.0 ns; slow 40.0 ns."
        );
        let lines = bars.letters();
        assert!(
            lines.starts_with(&format!("fast  {} 20.0 ns\n", "█".repeat(24))),
            "{lines}"
        );
        assert!(Bars::default().about().is_none());
    }

    #[test]
    fn a_power_of_ten_is_named_shortly() {
        assert_eq!([1.0, 10.0, 1e5].map(tick_name), ["1 ns", "10 ns", "100 µs"]);
    }
}
