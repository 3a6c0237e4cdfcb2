//! The client of `plugins/types-plugin`, which has every type there is, against the plugin.

#![deny(missing_docs, unsafe_code, warnings)]

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{StreamExt, stream};
use rustbridge_host::typed::wire::{Decode, Encode, read, to_vec};
use rustbridge_host::typed::{Failure, Value};
use rustbridge_host::{CallOptions, Error, Status};

use crate::linked;
use crate::types::{
    self, Ages, Celsius, Color, Counters, Defaults, Directory, Person, Point, Random, Repeat,
    SearchError, Services, Shape, Types,
};

fn client() -> Types {
    Types::open(linked::types(), &Services::default()).unwrap()
}

fn person(name: &str, age: u32) -> Person {
    Person {
        name: name.to_owned(),
        age,
        email: None,
    }
}

/// A message of a method's type.
struct Message<'m> {
    method: &'m str,
    bytes: &'m [u8],
    /// What the plugin answers to the same in JSON, if JSON has a form for it, as a message.
    by_json: Option<Vec<u8>>,
}

/// The types with maps in them, whose pairs have no order.
const UNORDERED: [&str; 5] = ["every", "pairs", "foreign", "any", "map"];

/// Reads a message, sends what it says, and reads the answer.
fn comes_back<T>(message: &Message<'_>, call: impl FnOnce(&T) -> Result<T, Error>) -> bool
where
    T: Encode + for<'de> Decode<'de> + PartialEq + std::fmt::Debug,
{
    let value: T = read(message.bytes).unwrap();
    let written = to_vec(&value).unwrap();
    assert_eq!(read::<T>(&written).unwrap(), value);
    assert_eq!(written.len(), message.bytes.len());
    if !UNORDERED.contains(&message.method) {
        assert_eq!(written, message.bytes);
    }
    if let Some(by_json) = &message.by_json {
        assert_eq!(read::<T>(by_json).unwrap(), value);
    }
    call(&value).unwrap() == value
}

/// Has the method of that name give back what is in a message: whether it's the same.
fn echoes(client: &Types, message: &Message<'_>) -> bool {
    match message.method {
        "every" => comes_back(message, |it| client.every(it)),
        "numbers" => comes_back(message, |it| client.numbers(it)),
        "texts" => comes_back(message, |it| client.texts(it)),
        "times" => comes_back(message, |it| client.times(it)),
        "lists" => comes_back(message, |it| client.lists(it)),
        "pairs" => comes_back(message, |it| client.pairs(it)),
        "person" => comes_back(message, |it| client.person(it)),
        "people" => comes_back(message, |it| client.people(it)),
        "shape" => comes_back(message, |it| client.shape(it)),
        "color" => comes_back(message, |it| client.color(*it)),
        "mood" => comes_back(message, |it| client.mood(*it)),
        "events" => comes_back(message, |it: &Vec<types::Event>| client.events(it)),
        "tagged" => comes_back(message, |it| client.tagged(it)),
        "untagged" => comes_back(message, |it| client.untagged(it)),
        "expr" => comes_back(message, |it| client.expr(it)),
        "tree" => comes_back(message, |it| client.tree(it)),
        "samples" => comes_back(message, |it| client.samples(it)),
        "point" => comes_back(message, |it| client.point(*it)),
        "celsius" => comes_back(message, |it| client.celsius(*it)),
        "foreign" => comes_back(message, |it| client.foreign(it)),
        "bounded" => comes_back(message, |it| client.bounded(it)),
        "unit" => comes_back(message, |it| client.unit(*it)),
        "defaults" => comes_back(message, |it| client.defaults(it)),
        "renamed" => comes_back(message, |it| client.renamed(it)),
        "any" => comes_back(message, |it| client.any(it)),
        "doubles" => comes_back(message, |it: &Vec<f64>| client.doubles(it)),
        "map" => comes_back(message, |it| client.map(it)),
        "maybe" => comes_back(message, |it: &Option<Person>| client.maybe(it.as_ref())),
        "tuple" => comes_back(message, |it| client.tuple(it)),
        "duration" => comes_back(message, |it| client.duration(*it)),
        "timestamp" => comes_back(message, |it| client.timestamp(*it)),
        other => panic!("`{other}` gives nothing back"),
    }
}

/// How many random values each method gets; all of them together 1,000, and in a soak 100,000.
fn values() -> u64 {
    let soak = std::env::var("RUSTBRIDGE_SOAK").map_or(1, |text| text.parse().unwrap());
    40 * soak
}

#[test]
fn random_values_of_every_type_come_back_also_from_json() {
    let plugin = linked::types().open().unwrap();
    let client = Types::of(&plugin).unwrap();
    for method in client.echoes().unwrap() {
        let mut in_json = 0;
        for seed in 0..values() {
            let random = Random {
                method: method.clone(),
                seed,
            };
            let bytes = client.random(&random).unwrap();
            let by_json = client.as_json(&method, &bytes).unwrap().map(|json| {
                in_json += 1;
                let answer = plugin.call(&method, json).unwrap();
                let answer = std::str::from_utf8(&answer).unwrap();
                client.as_message(&method, answer).unwrap()
            });
            let message = Message {
                method: &method,
                bytes: &bytes,
                by_json,
            };
            assert!(echoes(&client, &message), "{method}, {seed}");
        }
        assert!(in_json > values() / 4, "{method}: {in_json}");
    }
}

#[test]
fn every_vector_holds() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/wire/vectors.json");
    let vectors: serde_json::Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    let client = client();
    let vectors = vectors["vectors"].as_array().unwrap();
    assert!(!vectors.is_empty());
    for vector in vectors {
        let text = |name: &str| vector[name].as_str().unwrap();
        let name = text("name");
        let digits = text("wire").as_bytes().chunks(2);
        let message: Vec<u8> = digits
            .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
            .collect();
        if vector.get("refused").is_some() {
            let told = refused(text("method"), &message);
            assert!(told.starts_with("at "), "{name}: {told}");
            continue;
        }
        let is_filled = vector["filled"] == true;
        let message = Message {
            method: text("method"),
            bytes: &message,
            by_json: None,
        };
        assert_ne!(echoes(&client, &message), is_filled, "{name}");
    }
}

