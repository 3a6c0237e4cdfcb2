//! What the core reads of a plugin's description. The rest is passed on to hosts byte for byte.

use std::collections::HashMap;
use std::sync::Arc;

use rustbridge_abi::{Encoding, Status};
use serde::Deserialize;

use crate::error::Error;

/// The part of an entry token that is the index in the plugin's table.
pub(crate) const INDEX_BITS: u32 = 0x7fff;
/// Added to an entry token by a host whose kind of call only a leaf method allows; see [`call`](crate::handles::call).
pub const ENTRY_LEAF: u32 = 0x8000;

/// In an entry's flag byte and in [`Prepared::flags`](crate::state::Prepared::flags): the method is leaf.
pub(crate) const FLAG_LEAF: u8 = 1;
/// In an entry's flag byte and in [`Prepared::flags`](crate::state::Prepared::flags): the handler is async.
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
    /// One byte for each index up to the largest. The slots point to it, and it lives as long as its mapping: for good.
    pub(crate) flags: Box<[u8]>,
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
            flags: flags.into_boxed_slice(),
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
                        "plugin `{}` has no method with the id {id}; ids it has: {}",
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
    #[cfg(test)]
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parse(text: &str) -> Result<Description, Error> {
        Description::parse(text.as_bytes())
    }

    #[test]
    fn the_least_a_plugin_can_say_is_enough() {
        let description = parse(r#"{"name":"c"}"#).unwrap();
        assert_eq!(
            (description.name.as_str(), description.flags.len()),
            ("c", 0)
        );
        let description = parse(
            r#"{"name":"c","later":1,"methods":[{"name":"m","entries":[{"index":3,"encoding":"raw","later":[]},{"index":4,"encoding":"later"}]}]}"#,
        )
        .unwrap();
        let entry = description.entry("m", Encoding::Raw).unwrap();
        assert_eq!((entry.index, entry.flags, entry.request_size), (3, 0, None));
        assert_eq!(description.flags.len(), 4);
        assert!(description.has_index(3) && !description.has_index(2) && !description.has_index(4));
    }

    #[test]
    fn a_description_that_contradicts_itself_is_refused_with_the_reason() {
        for (text, says) in [
            ("", "JSON object"),
            ("[]", "JSON object"),
            ("{}", "name"),
            (
                r#"{"name":"x","methods":[{"name":"m","entries":[{"index":32768,"encoding":"raw"}]}]}"#,
                "32768",
            ),
            (
                r#"{"name":"x","methods":[{"name":"m","entries":[{"index":-1,"encoding":"raw"}]}]}"#,
                "-1",
            ),
            (
                r#"{"name":"x","methods":[{"name":"m","entries":[{"index":1,"encoding":"raw"},{"index":1,"encoding":"json"}]}]}"#,
                "index 1",
            ),
            (
                r#"{"name":"x","methods":[{"name":"m","entries":[{"index":1,"encoding":"raw"},{"index":2,"encoding":"raw"}]}]}"#,
                "two raw",
            ),
            (
                r#"{"name":"x","methods":[{"name":"m"},{"name":"m"}]}"#,
                "called `m`",
            ),
            (
                r#"{"name":"x","methods":[{"name":"m","id":1},{"name":"n","id":1}]}"#,
                "id 1",
            ),
        ] {
            let error = parse(text).unwrap_err();
            assert_eq!(error.status(), Status::FailedPrecondition);
            assert!(error.message().contains(says), "{says}: {error}");
        }
        assert!(
            Description::parse(b"\xff{}")
                .unwrap_err()
                .message()
                .contains("UTF-8")
        );
        // Nested deeper than any stack: refused, or passed over where it's of no interest.
        let deep = format!(
            r#"{{"name":"x","config":{}1{}}}"#,
            "[".repeat(200_000),
            "]".repeat(200_000)
        );
        let _ = parse(&deep);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn any_bytes_get_an_answer(bytes in prop::collection::vec(any::<u8>(), 0..500)) {
            let _ = Description::parse(&bytes);
        }

        #[test]
        fn what_is_described_is_found_again(
            entries in prop::collection::btree_map(0..=INDEX_BITS, any::<(bool, bool, Option<u32>)>(), 0..40),
        ) {
            let methods: Vec<_> = entries
                .iter()
                .map(|(index, (leaf, is_async, size))| {
                    let side = size.map_or(serde_json::json!({}), |size| serde_json::json!({"layout": {"size": size}}));
                    serde_json::json!({"name": format!("m{index}"), "id": index, "entries": [
                        {"index": index, "encoding": "pod", "leaf": leaf, "async": is_async, "request": side},
                    ]})
                })
                .collect();
            let text = serde_json::json!({"name": "x", "methods": methods}).to_string();
            let description = parse(&text).unwrap();
            for (index, (leaf, is_async, size)) in &entries {
                let entry = description.entry(&format!("m{index}"), Encoding::Pod).unwrap();
                prop_assert_eq!(u32::from(entry.index), *index);
                prop_assert_eq!(entry.flags & FLAG_LEAF != 0, *leaf);
                prop_assert_eq!(entry.flags & FLAG_ASYNC != 0, *is_async);
                prop_assert_eq!(entry.request_size, size.map(|size| size as usize));
                prop_assert_eq!(description.entry_by_id(*index, Encoding::Pod).unwrap().index, entry.index);
                prop_assert!(description.has_index(*index));
            }
            prop_assert_eq!(description.flags.len(), entries.keys().last().map_or(0, |last| *last as usize + 1));
        }
    }
}
