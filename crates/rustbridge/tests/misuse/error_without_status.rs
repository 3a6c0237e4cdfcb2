use rustbridge::prelude::*;

#[derive(Debug)]
struct Trouble;

type Renamed<T> = std::result::Result<T, Error>;

#[derive(Default)]
struct First;

#[plugin(export = false)]
impl First {
    pub fn fail(&self) -> Result<u32, Trouble> {
        Err(Trouble)
    }
}

#[derive(Default)]
struct Second;

#[plugin(export = false)]
impl Second {
    pub fn renamed(&self) -> Renamed<u32> {
        Ok(1)
    }
}

fn main() {}