/// What is wrong with bytes that aren't of the method's type.
fn refused(method: &str, message: &[u8]) -> String {
    fn told<T: for<'de> Decode<'de> + std::fmt::Debug>(message: &[u8]) -> String {
        read::<T>(message).unwrap_err().to_string()
    }
    match method {
        "every" => told::<types::Every>(message),
        "numbers" => told::<types::Numbers>(message),
        "texts" => told::<types::Texts>(message),
        "times" => told::<types::Times>(message),
        "lists" => told::<types::Lists>(message),
        "pairs" => told::<types::Pairs>(message),
        "person" => told::<Person>(message),
        "people" => told::<types::PagePerson>(message),
        "shape" => told::<Shape>(message),
        "color" => told::<Color>(message),
        "tagged" => told::<types::Tagged>(message),
        "untagged" => told::<types::Untagged>(message),
        "expr" => told::<types::Expr>(message),
        "tree" => told::<types::Tree>(message),
        "samples" => told::<types::Samples>(message),
        "point" => told::<Point>(message),
        "celsius" => told::<Celsius>(message),
        "unit" => told::<types::Unit>(message),
        "defaults" => told::<Defaults>(message),
        "renamed" => told::<types::RenamedRecord>(message),
        "any" => told::<Value>(message),
        "doubles" => told::<Vec<f64>>(message),
        "map" => told::<HashMap<String, Person>>(message),
        "maybe" => told::<Option<Person>>(message),
        "tuple" => told::<(u8, String, Option<bool>)>(message),
        "duration" => told::<Duration>(message),
        "timestamp" => told::<std::time::SystemTime>(message),
        other => panic!("no vectors are of `{other}`"),
    }
}

