//! Whether what a host got is what was expected. Each judgement is an error that says what differs, or nothing.

use rustbridge_abi::Status;
use serde_json::{Value, json};

use crate::call::{Check, Expect, ExpectedError, Response, Stage};
use crate::cases::Record;
use crate::json::{self, same};

/// What a host got from loading, from a call, or from closing.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The status.
    pub status: Status,
    /// Where a failure appeared, if the host can tell.
    pub stage: Option<Stage>,
    /// The response, or the error's payload.
    pub bytes: Vec<u8>,
}

impl Answer {
    /// A success.
    #[must_use]
    pub fn ok(bytes: Vec<u8>) -> Answer {
        Answer {
            status: Status::Ok,
            stage: None,
            bytes,
        }
    }
}

/// What a host's logger got.
#[derive(Clone, Debug)]
pub struct LogEntry {
    /// The level's name, e.g. `INFO`.
    pub level: String,
    /// The part of the plugin.
    pub target: String,
    /// What it says.
    pub message: String,
    /// The fields: a JSON object, or empty.
    pub fields: String,
    /// The spans: a JSON list of objects with a `name`, or empty.
    pub spans: String,
}

/// Judges an answer.
///
/// # Errors
/// What differs.
pub fn answer(expect: &Expect, found: &Answer) -> Result<(), String> {
    if found.status != expect.status {
        return Err(format!(
            "expected {}, found {} with {}",
            expect.status,
            found.status,
            shown(&found.bytes)
        ));
    }
    if found.status == Status::Ok {
        return match &expect.response {
            Some(response) => self::response(response, &found.bytes),
            None => Ok(()),
        };
    }
    if let (Some(wanted), Some(stage)) = (expect.stage, found.stage)
        && wanted != stage
    {
        return Err(format!(
            "expected to fail at {wanted:?}, but failed at {stage:?}"
        ));
    }
    error(expect.status, expect.error.as_ref(), &found.bytes)
}

/// Judges a response.
///
/// # Errors
/// What differs.
pub fn response(expected: &Response, found: &[u8]) -> Result<(), String> {
    match expected {
        Response::Exact(payload) => {
            let expected = payload.bytes();
            if expected == found {
                return Ok(());
            }
            let at = expected
                .iter()
                .zip(found)
                .position(|(expected, found)| expected != found)
                .unwrap_or(expected.len().min(found.len()));
            Err(format!(
                "expected {} bytes {}, found {} bytes {}, which differ at {at}",
                expected.len(),
                shown(&expected),
                found.len(),
                shown(found)
            ))
        }
        Response::Json(form) => {
            let value = parsed(found)?;
            if same(&form.json, &value) {
                Ok(())
            } else {
                Err(format!("expected {}, found {}", form.json, shown(found)))
            }
        }
        Response::Checks(form) => checks(&form.checks, &parsed(found)?),
    }
}

/// Judges an error's payload: always one object with code, message and type, whatever else is expected.
fn error(status: Status, expected: Option<&ExpectedError>, payload: &[u8]) -> Result<(), String> {
    let value = parsed(payload)?;
    let field = |name: &str| {
        value[name]
            .as_str()
            .ok_or_else(|| format!("the payload has no text `{name}`: {}", shown(payload)))
    };
    let (code, message, type_name) = (field("code")?, field("message")?, field("type")?);
    if code != status.name() {
        return Err(format!(
            "the status is {status} and the payload's code {code}"
        ));
    }
    if let Some(odd) = value.as_object().and_then(|object| {
        object.keys().find(|name| {
            !["code", "message", "type", "details", "backtrace"].contains(&name.as_str())
        })
    }) {
        return Err(format!("the payload has a field `{odd}`"));
    }
    let Some(expected) = expected else {
        return Ok(());
    };
    if let Some(wanted) = &expected.type_name
        && wanted != type_name
    {
        return Err(format!(
            "expected the type {wanted}, found {type_name}: {message}"
        ));
    }
    if let Some(wanted) = &expected.message
        && wanted != message
    {
        return Err(format!(
            "expected the message {wanted:?}, found {message:?}"
        ));
    }
    for part in &expected.message_contains {
        if !message.contains(part) {
            return Err(format!(
                "expected {part:?} in the message, which is {message:?}"
            ));
        }
    }
    // Typed languages have an empty map for both, so the two are the same.
    let details = value
        .get("details")
        .filter(|details| **details != json!({}));
    if let Some(wanted) = &expected.details
        && !same(wanted, details.unwrap_or(&json!({})))
    {
        return Err(format!("expected the details {wanted}, found {details:?}"));
    }
    if expected.no_details && details.is_some() {
        return Err(format!("expected no details, found {details:?}"));
    }
    checks(&expected.checks, &value)
}

fn checks(checks: &[Check], value: &Value) -> Result<(), String> {
    checks.iter().try_for_each(|check| one_check(check, value))
}

