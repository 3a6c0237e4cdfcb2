//! Errors with types of their own: in the wire form they are values, elsewhere JSON.

#![cfg(feature = "async")]

use rustbridge::__private::wire::{Encode, to_vec};
use rustbridge::prelude::*;
use serde_json::json;

use crate::host::Loaded;

/// What can be wrong with an account.
#[derive(Debug, thiserror::Error, StatusError)]
enum AccountError {
    #[error("there's no account {name:?}")]
    #[status(NOT_FOUND)]
    Unknown {
        /// Who was asked for.
        name: String,
    },
    #[error("it's locked")]
    #[status(PERMISSION_DENIED)]
    Locked,
    #[error("it has {0}, and {1:?} are too much")]
    #[status(FAILED_PRECONDITION)]
    Overdrawn(i64, Vec<f64>),
    #[error("it can't be read")]
    #[status(DATA_LOSS)]
    Unreadable {
        source: std::num::ParseIntError,
        #[status(skip)]
        _secret: u64,
    },
}

#[derive(Debug, thiserror::Error, StatusError)]
#[error("at most {most}")]
#[status(RESOURCE_EXHAUSTED)]
struct TooMany {
    most: u32,
}

/// One of its fields is for JSON alone.
#[derive(Debug, thiserror::Error, StatusError)]
#[error("no")]
#[status(ABORTED)]
struct Untypable {
    number: serde_json::Number,
}

/// It can't go to another thread, so it isn't kept.
#[derive(Debug, thiserror::Error, StatusError)]
#[error("no")]
#[status(ABORTED)]
struct Bound {
    text: String,
    #[status(skip)]
    _pointer: std::marker::PhantomData<*const u8>,
}

/// A message is a type of messages.
#[derive(Debug, thiserror::Error, StatusError, Message)]
#[error("no")]
#[status(ABORTED)]
struct Both {
    number: u8,
}

#[derive(Debug, thiserror::Error, StatusError)]
#[error("no")]
#[status(ABORTED)]
struct Lent<'a> {
    text: &'a str,
}

