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

/// The entry in all places of the table without an entry.
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
            "the plugin has no entry {entry}: use one from its description"
        ))
        .with_type("rustbridge.UnknownEntry"),
    );
    debug_assert_eq!(status, RB_NOT_FOUND);
    status
}

/// The layouts of a handler's request, its response, and the items that it accepts.
pub type Layouts = (Layout, Layout, Layout);

/// The types of a handler's request, its response, and the items that it accepts, in the wire format.
#[derive(Clone, Copy, Debug)]
pub struct Types {
    pub(crate) request: Type,
    pub(crate) response: Type,
    pub(crate) items: Type,
}

/// The functions that create a handler's schemas: of the request (`None` if it accepts none), of the response, and of the items that it
/// accepts.
#[derive(Clone, Copy, Debug)]
pub struct Schemas {
    pub(crate) request: Option<fn() -> Value>,
    pub(crate) response: fn() -> Value,
    pub(crate) items: fn() -> Value,
}

/// The number of encodings, and so of table places per method.
pub const ENCODINGS: usize = Encoding::ALL.len();

/// The encodings that are available with the enabled features, as bits.
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

/// The description of a handler, as the macro generates it.
#[derive(Clone, Copy, Debug)]
pub struct HandlerInfo {
    /// The doc comment.
    pub doc: &'static str,
    /// Whether it's declared as leaf.
    pub leaf: bool,
    /// Whether it is an `async fn`.
    pub is_async: bool,
    /// Whether its response is a stream.
    pub streams: bool,
    /// Whether it accepts a stream.
    pub takes_items: bool,
    /// Whether its response may contain objects.
    pub objects: bool,
    /// Whether its request is a record of several parameters.
    pub arguments: bool,
    /// The name of its only parameter, which is the whole request; empty if it has none or several.
    pub parameter: &'static str,
    /// The type of the object with the method; empty for the plugin's own methods.
    pub receiver: &'static str,
    /// The type of the object whose class has this function; empty for methods.
    pub class: &'static str,
    /// Whether it's a constructor of the class.
    pub constructor: bool,
    /// `get` or `set`, for a property of the receiver; empty for other methods.
    pub property: &'static str,
    /// The trait, or `len` or `iter`, for a method that operations of the host's languages call; empty for other methods.
    pub implements: &'static str,
    /// The entry for each encoding, in numeric order.
    pub entries: [Option<Entry>; ENCODINGS],
    /// The start for each encoding, unless it's a plain handler.
    pub starts: [Option<Start>; ENCODINGS],
    /// The schemas, if it has an encoding that uses serde, but no types.
    pub schemas: Option<Schemas>,
    /// The layouts, if its types are plain old data.
    pub layouts: Option<Layouts>,
    /// The types, if its messages have a wire format.
    pub types: Option<Types>,
    /// The types that typed clients use for its bytes and text, if it's raw.
    pub raw_types: Option<Types>,
    /// The type of its error, if that has its own.
    pub error: Option<Type>,
}

impl HandlerInfo {
    /// Keeps the encodings in `mask` (bit = encoding). If the types are raw only, it keeps only `raw`. If the request is raw bytes and
    /// the response isn't, it keeps only `wire`.
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

    /// Returns the kind of its entries.
    pub(crate) const fn kind(&self) -> &'static str {
        match (self.streams, self.takes_items) {
            (false, false) => UNARY,
            (true, false) => SERVER_STREAM,
            (false, true) => CLIENT_STREAM,
            (true, true) => BIDI_STREAM,
        }
    }

    /// Returns its encodings as bits.
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

/// One method: the handlers with one name, whose encodings don't overlap.
#[derive(Clone, Copy, Debug)]
pub struct MethodInfo {
    /// The method's name.
    pub name: &'static str,
    /// The method's numeric id, if it has one.
    pub id: Option<u32>,
    /// Its handlers.
    pub handlers: &'static [HandlerInfo],
}

/// Returns the total number of methods.
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

/// Joins the plugin's own methods and those of its objects. Two methods with the same name or id are a compile error.
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

/// Returns whether a name is among those of the plugin's objects and callbacks.
#[must_use]
pub const fn is_listed(name: &str, names: &[&str]) -> bool {
    let mut at = 0;
    while at < names.len() {
        if is_same(name.as_bytes(), names[at].as_bytes()) {
            return true;
        }
        at += 1;
    }
    false
}

/// Whether all of some names are among others, when the program is compiled.
#[must_use]
pub const fn are_listed(some: &[&str], names: &[&str]) -> bool {
    let mut at = 0;
    while at < some.len() {
        if !is_listed(some[at], names) {
            return false;
        }
        at += 1;
    }
    true
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

/// Builds the entry table: index = method × [`ENCODINGS`] + encoding. Places without an entry return `NOT_FOUND`; those of streams
/// contain `only_stream`.
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

/// Builds the table of starts, with the same indexes as the table of entries.
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
