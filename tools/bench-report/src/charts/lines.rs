//! Lines over the number of threads: how many times the calls of one thread.

use std::fmt::Write as _;

use super::scale::round_ticks;
use super::svg::{WIDTH, text};
use crate::words;

/// Lines in one chart.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    /// The lines.
    pub lines: Vec<Line>,
}

/// One line.
#[derive(Clone, Debug)]
pub struct Line {
    /// What it's about.
    pub label: String,
    /// Threads, and how many times the calls of one thread they make together.
    pub points: Vec<(u32, f64)>,
}

const LEFT: f64 = 30.0;
const RIGHT: f64 = 330.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = 190.0;
const LEGEND: f64 = 17.0;

impl Lines {
    /// Its figures as a sentence; none without two points to join.
    pub(super) fn about(&self) -> Option<String> {
        self.lines.iter().find(|line| line.points.len() > 1)?;
        let lines = self.lines.iter().map(|line| {
            let points = line.points.iter();
            let points: Vec<String> = points
                .map(|(threads, factor)| format!("{threads} {}", words::times(*factor)))
                .collect();
            format!("{}: {}", line.label, points.join(", "))
        });
        Some(format!(
            "Calls per second of all threads together, as a multiple of one thread's; the dashed line is perfect scaling. {}.",
            lines.collect::<Vec<_>>().join("; ")
        ))
    }

    /// The height it takes, and what is drawn.
    pub(super) fn draw(&self) -> (f64, String) {
        let all = || self.lines.iter().flat_map(|line| &line.points);
        let mut threads: Vec<u32> = all().map(|(threads, _)| *threads).collect();
        threads.sort_unstable();
        threads.dedup();
        let most = all().map(|(_, factor)| *factor).fold(1.0, f64::max);
        let ticks = round_ticks(most);
        let top = ticks.last().copied().unwrap_or(1.0);
        let x = |count: u32| {
            let place = threads
                .iter()
                .position(|known| *known == count)
                .unwrap_or(0) as f64;
            LEFT + 12.0 + place / (threads.len() - 1).max(1) as f64 * (RIGHT - LEFT - 24.0)
        };
        let y = |factor: f64| BOTTOM - factor / top * (BOTTOM - TOP);
        let mut svg = String::new();
        for tick in &ticks {
            let at = y(*tick);
            let _ = write!(svg, "<path class=\"grid\" d=\"M{LEFT} {at:.1}H{RIGHT}\"/>");
            text(
                &mut svg,
                (LEFT - 4.0, at + 4.0),
                "tick end",
                &format!("{tick}×"),
            );
        }
        for count in &threads {
            text(
                &mut svg,
                (x(*count), BOTTOM + 15.0),
                "tick middle",
                &count.to_string(),
            );
        }
        text(
            &mut svg,
            (WIDTH / 2.0, BOTTOM + 29.0),
            "tick middle",
            "threads",
        );
        // As far as the frame goes: a machine with few cores never gets near the rest.
        let ideal: Vec<String> = threads
            .iter()
            .filter(|count| f64::from(**count) <= top)
            .map(|count| format!("{:.1} {:.1}", x(*count), y(f64::from(*count))))
            .collect();
        let _ = write!(svg, "<path class=\"ideal\" d=\"M{}\"/>", ideal.join("L"));
        let mut legend = BOTTOM + 48.0;
        for (index, line) in self.lines.iter().enumerate() {
            let class = format!("line line-{}", index % SHAPES);
            let points: Vec<(f64, f64)> = line
                .points
                .iter()
                .map(|(count, factor)| (x(*count), y(*factor)))
                .collect();
            let path: Vec<String> = points
                .iter()
                .map(|(x, y)| format!("{x:.1} {y:.1}"))
                .collect();
            let _ = write!(svg, "<path class=\"{class}\" d=\"M{}\"/>", path.join("L"));
            for point in &points {
                marker(&mut svg, index, *point);
            }
            let _ = write!(
                svg,
                "<path class=\"{class}\" d=\"M0 {0:.1}H22\"/>",
                legend - 4.0
            );
            marker(&mut svg, index, (11.0, legend - 4.0));
            text(&mut svg, (30.0, legend), "label", &line.label);
            if let Some((count, factor)) = line.points.last() {
                let value = format!("{} with {count}", words::times(*factor));
                text(&mut svg, (WIDTH, legend), "value end", &value);
            }
            legend += LEGEND;
        }
        (legend - 8.0, svg)
    }
}

/// How many lines can be told apart.
const SHAPES: usize = 8;

/// A mark of its own for each line, so that they're told apart without colour.
fn marker(svg: &mut String, index: usize, (x, y): (f64, f64)) {
    let class = format!("mark mark-{}", index % SHAPES);
    let _ = match index % 4 {
        0 => write!(
            svg,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.6\" class=\"{class}\"/>"
        ),
        1 => {
            let (left, top) = (x - 3.3, y - 3.3);
            write!(
                svg,
                "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"6.6\" height=\"6.6\" class=\"{class}\"/>"
            )
        }
        2 => write!(
            svg,
            "<path d=\"M{x:.1} {:.1}l4.4 7.6h-8.8z\" class=\"{class}\"/>",
            y - 4.6
        ),
        _ => write!(
            svg,
            "<path d=\"M{x:.1} {:.1}l4.8 4.8l-4.8 4.8l-4.8 -4.8z\" class=\"{class}\"/>",
            y - 4.8
        ),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_point_is_no_line() {
        let line = |points: &[(u32, f64)]| Lines {
            lines: vec![Line {
                label: "C".into(),
                points: points.to_vec(),
            }],
        };
        assert!(line(&[(1, 1.0)]).about().is_none());
        let about = line(&[(1, 1.0), (2, 1.9)]).about().expect("two points");
        assert!(about.ends_with("C: 1 1.00×, 2 1.90×."), "{about}");
    }
}
