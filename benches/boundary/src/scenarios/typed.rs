//! One scenario for each way in which typed values travel, by the client that `rustbridge gen` writes.

use std::fmt::Debug;
use std::hint::black_box;

use super::by_hand::ByHand;
use super::clients::bench::{Bench, Item, Person, Reading, Shape};
use super::subjects::BENCH;
use crate::{Scenario, Subject};

pub fn scenarios() -> Vec<Scenario> {
    let items: Vec<Item> = (1..=100).map(item).collect();
    let by_hand = items.clone();
    let numbers: Vec<f64> = (0..1000).map(|i| 0.5 * f64::from(i)).collect();
    let numbers_by_hand = numbers.clone();
    vec![
        typed(
            "typed text",
            "greet",
            |client| client.greet(&person()).expect("the call works"),
            |hand| hand.greet(&person()),
        ),
        typed(
            "typed numbers",
            "next_reading",
            |client| client.next_reading(&reading()).expect("the call works"),
            |hand| hand.next_reading(&reading()),
        ),
        typed(
            "typed 100 records",
            "discount",
            move |client| client.discount(black_box(&items)).expect("the call works"),
            move |hand| hand.discount(black_box(&by_hand)),
        ),
        typed(
            "typed enum",
            "around",
            |client| client.around(&rectangle()).expect("the call works"),
            |hand| hand.around(&rectangle()),
        ),
        typed(
            "typed 1000 doubles",
            "twice",
            move |client| client.twice(black_box(&numbers)).expect("the call works"),
            move |hand| hand.twice(black_box(&numbers_by_hand)),
        ),
    ]
}

/// One call by the client, and by the floor's function of that name.
fn typed<Response: Debug + 'static>(
    name: &str,
    floor: &'static str,
    ours: impl Fn(&Bench) -> Response + Sync + Clone + 'static,
    by_hand: impl Fn(&mut ByHand) -> Response + Sync + Clone + 'static,
) -> Scenario {
    Scenario::new(name, BENCH)
        .ours(move |plugin| {
            let client = Bench::of(plugin).expect("the client is of this version");
            let answer = said(&ours(&client));
            let ours = ours.clone();
            let make = move || {
                let (client, ours) = (client.clone(), ours.clone());
                move || {
                    black_box(ours(&client));
                }
            };
            Subject::new(make).answering(answer)
        })
        .floor(floor, move |floor| {
            let answer = said(&by_hand(&mut ByHand::new(floor)));
            let by_hand = by_hand.clone();
            let make = move || {
                let (mut hand, by_hand) = (ByHand::new(floor), by_hand.clone());
                move || {
                    black_box(by_hand(&mut hand));
                }
            };
            Subject::new(make).answering(answer)
        })
}

/// A value in words, to be compared.
fn said(value: &impl Debug) -> Vec<u8> {
    format!("{value:?}").into_bytes()
}

fn person() -> Person {
    let name = black_box("Ada Lovelace").to_owned();
    Person { name }
}

fn reading() -> Reading {
    black_box(Reading {
        instrument: 7,
        at: 1_700_000_000,
        low: -1.5,
        high: 3.25,
        weight: 0.5,
        count: 11,
    })
}

fn item(number: u32) -> Item {
    Item {
        number,
        name: format!("item number {number}"),
        price: f64::from(number) * 1.25,
    }
}

fn rectangle() -> Shape {
    black_box(Shape::Rectangle {
        width: 3.0,
        height: 4.0,
    })
}
