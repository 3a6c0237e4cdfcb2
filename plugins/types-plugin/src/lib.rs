//! A plugin whose messages have every type there is. Most of its methods give back what they get: what a client reads then is what
//! it has written, through both directions of both sides.

pub mod echoes;
pub mod errors;
pub mod foreign;
pub mod messages;
pub mod objects;
pub mod random;
pub mod services;
pub mod versioned;

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use rustbridge::prelude::*;
use serde_json::Value;

use crate::errors::{PowerError, Refused, SearchError};
use crate::foreign::Foreign;
use crate::messages::{
    Bounded, Celsius, Color, Cut, Defaults, Event, Every, Expr, Lists, Mood, Numbers, Page, Pairs,
    Person, Piece, Point, Random, Renamed, Repeat, Samples, Shape, Tagged, Texts, Times, Tree,
    Unit, Untagged,
};
use crate::objects::{Counter, Counters};
use crate::services::{Ages, AgesClient, Directory, DirectoryClient};

fn hex(data: &[u8]) -> String {
    data.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn cut(how: &Cut, data: &[u8]) -> Result<(Piece, Bytes)> {
    let Some(kept) = data.get(how.skip as usize..) else {
        let message = format!(
            "there are {} bytes, and {} are skipped",
            data.len(),
            how.skip
        );
        return Err(Error::new(Status::OutOfRange, message));
    };
    let bytes = kept.repeat(how.times as usize);
    let piece = Piece {
        length: bytes.len() as u64,
        first: bytes.first().copied(),
    };
    Ok((piece, bytes.into()))
}

/// Gives back what it gets.
#[derive(Debug)]
pub struct Types {
    directory: DirectoryClient,
    ages: AgesClient,
}

#[plugin(name = "types", objects(Counter), services(Directory, Ages))]
impl Types {
    /// Asks nothing of its host yet.
    pub fn create(host: Host) -> Result<Types> {
        Ok(Types {
            directory: host.service()?,
            ages: host.service()?,
        })
    }

    /// One of each.
    pub fn every(&self, request: Every) -> Every {
        request
    }

    /// Gives back what it gets.
    pub fn numbers(&self, request: Numbers) -> Numbers {
        request
    }

    /// Gives back what it gets.
    pub fn texts(&self, request: Texts) -> Texts {
        request
    }

    /// Gives back what it gets.
    pub fn times(&self, request: Times) -> Times {
        request
    }

    /// Gives back what it gets.
    pub fn lists(&self, request: Lists) -> Lists {
        request
    }

    /// Gives back what it gets.
    pub fn pairs(&self, request: Pairs) -> Pairs {
        request
    }

    /// Gives back what it gets.
    pub fn person(&self, request: Person) -> Person {
        request
    }

    /// Gives back what it gets.
    pub fn people(&self, request: Page<Person>) -> Page<Person> {
        request
    }

    /// Gives back what it gets.
    pub fn shape(&self, request: Shape) -> Shape {
        request
    }

    /// Gives back what it gets.
    pub fn color(&self, request: Color) -> Color {
        request
    }

    /// Gives back what it gets.
    pub fn mood(&self, request: Mood) -> Mood {
        request
    }

    /// Gives back what it gets.
    pub fn events(&self, request: Vec<Event>) -> Vec<Event> {
        request
    }

    /// Gives back what it gets.
    pub fn tagged(&self, request: Tagged) -> Tagged {
        request
    }

    /// Gives back what it gets.
    pub fn untagged(&self, request: Untagged) -> Untagged {
        request
    }

    /// Gives back what it gets.
    pub fn expr(&self, request: Expr) -> Expr {
        request
    }

    /// Gives back what it gets.
    pub fn tree(&self, request: Tree) -> Tree {
        request
    }

    /// Gives back what it gets.
    pub fn samples(&self, request: Samples) -> Samples {
        request
    }

    /// Gives back what it gets.
    pub fn point(&self, request: Point) -> Point {
        request
    }

    /// Gives back what it gets.
    pub fn celsius(&self, request: Celsius) -> Celsius {
        request
    }

    /// Gives back what it gets.
    pub fn foreign(&self, request: Foreign) -> Foreign {
        request
    }

    /// What is checked when it's read.
    pub fn bounded(&self, request: Bounded) -> Bounded {
        request
    }

    /// Gives back what it gets.
    pub fn unit(&self, request: Unit) -> Unit {
        request
    }

    /// Gives back what it gets.
    pub fn defaults(&self, request: Defaults) -> Defaults {
        request
    }

    /// Gives back what it gets.
    pub fn renamed(&self, request: Renamed) -> Renamed {
        request
    }

    /// A value that says itself what it is.
    pub fn any(&self, request: Value) -> Value {
        request
    }

    /// A list that is one copy.
    pub fn doubles(&self, request: Vec<f64>) -> Vec<f64> {
        request
    }

    /// Gives back what it gets.
    pub fn map(&self, request: BTreeMap<String, Person>) -> BTreeMap<String, Person> {
        request
    }

    /// Somebody, perhaps.
    pub fn maybe(&self, request: Option<Person>) -> Option<Person> {
        request
    }

    /// Gives back what it gets.
    pub fn tuple(&self, request: (u8, String, Option<bool>)) -> (u8, String, Option<bool>) {
        request
    }

    /// Gives back what it gets.
    pub fn duration(&self, request: Duration) -> Duration {
        request
    }

    /// Gives back what it gets.
    pub fn timestamp(&self, request: SystemTime) -> SystemTime {
        request
    }

    /// How many characters a text has.
    pub fn length(&self, request: String) -> u64 {
        request.chars().count() as u64
    }

    /// Who is the oldest of them.
    pub fn oldest(&self, request: Page<Person>) -> Option<Person> {
        request.items.into_iter().max_by_key(|person| person.age)
    }

    /// The area of a shape.
    pub fn area(&self, request: Shape) -> Result<f64> {
        match request {
            Shape::Nothing => Err(Error::invalid_argument("nothing has no area")),
            Shape::Circle { radius } => Ok(std::f64::consts::PI * radius * radius),
            Shape::Polygon(points) => {
                let next = points.iter().cycle().skip(1);
                let twice: f64 = points
                    .iter()
                    .zip(next)
                    .map(|(one, other)| one.x * other.y - other.x * one.y)
                    .sum();
                Ok(twice.abs() / 2.0)
            }
        }
    }

    /// A part of a text: `count` of its characters, from the one at `start`; all that are left if it's none.
    pub fn part(&self, text: &str, start: u32, count: Option<u32>) -> String {
        let count = count.map_or(usize::MAX, |count| count as usize);
        text.chars().skip(start as usize).take(count).collect()
    }

    /// Gives back what it gets one by one and lent, under names of every kind.
    pub fn several(
        &self,
        person: &Person,
        nick_names: &[String],
        numbers: &[f64],
        r#type: Color,
        class: &[u8],
        self_: Option<Value>,
    ) -> (Person, Vec<String>, Vec<f64>, Color, Vec<u8>, Option<Value>) {
        (
            person.clone(),
            nick_names.to_vec(),
            numbers.to_vec(),
            r#type,
            class.to_vec(),
            self_,
        )
    }

    /// Bytes beside what is to be done with them, and beside what is said of them.
    pub fn cut(&self, how: Cut, data: &[u8]) -> Result<(Piece, Bytes)> {
        cut(&how, data)
    }

    /// The same, from an `async fn`.
    pub async fn cut_later(&self, how: Cut, data: Bytes) -> Result<(Piece, Bytes)> {
        cut(&how, &data)
    }

    /// The bytes in hexadecimal digits: raw bytes for raw text.
    pub fn hex(&self, data: &[u8]) -> String {
        hex(data)
    }

    /// The same, from an `async fn`.
    pub async fn hex_later(&self, data: &[u8]) -> String {
        hex(data)
    }

    /// The bytes of hexadecimal digits: raw text for raw bytes.
    pub fn unhex(&self, digits: &str) -> Result<Vec<u8>> {
        let pairs = digits.as_bytes().chunks(2);
        let byte = |pair: &[u8]| {
            let pair = std::str::from_utf8(pair)
                .ok()
                .filter(|pair| pair.len() == 2)?;
            u8::from_str_radix(pair, 16).ok()
        };
        let bytes: Option<_> = pairs.map(byte).collect();
        bytes.ok_or_else(|| Error::invalid_argument("two hexadecimal digits make a byte"))
    }

    /// How many bytes aren't zero: bytes for a number, which is no raw answer.
    pub fn nonzero(&self, data: &[u8]) -> u64 {
        data.iter().filter(|byte| **byte != 0).count() as u64
    }

    /// The first bytes of a PNG: raw bytes for nothing.
    pub fn magic(&self) -> Vec<u8> {
        b"\x89PNG".to_vec()
    }

    /// Somebody older, from an `async fn`.
    pub async fn aged(&self, person: Person, years: u32, call: &Call<'_>) -> Result<Person> {
        call.check()?;
        match person.age.checked_add(years) {
            Some(age) => Ok(Person { age, ..person }),
            None => Err(Error::new(Status::OutOfRange, "nobody gets so old")),
        }
    }

    /// The numbers from the first up to before the last, each so much more than the one before.
    pub fn steps(&self, first: i64, last: i64, step: u32) -> Result<impl Iterator<Item = i64>> {
        match step {
            0 => Err(Error::invalid_argument("there's no end in steps of 0")),
            _ => Ok((first..last).step_by(step as usize)),
        }
    }

    /// Gives back what it gets, from an `async fn`.
    pub async fn later(&self, request: Person, call: &Call<'_>) -> Result<Person> {
        headers(call)?;
        match &*request.name {
            "" => Err(Error::invalid_argument("nobody can't be told apart")),
            _ => Ok(request),
        }
    }

    /// Who is called so. A name that is empty is hidden.
    pub fn search(&self, name: &str, people: Vec<Person>) -> Result<Person, SearchError> {
        errors::search(name, people)
    }

    /// Who is called so, from an `async fn`.
    pub async fn search_later(
        &self,
        name: String,
        people: Vec<Person>,
    ) -> Result<Person, SearchError> {
        errors::search(&name, people)
    }

    /// Takes no red.
    pub fn paint(&self, color: Color, better: Option<Color>) -> Result<Color, Refused> {
        match color {
            Color::Red => Err(Refused { color, better }),
            _ => Ok(color),
        }
    }

    /// Does nothing where there's power.
    pub fn power(&self, request: bool) -> Result<(), PowerError> {
        if request {
            Ok(())
        } else {
            Err(PowerError::Out)
        }
    }

    /// Somebody again and again, each time a year older.
    pub fn repeat(
        &self,
        request: Repeat,
        call: &Call<'_>,
    ) -> Result<impl Iterator<Item = Result<Person>>> {
        headers(call)?;
        let Repeat { person, times } = request;
        Ok(
            (0..times).map(move |years| match person.age.checked_add(years) {
                Some(age) => Ok(Person {
                    age,
                    ..person.clone()
                }),
                None => Err(Error::new(Status::OutOfRange, "nobody gets so old")),
            }),
        )
    }

    /// Those who are sent, with how many there are together with those before.
    pub async fn collect(
        &self,
        before: u64,
        mut items: Items<Person>,
        call: &Call<'_>,
    ) -> Result<Page<Person>> {
        headers(call)?;
        let mut people = Vec::new();
        while let Some(person) = items.next().await {
            people.push(person?);
        }
        Ok(Page {
            total: before + people.len() as u64,
            items: people,
        })
    }

    /// Those who are sent and are between the two ages, both included.
    pub async fn between(
        &self,
        youngest: u32,
        oldest: u32,
        mut items: Items<Person>,
        call: &Call<'_>,
    ) -> Result<Vec<Person>> {
        let mut people = Vec::new();
        while let Some(person) = items.next().await {
            call.check()?;
            people.extend(Some(person?).filter(|it| (youngest..=oldest).contains(&it.age)));
        }
        Ok(people)
    }

    /// Sends back each shape that it's sent.
    pub fn reshape(
        &self,
        items: Items<Shape>,
        call: &Call<'_>,
    ) -> Result<impl Stream<Item = Result<Shape>>> {
        headers(call)?;
        Ok(items)
    }

    /// A counter that begins there.
    pub fn counter(&self, start: i64) -> Object<Counter> {
        Object::new(Counter::new(start))
    }

    /// Counters in a message: the first begins there, and the others at what follows.
    #[method(returns_objects)]
    pub fn counters(&self, request: Vec<i64>) -> Counters {
        let mut all = request
            .into_iter()
            .map(|start| Object::new(Counter::new(start)));
        Counters {
            first: all.next(),
            others: all.collect(),
            name: "all".to_owned(),
        }
    }

    /// Takes from one counter what it adds to another, and gives what both have then.
    pub fn transfer(
        &self,
        from: Object<Counter>,
        to: Object<Counter>,
        count: i64,
    ) -> Result<(i64, i64)> {
        Ok((from.add(-count)?, to.add(count)?))
    }

    /// What counters have counted in all.
    #[method(takes_objects)]
    pub fn total(&self, request: Counters) -> i64 {
        let first = request.first.iter();
        first
            .chain(&request.others)
            .map(|counter| counter.get())
            .sum()
    }

    /// The message of a random value, as bytes: what the method of that name takes and gives.
    pub fn random(&self, request: Random) -> Result<Bytes> {
        echoes::message(&request.method, request.seed).map(Bytes::from)
    }

    /// The methods that give back what they get, of which there are random values.
    pub fn echoes(&self) -> Vec<String> {
        echoes::NAMES.iter().copied().map(String::from).collect()
    }

    /// A message of what the method of that name takes and gives, as JSON. None if JSON has no form for it.
    pub fn as_json(&self, method: &str, message: &[u8]) -> Result<Option<String>> {
        echoes::to_json(method, message)
    }

    /// The message of what is JSON of what the method of that name takes and gives.
    pub fn as_message(&self, method: &str, json: &str) -> Result<Bytes> {
        echoes::from_json(method, json).map(Bytes::from)
    }

    /// Asks the host's directory for somebody.
    pub fn ask(&self, name: String, call: &Call<'_>) -> Result<Option<Person>> {
        self.directory.within(call).find(&name)
    }

    /// The same, from an `async fn` that waits for the host without a thread.
    pub async fn ask_later(&self, name: String, call: &Call<'_>) -> Result<Person> {
        self.directory.within(call).fetch(name).await
    }

    /// How many there are in the host's directory.
    pub fn ask_count(&self, call: &Call<'_>) -> Result<u64> {
        self.directory.within(call).count()
    }

    /// Has the host say how old people are, each by name.
    pub fn ask_ages(&self, people: Vec<Person>, call: &Call<'_>) -> Result<BTreeMap<String, u32>> {
        self.ages.within(call).of(people)
    }
}

/// Says the call's metadata as its headers.
fn headers(call: &Call<'_>) -> Result<()> {
    for (key, value) in call.metadata().iter() {
        call.headers().append(key, value)?;
    }
    Ok(())
}
