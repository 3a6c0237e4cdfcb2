//! What the core reads of a plugin's description, and what hosts are given of it.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use rustbridge_abi::{Encoding, Status};
use rustbridge_description::{MAX_INDEX, Outline, Side, types};
use serde::de::IgnoredAny;

use super::method_types::{self, MethodTypes, TypeComparison};
use super::resolved_method::{Entries, ResolvedMethod};
use super::typed_services;
use crate::error::Error;

/// The part of an entry token that is the index in the plugin's table.
pub(crate) const INDEX_BITS: u32 = 0x3fff;
/// Added to an entry token by a host whose kind of call only a leaf method allows; see [`call`](crate::handles::call).
pub const ENTRY_LEAF: u32 = 0x8000;
/// Added to an entry token by a host whose request others may write to; see [`call`](crate::handles::call).
pub const ENTRY_SHARED: u32 = 0x4000;

/// In an entry's flag byte and in [`Prepared::flags`](crate::state::Prepared::flags): the method is leaf.
pub(crate) const FLAG_LEAF: u8 = 1;
/// In an entry's flag byte and in [`Prepared::flags`](crate::state::Prepared::flags): the handler is async.
pub(crate) const FLAG_ASYNC: u8 = 2;
/// In an entry's flag byte and in [`Prepared::flags`](crate::state::Prepared::flags): it returns a stream.
pub(crate) const FLAG_STREAM_OUT: u8 = 4;
/// In an entry's flag byte and in [`Prepared::flags`](crate::state::Prepared::flags): it takes a stream.
pub(crate) const FLAG_STREAM_IN: u8 = 8;
/// In an entry's flag byte and in [`Prepared::flags`](crate::state::Prepared::flags): its answer may have objects.
pub(crate) const FLAG_OBJECTS: u8 = 16;
/// In an entry's flag byte and in [`Prepared::flags`](crate::state::Prepared::flags): it's an object's method.
pub(crate) const FLAG_RECEIVER: u8 = 32;
/// In an entry's flag byte: the description names this index.
const FLAG_PRESENT: u8 = 0x80;

/// A plugin's description, as read.
#[derive(Debug)]
pub(crate) struct Description {
    /// As the plugin wrote it.
    pub(crate) text: Arc<str>,
    /// With schemas, made when a host first asks.
    complete: OnceLock<Arc<str>>,
    pub(crate) name: String,
    pub(crate) version: String,
    /// Whether it's a debug build, as far as it says.
    pub(crate) debug: bool,
    methods: Vec<Method>,
    by_name: HashMap<String, usize>,
    by_id: HashMap<u32, usize>,
    /// One byte for each index up to the largest. The slots point to it, and it lives as long as its mapping: for good.
    pub(crate) flags: Box<[u8]>,
    /// Which method an index belongs to, for reports.
    by_index: HashMap<u16, (usize, Encoding)>,
    /// Whether the plugin is made with the author's crate, which checks requests and configs itself.
    pub(crate) checks_itself: bool,
    /// What the plugin calls of its host's.
    pub(crate) services: Vec<RequiredService>,
    /// The size of each pod request, by index, as far as it's said; none for a plugin that checks itself.
    pod_sizes: Box<[Option<usize>]>,
    typed: MethodTypes,
    resolved: Entries,
}

/// A service that a plugin calls.
#[derive(Debug)]
pub(crate) struct RequiredService {
    pub(crate) name: String,
    /// Its name as the description has it, also of an encoding that this version doesn't know.
    pub(crate) encoding: String,
    pub(crate) optional: bool,
}

#[derive(Debug)]
pub(crate) struct Method {
    pub(crate) name: String,
    entries: Vec<Entry>,
    /// What else the description names, for reports: entries that a later version can call.
    later: Vec<String>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) index: u16,
    pub(crate) encoding: Encoding,
    pub(crate) flags: u8,
    pub(crate) request_size: Option<usize>,
    pub(crate) response_size: Option<usize>,
    pub(crate) item_size: Option<usize>,
}