/// Errors of others, passed on, before and behind one of its own.
#[derive(Debug, thiserror::Error, StatusError)]
#[status(ABORTED)]
enum TransferError {
    #[error(transparent)]
    #[status(transparent)]
    Account(#[from] AccountError),
    #[error("the same account")]
    Same,
    #[error(transparent)]
    #[status(transparent)]
    Other(#[from] Error),
    #[error("too often: {0}")]
    Often(u8),
}

/// Errors with other errors in them.
#[derive(Debug, thiserror::Error, StatusError)]
#[status(UNAVAILABLE)]
enum ReportError {
    #[error("page {page}: {source}")]
    Account { page: u16, source: AccountError },
    #[error("transfers")]
    Transfer(#[from] TransferError),
    #[error("counts")]
    Untypable(#[source] Untypable),
    #[error("others")]
    Other(#[source] Box<dyn std::error::Error + Send + Sync>),
    #[error("again: {0}")]
    Again(#[source] Box<Self>),
    #[error("a name that the derive uses, too")]
    Named(#[source] wire::Untypable),
}

/// Named like a module of the library.
mod wire {
    #[derive(Debug, thiserror::Error, rustbridge::StatusError)]
    #[error("no")]
    #[status(ABORTED)]
    pub(super) struct Untypable {
        pub(super) number: serde_json::Number,
    }
}

#[derive(Default)]
struct Bank;

#[plugin(export = false)]
impl Bank {
    fn fail(&self, which: u8) -> Result<u32, AccountError> {
        match which {
            0 => Err(AccountError::Unknown { name: "ada".into() }),
            1 => Err(AccountError::Locked),
            2 => Err(AccountError::Overdrawn(-5, vec![1.5, 2.5])),
            3 => Err(AccountError::Unreadable {
                source: "x".parse::<u8>().unwrap_err(),
                _secret: 7,
            }),
            other => Ok(other.into()),
        }
    }

    /// Takes from an account.
    pub fn take(&self, which: u8) -> Result<u32, AccountError> {
        self.fail(which)
    }

    /// The same, when the runtime gets to it.
    pub async fn take_later(&self, which: u8) -> Result<u32, AccountError> {
        std::future::ready(self.fail(which)).await
    }

    pub fn transfer(&self, which: u8) -> Result<u32, TransferError> {
        match which {
            0..4 => Ok(self.fail(which)?),
            4 => Err(TransferError::Same),
            5 => Err(TransferError::Often(3)),
            _ => {
                let error = Error::new(Status::DeadlineExceeded, "too late");
                Err(error.with_type("Late").with_detail("by", 3))?
            }
        }
    }

    pub fn report(&self, which: u8) -> Result<(), ReportError> {
        let Err(source) = self.fail(which) else {
            return match which {
                4 => Err(TransferError::Often(2))?,
                5 => Err(TransferError::Account(AccountError::Unknown {
                    name: "ada".into(),
                }))?,
                8 => Err(TransferError::Other(
                    Error::internal("late").with_detail("by", 3),
                ))?,
                9 => Err(ReportError::Again(Box::new(ReportError::Transfer(
                    TransferError::Same,
                )))),
                10 => Err(ReportError::Named(wire::Untypable { number: 1.into() })),
                6 => Err(ReportError::Untypable(Untypable { number: 1.into() })),
                _ => Err(ReportError::Other("it's late".into())),
            };
        };
        Err(ReportError::Account { page: 7, source })
    }

    pub fn count(&self) -> Result<(), TooMany> {
        Err(TooMany { most: 3 })
    }

    pub fn untyped(&self, which: u8) -> Result<u32> {
        Ok(self.fail(which)?)
    }

    pub fn untypable(&self) -> Result<(), Untypable> {
        Err(Untypable { number: 1.into() })
    }

    pub fn bound(&self) -> Result<(), Bound> {
        Err(Bound {
            text: "x".to_owned(),
            _pointer: std::marker::PhantomData,
        })
    }

    pub fn both(&self) -> Result<Option<Both>, Both> {
        Err(Both { number: 1 })
    }

    pub fn lent(&self) -> Result<(), Lent<'static>> {
        Err(Lent { text: "x" })
    }
}

/// The payload of an error with a type.
pub(crate) fn payload<T: Encode>(
    status: Status,
    message: &str,
    type_name: &str,
    value: &T,
) -> Vec<u8> {
    let mut bytes = vec![1, 0, 0, 0];
    bytes.extend(status.code().to_le_bytes());
    bytes.extend(to_vec(&(message.to_owned(), type_name.to_owned())).unwrap());
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    bytes.extend(to_vec(value).unwrap());
    bytes
}

#[test]
fn in_the_wire_form_it_is_a_value() {
    let loaded = Loaded::new::<Bank>();
    for method in ["take", "take_later"] {
        let fail = |which: u8| loaded.call(method, Encoding::Wire, &[which]);
        let cases = [
            (
                Status::NotFound,
                "there's no account \"ada\"",
                "AccountError.Unknown",
                to_vec(&(0_u16, "ada".to_owned())).unwrap(),
            ),
            (
                Status::PermissionDenied,
                "it's locked",
                "AccountError.Locked",
                to_vec(&1_u16).unwrap(),
            ),
            (
                Status::FailedPrecondition,
                "it has -5, and [1.5, 2.5] are too much",
                "AccountError.Overdrawn",
                to_vec(&(2_u16, -5_i64, vec![1.5, 2.5])).unwrap(),
            ),
            (
                Status::DataLoss,
                "it can't be read",
                "AccountError.Unreadable",
                to_vec(&(3_u16, "invalid digit found in string".to_owned())).unwrap(),
            ),
        ];
        for (which, (status, message, type_name, value)) in (0..).zip(cases) {
            let answer = fail(which);
            let mut expected = payload(status, message, type_name, &());
            expected.extend(value);
            assert_eq!(
                (answer.status, &answer.bytes),
                (status, &expected),
                "{method} {which}"
            );
        }
        assert_eq!(fail(9).status, Status::Ok);
    }
    let answer = loaded.call("count", Encoding::Wire, &[]);
    let expected = payload(Status::ResourceExhausted, "at most 3", "TooMany", &3_u32);
    assert_eq!(
        (answer.status, answer.bytes),
        (Status::ResourceExhausted, expected)
    );
}

#[test]
fn a_source_with_a_type_is_a_value_in_the_error() {
    let loaded = Loaded::new::<Bank>();
    let wire = |which: u8| loaded.call("report", Encoding::Wire, &[which]);
    let payload = |message: &str, variant: &str, value: Vec<u8>| {
        let name = format!("ReportError.{variant}");
        let mut bytes = payload(Status::Unavailable, message, &name, &());
        bytes.extend(value);
        bytes
    };
    let text = |text: &str| text.to_owned();
    for (which, message, variant, value) in [
        (
            0,
            "page 7: there's no account \"ada\"",
            "Account",
            to_vec(&(0_u16, 7_u16, 0_u16, text("ada"))).unwrap(),
        ),
        (
            1,
            "page 7: it's locked",
            "Account",
            to_vec(&(0_u16, 7_u16, 1_u16)).unwrap(),
        ),
        (
            4,
            "transfers",
            "Transfer",
            to_vec(&(1_u16, 1_u16, 2_u8)).unwrap(),
        ),
        // Its fields have no wire format, so it's a text.
        (
            6,
            "counts",
            "Untypable",
            to_vec(&(2_u16, text("no"))).unwrap(),
        ),
        (
            7,
            "others",
            "Other",
            to_vec(&(3_u16, text("it's late"))).unwrap(),
        ),
    ] {
        assert_eq!(
            wire(which).bytes,
            payload(message, variant, value),
            "{which}"
        );
    }
    let described = loaded.described("report", Encoding::Wire).unwrap();
    let types = &loaded.description()["types"];
    let number = |ty: &serde_json::Value| ty["ref"].as_u64().unwrap() as usize;
    let variants = &types[number(&described["error"]["type"])]["enum"]["variants"];
    let source = &variants[0]["fields"][1];
    assert_eq!(source["name"], "source");
    assert_eq!(types[number(&source["type"])]["name"], "AccountError");
    assert_eq!(
        types[number(&variants[1]["tuple"][0])]["name"],
        "TransferError"
    );
    assert_eq!(variants[2]["tuple"], json!(["string"]));
    assert_eq!(variants[3]["tuple"], json!(["string"]));
}

#[test]
fn a_source_with_a_status_is_an_error_in_json() {
    let loaded = Loaded::new::<Bank>();
    let details = |which: u8| loaded.json("report", &which.to_string()).json()["details"].clone();
    let unknown = json!({"code": "NOT_FOUND", "message": "there's no account \"ada\"", "type": "AccountError.Unknown",
        "details": {"name": "ada"}});
    assert_eq!(details(0), json!({"page": 7, "source": unknown}));
    let locked = json!({"code": "PERMISSION_DENIED", "message": "it's locked", "type": "AccountError.Locked"});
    assert_eq!(details(1), json!({"page": 7, "source": locked}));
    assert_eq!(details(7), json!({"0": "it's late"}));
    // A source that is another error's wrapper isn't a value of its own type, so the whole error is JSON.
    let wire = loaded.call("report", Encoding::Wire, &[5]).json();
    assert_eq!(wire["type"], "ReportError.Transfer");
    assert_eq!(wire["details"]["0"], unknown);
    let internal =
        json!({"code": "INTERNAL", "message": "late", "type": "Error", "details": {"by": 3}});
    assert_eq!(details(8), json!({"0": internal}));
    assert_eq!(details(9), json!({"0": "transfers"}));
    assert_eq!(details(10)["0"]["type"], "Untypable");
}

#[test]
fn an_error_that_is_passed_on_is_the_one_inside() {
    let loaded = Loaded::new::<Bank>();
    let wire = |which: u8| loaded.call("transfer", Encoding::Wire, &[which]);
    let late = json!({"code": "DEADLINE_EXCEEDED", "message": "too late", "type": "Late", "details": {"by": 3}});
    let unknown = json!({"code": "NOT_FOUND", "message": "there's no account \"ada\"", "type": "AccountError.Unknown", "details": {"name": "ada"}});
    for (which, expected) in [(0, &unknown), (6, &late)] {
        assert_eq!(
            loaded.json("transfer", &which.to_string()).json(),
            *expected
        );
        // It has another type than the method's errors.
        assert_eq!(wire(which).json(), *expected);
    }
    assert_eq!(wire(6).status, Status::DeadlineExceeded);
    // The method's own are numbered without those.
    for (which, message, type_name, value) in [
        (
            4,
            "the same account",
            "TransferError.Same",
            to_vec(&0_u16).unwrap(),
        ),
        (
            5,
            "too often: 3",
            "TransferError.Often",
            to_vec(&(1_u16, 3_u8)).unwrap(),
        ),
    ] {
        let mut expected = payload(Status::Aborted, message, type_name, &());
        expected.extend(value);
        assert_eq!(wire(which).bytes, expected);
    }
    let described = loaded.described("transfer", Encoding::Wire).unwrap();
    let number = described["error"]["type"]["ref"].as_u64().unwrap() as usize;
    assert_eq!(
        loaded.description()["types"][number]["enum"]["variants"],
        json!([
            {"name": "Same", "status": "ABORTED"},
            {"name": "Often", "status": "ABORTED", "tuple": ["u8"]},
        ])
    );
}

#[test]
fn elsewhere_and_without_a_type_it_is_json() {
    let loaded = Loaded::new::<Bank>();
    let expected = json!({"code": "NOT_FOUND", "message": "there's no account \"ada\"", "type": "AccountError.Unknown", "details": {"name": "ada"}});
    assert_eq!(loaded.json("take", "0").json(), expected);
    assert_eq!(loaded.json("untyped", "0").json(), expected);
    // Whoever fails with any error hasn't said with which.
    assert_eq!(
        loaded.call("untyped", Encoding::Wire, &[0]).json(),
        expected
    );
    let details = json!({"source": "invalid digit found in string"});
    assert_eq!(loaded.json("take", "3").json()["details"], details);
    let bound = loaded.call("bound", Encoding::Wire, &[]).json();
    assert_eq!(bound["details"], json!({"text": "x"}));
    let both = loaded.call("both", Encoding::Wire, &[]).json();
    assert_eq!(both["details"], json!({"number": 1}));
    let lent = loaded.call("lent", Encoding::Wire, &[]).json();
    assert_eq!(lent["details"], json!({"text": "x"}));
    let request = loaded.call("take", Encoding::Wire, &[]).json();
    assert_eq!(request["type"], "rustbridge.InvalidRequest");
}

#[test]
fn the_description_says_what_it_is() {
    let loaded = Loaded::new::<Bank>();
    let error = |method, encoding| {
        loaded
            .described(method, encoding)
            .unwrap()
            .get("error")
            .cloned()
    };
    assert_eq!(error("take", Encoding::Json), None);
    for method in ["untyped", "both", "lent"] {
        assert_eq!(error(method, Encoding::Wire), None, "{method}");
    }
    assert_eq!(
        error("take", Encoding::Wire),
        error("take_later", Encoding::Wire)
    );
    let reference = error("take", Encoding::Wire).unwrap();
    let number = reference["type"]["ref"].as_u64().unwrap() as usize;
    let described = &loaded.description()["types"][number];
    assert_eq!(described["name"], "AccountError");
    assert_eq!(described["doc"], "What can be wrong with an account.");
    assert_eq!(described.get("status"), None);
    assert_eq!(
        described["enum"]["variants"],
        json!([
            {"name": "Unknown", "status": "NOT_FOUND", "fields": [{"name": "name", "type": "string", "doc": "Who was asked for."}]},
            {"name": "Locked", "status": "PERMISSION_DENIED"},
            {"name": "Overdrawn", "status": "FAILED_PRECONDITION", "tuple": ["i64", {"list": "f64"}]},
            {"name": "Unreadable", "status": "DATA_LOSS", "fields": [{"name": "source", "type": "string"}]},
        ])
    );
}

#[test]
fn an_error_that_was_added_to_is_no_longer_of_its_type() {
    let error = Error::from(TooMany { most: 3 }).with_detail("more", true);
    assert_eq!(json!(error.details()), json!({"most": 3, "more": true}));
}

/// An error that borrows static texts, which no host can throw.
#[derive(Debug, thiserror::Error, StatusError)]
enum Borrowing {
    #[error("{what}: {more:?}")]
    #[status(NOT_FOUND)]
    Missing {
        what: &'static str,
        more: Option<&'static str>,
        text: std::borrow::Cow<'static, str>,
    },
}

#[test]
fn an_error_may_borrow_static_texts() {
    let error = Error::from(Borrowing::Missing {
        what: "a page",
        more: None,
        text: "text".into(),
    });
    assert_eq!(error.details()["what"], "a page");
    assert_eq!(error.details()["text"], "text");
}