#[test]
fn several_parameters_are_lent_one_by_one() {
    let client = client();
    assert_eq!(client.part("größer", 2, Some(3)).unwrap(), "öße");
    assert_eq!(client.part("größer", 4, None).unwrap(), "er");
    let ada = person("Ada", 36);
    let names = ["Countess".to_owned()];
    let any = Value::List(vec![Value::Int(1), Value::Null]);
    let answer = client.several(
        &ada,
        &names,
        &[1.5, 2.5],
        Color::DarkBlue,
        b"\0\xff",
        Some(&any),
    );
    let expected = (
        ada,
        names.to_vec(),
        vec![1.5, 2.5],
        Color::DarkBlue,
        b"\0\xff".to_vec(),
        Some(any),
    );
    assert_eq!(answer.unwrap(), expected);
}

#[test]
fn what_is_left_out_has_the_plugins_default() {
    let left_out = Defaults {
        count: None,
        name: None,
        list: None,
        maybe: None,
    };
    let answer = client().defaults(&left_out).unwrap();
    assert_eq!(answer.count, Some(7));
    assert_eq!(answer.name.as_deref(), Some("nobody"));
    assert_eq!(answer.list, Some(vec![1, 2, 3]));
    assert_eq!(answer.maybe, Some(Some(9)));
    let given = Defaults {
        maybe: Some(None),
        ..left_out
    };
    assert_eq!(client().defaults(&given).unwrap().maybe, Some(None));
}

#[test]
fn a_large_answer_is_read_where_the_plugin_lends_it() {
    let doubles: Vec<f64> = (0..100_000).map(f64::from).collect();
    let client = client();
    for _ in 0..2 {
        assert_eq!(client.doubles(&doubles).unwrap(), doubles);
    }
}

#[test]
fn an_error_with_a_type_is_a_value_of_it() {
    let client = client();
    let people = [person("Ada", 36), person("Alan", 41), person("Grace", 85)];
    let failed = client.search("Anna", &people).unwrap_err();
    assert_eq!(failed.cause().status(), Status::NotFound);
    assert_eq!(failed.to_string(), "NOT_FOUND: nobody is called \"Anna\"");
    assert_eq!(failed.cause().type_name(), "SearchError.Nobody");
    let Failure::Typed {
        error: SearchError::Nobody { name, similar },
        ..
    } = failed
    else {
        panic!("{failed:?}");
    };
    assert_eq!((name.as_str(), &similar[..]), ("Anna", &people[..2]));

    let crowd = client.search("Ada", &[person("Ada", 1), person("Ada", 2)]);
    let crowd = crowd.unwrap_err();
    assert_eq!(crowd.error(), Some(&SearchError::Crowd(2, vec![1.0, 2.0])));
    // `?` makes an error of it that every program knows.
    let whole: Error = crowd.into();
    assert_eq!(whole.status(), Status::ResourceExhausted);

    let refused = client.paint(Color::Red, Some(Color::Green)).unwrap_err();
    assert_eq!(refused.error().unwrap().better, Some(Color::Green));
    assert_eq!(client.paint(Color::Green, None).unwrap(), Color::Green);
    client.power(true).unwrap();
    assert_eq!(
        client.power(false).unwrap_err().error(),
        Some(&types::PowerError::Out)
    );

    let late = client.with_options(CallOptions::new().timeout(Duration::ZERO));
    let failed = late.search("Ada", &people).unwrap_err();
    assert!(matches!(&failed, Failure::Other(error) if error.status() == Status::DeadlineExceeded));
}

#[test]
fn an_error_without_a_type_is_the_hosts() {
    let error = client().area(&Shape::Nothing).unwrap_err();
    assert_eq!(
        (error.status(), error.message()),
        (Status::InvalidArgument, "nothing has no area")
    );
    let error = client()
        .bounded(&types::Bounded {
            share: 101,
            all: vec![],
        })
        .unwrap_err();
    assert!(
        error.message().contains("at most 100, and 101 was found"),
        "{error}"
    );
}

#[tokio::test(flavor = "current_thread")]
async fn asynchronous_methods_are_awaited() {
    let client = client();
    let ada = person("Ada", 36);
    assert_eq!(client.later_async(&ada).await.unwrap(), ada);
    assert_eq!(client.aged_async(&ada, 4).await.unwrap().age, 40);
    let error = client.aged_async(&ada, u32::MAX).await.unwrap_err();
    assert_eq!(error.status(), Status::OutOfRange);
    let failed = client.search_later_async("", &[]).await.unwrap_err();
    assert_eq!(failed.error(), Some(&SearchError::Hidden));
    // It's any thread's.
    let spawned = tokio::spawn({
        let (client, ada) = (client.clone(), ada.clone());
        async move { client.later_async(&ada).await }
    });
    assert_eq!(spawned.await.unwrap().unwrap(), ada);
}

