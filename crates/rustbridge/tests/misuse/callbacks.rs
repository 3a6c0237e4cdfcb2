//! Traits that can't be callbacks.

use rustbridge::prelude::*;

#[callback]
pub struct NoTrait;

#[callback]
pub trait Generic<T> {
    fn get(&self) -> Result<u32>;
}

#[callback]
pub trait Empty {}

#[callback(encoding = "json")]
pub trait Encoded {
    fn get(&self) -> Result<u32>;
}

#[callback]
pub trait Unfailing {
    fn get(&self) -> u32;
}

#[callback]
pub trait Serviced {
    #[service(name = "other")]
    fn get(&self) -> Result<u32>;
}

#[callback]
pub trait Mutable {
    fn set(&mut self, value: u32) -> Result<()>;
}

#[callback]
pub trait Bodied {
    fn get(&self) -> Result<u32> {
        Ok(1)
    }
}

#[callback]
pub trait Ambiguous {
    fn set(&self, _object: u64) -> Result<()>;
}

#[derive(Default)]
pub struct Unlisted;

#[plugin(callbacks(Missing), export = false)]
impl Unlisted {
    pub fn ping(&self) {}
}

fn main() {}
