use std::rc::Rc;

use rustbridge::prelude::*;

#[derive(Default)]
struct Hello;

#[plugin(export = false)]
impl Hello {
    pub async fn count(&self) -> u32 {
        let count = Rc::new(7);
        std::future::ready(()).await;
        *count
    }
}

fn main() {}
