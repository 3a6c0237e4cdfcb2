//! Agrees with a plugin on the ABI: everything about its table is checked here, once, so that calls needn't.

use std::ffi::{CStr, c_char, c_void};
use std::sync::atomic::{AtomicU32, Ordering};

use rustbridge_abi::{
    ABI_VERSION, AsyncExtension, EntryPoint, Growing, LogExtension, ObjectsExtension, PluginTable,
    RB_EXTENSION_ASYNC, RB_EXTENSION_LOG, RB_EXTENSION_OBJECTS, Response, Status, abi_major,
    abi_minor,
};

use super::describe::{Description, INDEX_BITS};
use super::resolved_method::ResolvedMethod;
use super::token;
use crate::error::Error;
use crate::response::ask;

pub(crate) type CreateFn = unsafe extern "C" fn(
    *mut c_void,
    *const rustbridge_abi::Host,
    *const u8,
    usize,
    *mut *mut c_void,
    *mut Response,
) -> i32;
pub(crate) type CallFn = unsafe extern "C" fn(
    *mut c_void,
    u32,
    *const rustbridge_abi::CallContext,
    *const u8,
    usize,
    *mut Response,
) -> i32;
pub(crate) type DestroyFn = unsafe extern "C" fn(*mut c_void, *mut Response) -> i32;
pub(crate) type LevelChangedFn = unsafe extern "C" fn(*mut c_void);
pub(crate) type DropFn = unsafe extern "C" fn(*mut c_void, u64);

/// A plugin that host and plugin agree on.
///
/// Invariant: the functions are those of a table the plugin returned, of our major version and long enough, and the
/// library they are in is never unmapped.
#[derive(Debug)]
pub(crate) struct PluginFunctions {
    /// The first argument of `create`.
    pub(crate) context: Context,
    pub(crate) create: CreateFn,
    pub(crate) call: CallFn,
    pub(crate) destroy: DestroyFn,
    pub(crate) level_changed: Option<LevelChangedFn>,
    /// Of a plugin whose answers have objects.
    pub(crate) drop_object: Option<DropFn>,
    /// Calls that end later, if it has any: then `start`, `cancel` and `release` are set.
    pub(crate) asynchronous: Option<AsyncExtension>,
    pub(crate) description: Description,
    /// The upper 16 bits of the entry tokens of this mapping; never 0.
    pub(crate) tag: u16,
}

/// The context of a plugin's table. Opaque to the host.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context(pub(crate) *mut c_void);

// SAFETY: the host never dereferences it, and the ABI allows any thread to pass it to the plugin's functions.
unsafe impl Send for Context {}
// SAFETY: as above.
unsafe impl Sync for Context {}

/// Entry tokens must not be taken for those of another mapping, so each mapping of this process has its own tag.
static NEXT_TAG: AtomicU32 = AtomicU32::new(1);

/// Reads the plugin's table and description. `source` says in messages which plugin.
///
/// # Safety
/// `entry_point` is a plugin's, in a library that is never unmapped.
pub(crate) unsafe fn negotiate(
    entry_point: EntryPoint,
    source: &str,
) -> Result<PluginFunctions, Error> {
    // SAFETY: the caller's promise.
    let table = unsafe { table(entry_point, source) }?;
    let missing = |name: &str| {
        Error::new(
            Status::FailedPrecondition,
            "NullFunction",
            format!(
                "the function table of {source} has null for `{name}`: all five functions of ABI {} must be set",
                version(ABI_VERSION)
            ),
        )
    };
    let describe = table.describe.ok_or_else(|| missing("describe"))?;
    let create = table.create.ok_or_else(|| missing("create"))?;
    let call = table.call.ok_or_else(|| missing("call"))?;
    let destroy = table.destroy.ok_or_else(|| missing("destroy"))?;
    let extension = table.extension.ok_or_else(|| missing("extension"))?;

    // SAFETY: `describe` may be called at any time.
    let bytes = unsafe {
        ask(
            || format!("`describe` of {source}"),
            |response| describe(table.context, response),
        )
    }?;
    let description = Description::parse(&bytes)?;
    // SAFETY: `extension` may be called at any time; what it returns for these names are those extensions' tables.
    let (log, asynchronous, objects) = unsafe {
        (
            optional::<LogExtension>(&table, extension, RB_EXTENSION_LOG),
            optional::<AsyncExtension>(&table, extension, RB_EXTENSION_ASYNC),
            optional::<ObjectsExtension>(&table, extension, RB_EXTENSION_OBJECTS),
        )
    };
    let level_changed = log.and_then(|table| table.level_changed);
    let drop_object = objects.and_then(|table| table.drop);
    // Without one of these functions, a call that was started could never end.
    let asynchronous = asynchronous
        .filter(|table| table.start.is_some() && table.cancel.is_some() && table.release.is_some());

    Ok(PluginFunctions {
        context: Context(table.context),
        create,
        call,
        destroy,
        level_changed,
        drop_object,
        asynchronous,
        description,
        tag: next_tag()?,
    })
}

