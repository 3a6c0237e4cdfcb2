// Written by `rustbridge gen -l rust` of the plugin `types`: write it anew by that, not by hand.
//! Typed methods of the plugin `types`.

#![allow(
    dead_code,
    missing_docs,
    unused_imports,
    clippy::all,
    clippy::pedantic,
    rustdoc::all,
    reason = "names, prose and what there is are the plugin's"
)]

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use rustbridge_host::{CallOptions, Error, Load, Plugin, typed};

/// Typed methods of the plugin `types`.
///
/// Any thread may use it, any number at once. Copies are of the same; one that was loaded is closed with the last.
#[derive(Clone, Debug)]
pub struct Types(typed::Caller<Methods>);

impl Types {
    /// Loads the plugin from a file.
    ///
    /// # Errors
    /// If it can't be loaded, or isn't the plugin that this was written of: the error says what differs.
    pub fn load(path: impl Into<PathBuf>, services: &Services) -> Result<Self, Error> {
        Self::open(Load::path(path), services)
    }

    /// Loads the plugin as it's said, with a configuration, a name, a log.
    ///
    /// # Errors
    /// If it can't be loaded, or isn't the plugin that this was written of: the error says what differs.
    pub fn open(load: Load<'_>, services: &Services) -> Result<Self, Error> {
        typed::Caller::open(services.register(load)).map(Self)
    }

    /// Calls an instance of the plugin, which goes on to belong to the caller.
    ///
    /// # Errors
    /// If it isn't the plugin that this was written of: the error says what differs.
    pub fn of(plugin: &Plugin) -> Result<Self, Error> {
        typed::Caller::of(plugin).map(Self)
    }

    /// The same, whose calls have these options: how much time there is, metadata, a trace.
    #[must_use]
    pub fn with_options(&self, options: CallOptions) -> Self {
        Self(self.0.with_options(options))
    }

    /// One of each.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn every(&self, request: &Every) -> Result<Every, Error> {
        self.0.call(&self.0.methods.every, request)
    }

    /// Gives back what it gets.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn numbers(&self, request: &Numbers) -> Result<Numbers, Error> {
        self.0.call(&self.0.methods.numbers, request)
    }

    /// Gives back what it gets.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn texts(&self, request: &Texts) -> Result<Texts, Error> {
        self.0.call(&self.0.methods.texts, request)
    }

    /// Gives back what it gets.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn times(&self, request: &Times) -> Result<Times, Error> {
        self.0.call(&self.0.methods.times, request)
    }

    /// Gives back what it gets.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn lists(&self, request: &Lists) -> Result<Lists, Error> {
        self.0.call(&self.0.methods.lists, request)
    }

    /// Gives back what it gets.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn pairs(&self, request: &Pairs) -> Result<Pairs, Error> {
        self.0.call(&self.0.methods.pairs, request)
    }

    /// Gives back what it gets.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn person(&self, request: &Person) -> Result<Person, Error> {
        self.0.call(&self.0.methods.person, request)
    }

    /// Gives back what it gets.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn people(&self, request: &PagePerson) -> Result<PagePerson, Error> {
        self.0.call(&self.0.methods.people, request)
    }

    /// Gives back what it gets.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn shape(&self, request: &Shape) -> Result<Shape, Error> {
        self.0.call(&self.0.methods.shape, request)
    }

    /// Gives back what it gets.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn color(&self, request: Color) -> Result<Color, Error> {
        self.0.call(&self.0.methods.color, &request)
    }

    /// Gives back what it gets.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn mood(&self, request: Mood) -> Result<Mood, Error> {
        self.0.call(&self.0.methods.mood, &request)
    }

    /// Gives back what it gets.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn events(&self, request: &[Event]) -> Result<Vec<Event>, Error> {
        self.0.call(&self.0.methods.events, request)
    }

    /// Gives back what it gets.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn tagged(&self, request: &Tagged) -> Result<Tagged, Error> {
        self.0.call(&self.0.methods.tagged, request)
    }

    /// Gives back what it gets.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn untagged(&self, request: &Untagged) -> Result<Untagged, Error> {
        self.0.call(&self.0.methods.untagged, request)
    }

    /// Gives back what it gets.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn expr(&self, request: &Expr) -> Result<Expr, Error> {
        self.0.call(&self.0.methods.expr, request)
    }

    /// Gives back what it gets.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn tree(&self, request: &Tree) -> Result<Tree, Error> {
        self.0.call(&self.0.methods.tree, request)
    }

    /// Gives back what it gets.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn samples(&self, request: &Samples) -> Result<Samples, Error> {
        self.0.call(&self.0.methods.samples, request)
    }

    /// Gives back what it gets.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn point(&self, request: Point) -> Result<Point, Error> {
        self.0.call(&self.0.methods.point, &request)
    }

    /// Gives back what it gets.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn celsius(&self, request: Celsius) -> Result<Celsius, Error> {
        self.0.call(&self.0.methods.celsius, &request)
    }

    /// Gives back what it gets.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn foreign(&self, request: &Foreign) -> Result<Foreign, Error> {
        self.0.call(&self.0.methods.foreign, request)
    }

    /// What is checked when it's read.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn bounded(&self, request: &Bounded) -> Result<Bounded, Error> {
        self.0.call(&self.0.methods.bounded, request)
    }

    /// Gives back what it gets.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn unit(&self, request: Unit) -> Result<Unit, Error> {
        self.0.call(&self.0.methods.unit, &request)
    }

    /// Gives back what it gets.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn defaults(&self, request: &Defaults) -> Result<Defaults, Error> {
        self.0.call(&self.0.methods.defaults, request)
    }

    /// Gives back what it gets.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn renamed(&self, request: &RenamedRecord) -> Result<RenamedRecord, Error> {
        self.0.call(&self.0.methods.renamed, request)
    }

    /// A value that says itself what it is.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn any(&self, request: &typed::Value) -> Result<typed::Value, Error> {
        self.0.call(&self.0.methods.any, request)
    }

    /// A list that is one copy.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn doubles(&self, request: &[f64]) -> Result<Vec<f64>, Error> {
        self.0.call(&self.0.methods.doubles, request)
    }

    /// Gives back what it gets.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn map(&self, request: &HashMap<String, Person>) -> Result<HashMap<String, Person>, Error> {
        self.0.call(&self.0.methods.map, request)
    }

    /// Somebody, perhaps.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn maybe(&self, request: Option<&Person>) -> Result<Option<Person>, Error> {
        self.0.call(&self.0.methods.maybe, &request)
    }

    /// Gives back what it gets.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn tuple(
        &self,
        request: &(u8, String, Option<bool>),
    ) -> Result<(u8, String, Option<bool>), Error> {
        self.0.call(&self.0.methods.tuple, request)
    }

    /// Gives back what it gets.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn duration(&self, request: Duration) -> Result<Duration, Error> {
        self.0.call(&self.0.methods.duration, &request)
    }

    /// Gives back what it gets.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn timestamp(&self, request: SystemTime) -> Result<SystemTime, Error> {
        self.0.call(&self.0.methods.timestamp, &request)
    }

    /// How many characters a text has.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn length(&self, request: &str) -> Result<u64, Error> {
        self.0.call(&self.0.methods.length, request)
    }

    /// Who is the oldest of them.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn oldest(&self, request: &PagePerson) -> Result<Option<Person>, Error> {
        self.0.call(&self.0.methods.oldest, request)
    }

    /// The area of a shape.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn area(&self, request: &Shape) -> Result<f64, Error> {
        self.0.call(&self.0.methods.area, request)
    }

    /// A part of a text: `count` of its characters, from the one at `start`; all that are left if it's none.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn part(&self, text: &str, start: u32, count: Option<u32>) -> Result<String, Error> {
        self.0.call(&self.0.methods.part, &(text, start, count))
    }

    /// Gives back what it gets one by one and lent, under names of every kind.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn several(
        &self,
        person: &Person,
        nick_names: &[String],
        numbers: &[f64],
        r#type: Color,
        class: &[u8],
        self_: Option<&typed::Value>,
    ) -> Result<
        (
            Person,
            Vec<String>,
            Vec<f64>,
            Color,
            Vec<u8>,
            Option<typed::Value>,
        ),
        Error,
    > {
        self.0.call(
            &self.0.methods.several,
            &(person, nick_names, numbers, r#type, class, self_),
        )
    }

    /// Bytes beside what is to be done with them, and beside what is said of them.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn cut(&self, how: &Cut, data: &[u8]) -> Result<(Piece, Vec<u8>), Error> {
        self.0.call(&self.0.methods.cut, &(how, data))
    }

    /// The same, from an `async fn`.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn cut_later(&self, how: &Cut, data: &[u8]) -> Result<(Piece, Vec<u8>), Error> {
        self.0.call(&self.0.methods.cut_later, &(how, data))
    }

    /// The same, from an `async fn`.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub async fn cut_later_async(&self, how: &Cut, data: &[u8]) -> Result<(Piece, Vec<u8>), Error> {
        self.0
            .call_async(&self.0.methods.cut_later, &(how, data))
            .await
    }

    /// The bytes in hexadecimal digits: raw bytes for raw text.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn hex(&self, data: &[u8]) -> Result<String, Error> {
        self.0.call_raw(&self.0.methods.hex, data)
    }

    /// The same, from an `async fn`.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn hex_later(&self, data: &[u8]) -> Result<String, Error> {
        self.0.call_raw(&self.0.methods.hex_later, data)
    }

    /// The same, from an `async fn`.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub async fn hex_later_async(&self, data: &[u8]) -> Result<String, Error> {
        self.0.call_raw_async(&self.0.methods.hex_later, data).await
    }

    /// The bytes of hexadecimal digits: raw text for raw bytes.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn unhex(&self, digits: &str) -> Result<Vec<u8>, Error> {
        self.0.call_raw(&self.0.methods.unhex, digits.as_bytes())
    }

    /// How many bytes aren't zero: bytes for a number, which is no raw answer.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn nonzero(&self, data: &[u8]) -> Result<u64, Error> {
        self.0.call(&self.0.methods.nonzero, data)
    }

    /// The first bytes of a PNG: raw bytes for nothing.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn magic(&self) -> Result<Vec<u8>, Error> {
        self.0.call_raw(&self.0.methods.magic, &[])
    }

    /// Somebody older, from an `async fn`.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn aged(&self, person: &Person, years: u32) -> Result<Person, Error> {
        self.0.call(&self.0.methods.aged, &(person, years))
    }

    /// Somebody older, from an `async fn`.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub async fn aged_async(&self, person: &Person, years: u32) -> Result<Person, Error> {
        self.0
            .call_async(&self.0.methods.aged, &(person, years))
            .await
    }

    /// The numbers from the first up to before the last, each so much more than the one before.
    pub fn steps(&self, first: i64, last: i64, step: u32) -> typed::Items<i64> {
        self.0.stream(&self.0.methods.steps, &(first, last, step))
    }

    /// Gives back what it gets, from an `async fn`.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn later(&self, request: &Person) -> Result<Person, Error> {
        self.0.call(&self.0.methods.later, request)
    }

    /// Gives back what it gets, from an `async fn`.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub async fn later_async(&self, request: &Person) -> Result<Person, Error> {
        self.0.call_async(&self.0.methods.later, request).await
    }

    /// Who is called so. A name that is empty is hidden.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn search(
        &self,
        name: &str,
        people: &[Person],
    ) -> Result<Person, typed::Failure<SearchError>> {
        self.0.call(&self.0.methods.search, &(name, people))
    }

    /// Who is called so, from an `async fn`.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn search_later(
        &self,
        name: &str,
        people: &[Person],
    ) -> Result<Person, typed::Failure<SearchError>> {
        self.0.call(&self.0.methods.search_later, &(name, people))
    }

    /// Who is called so, from an `async fn`.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub async fn search_later_async(
        &self,
        name: &str,
        people: &[Person],
    ) -> Result<Person, typed::Failure<SearchError>> {
        self.0
            .call_async(&self.0.methods.search_later, &(name, people))
            .await
    }

    /// Takes no red.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn paint(
        &self,
        color: Color,
        better: Option<Color>,
    ) -> Result<Color, typed::Failure<Refused>> {
        self.0.call(&self.0.methods.paint, &(color, better))
    }

    /// Does nothing where there's power.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn power(&self, request: bool) -> Result<(), typed::Failure<PowerError>> {
        self.0.call(&self.0.methods.power, &request)
    }

    /// Somebody again and again, each time a year older.
    pub fn repeat(&self, request: &Repeat) -> typed::Items<Person> {
        self.0.stream(&self.0.methods.repeat, request)
    }

    /// Those who are sent, with how many there are together with those before.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn collect(
        &self,
        before: u64,
        items: impl IntoIterator<Item = Person>,
    ) -> Result<PagePerson, Error> {
        self.0.send(&self.0.methods.collect, &before, items)
    }

    /// Those who are sent, with how many there are together with those before.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub async fn collect_async(
        &self,
        before: u64,
        items: impl typed::Stream<Item = Person>,
    ) -> Result<PagePerson, Error> {
        self.0
            .send_async(&self.0.methods.collect, &before, items)
            .await
    }

    /// Those who are sent and are between the two ages, both included.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn between(
        &self,
        youngest: u32,
        oldest: u32,
        items: impl IntoIterator<Item = Person>,
    ) -> Result<Vec<Person>, Error> {
        self.0
            .send(&self.0.methods.between, &(youngest, oldest), items)
    }

    /// Those who are sent and are between the two ages, both included.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub async fn between_async(
        &self,
        youngest: u32,
        oldest: u32,
        items: impl typed::Stream<Item = Person>,
    ) -> Result<Vec<Person>, Error> {
        self.0
            .send_async(&self.0.methods.between, &(youngest, oldest), items)
            .await
    }

    /// Sends back each shape that it's sent.
    pub fn reshape(
        &self,
        items: impl Iterator<Item = Shape> + Send + 'static,
    ) -> typed::Items<Shape> {
        self.0.exchange(&self.0.methods.reshape, &(), items)
    }

    /// Sends back each shape that it's sent.
    pub fn reshape_async(
        &self,
        items: impl typed::Stream<Item = Shape> + Send + 'static,
    ) -> typed::Items<Shape> {
        self.0.exchange_async(&self.0.methods.reshape, &(), items)
    }

    /// A counter that begins there.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn counter(&self, start: i64) -> Result<Counter, Error> {
        self.0.call_with_objects(&self.0.methods.counter, &start)
    }

    /// Counters in a message: the first begins there, and the others at what follows.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn counters(&self, request: &[i64]) -> Result<Counters, Error> {
        self.0.call_with_objects(&self.0.methods.counters, request)
    }

    /// Takes from one counter what it adds to another, and gives what both have then.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn transfer(&self, from: &Counter, to: &Counter, count: i64) -> Result<(i64, i64), Error> {
        self.0
            .call_with_objects(&self.0.methods.transfer, &(from, to, count))
    }

    /// What counters have counted in all.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn total(&self, request: &Counters) -> Result<i64, Error> {
        self.0.call_with_objects(&self.0.methods.total, request)
    }

    /// The message of a random value, as bytes: what the method of that name takes and gives.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn random(&self, request: &Random) -> Result<Vec<u8>, Error> {
        self.0.call(&self.0.methods.random, request)
    }

    /// The methods that give back what they get, of which there are random values.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn echoes(&self) -> Result<Vec<String>, Error> {
        self.0.call(&self.0.methods.echoes, &())
    }

    /// A message of what the method of that name takes and gives, as JSON. None if JSON has no form for it.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn as_json(&self, method: &str, message: &[u8]) -> Result<Option<String>, Error> {
        self.0.call(&self.0.methods.as_json, &(method, message))
    }

    /// The message of what is JSON of what the method of that name takes and gives.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn as_message(&self, method: &str, json: &str) -> Result<Vec<u8>, Error> {
        self.0.call(&self.0.methods.as_message, &(method, json))
    }

    /// Asks the host's directory for somebody.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn ask(&self, name: &str) -> Result<Option<Person>, Error> {
        self.0.call(&self.0.methods.ask, name)
    }

    /// The same, from an `async fn` that waits for the host without a thread.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn ask_later(&self, name: &str) -> Result<Person, Error> {
        self.0.call(&self.0.methods.ask_later, name)
    }

    /// The same, from an `async fn` that waits for the host without a thread.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub async fn ask_later_async(&self, name: &str) -> Result<Person, Error> {
        self.0.call_async(&self.0.methods.ask_later, name).await
    }

    /// How many there are in the host's directory.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn ask_count(&self) -> Result<u64, Error> {
        self.0.call(&self.0.methods.ask_count, &())
    }

    /// Has the host say how old people are, each by name.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn ask_ages(&self, people: &[Person]) -> Result<HashMap<String, u32>, Error> {
        self.0.call(&self.0.methods.ask_ages, people)
    }
}

