//! Writing source text: lines with their indentation.

use std::fmt;

/// Source text as it grows.
pub(crate) struct Source {
    text: String,
    unit: &'static str,
    depth: usize,
}

impl Source {
    /// Nothing yet; each level is indented by `unit`.
    pub(crate) fn new(unit: &'static str) -> Source {
        Source {
            text: String::new(),
            unit,
            depth: 0,
        }
    }

    /// A line, or several, at the present depth. An empty one has no spaces.
    pub(crate) fn line(&mut self, line: impl fmt::Display) {
        for line in line.to_string().split('\n') {
            if !line.is_empty() {
                for _ in 0..self.depth {
                    self.text.push_str(self.unit);
                }
                self.text.push_str(line);
            }
            self.text.push('\n');
        }
    }

    /// How many characters stand before a line's first.
    pub(crate) fn column(&self) -> usize {
        self.depth * self.unit.len()
    }

    /// Lines that have their indentation already.
    pub(crate) fn raw(&mut self, lines: &str) {
        self.text.push_str(lines);
    }

    /// An empty line.
    pub(crate) fn gap(&mut self) {
        self.text.push('\n');
    }

    /// What `inside` writes, a level deeper.
    pub(crate) fn indented<R>(&mut self, inside: impl FnOnce(&mut Source) -> R) -> R {
        self.depth += 1;
        let result = inside(self);
        self.depth -= 1;
        result
    }

    /// What was written.
    pub(crate) fn finish(self) -> String {
        self.text
    }
}
