//! The methods of the benchmarks that compare rustbridge with other bridges and with RPC.
//!
//! What they do is in the crate `work`; here they get their names and encodings.

mod adder;
mod asked;

use std::future;

use rustbridge::prelude::*;
use work::{
    Division, Greeting, Item, Joined, LentValues, Number, Parts, Person, Quotient, Reading, Shape,
    Students, Summands, Tick, Value,
};

pub use crate::adder::{Adder, SomeClass};
use crate::asked::nothing_to_ask;
pub use crate::asked::{BenchConfig, Numbers, NumbersClient, Upcall};

/// The plugin, which remembers only whom to ask.
#[derive(Debug, Default)]
pub struct Bench {
    numbers: Option<NumbersClient>,
    upcall: Option<Upcall>,
}

/// Methods that are there to be measured.
#[plugin(name = "bench", objects(Adder, SomeClass), services(Numbers))]
impl Bench {
    /// Makes an instance. A host that has nothing to be asked can use all but `ask` and its like.
    pub fn create(config: BenchConfig, host: Host) -> Result<Bench> {
        Ok(Bench {
            numbers: host.service()?,
            upcall: Upcall::of(&config),
        })
    }

    /// Does nothing.
    #[method(name = "void", leaf, encodings(raw))]
    pub fn void(&self) {
        work::void();
    }

    /// Divides two integers; the quotient is a double.
    #[method(name = "div", leaf)]
    pub fn div(&self, request: &Division) -> Result<Quotient> {
        work::div(request).ok_or_else(|| divided_by_zero(request))
    }

    /// Adds 41: the answer to 23 is 64.
    #[method(name = "get_answer", leaf)]
    pub fn answer(&self, request: &Value) -> Value {
        work::answer(request)
    }

    /// Joins texts by commas.
    #[method(name = "join")]
    pub fn join(&self, request: Parts) -> Joined {
        work::join(&request)
    }

    /// Answers with what it was sent, values of any types.
    #[method(name = "any")]
    pub fn any<'a>(&self, request: LentValues<'a>) -> LentValues<'a> {
        request
    }

    /// Divides, as generated clients call it: by the language's own types.
    #[method(leaf)]
    pub fn divide(&self, a: i64, b: i64) -> Result<f64> {
        Ok(self.div(&Division { a, b })?.quotient)
    }

    /// The same answer as `get_answer`, from a number to a number.
    #[method(leaf)]
    pub fn answer_to(&self, question: i32) -> i32 {
        work::answer(&Value { value: question }).value
    }

    /// Joins texts by commas, from a list to a text.
    #[method(leaf)]
    pub fn join_texts(&self, parts: Vec<&str>) -> String {
        work::join_texts(&parts)
    }

    /// Adds numbers up, wrapping, from a list to a number.
    #[method(leaf)]
    pub fn add_up(&self, numbers: &[i64]) -> i64 {
        work::sum_numbers(numbers)
    }

    /// Greets somebody: a text in a record, there and back.
    #[method(leaf)]
    pub fn greet(&self, person: &Person) -> Greeting {
        work::greet(person)
    }

    /// Gives the reading that would follow: a record of numbers, there and back.
    #[method(leaf)]
    pub fn next_reading(&self, reading: &Reading) -> Reading {
        work::next_reading(reading)
    }

    /// Makes every second item half as dear: a list of records, there and back.
    pub fn discount(&self, mut items: Vec<Item>) -> Vec<Item> {
        work::discount(&mut items);
        items
    }

    /// Gives the shape around another: an enum with data, there and back.
    #[method(leaf)]
    pub fn around(&self, shape: &Shape) -> Shape {
        work::around(shape)
    }

    /// Doubles numbers: a list of them, there and back.
    #[method(leaf)]
    pub fn twice(&self, mut numbers: Vec<f64>) -> Vec<f64> {
        work::twice(&mut numbers);
        numbers
    }

    /// Adds packed little-endian `i64` up, wrapping; the answer is one of them.
    #[method(name = "sum", leaf)]
    pub fn sum(&self, request: &[u8]) -> Result<[u8; 8]> {
        let sum = work::sum(request).ok_or_else(|| half_a_number(request.len()))?;
        Ok(sum.to_le_bytes())
    }

    /// Takes a count as a little-endian `u32`, at most 2^21, and answers as many packed `i64`, from 1.
    #[method(name = "numbers")]
    pub fn numbers(&self, request: &[u8]) -> Result<Vec<u8>> {
        let count = number(request)?;
        if count > MOST_NUMBERS {
            return Err(too_many(count, MOST_NUMBERS));
        }
        Ok(work::numbers(count))
    }

    /// Answers with the bytes it was sent.
    #[method(name = "echo_bytes")]
    pub fn echo_bytes<'r>(&self, request: &'r [u8]) -> &'r [u8] {
        request
    }

    /// Takes a size as a little-endian `u32`, at most 16 MiB, and answers that many bytes of a cache that all answers share.
    #[method(name = "get_blob")]
    pub fn blob(&self, request: &[u8]) -> Result<Bytes> {
        let size = number(request)?;
        work::blob(size).ok_or_else(|| too_many(size, work::LARGEST_BLOB as u32))
    }

    /// Makes 34 students: 4,760 structs with 46,410 strings, the same ones on each call.
    #[method(name = "get_structs")]
    pub fn structs(&self) -> Students {
        work::students()
    }

    /// Adds 41: what `ready`, `later` and `Adder.add` do as well, in other ways.
    pub fn plain(&self, request: &Value) -> Value {
        work::answer(request)
    }

    /// The same in an async handler that never waits.
    pub async fn ready(&self, request: &Value) -> Value {
        work::answer(request)
    }

    /// The same after it has let others run once.
    pub async fn later(&self, request: &Value) -> Value {
        tokio::task::yield_now().await;
        work::answer(request)
    }

    /// Never ends by itself.
    #[method(encodings(raw))]
    pub async fn never(&self) {
        future::pending::<()>().await;
    }

    /// Gives the numbers before one, from 0.
    #[method(encodings(pod))]
    pub fn count(&self, end: &Number) -> impl Iterator<Item = Number> {
        work::count(end.number)
    }

    /// Gives so many small objects.
    #[method(encodings(json))]
    pub fn ticks(&self, end: u64) -> impl Iterator<Item = Tick> {
        work::ticks(end)
    }

    /// An object that adds 41.
    #[method(encodings(raw))]
    pub fn adder(&self) -> Object<Adder> {
        Object::new(Adder::new(41))
    }

    /// MetaFFI's object.
    #[method(encodings(raw))]
    pub fn some_class(&self, name: &str) -> Object<SomeClass> {
        Object::new(SomeClass::new(name))
    }

    /// Has its host answer, by the service `numbers.answer`.
    pub fn ask(&self, request: Value) -> Result<Value> {
        match &self.numbers {
            Some(numbers) => numbers.answer(request),
            None => Err(nothing_to_ask()),
        }
    }

    /// The same by the service `numbers.answer_later`, awaited.
    pub async fn ask_later(&self, request: Value) -> Result<Value> {
        match &self.numbers {
            Some(numbers) => numbers.answer_later(request).await,
            None => Err(nothing_to_ask()),
        }
    }

    /// Has its host add 1 and 2, by the service `numbers.add`, and answers the 3.
    #[method(encodings(pod))]
    pub fn callback(&self) -> Result<i64> {
        match &self.numbers {
            Some(numbers) => numbers.add(Summands { a: 1, b: 2 }),
            None => Err(nothing_to_ask()),
        }
    }

    /// What `ask` does, by the bare address in the configuration.
    pub fn ask_by_hand(&self, request: Value) -> Result<Value> {
        let upcall = self.upcall.ok_or_else(nothing_to_ask)?;
        Ok(upcall.answer(&request))
    }

    /// What `ask_later` does, by the bare address in the configuration.
    pub async fn ask_by_hand_later(&self, request: Value) -> Result<Value> {
        let upcall = self.upcall.ok_or_else(nothing_to_ask)?;
        Ok(upcall.answer(&request))
    }
}

