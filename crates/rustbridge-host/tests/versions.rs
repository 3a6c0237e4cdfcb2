//! The client of `plugins/types-plugin` against other versions of it: one that it's resolved for, and one that breaks it.
//!
//! A program of its own, because `rust_host` has `types-plugin` linked in, and only one plugin that exports the entry symbol can be
//! linked into a program.

#![deny(missing_docs, warnings)]

#[path = "clients/types.rs"]
#[allow(
    dead_code,
    reason = "what is the same in all versions is called elsewhere"
)]
mod types;

use std::collections::HashMap;
use std::sync::Arc;

use futures_util::{StreamExt, stream};
use rustbridge_host::typed::Failure;
use rustbridge_host::{Error, Load, Status};
use types::{
    Ages, Celsius, Color, Counters, Cut, Directory, Event, Mood, PagePerson, Person, Piece, Point,
    Refused, Repeat, SearchError, Services, Shape, Types,
};

fn client() -> Types {
    Types::open(next(), &Services::default()).unwrap()
}

fn next() -> Load<'static> {
    let entry_point = rustbridge::entry_point::<types_plugin_next::Types>();
    // SAFETY: a plugin of the author's side, whose entry point follows the ABI.
    unsafe { Load::linked(entry_point, "types") }
}

fn person(name: &str, age: u32) -> Person {
    Person {
        name: name.to_owned(),
        age,
        email: None,
    }
}

fn shapes() -> impl Iterator<Item = Shape> + Send + 'static {
    (0..100).flat_map(|size| {
        let size = f64::from(size);
        let corner = Point { x: size, y: 1.0 };
        [
            Shape::Circle { radius: size },
            Shape::Polygon(vec![corner, Point { x: 2.0, y: 3.0 }]),
            Shape::Nothing,
        ]
    })
}

/// Each two years older than the one before, which is a default of the plugin's.
fn older() -> Vec<Person> {
    (0..500).map(|time| person("Ada", 36 + 2 * time)).collect()
}

#[test]
fn values_come_back_as_they_were() {
    let client = client();
    let (ada, emmy) = (person("Ada", 36), person("Emmy", 53));
    assert_eq!(client.person(&ada).unwrap(), ada);
    let page = PagePerson {
        items: vec![ada.clone(), emmy.clone()],
        total: 2,
    };
    assert_eq!(client.people(&page).unwrap(), page);
    assert_eq!(client.oldest(&page).unwrap(), Some(emmy));
    assert_eq!(client.color(Color::DarkBlue).unwrap(), Color::DarkBlue);
    for shape in shapes() {
        assert_eq!(client.shape(&shape).unwrap(), shape);
    }
    assert_eq!(client.celsius(Celsius(21.5)).unwrap(), Celsius(21.5));
    assert_eq!(client.length("Grüße").unwrap(), 5);
    assert_eq!(client.part("Grüße", 1, Some(3)).unwrap(), "rüß");
    let (piece, bytes) = client.cut(&Cut { skip: 1, times: 2 }, b"abc").unwrap();
    let first = Some(b'b');
    assert_eq!((piece, &*bytes), (Piece { length: 4, first }, &b"bcbc"[..]));
}

#[test]
fn open_enums_have_a_variant_for_those_that_are_not_known() {
    let client = client();
    assert_eq!(client.mood(Mood::Calm).unwrap(), Mood::Calm);
    assert_eq!(client.mood(Mood::Glad).unwrap(), Mood::Unknown);
    let met = |mood| Event::Met {
        others: vec![person("Ada", 36)],
        mood,
    };
    let events = [Event::Came, met(Mood::Glad), Event::Said("hi".to_owned())];
    assert_eq!(
        client.events(&events).unwrap(),
        [
            Event::Came,
            met(Mood::Unknown),
            Event::Said("hi".to_owned()),
            Event::Unknown
        ]
    );
}

#[test]
fn errors_have_the_fields_that_are_known() {
    let client = client();
    let people = [person("Ada", 36), person("Emmy", 53)];
    let nobody = client.search("Ann", &people).unwrap_err();
    let wanted = SearchError::Nobody {
        name: "Ann".to_owned(),
        similar: vec![person("Ada", 36)],
    };
    assert_eq!(nobody.error(), Some(&wanted));
    let refused = client.paint(Color::Red, Some(Color::Green)).unwrap_err();
    let wanted = Refused {
        color: Color::Red,
        better: Some(Color::Green),
    };
    assert_eq!(refused.error(), Some(&wanted));
    // A variant that the plugin has added has no type here.
    let nameless = client.search("?", &[]).unwrap_err();
    assert!(matches!(nameless, Failure::Other(_)), "{nameless:?}");
    let nameless = Error::from(nameless);
    assert_eq!(nameless.status(), Status::InvalidArgument);
    assert_eq!(nameless.type_name(), "SearchError.Nameless");
}

