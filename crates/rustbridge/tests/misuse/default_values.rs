//! Default values that can't be.

use rustbridge::prelude::*;

#[derive(Clone, Copy, Message)]
pub enum Colour {
    Red,
    Mixed(u8),
}

const LIMIT: u32 = 5;

mod limits {
    pub const LIMIT: u32 = 5;
}

#[derive(Message)]
pub struct OtherTypes {
    #[default("five")]
    number: u32,
    #[default(5)]
    text: String,
    #[default(1)]
    fraction: f64,
    #[default([])]
    map: std::collections::BTreeMap<String, u32>,
    #[default(5)]
    option: Option<u32>,
    #[default(Colour::Red)]
    flag: bool,
}

#[derive(Message)]
pub struct OutOfRange {
    #[default(256)]
    byte: u8,
    #[default(-1)]
    count: u32,
    #[default(1e39)]
    fraction: f32,
}

#[derive(Message)]
pub struct NoVariant {
    #[default(limits::LIMIT)]
    constant: u32,
}

#[derive(Message)]
pub struct WithContent {
    #[default(Colour::Mixed)]
    colour: Colour,
}

#[derive(Message)]
pub struct Unknown {
    #[default]
    colour: Colour,
}

#[derive(Message)]
pub struct Expression {
    #[default(2 + 3)]
    sum: u32,
}

#[derive(Message)]
pub struct Constant {
    #[default(LIMIT)]
    limit: u32,
}

#[derive(Message)]
pub struct Suffixed {
    #[default(5u8)]
    number: u32,
}

#[derive(Message)]
pub struct Assigned {
    #[default = 5]
    number: u32,
}

#[derive(Message)]
pub struct Twice {
    #[default(5)]
    #[serde(default)]
    number: u32,
}

#[derive(Message)]
pub struct Generic<T> {
    #[default([])]
    items: Vec<T>,
}

#[derive(Message)]
pub struct Unnamed(#[default(5)] u32);

#[service]
pub trait Prices {
    fn price(&self, #[default(5)] id: u64) -> Result<u64>;
}

#[callback]
pub trait Progress {
    fn report(&self, #[default(5)] done: u64) -> Result<()>;
}

#[derive(Default)]
struct Hello;

#[plugin(export = false)]
impl Hello {
    pub fn behind(&self, #[default(5)] limit: u32, text: String) -> u32 {
        limit + text.len() as u32
    }

    pub fn option(&self, #[default(5)] limit: Option<u32>) -> u32 {
        limit.unwrap_or_default()
    }

    pub fn call(&self, #[default(5)] call: &Call<'_>) {
        let _ = call;
    }

    fn private(&self, #[default(5)] limit: u32) -> u32 {
        limit
    }
}

struct Brush;

#[object]
impl Brush {
    #[setter]
    pub fn set_width(&self, #[default(5)] width: u32) {
        let _ = width;
    }
}

fn main() {}
