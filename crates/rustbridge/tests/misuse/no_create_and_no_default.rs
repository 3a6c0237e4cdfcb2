use rustbridge::prelude::*;

struct Hello;

#[plugin(export = false)]
impl Hello {}

fn main() {}