/// A `Counter` of the plugin's, which is given back with the last copy of this. It stands in messages like any value.
#[derive(Clone, Debug, PartialEq)]
pub struct Counter(typed::Caller<Methods>);

impl Counter {
    /// The same, whose calls have these options: how much time there is, metadata, a trace.
    #[must_use]
    pub fn with_options(&self, options: CallOptions) -> Self {
        Self(self.0.with_options(options))
    }

    /// Adds, and gives the sum.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn add(&self, more: i64) -> Result<i64, Error> {
        self.0.call(&self.0.methods.counter_add, &more)
    }

    /// The same, from an `async fn`.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn add_later(&self, more: i64) -> Result<i64, Error> {
        self.0.call(&self.0.methods.counter_add_later, &more)
    }

    /// The same, from an `async fn`.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub async fn add_later_async(&self, more: i64) -> Result<i64, Error> {
        self.0
            .call_async(&self.0.methods.counter_add_later, &more)
            .await
    }

    /// Half of what was counted, if that's a number.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn half(&self) -> Result<i64, typed::Failure<Odd>> {
        self.0.call(&self.0.methods.counter_half, &())
    }

    /// Whether it's between two numbers, both included.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn within(&self, least: i64, most: i64) -> Result<bool, Error> {
        self.0.call(&self.0.methods.counter_within, &(least, most))
    }

    /// What was counted so far.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn get(&self) -> Result<i64, Error> {
        self.0.call(&self.0.methods.counter_get, &())
    }

    /// Adds what another has counted, and gives the sum.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn absorb(&self, other: &Counter) -> Result<i64, Error> {
        self.0
            .call_with_objects(&self.0.methods.counter_absorb, other)
    }

    /// The numbers from there up to before another.
    pub fn upto(&self, end: i64) -> typed::Items<i64> {
        self.0.stream(&self.0.methods.counter_upto, &end)
    }

    /// Counts those who are sent.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn admit(&self, items: impl IntoIterator<Item = Person>) -> Result<i64, Error> {
        self.0.send(&self.0.methods.counter_admit, &(), items)
    }

    /// Counts those who are sent.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub async fn admit_async(
        &self,
        items: impl typed::Stream<Item = Person>,
    ) -> Result<i64, Error> {
        self.0
            .send_async(&self.0.methods.counter_admit, &(), items)
            .await
    }
}

