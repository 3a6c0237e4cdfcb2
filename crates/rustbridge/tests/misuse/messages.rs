use rustbridge::prelude::*;

#[derive(Message)]
union Both {
    a: u32,
    b: f32,
}

fn main() {}

/// The error is one, however often the type is used.
#[derive(Message)]
struct Misspelled {
    #[message(trough = u64)]
    number: u64,
}

#[derive(Default)]
struct Uses;

#[plugin(name = "uses", export = false)]
impl Uses {
    pub fn first(&self, request: Misspelled) -> Misspelled {
        request
    }

    pub fn all(&self, request: Vec<Misspelled>) -> Option<Misspelled> {
        request.into_iter().next()
    }
}
