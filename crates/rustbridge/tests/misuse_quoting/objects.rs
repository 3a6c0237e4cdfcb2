//! What can't be an object, or can't be together with others.

use rustbridge::prelude::*;

struct Plain;

struct Counter(std::cell::Cell<u32>);

#[object]
impl Counter {
    pub fn add(&mut self) {}
}

struct Shared(std::rc::Rc<u32>);

#[object]
impl Shared {}

#[object(title = "no")]
impl Plain {}

#[object]
struct NoImpl;

#[object]
impl<T> Vec<T> {}

#[derive(Default)]
struct Twice;

#[object(name = "Same")]
impl Twice {
    pub fn a(&self) {}
}

struct Again;

#[object(name = "Same")]
impl Again {
    pub fn a(&self) {}
}

#[plugin(export = false, objects(Twice, Again))]
impl Twice {}

#[derive(Default)]
struct Gives;

#[plugin(export = false, objects(NotOne))]
impl Gives {
    pub fn give(&self) -> Object<NotOne> {
        Object::new(NotOne)
    }
}

struct NotOne;

fn main() {}