typed::object::wire!(Counter, "Counter");

#[derive(Debug)]
struct Methods {
    every: typed::Method,
    numbers: typed::Method,
    texts: typed::Method,
    times: typed::Method,
    lists: typed::Method,
    pairs: typed::Method,
    person: typed::Method,
    people: typed::Method,
    shape: typed::Method,
    color: typed::Method,
    mood: typed::Method,
    events: typed::Method,
    tagged: typed::Method,
    untagged: typed::Method,
    expr: typed::Method,
    tree: typed::Method,
    samples: typed::Method,
    point: typed::Method,
    celsius: typed::Method,
    foreign: typed::Method,
    bounded: typed::Method,
    unit: typed::Method,
    defaults: typed::Method,
    renamed: typed::Method,
    any: typed::Method,
    doubles: typed::Method,
    map: typed::Method,
    maybe: typed::Method,
    tuple: typed::Method,
    duration: typed::Method,
    timestamp: typed::Method,
    length: typed::Method,
    oldest: typed::Method,
    area: typed::Method,
    part: typed::Method,
    several: typed::Method,
    cut: typed::Method,
    cut_later: typed::Method,
    hex: typed::Method,
    hex_later: typed::Method,
    unhex: typed::Method,
    nonzero: typed::Method,
    magic: typed::Method,
    aged: typed::Method,
    steps: typed::Method,
    later: typed::Method,
    search: typed::Method,
    search_later: typed::Method,
    paint: typed::Method,
    power: typed::Method,
    repeat: typed::Method,
    collect: typed::Method,
    between: typed::Method,
    reshape: typed::Method,
    counter: typed::Method,
    counters: typed::Method,
    transfer: typed::Method,
    total: typed::Method,
    random: typed::Method,
    echoes: typed::Method,
    as_json: typed::Method,
    as_message: typed::Method,
    ask: typed::Method,
    ask_later: typed::Method,
    ask_count: typed::Method,
    ask_ages: typed::Method,
    counter_add: typed::Method,
    counter_add_later: typed::Method,
    counter_half: typed::Method,
    counter_within: typed::Method,
    counter_get: typed::Method,
    counter_absorb: typed::Method,
    counter_upto: typed::Method,
    counter_admit: typed::Method,
}

impl typed::Methods for Methods {
    fn prepare(plugin: &Plugin) -> Result<Self, Error> {
        let method =
            |name, fingerprint| typed::Method::prepare(plugin, name, fingerprint, CONTRACT);
        Ok(Self {
            every: method("every", "ca824bfa182bedb60ba5827fb6308d6e")?,
            numbers: method("numbers", "4c00d487d36e0c59a73b8f6f78292929")?,
            texts: method("texts", "f88372bd7465d1c1c7d58abd1ba2fc5c")?,
            times: method("times", "759fab40f0cf85db3f027917f24af2a3")?,
            lists: method("lists", "e19f0e80f700832db2772a6cebd4c2f9")?,
            pairs: method("pairs", "18381038fd3cc6739c4df9d0db6d3a7d")?,
            person: method("person", "bf3ed839822e0baaebc306432086a7e1")?,
            people: method("people", "f14e879221aba66dd32dea1fdcfa3fb5")?,
            shape: method("shape", "7dd99669087d218bd07d831ce8f12470")?,
            color: method("color", "41b0fa431237ac990a79a870076aaf7c")?,
            mood: method("mood", "c7593193ffab90a84e3ba13d65bed81c")?,
            events: method("events", "d65898177d1e2e1c69ffb73dff3d77c5")?,
            tagged: method("tagged", "d183e5861f8334a67d13ead1ac5a65ee")?,
            untagged: method("untagged", "718a4fb1dd49ba198222d869932671e5")?,
            expr: method("expr", "2acb38bc4a1b629a4f7e7c75e5c6e069")?,
            tree: method("tree", "1b32e93a62fd0d6845338c23d026910b")?,
            samples: method("samples", "d32918079018f2eb6cbcb959e09e2f43")?,
            point: method("point", "d3685ef2581bf9f8d96fec9587f3b77d")?,
            celsius: method("celsius", "bbb0e9b3fd7d5e6c0b909b89a85f4205")?,
            foreign: method("foreign", "56e4cbbe19262184ba148eac03db284a")?,
            bounded: method("bounded", "7c6bbada5d2a999a2d983e79286f5088")?,
            unit: method("unit", "efe1320e7176f8cf27172bff57e25aff")?,
            defaults: method("defaults", "66282979899cf160bb6e43954fc52c0f")?,
            renamed: method("renamed", "cd7a190ba7eaee824e01233294ed8356")?,
            any: method("any", "e116563f03bc7feddab9216a0bc693c1")?,
            doubles: method("doubles", "d44b8782b9348016131b260d1783fb49")?,
            map: method("map", "bd80e829cf3e3e21e657d21ed56285e0")?,
            maybe: method("maybe", "e55140d6969ffe47e3a827a8c8f5ce45")?,
            tuple: method("tuple", "593596a45d2ec29ab4f2a45d17290d83")?,
            duration: method("duration", "5b51c10a63ab70b8f53e1fee16d44cf8")?,
            timestamp: method("timestamp", "da29a74c3d7ce4896a3f7ee7e36078cd")?,
            length: method("length", "29a4c753bb3d9001ad03363342f2e79e")?,
            oldest: method("oldest", "27736f54a864a27897c6d5ebb84f2e69")?,
            area: method("area", "10fa9364fd14754d19ec9cfc884b1aee")?,
            part: method("part", "49b2a515f36339c8aeefffe631da8210")?,
            several: method("several", "2c711d105bbe29f023c874e10eb3de37")?,
            cut: method("cut", "f109d30b882069b16d0bb09ae313168b")?,
            cut_later: method("cut_later", "f109d30b882069b16d0bb09ae313168b")?,
            hex: method("hex", "10cb7552ba6e2ec516f8450ac1f6a7a5")?,
            hex_later: method("hex_later", "10cb7552ba6e2ec516f8450ac1f6a7a5")?,
            unhex: method("unhex", "dd541130f82a84c26844095adfda7f83")?,
            nonzero: method("nonzero", "e9b43b29874d38f68f29d0a28f57d5bf")?,
            magic: method("magic", "aaee54f20060ca765edf811e8ff746d2")?,
            aged: method("aged", "d96d8c5aa18abd34800b0a70277f1ae2")?,
            steps: method("steps", "1b06f93494936b12245b3525a5416d28")?,
            later: method("later", "bf3ed839822e0baaebc306432086a7e1")?,
            search: method("search", "377cf8857cffb751b1732bbeb1aeff0f")?,
            search_later: method("search_later", "377cf8857cffb751b1732bbeb1aeff0f")?,
            paint: method("paint", "25003722c2e6315d90b231f2ef4a2cc4")?,
            power: method("power", "71c789d18f4d57dd20031e0341cc4e32")?,
            repeat: method("repeat", "5d483719156dbc996277632b762e9e80")?,
            collect: method("collect", "9ecb7e607fb9abcc14f7aaceebb02e7d")?,
            between: method("between", "a12f06887f3b47a6ce5e6834928668cb")?,
            reshape: method("reshape", "ae31d0880dfdf7df69b6bc48314151a2")?,
            counter: method("counter", "ec165d6c610f39aed01abe986f716064")?,
            counters: method("counters", "0c9a8d1e116aa5d0e6d14e357b9752e9")?,
            transfer: method("transfer", "eb6c227ff27443abe958f364eab77261")?,
            total: method("total", "f2acd3684f438c86832c55e8e71f58bc")?,
            random: method("random", "ccb9b9bd0e5b808e3d420a428a74d812")?,
            echoes: method("echoes", "c41bde01320ce5cd4796aa1e16c9a8d1")?,
            as_json: method("as_json", "28b4afe73c3e42654fdae474fcc8d1ef")?,
            as_message: method("as_message", "a631c2c1bd71fff75d95c1c158d6a176")?,
            ask: method("ask", "9886e54c7f570a55f5e6a4bfb4215684")?,
            ask_later: method("ask_later", "cde246a1db3f86a4b1b380d84fb0d082")?,
            ask_count: method("ask_count", "63b26b9256268d2492d152d819049261")?,
            ask_ages: method("ask_ages", "b83cfeffed46a49b7a9b78755f51cd1c")?,
            counter_add: method("Counter.add", "570fd8a0f9600afe5dc59cb60cafc18c")?,
            counter_add_later: method("Counter.add_later", "570fd8a0f9600afe5dc59cb60cafc18c")?,
            counter_half: method("Counter.half", "34231d9746f76ea5b3c09c28aa21b1cd")?,
            counter_within: method("Counter.within", "e3728e4d27cafb7e29610055d6936f17")?,
            counter_get: method("Counter.get", "0623d9bd222f675fe8a051ce992515af")?,
            counter_absorb: method("Counter.absorb", "fa16e2261cd04f529e96258df45a24a3")?,
            counter_upto: method("Counter.upto", "6f4048bc7dae2eeaf52f29717bb4eb05")?,
            counter_admit: method("Counter.admit", "685f995b1f52ce252fe62469410e15da")?,
        })
    }
}

