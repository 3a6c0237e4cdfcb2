#![allow(unused_variables)]

use rustbridge::prelude::*;

#[derive(Default)]
struct Hello;

#[plugin(export = false)]
impl Hello {
    pub fn without_a_name(&self, (a, b): (u32, u32), c: u32) -> u32 {
        a + b + c
    }

    pub fn one_is_changed(&self, a: u32, b: &mut u32) {}

    pub fn one_is_unnamed(&self, a: u32, b: impl Message) {}

    pub fn lent_to_a_stream(&self, a: u32, b: &str) -> impl Iterator<Item = u32> {
        0..a
    }

    pub fn too_many(
        &self,
        a: u8, b: u8, c: u8, d: u8, e: u8, f: u8, g: u8, h: u8, i: u8, j: u8, k: u8, l: u8, m: u8,
    ) {
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