fn one_check(check: &Check, value: &Value) -> Result<(), String> {
    let mut place = Some(value);
    for part in check.path.split('.').filter(|part| !part.is_empty()) {
        place = place.and_then(|value| match value {
            Value::Array(items) => items.get(part.parse::<usize>().ok()?),
            value => value.get(part),
        });
    }
    let path = &check.path;
    let Some(found) = place else {
        return if check.absent {
            Ok(())
        } else {
            Err(format!("there's nothing at `{path}`"))
        };
    };
    let holds = if check.absent {
        false
    } else if let Some(wanted) = &check.equals {
        same(wanted, found)
    } else if let Some(wanted) = check.length {
        let length = match found {
            Value::Array(items) => Some(items.len()),
            Value::Object(members) => Some(members.len()),
            Value::String(text) => Some(text.chars().count()),
            _ => None,
        };
        length == Some(wanted)
    } else if let Some(wanted) = &check.kind {
        is_of_type(found, wanted)
    } else if let Some(least) = check.min {
        found.as_f64().is_some_and(|number| number >= least)
    } else if let Some(part) = &check.contains {
        found
            .as_str()
            .is_some_and(|text| text.contains(part.as_str()))
    } else {
        true
    };
    if holds {
        Ok(())
    } else {
        Err(format!(
            "`{path}` is {}, but {check:?}",
            shown(found.to_string().as_bytes())
        ))
    }
}

fn is_of_type(value: &Value, name: &str) -> bool {
    match value {
        Value::Null => name == "null",
        Value::Bool(_) => name == "boolean",
        Value::String(_) => name == "string",
        Value::Array(_) => name == "array",
        Value::Object(_) => name == "object",
        Value::Number(number) => name == "number" || name == "integer" && json::is_integer(number),
    }
}

/// Judges the records an instance's sink got: events alone.
///
/// # Errors
/// What differs.
pub fn records(expected: &[Record], found: &[LogEntry]) -> Result<(), String> {
    for (index, (expected, found)) in expected.iter().zip(found).enumerate() {
        record(expected, found).map_err(|problem| format!("record {index}: {problem}"))?;
    }
    if expected.len() == found.len() {
        Ok(())
    } else {
        Err(format!(
            "expected {} records, found {}; the first that one side lacks: {:?} / {:?}",
            expected.len(),
            found.len(),
            expected.get(found.len()),
            found.get(expected.len())
        ))
    }
}

fn record(expected: &Record, found: &LogEntry) -> Result<(), String> {
    if (expected.level.name(), expected.message.as_str())
        != (found.level.as_str(), found.message.as_str())
    {
        return Err(format!(
            "expected {} {:?}, found {} {:?}",
            expected.level, expected.message, found.level, found.message
        ));
    }
    if let Some(target) = &expected.target
        && *target != found.target
    {
        return Err(format!(
            "expected the target {target}, found {}",
            found.target
        ));
    }
    if let Some(fields) = &expected.fields
        && !same(fields, &parsed_or(&found.fields, "{}")?)
    {
        return Err(format!(
            "expected the fields {fields}, found {}",
            found.fields
        ));
    }
    if let Some(spans) = &expected.spans {
        let names: Vec<Value> = parsed_or(&found.spans, "[]")?
            .as_array()
            .ok_or("the spans are no list")?
            .iter()
            .map(|span| span["name"].clone())
            .collect();
        if names != *spans {
            return Err(format!(
                "expected the spans {spans:?}, found {}",
                found.spans
            ));
        }
    }
    Ok(())
}

fn parsed_or(text: &str, empty: &str) -> Result<Value, String> {
    parsed(if text.is_empty() { empty } else { text }.as_bytes())
}

fn parsed(bytes: &[u8]) -> Result<Value, String> {
    json::parse(bytes)
        .map_err(|problem| format!("expected JSON, found {}: {problem}", shown(bytes)))
}