/// What this was written from, to be compared with the plugin.
const CONTRACT: &str = concat!(
    r#"{"methods":[{"entries":[{"arguments":false,"encoding":"wire","error":null,"index":6,"#,
    r#""items":null,"kind":"unary","parameter":"request","receiver":"","request":{"type":{""#,
    r#"ref":0}},"response":{"type":{"ref":0}}}],"name":"every"},{"entries":[{"arguments":fa"#,
    r#"lse,"encoding":"wire","error":null,"index":13,"items":null,"kind":"unary","parameter"#,
    r#"":"request","receiver":"","request":{"type":{"ref":1}},"response":{"type":{"ref":1}}"#,
    r#"}],"name":"numbers"},{"entries":[{"arguments":false,"encoding":"wire","error":null,""#,
    r#"index":20,"items":null,"kind":"unary","parameter":"request","receiver":"","request":"#,
    r#"{"type":{"ref":2}},"response":{"type":{"ref":2}}}],"name":"texts"},{"entries":[{"arg"#,
    r#"uments":false,"encoding":"wire","error":null,"index":27,"items":null,"kind":"unary","#,
    r#""parameter":"request","receiver":"","request":{"type":{"ref":3}},"response":{"type":"#,
    r#"{"ref":3}}}],"name":"times"},{"entries":[{"arguments":false,"encoding":"wire","error"#,
    r#"":null,"index":34,"items":null,"kind":"unary","parameter":"request","receiver":"","r"#,
    r#"equest":{"type":{"ref":4}},"response":{"type":{"ref":4}}}],"name":"lists"},{"entries"#,
    r#"":[{"arguments":false,"encoding":"wire","error":null,"index":41,"items":null,"kind":"#,
    r#""unary","parameter":"request","receiver":"","request":{"type":{"ref":7}},"response":"#,
    r#"{"type":{"ref":7}}}],"name":"pairs"},{"entries":[{"arguments":false,"encoding":"wire"#,
    r#"","error":null,"index":48,"items":null,"kind":"unary","parameter":"request","receive"#,
    r#"r":"","request":{"type":{"ref":5}},"response":{"type":{"ref":5}}}],"name":"person"},"#,
    r#"{"entries":[{"arguments":false,"encoding":"wire","error":null,"index":55,"items":nul"#,
    r#"l,"kind":"unary","parameter":"request","receiver":"","request":{"type":{"ref":11}},""#,
    r#"response":{"type":{"ref":11}}}],"name":"people"},{"entries":[{"arguments":false,"enc"#,
    r#"oding":"wire","error":null,"index":62,"items":null,"kind":"unary","parameter":"reque"#,
    r#"st","receiver":"","request":{"type":{"ref":13}},"response":{"type":{"ref":13}}}],"na"#,
    r#"me":"shape"},{"entries":[{"arguments":false,"encoding":"wire","error":null,"index":6"#,
    r#"9,"items":null,"kind":"unary","parameter":"request","receiver":"","request":{"type":"#,
    r#"{"ref":8}},"response":{"type":{"ref":8}}}],"name":"color"},{"entries":[{"arguments":"#,
    r#"false,"encoding":"wire","error":null,"index":76,"items":null,"kind":"unary","paramet"#,
    r#"er":"request","receiver":"","request":{"type":{"ref":24}},"response":{"type":{"ref":"#,
    r#"24}}}],"name":"mood"},{"entries":[{"arguments":false,"encoding":"wire","error":null,"#,
    r#""index":83,"items":null,"kind":"unary","parameter":"request","receiver":"","request""#,
    r#":{"type":{"list":{"ref":25}}},"response":{"type":{"list":{"ref":25}}}}],"name":"even"#,
    r#"ts"},{"entries":[{"arguments":false,"encoding":"wire","error":null,"index":90,"items"#,
    r#"":null,"kind":"unary","parameter":"request","receiver":"","request":{"type":{"ref":1"#,
    r#"4}},"response":{"type":{"ref":14}}}],"name":"tagged"},{"entries":[{"arguments":false"#,
    r#","encoding":"wire","error":null,"index":97,"items":null,"kind":"unary","parameter":""#,
    r#"request","receiver":"","request":{"type":{"ref":15}},"response":{"type":{"ref":15}}}"#,
    r#"],"name":"untagged"},{"entries":[{"arguments":false,"encoding":"wire","error":null,""#,
    r#"index":104,"items":null,"kind":"unary","parameter":"request","receiver":"","request""#,
    r#":{"type":{"ref":16}},"response":{"type":{"ref":16}}}],"name":"expr"},{"entries":[{"a"#,
    r#"rguments":false,"encoding":"wire","error":null,"index":111,"items":null,"kind":"unar"#,
    r#"y","parameter":"request","receiver":"","request":{"type":{"ref":17}},"response":{"ty"#,
    r#"pe":{"ref":17}}}],"name":"tree"},{"entries":[{"arguments":false,"encoding":"wire","e"#,
    r#"rror":null,"index":118,"items":null,"kind":"unary","parameter":"request","receiver":"#,
    r#""","request":{"type":{"ref":18}},"response":{"type":{"ref":18}}}],"name":"samples"},"#,
    r#"{"entries":[{"arguments":false,"encoding":"wire","error":null,"index":125,"items":nu"#,
    r#"ll,"kind":"unary","parameter":"request","receiver":"","request":{"type":{"ref":6}},""#,
    r#"response":{"type":{"ref":6}}}],"name":"point"},{"entries":[{"arguments":false,"encod"#,
    r#"ing":"wire","error":null,"index":132,"items":null,"kind":"unary","parameter":"reques"#,
    r#"t","receiver":"","request":{"type":{"ref":20}},"response":{"type":{"ref":20}}}],"nam"#,
    r#"e":"celsius"},{"entries":[{"arguments":false,"encoding":"wire","error":null,"index":"#,
    r#"139,"items":null,"kind":"unary","parameter":"request","receiver":"","request":{"type"#,
    r#"":{"ref":9}},"response":{"type":{"ref":9}}}],"name":"foreign"},{"entries":[{"argumen"#,
    r#"ts":false,"encoding":"wire","error":null,"index":146,"items":null,"kind":"unary","pa"#,
    r#"rameter":"request","receiver":"","request":{"type":{"ref":26}},"response":{"type":{""#,
    r#"ref":26}}}],"name":"bounded"},{"entries":[{"arguments":false,"encoding":"wire","erro"#,
    r#"r":null,"index":153,"items":null,"kind":"unary","parameter":"request","receiver":"","#,
    r#""request":{"type":{"ref":21}},"response":{"type":{"ref":21}}}],"name":"unit"},{"entr"#,
    r#"ies":[{"arguments":false,"encoding":"wire","error":null,"index":160,"items":null,"ki"#,
    r#"nd":"unary","parameter":"request","receiver":"","request":{"type":{"ref":22}},"respo"#,
    r#"nse":{"type":{"ref":22}}}],"name":"defaults"},{"entries":[{"arguments":false,"encodi"#,
    r#"ng":"wire","error":null,"index":167,"items":null,"kind":"unary","parameter":"request"#,
    r#"","receiver":"","request":{"type":{"ref":23}},"response":{"type":{"ref":23}}}],"name"#,
    r#"":"renamed"},{"entries":[{"arguments":false,"encoding":"wire","error":null,"index":1"#,
    r#"74,"items":null,"kind":"unary","parameter":"request","receiver":"","request":{"type""#,
    r#":"any"},"response":{"type":"any"}}],"name":"any"},{"entries":[{"arguments":false,"en"#,
    r#"coding":"wire","error":null,"index":181,"items":null,"kind":"unary","parameter":"req"#,
    r#"uest","receiver":"","request":{"type":{"list":"f64"}},"response":{"type":{"list":"f6"#,
    r#"4"}}}],"name":"doubles"},{"entries":[{"arguments":false,"encoding":"wire","error":nu"#,
    r#"ll,"index":188,"items":null,"kind":"unary","parameter":"request","receiver":"","requ"#,
    r#"est":{"type":{"map":["string",{"ref":5}]}},"response":{"type":{"map":["string",{"ref"#,
    r#"":5}]}}}],"name":"map"},{"entries":[{"arguments":false,"encoding":"wire","error":nul"#,
    r#"l,"index":195,"items":null,"kind":"unary","parameter":"request","receiver":"","reque"#,
    r#"st":{"type":{"option":{"ref":5}}},"response":{"type":{"option":{"ref":5}}}}],"name":"#,
    r#""maybe"},{"entries":[{"arguments":false,"encoding":"wire","error":null,"index":202,""#,
    r#"items":null,"kind":"unary","parameter":"request","receiver":"","request":{"type":{"t"#,
    r#"uple":["u8","string",{"option":"bool"}]}},"response":{"type":{"tuple":["u8","string""#,
    r#",{"option":"bool"}]}}}],"name":"tuple"},{"entries":[{"arguments":false,"encoding":"w"#,
    r#"ire","error":null,"index":209,"items":null,"kind":"unary","parameter":"request","rec"#,
    r#"eiver":"","request":{"type":"duration"},"response":{"type":"duration"}}],"name":"dur"#,
    r#"ation"},{"entries":[{"arguments":false,"encoding":"wire","error":null,"index":216,"i"#,
    r#"tems":null,"kind":"unary","parameter":"request","receiver":"","request":{"type":"tim"#,
    r#"estamp"},"response":{"type":"timestamp"}}],"name":"timestamp"},{"entries":[{"argumen"#,
    r#"ts":false,"encoding":"wire","error":null,"index":223,"items":null,"kind":"unary","pa"#,
    r#"rameter":"request","receiver":"","request":{"type":"string"},"response":{"type":"u64"#,
    r#""}}],"name":"length"},{"entries":[{"arguments":false,"encoding":"wire","error":null,"#,
    r#""index":230,"items":null,"kind":"unary","parameter":"request","receiver":"","request"#,
    r#"":{"type":{"ref":11}},"response":{"type":{"option":{"ref":5}}}}],"name":"oldest"},{""#,
    r#"entries":[{"arguments":false,"encoding":"wire","error":null,"index":237,"items":null"#,
    r#","kind":"unary","parameter":"request","receiver":"","request":{"type":{"ref":13}},"r"#,
    r#"esponse":{"type":"f64"}}],"name":"area"},{"entries":[{"arguments":true,"encoding":"w"#,
    r#"ire","error":null,"index":244,"items":null,"kind":"unary","parameter":"","receiver":"#,
    r#""","request":{"type":{"ref":27}},"response":{"type":"string"}}],"name":"part"},{"ent"#,
    r#"ries":[{"arguments":true,"encoding":"wire","error":null,"index":251,"items":null,"ki"#,
    r#"nd":"unary","parameter":"","receiver":"","request":{"type":{"ref":28}},"response":{""#,
    r#"type":{"tuple":[{"ref":5},{"list":"string"},{"list":"f64"},{"ref":8},"bytes",{"optio"#,
    r#"n":"any"}]}}}],"name":"several"},{"entries":[{"arguments":true,"encoding":"wire","er"#,
    r#"ror":null,"index":258,"items":null,"kind":"unary","parameter":"","receiver":"","requ"#,
    r#"est":{"type":{"ref":29}},"response":{"type":{"tuple":[{"ref":31},"bytes"]}}}],"name""#,
    r#":"cut"},{"entries":[{"arguments":true,"encoding":"wire","error":null,"index":265,"it"#,
    r#"ems":null,"kind":"unary","parameter":"","receiver":"","request":{"type":{"ref":32}},"#,
    r#""response":{"type":{"tuple":[{"ref":31},"bytes"]}}}],"name":"cut_later"},{"entries":"#,
    r#"[{"arguments":false,"encoding":"raw","error":null,"index":267,"items":null,"kind":"u"#,
    r#"nary","parameter":"data","receiver":"","request":{"type":"bytes"},"response":{"type""#,
    r#":"string"}}],"name":"hex"},{"entries":[{"arguments":false,"encoding":"raw","error":n"#,
    r#"ull,"index":274,"items":null,"kind":"unary","parameter":"data","receiver":"","reques"#,
    r#"t":{"type":"bytes"},"response":{"type":"string"}}],"name":"hex_later"},{"entries":[{"#,
    r#""arguments":false,"encoding":"raw","error":null,"index":281,"items":null,"kind":"una"#,
    r#"ry","parameter":"digits","receiver":"","request":{"type":"string"},"response":{"type"#,
    r#"":"bytes"}}],"name":"unhex"},{"entries":[{"arguments":false,"encoding":"wire","error"#,
    r#"":null,"index":293,"items":null,"kind":"unary","parameter":"data","receiver":"","req"#,
    r#"uest":{"type":"bytes"},"response":{"type":"u64"}}],"name":"nonzero"},{"entries":[{"a"#,
    r#"rguments":false,"encoding":"raw","error":null,"index":295,"items":null,"kind":"unary"#,
    r#"","parameter":"","receiver":"","request":{"type":"unit"},"response":{"type":"bytes"}"#,
    r#"}],"name":"magic"},{"entries":[{"arguments":true,"encoding":"wire","error":null,"ind"#,
    r#"ex":307,"items":null,"kind":"unary","parameter":"","receiver":"","request":{"type":{"#,
    r#""ref":33}},"response":{"type":{"ref":5}}}],"name":"aged"},{"entries":[{"arguments":t"#,
    r#"rue,"encoding":"wire","error":null,"index":314,"items":null,"kind":"server_stream",""#,
    r#"parameter":"","receiver":"","request":{"type":{"ref":34}},"response":{"type":"i64"}}"#,
    r#"],"name":"steps"},{"entries":[{"arguments":false,"encoding":"wire","error":null,"ind"#,
    r#"ex":321,"items":null,"kind":"unary","parameter":"request","receiver":"","request":{""#,
    r#"type":{"ref":5}},"response":{"type":{"ref":5}}}],"name":"later"},{"entries":[{"argum"#,
    r#"ents":true,"encoding":"wire","error":{"type":{"ref":36}},"index":328,"items":null,"k"#,
    r#"ind":"unary","parameter":"","receiver":"","request":{"type":{"ref":35}},"response":{"#,
    r#""type":{"ref":5}}}],"name":"search"},{"entries":[{"arguments":true,"encoding":"wire""#,
    r#","error":{"type":{"ref":36}},"index":335,"items":null,"kind":"unary","parameter":"","#,
    r#""receiver":"","request":{"type":{"ref":37}},"response":{"type":{"ref":5}}}],"name":""#,
    r#"search_later"},{"entries":[{"arguments":true,"encoding":"wire","error":{"type":{"ref"#,
    r#"":39}},"index":342,"items":null,"kind":"unary","parameter":"","receiver":"","request"#,
    r#"":{"type":{"ref":38}},"response":{"type":{"ref":8}}}],"name":"paint"},{"entries":[{""#,
    r#"arguments":false,"encoding":"wire","error":{"type":{"ref":40}},"index":349,"items":n"#,
    r#"ull,"kind":"unary","parameter":"request","receiver":"","request":{"type":"bool"},"re"#,
    r#"sponse":{"type":"unit"}}],"name":"power"},{"entries":[{"arguments":false,"encoding":"#,
    r#""wire","error":null,"index":356,"items":null,"kind":"server_stream","parameter":"req"#,
    r#"uest","receiver":"","request":{"type":{"ref":41}},"response":{"type":{"ref":5}}}],"n"#,
    r#"ame":"repeat"},{"entries":[{"arguments":false,"encoding":"wire","error":null,"index""#,
    r#":363,"items":{"type":{"ref":5}},"kind":"client_stream","parameter":"before","receive"#,
    r#"r":"","request":{"type":"u64"},"response":{"type":{"ref":11}}}],"name":"collect"},{""#,
    r#"entries":[{"arguments":true,"encoding":"wire","error":null,"index":370,"items":{"typ"#,
    r#"e":{"ref":5}},"kind":"client_stream","parameter":"","receiver":"","request":{"type":"#,
    r#"{"ref":42}},"response":{"type":{"list":{"ref":5}}}}],"name":"between"},{"entries":[{"#,
    r#""arguments":false,"encoding":"wire","error":null,"index":377,"items":{"type":{"ref":"#,
    r#"13}},"kind":"bidi_stream","parameter":"","receiver":"","request":{"type":"unit"},"re"#,
    r#"sponse":{"type":{"ref":13}}}],"name":"reshape"},{"entries":[{"arguments":false,"enco"#,
    r#"ding":"wire","error":null,"index":384,"items":null,"kind":"unary","parameter":"start"#,
    r#"","receiver":"","request":{"type":"i64"},"response":{"type":{"object":"Counter"}}}],"#,
    r#""name":"counter"},{"entries":[{"arguments":false,"encoding":"wire","error":null,"ind"#,
    r#"ex":391,"items":null,"kind":"unary","parameter":"request","receiver":"","request":{""#,
    r#"type":{"list":"i64"}},"response":{"type":{"ref":43}}}],"name":"counters"},{"entries""#,
    r#":[{"arguments":true,"encoding":"wire","error":null,"index":398,"items":null,"kind":""#,
    r#"unary","parameter":"","receiver":"","request":{"type":{"ref":44}},"response":{"type""#,
    r#":{"tuple":["i64","i64"]}}}],"name":"transfer"},{"entries":[{"arguments":false,"encod"#,
    r#"ing":"wire","error":null,"index":405,"items":null,"kind":"unary","parameter":"reques"#,
    r#"t","receiver":"","request":{"type":{"ref":43}},"response":{"type":"i64"}}],"name":"t"#,
    r#"otal"},{"entries":[{"arguments":false,"encoding":"wire","error":null,"index":412,"it"#,
    r#"ems":null,"kind":"unary","parameter":"request","receiver":"","request":{"type":{"ref"#,
    r#"":45}},"response":{"type":"bytes"}}],"name":"random"},{"entries":[{"arguments":false"#,
    r#","encoding":"wire","error":null,"index":419,"items":null,"kind":"unary","parameter":"#,
    r#""","receiver":"","request":{"type":"unit"},"response":{"type":{"list":"string"}}}],""#,
    r#"name":"echoes"},{"entries":[{"arguments":true,"encoding":"wire","error":null,"index""#,
    r#":426,"items":null,"kind":"unary","parameter":"","receiver":"","request":{"type":{"re"#,
    r#"f":46}},"response":{"type":{"option":"string"}}}],"name":"as_json"},{"entries":[{"ar"#,
    r#"guments":true,"encoding":"wire","error":null,"index":433,"items":null,"kind":"unary""#,
    r#","parameter":"","receiver":"","request":{"type":{"ref":47}},"response":{"type":"byte"#,
    r#"s"}}],"name":"as_message"},{"entries":[{"arguments":false,"encoding":"wire","error":"#,
    r#"null,"index":440,"items":null,"kind":"unary","parameter":"name","receiver":"","reque"#,
    r#"st":{"type":"string"},"response":{"type":{"option":{"ref":5}}}}],"name":"ask"},{"ent"#,
    r#"ries":[{"arguments":false,"encoding":"wire","error":null,"index":447,"items":null,"k"#,
    r#"ind":"unary","parameter":"name","receiver":"","request":{"type":"string"},"response""#,
    r#":{"type":{"ref":5}}}],"name":"ask_later"},{"entries":[{"arguments":false,"encoding":"#,
    r#""wire","error":null,"index":454,"items":null,"kind":"unary","parameter":"","receiver"#,
    r#"":"","request":{"type":"unit"},"response":{"type":"u64"}}],"name":"ask_count"},{"ent"#,
    r#"ries":[{"arguments":false,"encoding":"wire","error":null,"index":461,"items":null,"k"#,
    r#"ind":"unary","parameter":"people","receiver":"","request":{"type":{"list":{"ref":5}}"#,
    r#"},"response":{"type":{"map":["string","u32"]}}}],"name":"ask_ages"},{"entries":[{"ar"#,
    r#"guments":false,"encoding":"wire","error":null,"index":468,"items":null,"kind":"unary"#,
    r#"","parameter":"more","receiver":"Counter","request":{"type":"i64"},"response":{"type"#,
    r#"":"i64"}}],"name":"Counter.add"},{"entries":[{"arguments":false,"encoding":"wire","e"#,
    r#"rror":null,"index":475,"items":null,"kind":"unary","parameter":"more","receiver":"Co"#,
    r#"unter","request":{"type":"i64"},"response":{"type":"i64"}}],"name":"Counter.add_late"#,
    r#"r"},{"entries":[{"arguments":false,"encoding":"wire","error":{"type":{"ref":48}},"in"#,
    r#"dex":482,"items":null,"kind":"unary","parameter":"","receiver":"Counter","request":{"#,
    r#""type":"unit"},"response":{"type":"i64"}}],"name":"Counter.half"},{"entries":[{"argu"#,
    r#"ments":true,"encoding":"wire","error":null,"index":489,"items":null,"kind":"unary",""#,
    r#"parameter":"","receiver":"Counter","request":{"type":{"ref":49}},"response":{"type":"#,
    r#""bool"}}],"name":"Counter.within"},{"entries":[{"arguments":false,"encoding":"wire","#,
    r#""error":null,"index":496,"items":null,"kind":"unary","parameter":"","receiver":"Coun"#,
    r#"ter","request":{"type":"unit"},"response":{"type":"i64"}}],"name":"Counter.get"},{"e"#,
    r#"ntries":[{"arguments":false,"encoding":"wire","error":null,"index":503,"items":null,"#,
    r#""kind":"unary","parameter":"other","receiver":"Counter","request":{"type":{"object":"#,
    r#""Counter"}},"response":{"type":"i64"}}],"name":"Counter.absorb"},{"entries":[{"argum"#,
    r#"ents":false,"encoding":"wire","error":null,"index":510,"items":null,"kind":"server_s"#,
    r#"tream","parameter":"end","receiver":"Counter","request":{"type":"i64"},"response":{""#,
    r#"type":"i64"}}],"name":"Counter.upto"},{"entries":[{"arguments":false,"encoding":"wir"#,
    r#"e","error":null,"index":517,"items":{"type":{"ref":5}},"kind":"client_stream","param"#,
    r#"eter":"","receiver":"Counter","request":{"type":"unit"},"response":{"type":"i64"}}],"#,
    r#""name":"Counter.admit"}],"name":"types","services":[{"encoding":"wire","name":"direc"#,
    r#"tory.find","optional":true,"request":{"type":"string"},"response":{"type":{"option":"#,
    r#"{"ref":5}}}},{"encoding":"wire","name":"directory.fetch","optional":true,"request":{"#,
    r#""type":"string"},"response":{"type":{"ref":5}}},{"encoding":"wire","name":"directory"#,
    r#".count","optional":true,"request":{"type":"unit"},"response":{"type":"u64"}},{"encod"#,
    r#"ing":"wire","name":"ages.of","optional":true,"request":{"type":{"list":{"ref":5}}},""#,
    r#"response":{"type":{"map":["string","u32"]}}}],"types":[{"name":"Every","record":[{"n"#,
    r#"ame":"numbers","type":{"ref":1}},{"name":"texts","type":{"ref":2}},{"name":"times",""#,
    r#"type":{"ref":3}},{"name":"lists","type":{"ref":4}},{"name":"pairs","type":{"ref":7}}"#,
    r#",{"name":"foreign","type":{"ref":9}},{"name":"people","type":{"ref":11}},{"name":"wo"#,
    r#"rds","type":{"ref":12}},{"name":"color","type":{"ref":8}},{"name":"shape","type":{"r"#,
    r#"ef":13}},{"name":"tagged","type":{"ref":14}},{"name":"untagged","type":{"ref":15}},{"#,
    r#""name":"expr","type":{"ref":16}},{"name":"tree","type":{"ref":17}},{"name":"samples""#,
    r#","type":{"ref":18}},{"name":"celsius","type":{"ref":20}},{"name":"unit","type":{"ref"#,
    r#"":21}},{"name":"defaults","type":{"ref":22}},{"name":"renamed","type":{"ref":23}},{""#,
    r#"name":"any","type":"any"},{"name":"tuple","type":{"tuple":["u8","string",{"option":""#,
    r#"bool"}]}}]},{"name":"Numbers","record":[{"name":"u8","type":"u8"},{"name":"u16","typ"#,
    r#"e":"u16"},{"name":"u32","type":"u32"},{"name":"u64","type":"u64"},{"name":"u128","ty"#,
    r#"pe":"u128"},{"name":"i8","type":"i8"},{"name":"i16","type":"i16"},{"name":"i32","typ"#,
    r#"e":"i32"},{"name":"i64","type":"i64"},{"name":"i128","type":"i128"},{"name":"f32","t"#,
    r#"ype":"f32"},{"name":"f64","type":"f64"},{"name":"bool","type":"bool"},{"name":"char""#,
    r#","type":"char"},{"name":"size","type":"u64"},{"name":"unit","type":"unit"}]},{"name""#,
    r#":"Texts","record":[{"name":"text","type":"string"},{"name":"boxed","type":"string"},"#,
    r#"{"name":"maybe_bytes","type":{"option":"bytes"}},{"name":"bytes","type":"bytes"},{"n"#,
    r#"ame":"maybe","type":{"option":"string"}}]},{"name":"Times","record":[{"name":"at","t"#,
    r#"ype":"timestamp"},{"name":"lasts","type":"duration"},{"name":"ends","type":{"option""#,
    r#":"timestamp"}}]},{"name":"Lists","record":[{"name":"bytes","type":"bytes"},{"name":""#,
    r#"small","type":{"list":"i8"}},{"name":"numbers","type":{"list":"u32"}},{"name":"doubl"#,
    r#"es","type":{"list":"f64"}},{"name":"large","type":{"list":"i128"}},{"name":"bools",""#,
    r#"type":{"list":"bool"}},{"name":"texts","type":{"list":"string"}},{"name":"nested","t"#,
    r#"ype":{"list":{"list":"u16"}}},{"name":"fixed","type":{"array":["u32",3]}},{"name":"m"#,
    r#"atrix","type":{"array":[{"array":["f64",2]},2]}},{"name":"names","type":{"array":["s"#,
    r#"tring",2]}},{"name":"set","type":{"list":"u32"}},{"name":"people","type":{"list":{"r"#,
    r#"ef":5}}},{"name":"points","type":{"list":{"ref":6}}},{"name":"sizes","type":{"list":"#,
    r#""u64"}},{"name":"boxes","type":{"list":"f32"}},{"name":"chars","type":{"list":"char""#,
    r#"}},{"name":"options","type":{"list":{"option":"u8"}}},{"name":"tuples","type":{"list"#,
    r#"":{"tuple":["u8","u32"]}}}]},{"name":"Person","record":[{"name":"name","type":"strin"#,
    r#"g"},{"name":"age","type":"u32"},{"name":"email","type":{"option":"string"}}]},{"name"#,
    r#"":"Point","pod":[{"name":"x","type":"f64"},{"name":"y","type":"f64"}]},{"name":"Pair"#,
    r#"s","record":[{"name":"by_name","type":{"map":["string","u32"]}},{"name":"by_number","#,
    r#""type":{"map":["i64","string"]}},{"name":"by_char","type":{"map":["char","bytes"]}},"#,
    r#"{"name":"by_color","type":{"map":[{"ref":8},{"ref":5}]}},{"name":"hashed","type":{"m"#,
    r#"ap":["u16",{"option":"f32"}]}},{"name":"nested","type":{"map":["string",{"map":["u8""#,
    r#","bool"]}]}}]},{"enum":{"variants":[{"name":"red"},{"name":"green"},{"name":"dark_bl"#,
    r#"ue"}]},"name":"Color"},{"name":"Foreign","record":[{"name":"id","type":"uuid"},{"nam"#,
    r#"e":"parent","type":{"option":"uuid"}},{"name":"names","type":{"map":["uuid","string""#,
    r#"]}},{"name":"made","type":"timestamp"},{"name":"took","type":"duration"},{"name":"se"#,
    r#"en","type":"timestamp"},{"name":"waits","type":{"list":"duration"}},{"name":"ends",""#,
    r#"type":{"option":"timestamp"}},{"name":"lasts","type":"duration"},{"name":"at","type""#,
    r#":{"ref":10}},{"name":"others","type":{"map":["string",{"list":{"ref":10}}]}}]},{"nam"#,
    r#"e":"Endpoint","record":[{"name":"address","type":"string"},{"name":"port","type":"u1"#,
    r#"6"}]},{"name":"PagePerson","record":[{"name":"items","type":{"list":{"ref":5}}},{"na"#,
    r#"me":"total","type":"u64"}]},{"name":"PageString","record":[{"name":"items","type":{""#,
    r#"list":"string"}},{"name":"total","type":"u64"}]},{"enum":{"variants":[{"name":"Nothi"#,
    r#"ng"},{"fields":[{"name":"radius","type":"f64"}],"name":"Circle"},{"name":"Polygon",""#,
    r#"tuple":[{"list":{"ref":6}}]}]},"name":"Shape"},{"enum":{"tag":{"inside":"kind"},"var"#,
    r#"iants":[{"fields":[{"name":"atSecond","type":"u64"}],"name":"started"},{"fields":[{""#,
    r#"name":"toPlace","type":{"ref":6}},{"name":"howFast","type":{"option":"f32"}}],"name""#,
    r#":"moved"},{"name":"stopped"}]},"name":"Tagged"},{"enum":{"tag":"none","variants":[{""#,
    r#"name":"Number","tuple":["i64"]},{"name":"Text","tuple":["string"]},{"name":"Both","t"#,
    r#"uple":["i64","string"]}]},"name":"Untagged"},{"enum":{"variants":[{"name":"Number",""#,
    r#"tuple":["f64"]},{"name":"Negated","tuple":[{"ref":16}]},{"name":"Sum","tuple":[{"ref"#,
    r#"":16},{"ref":16}]},{"fields":[{"name":"name","type":"string"},{"name":"arguments","t"#,
    r#"ype":{"list":{"ref":16}}}],"name":"Call"}]},"name":"Expr"},{"name":"Tree","record":["#,
    r#"{"name":"name","type":"string"},{"name":"children","type":{"list":{"ref":17}}}]},{"n"#,
    r#"ame":"Samples","record":[{"name":"name","type":"string"},{"name":"first","type":{"re"#,
    r#"f":19}},{"name":"all","type":{"list":{"ref":19}}},{"name":"pair","type":{"array":[{""#,
    r#"ref":6},2]}}]},{"name":"Sample","pod":[{"name":"time","type":"u64"},{"name":"value","#,
    r#""type":"f32"},{"name":"channel","type":"u16"},{"name":"flags","type":{"array":["u8","#,
    r#"2]}}]},{"name":"Celsius","newtype":"f64"},{"name":"Unit","newtype":"unit"},{"name":""#,
    r#"Defaults","record":[{"default":true,"name":"count","type":"u32"},{"default":true,"na"#,
    r#"me":"name","type":"string"},{"default":true,"name":"list","type":"bytes"},{"default""#,
    r#":true,"name":"maybe","type":{"option":"u64"}}]},{"name":"RenamedRecord","record":[{""#,
    r#"name":"firstName","type":"string"},{"name":"type","type":{"ref":8}},{"name":"class","#,
    r#""type":"u8"},{"flatten":true,"name":"person","type":{"ref":5}}]},{"enum":{"open":tru"#,
    r#"e,"variants":[{"name":"Calm"},{"name":"Glad"}]},"name":"Mood"},{"enum":{"open":true,"#,
    r#""variants":[{"name":"Came"},{"fields":[{"name":"others","type":{"list":{"ref":5}}},{"#,
    r#""name":"mood","type":{"ref":24}}],"name":"Met"},{"name":"Said","tuple":["string"]}]}"#,
    r#","name":"Event"},{"name":"Bounded","record":[{"name":"share","type":"u8"},{"name":"a"#,
    r#"ll","type":"bytes"}]},{"name":"PartParameters","record":[{"name":"text","type":"stri"#,
    r#"ng"},{"name":"start","type":"u32"},{"name":"count","type":{"option":"u32"}}]},{"name"#,
    r#"":"SeveralParameters","record":[{"name":"person","type":{"ref":5}},{"name":"nick_nam"#,
    r#"es","type":{"list":"string"}},{"name":"numbers","type":{"list":"f64"}},{"name":"type"#,
    r#"","type":{"ref":8}},{"name":"class","type":"bytes"},{"name":"self_","type":{"option""#,
    r#":"any"}}]},{"name":"CutParameters","record":[{"name":"how","type":{"ref":30}},{"name"#,
    r#"":"data","type":"bytes"}]},{"name":"Cut","record":[{"name":"skip","type":"u32"},{"na"#,
    r#"me":"times","type":"u32"}]},{"name":"Piece","record":[{"name":"length","type":"u64"}"#,
    r#",{"name":"first","type":{"option":"u8"}}]},{"name":"CutLaterParameters","record":[{""#,
    r#"name":"how","type":{"ref":30}},{"name":"data","type":"bytes"}]},{"name":"AgedParamet"#,
    r#"ers","record":[{"name":"person","type":{"ref":5}},{"name":"years","type":"u32"}]},{""#,
    r#"name":"StepsParameters","record":[{"name":"first","type":"i64"},{"name":"last","type"#,
    r#"":"i64"},{"name":"step","type":"u32"}]},{"name":"SearchParameters","record":[{"name""#,
    r#":"name","type":"string"},{"name":"people","type":{"list":{"ref":5}}}]},{"enum":{"var"#,
    r#"iants":[{"fields":[{"name":"name","type":"string"},{"name":"similar","type":{"list":"#,
    r#"{"ref":5}}}],"name":"Nobody"},{"name":"Hidden"},{"name":"Crowd","tuple":["u64",{"lis"#,
    r#"t":"f64"}]}]},"name":"SearchError"},{"name":"SearchLaterParameters","record":[{"name"#,
    r#"":"name","type":"string"},{"name":"people","type":{"list":{"ref":5}}}]},{"name":"Pai"#,
    r#"ntParameters","record":[{"name":"color","type":{"ref":8}},{"name":"better","type":{""#,
    r#"option":{"ref":8}}}]},{"name":"Refused","record":[{"name":"color","type":{"ref":8}},"#,
    r#"{"name":"better","type":{"option":{"ref":8}}}]},{"enum":{"variants":[{"name":"Out"}]"#,
    r#"},"name":"PowerError"},{"name":"Repeat","record":[{"name":"person","type":{"ref":5}}"#,
    r#",{"name":"times","type":"u32"}]},{"name":"BetweenParameters","record":[{"name":"youn"#,
    r#"gest","type":"u32"},{"name":"oldest","type":"u32"}]},{"name":"Counters","record":[{""#,
    r#"name":"first","type":{"option":{"object":"Counter"}}},{"name":"others","type":{"list"#,
    r#"":{"object":"Counter"}}},{"name":"name","type":"string"}]},{"name":"TransferParamete"#,
    r#"rs","record":[{"name":"from","type":{"object":"Counter"}},{"name":"to","type":{"obje"#,
    r#"ct":"Counter"}},{"name":"count","type":"i64"}]},{"name":"Random","record":[{"name":""#,
    r#"method","type":"string"},{"name":"seed","type":"u64"}]},{"name":"AsJsonParameters",""#,
    r#"record":[{"name":"method","type":"string"},{"name":"message","type":"bytes"}]},{"nam"#,
    r#"e":"AsMessageParameters","record":[{"name":"method","type":"string"},{"name":"json","#,
    r#""type":"string"}]},{"name":"Odd","record":[{"name":"count","type":"i64"}]},{"name":""#,
    r#"CounterWithinParameters","record":[{"name":"least","type":"i64"},{"name":"most","typ"#,
    r#"e":"i64"}]}],"version":"0.1.0"}"#,
);

