//! Callbacks, services with several parameters, and constructors, by the client of `fixtures-plugin`.

#![deny(missing_docs, unsafe_code, warnings)]

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rustbridge_conformance::libraries;
use rustbridge_host::typed::{Decimal, Failure, Items};
use rustbridge_host::{CallOptions, Error, Load, Status};
use serde_json::json;

use crate::fixtures::{
    Directory, Fixtures, Judge, JudgeObject, Listener, ListenerObject, Node, NodeObject, Person,
    PrintError, ProgressObject, Register, Services, Spot, Sprite, SpriteError, Subscription,
    TurnError, VerdictError,
};

fn load() -> Load<'static> {
    Load::path(libraries::path("fixtures-plugin"))
}

fn open() -> Fixtures {
    Fixtures::open(load(), &Services::default()).unwrap()
}

fn person(name: &str, age: u32) -> Person {
    Person {
        name: name.to_owned(),
        age,
    }
}

/// Counts its calls, and its own drop.
#[derive(Default)]
struct Counting {
    seen: AtomicU64,
    dropped: Arc<AtomicU64>,
    fails: bool,
}

impl Counting {
    fn dropped_in(dropped: &Arc<AtomicU64>) -> Counting {
        let mut counting = Counting::default();
        counting.dropped = Arc::clone(dropped);
        counting
    }
}

impl Drop for Counting {
    fn drop(&mut self) {
        self.dropped.fetch_add(1, Ordering::SeqCst);
    }
}

impl Listener for Counting {
    fn joined(&self, _person: Person, _tags: Vec<String>) -> Result<(), Error> {
        if self.fails {
            return Err(Error::failure(Status::Aborted, "the listener fails"));
        }
        self.seen.fetch_add(1, Ordering::SeqCst);
        Ok(())
    }

    fn count(&self) -> Result<u64, Error> {
        Ok(self.seen.load(Ordering::SeqCst))
    }

    fn favourite(&self, among: Vec<Person>) -> Result<Option<Person>, Error> {
        Ok(among.into_iter().max_by_key(|person| person.age))
    }

    fn confirm(&self, question: String, patience: u32) -> Result<bool, Error> {
        Ok(question.len() > patience as usize)
    }
}

#[test]
fn a_closure_is_called_and_may_stop_the_work() {
    let fixtures = open();
    let reports = Arc::<Mutex<Vec<(u32, u32)>>>::default();
    let told = Arc::clone(&reports);
    let progress = ProgressObject::new(move |done, total| {
        told.lock().unwrap().push((done, total));
        Ok(done < 3)
    });
    assert_eq!(fixtures.work(2, &progress).unwrap(), 2);
    assert_eq!(fixtures.work(9, &progress).unwrap(), 3);
    assert_eq!(fixtures.work_elsewhere(1, &progress).unwrap(), 1);
    let reports = reports.lock().unwrap().clone();
    assert_eq!(reports, [(1, 2), (2, 2), (1, 9), (2, 9), (3, 9), (1, 1)]);
}

#[test]
fn an_error_and_a_panic_arrive_as_errors() {
    let fixtures = open();
    let failing = ProgressObject::new(|_, _| Err(Error::failure(Status::DataLoss, "it's lost")));
    let error = fixtures.work(1, &failing).unwrap_err();
    assert_eq!(
        (error.status(), error.message()),
        (Status::DataLoss, "it's lost")
    );
    let panicking = ProgressObject::new(|_, _| panic!("on purpose"));
    let error = fixtures.work(1, &panicking).unwrap_err();
    assert_eq!(error.status(), Status::Internal);
    assert!(error.message().contains("on purpose"), "{error}");
}