#[test]
fn items_are_resolved_both_ways() {
    let client = client();
    let repeat = Repeat {
        person: person("Ada", 36),
        times: 500,
    };
    let came: Result<Vec<_>, Error> = client.repeat(&repeat).iterate().collect();
    assert_eq!(came.unwrap(), older());
    let page = client.collect(3, older()).unwrap();
    assert_eq!((page.total, page.items), (503, older()));
    assert_eq!(client.between(40, 43, older()).unwrap(), older()[2..4]);
    let back: Result<Vec<_>, Error> = client.reshape(shapes()).iterate().collect();
    assert_eq!(back.unwrap(), shapes().collect::<Vec<_>>());
}

#[tokio::test(flavor = "current_thread")]
async fn futures_are_resolved() {
    let client = client();
    let ada = person("Ada", 36);
    assert_eq!(client.later_async(&ada).await.unwrap(), ada);
    assert_eq!(client.aged_async(&ada, 4).await.unwrap().age, 40);
    let failed = client.search_later_async("", &[]).await.unwrap_err();
    assert_eq!(failed.error(), Some(&SearchError::Hidden));
    let page = client.collect_async(0, stream::iter(older())).await;
    assert_eq!(page.unwrap().items, older());
    let back = client.reshape_async(stream::iter(shapes()));
    let back: Vec<Shape> = back.map(Result::unwrap).collect().await;
    assert_eq!(back, shapes().collect::<Vec<_>>());
}

#[test]
fn objects_keep_their_places_and_one_that_is_not_known_is_given_back() {
    let plugin = next().open().unwrap();
    let client = Types::of(&plugin).unwrap();
    let alive = || plugin.call("alive", "null").unwrap().to_vec();
    let (one, other) = (client.counter(40).unwrap(), client.counter(2).unwrap());
    assert!(one.within(30, 50).unwrap());
    assert_eq!(one.admit([person("Ada", 36)]).unwrap(), 41);
    assert_eq!(
        one.half().unwrap_err().error().map(|odd| odd.count),
        Some(41)
    );
    assert_eq!(client.transfer(&one, &other, 1).unwrap(), (40, 3));
    let some = Counters {
        first: Some(one.clone()),
        others: vec![other.clone(), other.clone()],
        name: "some".to_owned(),
    };
    assert_eq!(client.total(&some).unwrap(), 46);
    assert_eq!(alive(), b"2");
    let counters = client.counters(&[1, 20, 300]).unwrap();
    assert_eq!(counters.others[1].get().unwrap(), 300);
    // There's a fourth one in the answer.
    assert_eq!(alive(), b"5");
    drop(counters);
    assert_eq!(alive(), b"2");
}

/// A version that is older than its clients.
mod old {
    use rustbridge::prelude::*;

    /// Somebody, of whom no address is known.
    #[derive(Message, Debug)]
    pub struct Person {
        /// What they are called.
        pub name: String,
        /// In years.
        pub age: u32,
    }

    /// Some of many.
    #[derive(Message, Debug)]
    pub struct Page<T> {
        /// These.
        pub items: Vec<T>,
        /// How many there are in all.
        pub total: u64,
    }

    /// Gives back what it gets.
    #[derive(Debug, Default)]
    pub struct Old;

    #[plugin(name = "types", export = false)]
    impl Old {
        /// Those who are sent.
        pub async fn collect(&self, before: u64, mut items: Items<Person>) -> Result<Page<Person>> {
            let mut people = Vec::new();
            while let Some(person) = items.next().await {
                people.push(person?);
            }
            Ok(Page {
                total: before + people.len() as u64,
                items: people,
            })
        }
    }
}

