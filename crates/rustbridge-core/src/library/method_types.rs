//! Whether a typed client's types are the plugin's.

use std::collections::HashMap;
use std::fmt::Write;
use std::sync::OnceLock;

use rustbridge_abi::Status;
use rustbridge_description::types::{
    Change, Fingerprint, Resolution, Signature, Table, typed_entries, typed_entry,
};
use rustbridge_description::{self as description, Description, Entry};
use serde_json::Value;

use crate::error::Error;

/// How many differences a message names.
const SHOWN: usize = 3;

/// The types of a plugin's methods, read when the first typed client asks.
#[derive(Debug, Default)]
pub(crate) struct MethodTypes {
    read: OnceLock<Result<Signatures, description::Error>>,
}

/// What a client's types of a method are to the plugin's.
pub(crate) enum TypeComparison {
    /// The same.
    Same {
        /// Of the plugin's raw entry.
        is_raw: bool,
    },
    /// Others, and messages of one are resolved to the other's.
    Resolved {
        /// Of the plugin's raw entry.
        is_raw: bool,
        resolution: Box<Resolution>,
        /// For people: what differs.
        what: String,
    },
}

/// The methods of a description that clients with types call.
#[derive(Debug)]
struct Signatures {
    types: Table,
    /// Of each method those that it has: in the wire form, and raw.
    methods: HashMap<String, Vec<Signature>>,
}

impl Signatures {
    fn read(text: &[u8]) -> Result<Signatures, description::Error> {
        let description: Description<'_, Value> = Description::read(text)?;
        let types = Table::of(&description)?;
        let mut methods = HashMap::new();
        for method in &description.methods {
            let of_method: Vec<Signature> = typed_entries(&method.entries)
                .map(|entry| Signature::of(&types, entry))
                .collect::<Result<_, _>>()?;
            if !of_method.is_empty() {
                methods.insert(method.name.to_string(), of_method);
            }
        }
        Ok(Signatures { types, methods })
    }
}

/// What a client knows of a method that the plugin doesn't have, and the version that it was written for; `None` if it doesn't know it either,
/// doesn't say so in a way that can be read, or was written for a plugin of another name.
pub(super) fn known<'c>(
    plugin: &str,
    method: &str,
    fingerprint: &[u8],
    client_schema: &'c [u8],
) -> Option<(Entry<'c, Value>, String)> {
    Fingerprint::parse(fingerprint)?;
    let client: Description<'c, Value> = Description::read(client_schema).ok()?;
    if client.name != plugin {
        return None;
    }
    let entry = client
        .methods
        .into_iter()
        .find(|known| known.name == method)
        .and_then(|known| typed_entry(&known.entries).cloned());
    let version = client.version.into_owned();
    Some((entry?, version))
}

impl MethodTypes {
    /// Compares a client's types of a method with those in `text`, the description of `plugin`. The plugin has the method, in the
    /// wire format or raw.
    ///
    /// `client_schema` is read only if the fingerprints differ.
    pub(crate) fn check(
        &self,
        (plugin, text): (&str, &str),
        method: &str,
        fingerprint: &[u8],
        client_schema: &[u8],
    ) -> Result<TypeComparison, Error> {
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
        let Some(signatures) = ours.methods.get(method) else {
            return Err(Error::new(
                Status::Unimplemented,
                "NoTypes",
                format!("plugin `{plugin}` has no types for `{method}`"),
            ));
        };
        let mut own = signatures.iter();
        if let Some(same) = own.find(|own| own.fingerprint(&ours.types) == known) {
            return Ok(TypeComparison::Same {
                is_raw: same.is_raw,
            });
        }
        let refuse = |why: &str| {
            Err(Error::new(
                Status::InvalidArgument,
                "InvalidClientSchema",
                format!("the client schema of `{method}` can't be read: {why}"),
            ))
        };
        let theirs = match Signatures::read(client_schema) {
            Ok(theirs) => theirs,
            Err(error) => return refuse(error.what()),
        };
        let Some(client) = theirs.methods.get(method).and_then(|all| all.first()) else {
            return refuse("it doesn't have the method");
        };
        let alike = signatures.iter().find(|own| own.is_raw == client.is_raw);
        let Some(signature) = alike.or(signatures.first()) else {
            return refuse("the plugin has no types for it");
        };
        let is_its_own = client.fingerprint(&theirs.types) == known;
        let (client, ours) = ((&theirs.types, client), (&ours.types, signature));
        match Signature::resolve(client, ours) {
            Ok(_) if !is_its_own => refuse("its fingerprint doesn't match its types"),
            Ok(resolution) => Ok(TypeComparison::Resolved {
                is_raw: signature.is_raw,
                resolution: Box::new(resolution),
                what: told(Signature::compare(client, ours).iter()),
            }),
            Err(changes) => Err(different(plugin, method, &changes)),
        }
    }
}

/// The error of a client whose types can't be brought together with the plugin's: what breaks it.
pub(super) fn different(plugin: &str, name: &str, changes: &[Change]) -> Error {
    let told = told(changes.iter().filter(|change| change.breaks()));
    Error::new(
        Status::FailedPrecondition,
        "TypesDiffer",
        format!(
            "the client was generated for another version of plugin `{plugin}`, and the types of `{name}` are incompatible: {told}; regenerate the client with `rustbridge gen`"
        ),
    )
}

/// The first of what is different.
pub(super) fn told<'c>(changes: impl Iterator<Item = &'c Change> + Clone) -> String {
    let mut message = String::new();
    for (position, change) in changes.clone().take(SHOWN).enumerate() {
        let between = if position > 0 { "; " } else { "" };
        // Writing to a string doesn't fail.
        let _ = write!(message, "{between}{change}");
    }
    let count = changes.count();
    if count > SHOWN {
        let _ = write!(message, "; and {} more", count - SHOWN);
    }
    message
}
