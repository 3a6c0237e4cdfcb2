//! Fields and parameters with default values, by the client of `fixtures-plugin`.

#![deny(missing_docs, unsafe_code, warnings)]

use std::collections::HashMap;

use rustbridge_conformance::libraries;
use rustbridge_host::Load;

use crate::fixtures::{Brush, Colour, Fixtures, Layout, Services, Target};

fn open() -> Fixtures {
    let load = Load::path(libraries::path("fixtures-plugin"));
    Fixtures::open(load, &Services::default()).unwrap()
}

#[test]
fn new_creates_a_record_with_the_default_values() {
    let layout = Layout::new("A".to_owned());
    let expected = Layout {
        title: "A".to_owned(),
        width: 80,
        offset: -1,
        most: u64::MAX,
        spacing: 1.5,
        zoom: 0.25,
        numbered: true,
        language: "en".to_owned(),
        bullet: '-',
        colour: Colour::DeepBlue,
        target: Target::Screen,
        tags: Vec::new(),
        margins: Vec::new(),
        notes: HashMap::new(),
        picture: Vec::new(),
        author: None,
        copies: 0,
    };
    assert_eq!(layout, expected);
    assert_eq!(open().layout(&layout).unwrap(), layout);
}

#[test]
fn a_record_is_sent_with_some_and_all_values() {
    let client = open();
    let path = "a.txt".to_owned();
    let some = Layout {
        language: "de".to_owned(),
        target: Target::File {
            path: path.clone(),
            overwrite: true,
        },
        ..Layout::new("A".to_owned())
    };
    assert_eq!(client.layout(&some).unwrap(), some);
    let all = Layout {
        title: "A".to_owned(),
        width: 1,
        offset: 2,
        most: 3,
        spacing: 4.5,
        zoom: 0.5,
        numbered: false,
        language: String::new(),
        bullet: '*',
        colour: Colour::Red,
        target: Target::File {
            path,
            overwrite: false,
        },
        tags: vec!["a".to_owned()],
        margins: vec![1.0, 2.0],
        notes: HashMap::from([("a".to_owned(), 1)]),
        picture: vec![1],
        author: Some("Ada".to_owned()),
        copies: 9,
    };
    assert_eq!(client.layout(&all).unwrap(), all);
}

#[test]
fn parameters_have_plain_types() {
    let client = open();
    let target = Target::File {
        path: "a.txt".to_owned(),
        overwrite: true,
    };
    let tags = ["a".to_owned(), "b".to_owned()];
    let cut = client.cut(
        "abcdefgh",
        3,
        "!",
        Colour::Red,
        &tags,
        &target,
        Some("note"),
    );
    assert_eq!(cut.unwrap(), "abc! Red [a b] a.txt true note");
    assert_eq!(client.countdown(2).unwrap(), [2, 1]);
    assert_eq!(client.repeat("ab", 2).unwrap(), "abab");
    let brush = Brush::new(&client, 3).unwrap();
    assert_eq!(brush.wider(1).unwrap(), 4);
    assert_eq!(Brush::strokes(&client, 10, 5).unwrap(), 2);
}
