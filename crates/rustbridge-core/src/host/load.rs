//! Loading plugins, and its options.

use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use rustbridge_abi::{Encoding, EntryPoint, Level, Status};

use super::plugin::Plugin;
use crate::error::Error;
use crate::instance::create::{self, Start};
use crate::instance::roster::Instance;
use crate::instance::services::call;
use crate::instance::services::queued;
use crate::instance::services::registered::{
    RawService, RegisteredService, Service, ServiceCall, ServiceReply,
};
use crate::library::find;
use crate::library::mapping::Mapping;
use crate::library::negotiate::PluginFunctions;
use crate::log::sink::LogSink;
use crate::state::OnPanic;

/// The default of [`Load::log_capacity`]: how many records may wait for the sink. Further records are dropped.
pub const DEFAULT_LOG_CAPACITY: usize = 4096;

/// Loads a plugin: specifies its source and its options, then [`open`](Load::open)s it.
///
/// ```no_run
/// use rustbridge_core::{Level, Load, OnPanic, Record};
///
/// let plugin = Load::path("libhello_plugin.so")
///     .config(r#"{"greeting": "Hello"}"#)
///     .name("hello-1")
///     .on_panic(OnPanic::Poison)
///     .log(Level::Info, Box::new(|record: &Record<'_>| eprintln!("{}", record.message())))
///     .open()?;
/// # Ok::<(), rustbridge_core::Error>(())
/// ```
#[must_use = "nothing is loaded until `open` is called"]
pub struct Load<'a> {
    source: Source<'a>,
    name: Option<String>,
    config: Vec<u8>,
    on_panic: OnPanic,
    backtrace: bool,
    own_copy: bool,
    level: Level,
    sink: Option<Box<dyn LogSink>>,
    log_capacity: usize,
    threads: u32,
    services: Vec<RegisteredService>,
    client_schema: Vec<u8>,
}

enum Source<'a> {
    Path(PathBuf),
    Image(Cow<'a, [u8]>),
    Linked(EntryPoint, String),
}

impl Load<'static> {
    /// Loads a library file. The path may omit the system's prefix and suffix of libraries: `target/release/hello`
    /// finds `libhello.so`, `libhello.dylib` or `hello.dll`, unless there's a file with exactly this name.
    ///
    /// A private copy is mapped, one for each distinct content. So the file may be replaced or deleted at any time, and
    /// loading it again then loads the new code. There is one exception: if the library uses `$ORIGIN` (on macOS
    /// `@loader_path`) to find other libraries next to it, the file itself is mapped. To replace such a file, rename a
    /// new file over it, and never write into it.
    ///
    /// On Windows, the libraries that it depends on are searched in the file's folder, in the program's and in the
    /// system's. The current folder and PATH aren't searched.
    pub fn path(path: impl Into<PathBuf>) -> Load<'static> {
        Load::new(Source::Path(path.into()))
    }

    /// Loads a plugin that is linked into this binary, by its entry point.
    ///
    /// `plugin` is its name in messages until it has described itself. Calls use the same code path as for a library.
    /// So this is also a way to test a plugin through the ABI without building a library.
    ///
    /// # Safety
    /// The entry point follows the plugin ABI, as one of the crate `rustbridge` does. It's called, and its result is
    /// trusted.
    pub unsafe fn linked(entry_point: EntryPoint, plugin: impl Into<String>) -> Load<'static> {
        Load::new(Source::Linked(entry_point, plugin.into()))
    }
}

