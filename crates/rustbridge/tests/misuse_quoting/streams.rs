use std::fmt::Display;
use std::rc::Rc;

use rustbridge::prelude::*;

#[derive(Default)]
struct Hello;

#[plugin(export = false)]
impl Hello {
    #[method(leaf)]
    pub fn leaf(&self) -> impl Iterator<Item = u32> {
        0..3
    }

    #[method(spawn)]
    pub fn plain(&self) {}

    pub fn late(&self, items: Items<u32>, request: u32) {}

    pub fn twice(&self, items: Items<u32>, more: Items<u32>) {}

    pub fn of_what(&self, items: Items) {}

    pub async fn waits(&self) -> impl Iterator<Item = u32> {
        0..3
    }

    pub fn shown(&self) -> impl Display {
        3
    }
}

#[derive(Default)]
struct Keeps;

#[plugin(export = false)]
impl Keeps {
    pub fn shared(&self) -> impl Iterator<Item = u32> {
        let count = Rc::new(3);
        (0..3).map(move |index| index + *count)
    }
}

#[derive(Default)]
struct Odd;

#[plugin(export = false)]
impl Odd {
    pub fn shown(&self) -> impl Iterator<Item = Rc<u32>> {
        std::iter::empty()
    }

    #[method(encodings(pod))]
    pub fn sum(&self, items: Items<String>) -> u64 {
        items.into_iter().count() as u64
    }
}

#[derive(Default)]
struct Both;

#[plugin(export = false, workers = 2, runtime = Self::handle)]
impl Both {}

fn main() {}
