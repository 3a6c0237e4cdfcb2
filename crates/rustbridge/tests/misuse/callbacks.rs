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
pub trait Named {
    fn get(&self, object: u32) -> Result<u32>;
}

#[callback]
pub trait WithObjects {
    fn get(&self, other: Object<Unlisted>) -> Result<u32>;
    fn made(&self) -> Result<Vec<Object<Unlisted>>>;
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

#[derive(Default)]
pub struct Unlisted;

#[plugin(callbacks(Missing), export = false)]
impl Unlisted {
    pub fn ping(&self) {}
}

#[callback]
pub trait Forgotten {
    fn get(&self) -> Result<u32>;
}

#[derive(Default)]
pub struct Forgetful;

#[plugin(export = false)]
impl Forgetful {
    pub fn get(&self, from: Option<Object<ForgottenClient>>) -> Result<bool> {
        Ok(from.is_some())
    }
}

fn main() {}
