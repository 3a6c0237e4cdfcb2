//! One mistake in an item is one error: uses of the item elsewhere aren't further ones.

use rustbridge::prelude::*;

#[derive(Debug, thiserror::Error, StatusError)]
pub enum Trouble {
    #[error("no status")]
    Unmarked,
}

#[derive(Debug, StatusError)]
pub struct Lost<T>(pub T);

impl<T> std::fmt::Display for Lost<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("lost")
    }
}

pub struct Shelf;

#[object]
impl Shelf {
    #[constructor]
    fn new() -> Shelf {
        Shelf
    }

    pub fn full(&self) -> bool {
        true
    }
}

pub struct Rack;

#[object(nmae = "Rack")]
impl Rack {
    pub fn full(&self) -> bool {
        true
    }
}

#[service(encoding = "wire")]
pub trait Prices {
    fn price(&self, id: u64) -> Result<u64>;
    fn any<T>(&self, id: T) -> Result<u64>;
    async fn later(&self, id: u64) -> Result<u64>;
}

#[callback]
pub trait Progress {
    fn report(&self, #[default(5)] done: u64) -> Result<()>;
}

#[derive(Default)]
pub struct Shop;

#[plugin(
    name = "shop",
    objects(Shelf, Rack),
    services(Prices),
    callbacks(Progress),
    export = false
)]
impl Shop {
    pub fn shelf(&self) -> Object<Shelf> {
        Object::new(Shelf)
    }

    pub fn rack(&self, rack: Object<Rack>) -> bool {
        rack.full()
    }

    pub fn price(&self, id: u64, call: &Call<'_>) -> Result<u64> {
        let prices = call.host().service::<PricesClient>()?.within(call);
        prices.price(id)
    }

    pub fn fail(&self) -> Result<u64, Trouble> {
        Err(Trouble::Unmarked)
    }

    pub fn convert(&self) -> Result<u64> {
        Err(Trouble::Unmarked)?
    }

    pub fn lose(&self) -> Result<u64> {
        Err(Lost(5))?
    }

    pub fn work(&self, progress: Object<ProgressClient>) -> Result<()> {
        progress.report(1)
    }
}

#[derive(Default)]
pub struct Misspelt;

#[plugin(nmae = "misspelt")]
impl Misspelt {
    pub fn greet(&self) -> String {
        Self::greeting()
    }

    fn greeting() -> String {
        "Hi".into()
    }
}

pub fn greet() -> String {
    Misspelt.greet()
}

fn main() {}
