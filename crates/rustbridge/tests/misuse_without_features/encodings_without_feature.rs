use rustbridge::prelude::*;

#[derive(Default)]
struct Hello;

#[plugin(export = false, encodings(json, postcard))]
impl Hello {
    pub fn greet(&self) {}
}

fn main() {}
