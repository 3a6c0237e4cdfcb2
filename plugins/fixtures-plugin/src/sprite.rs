//! Objects with constructors, associated functions and properties.

use std::sync::{Mutex, MutexGuard, PoisonError};

use fixtures_types::{Spot, SpriteError};
use rustbridge::prelude::*;

/// A figure in a picture.
#[derive(Debug)]
pub struct Sprite {
    name: String,
    spot: Mutex<Spot>,
}

#[object]
impl Sprite {
    /// Creates a sprite.
    ///
    /// # Errors
    /// If it has no name.
    #[constructor]
    pub fn new(name: String, spot: Option<Spot>) -> Result<Sprite, SpriteError> {
        if name.is_empty() {
            return Err(SpriteError::Unnamed);
        }
        Ok(Sprite {
            name,
            spot: Mutex::new(spot.unwrap_or(Spot { x: 0.0, y: 0.0 })),
        })
    }

    /// Creates a sprite next to another.
    ///
    /// # Errors
    /// If the place is outside the picture.
    #[constructor]
    pub fn new_relative_to(
        other: Object<Sprite>,
        name: String,
        by: Spot,
    ) -> Result<Sprite, SpriteError> {
        let from = *other.place();
        let spot = Spot {
            x: from.x + by.x,
            y: from.y + by.y,
        };
        Sprite::new(name, Some(spot.checked()?))
    }

    /// Loads a sprite, which takes a moment.
    ///
    /// # Errors
    /// If it has no name.
    #[constructor]
    pub async fn load(name: String) -> Result<Sprite, SpriteError> {
        tokio::task::yield_now().await;
        Sprite::new(name, None)
    }

    /// Returns the size of all sprites.
    #[method]
    pub fn size() -> Spot {
        Spot { x: 16.0, y: 32.0 }
    }

    /// Returns the distance between two places.
    #[method]
    pub fn distance(from: Spot, to: Spot) -> f64 {
        (from.x - to.x).hypot(from.y - to.y)
    }

    /// The name.
    #[getter]
    pub fn name(&self) -> String {
        self.name.clone()
    }

    /// The place.
    #[getter]
    pub fn spot(&self) -> Spot {
        *self.place()
    }

    /// The place.
    ///
    /// # Errors
    /// If it's outside the picture.
    #[setter]
    pub fn set_spot(&self, spot: Spot) -> Result<(), SpriteError> {
        *self.place() = spot.checked()?;
        Ok(())
    }

    /// Moves it, and returns the new place.
    ///
    /// # Errors
    /// If that's outside the picture.
    pub fn move_by(&self, by: Spot) -> Result<Spot, SpriteError> {
        let mut spot = self.place();
        let moved = Spot {
            x: spot.x + by.x,
            y: spot.y + by.y,
        };
        *spot = moved.checked()?;
        Ok(moved)
    }
}

impl Sprite {
    fn place(&self) -> MutexGuard<'_, Spot> {
        self.spot.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
