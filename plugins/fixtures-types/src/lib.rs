//! Types of two plugins, for which their clients have one class.

use std::collections::BTreeMap;

use rustbridge::prelude::*;

/// Why a sprite can't be made or moved.
#[derive(Debug, thiserror::Error, StatusError)]
pub enum SpriteError {
    /// The name is empty.
    #[error("a sprite needs a name")]
    #[status(INVALID_ARGUMENT)]
    Unnamed,
    /// The place is outside the picture.
    #[error("{x}, {y} is outside the picture")]
    #[status(OUT_OF_RANGE)]
    Outside {
        /// The horizontal coordinate.
        x: f64,
        /// The vertical coordinate.
        y: f64,
    },
    /// Any other error.
    #[error(transparent)]
    #[status(transparent)]
    Other(#[from] Error),
}

/// A place in the picture.
#[derive(Clone, Copy, Debug, PartialEq, Message)]
pub struct Spot {
    /// The horizontal coordinate.
    pub x: f64,
    /// The vertical coordinate.
    pub y: f64,
}

impl Spot {
    /// Returns the place, if it's inside the picture.
    ///
    /// # Errors
    /// If it isn't.
    pub fn checked(self) -> Result<Spot, SpriteError> {
        match self.x < 0.0 || self.y < 0.0 {
            true => Err(SpriteError::Outside {
                x: self.x,
                y: self.y,
            }),
            false => Ok(self),
        }
    }
}

/// A colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Message)]
pub enum Colour {
    /// Like tomatoes.
    #[default]
    Red,
    /// Like grass.
    Green,
    /// Like the sea.
    #[serde(rename = "deep blue")]
    Blue,
}

/// A person.
#[derive(Clone, Debug, PartialEq, Message)]
pub struct Person {
    /// The name.
    pub name: String,
    /// The age in years.
    pub age: u32,
}

/// The outline of a picture.
#[derive(Clone, Debug, PartialEq, Message)]
pub enum Outline {
    /// It has none.
    Open,
    /// A circle.
    Circle {
        /// Its centre.
        centre: Spot,
        /// Its radius.
        radius: f64,
    },
    /// A polygon with these corners.
    Polygon(Vec<Spot>),
}

/// The frame of a picture.
#[derive(Clone, Debug, PartialEq, Message)]
pub struct Frame {
    /// Two opposite corners.
    pub corners: (Spot, Spot),
    /// The outline.
    pub outline: Outline,
    /// The colours by the names of the sides.
    pub sides: BTreeMap<String, Colour>,
    /// The title.
    pub title: Option<String>,
    /// The width in pixels.
    #[default(2)]
    pub width: u32,
}