/// One of each.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub struct Every {
    pub numbers: Numbers,
    pub texts: Texts,
    pub times: Times,
    pub lists: Lists,
    pub pairs: Pairs,
    pub foreign: Foreign,
    pub people: PagePerson,
    pub words: PageString,
    pub color: Color,
    pub shape: Shape,
    pub tagged: Tagged,
    pub untagged: Untagged,
    pub expr: Expr,
    pub tree: Tree,
    pub samples: Samples,
    pub celsius: Celsius,
    pub unit: Unit,
    pub defaults: Defaults,
    pub renamed: RenamedRecord,
    pub any: typed::Value,
    pub tuple: (u8, String, Option<bool>),
}

/// A number of each width, and what is written as one.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub struct Numbers {
    /// One byte.
    pub u8: u8,
    pub u16: u16,
    pub u32: u32,
    pub u64: u64,
    pub u128: u128,
    pub i8: i8,
    pub i16: i16,
    pub i32: i32,
    pub i64: i64,
    pub i128: i128,
    pub f32: f32,
    pub f64: f64,
    pub bool: bool,
    pub char: char,
    pub size: u64,
    pub unit: (),
}

/// Texts and bytes, each in a form of its own.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub struct Texts {
    pub text: String,
    pub boxed: String,
    pub maybe_bytes: Option<Vec<u8>>,
    pub bytes: Vec<u8>,
    pub maybe: Option<String>,
}

