//! Loading: where the plugin is, and how the instance shall be.

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
    RawService, Registered, Service, ServiceCall, ServiceReply,
};
use crate::library::find;
use crate::library::mapping::Mapping;
use crate::library::negotiate::Negotiated;
use crate::log::sink::LogSink;
use crate::state::OnPanic;

/// Records that wait for the sink before further ones are dropped, unless [`Load::log_capacity`] says otherwise.
pub const DEFAULT_LOG_CAPACITY: usize = 4096;

/// Loads a plugin: says where it is and how the instance shall be, then [`open`](Load::open)s it.
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
    services: Vec<Registered>,
    contract: Vec<u8>,
}

enum Source<'a> {
    Path(PathBuf),
    Image(Cow<'a, [u8]>),
    Linked(EntryPoint, String),
}

impl Load<'static> {
    /// A library file; its name needn't have what the system adds to a library's: `target/release/hello` finds `libhello.so`,
    /// `libhello.dylib` or `hello.dll` there, unless there's a file of the name itself.
    ///
    /// What is mapped is a private copy, one for each distinct content, so the file may be replaced or deleted at
    /// any time, and loading it again after it was replaced gives the new code. The exception is a library that says
    /// by `$ORIGIN` (on macOS `@loader_path`) that it looks for others beside itself: it's mapped where it lies, and to be
    /// replaced by renaming a new file over it, never by writing into it.
    ///
    /// On Windows the libraries it depends on are looked for in the file's folder, in the program's and in the system's,
    /// and nowhere else: not in the current folder and not on PATH.
    pub fn path(path: impl Into<PathBuf>) -> Load<'static> {
        Load::new(Source::Path(path.into()))
    }

    /// A plugin that is linked into this very binary, by its entry point.
    ///
    /// `plugin` names it in messages until it has described itself. The calls take the same way as any other's, so this
    /// is also how a plugin is tested through the ABI without building a library.
    ///
    /// # Safety
    /// The entry point follows the plugin ABI, as one made by the author's side does: it's called, and what it returns is
    /// trusted.
    pub unsafe fn linked(entry_point: EntryPoint, plugin: impl Into<String>) -> Load<'static> {
        Load::new(Source::Linked(entry_point, plugin.into()))
    }
}

