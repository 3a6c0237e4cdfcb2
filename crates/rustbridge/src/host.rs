//! The host, as an instance sees it.

use std::any::Any;
use std::ffi::{CStr, c_char, c_void};
use std::fmt;
use std::path::{Path, PathBuf};
#[cfg(feature = "async")]
use std::sync::Weak;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use rustbridge_abi::{
    self as abi, AsyncHost, CallContext, CallHost, Level, LogRecord, RB_EXTENSION_ASYNC,
    RB_EXTENSION_CALL, RB_HOST_BACKTRACE, RB_LOG_OFF, RB_OK, StatusCode,
};

#[cfg(feature = "async")]
use crate::slot::Slot;

/// How many plain handlers have a thread of their own at once, unless the host says.
#[cfg(feature = "async")]
const DEFAULT_THREADS: usize = 512;

/// The host, as one instance sees it. It's cheap to clone, and the plugin may keep it.
///
/// ```
/// use rustbridge::{Host, Level};
///
/// let host = Host::detached();
/// assert_eq!(host.instance_name(), "detached");
/// assert!(!host.log_enabled(Level::Error));
/// ```
#[derive(Clone)]
pub struct Host {
    shared: Arc<HostState>,
}

/// What is kept of the host's table.
///
/// Invariant: `level`, and `log` and `extension` with `context`, may be used from any thread for as long as the process
/// lives. The plugin ABI promises that of the table `from_abi` reads; a detached host has none of them.
pub(crate) struct HostState {
    instance_name: String,
    plugin_path: Option<PathBuf>,
    plugin_name: &'static str,
    flags: u32,
    /// How many plain handlers may have a thread of their own at once; 0 if the host doesn't say.
    #[cfg(feature = "async")]
    threads: u64,
    context: *mut c_void,
    level: *const AtomicU32,
    log: Option<unsafe extern "C" fn(*mut c_void, *const LogRecord)>,
    extension: Option<unsafe extern "C" fn(*mut c_void, *const c_char) -> *const c_void>,
    /// What it offers for calls, asked for once.
    calls: OnceLock<Option<CallHost>>,
    /// The values that other parts of this crate keep for the instance.
    kept: RwLock<Vec<Arc<dyn Any + Send + Sync>>>,
    #[cfg(feature = "async")]
    runtime: Slot,
}

// SAFETY: the invariant of `Shared`: both functions of the host's table and its level are for any thread.
unsafe impl Send for HostState {}
// SAFETY: as above; everything else is immutable.
unsafe impl Sync for HostState {}

/// Converts the host's bytes of a path; empty means none.
fn path(bytes: &[u8]) -> Option<PathBuf> {
    #[cfg(unix)]
    let path = {
        use std::os::unix::ffi::OsStrExt as _;

        Path::new(std::ffi::OsStr::from_bytes(bytes))
    };
    // The ABI requires UTF-8 there.
    #[cfg(not(unix))]
    let path = Path::new(std::str::from_utf8(bytes).ok()?);
    (!bytes.is_empty()).then(|| path.to_owned())
}

impl Host {
    /// Returns a host for unit tests. It discards log records.
    #[must_use]
    pub fn detached() -> Host {
        Host {
            shared: Arc::new(HostState {
                instance_name: "detached".to_owned(),
                plugin_path: None,
                plugin_name: "detached",
                flags: 0,
                #[cfg(feature = "async")]
                threads: 0,
                context: std::ptr::null_mut(),
                level: std::ptr::null(),
                log: None,
                extension: None,
                calls: OnceLock::new(),
                kept: RwLock::default(),
                #[cfg(feature = "async")]
                runtime: Slot::detached(),
            }),
        }
    }

    /// # Safety
    /// `host` is a host's table as the plugin ABI describes it.
    pub(crate) unsafe fn from_abi(host: &abi::Host, plugin_name: &'static str) -> Host {
        // SAFETY: the table's name is readable now.
        let name = unsafe { host.instance_name.as_bytes() };
        Host {
            shared: Arc::new(HostState {
                instance_name: String::from_utf8_lossy(name).into_owned(),
                // SAFETY: as above.
                plugin_path: path(unsafe { host.plugin_path.as_bytes() }),
                plugin_name,
                flags: host.flags,
                #[cfg(feature = "async")]
                threads: host.threads,
                context: host.context,
                level: host.log_level.cast(),
                log: host.log,
                extension: host.extension,
                calls: OnceLock::new(),
                kept: RwLock::default(),
                #[cfg(feature = "async")]
                runtime: Slot::new(),
            }),
        }
    }

    /// Returns the name that the host gave to this instance.
    #[must_use]
    pub fn instance_name(&self) -> &str {
        &self.shared.instance_name
    }

    /// Returns the absolute path of the file from which the plugin was loaded, for example to find data files next to it. `None`
    /// if it was loaded from memory or is linked into the program, if its path isn't Unicode on Windows, or if the host is of an
    /// earlier version.
    ///
    /// The running code may be mapped from a copy of the file, so the loader doesn't know this path.
    #[must_use]
    pub fn plugin_path(&self) -> Option<&Path> {
        self.shared.plugin_path.as_deref()
    }

    /// Returns the plugin's own name.
    #[must_use]
    pub fn plugin_name(&self) -> &str {
        self.shared.plugin_name
    }

    /// Returns whether this instance's log level includes `level`. `tracing`'s macros check it themselves. Use it for
    /// work that only the log needs.
    #[must_use]
    pub fn log_enabled(&self, level: Level) -> bool {
        level != Level::Off && level.code() <= self.level_code()
    }