#[test]
fn a_kept_object_comes_back_as_the_very_object_and_is_released_when_it_is_removed() {
    let fixtures = open();
    let dropped = Arc::<AtomicU64>::default();
    let listener = ListenerObject::new(Counting::dropped_in(&dropped));
    fixtures.subscribe("ada", &listener).unwrap();
    assert_eq!(fixtures.join(&person("Bob", 3), &[]).unwrap(), 1);
    let back = fixtures.listener("ada").unwrap().unwrap();
    assert_eq!(back, listener);
    assert!(Arc::ptr_eq(back.host().unwrap(), listener.host().unwrap()));
    assert_eq!(fixtures.listener("eve").unwrap(), None);
    drop((listener, back));
    assert_eq!(dropped.load(Ordering::SeqCst), 0);
    assert!(fixtures.unsubscribe("ada", false).unwrap());
    assert_eq!(dropped.load(Ordering::SeqCst), 1);
}

#[test]
fn another_thread_of_the_plugin_may_release_and_closing_releases_the_rest() {
    let fixtures = open();
    let dropped = Arc::<AtomicU64>::default();
    for name in ["ada", "bob", "cyd"] {
        let listener = ListenerObject::new(Counting::dropped_in(&dropped));
        fixtures.subscribe(name, &listener).unwrap();
    }
    fixtures.unsubscribe("ada", true).unwrap();
    assert_eq!(dropped.load(Ordering::SeqCst), 1);
    let replaced = ListenerObject::new(Counting::dropped_in(&dropped));
    fixtures.subscribe("bob", &replaced).unwrap();
    assert_eq!(dropped.load(Ordering::SeqCst), 2);
    // An object of the plugin keeps what the client has prepared, but not the plugin.
    let leaf = fixtures.leaf("leaf", 1.0).unwrap();
    drop((fixtures, replaced));
    assert_eq!(dropped.load(Ordering::SeqCst), 4);
    assert_eq!(leaf.name().unwrap_err().status(), Status::Unavailable);
}

#[test]
fn records_and_lists_may_have_several() {
    let fixtures = open();
    let listeners = ["ada", "bob"].map(|name| Subscription {
        name: name.to_owned(),
        listener: ListenerObject::new(Counting::default()),
    });
    fixtures.subscribe_all(&listeners).unwrap();
    assert_eq!(fixtures.subscriptions().unwrap(), listeners);
    let among = [person("Ada", 36), person("Bob", 40)];
    let favourites = fixtures.favourites(&among).unwrap();
    assert_eq!(favourites, [Some(among[1].clone()), Some(among[1].clone())]);
    let mut failing = Counting::default();
    failing.fails = true;
    let failing = ListenerObject::new(failing);
    fixtures.subscribe("cyd", &failing).unwrap();
    let error = fixtures.join(&person("Eve", 1), &[]).unwrap_err();
    assert_eq!(error.status(), Status::Aborted);
}

#[tokio::test]
async fn an_asynchronous_method_calls_it_and_is_cancelled_by_its_deadline() {
    let fixtures = open();
    let listener = ListenerObject::new(Counting::default());
    fixtures.subscribe("ada", &listener).unwrap();
    assert!(fixtures.confirm_async("really?").await.unwrap());
    assert!(!fixtures.confirm_async("so?").await.unwrap());
    let late = fixtures.with_options(CallOptions::new().timeout(Duration::ZERO));
    let error = late.confirm_async("really?").await.unwrap_err();
    assert_eq!(error.status(), Status::DeadlineExceeded);
}

/// A node of the host.
struct Branch(f64);

impl Node for Branch {
    fn name(&self) -> Result<String, Error> {
        Ok(format!("branch {}", self.0))
    }

    fn weight(&self) -> Result<f64, Error> {
        Ok(self.0)
    }
}

