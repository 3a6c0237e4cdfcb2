use rustbridge::prelude::*;

struct First;

#[plugin(export = false)]
impl First {
    fn create() -> First {
        First
    }
}

struct Second;

#[plugin(export = false)]
impl Second {
    pub async fn create() -> Second {
        Second
    }
}

struct Third;

#[plugin(export = false)]
impl Third {
    pub fn create(host: Host, config: u32) -> Third {
        Third
    }
}

struct Fourth;

#[plugin(export = false)]
impl Fourth {
    pub fn create(config: u32) {}
}

fn main() {}
