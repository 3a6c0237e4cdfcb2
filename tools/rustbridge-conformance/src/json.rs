//! JSON as the judge reads and compares it: the one place where it is decided what of two texts is the same.
//!
//! A name that is there twice in an object is an error: RFC 8259 leaves open which of the two counts, so hosts differ in what
//! their users would see. Numbers are equal if they are mathematically: `1` is `1.0`, and an integer is never rounded to be
//! compared. A number without a fraction is an integer, however it is written, as in JSON Schema.

use std::fmt;

use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// Reads one value, and nothing after it.
///
/// # Errors
/// It isn't JSON, or an object has a name twice.
pub fn parse(bytes: &[u8]) -> Result<Value, String> {
    serde_json::from_slice::<Strict>(bytes)
        .map(|strict| strict.0)
        .map_err(|problem| problem.to_string())
}

/// Whether two values are equal. The order of members is free, that of elements isn't.
#[must_use]
pub fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => same_number(left, right),
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len()
                && left
                    .iter()
                    .zip(right)
                    .all(|(left, right)| same(left, right))
        }
        (Value::Object(left), Value::Object(right)) => {
            left.len() == right.len()
                && left
                    .iter()
                    .all(|(name, left)| right.get(name).is_some_and(|right| same(left, right)))
        }
        (left, right) => left == right,
    }
}

/// Whether a number has no fraction.
#[must_use]
pub fn is_integer(number: &Number) -> bool {
    integer(number).is_some() || number.as_f64().is_some_and(|number| number.fract() == 0.0)
}

/// Whether every language's objects can hold the value as it is: its integers have 64 bits at most, and no zero has a sign.
#[must_use]
pub fn is_plain(value: &Value) -> bool {
    /// Two to the 63.
    const BEYOND: f64 = 9_223_372_036_854_775_808.0;
    match value {
        Value::Number(number) => {
            integer(number).is_some()
                || number.as_f64().is_some_and(|number| {
                    number.abs() < BEYOND && (number != 0.0 || number.is_sign_positive())
                })
        }
        Value::Array(list) => list.iter().all(is_plain),
        Value::Object(object) => object.values().all(is_plain),
        _ => true,
    }
}

fn same_number(left: &Number, right: &Number) -> bool {
    match (integer(left), integer(right)) {
        (Some(left), Some(right)) => left == right,
        (Some(integer), None) => same_as_integer(right, integer),
        (None, Some(integer)) => same_as_integer(left, integer),
        (None, None) => left.as_f64() == right.as_f64(),
    }
}

fn integer(number: &Number) -> Option<i128> {
    number
        .as_i64()
        .map(i128::from)
        .or(number.as_u64().map(i128::from))
}

#[allow(
    clippy::cast_possible_truncation,
    reason = "a double without a fraction is an i128, or beyond every u64, where the cast saturates"
)]
fn same_as_integer(double: &Number, integer: i128) -> bool {
    double
        .as_f64()
        .is_some_and(|double| double.fract() == 0.0 && double as i128 == integer)
}

/// A value in which no object has a name twice.
struct Strict(Value);

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Strict, D::Error> {
        deserializer.deserialize_any(Reader).map(Strict)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(Strict(element)) = elements.next_element()? {
            list.push(element);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some((name, Strict(value))) = members.next_entry::<String, _>()? {
            if object.contains_key(&name) {
                let problem = format!("the name {name:?} is there twice");
                return Err(de::Error::custom(problem));
            }
            object.insert(name, value);
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Value {
        parse(text.as_bytes()).expect("it is JSON")
    }

    fn are_the_same(left: &str, right: &str) -> bool {
        let (left, right) = (value(left), value(right));
        assert_eq!(same(&left, &right), same(&right, &left));
        same(&left, &right)
    }

    #[test]
    fn what_is_read_is_what_was_written() {
        let text = r#"{"a":[null,true,-3,18446744073709551615,2.5,"ü"],"b":{"":{}}}"#;
        assert_eq!(value(text).to_string(), text);
    }

    #[test]
    fn a_name_that_is_there_twice_is_refused_at_any_depth() {
        assert!(parse(br#"{"a":1,"a":1}"#).unwrap_err().contains("twice"));
        assert!(parse(br#"[{"b":{"a":1,"a":2}}]"#).is_err());
        assert!(parse(br#"{"a":1,"\u0061":2}"#).is_err());
        assert!(parse(br#"[{"a":1},{"a":1}]"#).is_ok());
    }

    #[test]
    fn only_one_value_is_read() {
        assert!(parse(b"1 2").is_err());
        assert!(parse(b"").is_err());
        assert!(parse(b" 1 ").is_ok());
    }

    #[test]
    fn numbers_are_the_same_if_they_are_mathematically() {
        assert!(are_the_same("1", "1.0"));
        assert!(are_the_same("100", "1e2"));
        assert!(are_the_same("0", "-0.0"));
        assert!(are_the_same("18446744073709551615", "18446744073709551615"));
        assert!(!are_the_same("1", "1.5"));
        assert!(!are_the_same("9007199254740993", "9007199254740992"));
        assert!(!are_the_same("9007199254740993", "9007199254740992.0"));
        assert!(!are_the_same(
            "18446744073709551615",
            "1.8446744073709552e19"
        ));
        assert!(!are_the_same("1", "\"1\""));
        assert!(!are_the_same("1", "true"));
    }

    #[test]
    fn members_may_stand_in_any_order_and_none_may_be_missing() {
        assert!(are_the_same(r#"{"a":1,"b":2}"#, r#"{"b":2,"a":1}"#));
        assert!(!are_the_same(r#"{"a":1}"#, r#"{"a":1,"b":2}"#));
        assert!(!are_the_same(r#"{"a":null}"#, "{}"));
        assert!(!are_the_same("[1,2]", "[2,1]"));
        assert!(!are_the_same("[1]", "[1,1]"));
    }

    #[test]
    fn what_some_language_cannot_hold_is_not_plain() {
        for text in ["[1,-1.5,18446744073709551615]", "{\"a\":0.0}", "null"] {
            assert!(is_plain(&value(text)), "{text}");
        }
        for text in ["18446744073709551616", "[-9223372036854775809]", "-0"] {
            assert!(!is_plain(&value(text)), "{text}");
        }
    }

    #[test]
    fn a_number_without_a_fraction_is_an_integer() {
        let number = |text| value(text).as_number().cloned().expect("a number");
        for text in ["1", "-1", "1.0", "1e2", "18446744073709551615"] {
            assert!(is_integer(&number(text)), "{text}");
        }
        assert!(!is_integer(&number("1.5")));
    }
}