/// Points in time and spans of it.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub struct Times {
    pub at: SystemTime,
    pub lasts: Duration,
    pub ends: Option<SystemTime>,
}

/// Lists, sets and arrays.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub struct Lists {
    pub bytes: Vec<u8>,
    pub small: Vec<i8>,
    pub numbers: Vec<u32>,
    pub doubles: Vec<f64>,
    pub large: Vec<i128>,
    pub bools: Vec<bool>,
    pub texts: Vec<String>,
    pub nested: Vec<Vec<u16>>,
    pub fixed: [u32; 3],
    pub matrix: [[f64; 2]; 2],
    pub names: [String; 2],
    pub set: Vec<u32>,
    pub people: Vec<Person>,
    pub points: Vec<Point>,
    pub sizes: Vec<u64>,
    pub boxes: Vec<f32>,
    pub chars: Vec<char>,
    pub options: Vec<Option<u8>>,
    pub tuples: Vec<(u8, u32)>,
}

/// Somebody.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub struct Person {
    /// What they are called.
    pub name: String,
    /// In years.
    pub age: u32,
    /// Where they can be reached.
    pub email: Option<String>,
}

/// Plain old data: a list of them is one copy.
#[derive(Clone, Copy, Debug, PartialEq, typed::Wire)]
#[wire(pod)]
#[repr(C)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Upwards.
    pub y: f64,
}

