//! The next version of `types-plugin`: its types have changed in every way that breaks no client. What a client of the version before
//! writes and reads is the same still; here it's something else.

pub mod errors;
#[path = "../../../src/foreign.rs"]
pub mod foreign;
#[path = "../../../src/messages.rs"]
pub mod messages;
pub mod objects;
#[path = "../../../src/services.rs"]
pub mod services;
pub mod versioned;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use rustbridge::prelude::*;
use serde_json::Value;

use crate::errors::{PowerError, Refused, SearchError};
use crate::foreign::Foreign;
use crate::messages::{
    Bounded, Celsius, Color, Cut, Defaults, Event, Every, Expr, Lists, Mood, Numbers, Page, Pairs,
    Person, Piece, Point, Random, Region, Renamed, Repeat, Samples, Shape, Tagged, Text, Texts,
    Times, Tree, Unit, Untagged,
};
use crate::objects::{Counter, Counters};
use crate::services::{Ages, AgesClient, Directory, DirectoryClient};

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
        sum: bytes.iter().map(|&byte| u64::from(byte)).sum(),
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
    /// As many as there are counters, and one.
    alive: Arc<()>,
}

#[plugin(
    name = "types",
    version = "2.0.0",
    objects(Counter),
    services(Directory, Ages)
)]
impl Types {
    /// Asks nothing of its host yet.
    pub fn create(host: Host) -> Result<Types> {
        Ok(Types {
            directory: host.service()?,
            ages: host.service()?,
            alive: Arc::default(),
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

    /// Who was glad is more than that now.
    pub fn mood(&self, request: Mood) -> Mood {
        match request {
            Mood::Glad => Mood::Merry,
            mood => mood,
        }
    }

    /// Gives back what it gets, and what came of it.
    pub fn events(&self, request: Vec<Event>) -> Vec<Event> {
        let mut events: Vec<Event> = request
            .into_iter()
            .map(|event| match event {
                Event::Met { mood, at, others } => Event::Met {
                    mood: self.mood(mood),
                    at,
                    others,
                },
                event => event,
            })
            .collect();
        events.push(Event::Left { others: Vec::new() });
        events
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
    pub fn length(&self, request: Text) -> u64 {
        request.0.chars().count() as u64
    }

    /// Who is the oldest of them.
    pub fn oldest(&self, request: Page<Person>) -> Option<Person> {
        request.items.into_iter().max_by_key(|person| person.age)
    }

    /// The area of a shape.
    pub fn area(&self, request: Region) -> Result<f64> {
        match request {
            Region::Nothing => Err(Error::invalid_argument("nothing has no area")),
            Region::Square { side } => Ok(side * side),
            Region::Circle { radius } => Ok(std::f64::consts::PI * radius * radius),
            Region::Polygon(points) => {
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

    /// A part of a text: `count` of its characters, from the one at `start`; all that are left if it's none. What is added is put behind it.
    pub fn part(&self, count: Option<u32>, text: &str, start: u32, added: Option<&str>) -> String {
        let count = count.map_or(usize::MAX, |count| count as usize);
        let part = text.chars().skip(start as usize).take(count);
        part.chain(added.unwrap_or_default().chars()).collect()
    }

    /// Gives back what it gets one by one and lent, under names of every kind, in another order.
    pub fn several(
        &self,
        self_: Option<Value>,
        class: &[u8],
        person: &Person,
        r#type: Color,
        nick_names: &[String],
        numbers: &[f64],
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
    pub fn cut(&self, data: &[u8], how: Cut) -> Result<(Piece, Bytes)> {
        cut(&how, data)
    }

    /// The same, from an `async fn`.
    pub async fn cut_later(&self, data: Bytes, how: Cut) -> Result<(Piece, Bytes)> {
        cut(&how, &data)
    }

    /// Somebody older, from an `async fn`.
    pub async fn aged(
        &self,
        years: u32,
        decades: Option<u32>,
        person: Person,
        call: &Call<'_>,
    ) -> Result<Person> {
        call.check()?;
        let years = decades
            .unwrap_or_default()
            .checked_mul(10)
            .and_then(|more| more.checked_add(years));
        match years.and_then(|years| person.age.checked_add(years)) {
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
    pub async fn later(&self, request: Person) -> Result<Person> {
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
    pub fn paint(&self, better: Option<Color>, color: Color) -> Result<Color, Refused> {
        match color {
            Color::Red => Err(Refused {
                is_final: better.is_none(),
                color,
                better,
            }),
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

    /// Somebody again and again, each time older.
    pub fn repeat(&self, request: Repeat) -> impl Iterator<Item = Result<Person>> {
        let Repeat {
            person,
            times,
            years,
        } = request;
        let older = move |time: u32| years.checked_mul(time)?.checked_add(person.age);
        (0..times).map(move |time| match older(time) {
            Some(age) => Ok(Person {
                age,
                ..person.clone()
            }),
            None => Err(Error::new(Status::OutOfRange, "nobody gets so old")),
        })
    }

    /// Those who are sent, with how many there are together with those before.
    pub async fn collect(&self, before: u64, mut items: Items<Person>) -> Result<Page<Person>> {
        let mut people = Vec::new();
        while let Some(person) = items.next().await {
            people.push(person?);
        }
        Ok(Page {
            page: 1,
            total: before + people.len() as u64,
            items: people,
        })
    }

    /// Those who are sent and are between the two ages, both included.
    pub async fn between(
        &self,
        oldest: u32,
        excluded: Option<Vec<String>>,
        youngest: u32,
        mut items: Items<Person>,
        call: &Call<'_>,
    ) -> Result<Vec<Person>> {
        let excluded = excluded.unwrap_or_default();
        let mut people = Vec::new();
        while let Some(person) = items.next().await {
            call.check()?;
            let person = person?;
            if (youngest..=oldest).contains(&person.age) && !excluded.contains(&person.name) {
                people.push(person);
            }
        }
        Ok(people)
    }

    /// Sends back each shape that it's sent.
    pub fn reshape(&self, items: Items<Shape>) -> impl Stream<Item = Result<Shape>> {
        items
    }

    /// A counter that begins there.
    pub fn counter(&self, start: i64) -> Object<Counter> {
        Object::new(Counter::new(start, &self.alive))
    }

    /// Counters in a message: the first begins there, and the others at what follows.
    #[method(returns_objects)]
    pub fn counters(&self, request: Vec<i64>) -> Counters {
        let mut all = request
            .into_iter()
            .map(|start| Object::new(Counter::new(start, &self.alive)));
        let first = all.next();
        let others = all.collect();
        let spare = Object::new(Counter::new(0, &self.alive));
        Counters {
            spare: Some(spare),
            first,
            others,
            name: "all".to_owned(),
        }
    }

    /// Takes from one counter what it adds to another, and gives what both have then.
    pub fn transfer(
        &self,
        count: i64,
        to: Object<Counter>,
        from: Object<Counter>,
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

    /// How many counters there are. It's new, so that clients don't know it.
    pub fn alive(&self) -> u64 {
        Arc::strong_count(&self.alive) as u64 - 1
    }

    /// Random values are something for the version before.
    pub fn random(&self, request: Random) -> Result<Bytes> {
        Err(only_before(&request.method))
    }

    /// None of which there are random values here.
    pub fn echoes(&self) -> Vec<String> {
        Vec::new()
    }

    /// What messages are as JSON, the version before tells as well.
    pub fn as_json(&self, method: &str, _message: &[u8]) -> Result<Option<String>> {
        Err(only_before(method))
    }

    /// The other way, likewise.
    pub fn as_message(&self, method: &str, _json: &str) -> Result<Bytes> {
        Err(only_before(method))
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

/// What the tests have of the version before.
fn only_before(method: &str) -> Error {
    let message = format!("there are no values of `{method}` in this version");
    Error::new(Status::Unimplemented, message)
}
