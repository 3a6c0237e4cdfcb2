//! What the benchmarks' methods do, without any boundary.
//!
//! The plugin `bench-plugin`, the gRPC server and the rows called `direct` all run these functions, so that they differ
//! in how the work is reached and in nothing else.

mod blob;
mod messages;
mod numbers;
mod students;
mod typed;
mod xorshift;

use std::borrow::Borrow;

pub use blob::{LARGEST_BLOB, blob};
pub use messages::{
    Division, Joined, LentValues, Number, Parts, Quotient, Summands, Tick, Value, Values,
};
pub use numbers::{numbers, sum};
pub use serde_json::Value as Dynamic;
pub use students::{Address, Date, School, Student, Students, Subject, students};
pub use typed::{
    Greeting, Item, Person, Reading, Shape, around, discount, greet, next_reading, twice,
};

/// Does nothing.
pub fn void() {}

/// The quotient of two integers as a double; nothing when the divisor is 0.
#[must_use]
pub fn div(division: &Division) -> Option<Quotient> {
    (division.b != 0).then(|| Quotient {
        quotient: division.a as f64 / division.b as f64,
    })
}

/// The texts with a comma between each two.
#[must_use]
pub fn join(parts: &Parts) -> Joined {
    Joined {
        text: join_texts(&parts.parts),
    }
}

/// The same of texts that may be somebody else's.
#[must_use]
pub fn join_texts<S: Borrow<str>>(parts: &[S]) -> String {
    parts.join(",")
}

/// The sum of numbers that are numbers already, wrapping.
#[must_use]
pub fn sum_numbers(numbers: &[i64]) -> i64 {
    numbers.iter().copied().fold(0, i64::wrapping_add)
}

/// What the question has to be increased by to get the answer: 23 gives 64.
#[must_use]
pub fn answer(question: &Value) -> Value {
    Value {
        value: question.value.wrapping_add(41),
    }
}

/// The items of a stream of structs: the numbers before `end`, from 0.
pub fn count(end: u64) -> impl Iterator<Item = Number> {
    (0..end).map(|number| Number { number })
}

/// The items of a stream of JSON.
pub fn ticks(end: u64) -> impl Iterator<Item = Tick> {
    (0..end).map(tick)
}

/// One of [`ticks`].
#[must_use]
pub fn tick(number: u64) -> Tick {
    Tick {
        number,
        name: "tick".to_owned(),
        is_round: number % 10 == 9,
    }
}

/// The list `[1, "two", 3.0]` repeated to that many values.
#[must_use]
pub fn dynamic(count: usize) -> Values {
    let three = [Dynamic::from(1), Dynamic::from("two"), Dynamic::from(3.0)];
    Values {
        values: three.into_iter().cycle().take(count).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_by_two_is_five_and_nothing_is_divided_by_zero() {
        assert_eq!(
            div(&Division { a: 10, b: 2 }),
            Some(Quotient { quotient: 5.0 })
        );
        assert_eq!(div(&Division { a: 10, b: 0 }), None);
    }

    #[test]
    fn texts_are_joined_by_commas() {
        let parts = |parts: &[&str]| Parts {
            parts: parts.iter().map(|&part| part.to_owned()).collect(),
        };
        assert_eq!(join(&parts(&["hello", "world"])).text, "hello,world");
        assert_eq!(join(&parts(&[])).text, "");
    }

    #[test]
    fn the_answer_to_23_is_64() {
        assert_eq!(answer(&Value { value: 23 }), Value { value: 64 });
    }

    #[test]
    fn streams_have_as_many_items_as_they_are_asked_for() {
        assert!(count(3).map(|item| item.number).eq([0, 1, 2]));
        let text = serde_json::to_string(&ticks(10).last()).unwrap();
        assert_eq!(text, r#"{"number":9,"name":"tick","is_round":true}"#);
    }

    #[test]
    fn a_dynamic_list_repeats_an_integer_a_text_and_a_double() {
        let text = serde_json::to_string(&dynamic(4)).unwrap();
        assert_eq!(text, r#"{"values":[1,"two",3.0,1]}"#);
        assert_eq!(dynamic(10_000).values.len(), 10_000);
    }
}
