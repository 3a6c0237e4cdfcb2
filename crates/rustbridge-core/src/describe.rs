//! What the core reads of a plugin's description. The rest is passed on to hosts byte for byte.

use std::collections::HashMap;
use std::sync::Arc;

use rustbridge_abi::{Encoding, Status};
use serde::Deserialize;

use crate::error::Error;

/// The part of an entry token that is the index in the plugin's table.
pub(crate) const INDEX_BITS: u32 = 0x7fff;
/// The part of an entry token that says "leaf", for hosts that choose their kind of call by it.
pub(crate) const ENTRY_LEAF: u32 = 0x8000;

/// In an entry's flag byte and in [`Prepared::flags`](crate::instance::Prepared::flags): the method is leaf.
pub(crate) const FLAG_LEAF: u8 = 1;
/// In an entry's flag byte and in [`Prepared::flags`](crate::instance::Prepared::flags): the handler is async.
pub(crate) const FLAG_ASYNC: u8 = 2;
/// In an entry's flag byte: the description names this index.
const FLAG_PRESENT: u8 = 0x80;

/// A plugin's description, as read.
#[derive(Debug)]
pub(crate) struct Description {
    pub(crate) text: Arc<str>,
    pub(crate) name: String,
    pub(crate) version: String,
    methods: Vec<Method>,
    by_name: HashMap<String, usize>,
    by_id: HashMap<u32, usize>,
    /// One byte for each index up to the largest. Never freed, as a mapping never is: the slots point to it.
    pub(crate) flags: &'static [u8],
    /// Which method an index belongs to, for reports.
    by_index: HashMap<u16, (usize, Encoding)>,
}

#[derive(Debug)]
pub(crate) struct Method {
    pub(crate) name: String,
    entries: Vec<Entry>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) index: u16,
    pub(crate) encoding: Encoding,
    pub(crate) flags: u8,
    pub(crate) request_size: Option<usize>,
    pub(crate) response_size: Option<usize>,
}

#[derive(Deserialize)]
struct RawDescription {
    name: String,
    #[serde(default)]
    version: String,
    #[serde(default)]
    methods: Vec<RawMethod>,
}

#[derive(Deserialize)]
struct RawMethod {
    name: String,
    #[serde(default)]
    id: Option<u32>,
    #[serde(default)]
    entries: Vec<RawEntry>,
}

#[derive(Deserialize)]
struct RawEntry {
    index: u32,
    encoding: String,
    #[serde(default)]
    leaf: bool,
    #[serde(default, rename = "async")]
    is_async: bool,
    #[serde(default)]
    request: Option<RawSide>,
    #[serde(default)]
    response: Option<RawSide>,
}

#[derive(Deserialize)]
struct RawSide {
    #[serde(default)]
    layout: Option<RawLayout>,
}

#[derive(Deserialize)]
struct RawLayout {
    size: usize,
}

fn refuse(what: impl std::fmt::Display) -> Error {
    Error::new(
        Status::FailedPrecondition,
        "InvalidDescription",
        format!(
            "the plugin's description can't be used: {what}; this has to be mended in the plugin"
        ),
    )
}

impl Description {
    /// Reads a description. Unknown fields, and entries in an encoding of a later version, are passed over.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Description, Error> {
        let text = std::str::from_utf8(bytes).map_err(|error| {
            refuse(format_args!(
                "it is not UTF-8 from byte {} on",
                error.valid_up_to()
            ))
        })?;
        let raw: RawDescription = serde_json::from_str(text)
            .map_err(|error| refuse(format_args!("it is not the JSON object expected: {error}")))?;

