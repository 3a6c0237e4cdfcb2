//! What all charts share: their width, and texts in them.

use std::fmt::Write as _;

/// How wide every chart is.
pub(crate) const WIDTH: f64 = 340.0;

/// A text as it may stand in XML.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            // XML has no way to write them.
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}

/// A text at a place; `class` says how it looks.
pub(crate) fn text(svg: &mut String, (x, y): (f64, f64), class: &str, content: &str) {
    let content = escape(content);
    let _ = write!(
        svg,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" class=\"{class}\">{content}</text>"
    );
}