/// Maps by every kind of key.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub struct Pairs {
    pub by_name: HashMap<String, u32>,
    pub by_number: HashMap<i64, String>,
    pub by_char: HashMap<char, Vec<u8>>,
    pub by_color: HashMap<Color, Person>,
    pub hashed: HashMap<u16, Option<f32>>,
    pub nested: HashMap<String, HashMap<u8, bool>>,
}

/// Three colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, typed::Wire)]
pub enum Color {
    /// Like blood.
    #[wire(rename = "red")]
    Red,
    #[wire(rename = "green")]
    Green,
    #[wire(rename = "dark_blue")]
    DarkBlue,
}

/// What other crates have.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub struct Foreign {
    pub id: typed::Uuid,
    pub parent: Option<typed::Uuid>,
    pub names: HashMap<typed::Uuid, String>,
    pub made: SystemTime,
    pub took: Duration,
    pub seen: SystemTime,
    pub waits: Vec<Duration>,
    pub ends: Option<SystemTime>,
    pub lasts: Duration,
    pub at: Endpoint,
    pub others: HashMap<String, Vec<Endpoint>>,
}

/// Where something listens.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub struct Endpoint {
    /// Four numbers with dots between.
    pub address: String,
    pub port: u16,
}

/// Some of many.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub struct PagePerson {
    /// These.
    pub items: Vec<Person>,
    /// How many there are in all.
    pub total: u64,
}

