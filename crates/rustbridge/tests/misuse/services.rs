use rustbridge::prelude::*;

#[service]
struct NotATrait;

#[service(encodings = "json")]
pub trait UnknownKey {
    fn get(&self, id: u64) -> Result<u64>;
}

#[service(encoding = "yaml")]
pub trait UnknownEncoding {
    fn get(&self, id: u64) -> Result<u64>;
}

#[service]
pub trait Generic<T> {
    fn get(&self, id: u64) -> Result<u64>;
}

#[service]
pub trait Empty {}

#[service]
pub trait Functions {
    const LIMIT: u32;
    fn no_receiver(id: u64) -> Result<u64>;
    fn changes(&mut self, id: u64) -> Result<u64>;
    #[service(encoding = "pod")]
    fn two(&self, a: u64, b: u64) -> Result<u64>;
    fn same(&self, name: u64, _name: u64) -> Result<u64>;
    fn no_result(&self, id: u64) -> u64;
    fn nothing(&self);
    fn body(&self) -> Result<u64> {
        Ok(1)
    }
    fn generic<T>(&self, value: T) -> Result<u64>;
    async fn borrows(&self, id: &u64) -> Result<u64>;
    #[service(name = "functions.same")]
    fn one_name(&self) -> Result<u64>;
    #[service(name = "functions.same")]
    fn another_name(&self) -> Result<u64>;
    #[service(name = "")]
    fn empty_name(&self) -> Result<u64>;
}

fn main() {}
