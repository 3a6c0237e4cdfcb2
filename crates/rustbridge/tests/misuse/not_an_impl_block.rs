use rustbridge::prelude::*;

#[plugin]
struct Hello;

fn main() {}
