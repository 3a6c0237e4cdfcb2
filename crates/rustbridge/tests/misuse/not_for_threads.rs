use rustbridge::prelude::*;

#[derive(Default)]
struct Hello {
    count: std::cell::Cell<u32>,
}

#[plugin(export = false)]
impl Hello {
    pub fn count(&self) -> u32 {
        self.count.get()
    }
}

fn main() {}
