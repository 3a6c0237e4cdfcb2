//! A plugin that has types in common with fixtures-plugin: values and exceptions of one plugin's client are those of the other's.

use std::sync::{Mutex, MutexGuard, PoisonError};

use fixtures_types::{Colour, Frame, Outline, Person, Spot, SpriteError};
use rustbridge::prelude::*;

/// Guards the pictures.
#[callback]
pub trait Guard {
    /// Admits a person to a place, and returns the place where the person stands.
    fn admit(&self, person: Person, to: Spot) -> Result<Spot, SpriteError>;
}

/// What a visit costs. The type of this name in the other plugin has other fields.
#[derive(Clone, Debug, PartialEq, Message)]
pub struct Bill {
    /// The price in cents.
    pub cents: u64,
}

/// A gallery with pictures.
pub struct Gallery {
    frames: Mutex<Vec<Frame>>,
}

impl Gallery {
    fn frames(&self) -> MutexGuard<'_, Vec<Frame>> {
        self.frames.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[plugin(name = "gallery", callbacks(Guard))]
impl Gallery {
    /// Creates a gallery without pictures.
    pub fn create() -> Gallery {
        Gallery {
            frames: Mutex::default(),
        }
    }

    /// Hangs a picture, and returns the place of its corner.
    ///
    /// # Errors
    /// If a corner is outside the wall.
    pub fn hang(&self, frame: Frame) -> Result<Spot, SpriteError> {
        let (corner, other) = frame.corners;
        other.checked()?;
        let corner = corner.checked()?;
        self.frames().push(frame);
        Ok(corner)
    }

    /// Returns the pictures that have a colour.
    pub fn with_colour(&self, colour: Colour) -> Vec<Frame> {
        let frames = self.frames();
        let has_colour = |frame: &&Frame| frame.sides.values().any(|it| *it == colour);
        frames.iter().filter(has_colour).cloned().collect()
    }

    /// Returns the outline around some places.
    pub fn around(&self, spots: Vec<Spot>) -> Outline {
        match spots[..] {
            [] => Outline::Open,
            [centre] => Outline::Circle {
                centre,
                radius: 1.0,
            },
            _ => Outline::Polygon(spots),
        }
    }

    /// A person visits a place, to which the guard admits.
    ///
    /// # Errors
    /// If the guard doesn't, or the place is outside the gallery.
    pub fn visit(
        &self,
        person: Person,
        to: Spot,
        guard: Object<GuardClient>,
    ) -> Result<Spot, SpriteError> {
        guard.admit(person, to)?.checked()
    }

    /// Returns the price of some visits.
    pub fn bill(&self, visits: u64) -> Bill {
        Bill {
            cents: visits * 500,
        }
    }
}