#[test]
fn a_list_may_have_the_plugins_objects_and_the_hosts() {
    let fixtures = open();
    let leaf = fixtures.leaf("leaf", 0.5).unwrap();
    assert!(leaf.host().is_none());
    assert_eq!(
        (leaf.name().unwrap(), leaf.weight().unwrap()),
        ("leaf".to_owned(), 0.5)
    );
    let branch = NodeObject::new(Branch(4.0));
    let (weight, names) = fixtures.weigh(&[leaf.clone(), branch.clone()]).unwrap();
    assert_eq!(
        (weight, names.join(", ")),
        (4.5, "leaf, branch 4".to_owned())
    );
    assert_eq!(fixtures.heavier(&leaf, &branch).unwrap(), branch);
    let heavy = fixtures.leaf("trunk", 100.0).unwrap();
    let heavier = fixtures.heavier(&heavy, &branch).unwrap();
    assert_eq!(heavier.name().unwrap(), "trunk");
    assert!(fixtures.is_there(Some(&leaf)).unwrap() && !fixtures.is_there(None).unwrap());
}

#[test]
fn a_client_of_a_plugin_that_was_loaded_without_it_refuses_the_hosts_objects() {
    let plugin = load().open().unwrap();
    let fixtures = Fixtures::of(&plugin).unwrap();
    let error = fixtures
        .work(1, &ProgressObject::new(|_, _| Ok(true)))
        .unwrap_err();
    assert_eq!(error.status(), Status::FailedPrecondition);
    assert!(
        error.message().contains("load the plugin by the client"),
        "{error}"
    );
    let leaf = fixtures.leaf("leaf", 2.0).unwrap();
    assert!((fixtures.weigh(&[leaf]).unwrap().0 - 2.0).abs() < f64::EPSILON);
}

#[test]
fn an_error_has_the_typed_error_that_caused_it() {
    let fixtures = open();
    let here = Spot { x: 1.0, y: 2.0 };
    assert_eq!(fixtures.print("Ada", &here, "3").unwrap(), 3);
    let left = Spot { x: -1.0, y: 2.0 };
    let outside = fixtures.print("Ada", &left, "3").unwrap_err();
    let expected = PrintError::Sprite {
        name: "Ada".to_owned(),
        source: SpriteError::Outside { x: -1.0, y: 2.0 },
    };
    assert_eq!(outside.error(), Some(&expected));
    let many = fixtures.print("Ada", &here, "many").unwrap_err();
    let expected = PrintError::Copies {
        text: "many".to_owned(),
        source: "invalid digit found in string".to_owned(),
    };
    assert_eq!(many.error(), Some(&expected));
}

#[tokio::test]
async fn the_error_of_a_stream_is_the_typed_one() {
    let fixtures = open();
    let mut seen = Vec::new();
    let mut last = |pages: Items<u32, Failure<TurnError>>| {
        let mut failed = None;
        for page in pages.iterate() {
            match page {
                Ok(page) => seen.push(page),
                Err(failure) => failed = failure.error().copied(),
            }
        }
        failed.unwrap()
    };
    assert_eq!(last(fixtures.browse(8, 1)), TurnError::Last);
    assert_eq!(last(fixtures.browse(11, 1)), TurnError::Last);
    let turns = [3, -9].into_iter();
    assert_eq!(last(fixtures.follow(2, turns)), TurnError::First);
    assert_eq!(seen, [9, 10, 5]);
    let failed = fixtures.browse(11, 1).next().await.unwrap().unwrap_err();
    assert_eq!(failed.cause().status(), Status::OutOfRange);
}

#[test]
fn decimal_numbers_keep_their_digits() {
    let fixtures = open();
    let number = |text: &str| text.parse::<Decimal>().unwrap();
    let bill = fixtures.bill(&number("99.90"), &number("19")).unwrap();
    let digits = [&bill.net, &bill.tax, &bill.gross].map(Decimal::as_str);
    assert_eq!(digits, ["99.90", "18.98", "118.88"]);
    let failed = fixtures.bill(&number(&"9".repeat(30)), &number("1"));
    let failed = failed.unwrap_err();
    assert_eq!(failed.status(), Status::InvalidArgument);
    assert!(failed.message().contains("at most 28 digits"), "{failed}");
}