#[test]
fn a_stream_of_values_is_iterated() {
    let client = client();
    let numbers: Result<Vec<i64>, Error> = client.steps(1, 2_000, 2).iterate().collect();
    assert_eq!(numbers.unwrap(), (1..2_000).step_by(2).collect::<Vec<_>>());
    let refused: Vec<_> = client.steps(1, 2, 0).iterate().collect();
    assert_eq!(refused.len(), 1);
    assert_eq!(
        refused[0].as_ref().unwrap_err().status(),
        Status::InvalidArgument
    );

    let old = Repeat {
        person: person("Ada", u32::MAX - 1),
        times: 5,
    };
    let ages: Vec<_> = client
        .repeat(&old)
        .iterate()
        .map(|item| item.map(|it| it.age).map_err(|error| error.status()))
        .collect();
    assert_eq!(
        ages,
        [Ok(u32::MAX - 1), Ok(u32::MAX), Err(Status::OutOfRange)]
    );
}

#[test]
fn values_are_sent_from_an_iterator() {
    let client = client();
    let people = || (0..500).map(|age| person("Ada", age));
    let page = client.collect(3, people()).unwrap();
    assert_eq!(page.total, 503);
    assert_eq!(page.items, people().collect::<Vec<_>>());
    assert_eq!(client.between(10, 12, people()).unwrap().len(), 3);

    let shapes = || {
        (0..500).map(|radius| Shape::Circle {
            radius: f64::from(radius),
        })
    };
    let answers: Result<Vec<Shape>, Error> = client.reshape(shapes()).iterate().collect();
    assert_eq!(answers.unwrap(), shapes().collect::<Vec<_>>());
}

#[tokio::test(flavor = "current_thread")]
async fn values_are_sent_from_a_stream() {
    let client = client();
    let people = || (0..500).map(|age| person("Ada", age));
    let page = client
        .collect_async(0, stream::iter(people()))
        .await
        .unwrap();
    assert_eq!(page.items, people().collect::<Vec<_>>());

    let shapes = || {
        (0..500).map(|radius| Shape::Circle {
            radius: f64::from(radius),
        })
    };
    let answers = client.reshape_async(stream::iter(shapes()));
    let answers: Vec<Shape> = answers.map(Result::unwrap).collect().await;
    assert_eq!(answers, shapes().collect::<Vec<_>>());

    // One whose time is over doesn't wait for a source that has nothing.
    let late = client.with_options(CallOptions::new().timeout(Duration::from_millis(1)));
    let error = late.collect_async(0, stream::pending()).await.unwrap_err();
    assert_eq!(error.status(), Status::DeadlineExceeded);
}

#[test]
fn what_is_nested_too_deep_is_refused_before_it_is_sent() {
    let mut tree = types::Tree {
        name: String::new(),
        children: Vec::new(),
    };
    for _ in 0..130 {
        tree = types::Tree {
            name: String::new(),
            children: vec![tree],
        };
    }
    let error = client().tree(&tree).unwrap_err();
    assert_eq!(error.status(), Status::InvalidArgument);
    assert!(
        error
            .message()
            .starts_with("the request of `tree` can't be sent: "),
        "{error}"
    );
}

