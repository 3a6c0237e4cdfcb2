use rustbridge::prelude::*;

#[derive(Default)]
struct First;

#[plugin(title = "first")]
impl First {}

#[derive(Default)]
struct Second;

#[plugin(export = false)]
impl Second {
    #[method(fast)]
    pub fn a(&self) {}

    #[method(encodings(xml))]
    pub fn b(&self) {}

    #[method(encodings())]
    pub fn c(&self) {}

    #[method(name = "")]
    pub fn d(&self) {}

    #[method(id = 4294967296)]
    pub fn e(&self) {}
}

fn main() {}
