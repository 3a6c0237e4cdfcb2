//! Errors of the author's that panic themselves, when somebody wants to know more of them or in their destructor: that's an answer
//! like any other panic's, wherever the error comes from, and never the host's end.

use std::iter;

use rustbridge::prelude::*;
use serde::{Serialize, Serializer};

use crate::host::{Answer, Loaded, Options};

/// What can't be asked what it is.
#[derive(Debug)]
struct Unspeakable;

impl Serialize for Unspeakable {
    fn serialize<S: Serializer>(&self, _serializer: S) -> Result<S::Ok, S::Error> {
        panic!("asked on purpose")
    }
}

#[derive(Debug, thiserror::Error, StatusError)]
#[error("don't ask")]
#[status(NOT_FOUND)]
struct Fragile {
    inside: Unspeakable,
}

/// What can't be dropped.
#[derive(Debug, Serialize)]
struct Loud(u8);

impl Drop for Loud {
    fn drop(&mut self) {
        panic!("dropped on purpose")
    }
}

#[derive(Debug, thiserror::Error, StatusError)]
#[error("don't drop")]
#[status(ABORTED)]
struct Leaving {
    inside: Loud,
}

fn fail(which: &str) -> Error {
    match which {
        "ask" => Fragile {
            inside: Unspeakable,
        }
        .into(),
        _ => Leaving { inside: Loud(1) }.into(),
    }
}

struct Failing;

#[plugin(export = false)]
impl Failing {
    pub fn create(config: String) -> Result<Failing> {
        match &*config {
            "" => Ok(Failing),
            which => Err(fail(which)),
        }
    }

    pub fn once(&self, which: String) -> Result<u8> {
        Err(fail(&which))
    }

    pub fn several(&self, which: String) -> Result<impl Iterator<Item = u8> + use<>> {
        Err::<iter::Empty<u8>, _>(fail(&which))
    }

    pub fn later(&self, which: String) -> impl Iterator<Item = Result<u8>> + use<> {
        iter::once(Err(fail(&which)))
    }
}

fn is_panic(answer: &Answer, which: &str) {
    assert!(answer.panicked, "{answer:?}");
    assert_eq!(answer.status, Status::Internal);
    let json = answer.json();
    assert_eq!(json["type"], "panic");
    let wanted = match which {
        "ask" => "asked on purpose",
        _ => "dropped on purpose",
    };
    assert_eq!(json["message"], wanted);
}

#[test]
fn a_call_whose_error_panics_answers_with_the_panic() {
    let failing = Loaded::with::<Failing>(&Options {
        config: r#""""#,
        ..Options::default()
    });
    for which in ["ask", "drop"] {
        is_panic(&failing.json("once", &format!("{which:?}")), which);
    }
}

#[test]
fn a_plugin_whose_error_panics_when_it_is_made_is_refused_with_the_panic() {
    for which in ["ask", "drop"] {
        let answer = Loaded::try_new::<Failing>(&Options {
            config: &format!("{which:?}"),
            ..Options::default()
        });
        is_panic(&answer.err().unwrap(), which);
    }
}

#[test]
fn a_stream_whose_error_panics_answers_with_the_panic() {
    let failing = Loaded::with::<Failing>(&Options {
        config: r#""""#,
        ..Options::default()
    });
    for which in ["ask", "drop"] {
        let started = failing.start_json("several", &format!("{which:?}"));
        is_panic(&started.over(), which);
        let stream = failing.start_json("later", &format!("{which:?}")).pending();
        stream.demand(1, 1 << 20);
        is_panic(&stream.wait(), which);
    }
}
