//! The traits of objects, by the client of `fixtures-plugin`.

#![deny(missing_docs, unsafe_code, warnings)]

use std::cmp::Ordering;
use std::collections::HashSet;

use rustbridge_conformance::libraries;
use rustbridge_host::{Load, Status};

use crate::fixtures::{Fixtures, Mark, Services, Shelf};

const BOOKS: [&str; 3] = ["Emma", "Ivanhoe", "Ulysses"];

fn open() -> Fixtures {
    let load = Load::path(libraries::path("fixtures-plugin"));
    Fixtures::open(load, &Services::default()).unwrap()
}

fn shelf(fixtures: &Fixtures, label: &str) -> Shelf {
    Shelf::new(fixtures, label, &BOOKS.map(str::to_owned)).unwrap()
}

#[test]
fn the_texts_are_those_of_the_plugin_or_state_the_error() {
    let fixtures = open();
    let one = shelf(&fixtures, "novels");
    assert_eq!(one.to_string(), "novels: Emma, Ivanhoe, Ulysses");
    assert_eq!(format!("{one:.6}"), "novels");
    let debug = r#"Shelf { label: "novels", books: ["Emma", "Ivanhoe", "Ulysses"] }"#;
    assert_eq!(format!("{one:?}"), debug);
    let smudged = shelf(&fixtures, "smudged").to_string();
    assert!(smudged.starts_with("<Shelf: "), "{smudged}");
    assert!(
        smudged.contains("`Display::fmt` returned an error"),
        "{smudged}"
    );
    drop(fixtures);
    let closed = one.to_string();
    assert!(closed.starts_with("<Shelf: "), "{closed}");
}

#[test]
fn handles_are_equal_if_their_objects_are() {
    let fixtures = open();
    let [one, equal, other] = ["novels", "novels", "poems"].map(|label| shelf(&fixtures, label));
    let again = Shelf::again(&fixtures, &one).unwrap();
    assert!(one == again && one == equal && one == one.clone());
    assert!(one != other);
    let [here, also_here, nowhere] =
        [1.0, 1.0, f64::NAN].map(|place| Mark::new(&fixtures, place).unwrap());
    assert!(here == also_here && here != nowhere && nowhere == nowhere.clone());
    assert!(!format!("{here:?}").contains("place"));
}

#[test]
fn objects_of_another_instance_are_unequal_and_have_no_order() {
    let (fixtures, another) = (open(), open());
    let (one, foreign) = (shelf(&fixtures, "novels"), shelf(&another, "novels"));
    assert!(one != foreign && !one.try_eq(&foreign).unwrap());
    assert_eq!(one.try_hash().unwrap(), foreign.try_hash().unwrap());
    let error = one.try_cmp(&foreign).unwrap_err();
    assert_eq!(error.status(), Status::InvalidArgument);
    assert_eq!(one.partial_cmp(&foreign), None);
    // Another client of one instance isn't another instance.
    let again = Shelf::again(&fixtures.clone(), &one).unwrap();
    assert_eq!(one.partial_cmp(&again), Some(Ordering::Equal));
}

#[test]
#[allow(clippy::mutable_key_type, reason = "the plugin's hash stays the same")]
fn after_the_end_of_the_instance_a_handle_equals_itself_alone() {
    let fixtures = open();
    let (one, equal) = (shelf(&fixtures, "novels"), shelf(&fixtures, "novels"));
    drop(fixtures);
    assert!(one == one.clone());
    assert!(one != equal);
    assert_eq!(one.partial_cmp(&equal), None);
    for error in [
        one.try_eq(&equal).unwrap_err(),
        one.try_hash().unwrap_err(),
        one.try_cmp(&equal).unwrap_err(),
        one.into_iter().next().unwrap().unwrap_err(),
    ] {
        assert_eq!(error.status(), Status::Unavailable, "{error}");
    }
    let mut set = HashSet::new();
    assert!(set.insert(one.clone()) && !set.contains(&equal));
}

#[test]
#[allow(clippy::mutable_key_type, reason = "the plugin's hash stays the same")]
fn objects_are_hashed_and_sorted() {
    let fixtures = open();
    let mut all = ["c", "a", "b"].map(|label| shelf(&fixtures, label));
    let set: HashSet<Shelf> = all.iter().cloned().collect();
    let again = Shelf::again(&fixtures, &all[0]).unwrap();
    assert!(set.contains(&again) && set.contains(&shelf(&fixtures, "b")));
    assert!(!set.contains(&shelf(&fixtures, "d")));
    all.sort_by(|one, other| one.try_cmp(other).unwrap());
    assert_eq!(
        all.each_ref().map(|one| one.label().unwrap()),
        ["a", "b", "c"]
    );
    assert!(all[0] < all[1] && all[2] >= all[1]);
}

#[test]
fn objects_have_a_length_and_items() {
    let fixtures = open();
    let one = shelf(&fixtures, "novels");
    assert_eq!(one.len().unwrap(), 3);
    let books: Result<Vec<String>, _> = one.into_iter().collect();
    assert_eq!(books.unwrap(), BOOKS);
    let many: Vec<String> = (0..5000).map(|number| number.to_string()).collect();
    let long = Shelf::new(&fixtures, "long", &many).unwrap();
    // The call is cancelled early.
    assert_eq!(long.into_iter().next().unwrap().unwrap(), "0");
}
