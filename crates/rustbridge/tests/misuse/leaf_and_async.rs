use rustbridge::prelude::*;

#[derive(Default)]
struct Hello;

#[plugin(export = false)]
impl Hello {
    #[method(leaf)]
    pub async fn wait(&self) {}
}

fn main() {}
