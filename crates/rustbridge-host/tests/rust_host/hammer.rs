//! Objects of the host that several threads pass, call, receive and release in any order, from both sides.

#![deny(missing_docs, unsafe_code, warnings)]

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use rustbridge_conformance::libraries;
use rustbridge_host::{Error, Load};

use rustbridge_host::typed::Failure;

use crate::fixtures::{
    Branch, BranchObject, ChoiceError, Fixtures, Label, Listener, ListenerObject, Person,
    ProgressObject, Services, Spot, Sprite, Subscription,
};

/// How often each thread does something: 10,000 times in all, and in a soak a hundred times as often.
fn rounds() -> u64 {
    let soak = std::env::var("RUSTBRIDGE_SOAK").map_or(1, |text| text.parse().unwrap());
    2_500 * soak
}

const THREADS: u64 = 4;

/// Counts how many exist, and how often they are called.
struct Counted<'c>(&'c Counts);

#[derive(Default)]
struct Counts {
    created: AtomicU64,
    dropped: AtomicU64,
    called: AtomicU64,
}

impl Counted<'static> {
    fn new(counts: &'static Counts) -> Counted<'static> {
        counts.created.fetch_add(1, Ordering::Relaxed);
        Counted(counts)
    }
}

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.0.dropped.fetch_add(1, Ordering::Relaxed);
    }
}

impl Listener for Counted<'static> {
    fn joined(&self, _person: Person, _tags: Vec<String>) -> Result<(), Error> {
        self.0.called.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    fn count(&self) -> Result<u64, Error> {
        Ok(1)
    }

    fn favourite(&self, among: Vec<Person>) -> Result<Option<Person>, Error> {
        Ok(among.into_iter().next())
    }

    fn confirm(&self, _question: String, _patience: u32) -> Result<bool, Error> {
        Ok(true)
    }
}

/// A branch of the host, which refers to another.
struct Grown {
    counted: Counted<'static>,
    parent: Mutex<Option<BranchObject>>,
}

impl Grown {
    fn object(counts: &'static Counts) -> BranchObject {
        BranchObject::new(Grown {
            counted: Counted::new(counts),
            parent: Mutex::default(),
        })
    }
}

impl Branch for Grown {
    fn name(&self) -> Result<String, Error> {
        Ok("grown".to_owned())
    }

    fn set_parent(&self, parent: Option<BranchObject>) -> Result<(), Error> {
        self.counted.0.called.fetch_add(1, Ordering::Relaxed);
        *self.parent.lock().unwrap() = parent;
        Ok(())
    }

    fn parent(&self) -> Result<Option<BranchObject>, Error> {
        Ok(self.parent.lock().unwrap().clone())
    }

    fn choose(&self, mut sprites: Vec<Sprite>, near: Spot) -> Result<Sprite, Failure<ChoiceError>> {
        sprites
            .pop()
            .ok_or_else(|| ChoiceError::Nothing(near).into())
    }

    fn label(&self, mut labels: Vec<Label>) -> Result<Label, Error> {
        Ok(labels.remove(0))
    }

    fn meet(&self, other: BranchObject) -> Result<BranchObject, Error> {
        Ok(other)
    }
}

fn person() -> Person {
    Person {
        name: "Ada".to_owned(),
        age: 36,
    }
}

/// One thread's work. The numbers decide what it does; each thread has others.
fn work(fixtures: &Fixtures, counts: &'static Counts, thread: u64) {
    let mut state = thread + 1;
    for _ in 0..rounds() {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let name = ((state >> 40) % 4).to_string();
        let listener = || ListenerObject::new(Counted::new(counts));
        match (state >> 33) % 8 {
            0 => fixtures.subscribe(&name, &listener()).unwrap(),
            1 => {
                fixtures.unsubscribe(&name, false).unwrap();
            }
            2 => {
                fixtures.unsubscribe(&name, state >> 60 == 0).unwrap();
            }
            3 => {
                let found = fixtures.listener(&name).unwrap();
                // Keeps another object than the one that was received.
                if let Some(found) = found {
                    assert!(found.host().is_some());
                    fixtures.subscribe("9", &found).unwrap();
                }
            }
            4 => {
                let subscription = Subscription {
                    name,
                    listener: listener(),
                };
                fixtures.subscribe_all(&[subscription]).unwrap();
            }
            5 => {
                fixtures.join(&person(), &[]).unwrap();
            }
            6 => {
                let (leaf, root) = (Grown::object(counts), Grown::object(counts));
                let limb = fixtures.limb(&name).unwrap();
                fixtures.grow(&leaf, Some(&limb)).unwrap();
                fixtures.grow(&limb, Some(&root)).unwrap();
                assert!(fixtures.trunk(&leaf).unwrap() == root);
                if state >> 63 == 0 {
                    fixtures.grow(&leaf, Some(&root)).unwrap();
                }
            }
            _ => {
                let counted = Counted::new(counts);
                let progress = ProgressObject::new(move |done, total| {
                    counted.0.called.fetch_add(1, Ordering::Relaxed);
                    Ok(done < total)
                });
                fixtures.work(3, &progress).unwrap();
            }
        }
    }
}

#[test]
fn each_object_of_the_host_is_released_once_whoever_refers_to_it_last() {
    let counts: &'static Counts = Box::leak(Box::default());
    let path = libraries::path("fixtures-plugin");
    let fixtures = Arc::new(Fixtures::open(Load::path(path), &Services::default()).unwrap());
    thread::scope(|scope| {
        for thread in 0..THREADS {
            let fixtures = Arc::clone(&fixtures);
            scope.spawn(move || work(&fixtures, counts, thread));
        }
    });
    let count = |count: &AtomicU64| count.load(Ordering::Relaxed);
    assert!(count(&counts.called) > 0 && count(&counts.dropped) > 0);
    for name in ["0", "1", "2", "3"] {
        fixtures.unsubscribe(name, false).unwrap();
    }
    let kept = count(&counts.created) - count(&counts.dropped);
    assert!(
        kept <= 1,
        "{kept} objects are left, expected that of name 9 at most"
    );
    drop(fixtures);
    assert_eq!(count(&counts.created), count(&counts.dropped));
}
