use rustbridge::prelude::*;

#[derive(Default)]
struct Hello;

#[plugin(export = false)]
impl Hello {
    pub fn two_requests(&self, a: u32, b: u32) -> u32 {
        a + b
    }

    pub fn call_first(&self, call: &Call, a: u32) {}

    pub fn owned_call(&self, call: Call) {}

    pub fn changed(&self, request: &mut u32) {}

    pub fn generic<T: Message>(&self, request: T) {}

    pub fn unnamed(&self, request: impl Message) {}

    pub fn unnamed_response(&self) -> impl Message {}

    pub unsafe fn dangerous(&self) {}

    #[cfg(unix)]
    pub fn sometimes(&self) {}
}

fn main() {}
