use rustbridge::prelude::*;

struct Opaque;

#[derive(Message)]
struct Text {
    text: String,
}

#[derive(Pod)]
#[repr(C)]
struct Number {
    number: u64,
}

#[derive(Default)]
struct Hello;

#[plugin(export = false)]
impl Hello {
    pub fn opaque(&self, request: Opaque) {}

    pub fn mixed(&self, request: Text) -> Number {
        Number { number: request.text.len() as u64 }
    }

    pub fn half_raw(&self, request: Vec<u8>) -> Number {
        Number { number: request.len() as u64 }
    }
}

fn main() {}