#[test]
fn objects_have_methods_and_stand_in_messages() {
    let client = client();
    let counter = client.counter(5).unwrap();
    assert_eq!(counter.add(2).unwrap(), 7);
    assert_eq!(counter.clone().get().unwrap(), 7);
    let other = client.counter(1).unwrap();
    assert_ne!(counter, other);
    assert_eq!(client.transfer(&counter, &other, 3).unwrap(), (4, 4));
    assert_eq!(counter.absorb(&other).unwrap(), 8);
    let numbers: Result<Vec<i64>, Error> = counter.upto(11).iterate().collect();
    assert_eq!(numbers.unwrap(), [8, 9, 10]);
    assert_eq!(counter.admit([person("Ada", 36)]).unwrap(), 9);
    let failed = counter.half().unwrap_err();
    assert_eq!(failed.error().unwrap().count, 9);

    let counters = client.counters(&[1, 2, 3]).unwrap();
    assert_eq!(counters.others.len(), 2);
    assert_eq!(counters.others[1].get().unwrap(), 3);
    assert_eq!(client.total(&counters).unwrap(), 6);
    let twice = Counters {
        first: Some(counter.clone()),
        others: vec![counter.clone(), other],
        name: String::new(),
    };
    assert_eq!(client.total(&twice).unwrap(), 9 + 9 + 4);
    // Outside of a call there's nothing that it could be lent to.
    assert!(to_vec(&twice).is_err());
    let late = counter.with_options(CallOptions::new().timeout(Duration::ZERO));
    assert_eq!(late.get().unwrap_err().status(), Status::DeadlineExceeded);
}

/// Ada alone.
struct Book;

impl Directory for Book {
    fn find(&self, request: String) -> Result<Option<Person>, Error> {
        Ok((request == "Ada").then(|| person("Ada", 36)))
    }

    fn fetch(&self, request: String) -> Result<Person, Error> {
        let missing = || Error::failure(Status::NotFound, format!("{request} isn't in the book"));
        self.find(request.clone())?.ok_or_else(missing)
    }

    fn count(&self) -> Result<u64, Error> {
        panic!("nobody has counted")
    }
}

impl Ages for Book {
    fn of(&self, request: Vec<Person>) -> Result<HashMap<String, u32>, Error> {
        Ok(request.into_iter().map(|it| (it.name, it.age)).collect())
    }
}

#[test]
fn services_are_called_with_values() {
    let services = Services {
        directory: Some(Arc::new(Book)),
        ages: Some(Arc::new(Book)),
    };
    let client = Types::open(linked::types(), &services).unwrap();
    assert_eq!(client.ask("Ada").unwrap(), Some(person("Ada", 36)));
    assert_eq!(client.ask("Alan").unwrap(), None);
    assert_eq!(client.ask_later("Ada").unwrap(), person("Ada", 36));
    let error = client.ask_later("Alan").unwrap_err();
    assert_eq!(
        (error.status(), error.message()),
        (Status::NotFound, "Alan isn't in the book")
    );
    let error = client.ask_count().unwrap_err();
    assert!(error.message().contains("nobody has counted"), "{error}");
    let ages = client
        .ask_ages(&[person("Ada", 36), person("Alan", 41)])
        .unwrap();
    assert_eq!(
        ages,
        HashMap::from([("Ada".to_owned(), 36), ("Alan".to_owned(), 41)])
    );
    // Those that it does without needn't be there.
    assert!(self::client().ask("Ada").is_err());
}

#[test]
fn a_plugin_of_another_version_is_refused() {
    use rustbridge_host::typed::Method;

    let plugin = linked::types().open().unwrap();
    let client = Types::of(&plugin).unwrap();
    assert_eq!(client.length("größer").unwrap(), 6);
    let client_schema = r#"{"name": "types", "methods": [{"name": "length", "entries": [
        {"index": 0, "encoding": "wire", "request": {"type": "string"}, "response": {"type": "u32"}}]}]}"#;
    let error = Method::prepare(&plugin, "length", &"0".repeat(32), client_schema).unwrap_err();
    assert_eq!(error.status(), Status::FailedPrecondition);
    assert!(error.message().contains("`length`"), "{error}");
    assert!(
        error.message().contains("u32") && error.message().contains("u64"),
        "{error}"
    );
    plugin.close(Duration::from_secs(5)).unwrap();
    assert_eq!(client.length("").unwrap_err().status(), Status::Unavailable);
}

#[test]
fn one_that_was_loaded_is_closed_with_the_last_copy() {
    let client = client();
    let counter = client.counter(0).unwrap();
    let copy = client.clone();
    drop(client);
    assert_eq!(copy.celsius(Celsius(1.5)).unwrap(), Celsius(1.5));
    drop(copy);
    assert_eq!(counter.get().unwrap_err().status(), Status::Unavailable);
}
