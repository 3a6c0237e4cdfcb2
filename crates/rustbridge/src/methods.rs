//! A plugin's methods as data: their handlers, the entries of each, and the table of all entries.

use std::ffi::c_void;

use rustbridge_abi::{CallContext, Encoding, RB_NOT_FOUND, Response, StatusCode};
use rustbridge_description::{BIDI_STREAM, CLIENT_STREAM, SERVER_STREAM, UNARY};
use rustbridge_wire::Type;
use serde_json::Value;

use crate::Error;
use crate::pod::Layout;
use crate::response::Reply;
use crate::signature::{Entry, Start};

/// What places of the table without an entry answer.
pub(crate) unsafe extern "C" fn unknown_entry(
    _instance: *mut c_void,
    entry: u32,
    _header: *const CallContext,
    _request: *const u8,
    _request_len: usize,
    response: *mut Response,
) -> StatusCode {
    // SAFETY: the caller of an entry passes a response it owns.
    let reply = unsafe { Reply::new(response) };
    let status = reply.error(
        &Error::not_found(format!(
            "the plugin has no entry {entry}; take entries from its description"
        ))
        .with_type("rustbridge.UnknownEntry"),
    );
    debug_assert_eq!(status, RB_NOT_FOUND);
    status
}

/// The layouts of a handler's request, its response and the items that it takes.
pub type Layouts = (Layout, Layout, Layout);

/// What a handler's request, its response and the items that it takes look like in the wire form.
#[derive(Clone, Copy, Debug)]
pub struct Types {
    pub(crate) request: Type,
    pub(crate) response: Type,
    pub(crate) items: Type,
}

/// How to make the schemas of one handler: what the request is read as (none if it takes none), what the response is
/// written as, what the items are read as.
#[derive(Clone, Copy, Debug)]
pub struct Schemas {
    pub(crate) request: Option<fn() -> Value>,
    pub(crate) response: fn() -> Value,
    pub(crate) items: fn() -> Value,
}

/// Number of encodings, and so of table places per method.
pub const ENCODINGS: usize = Encoding::ALL.len();

/// The encodings that there are with the features which are on, as bits.
pub const AVAILABLE: u32 = {
    let behind_features = [
        (Encoding::Msgpack, cfg!(feature = "msgpack")),
        (Encoding::Bincode, cfg!(feature = "bincode")),
        (Encoding::Postcard, cfg!(feature = "postcard")),
    ];
    let mut available = (1 << ENCODINGS) - 1;
    let mut index = 0;
    while index < behind_features.len() {
        let (encoding, is_on) = behind_features[index];
        if !is_on {
            available &= !(1 << encoding as u32);
        }
        index += 1;
    }
    available
};

/// What the macro knows of a handler.
#[derive(Clone, Copy, Debug)]
pub struct HandlerInfo {
    /// The doc comment.
    pub doc: &'static str,
    /// Whether it is declared leaf.
    pub leaf: bool,
    /// Whether it is an `async fn`.
    pub is_async: bool,
    /// Whether its response is a stream.
    pub streams: bool,
    /// Whether it takes a stream.
    pub takes_items: bool,
    /// Whether there may be objects in its answer.
    pub objects: bool,
    /// Whether its request is a record of what it takes one by one.
    pub arguments: bool,
    /// The name of its only parameter, which is the whole request; empty if it has none or several.
    pub parameter: &'static str,
    /// The type of the object whose method it is; empty for the plugin's own.
    pub receiver: &'static str,
    /// The entry for each encoding, in numeric order.
    pub entries: [Option<Entry>; ENCODINGS],
    /// The start for each encoding, if it isn't a plain handler.
    pub starts: [Option<Start>; ENCODINGS],
    /// The schemas, if it has an encoding that serde writes, and no types.
    pub schemas: Option<Schemas>,
    /// The layouts, if it has pods.
    pub layouts: Option<Layouts>,
    /// The types, if messages have such.
    pub types: Option<Types>,
    /// What bytes and text are, if it's raw.
    pub raw_types: Option<Types>,
    /// What it fails with, if that has a type of its own.
    pub error: Option<Type>,
}

impl HandlerInfo {
    /// Keeps the encodings in `mask` (bit = encoding): only raw if the types are for nothing else, and only the wire form if the request
    /// is raw bytes and the response isn't.
    #[must_use]
    pub const fn restrict(mut self, mask: u32, is_raw: bool, takes_raw: bool) -> HandlerInfo {
        let mask = if is_raw {
            mask & (1 << rustbridge_abi::RB_ENCODING_RAW)
        } else if takes_raw {
            mask & (1 << rustbridge_abi::RB_ENCODING_WIRE)
        } else {
            mask
        };
        let mut encoding = 0;
        while encoding < ENCODINGS {
            if mask & (1 << encoding) == 0 {
                self.entries[encoding] = None;
            }
            if self.entries[encoding].is_none() {
                self.starts[encoding] = None;
            } else if self.is_stream() {
                // The table has one of its own for these.
                self.entries[encoding] = Some(unknown_entry);
            }
            encoding += 1;
        }
        self
    }

