//! What typed clients are measured by: one method for each way in which values travel.

use rustbridge::prelude::*;

/// Somebody to greet.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// What they're called.
    pub name: String,
}

/// How somebody is greeted.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct Greeting {
    /// What is said.
    pub text: String,
}

/// What an instrument has measured: numbers of different widths.
#[derive(Message, Clone, Debug, PartialEq)]
pub struct Reading {
    /// Which instrument it was.
    pub instrument: u32,
    /// When, in seconds.
    pub at: i64,
    /// The least.
    pub low: f64,
    /// The most.
    pub high: f64,
    /// How much it counts.
    pub weight: f32,
    /// How often it was measured.
    pub count: u16,
}

/// Something that's sold.
#[derive(Message, Clone, Debug, PartialEq)]
pub struct Item {
    /// Which one it is.
    pub number: u32,
    /// What it's called.
    pub name: String,
    /// What it costs.
    pub price: f64,
}

/// Something that can be drawn.
#[derive(Message, Clone, Debug, PartialEq)]
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
#[must_use]
pub fn greet(person: &Person) -> Greeting {
    let mut text = String::with_capacity(person.name.len() + 8);
    text.push_str("Hello, ");
    text.push_str(&person.name);
    text.push('!');
    Greeting { text }
}

/// The reading that would follow: a minute later, once more, and twice as wide.
#[must_use]
pub fn next_reading(reading: &Reading) -> Reading {
    let half = (reading.high - reading.low) / 2.0;
    Reading {
        instrument: reading.instrument,
        at: reading.at.wrapping_add(60),
        low: reading.low - half,
        high: reading.high + half,
        weight: reading.weight * 0.5,
        count: reading.count.wrapping_add(1),
    }
}

/// Makes every second item half as dear.
pub fn discount(items: &mut [Item]) {
    for item in items.iter_mut().skip(1).step_by(2) {
        item.price *= 0.5;
    }
}

/// The circle around a rectangle, the square around a circle, the label in capitals.
#[must_use]
pub fn around(shape: &Shape) -> Shape {
    match shape {
        Shape::Circle { radius } => Shape::Rectangle {
            width: radius * 2.0,
            height: radius * 2.0,
        },
        Shape::Rectangle { width, height } => Shape::Circle {
            radius: (width * width + height * height).sqrt() / 2.0,
        },
        Shape::Label { text } => Shape::Label {
            text: text.to_uppercase(),
        },
    }
}

/// Doubles numbers.
pub fn twice(numbers: &mut [f64]) {
    for number in numbers {
        *number *= 2.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(count: u32) -> Vec<Item> {
        (1..=count)
            .map(|number| Item {
                number,
                name: format!("item number {number}"),
                price: f64::from(number) * 1.25,
            })
            .collect()
    }

    #[test]
    fn somebody_is_greeted_by_name() {
        let name = "Ada Lovelace".to_owned();
        assert_eq!(greet(&Person { name }).text, "Hello, Ada Lovelace!");
    }

    #[test]
    fn the_next_reading_is_a_minute_later_and_twice_as_wide() {
        let reading = Reading {
            instrument: 7,
            at: 1_000,
            low: -1.0,
            high: 3.0,
            weight: 0.5,
            count: 11,
        };
        let next = Reading {
            instrument: 7,
            at: 1_060,
            low: -3.0,
            high: 5.0,
            weight: 0.25,
            count: 12,
        };
        assert_eq!(next_reading(&reading), next);
    }

    #[test]
    fn every_second_item_is_half_as_dear() {
        let mut three = items(3);
        discount(&mut three);
        assert!(three.iter().map(|item| item.price).eq([1.25, 1.25, 3.75]));
        assert_eq!(three[2].name, "item number 3");
    }

    #[test]
    fn shapes_are_around_shapes() {
        let rectangle = Shape::Rectangle {
            width: 3.0,
            height: 4.0,
        };
        let circle = around(&rectangle);
        assert_eq!(circle, Shape::Circle { radius: 2.5 });
        let square = Shape::Rectangle {
            width: 5.0,
            height: 5.0,
        };
        assert_eq!(around(&circle), square);
        let label = |text: &str| Shape::Label { text: text.into() };
        assert_eq!(around(&label("a")), label("A"));
    }

    #[test]
    fn numbers_are_doubled() {
        let mut numbers = [0.5, -2.0];
        twice(&mut numbers);
        assert!(numbers.iter().eq(&[1.0, -4.0]));
    }
}
