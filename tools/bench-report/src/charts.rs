//! Charts as SVG that reads on a phone and in print, and as text for Markdown.
//!
//! A chart is 340 units wide, a phone's width, so that its letters are never smaller there than in the text around
//! it. What tells bars and lines apart is shape and pattern as well as colour.

mod bars;
mod lines;
mod scale;
mod svg;

pub use bars::{Bar, Bars, Role};
pub use lines::{Line, Lines};
pub use svg::escape;

use std::fmt::Write as _;

use svg::WIDTH;

/// A drawing with a title and a description for who can't see it.
#[derive(Clone, Debug)]
pub struct Chart {
    /// What it shows.
    pub title: String,
    /// The same in words, with its figures.
    pub about: String,
    /// What is drawn.
    pub drawing: Drawing,
}

/// What is drawn.
#[derive(Clone, Debug)]
pub enum Drawing {
    /// Bars, less is better.
    Bars(Bars),
    /// Lines over the number of threads.
    Lines(Lines),
}

impl Chart {
    /// Groups of bars; none if there is nothing to draw.
    #[must_use]
    pub fn bars(title: impl Into<String>, bars: Bars) -> Option<Chart> {
        let about = bars.about()?;
        Some(Chart {
            title: title.into(),
            about,
            drawing: Drawing::Bars(bars),
        })
    }

    /// Lines; none if there is nothing to draw.
    #[must_use]
    pub fn lines(title: impl Into<String>, lines: Lines) -> Option<Chart> {
        let about = lines.about()?;
        Some(Chart {
            title: title.into(),
            about,
            drawing: Drawing::Lines(lines),
        })
    }

    /// The drawing; `id` tells its parts from those of the page's other charts.
    #[must_use]
    pub fn svg(&self, id: &str) -> String {
        let (height, inside) = match &self.drawing {
            Drawing::Bars(bars) => bars.draw(id),
            Drawing::Lines(lines) => lines.draw(),
        };
        let mut svg = String::new();
        let _ = write!(
            svg,
            "<svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-labelledby=\"{id}-title {id}-about\">\
             <title id=\"{id}-title\">{}</title><desc id=\"{id}-about\">{}</desc>{inside}</svg>",
            escape(&self.title),
            escape(&self.about),
        );
        svg
    }

    /// The same with letters, where letters can draw it.
    #[must_use]
    pub fn letters(&self) -> Option<String> {
        match &self.drawing {
            Drawing::Bars(bars) => Some(bars.letters()),
            Drawing::Lines(_) => None,
        }
    }
}
