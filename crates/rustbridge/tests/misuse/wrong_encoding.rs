use rustbridge::prelude::*;

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
    #[method(encodings(pod))]
    pub fn as_pod(&self, request: Text) -> Text {
        request
    }

    #[method(encodings(json))]
    pub fn as_json(&self, request: &Number) -> Number {
        *request
    }

    #[method(encodings(raw))]
    pub fn as_raw(&self, request: Text) -> Vec<u8> {
        request.text.into_bytes()
    }

    #[method(encodings(raw, json))]
    pub fn as_both(&self, request: Vec<u8>) -> Vec<u8> {
        request
    }
}

fn main() {}
