use rustbridge::prelude::*;

#[derive(Default)]
struct Hello;

#[plugin(export = false)]
impl Hello {
    pub fn without() {}

    pub fn changing(&mut self) {}

    pub fn taking(self) {}

    #[method]
    fn private(&self) {}
}

fn main() {}