    pub(crate) fn level_code(&self) -> u32 {
        if self.shared.level.is_null() {
            RB_LOG_OFF
        } else {
            // SAFETY: the invariant of `Shared`.
            unsafe { &*self.shared.level }.load(Ordering::Relaxed)
        }
    }

    pub(crate) fn wants_backtrace(&self) -> bool {
        self.shared.flags & RB_HOST_BACKTRACE != 0
    }

    /// How many plain handlers may have a thread of their own at once.
    #[cfg(feature = "async")]
    pub(crate) fn threads(&self) -> usize {
        match self.shared.threads {
            0 => DEFAULT_THREADS,
            threads => usize::try_from(threads).unwrap_or(DEFAULT_THREADS),
        }
    }

    /// Hands one record to the host, which copies it and returns at once.
    pub(crate) fn log(&self, record: &LogRecord) {
        if let Some(log) = self.shared.log {
            // SAFETY: the invariant of `Shared`; the record and its texts live until the call returns.
            unsafe { log(self.shared.context, record) };
        }
    }

    /// Returns the table of an optional capability of the host, or null if the host has none of that name. Each table
    /// begins with its own size, with which it's read ([`rustbridge_abi::read`]). It's valid until the process ends.
    #[doc(hidden)]
    #[must_use]
    pub fn extension(&self, name: &CStr) -> *const c_void {
        match self.shared.extension {
            // SAFETY: the invariant of `Shared`; the name is terminated and lives until the call returns.
            Some(extension) => unsafe { extension(self.shared.context, name.as_ptr()) },
            None => std::ptr::null(),
        }
    }

    /// What the host offers for operations, if anything.
    pub(crate) fn operations(&self) -> Option<AsyncHost> {
        let table = self.extension(RB_EXTENSION_ASYNC).cast::<AsyncHost>();
        if table.is_null() {
            return None;
        }
        // SAFETY: not null, so the table of that name, which is as long as it says.
        unsafe { abi::read(table) }.ok()
    }

    /// What the host offers for calls, if anything.
    fn calls(&self) -> Option<&CallHost> {
        let calls = self.shared.calls.get_or_init(|| {
            let table = self.extension(RB_EXTENSION_CALL).cast::<CallHost>();
            if table.is_null() {
                return None;
            }
            // SAFETY: not null, so the table of that name, which is as long as it says.
            unsafe { abi::read(table) }.ok()
        });
        calls.as_ref()
    }

    /// Adds headers, pairs as they cross the boundary, to the call that is this operation. `None` if the host takes none.
    pub(crate) fn add_headers(&self, op: abi::Op, pairs: &[u8]) -> Option<StatusCode> {
        let headers = self.calls()?.headers?;
        // SAFETY: the host's function for any thread, and bytes that are there until it returns.
        Some(unsafe { headers(op, pairs.as_ptr(), pairs.len()) })
    }

    /// The call that this thread is in, if the host knows of one.
    pub(crate) fn current_call(&self) -> Option<CallContext> {
        let current = self.calls()?.current?;
        let mut header = CallContext::EMPTY;
        // SAFETY: the host's function for any thread, and a header of ours.
        let status = unsafe { current(&raw mut header) };
        (status == RB_OK).then_some(header)
    }

    /// Returns the value for which `is_it` is true, and creates it if there's none.
    pub(crate) fn kept<T: Any + Send + Sync>(
        &self,
        is_it: impl Fn(&T) -> bool,
        create: impl FnOnce() -> T,
    ) -> Arc<T> {
        let find = |list: &[Arc<dyn Any + Send + Sync>]| {
            let known = list.iter().filter_map(|it| Arc::clone(it).downcast().ok());
            known.into_iter().find(|it: &Arc<T>| is_it(it))
        };
        let kept = &self.shared.kept;
        let known = find(&kept.read().unwrap_or_else(PoisonError::into_inner));
        if let Some(known) = known {
            return known;
        }
        let mut list = kept.write().unwrap_or_else(PoisonError::into_inner);
        find(&list).unwrap_or_else(|| {
            let created = Arc::new(create());
            list.push(Arc::clone(&created) as Arc<dyn Any + Send + Sync>);
            created
        })
    }

    /// What the functions of the host's tables are given.
    pub(crate) fn context(&self) -> *mut c_void {
        self.shared.context
    }

    /// The runtime of the instance.
    #[cfg(feature = "async")]
    #[inline(always)]
    pub(crate) fn runtime(&self) -> &Slot {
        &self.shared.runtime
    }

    /// Whether there's no host behind it.
    #[cfg(feature = "async")]
    pub(crate) fn is_detached(&self) -> bool {
        self.shared.level.is_null()
    }

    /// For what is a part of the host.
    #[cfg(feature = "async")]
    pub(crate) fn downgrade(&self) -> Weak<HostState> {
        Arc::downgrade(&self.shared)
    }

    #[cfg(feature = "async")]
    pub(crate) fn upgrade(shared: &Weak<HostState>) -> Option<Host> {
        shared.upgrade().map(|shared| Host { shared })
    }

    pub(crate) fn same(&self, other: &Host) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared)
    }

    pub(crate) fn as_ptr(&self) -> *const HostState {
        Arc::as_ptr(&self.shared)
    }

    /// # Safety
    /// `shared` came from [`as_ptr`](Self::as_ptr) of a host that's still alive.
    pub(crate) unsafe fn clone_from_ptr(shared: *const HostState) -> Host {
        // SAFETY: the caller vouches that the allocation is alive, so its count may be raised and then owned.
        unsafe {
            Arc::increment_strong_count(shared);
            Host {
                shared: Arc::from_raw(shared),
            }
        }
    }
}

impl fmt::Debug for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Host")
            .field("instance_name", &self.instance_name())
            .finish_non_exhaustive()
    }
}