#[test]
fn an_item_that_an_older_plugin_cannot_take_ends_the_call() {
    // SAFETY: as above.
    let load = unsafe { Load::linked(rustbridge::entry_point::<old::Old>(), "old") };
    let client = Types::open(load, &Services::default()).unwrap();
    let emmy = person("Emmy", 53);
    let ada = Person {
        email: Some("ada@example.org".to_owned()),
        ..person("Ada", 36)
    };
    assert_eq!(client.collect(1, [emmy.clone()]).unwrap().total, 2);
    let error = client.collect(1, [emmy, ada]).unwrap_err();
    assert_eq!(error.status(), Status::Unimplemented, "{error}");
    assert_eq!(error.type_name(), "rustbridge.NotInPlugin");
    assert!(error.message().contains("email"), "{error}");
}

/// A version that breaks its clients.
mod broken {
    use std::collections::BTreeMap;

    use rustbridge::prelude::*;

    /// One of each, of which there's but one left.
    #[derive(Message, Debug)]
    pub struct Every {
        /// What was a record.
        pub numbers: u32,
    }

    /// How old people are.
    #[service(encoding = "wire", optional)]
    pub trait Ages {
        /// Of each by name, who are told by their names alone.
        fn of(&self, people: Vec<String>) -> Result<BTreeMap<String, u32>>;
    }

    /// Gives back what it gets.
    #[derive(Debug)]
    pub struct Broken {
        ages: AgesClient,
    }

    #[plugin(name = "types", export = false, services(Ages))]
    impl Broken {
        /// Asks nothing of its host yet.
        pub fn create(host: Host) -> Result<Broken> {
            Ok(Broken {
                ages: host.service()?,
            })
        }

        /// One of each.
        pub fn every(&self, request: Every) -> Every {
            request
        }

        /// Has the host say how old people are, each by name.
        pub fn ask_ages(
            &self,
            people: Vec<String>,
            call: &Call<'_>,
        ) -> Result<BTreeMap<String, u32>> {
            self.ages.within(call).of(people)
        }
    }
}

/// Knows Ada, and how old people are.
struct OnlyAda;

impl Directory for OnlyAda {
    fn find(&self, request: String) -> Result<Option<Person>, Error> {
        Ok((request == "Ada").then(|| person("Ada", 36)))
    }

    fn fetch(&self, request: String) -> Result<Person, Error> {
        let nobody = format!("nobody is {request}");
        self.find(request)?
            .ok_or_else(|| Error::failure(Status::NotFound, nobody).with_type("Nobody"))
    }

    fn count(&self) -> Result<u64, Error> {
        Ok(1)
    }
}

impl Ages for OnlyAda {
    fn of(&self, people: Vec<Person>) -> Result<HashMap<String, u32>, Error> {
        let ages = people.into_iter().map(|person| (person.name, person.age));
        Ok(ages.collect())
    }
}

#[test]
fn services_are_asked_and_answer_in_their_own_words() {
    let services = Services {
        directory: Some(Arc::new(OnlyAda)),
        ages: Some(Arc::new(OnlyAda)),
    };
    let client = Types::open(next(), &services).unwrap();
    assert_eq!(client.ask("Ada").unwrap(), Some(person("Ada", 36)));
    assert_eq!(client.ask("Eve").unwrap(), None);
    assert_eq!(client.ask_later("Ada").unwrap(), person("Ada", 36));
    assert_eq!(client.ask_later("Eve").unwrap_err().type_name(), "Nobody");
    assert_eq!(client.ask_count().unwrap(), 1);
    let people = [person("Ada", 36), person("Emmy", 53)];
    let ages = [("Ada".to_owned(), 36), ("Emmy".to_owned(), 53)];
    assert_eq!(client.ask_ages(&people).unwrap(), HashMap::from(ages));
}

#[test]
fn what_breaks_is_told_when_the_client_is_made() {
    let open = |services: &Services| {
        // SAFETY: as above.
        let load = unsafe { Load::linked(rustbridge::entry_point::<broken::Broken>(), "broken") };
        Types::open(load, services).map(drop).unwrap_err()
    };
    let error = open(&Services::default());
    assert_eq!(error.status(), Status::FailedPrecondition);
    assert_eq!(error.type_name(), "rustbridge.TypesDiffer");
    let numbers = "`request.numbers`: the client has Numbers, and the plugin u32";
    for said in ["the types of `every` are incompatible", numbers] {
        assert!(error.message().contains(said), "{error}");
    }
    let error = open(&Services {
        ages: Some(Arc::new(OnlyAda)),
        ..Services::default()
    });
    assert_eq!(error.type_name(), "rustbridge.TypesDiffer");
    assert!(error.message().contains("`ages.of`"), "{error}");
}
