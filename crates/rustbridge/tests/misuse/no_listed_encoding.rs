use rustbridge::prelude::*;

#[derive(Default)]
struct Hello;

#[plugin(export = false, encodings(json, wire))]
impl Hello {
    pub fn copy(&self, bytes: &[u8]) -> Vec<u8> {
        bytes.to_vec()
    }
}

fn main() {}
