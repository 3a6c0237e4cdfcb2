//! Whether a typed client's types are the plugin's.

use std::collections::HashMap;
use std::fmt::Write;
use std::sync::OnceLock;

use rustbridge_abi::{Encoding, Status};
use rustbridge_description::types::{Change, Fingerprint, Signature, Table};
use rustbridge_description::{self as description, Description};
use serde_json::Value;

use crate::error::Error;

/// How many differences a message names.
const SHOWN: usize = 3;

/// The types of a plugin's methods, read when the first typed client asks.
#[derive(Debug, Default)]
pub(crate) struct Typed {
    read: OnceLock<Result<Signatures, description::Error>>,
}

/// The methods of a description that speak the wire form.
#[derive(Debug)]
struct Signatures {
    types: Table,
    methods: HashMap<String, Signature>,
}

impl Signatures {
    fn read(text: &[u8]) -> Result<Signatures, description::Error> {
        let description: Description<'_, Value> = Description::read(text)?;
        let types = Table::of(&description)?;
        let mut methods = HashMap::new();
        for method in &description.methods {
            let typed = method
                .entries
                .iter()
                .find(|entry| entry.known() == Some(Encoding::Wire));
            if let Some(entry) = typed {
                methods.insert(method.name.to_string(), Signature::of(&types, entry)?);
            }
        }
        Ok(Signatures { types, methods })
    }
}

impl Typed {
    /// Compares what a client knows of a method with what the plugin says of it, the description `text` of `plugin`. The method is
    /// there in the wire form.
    ///
    /// `contract` is what the client was written from, a description. It's read only if the fingerprints differ.
    pub(crate) fn check(
        &self,
        (plugin, text): (&str, &str),
        method: &str,
        fingerprint: &[u8],
        contract: &[u8],
    ) -> Result<(), Error> {
        let known = Fingerprint::parse(fingerprint).ok_or_else(|| {
            Error::new(
                Status::InvalidArgument,
                "InvalidFingerprint",
                "a fingerprint is 32 hexadecimal digits",
            )
        })?;
        let ours = self
            .read
            .get_or_init(|| Signatures::read(text.as_bytes()))
            .as_ref()
            .map_err(|error| {
                Error::new(
                    Status::FailedPrecondition,
                    "InvalidDescription",
                    error.to_string(),
                )
            })?;
        let Some(signature) = ours.methods.get(method) else {
            return Err(Error::new(
                Status::Unimplemented,
                "NoTypes",
                format!("plugin `{plugin}` doesn't say what types `{method}` has"),
            ));
        };
        if signature.fingerprint(&ours.types) == known {
            return Ok(());
        }
        let refuse = |why: String| {
            Err(Error::new(
                Status::InvalidArgument,
                "InvalidContract",
                format!("what the client knows of `{method}` can't be read: {why}"),
            ))
        };
        let theirs = match Signatures::read(contract) {
            Ok(theirs) => theirs,
            Err(error) => return refuse(error.what().to_owned()),
        };
        let Some(client) = theirs.methods.get(method) else {
            return refuse("it doesn't have the method".to_owned());
        };
        let changes = Signature::compare((&theirs.types, client), (&ours.types, signature));
        if changes.is_empty() {
            return refuse("its fingerprint isn't that of its types".to_owned());
        }
        Err(different(plugin, method, &changes))
    }
}

/// The error of a client whose types aren't the plugin's: those that break it, or if none does, all.
fn different(plugin: &str, method: &str, changes: &[Change]) -> Error {
    let breaking: Vec<&Change> = changes.iter().filter(|change| change.breaks).collect();
    let (told, kind) = if breaking.is_empty() {
        (changes.iter().collect(), "ClientOutdated")
    } else {
        (breaking, "TypesDiffer")
    };
    let mut message = format!(
        "the client was written for another version of plugin `{plugin}`, whose types of `{method}` differ: "
    );
    for (position, change) in told.iter().take(SHOWN).enumerate() {
        let between = if position > 0 { "; " } else { "" };
        // Writing to a string doesn't fail.
        let _ = write!(message, "{between}{change}");
    }
    if told.len() > SHOWN {
        let _ = write!(message, "; and {} more", told.len() - SHOWN);
    }
    message.push_str("; write the client anew with `rustbridge gen`");
    Error::new(Status::FailedPrecondition, kind, message)
}