impl<'a> Load<'a> {
    /// Loads a plugin from the bytes of its library.
    ///
    /// ```
    /// use rustbridge_core::{Load, Status};
    ///
    /// let error = Load::image(&b"#!/bin/sh"[..]).open().unwrap_err();
    /// assert_eq!(error.status(), Status::InvalidArgument);
    /// ```
    pub fn image(image: impl Into<Cow<'a, [u8]>>) -> Load<'a> {
        Load::new(Source::Image(image.into()))
    }

    fn new(source: Source<'a>) -> Load<'a> {
        Load {
            source,
            name: None,
            config: Vec::new(),
            on_panic: OnPanic::default(),
            backtrace: false,
            own_copy: false,
            level: Level::Off,
            sink: None,
            log_capacity: DEFAULT_LOG_CAPACITY,
            threads: 0,
            services: Vec::new(),
            client_schema: Vec::new(),
        }
    }

    /// Sets the configuration, a JSON object. The default is `{}`.
    pub fn config(mut self, json: impl Into<Vec<u8>>) -> Self {
        self.config = json.into();
        self
    }

    /// Sets the instance's name in messages, logs and the registry. The default is the plugin's name.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Sets the effect of a panic on the instance.
    pub fn on_panic(mut self, on_panic: OnPanic) -> Self {
        self.on_panic = on_panic;
        self
    }

    /// Sets whether errors of panics have a backtrace.
    pub fn backtrace(mut self, backtrace: bool) -> Self {
        self.backtrace = backtrace;
        self
    }

    /// Sets whether the instance gets a mapping of its own, for a plugin with global state that instances must not
    /// share.
    ///
    /// Mappings are never released, so every such load uses memory permanently.
    pub fn own_copy(mut self, own_copy: bool) -> Self {
        self.own_copy = own_copy;
        self
    }

    /// Sets the log level and the sink. They apply from the start: records that the plugin writes during its creation
    /// arrive too, even if the creation fails.
    pub fn log(mut self, level: Level, sink: Box<dyn LogSink>) -> Self {
        self.level = level;
        self.sink = Some(sink);
        self
    }

    /// Sets how many records may wait for the sink. The default is [`DEFAULT_LOG_CAPACITY`], and the minimum is one.
    pub fn log_capacity(mut self, records: usize) -> Self {
        self.log_capacity = records;
        self
    }

    /// Sets how many plain handlers of the plugin may run on threads of the library at once (handlers that are
    /// offloaded, or that wait for the items of a stream), and how many functions of services that the plugin awaits.
    /// Further ones wait. The default, also for 0, is [`DEFAULT_THREADS`](crate::DEFAULT_THREADS).
    ///
    /// If a function waits for a call of the plugin, and that call waits for such a function, each needs a thread.
    pub fn threads(mut self, threads: u32) -> Self {
        self.threads = threads;
        self
    }

    /// Registers a function that the plugin calls by this name. The plugin's description lists the services that it
    /// needs. The function may block. Any number of them run at once. None runs on a thread that has submitted a call
    /// without waiting for it; see [`Service`].
    ///
    /// ```
    /// # mod my_plugin { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/plugin/mod.rs")); }
    /// use rustbridge_core::{Encoding, Error, Load, ServiceCall};
    ///
    /// // SAFETY: this is our own plugin, whose entry point follows the ABI.
    /// let plugin = unsafe { Load::linked(my_plugin::entry_point, "tiny") }
    ///     .service("upper", Encoding::Raw, |request: &[u8], _: &ServiceCall<'_>| -> Result<Vec<u8>, Error> {
    ///         Ok(request.to_ascii_uppercase())
    ///     })
    ///     .open()?;
    /// # drop(plugin);
    /// # Ok::<(), rustbridge_core::Error>(())
    /// ```
    pub fn service(
        self,
        name: impl Into<String>,
        encoding: Encoding,
        service: impl Service,
    ) -> Self {
        self.registered(RegisteredService::new(name.into(), encoding, service))
    }

    /// Registers a function that returns quickly and doesn't block. Unlike a function of [`service`](Load::service),
    /// it's always called on the thread from which the plugin calls, even if it's an event loop's thread. If an `async
    /// fn` of the plugin awaits the response, this saves a thread switch.
    pub fn service_short(
        self,
        name: impl Into<String>,
        encoding: Encoding,
        service: impl Service,
    ) -> Self {
        self.registered(RegisteredService::new(name.into(), encoding, service).short())
    }

    fn registered(mut self, service: RegisteredService) -> Self {
        self.services.push(service);
        self
    }

    /// Registers a function that returns quickly and responds later, through its [`ServiceReply`]. Otherwise it's like
    /// [`service_short`](Load::service_short).
    ///
    /// If a thread of the plugin waits for the response, it waits until its call's deadline, or for 30 seconds.
    pub fn service_async(
        self,
        name: impl Into<String>,
        encoding: Encoding,
        function: impl Fn(&[u8], &ServiceCall<'_>, ServiceReply) + Send + Sync + 'static,
    ) -> Self {
        self.registered(RegisteredService::later(
            name.into(),
            encoding,
            function,
            call::reply_result,
        ))
    }

    /// Registers a service whose calls are events of a completion queue:
    /// [`EventKind::Service`](crate::operations::EventKind::Service) with this `user_data`. Respond with
    /// [`service_reply`](crate::handles::service_reply). It's for loops that own their thread.
    ///
    /// If a thread of the plugin waits for the response, it waits until its call's deadline, or for 30 seconds. If that
    /// thread itself polls the queue, or polled it last while no thread polls it, the call is refused with
    /// `FAILED_PRECONDITION`, because the thread would wait for itself. Other deadlocks can't be detected: a loop that
    /// waits for a thread which waits for the loop's service continues after that time.
    ///
    /// Closing the queue fails waiting and later calls with `UNAVAILABLE`.
    pub fn service_queue(
        self,
        name: impl Into<String>,
        encoding: Encoding,
        queue: u64,
        user_data: u64,
    ) -> Self {
        self.service_queue_owned(name, encoding, queue, user_data, Arc::new(()))
    }

    /// Registers a service like [`service_queue`](Load::service_queue), with a value that belongs to `user_data`. The
    /// value is dropped when the service is dropped, and the queue has no more events with this `user_data`.
    #[doc(hidden)]
    pub fn service_queue_owned(
        mut self,
        name: impl Into<String>,
        encoding: Encoding,
        queue: u64,
        user_data: u64,
        owner: Arc<dyn Any + Send + Sync>,
    ) -> Self {
        let registered = queued::registered(name.into(), encoding, queue, user_data, owner, None);
        self.services.push(registered);
        self
    }

    /// Registers a service like [`service_queue_owned`](Load::service_queue_owned), with a function that is called
    /// first, on the plugin's thread. If it returns `RB_PENDING` without a number, the call goes to the queue. It's for
    /// languages that can't run on foreign threads.
    #[doc(hidden)]
    pub fn service_queue_first<S: RawService>(
        mut self,
        name: impl Into<String>,
        encoding: Encoding,
        queue: u64,
        user_data: u64,
        first: Arc<S>,
    ) -> Self {
        let owner = Arc::clone(&first) as Arc<dyn Any + Send + Sync>;
        let registered =
            queued::registered(name.into(), encoding, queue, user_data, owner, Some(first));
        self.services.push(registered);
        self
    }

    /// Registers a service of a binding.
    #[doc(hidden)]
    pub fn service_raw(
        mut self,
        name: impl Into<String>,
        encoding: Encoding,
        service: Arc<dyn RawService>,
    ) -> Self {
        let registered = RegisteredService::raw(name.into(), encoding, service);
        self.services.push(registered);
        self
    }

    /// Sets the client schema (a plugin's description) of the typed client that loads the plugin. The types of its
    /// services in the wire format are compared with those with which the plugin calls them. Where they differ
    /// compatibly, each message is resolved.
    pub fn client_schema(mut self, client_schema: impl Into<Vec<u8>>) -> Self {
        self.client_schema = client_schema.into();
        self
    }

    /// Selects the runtime that runs the plugin instead of this process. No runtime exists yet.
    ///
    /// # Errors
    /// `UNIMPLEMENTED`: there's no such runtime.
    #[doc(hidden)]
    pub fn runtime(self, name: &str) -> Result<Self, Error> {
        Err(Error::new(
            Status::Unimplemented,
            "NoSuchRuntime",
            format!(
                "there is no runtime {name:?}: this version of rustbridge loads plugins into its own process only"
            ),
        ))
    }

    /// Loads the plugin and creates the instance.
    ///
    /// # Errors
    /// * `NOT_FOUND`, `PERMISSION_DENIED`: no such file, or not readable.
    /// * `INVALID_ARGUMENT`: not a library, truncated, not a plugin; or the plugin refused the config.
    /// * `FAILED_PRECONDITION`: a library for another system or processor, or a plugin for another ABI; or it needs services
    ///   that weren't registered, or calls them with types that can't be resolved with those of the [client schema](Load::client_schema).
    /// * `RESOURCE_EXHAUSTED`: too many instances or libraries.
    /// * The error of the plugin's `create`.
    pub fn open(self) -> Result<Plugin, Error> {
        self.start().map(Plugin::new)
    }

    /// Returns the plugin's description (a JSON object with the schemas of its types), without creating an instance.
    /// The options for the instance have no effect.
    ///
    /// The library is mapped and its code runs, as for [`open`](Load::open), which then reuses the mapping.
    ///
    /// # Errors
    /// As for [`open`](Load::open), except for those of `create`.
    pub fn describe(self) -> Result<Arc<str>, Error> {
        let found = self.source.find(false)?;
        Ok(Arc::clone(found.plugin.description.complete()))
    }

    pub(crate) fn start(self) -> Result<Arc<Instance>, Error> {
        let Found {
            mapping,
            plugin,
            path,
        } = self.source.find(self.own_copy)?;
        create::start(Start {
            mapping,
            plugin,
            path: find::bytes(path),
            name: self
                .name
                .filter(|name| !name.is_empty())
                .unwrap_or_else(|| plugin.description.name.clone()),
            config: self.config,
            on_panic: self.on_panic,
            backtrace: self.backtrace,
            level: self.level,
            sink: self.sink,
            log_capacity: self.log_capacity,
            threads: self.threads,
            services: self.services,
            client_schema: self.client_schema,
        })
    }
}

/// A mapped library and its plugin.
struct Found {
    mapping: &'static Mapping,
    plugin: &'static PluginFunctions,
    /// The library's file, absolute; empty if there's none.
    path: PathBuf,
}

impl Source<'_> {
    /// The library, mapped and looked at.
    fn find(self, own_copy: bool) -> Result<Found, Error> {
        let mut path = PathBuf::new();
        let mapping = match self {
            Source::Path(asked) => {
                let mapping;
                (mapping, path) = find::of_path(asked, own_copy)?;
                mapping
            }
            Source::Image(bytes) => find::of_image(&bytes, own_copy)?,
            Source::Linked(_, plugin) if own_copy => {
                return Err(Error::new(
                    Status::InvalidArgument,
                    "NoOwnCopy",
                    format!(
                        "plugin `{plugin}` is linked into this program, so it can't be loaded twice: load it from a library, or without own_copy"
                    ),
                ));
            }
            // SAFETY: an entry point is a plugin's by its type's contract, and this binary is never unmapped.
            Source::Linked(entry_point, plugin) => unsafe {
                find::of_linked(entry_point, &plugin)?
            },
        };
        Ok(Found {
            mapping,
            plugin: mapping.plugin.as_ref().map_err(Error::clone)?,
            path,
        })
    }
}

impl fmt::Debug for Load<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let source = match &self.source {
            Source::Path(path) => format!("{}", path.display()),
            Source::Image(bytes) => format!("{} bytes", bytes.len()),
            Source::Linked(_, plugin) => format!("linked {plugin}"),
        };
        // The config may hold secrets and the sink can't be shown.
        f.debug_struct("Load")
            .field("source", &source)
            .field("name", &self.name)
            .field("on_panic", &self.on_panic)
            .field("backtrace", &self.backtrace)
            .field("own_copy", &self.own_copy)
            .field("level", &self.level)
            .field("log_capacity", &self.log_capacity)
            .finish_non_exhaustive()
    }
}