/// Bytes for a message: as text where they are text, cut where they are long.
#[must_use]
pub fn shown(bytes: &[u8]) -> String {
    const MOST: usize = 300;
    let head = &bytes[..bytes.len().min(MOST)];
    let mut text = match std::str::from_utf8(head) {
        Ok(text) => text.to_owned(),
        Err(_) => head.escape_ascii().to_string(),
    };
    if bytes.len() > MOST {
        text.push_str(&format!("… ({} bytes)", bytes.len()));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expect(form: Value) -> Expect {
        serde_json::from_value(form).expect("an expectation")
    }

    fn failed(status: Status, payload: &str) -> Answer {
        Answer {
            status,
            stage: Some(Stage::Call),
            bytes: payload.as_bytes().to_vec(),
        }
    }

    #[test]
    fn a_response_that_differs_in_one_byte_is_refused() {
        let exact = expect(json!({"status": "OK", "response": {"text": "abc"}}));
        assert!(answer(&exact, &Answer::ok(b"abc".to_vec())).is_ok());
        assert!(
            answer(&exact, &Answer::ok(b"abd".to_vec()))
                .unwrap_err()
                .contains("differ at 2")
        );
        assert!(answer(&exact, &Answer::ok(b"abcd".to_vec())).is_err());
        assert!(answer(&exact, &Answer::ok(Vec::new())).is_err());
    }

    #[test]
    fn a_failure_is_judged_by_status_stage_type_message_and_details() {
        let wanted = expect(json!({"status": "NOT_FOUND", "stage": "call", "error": {
            "type": "A.B", "message_contains": ["no"], "details": {"x": 1},
            "checks": [{"path": "details.x", "min": 1}]}}));
        let good = r#"{"code":"NOT_FOUND","message":"no such","type":"A.B","details":{"x":1}}"#;
        assert_eq!(answer(&wanted, &failed(Status::NotFound, good)), Ok(()));
        for bad in [
            "",
            "not json",
            r#"{"code":"NOT_FOUND","message":"no such","type":"A.C","details":{"x":1}}"#,
            r#"{"code":"NOT_FOUND","message":"some such","type":"A.B","details":{"x":1}}"#,
            r#"{"code":"NOT_FOUND","message":"no such","type":"A.B","details":{"x":2}}"#,
            r#"{"code":"NOT_FOUND","message":"no such","type":"A.B"}"#,
            r#"{"code":"INTERNAL","message":"no such","type":"A.B","details":{"x":1}}"#,
            r#"{"code":"NOT_FOUND","message":"no such","type":"A.B","details":{"x":1},"extra":0}"#,
        ] {
            assert!(
                answer(&wanted, &failed(Status::NotFound, bad)).is_err(),
                "{bad}"
            );
        }
        assert!(answer(&wanted, &failed(Status::Internal, good)).is_err());
        let elsewhere = Answer {
            stage: Some(Stage::Prepare),
            ..failed(Status::NotFound, good)
        };
        assert!(answer(&wanted, &elsewhere).is_err());
    }

    #[test]
    fn empty_details_and_none_are_the_same() {
        let bare = r#"{"code":"ABORTED","message":"m","type":"T"}"#;
        let empty = r#"{"code":"ABORTED","message":"m","type":"T","details":{}}"#;
        for error in [json!({"details": {}}), json!({"no_details": true})] {
            let wanted = expect(json!({"status": "ABORTED", "error": error}));
            for payload in [bare, empty] {
                let found = failed(Status::Aborted, payload);
                assert_eq!(answer(&wanted, &found), Ok(()), "{payload}");
            }
        }
        let wanted = expect(json!({"status": "ABORTED", "error": {"details": {"x": 1}}}));
        assert!(answer(&wanted, &failed(Status::Aborted, empty)).is_err());
    }

    #[test]
    fn an_error_is_judged_even_if_the_case_says_nothing_of_it() {
        let wanted = expect(json!({"status": "ABORTED"}));
        for bad in [
            r#"{"code":"ABORTED","message":"m"}"#,
            r#"{"code":"ABORTED","type":"T"}"#,
            r#"{"code":"INTERNAL","message":"m","type":"T"}"#,
            r#"{"code":"ABORTED","message":"m","type":"T","message":"n"}"#,
            r#""ABORTED""#,
        ] {
            assert!(
                answer(&wanted, &failed(Status::Aborted, bad)).is_err(),
                "{bad}"
            );
        }
    }

    #[test]
    fn a_response_that_names_a_member_twice_is_refused() {
        let wanted = expect(json!({"status": "OK", "response": {"json": {"a": 2}}}));
        assert!(answer(&wanted, &Answer::ok(br#"{"a":2}"#.to_vec())).is_ok());
        assert!(answer(&wanted, &Answer::ok(br#"{"a":1,"a":2}"#.to_vec())).is_err());
    }

    #[test]
    fn a_check_that_does_not_hold_is_refused() {
        let value = json!({"list": [{"name": "ü1"}], "n": 2, "x": 1.5, "whole": 3.0, "none": null});
        let holds = |check: Value| {
            one_check(&serde_json::from_value(check).expect("a check"), &value).is_ok()
        };
        for check in [
            json!({"path": "list.0.name", "equals": "ü1"}),
            json!({"path": "list", "length": 1}),
            json!({"path": "list.0.name", "length": 2}),
            json!({"path": "n", "type": "integer"}),
            json!({"path": "whole", "type": "integer"}),
            json!({"path": "n", "equals": 2.0}),
            json!({"path": "x", "type": "number"}),
            json!({"path": "none", "equals": null}),
            json!({"path": "list.1", "absent": true}),
            json!({"path": "", "type": "object"}),
        ] {
            assert!(holds(check.clone()), "{check}");
        }
        for check in [
            json!({"path": "list.1"}),
            json!({"path": "list", "length": 2}),
            json!({"path": "x", "type": "integer"}),
            json!({"path": "n", "equals": null}),
            json!({"path": "n", "min": 3}),
            json!({"path": "list.0.name", "contains": "2"}),
            json!({"path": "n", "absent": true}),
        ] {
            assert!(!holds(check.clone()), "{check}");
        }
    }
}