/// As many bytes as the largest blob.
const MOST_NUMBERS: u32 = (work::LARGEST_BLOB / 8) as u32;

fn number(request: &[u8]) -> Result<u32> {
    match request.try_into() {
        Ok(bytes) => Ok(u32::from_le_bytes(bytes)),
        Err(_) => Err(Error::invalid_argument(format!(
            "expected a number of 4 bytes, but got {} bytes",
            request.len()
        ))),
    }
}

#[cold]
fn divided_by_zero(request: &Division) -> Error {
    Error::invalid_argument(format!("{} can't be divided by 0", request.a))
}

#[cold]
fn half_a_number(len: usize) -> Error {
    Error::invalid_argument(format!(
        "expected whole numbers of 8 bytes, but {len} is no multiple of 8"
    ))
}

#[cold]
fn too_many(wanted: u32, most: u32) -> Error {
    Error::new(
        Status::OutOfRange,
        format!("{wanted} is more than the {most} there are"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_given_are_numbers_that_can_be_added_up() {
        let packed = Bench::default().numbers(&10_000u32.to_le_bytes()).unwrap();
        assert_eq!(packed.len(), 80_000);
        assert_eq!(
            Bench::default().sum(&packed).unwrap(),
            50_005_000i64.to_le_bytes()
        );
    }

    #[test]
    fn what_cannot_be_answered_is_refused() {
        let status = |result: Result<Vec<u8>>| result.map_err(|error| error.status());
        assert_eq!(
            status(Bench::default().sum(&[0; 7]).map(|sum| sum.to_vec())),
            Err(Status::InvalidArgument)
        );
        assert_eq!(
            status(Bench::default().numbers(&[0; 3])),
            Err(Status::InvalidArgument)
        );
        let above = (MOST_NUMBERS + 1).to_le_bytes();
        assert_eq!(
            status(Bench::default().numbers(&above)),
            Err(Status::OutOfRange)
        );
        let above = Bench::default().blob(&u32::MAX.to_le_bytes());
        assert_eq!(above.unwrap_err().status(), Status::OutOfRange);
        let error = Bench::default().div(&Division { a: 1, b: 0 }).unwrap_err();
        assert_eq!(error.status(), Status::InvalidArgument);
    }
}
