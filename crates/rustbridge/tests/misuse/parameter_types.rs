use rustbridge::prelude::*;

struct NoMessage;

#[derive(Default)]
struct Hello;

#[plugin(export = false)]
impl Hello {
    pub fn one(&self, _a: u32, _b: NoMessage) {}

    pub fn lent(&self, _a: u32, _b: &[NoMessage]) {}
}

fn main() {}