        let mut methods = Vec::with_capacity(raw.methods.len());
        let mut by_name = HashMap::with_capacity(raw.methods.len());
        let mut by_id = HashMap::new();
        let mut by_index = HashMap::new();
        let mut flags = Vec::new();
        for (position, method) in raw.methods.into_iter().enumerate() {
            let mut entries: Vec<Entry> = Vec::with_capacity(method.entries.len());
            for entry in method.entries {
                if entry.index > INDEX_BITS {
                    return Err(refuse(format_args!(
                        "`{}` has entry index {}, and {INDEX_BITS} is the largest",
                        method.name, entry.index
                    )));
                }
                let Some(encoding) = Encoding::from_name(&entry.encoding) else {
                    continue;
                };
                let index = entry.index as u16;
                if by_index.insert(index, (position, encoding)).is_some() {
                    return Err(refuse(format_args!("two entries have index {index}")));
                }
                if entries.iter().any(|other| other.encoding == encoding) {
                    return Err(refuse(format_args!(
                        "`{}` has two {encoding} entries",
                        method.name
                    )));
                }
                let entry_flags = FLAG_PRESENT
                    | if entry.leaf { FLAG_LEAF } else { 0 }
                    | if entry.is_async { FLAG_ASYNC } else { 0 };
                if flags.len() <= usize::from(index) {
                    flags.resize(usize::from(index) + 1, 0);
                }
                flags[usize::from(index)] = entry_flags;
                let size = |side: Option<RawSide>| Some(side?.layout?.size);
                entries.push(Entry {
                    index,
                    encoding,
                    flags: entry_flags & !FLAG_PRESENT,
                    request_size: size(entry.request),
                    response_size: size(entry.response),
                });
            }
            if let Some(id) = method.id
                && by_id.insert(id, position).is_some()
            {
                return Err(refuse(format_args!("two methods have the id {id}")));
            }
            if by_name.insert(method.name.clone(), position).is_some() {
                return Err(refuse(format_args!(
                    "two methods are called `{}`",
                    method.name
                )));
            }
            methods.push(Method {
                name: method.name,
                entries,
            });
        }
        Ok(Description {
            text: text.into(),
            name: raw.name,
            version: raw.version,
            methods,
            by_name,
            by_id,
            flags: flags.leak(),
            by_index,
        })
    }

    /// The entry of a method in an encoding.
    pub(crate) fn entry(&self, method: &str, encoding: Encoding) -> Result<Entry, Error> {
        match self.by_name.get(method) {
            Some(&position) => self.methods[position].entry(encoding),
            None => Err(Error::new(
                Status::NotFound,
                "UnknownMethod",
                format!(
                    "plugin `{}` has no method `{method}`; it has {}",
                    self.name,
                    list(self.methods.iter().map(|method| &*method.name), 20)
                ),
            )),
        }
    }

    /// The entry of the method with a numeric id.
    pub(crate) fn entry_by_id(&self, id: u32, encoding: Encoding) -> Result<Entry, Error> {
        match self.by_id.get(&id) {
            Some(&position) => self.methods[position].entry(encoding),
            None => {
                let mut ids: Vec<_> = self.by_id.keys().copied().collect();
                ids.sort_unstable();
                Err(Error::new(
                    Status::NotFound,
                    "UnknownMethod",
                    format!(
                        "plugin `{}` has no method with the id {id}; the ids are {}",
                        self.name,
                        list(ids.iter().map(u32::to_string), 20)
                    ),
                ))
            }
        }
    }

    /// Names an entry for people, e.g. `math.add (pod)`.
    pub(crate) fn name_of(&self, index: u16) -> Option<String> {
        let (position, encoding) = self.by_index.get(&index)?;
        Some(format!("{} ({encoding})", self.methods[*position].name))
    }

    /// Whether the description names this index.
    pub(crate) fn has_index(&self, index: u32) -> bool {
        self.flags
            .get(index as usize)
            .is_some_and(|flags| flags & FLAG_PRESENT != 0)
    }
}

impl Method {
    fn entry(&self, encoding: Encoding) -> Result<Entry, Error> {
        self.entries
            .iter()
            .copied()
            .find(|entry| entry.encoding == encoding)
            .ok_or_else(|| {
                Error::new(
                    Status::Unimplemented,
                    "UnsupportedEncoding",
                    format!(
                        "`{}` doesn't take {encoding}; it takes {}",
                        self.name,
                        list(self.entries.iter().map(|entry| entry.encoding.name()), 20)
                    ),
                )
            })
    }
}

fn list<T: AsRef<str>>(items: impl Iterator<Item = T>, most: usize) -> String {
    let items: Vec<T> = items.collect();
    if items.is_empty() {
        return "none".to_owned();
    }
    let shown: Vec<&str> = items.iter().take(most).map(AsRef::as_ref).collect();
    let more = if items.len() > most { ", .." } else { "" };
    format!("{}{more}", shown.join(", "))
}