#[tokio::test]
async fn objects_have_constructors_associated_functions_and_properties() {
    let fixtures = open();
    let error = Sprite::new(&fixtures, "", None).unwrap_err();
    assert!(matches!(error.error(), Some(SpriteError::Unnamed)));
    let ada = Sprite::new(&fixtures, "Ada", Some(&Spot { x: 1.0, y: 2.0 })).unwrap();
    assert_eq!(ada.name().unwrap(), "Ada");
    let left = Spot { x: -3.0, y: 0.0 };
    let outside = Sprite::new_relative_to(&fixtures, &ada, "Bob", &left).unwrap_err();
    assert_eq!(
        outside.error(),
        Some(&SpriteError::Outside { x: -2.0, y: 2.0 })
    );
    let bob = Sprite::new_relative_to(&fixtures, &ada, "Bob", &Spot { x: 2.0, y: 2.0 }).unwrap();
    assert_eq!(bob.spot().unwrap(), Spot { x: 3.0, y: 4.0 });
    ada.set_spot(&Spot { x: 0.0, y: 0.0 }).unwrap();
    assert!(ada.set_spot(&left).is_err());
    let (from, to) = (ada.spot().unwrap(), bob.spot().unwrap());
    let distance = Sprite::distance(&fixtures, &from, &to).unwrap();
    assert!((distance - 5.0).abs() < f64::EPSILON);
    assert_eq!(Sprite::size(&fixtures).unwrap(), Spot { x: 16.0, y: 32.0 });
    let cyd = Sprite::load_async(&fixtures, "Cyd").await.unwrap();
    assert_eq!(cyd.move_by(&to).unwrap(), to);
}

struct Persons(Vec<Person>);

impl Directory for Persons {
    fn find(&self, prefix: String, oldest: u32, limit: Option<u32>) -> Result<Vec<Person>, Error> {
        let found = self
            .0
            .iter()
            .filter(|it| it.name.starts_with(&prefix) && it.age <= oldest);
        let limit = limit.map_or(usize::MAX, |limit| limit as usize);
        Ok(found.take(limit).cloned().collect())
    }
}

#[test]
fn a_service_has_several_parameters() {
    let persons = vec![
        person("Ada", 36),
        person("Adele", 102),
        person("Alf", 5),
        person("Ada", 4),
    ];
    let services = Services {
        directory: Some(Arc::new(Persons(persons.clone()))),
        ..Services::default()
    };
    let fixtures = Fixtures::open(load(), &services).unwrap();
    assert_eq!(
        fixtures.look_up("Ad", None).unwrap(),
        [persons[0].clone(), persons[3].clone()]
    );
    assert_eq!(
        fixtures.look_up("A", Some(1)).unwrap(),
        [persons[0].clone()]
    );
}

/// Panics when it's dropped.
struct Fragile(Arc<AtomicU64>);

impl Drop for Fragile {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
        panic!("dropped");
    }
}

impl Listener for Fragile {
    fn joined(&self, _person: Person, _tags: Vec<String>) -> Result<(), Error> {
        Ok(())
    }

    fn count(&self) -> Result<u64, Error> {
        Ok(0)
    }

    fn favourite(&self, _among: Vec<Person>) -> Result<Option<Person>, Error> {
        Ok(None)
    }

    fn confirm(&self, _question: String, _patience: u32) -> Result<bool, Error> {
        Ok(true)
    }
}

#[test]
fn a_panic_while_an_object_is_dropped_harms_nothing() {
    let fixtures = open();
    let dropped = Arc::<AtomicU64>::default();
    let pass = |name: &str| {
        let listener = ListenerObject::new(Fragile(Arc::clone(&dropped)));
        fixtures.subscribe(name, &listener).unwrap();
        // Only the plugin refers to it from here on.
        drop(listener);
    };
    pass("ada");
    assert!(fixtures.unsubscribe("ada", false).unwrap());
    pass("ada");
    assert!(fixtures.unsubscribe("ada", true).unwrap());
    assert_eq!(dropped.load(Ordering::SeqCst), 2);
    let other = open();
    pass("bob");
    pass("cyd");
    drop(fixtures);
    assert!(dropped.load(Ordering::SeqCst) >= 3);
    assert!(!other.is_there(None).unwrap());
}

