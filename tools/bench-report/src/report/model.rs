//! What a report is made of, before anybody decides how it looks.
//!
//! Texts are plain, but for what stands between backquotes: names that are set as code.

use std::collections::BTreeMap;

use crate::charts::Chart;

/// All of it.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Its heading.
    pub title: String,
    /// What it is, in a sentence or two.
    pub lead: String,
    /// The figures that a reader sees first.
    pub cards: Vec<Card>,
    /// Its chapters.
    pub sections: Vec<Section>,
}

/// One figure, large.
#[derive(Clone, Debug)]
pub struct Card {
    /// `16.7 ns`.
    pub figure: String,
    /// What it is.
    pub about: String,
    /// Whether it's bad news.
    pub bad: bool,
}

/// A chapter, or a part of one.
#[derive(Clone, Debug, Default)]
pub struct Section {
    /// Names it in links; unique in the report.
    pub id: String,
    /// Its heading.
    pub title: String,
    /// What it says, in order.
    pub blocks: Vec<Block>,
    /// Its parts, one level down.
    pub parts: Vec<Section>,
}

impl Section {
    /// A section without anything in it.
    #[must_use]
    pub fn new(id: impl Into<String>, title: impl Into<String>) -> Section {
        Section {
            id: id.into(),
            title: title.into(),
            ..Section::default()
        }
    }

    /// Adds a paragraph.
    pub fn text(&mut self, text: impl Into<String>) {
        self.blocks.push(Block::Text(text.into()));
    }

    /// Adds a table, unless it has no rows.
    pub fn table(&mut self, mut table: Table) {
        if !table.rows.is_empty() {
            table.settle();
            self.blocks.push(Block::Table(table));
        }
    }

    /// Adds charts side by side, those that have something to show.
    pub fn charts(&mut self, charts: Vec<Option<Chart>>) {
        let charts: Vec<Chart> = charts.into_iter().flatten().collect();
        if !charts.is_empty() {
            self.blocks.push(Block::Charts(charts));
        }
    }

    /// Whether it says nothing at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty() && self.parts.is_empty()
    }

    /// Adds a part, unless it's empty.
    pub fn part(&mut self, part: Section) {
        if !part.is_empty() {
            self.parts.push(part);
        }
    }
}

/// A piece of a section.
#[derive(Clone, Debug)]
pub enum Block {
    /// A paragraph.
    Text(String),
    /// A paragraph that must not be missed.
    Warning(String),
    /// A list of points.
    List(Vec<String>),
    /// A table.
    Table(Table),
    /// Charts that stand side by side where there is room.
    Charts(Vec<Chart>),
    /// Recommendations.
    Advice(Vec<Advice>),
}

/// What to do, and the figures it follows from.
#[derive(Clone, Debug, PartialEq)]
pub struct Advice {
    /// A sentence.
    pub what: String,
    /// The figures.
    pub because: Vec<String>,
}

/// A table whose cells refer to notes below it.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// What it shows.
    pub caption: String,
    /// The columns' headings; all but the first hold figures unless `words` says otherwise.
    pub columns: Vec<String>,
    /// The columns that hold words.
    pub words: Vec<usize>,
    /// As many cells in each as there are columns.
    pub rows: Vec<Vec<Cell>>,
    /// Notes in the order in which cells first referred to them.
    pub notes: Vec<String>,
}

impl Table {
    /// A table without rows.
    #[must_use]
    pub fn new(caption: impl Into<String>, columns: &[&str]) -> Table {
        Table {
            caption: caption.into(),
            columns: columns.iter().map(|column| (*column).to_owned()).collect(),
            ..Table::default()
        }
    }

    /// Says which columns besides the first hold words.
    #[must_use]
    pub fn with_words(mut self, columns: &[usize]) -> Table {
        self.words = columns.to_vec();
        self
    }

    /// Adds a row.
    ///
    /// # Panics
    /// When it hasn't as many cells as there are columns.
    pub fn row(&mut self, cells: Vec<Cell>) {
        assert_eq!(cells.len(), self.columns.len(), "in `{}`", self.caption);
        self.rows.push(cells);
    }

