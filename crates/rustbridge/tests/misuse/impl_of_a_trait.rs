use rustbridge::prelude::*;

#[derive(Default)]
struct Hello;

#[plugin(export = false)]
impl Clone for Hello {
    fn clone(&self) -> Hello {
        Hello
    }
}

fn main() {}