impl<'a> Load<'a> {
    /// The bytes of a library, from wherever they come.
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
            contract: Vec::new(),
        }
    }

    /// The config, a JSON object. Without it the plugin gets `{}`.
    pub fn config(mut self, json: impl Into<Vec<u8>>) -> Self {
        self.config = json.into();
        self
    }

    /// The instance's name in messages, logs and the ledger. Without it, the plugin's name.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// What a panic in a call does to the instance.
    pub fn on_panic(mut self, on_panic: OnPanic) -> Self {
        self.on_panic = on_panic;
        self
    }

    /// Whether errors from panics carry a backtrace.
    pub fn backtrace(mut self, backtrace: bool) -> Self {
        self.backtrace = backtrace;
        self
    }

    /// Whether the instance gets a mapping of its own, for a plugin with global state that instances mustn't share.
    ///
    /// Mappings are never given up, so every such load costs memory for good.
    pub fn own_copy(mut self, own_copy: bool) -> Self {
        self.own_copy = own_copy;
        self
    }

    /// Up to which level records are wanted, and where they go. From the very first: what the plugin logs while it is
    /// created arrives too, also when creating fails.
    pub fn log(mut self, level: Level, sink: Box<dyn LogSink>) -> Self {
        self.level = level;
        self.sink = Some(sink);
        self
    }

    /// How many records may wait for the sink; the default is [`DEFAULT_LOG_CAPACITY`], and at least one may.
    pub fn log_capacity(mut self, records: usize) -> Self {
        self.log_capacity = records;
        self
    }

    /// How many plain handlers of the plugin may run on threads of their own at once (those that are offloaded, or wait for the items of a
    /// stream), and how many functions of services that the plugin awaits. What is beyond waits. The default, which is also what 0 means, is
    /// [`DEFAULT_THREADS`](crate::DEFAULT_THREADS).
    ///
    /// A function that waits for a call of the plugin which in turn waits for such a function needs a thread for each.
    pub fn threads(mut self, threads: u32) -> Self {
        self.threads = threads;
        self
    }

    /// Registers a function that the plugin calls by this name: what it needs is in its description. It may take its time: any number
    /// of them run at once, and none on a thread that has begun a call without waiting for it; see [`Service`].
    ///
    /// ```
    /// # mod my_plugin { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/plugin/mod.rs")); }
    /// use rustbridge_core::{Encoding, Error, Load, ServiceCall};
    ///
    /// // SAFETY: a plugin of ours, whose entry point follows the ABI.
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
        self.registered(Registered::new(name.into(), encoding, service))
    }

    /// Registers a function that returns quickly and doesn't block. Unlike one of [`service`](Load::service), it's always called on the
    /// thread that the plugin calls from, even if that is an event loop's thread. This saves a thread switch where an `async fn` of the
    /// plugin awaits the answer.
    pub fn service_short(
        self,
        name: impl Into<String>,
        encoding: Encoding,
        service: impl Service,
    ) -> Self {
        self.registered(Registered::new(name.into(), encoding, service).short())
    }

    fn registered(mut self, service: Registered) -> Self {
        self.services.push(service);
        self
    }

    /// Registers a function that answers later, by the [`ServiceReply`] that it's given, and returns quickly. Otherwise like
    /// [`service_short`](Load::service_short).
    ///
    /// A thread of the plugin's that waits for the answer waits as long as its call has time, or 30 seconds.
    pub fn service_async(
        self,
        name: impl Into<String>,
        encoding: Encoding,
        function: impl Fn(&[u8], &ServiceCall<'_>, ServiceReply) + Send + Sync + 'static,
    ) -> Self {
        self.registered(Registered::later(
            name.into(),
            encoding,
            function,
            call::reply_result,
        ))
    }

    /// Registers a service whose calls are events of a queue: [`EventKind::Service`](crate::operations::EventKind::Service) with
    /// this `user_data`, to be answered by [`service_reply`](crate::handles::service_reply). For loops that own their thread.
    ///
    /// A thread of the plugin's that waits for the answer waits as long as its call has time, or 30 seconds. It's refused with
    /// `FAILED_PRECONDITION` if it's the thread that drains the queue, or that did last while nobody does: it would wait for
    /// itself. No more can be known: a loop that waits for a thread that waits for the loop's service goes on after that time.
    ///
    /// Closing the queue fails the calls that wait, and those to come, with `UNAVAILABLE`.
    pub fn service_queue(
        self,
        name: impl Into<String>,
        encoding: Encoding,
        queue: u64,
        user_data: u64,
    ) -> Self {
        self.service_queue_owned(name, encoding, queue, user_data, Arc::new(()))
    }

    /// As [`service_queue`](Load::service_queue), with what belongs to `user_data`: it's dropped when the service is, and no
    /// event that has it is in the queue.
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

    /// As [`service_queue_owned`](Load::service_queue_owned), with a function that is asked first, on the plugin's thread: what it
    /// leaves, with `RB_PENDING` and no number, goes to the queue. For languages whose code may run on the threads that it
    /// has begun on, and on no others.
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

    /// Registers a service of a binding's.
    #[doc(hidden)]
    pub fn service_raw(
        mut self,
        name: impl Into<String>,
        encoding: Encoding,
        service: Arc<dyn RawService>,
    ) -> Self {
        let registered = Registered::raw(name.into(), encoding, service);
        self.services.push(registered);
        self
    }

    /// What the typed client was written from that loads: a plugin's description. The types of the services that are registered in the
    /// wire form, and are in it, are compared with those that the plugin calls them with; where they differ and it breaks nothing, each
    /// message is resolved.
    pub fn contract(mut self, contract: impl Into<Vec<u8>>) -> Self {
        self.contract = contract.into();
        self
    }

    /// Loads the plugin and makes the instance.
    ///
    /// # Errors
    /// * `NOT_FOUND`, `PERMISSION_DENIED`: no such file, or not readable.
    /// * `INVALID_ARGUMENT`: not a library, truncated, not a plugin; or the plugin refused the config.
    /// * `FAILED_PRECONDITION`: a library for another system or processor, or a plugin for another ABI; or it needs services
    ///   that weren't registered, or calls them with types that the [contract](Load::contract)'s can't be brought together with.
    /// * `RESOURCE_EXHAUSTED`: too many instances or libraries.
    /// * Whatever the plugin's `create` answered.
    pub fn open(self) -> Result<Plugin, Error> {
        self.start().map(Plugin::new)
    }

    /// What the plugin says of itself, the JSON object that it wrote with the schemas that its types make, without making an instance. Of all that was said of
    /// the instance nothing matters here.
    ///
    /// The library is mapped for that and its code runs, as for [`open`](Load::open), which then finds it mapped.
    ///
    /// # Errors
    /// As for [`open`](Load::open), but for what `create` answers.
    pub fn describe(self) -> Result<Arc<str>, Error> {
        let (_, plugin) = self.source.find(false)?;
        Ok(Arc::clone(plugin.description.complete()))
    }

    pub(crate) fn start(self) -> Result<Arc<Instance>, Error> {
        let (mapping, plugin) = self.source.find(self.own_copy)?;
        create::start(Start {
            mapping,
            plugin,
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
            contract: self.contract,
        })
    }
}

impl Source<'_> {
    /// The library, mapped and looked at.
    fn find(self, own_copy: bool) -> Result<(&'static Mapping, &'static Negotiated), Error> {
        let mapping = match self {
            Source::Path(path) => find::of_path(&path, own_copy)?,
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
        Ok((mapping, mapping.plugin.as_ref().map_err(Error::clone)?))
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