/// Fails with what it's asked for.
struct Strict;

type Marks = Result<u32, Failure<VerdictError>>;

impl Strict {
    /// With a value, or as a host without a typed client says it.
    fn marks_of(name: &str) -> Marks {
        let untyped = |status, kind: &str, details| {
            let error =
                Error::failure(status, "no marks").with_type(format!("VerdictError.{kind}"));
            Err(error.with_details(details).into())
        };
        match name {
            "Ada" => Ok(9),
            "Eve" => Err(VerdictError::Stranger {
                name: "Eve".to_owned(),
            }
            .into()),
            "out" => Err(VerdictError::Busy(6, Some(Spot { x: 0.5, y: 1.5 })).into()),
            "closed" => Err(Failure::thrown(VerdictError::Closed, "not today")),
            "untyped" => untyped(
                Status::NotFound,
                "Stranger",
                json!({"name": "untyped", "more": true}),
            ),
            "busy" => untyped(Status::Unknown, "Busy", json!({"0": 5})),
            "shut" => untyped(Status::FailedPrecondition, "Closed", json!({})),
            "odd" => untyped(Status::NotFound, "Stranger", json!({"name": 7})),
            "new" => untyped(Status::Aborted, "Tired", json!({"hours": 7})),
            other => Err(Error::failure(Status::DataLoss, other).into()),
        }
    }
}

impl Judge for Strict {
    fn marks(&self, name: String) -> Marks {
        Strict::marks_of(&name)
    }

    fn marks_later(&self, name: String) -> Marks {
        Strict::marks_of(&name)
    }
}

impl Register for Strict {
    fn age(&self, name: String) -> Marks {
        Strict::marks_of(&name)
    }
}

#[tokio::test]
async fn a_plugin_distinguishes_the_errors_of_the_host_by_their_types() {
    let services = Services {
        register: Some(Arc::new(Strict)),
        ..Services::default()
    };
    let fixtures = Fixtures::open(load(), &services).unwrap();
    let judge = JudgeObject::new(Strict);
    for (name, verdict) in [
        ("Ada", "9 marks"),
        ("Eve", "no Eve"),
        ("out", "busy for 6 min at 0.5, 1.5"),
        ("untyped", "no untyped"),
        ("busy", "busy for 5 min"),
    ] {
        assert_eq!(fixtures.verdict(name, &judge).unwrap(), verdict);
        assert_eq!(
            fixtures.verdict_later_async(name, &judge).await.unwrap(),
            verdict
        );
        assert_eq!(fixtures.registered(name).unwrap(), verdict);
    }
    for name in ["closed", "shut"] {
        let closed = fixtures.verdict(name, &judge).unwrap_err();
        assert_eq!(closed.error(), Some(&VerdictError::Closed));
        assert_eq!(closed.cause().status(), Status::FailedPrecondition);
        // The plugin's own text, since it has made the error anew.
        assert_eq!(closed.cause().message(), "it's closed");
    }
    for (name, status, kind) in [
        // Details that don't match, and variants that only the host knows.
        ("odd", Status::NotFound, "VerdictError.Stranger"),
        ("new", Status::Aborted, "VerdictError.Tired"),
        ("lost", Status::DataLoss, "Error"),
    ] {
        let failed = fixtures.verdict(name, &judge).unwrap_err();
        assert_eq!(failed.error(), None, "{name}");
        assert_eq!(failed.cause().status(), status);
        assert_eq!(failed.cause().type_name(), kind);
        assert!(fixtures.registered(name).is_err());
    }
}
