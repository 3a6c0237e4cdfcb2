//! Bytes as a case writes them.

use serde::Deserialize;
use serde_json::Value;

/// Bytes: a text, hexadecimal digits, a repetition or a concatenation.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, try_from = "Form")]
pub enum Payload {
    /// The UTF-8 of a text.
    Text(String),
    /// As they are.
    Bytes(Vec<u8>),
    /// The same bytes so many times.
    Repeat(Box<Payload>, usize),
    /// One after the other.
    Concat(Vec<Payload>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Form {
    text: Option<String>,
    hex: Option<String>,
    repeat: Option<Box<Payload>>,
    count: Option<usize>,
    concat: Option<Vec<Payload>>,
}

impl TryFrom<Form> for Payload {
    type Error = String;

    fn try_from(form: Form) -> Result<Payload, String> {
        match form {
            Form {
                text: Some(text),
                hex: None,
                repeat: None,
                count: None,
                concat: None,
            } => Ok(Payload::Text(text)),
            Form {
                text: None,
                hex: Some(hex),
                repeat: None,
                count: None,
                concat: None,
            } => from_hex(&hex).map(Payload::Bytes),
            Form {
                text: None,
                hex: None,
                repeat: Some(unit),
                count: Some(count),
                concat: None,
            } => Ok(Payload::Repeat(unit, count)),
            Form {
                text: None,
                hex: None,
                repeat: None,
                count: None,
                concat: Some(parts),
            } => Ok(Payload::Concat(parts)),
            _ => Err("a payload is exactly one of text, hex, repeat with count, concat".to_owned()),
        }
    }
}

impl Payload {
    /// The bytes.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        match self {
            Payload::Text(text) => text.clone().into_bytes(),
            Payload::Bytes(bytes) => bytes.clone(),
            Payload::Repeat(unit, count) => unit.bytes().repeat(*count),
            Payload::Concat(parts) => parts.iter().flat_map(Payload::bytes).collect(),
        }
    }
}

/// A config as a case gives it: a JSON value, written compactly.
#[must_use]
pub fn json(value: &Value) -> Vec<u8> {
    value.to_string().into_bytes()
}

fn from_hex(digits: &str) -> Result<Vec<u8>, String> {
    if !digits.is_ascii() || !digits.len().is_multiple_of(2) {
        return Err(format!("`{digits}` isn't two hexadecimal digits a byte"));
    }
    (0..digits.len())
        .step_by(2)
        .map(|at| {
            u8::from_str_radix(&digits[at..at + 2], 16)
                .map_err(|problem| format!("`{digits}`: {problem}"))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes_of(json: &str) -> Result<Vec<u8>, String> {
        serde_json::from_str::<Payload>(json)
            .map(|payload| payload.bytes())
            .map_err(|problem| problem.to_string())
    }

    #[test]
    fn each_form_gives_its_bytes() {
        assert_eq!(bytes_of(r#"{"text":"ü"}"#).unwrap(), b"\xc3\xbc");
        assert_eq!(bytes_of(r#"{"hex":"00ff7A"}"#).unwrap(), b"\x00\xff\x7a");
        assert_eq!(
            bytes_of(r#"{"repeat":{"text":"ab"},"count":3}"#).unwrap(),
            b"ababab"
        );
        assert_eq!(
            bytes_of(r#"{"concat":[{"text":"a"},{"repeat":{"hex":"00"},"count":2},{"text":""}]}"#)
                .unwrap(),
            b"a\0\0"
        );
    }

    #[test]
    fn a_payload_that_is_two_things_or_none_is_refused() {
        for json in [
            "{}",
            r#"{"text":"a","hex":"00"}"#,
            r#"{"repeat":{"text":"a"}}"#,
            r#"{"count":1}"#,
            r#"{"hex":"0"}"#,
            r#"{"hex":"zz"}"#,
            r#"{"base64":"AA=="}"#,
        ] {
            assert!(bytes_of(json).is_err(), "{json}");
        }
    }
}
