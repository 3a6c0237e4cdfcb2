//! Functions that can't have the role that they are given.

use rustbridge::prelude::*;

#[derive(Default)]
pub struct Thing;

#[object]
impl Thing {
    #[constructor]
    pub fn with_self(&self) -> Thing {
        Thing
    }

    #[constructor]
    pub fn of_another_type() -> String {
        String::new()
    }

    #[constructor]
    fn private() -> Thing {
        Thing
    }

    #[getter]
    pub fn of_nothing() -> u32 {
        1
    }

    #[getter]
    pub fn with_parameter(&self, at: u32) -> u32 {
        at
    }

    #[setter]
    pub fn set_nothing(&self) {}

    #[setter]
    pub fn name(&self, _name: String) {}

    #[getter]
    #[setter]
    pub fn set_both(&self, _value: u32) {}

    #[constructor(fast)]
    pub fn with_argument() -> Thing {
        Thing
    }
}

#[derive(Default)]
pub struct Plugin;

#[plugin]
impl Plugin {
    #[getter]
    pub fn of_the_plugin(&self) -> u32 {
        1
    }
}

fn main() {}
