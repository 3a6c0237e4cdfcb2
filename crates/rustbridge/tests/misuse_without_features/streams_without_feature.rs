use rustbridge::prelude::*;

#[derive(Default)]
struct Hello;

#[plugin(export = false, workers = 2)]
impl Hello {
    pub async fn sum(&self, items: Items<u64>) -> u64 {
        let _ = items;
        0
    }
}

fn main() {}
