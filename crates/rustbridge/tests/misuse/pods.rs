use rustbridge::prelude::*;

#[derive(Pod)]
struct WithoutRepr {
    a: u32,
}

#[derive(Pod)]
#[repr(C)]
struct Padded {
    a: u8,
    b: u32,
}

#[derive(Pod)]
#[repr(C)]
struct WithBool {
    a: bool,
}

#[derive(Pod)]
#[repr(C)]
struct Generic<T> {
    a: T,
}

#[derive(Pod)]
#[repr(C, packed)]
struct Packed {
    a: u32,
}

#[derive(Pod)]
#[repr(C)]
struct Empty {}

#[derive(Pod)]
#[repr(C)]
struct Unnamed(u32);

#[derive(Pod)]
#[repr(C)]
enum Choice {
    A,
}

fn main() {}