    /// Adds a row if any cell after the first says something.
    pub fn row_unless_empty(&mut self, cells: Vec<Cell>) {
        if cells.iter().skip(1).any(|cell| cell.tone != Tone::Empty) {
            self.row(cells);
        }
    }

    /// The number of a note, the same for the same words.
    pub fn note(&mut self, text: &str) -> usize {
        match self.notes.iter().position(|note| note == text) {
            Some(index) => index + 1,
            None => {
                self.notes.push(text.to_owned());
                self.notes.len()
            }
        }
    }

    /// A cell without a figure, which says why.
    pub fn empty(&mut self, why: &str) -> Cell {
        Cell {
            tone: Tone::Empty,
            note: Some(self.note(why)),
            ..Cell::text(crate::words::NOTHING)
        }
    }

    /// Drops the notes that no row refers to any more and numbers the rest anew.
    fn settle(&mut self) {
        let mut numbers = BTreeMap::new();
        let mut kept = Vec::new();
        for cell in self.rows.iter_mut().flatten() {
            if let Some(note) = &mut cell.note {
                *note = *numbers.entry(*note).or_insert_with(|| {
                    kept.push(self.notes[*note - 1].clone());
                    kept.len()
                });
            }
        }
        self.notes = kept;
    }
}

/// How a cell is set off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tone {
    /// As any other.
    #[default]
    Plain,
    /// The best of its kind.
    Best,
    /// Good news.
    Good,
    /// Bad news.
    Bad,
    /// There is nothing to show.
    Empty,
}

/// A cell of a table.
#[derive(Clone, Debug, Default)]
pub struct Cell {
    /// What it says.
    pub text: String,
    /// What it says below that, small.
    pub under: String,
    /// What it says to who asks: the spread.
    pub title: String,
    /// How it's set off.
    pub tone: Tone,
    /// The number of its note.
    pub note: Option<usize>,
}

impl Cell {
    /// A plain cell.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Cell {
        Cell {
            text: text.into(),
            ..Cell::default()
        }
    }

    /// The name of a scenario.
    #[must_use]
    pub fn code(text: &str) -> Cell {
        Cell::text(format!("`{text}`"))
    }

    /// With a small line below.
    #[must_use]
    pub fn under(mut self, under: impl Into<String>) -> Cell {
        self.under = under.into();
        self
    }

    /// Set off.
    #[must_use]
    pub fn tone(mut self, tone: Tone) -> Cell {
        self.tone = tone;
        self
    }

    /// With a note.
    #[must_use]
    pub fn noted(mut self, note: usize) -> Cell {
        self.note = Some(note);
        self
    }
}

/// A text for a link: lower-case letters and digits, hyphens for the rest.
#[must_use]
pub fn id(text: &str) -> String {
    let mut id = String::new();
    for c in text.chars() {
        if c.is_ascii_alphanumeric() {
            id.push(c.to_ascii_lowercase());
        } else if c == '#' {
            id.push_str("sharp");
        } else if !id.ends_with('-') && !id.is_empty() {
            id.push('-');
        }
    }
    id.trim_end_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_numbered_once_and_those_without_a_cell_go() {
        let mut table = Table::new("t", &["a", "b"]);
        let first = table.empty("dropped");
        let second = table.empty("kept");
        let third = table.empty("kept");
        assert_eq!((second.note, third.note), (Some(2), Some(2)));
        table.row_unless_empty(vec![Cell::text("x"), first]);
        table.row(vec![second, third]);
        table.settle();
        assert_eq!(table.notes, ["kept"]);
        assert_eq!(table.rows[0][0].note, Some(1));
    }

    #[test]
    fn a_link_is_made_of_letters_digits_and_hyphens() {
        assert_eq!(id("C#, P/Invoke"), "csharp-p-invoke");
        assert_eq!(id("windows (Wine 8)"), "windows-wine-8");
    }
}