/// Some of many.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub struct PageString {
    /// These.
    pub items: Vec<String>,
    /// How many there are in all.
    pub total: u64,
}

/// A shape in a plane.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub enum Shape {
    /// No shape.
    Nothing,
    /// All points of one distance.
    Circle { radius: f64 },
    /// Points in a row.
    Polygon(Vec<Point>),
}

/// Known by a field of its own in JSON.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub enum Tagged {
    #[wire(rename = "started")]
    Started {
        #[wire(rename = "atSecond")]
        at_second: u64,
    },
    #[wire(rename = "moved")]
    Moved {
        #[wire(rename = "toPlace")]
        to_place: Point,
        #[wire(rename = "howFast")]
        how_fast: Option<f32>,
    },
    #[wire(rename = "stopped")]
    Stopped,
}

/// Known by what it looks like in JSON.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub enum Untagged {
    Number(i64),
    Text(String),
    Both(i64, String),
}

/// What has itself in it, by an enum.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub enum Expr {
    Number(f64),
    Negated(Box<Expr>),
    Sum(Box<Expr>, Box<Expr>),
    Call { name: String, arguments: Vec<Expr> },
}

/// What has itself in it, by a list.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub struct Tree {
    pub name: String,
    pub children: Vec<Tree>,
}

/// Plain old data alone, in a list, in an array.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub struct Samples {
    pub name: String,
    pub first: Sample,
    pub all: Vec<Sample>,
    pub pair: [Point; 2],
}

/// Plain old data with smaller fields.
#[derive(Clone, Copy, Debug, PartialEq, typed::Wire)]
#[wire(pod)]
#[repr(C)]
pub struct Sample {
    pub time: u64,
    pub value: f32,
    pub channel: u16,
    pub flags: [u8; 2],
}

/// A number with a meaning.
#[derive(Clone, Copy, Debug, PartialEq, typed::Wire)]
pub struct Celsius(pub f64);

/// Nothing to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, typed::Wire)]
pub struct Unit;

/// What may be left out.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub struct Defaults {
    /// None, where the plugin's default is to be taken.
    #[wire(default)]
    pub count: Option<u32>,
    /// None, where the plugin's default is to be taken.
    #[wire(default)]
    pub name: Option<String>,
    /// None, where the plugin's default is to be taken.
    #[wire(default)]
    pub list: Option<Vec<u8>>,
    /// None, where the plugin's default is to be taken.
    #[wire(default)]
    pub maybe: Option<Option<u64>>,
}

/// Names that aren't those of Rust, and a record whose fields JSON has among the others.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub struct RenamedRecord {
    #[wire(rename = "firstName")]
    pub first_name: String,
    pub r#type: Color,
    pub class: u8,
    pub person: Person,
}

/// How somebody is, in ways that may become more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, typed::Wire)]
pub enum Mood {
    /// At ease.
    Calm,
    /// More than that.
    Glad,
    /// One that the plugin has and this client doesn't know. It's read, and never sent.
    #[wire(unknown)]
    Unknown,
}

/// What has happened to somebody, of which more may come.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub enum Event {
    /// They have come.
    Came,
    /// They have met others.
    Met { others: Vec<Person>, mood: Mood },
    /// They have said so.
    Said(String),
    /// One that the plugin has and this client doesn't know. It's read, and never sent.
    #[wire(unknown)]
    Unknown,
}

/// What is checked when it's read.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub struct Bounded {
    pub share: u8,
    pub all: Vec<u8>,
}

/// What is to be done with bytes that come beside it.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub struct Cut {
    /// How many at the beginning are left away.
    pub skip: u32,
    /// How often the others come back.
    pub times: u32,
}

/// What is said of bytes that come back beside it.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub struct Piece {
    /// How many there are.
    pub length: u64,
    /// The first of them.
    pub first: Option<u8>,
}

/// Why nobody was found.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub enum SearchError {
    /// There's nobody like that.
    Nobody {
        /// Who was looked for.
        name: String,
        /// Those who are called nearly so.
        similar: Vec<Person>,
    },
    /// They are there, and don't want to be found.
    Hidden,
    /// There are too many.
    Crowd(u64, Vec<f64>),
}

/// What isn't to one's taste.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub struct Refused {
    /// What it was in.
    pub color: Color,
    /// What it might be in.
    pub better: Option<Color>,
}

/// Whether there's power.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, typed::Wire)]
pub enum PowerError {
    /// There is none.
    Out,
}

/// Somebody, and how often.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub struct Repeat {
    /// Who comes first.
    pub person: Person,
    /// How many there are.
    pub times: u32,
}

/// Counters, here and there.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub struct Counters {
    /// One that there needn't be.
    pub first: Option<Counter>,
    /// Any number of them.
    pub others: Vec<Counter>,
    /// What has nothing to do with them.
    pub name: String,
}

/// Which random value is asked for.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub struct Random {
    /// The method that would give it back.
    pub method: String,
    /// The same value for the same seed.
    pub seed: u64,
}

/// There's no half of it.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub struct Odd {
    /// What was counted.
    pub count: i64,
}

/// What the plugin calls of its host by the names of `directory`.
///
/// It's called on the plugin's threads, any number at once. A panic is the plugin's error, with its message.
pub trait Directory: Send + Sync + 'static {
    /// Who is called so, if anybody is.
    ///
    /// # Errors
    /// What the plugin gets in place of an answer.
    fn find(&self, name: String) -> Result<Option<Person>, Error>;

    /// The same, of somebody who is there; fails with `NOT_FOUND` otherwise.
    ///
    /// # Errors
    /// What the plugin gets in place of an answer.
    fn fetch(&self, name: String) -> Result<Person, Error>;

    /// How many there are.
    ///
    /// # Errors
    /// What the plugin gets in place of an answer.
    fn count(&self) -> Result<u64, Error>;
}

/// What the plugin calls of its host by the names of `ages`.
///
/// It's called on the plugin's threads, any number at once. A panic is the plugin's error, with its message.
pub trait Ages: Send + Sync + 'static {
    /// Of each by name.
    ///
    /// # Errors
    /// What the plugin gets in place of an answer.
    fn of(&self, people: Vec<Person>) -> Result<HashMap<String, u32>, Error>;
}

/// What the plugin calls of its host: to be given when it's loaded.
#[derive(Clone, Default)]
pub struct Services {
    /// [`Directory`], which it does without as well.
    pub directory: Option<Arc<dyn Directory>>,
    /// [`Ages`], which it does without as well.
    pub ages: Option<Arc<dyn Ages>>,
}

impl Services {
    /// Registers them with what loads the plugin, for who doesn't leave that to the client.
    pub fn register<'l>(&self, load: Load<'l>) -> Load<'l> {
        let mut load = load.contract(CONTRACT);
        if let Some(group) = &self.directory {
            load = typed::serve(load, "directory.find", group, Directory::find);
            load = typed::serve(load, "directory.fetch", group, Directory::fetch);
            load = typed::serve_unasked(load, "directory.count", group, Directory::count);
        }
        if let Some(group) = &self.ages {
            load = typed::serve(load, "ages.of", group, Ages::of);
        }
        load
    }
}
