use rustbridge::prelude::*;

#[derive(Message)]
union Both {
    a: u32,
    b: f32,
}

fn main() {}
