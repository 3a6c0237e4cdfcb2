//! The types of clients that `plugins/types-plugin` has none of.

#![deny(unsafe_code)]

use rustbridge_host::typed::wire::{read, to_vec};
use rustbridge_host::typed::{Uuid, Wire};

#[derive(Clone, Copy, Debug, PartialEq, Wire)]
enum Mood {
    Good,
    #[wire(rename = "so-so")]
    SoSo,
    #[wire(unknown)]
    Unknown,
}

#[derive(Clone, Debug, PartialEq, Wire)]
enum Seen {
    Far(u32),
    #[wire(unknown)]
    Unknown,
}

#[derive(Clone, Debug, PartialEq, Wire)]
struct Day {
    mood: Mood,
    all: Vec<Seen>,
    id: Uuid,
    #[wire(default)]
    text: Option<Option<String>>,
}

fn day(text: Option<Option<String>>) -> Day {
    Day {
        mood: Mood::SoSo,
        all: vec![Seen::Far(7)],
        id: Uuid([9; 16]),
        text,
    }
}

#[test]
fn what_a_client_does_not_know_is_read_and_never_sent() {
    let mut message = to_vec(&day(None)).unwrap();
    assert_eq!(message[..12], [1, 0, 1, 0, 0, 0, 0, 0, 7, 0, 0, 0]);
    message[..2].fill(0xff);
    let unknown: Day = read(&message).unwrap();
    assert_eq!(unknown.mood, Mood::Unknown);
    let refused = to_vec(&unknown).unwrap_err().to_string();
    assert!(refused.contains("`Mood::Unknown`"), "{refused}");

    let list = [1, 0, 0, 0, 0xff, 0xff];
    assert_eq!(read::<Vec<Seen>>(&list).unwrap(), [Seen::Unknown]);
    assert!(to_vec(&[Seen::Unknown]).is_err());
    // Neither is any other number.
    assert!(read::<Vec<Seen>>(&[1, 0, 0, 0, 0xfe, 0xff]).is_err());
    // And what is wrong behind it is told as what it is.
    let problem = read::<Vec<Seen>>(&[2, 0, 0, 0, 0xff, 0xff, 5, 0]).unwrap_err();
    assert_eq!(problem.path(), "[1]");
}

#[test]
fn a_field_that_is_left_out_and_one_that_is_none_are_two_things() {
    for (text, end) in [
        (None, &[0][..]),
        (Some(None), &[1, 0]),
        (Some(Some("a".to_owned())), &[1, 1, 1, 0, 0, 0, b'a']),
    ] {
        let message = to_vec(&day(text.clone())).unwrap();
        assert!(message.ends_with(end) && message.len() == 12 + 16 + end.len());
        assert_eq!(read::<Day>(&message).unwrap().text, text);
        let cut = read::<Day>(&message[..message.len() - 1]).unwrap_err();
        assert_eq!(cut.path(), "text");
    }
}
