//! Fields and parameters with default values.

use std::collections::BTreeMap;

use fixtures_types::Colour;
use rustbridge::prelude::*;

/// Where a page is printed.
#[derive(Clone, Debug, PartialEq, Message)]
pub enum Target {
    /// On the screen.
    Screen,
    /// Into a file.
    File {
        /// The file's path.
        path: String,
        /// Whether the file may be overwritten.
        #[default(true)]
        overwrite: bool,
    },
}

/// How a page is laid out. Every field but the title has a default value or is an option.
#[derive(Clone, Debug, PartialEq, Message)]
pub struct Layout {
    /// The title.
    pub title: String,
    /// The width in characters.
    #[default(80)]
    pub width: u16,
    /// The first line.
    #[default(-1)]
    pub offset: i64,
    /// How many lines there may be.
    #[default(18446744073709551615)]
    pub most: u64,
    /// The space between lines.
    #[default(1.5)]
    pub spacing: f64,
    /// The magnification.
    #[default(0.25)]
    pub zoom: f32,
    /// Whether lines are numbered.
    #[default(true)]
    pub numbered: bool,
    /// The language.
    #[default("en")]
    pub language: String,
    /// The mark in front of items.
    #[default('-')]
    pub bullet: char,
    /// The colour.
    #[default(Colour::Blue)]
    pub colour: Colour,
    /// Where it's printed.
    #[default(Target::Screen)]
    pub target: Target,
    /// The tags.
    #[default([])]
    pub tags: Vec<String>,
    /// The margins.
    #[default([])]
    pub margins: Vec<f64>,
    /// Notes about lines.
    #[default({})]
    pub notes: BTreeMap<String, u32>,
    /// The picture behind the text.
    #[default([])]
    pub picture: Vec<u8>,
    /// The author.
    #[default(None)]
    pub author: Option<String>,
    /// How many copies are printed.
    #[default]
    pub copies: u32,
}

/// A brush.
#[derive(Debug)]
pub struct Brush {
    width: u32,
}

#[object]
impl Brush {
    /// Creates a brush.
    #[constructor]
    pub fn new(#[default(3)] width: u32) -> Brush {
        Brush { width }
    }

    /// Returns the number of strokes that cover a length.
    #[method]
    pub fn strokes(length: u32, #[default(3)] width: u32) -> u32 {
        length.div_ceil(width.max(1))
    }

    /// Returns the width of the brush, or of one that is wider by so much.
    pub fn wider(&self, #[default(1)] by: u32) -> u32 {
        self.width + by
    }
}
