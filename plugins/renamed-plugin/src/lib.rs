//! A plugin whose `Cargo.toml` calls the crate `rustbridge` by another name: `crate = rb` tells each macro.

use std::sync::Mutex;

use rb::prelude::*;

/// A line of an order.
#[derive(Message)]
#[message(crate = rb)]
pub struct Line {
    /// The article.
    pub article: String,
    /// How many.
    pub count: u32,
}

/// A point.
#[derive(Pod)]
#[pod(crate = rb)]
#[repr(C)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Upwards.
    pub y: f64,
}

/// Why an order isn't taken.
#[derive(Debug, thiserror::Error, StatusError)]
#[status(crate = rb)]
pub enum OrderError {
    /// There's none.
    #[error("no article is called `{article}`")]
    #[status(NOT_FOUND)]
    Unknown {
        /// The article.
        article: String,
    },
}

/// Prices, which the host knows.
#[service(crate = rb, optional)]
pub trait Prices {
    /// What an article costs, in cents.
    fn price(&self, article: String) -> Result<u64>;
}

/// An order that grows.
pub struct Order(Mutex<Vec<Line>>);

#[object(crate = rb)]
impl Order {
    /// Adds a line, and returns the number of lines.
    pub fn add(&self, line: Line) -> Result<usize> {
        if line.article == "unicorn" {
            return Err(OrderError::Unknown {
                article: line.article,
            }
            .into());
        }
        let mut lines = self
            .0
            .lock()
            .map_err(|_| Error::internal("a thread panicked"))?;
        lines.push(line);
        Ok(lines.len())
    }
}

/// The plugin.
#[derive(Default)]
pub struct Renamed;

/// Takes orders.
#[plugin(name = "renamed", crate = rb, objects(Order), services(Prices), export = false)]
impl Renamed {
    /// An empty order.
    pub fn order(&self) -> Object<Order> {
        Object::new(Order(Mutex::default()))
    }

    /// The same point, reflected at the origin.
    pub fn reflect(&self, point: Point) -> Point {
        Point {
            x: -point.x,
            y: -point.y,
        }
    }

    /// Counts down.
    pub fn countdown(&self, from: u32) -> impl Iterator<Item = u32> {
        (0..from).rev()
    }
}

rb::export!(Renamed);
