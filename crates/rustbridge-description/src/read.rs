//! The rules of reading a description.

use std::collections::HashSet;

use rustbridge_abi::Encoding;
use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::{Description, Error, Field, Layout, Method};

/// The largest index of an entry: the rest of an entry token's bits name the mapping.
pub const MAX_INDEX: u32 = 0x3fff;

/// The largest size and offset: what a signed 64-bit number holds, since several hosts have no other.
pub const MAX_SIZE: u64 = i64::MAX as u64;

/// How many objects and arrays may lie in each other. Parsers of JSON refuse what's nested deeper than they're made for (some
/// by ending the process); this is below the limit of each that a host uses.
pub const MAX_DEPTH: usize = 100;

/// A description without its schemas: for who wants to know what can be called.
pub type Outline<'a> = Description<'a, IgnoredAny>;

impl<'a, S: Deserialize<'a>> Description<'a, S> {
    /// Reads a description and checks that it doesn't contradict itself.
    ///
    /// Unknown fields are passed over. Entries of an unknown kind or encoding stay in
    /// [`Method::entries`], and aren't [callable](crate::Entry::callable). Schemas are read as `S` reads them: a
    /// [`Value`](serde_json::Value) refuses numbers that no double comes near and escapes that are no characters, an [`Outline`]
    /// doesn't look.
    ///
    /// # Errors
    ///
    /// The bytes aren't a description, or one that breaks a rule of `docs/describe.md`.
    pub fn read(bytes: &'a [u8]) -> Result<Self, Error> {
        let text = std::str::from_utf8(bytes).map_err(|error| {
            Error::new(format_args!(
                "it is not UTF-8 from byte {} on",
                error.valid_up_to()
            ))
        })?;
        // Before parsing, since what's passed over has no depth for the parser.
        if is_deep(bytes) {
            return Err(Error::new(format_args!(
                "it is nested deeper than {MAX_DEPTH} levels"
            )));
        }
        let description: Description<'a, S> = serde_json::from_str(text).map_err(|error| {
            Error::new(format_args!("it is not the JSON object expected: {error}"))
        })?;
        description.check()?;
        Ok(description)
    }

    fn check(&self) -> Result<(), Error> {
        let mut names = HashSet::with_capacity(self.methods.len());
        let mut ids = HashSet::new();
        let mut indexes = Indexes::default();
        for method in &self.methods {
            check_entries(method, &mut indexes)?;
            match method.id {
                Some(id) if !ids.insert(id) => {
                    return Err(Error::new(format_args!("two methods have the id {id}")));
                }
                _ => {}
            }
            if !names.insert(&*method.name) {
                return Err(Error::new(format_args!(
                    "two methods are called `{}`",
                    method.name
                )));
            }
        }
        let mut names = HashSet::with_capacity(self.services.len());
        for service in &self.services {
            if !names.insert(&*service.name) {
                return Err(Error::new(format_args!(
                    "two services are called `{}`",
                    service.name
                )));
            }
        }
        Ok(())
    }
}

fn check_entries<S>(method: &Method<'_, S>, indexes: &mut Indexes) -> Result<(), Error> {
    let mut encodings: u32 = 0;
    for entry in &method.entries {
        let index = entry.index;
        if index > MAX_INDEX {
            return Err(Error::new(format_args!(
                "`{}` has entry index {index}, and {MAX_INDEX} is the largest",
                method.name
            )));
        }
        if !indexes.insert(index) {
            return Err(Error::new(format_args!("two entries have index {index}")));
        }
        for side in [&entry.request, &entry.response]
            .into_iter()
            .chain(&entry.items)
        {
            if let Some(layout) = &side.layout {
                check_layout(layout, &method.name)?;
            }
        }
        let Some(encoding) = entry.callable() else {
            continue;
        };
        if encodings & bit(encoding) != 0 {
            return Err(Error::new(format_args!(
                "`{}` has two {encoding} entries",
                method.name
            )));
        }
        encodings |= bit(encoding);
    }
    Ok(())
}

fn bit(encoding: Encoding) -> u32 {
    1 << encoding.code()
}

fn check_layout(layout: &Layout<'_>, method: &str) -> Result<(), Error> {
    let largest = layout.size.max(layout.align).max(largest(&layout.fields));
    if largest > MAX_SIZE {
        return Err(Error::new(format_args!(
            "`{method}` has a layout with the number {largest}, and {MAX_SIZE} is the largest"
        )));
    }
    Ok(())
}

fn largest(fields: &[Field<'_>]) -> u64 {
    fields
        .iter()
        .map(|field| field.size.max(field.offset).max(largest(&field.fields)))
        .max()
        .unwrap_or(0)
}

/// A set of indexes; plugins number their entries from 0, so it's a few words long.
#[derive(Default)]
struct Indexes(Vec<u64>);

impl Indexes {
    /// Whether the index is new.
    fn insert(&mut self, index: u32) -> bool {
        let (word, bit) = (index as usize / 64, 1 << (index % 64));
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        let new = self.0[word] & bit == 0;
        self.0[word] |= bit;
        new
    }
}

/// Whether more than [`MAX_DEPTH`] objects and arrays lie in each other. For text that isn't JSON any answer is right.
fn is_deep(text: &[u8]) -> bool {
    let mut depth = 0_usize;
    let mut bytes = text.iter();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => {
                while let Some(byte) = bytes.next() {
                    match byte {
                        b'"' => break,
                        b'\\' => _ = bytes.next(),
                        _ => {}
                    }
                }
            }
            b'{' | b'[' => {
                depth += 1;
                if depth > MAX_DEPTH {
                    return true;
                }
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    false
}
