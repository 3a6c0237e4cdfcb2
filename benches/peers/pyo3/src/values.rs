//! What typed clients are measured by, as PyO3's users write it: classes of Rust's fields, which Python's objects are made of when
//! somebody reads them.

use peer_work as work;
use pyo3::buffer::PyBuffer;
use pyo3::prelude::*;

/// Somebody to greet.
#[pyclass(frozen, get_all)]
pub struct Person {
    name: String,
}

#[pymethods]
impl Person {
    #[new]
    fn new(name: String) -> Person {
        Person { name }
    }
}

/// How somebody is greeted.
#[pyclass(frozen, get_all)]
pub struct Greeting {
    text: String,
}

/// Numbers of different widths.
#[pyclass(frozen, get_all)]
pub struct Reading {
    instrument: u32,
    at: i64,
    low: f64,
    high: f64,
    weight: f32,
    count: u16,
}

#[pymethods]
impl Reading {
    #[new]
    fn new(instrument: u32, at: i64, low: f64, high: f64, weight: f32, count: u16) -> Reading {
        Reading {
            instrument,
            at,
            low,
            high,
            weight,
            count,
        }
    }
}

/// Something that's sold.
#[pyclass(frozen, get_all, from_py_object)]
#[derive(Clone)]
pub struct Item {
    number: u32,
    name: String,
    price: f64,
}

#[pymethods]
impl Item {
    #[new]
    fn new(number: u32, name: String, price: f64) -> Item {
        Item {
            number,
            name,
            price,
        }
    }
}

/// Something that can be drawn.
#[pyclass(frozen)]
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
#[pyfunction]
pub fn greet(person: &Person) -> Greeting {
    let name = person.name.clone();
    let work::Greeting { text } = work::greet(&work::Person { name });
    Greeting { text }
}

/// The reading that would follow.
#[pyfunction]
pub fn next_reading(reading: &Reading) -> Reading {
    let next = work::next_reading(&work::Reading {
        instrument: reading.instrument,
        at: reading.at,
        low: reading.low,
        high: reading.high,
        weight: reading.weight,
        count: reading.count,
    });
    Reading::new(
        next.instrument,
        next.at,
        next.low,
        next.high,
        next.weight,
        next.count,
    )
}

/// Makes every second item half as dear.
#[pyfunction]
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
        .map(|item| Item::new(item.number, item.name, item.price))
        .collect()
}

/// The shape around another.
#[pyfunction]
pub fn around(shape: &Shape) -> Shape {
    let shape = match shape {
        Shape::Circle { radius } => work::Shape::Circle { radius: *radius },
        Shape::Rectangle { width, height } => work::Shape::Rectangle {
            width: *width,
            height: *height,
        },
        Shape::Label { text } => work::Shape::Label { text: text.clone() },
    };
    match work::around(&shape) {
        work::Shape::Circle { radius } => Shape::Circle { radius },
        work::Shape::Rectangle { width, height } => Shape::Rectangle { width, height },
        work::Shape::Label { text } => Shape::Label { text },
    }
}

/// Doubles the numbers of any buffer of doubles.
#[pyfunction]
pub fn twice(py: Python<'_>, numbers: PyBuffer<f64>) -> PyResult<Vec<f64>> {
    let mut numbers = numbers.to_vec(py)?;
    work::twice(&mut numbers);
    Ok(numbers)
}
