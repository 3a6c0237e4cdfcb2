//! What typed clients are measured by, as BoltFFI exports it: records, an enum and lists.

use boltffi::{data, export};

use peer_work as work;

/// Somebody to greet.
#[data]
#[derive(Clone)]
pub struct Person {
    /// Their name.
    pub name: String,
}

/// How somebody is greeted.
#[data]
#[derive(Clone)]
pub struct Greeting {
    /// What is said.
    pub text: String,
}

/// Numbers of different widths.
#[data]
#[derive(Clone)]
pub struct Reading {
    /// What has measured.
    pub instrument: u32,
    /// When.
    pub at: i64,
    /// The least.
    pub low: f64,
    /// The most.
    pub high: f64,
    /// How much it counts.
    pub weight: f32,
    /// How many there were.
    pub count: u16,
}

/// Something that's sold.
#[data]
#[derive(Clone)]
pub struct Item {
    /// Its number.
    pub number: u32,
    /// What it's called.
    pub name: String,
    /// What it costs.
    pub price: f64,
}

/// Something that can be drawn.
#[data]
#[derive(Clone)]
pub enum Shape {
    /// Round.
    Circle {
        /// From the middle to the line.
        radius: f64,
    },
    /// With four corners.
    Rectangle {
        /// From left to right.
        width: f64,
        /// From top to bottom.
        height: f64,
    },
    /// Text.
    Label {
        /// What it says.
        text: String,
    },
}

/// Greets somebody.
#[export]
pub fn greet(person: Person) -> Greeting {
    let work::Greeting { text } = work::greet(&work::Person { name: person.name });
    Greeting { text }
}

/// The reading that would follow.
#[export]
pub fn next_reading(reading: Reading) -> Reading {
    let next = work::next_reading(&work::Reading {
        instrument: reading.instrument,
        at: reading.at,
        low: reading.low,
        high: reading.high,
        weight: reading.weight,
        count: reading.count,
    });
    Reading {
        instrument: next.instrument,
        at: next.at,
        low: next.low,
        high: next.high,
        weight: next.weight,
        count: next.count,
    }
}

/// Makes every second item half as dear.
#[export]
pub fn discount(items: Vec<Item>) -> Vec<Item> {
    let mut items: Vec<work::Item> = items
        .into_iter()
        .map(|item| work::Item {
            number: item.number,
            name: item.name,
            price: item.price,
        })
        .collect();
    work::discount(&mut items);
    items
        .into_iter()
        .map(|item| Item {
            number: item.number,
            name: item.name,
            price: item.price,
        })
        .collect()
}

/// The shape around another.
#[export]
pub fn around(shape: Shape) -> Shape {
    let shape = match shape {
        Shape::Circle { radius } => work::Shape::Circle { radius },
        Shape::Rectangle { width, height } => work::Shape::Rectangle { width, height },
        Shape::Label { text } => work::Shape::Label { text },
    };
    match work::around(&shape) {
        work::Shape::Circle { radius } => Shape::Circle { radius },
        work::Shape::Rectangle { width, height } => Shape::Rectangle { width, height },
        work::Shape::Label { text } => Shape::Label { text },
    }
}

/// Doubles numbers.
#[export]
pub fn twice(mut numbers: Vec<f64>) -> Vec<f64> {
    work::twice(&mut numbers);
    numbers
}
