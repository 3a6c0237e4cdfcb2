use rustbridge::prelude::*;

#[derive(Default)]
struct Hello<T>(T);

#[plugin(export = false)]
impl<T> Hello<T> {}

fn main() {}