/// Returns a copy of the plugin's table, after checking its version and size.
///
/// # Safety
/// As for [`negotiate`].
unsafe fn table(entry_point: EntryPoint, source: &str) -> Result<PluginTable, Error> {
    // SAFETY: any version may be passed, from any thread.
    let table = unsafe { entry_point(ABI_VERSION) };
    if table.is_null() {
        return Err(Error::new(
            Status::FailedPrecondition,
            "NullTable",
            format!(
                "{source} refused this host: its entry point returned no function table for plugin ABI {}; update the older of the two",
                version(ABI_VERSION)
            ),
        ));
    }
    if !table.is_aligned() {
        return Err(Error::new(
            Status::FailedPrecondition,
            "MisalignedTable",
            format!(
                "the function table of {source} is not aligned to {} bytes: the plugin must return the address of a `PluginTable`",
                align_of::<PluginTable>()
            ),
        ));
    }
    // SAFETY: the first two fields are there in every version of the ABI.
    let abi_version = unsafe { (*table).abi_version };
    if abi_major(abi_version) != abi_major(ABI_VERSION) {
        return Err(Error::new(
Status::FailedPrecondition,
            "AbiMismatch",
            format!(
                "{source} was built for rustbridge plugin ABI {}, this host supports {}: rebuild the plugin with rustbridge {}, or update the host",
                version(abi_version),
                version(ABI_VERSION),
                concat!(env!("CARGO_PKG_VERSION_MAJOR"), ".", env!("CARGO_PKG_VERSION_MINOR")),
            ),
        )
        .with_details(serde_json::json!({
            "plugin": version(abi_version),
            "host": version(ABI_VERSION),
        })));
    }
    // SAFETY: the table is as long as it says.
    unsafe { rustbridge_abi::read(table) }.map_err(|size| {
        Error::new(
Status::FailedPrecondition,
            "ShortTable",
            format!(
                "the function table of {source} is {size} bytes long, but ABI {}.0 requires {}: set `size` to sizeof(rb_plugin_table)",
                abi_major(ABI_VERSION),
                PluginTable::SIZE_1_0
            ),
        )
    })
}

/// Returns the tag of a new mapping.
fn next_tag() -> Result<u16, Error> {
    let tag = NEXT_TAG
        .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |tag| {
            (tag <= u32::from(u16::MAX)).then_some(tag + 1)
        })
        .map_err(|_| {
            Error::new(
                Status::ResourceExhausted,
                "TooManyLibraries",
                format!(
                    "this process has mapped {} different libraries, which is the limit: mapped code is never unmapped, so restart the process",
                    u16::MAX
                ),
            )
        })?;
    Ok(tag as u16)
}

/// The table of an extension. One that's misaligned or too short is none: it's optional, and there's nobody to tell.
///
/// # Safety
/// `extension` is that of the plugin's table, and what it returns for the name is null or such a table.
unsafe fn optional<T: Growing>(
    plugin: &PluginTable,
    extension: unsafe extern "C" fn(*mut c_void, *const c_char) -> *const c_void,
    name: &CStr,
) -> Option<T> {
    // SAFETY: the caller's promise.
    let table = unsafe { extension(plugin.context, name.as_ptr()) }.cast::<T>();
    if table.is_null() || !table.is_aligned() {
        return None;
    }
    // SAFETY: not null, aligned, and as long as it says.
    unsafe { rustbridge_abi::read(table) }.ok()
}

impl PluginFunctions {
    /// What entry indices are added to.
    pub(crate) fn base(&self) -> u32 {
        token::base(self.tag)
    }

    /// How many entry indices there are.
    pub(crate) fn count(&self) -> u32 {
        debug_assert!(self.description.flags.len() <= INDEX_BITS as usize + 1);
        self.description.flags.len() as u32
    }

    /// Whether the plugin described the entry that a token names, or it stands for one of those.
    pub(crate) fn has(&self, token: u32) -> bool {
        self.description.has_index(u32::from(token::index(token))) || self.resolved(token).is_some()
    }

    /// What is resolved for callers of the entry that a token names, if it's for a client of other types. The token has none of the bits
    /// that are the caller's to add.
    pub(crate) fn resolved(&self, token: u32) -> Option<&ResolvedMethod> {
        if token::tag(token) != u32::from(self.tag) {
            return None;
        }
        self.description.resolved(token::index(token))
    }

    /// Names a function of the plugin's table for people.
    pub(crate) fn whose(&self, function: &str) -> String {
        format!("`{function}` of plugin `{}`", self.description.name)
    }

    /// What people call the entry that a token names.
    pub(crate) fn name_of(&self, token: u32) -> String {
        let index = token::index(token);
        self.description
            .name_of(index)
            .unwrap_or_else(|| format!("entry {index}"))
    }
}

fn version(version: u32) -> String {
    format!("{}.{}", abi_major(version), abi_minor(version))
}