// A description's largest index is the largest that a token has room for.
const _: () = assert!(MAX_INDEX == INDEX_BITS);

fn required_services(read: &Outline<'_>) -> Vec<RequiredService> {
    let services = read.services.iter();
    services
        .map(|service| RequiredService {
            name: service.name.clone().into_owned(),
            encoding: service.encoding.clone().into_owned(),
            optional: service.optional,
        })
        .collect()
}

impl Description {
    /// Reads a description; `rustbridge-description` has the rules.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Description, Error> {
        let refuse = |why: &dyn std::fmt::Display| {
            Error::new(
                Status::FailedPrecondition,
                "InvalidDescription",
                why.to_string(),
            )
        };
        let read = Outline::read(bytes).map_err(|error| refuse(&error))?;
        let text = std::str::from_utf8(bytes).map_err(|error| refuse(&error))?;

        let services = required_services(&read);
        let mut methods = Vec::with_capacity(read.methods.len());
        let mut by_name = HashMap::with_capacity(read.methods.len());
        let mut by_id = HashMap::new();
        let mut by_index = HashMap::new();
        let mut flags = Vec::new();
        let checks_itself = !read.rustbridge.is_empty();
        let mut pod_sizes = Vec::new();
        for (position, method) in read.methods.iter().enumerate() {
            let mut entries = Vec::with_capacity(method.entries.len());
            let mut later = Vec::new();
            for entry in &method.entries {
                let Some(encoding) = entry.known() else {
                    later.push(entry.to_string());
                    continue;
                };
                let index = entry.index as u16;
                by_index.insert(index, (position, encoding));
                let entry_flags = flags_of(entry);
                if flags.len() <= usize::from(index) {
                    flags.resize(usize::from(index) + 1, 0);
                }
                flags[usize::from(index)] = FLAG_PRESENT | entry_flags;
                let size =
                    |side: &Side<'_, IgnoredAny>| usize::try_from(side.layout.as_ref()?.size).ok();
                let request_size = size(&entry.request);
                if !checks_itself && encoding == Encoding::Pod && request_size.is_some() {
                    pod_sizes.resize(pod_sizes.len().max(usize::from(index) + 1), None);
                    pod_sizes[usize::from(index)] = request_size;
                }
                entries.push(Entry {
                    index,
                    encoding,
                    flags: entry_flags,
                    request_size,
                    response_size: size(&entry.response),
                    item_size: entry.items.as_ref().and_then(size),
                });
            }
            if let Some(id) = method.id {
                by_id.insert(id, position);
            }
            by_name.insert(method.name.clone().into_owned(), position);
            methods.push(Method {
                name: method.name.clone().into_owned(),
                entries,
                later,
            });
        }
        Ok(Description {
            text: text.into(),
            complete: OnceLock::new(),
            name: read.name.into_owned(),
            version: read.version.into_owned(),
            debug: read.debug,
            methods,
            by_name,
            by_id,
            flags: flags.into_boxed_slice(),
            by_index,
            checks_itself,
            services,
            pod_sizes: pod_sizes.into_boxed_slice(),
            typed: MethodTypes::default(),
            resolved: Entries::default(),
        })
    }

    /// What hosts are given: the text, with the schemas that its types make. A description whose types can't be used is given as it is:
    /// the plugin can be called without.
    pub(crate) fn complete(&self) -> &Arc<str> {
        self.complete
            .get_or_init(|| match types::with_schemas(self.text.as_bytes()) {
                Ok(Some(complete)) => complete.into(),
                Ok(None) | Err(_) => Arc::clone(&self.text),
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

    /// The entry of a method in the wire form, or a raw one, for a client whose types are the plugin's, or can become them; and what there is to be logged of that.
    pub(crate) fn typed_entry(
        &self,
        method: &str,
        fingerprint: &[u8],
        client_schema: &[u8],
    ) -> Result<(Entry, Option<String>), Error> {
        if !self.by_name.contains_key(method) {
            return self.absent_entry(method, fingerprint, client_schema);
        }
        let wire = self.entry(method, Encoding::Wire);
        if let (Err(error), Err(_)) = (&wire, self.entry(method, Encoding::Raw)) {
            // What it lacks is told of the wire form.
            return Err(error.clone());
        }
        let compared =
            self.typed
                .check((&self.name, &self.text), method, fingerprint, client_schema)?;
        let of = |is_raw: bool| {
            let encoding = if is_raw {
                Encoding::Raw
            } else {
                Encoding::Wire
            };
            self.entry(method, encoding)
        };
        let (entry, resolution, what) = match compared {
            TypeComparison::Same { is_raw } => return Ok((of(is_raw)?, None)),
            TypeComparison::Resolved {
                is_raw,
                resolution,
                what,
            } => (of(is_raw)?, resolution, what),
        };
        let resolved = ResolvedMethod::new(
            (entry.index, entry.flags & FLAG_STREAM_OUT != 0),
            (&self.name, method),
            *resolution,
        );
        let entry = Entry {
            index: self.add(resolved)?,
            // What is resolved takes time and memory.
            flags: entry.flags & !FLAG_LEAF,
            ..entry
        };
        let told = format!(
            "the client was generated for another version of plugin `{}`, and the types of `{method}` differ compatibly: every message is resolved, which takes longer: {what}",
            self.name
        );
        Ok((entry, Some(told)))
    }

    /// Returns an entry for a method that the client knows and the plugin lacks. Calls through it fail; other methods are unaffected.
    fn absent_entry(
        &self,
        method: &str,
        fingerprint: &[u8],
        client_schema: &[u8],
    ) -> Result<(Entry, Option<String>), Error> {
        let Some((known, version)) =
            method_types::known(&self.name, method, fingerprint, client_schema)
        else {
            // Not a version difference: the client belongs to another plugin, or doesn't know the method either.
            return self
                .entry(method, Encoding::Wire)
                .map(|entry| (entry, None));
        };
        let of = |version: &str| match version {
            "" => String::new(),
            version => format!(" {version}"),
        };
        let error = Error::new(
            Status::Unimplemented,
            "AbsentMethod",
            format!(
                "plugin `{}`{} has no method `{method}`: the client was generated for another version{}; load a version that has the method, or regenerate the client with `rustbridge gen`",
                self.name,
                of(&self.version),
                of(&version),
            ),
        );
        let told = format!(
            "the client has a method that can't be called: {}",
            error.message()
        );
        let absent = ResolvedMethod::absent((&self.name, method), error);
        let entry = Entry {
            index: self.add(absent)?,
            encoding: known.known().unwrap_or(Encoding::Wire),
            flags: flags_of(&known) & !FLAG_LEAF,
            request_size: None,
            response_size: None,
            item_size: None,
        };
        Ok((entry, Some(told)))
    }

    /// Adds an entry behind the plugin's own, and gives its index, which is within an index's bits.
    fn add(&self, resolved: ResolvedMethod) -> Result<u16, Error> {
        let own = self.flags.len();
        let number = self.resolved.add(resolved, INDEX_BITS as usize + 1 - own)?;
        Ok((own + number) as u16)
    }

    /// What is resolved for callers of an index that isn't one of the plugin's own.
    pub(crate) fn resolved(&self, index: u16) -> Option<&ResolvedMethod> {
        self.resolved
            .get(usize::from(index).checked_sub(self.flags.len())?)
    }

    /// Which services that a typed client registers aren't as the plugin calls them; see [`typed_services::others`].
    pub(crate) fn other_services(
        &self,
        client_schema: &[u8],
        is_registered: impl Fn(&str) -> bool,
    ) -> Result<Vec<typed_services::Other>, Error> {
        typed_services::others((&self.name, &self.text), client_schema, is_registered)
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
        let resolved = self.resolved(index);
        if let Some(method) = resolved.and_then(ResolvedMethod::absent_method) {
            return Some(format!("{method} ({})", Encoding::Wire));
        }
        let index = resolved.map_or(index, |entry| entry.index);
        let (position, encoding) = self.by_index.get(&index)?;
        Some(format!("{} ({encoding})", self.methods[*position].name))
    }

    /// Whether there are pods whose size is the core's to check.
    pub(crate) fn has_pod_sizes(&self) -> bool {
        !self.pod_sizes.is_empty()
    }

    /// The size that the request of this index must have, if that's the core's to check.
    pub(crate) fn pod_size(&self, index: u32) -> Option<usize> {
        *self.pod_sizes.get(index as usize)?
    }

    /// Whether the description names this index.
    pub(crate) fn has_index(&self, index: u32) -> bool {
        self.flags
            .get(index as usize)
            .is_some_and(|flags| flags & FLAG_PRESENT != 0)
    }
}

/// Converts the properties of a described entry to flags.
fn flags_of<P>(entry: &rustbridge_description::Entry<'_, P>) -> u8 {
    let flags = [
        (entry.leaf, FLAG_LEAF),
        (entry.is_async, FLAG_ASYNC),
        (entry.is_stream_out(), FLAG_STREAM_OUT),
        (entry.is_stream_in(), FLAG_STREAM_IN),
        (entry.objects, FLAG_OBJECTS),
        (!entry.receiver.is_empty(), FLAG_RECEIVER),
    ];
    let set = flags.iter().filter(|(is_set, _)| *is_set);
    set.fold(0, |all, (_, flag)| all | flag)
}

impl Method {
    fn entry(&self, encoding: Encoding) -> Result<Entry, Error> {
        let mut found = self
            .entries
            .iter()
            .copied()
            .filter(|entry| entry.encoding == encoding);
        let is_unary = |entry: &Entry| entry.flags & (FLAG_STREAM_OUT | FLAG_STREAM_IN) == 0;
        let first = found.clone().find(is_unary).or_else(|| found.next());
        first.ok_or_else(|| self.lacks(encoding))
    }

    #[cold]
    fn lacks(&self, encoding: Encoding) -> Error {
        if self.entries.is_empty() && !self.later.is_empty() {
            return Error::new(
                Status::Unimplemented,
                "UnsupportedEncoding",
                format!(
                    "`{}` can't be called, because this version of rustbridge knows none of its encodings: {}",
                    self.name,
                    list(self.later.iter(), 20)
                ),
            );
        }
        let error = Error::new(
            Status::Unimplemented,
            "UnsupportedEncoding",
            format!(
                "`{}` has no encoding {encoding}; it has {}",
                self.name,
                list(self.entries.iter().map(|entry| entry.encoding.name()), 20)
            ),
        );
        let bytes = [Encoding::Raw, Encoding::Pod];
        if encoding == Encoding::Json
            && self
                .entries
                .iter()
                .any(|entry| bytes.contains(&entry.encoding))
        {
            error.with_advice(
                "call it with bytes instead of JSON (`call_raw`, `callRaw`, `CallRaw`)",
            )
        } else {
            error
        }
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
    use std::fs;
    use std::path::Path;

    use proptest::prelude::*;
    use serde_json::{Value, json};

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
    fn a_method_of_bytes_says_so_to_who_calls_it_by_json() {
        let description = parse(
            r#"{"name":"c","methods":[{"name":"raw","entries":[{"index":0,"encoding":"raw"}]},{"name":"packed","entries":[{"index":1,"encoding":"msgpack"}]}]}"#,
        )
        .unwrap();
        let advice = "call it with bytes";
        let refusal = |method, encoding| description.entry(method, encoding).err().unwrap();
        let error = refusal("raw", Encoding::Json);
        assert_eq!(error.status(), Status::Unimplemented);
        assert!(error.message().contains(advice), "{error}");
        for (method, encoding) in [("packed", Encoding::Json), ("raw", Encoding::Msgpack)] {
            let error = refusal(method, encoding);
            assert!(!error.message().contains(advice), "{error}");
        }
    }

    #[test]
    fn a_debug_build_is_known_by_what_it_says() {
        for (text, debug) in [
            (r#"{"name":"c"}"#, false),
            (r#"{"name":"c","debug":null}"#, false),
            (r#"{"name":"c","debug":true}"#, true),
        ] {
            assert_eq!(parse(text).unwrap().debug, debug, "{text}");
        }
    }

    /// The vectors that the readers of every language hold to: each as file and name, the bytes given, and what is wanted.
    fn vectors() -> Vec<(String, Vec<u8>, Value)> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/descriptions");
        let files = fs::read_dir(folder)
            .unwrap()
            .map(|file| file.unwrap().path());
        let mut vectors = Vec::new();
        for path in files.filter(|path| path.extension().is_some_and(|end| end == "json")) {
            let mut file: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
            for vector in file["vectors"].as_array_mut().unwrap() {
                let given = match (&vector["text"], &vector["hex"]) {
                    (Value::String(text), _) => text.clone().into_bytes(),
                    (_, Value::String(hex)) => (0..hex.len())
                        .step_by(2)
                        .map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap())
                        .collect(),
                    _ => vector["description"].to_string().into_bytes(),
                };
                let name = format!("{}: {}", path.display(), vector["name"]);
                vectors.push((name, given, vector.take()));
            }
        }
        assert!(vectors.len() > 70, "only {} vectors", vectors.len());
        vectors
    }

    fn encoding(entry: &Value) -> Encoding {
        Encoding::from_name(entry["encoding"].as_str().unwrap()).unwrap()
    }

    fn says(error: &Error, wanted: &Value) -> bool {
        error.status().name() == wanted["status"]
            && wanted["says"]
                .as_array()
                .unwrap()
                .iter()
                .all(|says| error.message().contains(says.as_str().unwrap()))
    }

    #[test]
    fn every_vector_is_read_as_it_says() {
        for (name, given, vector) in vectors() {
            let read = Description::parse(&given);
            if let Some(refused) = vector.get("refused") {
                let error = read.expect_err(&name);
                assert!(says(&error, refused), "{name}: {error:?}");
                assert_eq!(error.type_name(), "rustbridge.InvalidDescription");
                continue;
            }
            let read = read.unwrap_or_else(|error| panic!("{name}: {error}"));
            let answer = &vector["answer"];
            assert_eq!(read.text.as_bytes(), given, "{name}");
            assert_eq!(
                json!([read.name, read.version]),
                json!([answer["name"], answer["version"]])
            );
            let mut indexes = Vec::new();
            for method in answer["methods"].as_array().unwrap() {
                let method_name = method["name"].as_str().unwrap();
                let entries = method["entries"].as_array().unwrap();
                for entry in entries {
                    let found = read.entry(method_name, encoding(entry)).expect(&name);
                    let size = |side: &str| entry[side]["layout"]["size"].as_u64();
                    assert_eq!(
                        json!([
                            found.index,
                            found.flags & FLAG_LEAF != 0,
                            found.flags & FLAG_ASYNC != 0,
                            found.request_size,
                            found.response_size
                        ]),
                        json!([
                            entry["index"],
                            entry["leaf"],
                            entry["async"],
                            size("request"),
                            size("response")
                        ]),
                        "{name}"
                    );
                    if let Some(id) = method["id"].as_u64() {
                        let by_id = read.entry_by_id(id as u32, encoding(entry));
                        assert_eq!(by_id.expect(&name).index, found.index, "{name}");
                    }
                    indexes.push(u32::from(found.index));
                }
                for &other in Encoding::ALL {
                    let known = entries.iter().any(|entry| encoding(entry) == other);
                    assert_eq!(
                        read.entry(method_name, other).is_ok(),
                        known,
                        "{name}: {other}"
                    );
                }
            }
            let present = (0..=INDEX_BITS).filter(|index| read.has_index(*index));
            indexes.sort_unstable();
            assert_eq!(present.collect::<Vec<_>>(), indexes, "{name}");
            for refused in vector["unprepared"].as_array().into_iter().flatten() {
                let method = refused["method"].as_str().unwrap();
                let error = read.entry(method, encoding(refused)).unwrap_err();
                assert!(says(&error, refused), "{name}: {error:?}");
            }
        }
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
