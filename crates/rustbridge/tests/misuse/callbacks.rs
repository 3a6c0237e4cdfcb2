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
pub trait Borrowing {
    fn get(&self, name: &str) -> Result<Object<Thing>>;
    fn set(&self, thing: &Object<Thing>) -> Result<()>;
}

#[callback]
pub trait Marked {
    #[method(takes_objects, name = "other")]
    fn get(&self, things: Vec<u32>) -> Result<()>;
}

#[service(encoding = "wire")]
pub trait ServiceWithObjects {
    fn get(&self, thing: Object<Thing>) -> Result<u32>;
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

pub struct Thing;

#[object]
impl Thing {}

#[callback]
pub trait WithObjects {
    fn get(&self, thing: Object<Thing>) -> Result<u32>;
}

#[derive(Default)]
pub struct Unaware;

#[plugin(callbacks(WithObjects), export = false)]
impl Unaware {
    pub fn get(&self, from: Object<WithObjectsClient>) -> Result<()> {
        drop(from);
        Ok(())
    }
}

fn main() {}
