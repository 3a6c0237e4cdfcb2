use rustbridge::prelude::*;

#[derive(Default)]
struct Hello;

#[plugin(export = false)]
impl Hello {
    pub async fn wait(&self) {}

    #[method(encodings(msgpack))]
    pub fn packed(&self) {}
}

fn main() {}