    const fn is_stream(&self) -> bool {
        self.streams || self.takes_items
    }

    /// What calling its entries means.
    pub(crate) const fn kind(&self) -> &'static str {
        match (self.streams, self.takes_items) {
            (false, false) => UNARY,
            (true, false) => SERVER_STREAM,
            (false, true) => CLIENT_STREAM,
            (true, true) => BIDI_STREAM,
        }
    }

    /// The encodings it has, as bits.
    #[must_use]
    pub const fn mask(&self) -> u32 {
        let mut mask = 0;
        let mut encoding = 0;
        while encoding < ENCODINGS {
            if self.entries[encoding].is_some() {
                mask |= 1 << encoding;
            }
            encoding += 1;
        }
        mask
    }
}

/// One method: the handlers of one name, whose encodings don't overlap.
#[derive(Clone, Copy, Debug)]
pub struct MethodInfo {
    /// The method's name.
    pub name: &'static str,
    /// The method's numeric id, if it has one.
    pub id: Option<u32>,
    /// Its handlers.
    pub handlers: &'static [HandlerInfo],
}

/// How many methods these are together.
#[must_use]
pub const fn count(lists: &[&[MethodInfo]]) -> usize {
    let mut count = 0;
    let mut list = 0;
    while list < lists.len() {
        count += lists[list].len();
        list += 1;
    }
    count
}

/// The plugin's own methods and those of its objects. Two of one name, or of one id, don't compile.
#[must_use]
pub const fn together<const N: usize>(lists: &[&[MethodInfo]]) -> [MethodInfo; N] {
    const NONE: MethodInfo = MethodInfo {
        name: "",
        id: None,
        handlers: &[],
    };
    let mut together = [NONE; N];
    let mut next = 0;
    let mut list = 0;
    while list < lists.len() {
        let mut method = 0;
        while method < lists[list].len() {
            let new = lists[list][method];
            // Within one list the macro has looked.
            let mut before = 0;
            while list > 0 && before < next {
                let other = together[before];
                assert!(
                    !is_same(other.name.as_bytes(), new.name.as_bytes()),
                    "two of the plugin's objects, or an object and the plugin, have methods of one name: give one of the objects another name, `#[object(name = \"..\")]`"
                );
                if let (Some(one), Some(other)) = (other.id, new.id) {
                    assert!(
                        one != other,
                        "two methods, of the plugin or of its objects, have the same id"
                    );
                }
                before += 1;
            }
            together[next] = new;
            next += 1;
            method += 1;
        }
        list += 1;
    }
    together
}

const fn is_same(one: &[u8], other: &[u8]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    let mut at = 0;
    while at < one.len() {
        if one[at] != other[at] {
            return false;
        }
        at += 1;
    }
    true
}

/// Builds the entry table: index = method × [`ENCODINGS`] + encoding. Places without an entry answer `NOT_FOUND`, those of
/// streams what the second says.
#[must_use]
pub const fn table<const N: usize>(methods: &[MethodInfo], only_stream: Entry) -> [Entry; N] {
    let mut table: [Entry; N] = [unknown_entry; N];
    let mut method = 0;
    while method < methods.len() {
        let handlers = methods[method].handlers;
        let mut handler = 0;
        while handler < handlers.len() {
            let mut encoding = 0;
            while encoding < ENCODINGS {
                if let Some(entry) = handlers[handler].entries[encoding] {
                    table[method * ENCODINGS + encoding] = if handlers[handler].is_stream() {
                        only_stream
                    } else {
                        entry
                    };
                }
                encoding += 1;
            }
            handler += 1;
        }
        method += 1;
    }
    table
}

/// Builds the table of starts beside that of entries.
#[must_use]
pub const fn starts<const N: usize>(methods: &[MethodInfo]) -> [Option<Start>; N] {
    let mut table: [Option<Start>; N] = [None; N];
    let mut method = 0;
    while method < methods.len() {
        let handlers = methods[method].handlers;
        let mut handler = 0;
        while handler < handlers.len() {
            let mut encoding = 0;
            while encoding < ENCODINGS {
                if let Some(start) = handlers[handler].starts[encoding] {
                    table[method * ENCODINGS + encoding] = Some(start);
                }
                encoding += 1;
            }
            handler += 1;
        }
        method += 1;
    }
    table
}
