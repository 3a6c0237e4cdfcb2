use rustbridge::prelude::*;

#[derive(Default)]
struct Encodings;

#[plugin(export = false)]
impl Encodings {
    #[method(name = "same")]
    pub fn first(&self) -> u32 {
        1
    }

    #[method(name = "same")]
    pub fn second(&self) -> u32 {
        2
    }
}

#[derive(Default)]
struct Ids;

#[plugin(export = false)]
impl Ids {
    #[method(id = 1)]
    pub fn first(&self) {}

    #[method(id = 1)]
    pub fn second(&self) {}
}

fn main() {}
