//! Traits, lengths and iterators that an object can't have.

use rustbridge::prelude::*;

#[derive(Default)]
pub struct Plain;

#[object(traits(Display, Ord))]
impl Plain {}

#[derive(Default, Hash)]
pub struct Hashed;

#[object(traits(Hash))]
impl Hashed {}

pub struct Unknown;

#[object(traits(Clone))]
impl Unknown {}

#[derive(Debug)]
pub struct Twice;

#[object(traits(Debug, Debug))]
impl Twice {}

#[derive(Default)]
pub struct Thing;

#[object]
impl Thing {
    #[len]
    pub fn of_another_type(&self) -> i64 {
        1
    }

    #[len]
    pub fn of_nothing() -> u64 {
        1
    }

    #[len]
    pub fn with_parameter(&self, _at: u32) -> u64 {
        1
    }

    #[iter]
    pub fn no_items(&self) -> Vec<u8> {
        Vec::new()
    }

    #[iter]
    pub fn objects(&self) -> impl Iterator<Item = Object<Plain>> {
        std::iter::empty()
    }

    #[iter]
    pub fn items(&self) -> impl Iterator<Item = u8> {
        std::iter::empty()
    }

    #[iter]
    pub fn other_items(&self) -> impl Iterator<Item = u8> {
        std::iter::empty()
    }

    #[len]
    #[getter]
    pub fn both(&self) -> u64 {
        1
    }
}

#[derive(Default)]
pub struct Plugin;

#[plugin]
impl Plugin {
    #[len]
    pub fn of_the_plugin(&self) -> u64 {
        1
    }
}

fn main() {}
