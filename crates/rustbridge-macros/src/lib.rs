//! The macros of rustbridge. Use them through the `rustbridge` crate, which documents them and which the expansions
//! refer to.

mod block;
mod callback;
mod class;
mod codes;
mod default_value;
mod defaulted;
mod docs;
mod message;
mod object;
mod plugin;
mod pod;
mod renamed;
mod service;
mod status_error;
mod traits;
mod via;
mod wire;

use proc_macro::TokenStream;
use proc_macro2::TokenStream as Tokens;

use crate::renamed::Crate;

/// Expands an attribute with its arguments and its item.
fn attribute(
    arguments: TokenStream,
    item: TokenStream,
    expand: fn(Tokens, Tokens) -> syn::Result<Tokens>,
) -> TokenStream {
    finish(Crate::of_arguments(arguments.into()), |arguments| {
        expand(arguments, item.into())
    })
}

/// Expands a derive. Attributes of that name in the item may have the crate's path.
fn derived(
    item: TokenStream,
    name: &str,
    expand: fn(Tokens) -> syn::Result<Tokens>,
) -> TokenStream {
    finish(Crate::of_attributes(item.into(), name), expand)
}

fn finish(
    input: syn::Result<(Crate, Tokens)>,
    expand: impl FnOnce(Tokens) -> syn::Result<Tokens>,
) -> TokenStream {
    input
        .and_then(|(of, input)| Ok(of.applied(expand(input)?)))
        .unwrap_or_else(|error| error.to_compile_error())
        .into()
}

/// Declares the type of this `impl` block a plugin, and its public methods the plugin's methods.
///
/// ```
/// use rustbridge::prelude::*;
///
/// #[derive(Message)]
/// pub struct Greet { pub name: String }
///
/// #[derive(Message)]
/// pub struct Greeting { pub greeting: String }
///
/// #[derive(Default)]
/// pub struct Hello;
///
/// /// Says hello.
/// #[plugin(name = "hello")]
/// impl Hello {
///     /// Greets someone.
///     pub fn greet(&self, request: Greet) -> Greeting {
///         Greeting { greeting: format!("Hello, {}!", request.name) }
///     }
/// }
///
/// // The same plugin is an ordinary value.
/// assert_eq!(Hello.greet(Greet { name: "Ada".into() }).greeting, "Hello, Ada!");
/// ```
///
/// # The attribute
/// `#[plugin(name = "..", version = "..", export = true, encodings(..), objects(..), services(..), callbacks(..), crate = ..)]`:
/// * `name`, `version`: those of the crate by default.
/// * `export = false`: omits the symbol that hosts look for. A binary that links several plugins needs it.
/// * `encodings(..)`: the encodings of the methods, see below.
/// * `objects(..)`: the types with [`#[object]`](macro@object) that the methods accept or return, or that have constructors.
/// * `services(..)`: the traits with [`#[service]`](macro@service) whose functions the plugin calls.
/// * `callbacks(..)`: the traits with [`#[callback]`](macro@callback) whose implementations the methods accept or return.
/// * `crate = rb`: the path of the `rustbridge` crate if `Cargo.toml` renames it (`rb = { package = "rustbridge", .. }`). The other macros
///   take it as well: `#[object(crate = rb)]`, `#[service(crate = rb)]`, `#[callback(crate = rb)]`, `#[message(crate = rb)]`,
///   `#[pod(crate = rb)]` and `#[status(crate = rb)]`.
///
/// # `create`
/// The associated function `create` creates an instance. Its parameters are the configuration (any `Message`), the [`Host`], both in this
/// order, or none. It returns `Self` or a `Result` of it. Without `create`, the type must implement `Default`.
///
/// # Methods
/// Every `pub fn` with `&self` is a method, except those marked `#[method(skip)]`. Its parameters are a request, owned or by reference, or
/// several values; then at most one `Items<T>`; then at most one `&Call`. It returns the response, or a `Result` of it. The macro
/// recognizes `Result` by that name. An `async fn` needs the feature `async`.
///
/// Several values (12 at most) are sent as a record whose fields have the names of the parameters, without leading underscores: in JSON
/// `{"from": "a", "to": "b"}`. Generated clients take them as separate arguments. Each must be a message or a borrowed one (`&str`, `&[T]`
/// or `&T`). Methods that return items can't have borrowed ones.
///
/// The types determine the encodings. Messages have `json` and `wire`; plain old data has `pod`; a method is `raw` if its request is bytes
/// or `&str`, or if it has no request and returns bytes. `#[plugin(encodings(json, msgpack, wire))]` lists the encodings to use instead of
/// `json`, `raw`, `pod` and `wire`, as far as the types support them; `msgpack`, `bincode` and `postcard` need the features of those names.
/// The list applies to its own `impl` block, so objects have their own lists.
///
/// `#[method(..)]` on a function takes
/// * `name = "math.add"`: the method's name, by default the function's. Several functions may have the same name if their encodings don't
///   overlap;
/// * `id = 1`: a numeric id;
/// * `leaf`: the method is short, never blocks and never calls back, so hosts may use their cheapest call;
/// * `encodings(json, pod)`: exactly these encodings;
/// * `takes_objects`, `returns_objects`: its request, or response, is a message that contains `Object`s;
/// * `spawn`: the runtime polls the `async fn` from the beginning;
/// * `skip`: not a method.
///
/// # Async methods
/// With the feature `async`, a method may be an `async fn` whose future is `Send`. A blocking call polls it on the calling thread. An
/// asynchronous call polls it once on the submitting thread; if it isn't ready by then, the runtime of the instance continues it. The
/// future is dropped when the call is cancelled or its deadline passes. A borrowed request is copied. Use `#[method(spawn)]` if the method
/// computes for a long time before its first `.await`.
///
/// Timers and spawned tasks run on the same runtime. It starts with the first such call, ends with the instance, and has one thread, or
/// as many as `#[plugin(workers = 4)]` specifies. `#[plugin(runtime = Self::handle)]` uses another runtime: the function takes `&Self` and
/// returns the `tokio::runtime::Handle` of a multi-threaded runtime with timers, which must live as long as the instance. For sockets and
/// files, enable tokio's features of those names in the plugin's own `Cargo.toml`.
///
/// # Streams
/// A method that returns `impl Iterator<Item = T>` sends the host as many items as the host requests. The requesting thread runs the
/// iterator, which must be `Send`. With the feature `async`, a method may return `impl Stream<Item = T>`, which the runtime polls. With
/// `Item = Result<T, E>`, an item may be an error, which ends the stream; the method itself may also return a `Result` of the iterator or
/// stream. If `E` derives `StatusError`, typed clients receive its value. The parameter `Items<T>`, behind the request if there is one, is
/// a stream that the host sends: an `async fn` awaits its items, and a plain `fn` waits for them on a thread of the plugin.
///
/// When the deadline of the call passes, the stream ends with `Status::DeadlineExceeded`. An iterator is dropped at the next request for
/// items, because nothing runs it before that.
///
/// ```
/// use rustbridge::prelude::*;
///
/// #[derive(Default)]
/// pub struct Numbers;
///
/// #[plugin(name = "numbers", export = false)]
/// impl Numbers {
///     /// Counts down.
///     pub fn countdown(&self, from: u32) -> impl Iterator<Item = u32> {
///         (0..from).rev()
///     }
///
///     /// Adds the items.
///     pub fn sum(&self, items: Items<u32>) -> Result<u32> {
///         items.into_iter().sum()
///     }
///
///     /// Sends back the double of each, until one is too large.
///     pub fn double(&self, items: Items<u32>) -> impl Iterator<Item = Result<u32>> {
///         items.into_iter().map(|item| {
///             let item = item?;
///             item.checked_mul(2).ok_or_else(|| Error::invalid_argument(format!("{item} is too large")))
///         })
///     }
/// }
///
/// assert_eq!(Numbers.countdown(3).collect::<Vec<_>>(), [2, 1, 0]);
/// assert_eq!(Numbers.sum(Items::from_iter([1, 2, 3])).ok(), Some(6));
/// ```
///
/// [`Host`]: ../rustbridge/struct.Host.html
#[proc_macro_attribute]
pub fn plugin(arguments: TokenStream, item: TokenStream) -> TokenStream {
    attribute(arguments, item, plugin::expand)
}

/// Declares the type of this `impl` block an object: its values stay in the plugin, and hosts hold references to them.
///
/// Every `pub fn` with `&self` is a method of the object, with the same rules and the same `#[method(..)]` as the methods of
/// [`#[plugin]`](macro@plugin). Hosts call it as `Type.function`; the first borrowed object of the call is the receiver. A function without
/// `&self` is a constructor with `#[constructor]`, and an associated function with `#[method]`; otherwise it's for the plugin alone.
/// `#[getter]` and `#[setter]` make a method a property in typed clients. The plugin whose methods return such objects lists the type: `#[plugin(objects(Counter))]`.
///
/// ```
/// use std::sync::Mutex;
/// use rustbridge::prelude::*;
///
/// /// A list that grows.
/// pub struct Basket(Mutex<Vec<String>>);
///
/// #[object]
/// impl Basket {
///     /// Adds a thing, and returns the number of things.
///     pub fn put(&self, thing: String) -> usize {
///         let mut things = self.0.lock().unwrap();
///         things.push(thing);
///         things.len()
///     }
/// }
///
/// #[derive(Default)]
/// pub struct Shop;
///
/// #[plugin(name = "shop", objects(Basket), export = false)]
/// impl Shop {
///     /// An empty basket.
///     pub fn enter(&self) -> Object<Basket> {
///         Object::new(Basket(Mutex::default()))
///     }
/// }
///
/// let basket = Shop.enter();
/// assert_eq!(basket.put("bread".to_owned()), 1);
/// ```
///
/// `#[object(traits(Display, Debug, PartialEq, Eq, Hash, Ord))]` lists traits of the type that hosts use: in Python, for example, `str(basket)`
/// and `==`. The type must implement them. `Ord` implies `Eq`, and `Eq` implies `PartialEq`; `Hash` needs one of these. `#[len]` marks the
/// method that returns the number of items, a `u64`, `u32` or `usize`, and `#[iter]` the method that returns the items, as an `impl
/// Iterator` or `impl Stream`. Both have no parameters.
///
/// `#[object(name = "..")]` sets the type's name for hosts, `#[object(encodings(..))]` the encodings of its methods. A macro sees no types,
/// so a method whose messages contain objects needs `#[method(returns_objects)]` or `#[method(takes_objects)]`. An object alone, or a list
/// of objects, needs neither.
#[proc_macro_attribute]
pub fn object(arguments: TokenStream, item: TokenStream) -> TokenStream {
    attribute(arguments, item, object::expand)
}

/// Derives serde's `Serialize` and `Deserialize` for a struct or enum, so that it can be a message.
///
/// `#[serde(..)]` attributes work as with serde's derives, and fields may borrow from the request. Hosts create the JSON Schema of the
/// type, with its doc comments as descriptions. With rustbridge's feature `json_schema`, it also derives schemars' `JsonSchema`. That is
/// the schema of a type with `#[message(json_only)]`, which the plugin itself contains, and the only one that `#[schemars(..)]` attributes
/// affect.
///
/// ```
/// use std::borrow::Cow;
/// use rustbridge::prelude::*;
///
/// /// A text, not copied unless the request has it with escapes.
/// #[derive(Message)]
/// #[serde(deny_unknown_fields)]
/// struct Text<'a> {
///     #[serde(borrow)]
///     text: Cow<'a, str>,
///     /// Left out when it's not given.
///     #[serde(default, skip_serializing_if = "Option::is_none")]
///     language: Option<String>,
/// }
///
/// let text: Text = serde_json::from_str(r#"{"text": "hello"}"#).unwrap();
/// assert!(matches!(text.text, Cow::Borrowed("hello")));
/// assert_eq!(serde_json::to_string(&text).unwrap(), r#"{"text":"hello"}"#);
/// ```
///
/// `#[message(..)]` on a type takes `json_only` (the type has no wire format) and, for an enum, `open`. On a field it takes `via = T`: the
/// field's type, which belongs to another crate, is sent as a `T` in every encoding; see the module [`via`](../rustbridge/via/index.html).
#[proc_macro_derive(Message, attributes(message, serde, schemars, default))]
pub fn message(item: TokenStream) -> TokenStream {
    derived(item, "message", message::expand)
}

/// Declares a `#[repr(C)]` struct plain old data: hosts and plugin exchange it as it is in memory.
///
/// The compiler checks that the struct has no padding (add `reserved: [u8; N]` fields in its place), that all its fields are plain old
/// data, and that it isn't generic. The derive implements `Clone` and `Copy`, so don't derive them too.
///
/// ```
/// use rustbridge::Pod;
///
/// #[derive(Pod)]
/// #[repr(C)]
/// struct Sample {
///     time: u64,
///     value: f32,
///     channel: u8,
///     reserved: [u8; 3],
/// }
///
/// let fields: Vec<_> = Sample::LAYOUT.fields().iter().map(|field| (field.name(), field.offset())).collect();
/// assert_eq!(fields, [("time", 0), ("value", 8), ("channel", 12), ("reserved", 13)]);
/// ```
#[proc_macro_derive(Pod, attributes(pod))]
pub fn pod(item: TokenStream) -> TokenStream {
    derived(item, "pod", pod::expand)
}

/// Gives an error type a status: `#[status(NOT_FOUND)]` on a struct or on each variant of an enum.
///
/// The type must implement `Display`, e.g. by `thiserror`. Hosts receive that text as the message, `Type.Variant` as the error type, and
/// the fields as the details: sources (a field named `source`, or marked `#[from]` or `#[source]`) as text, the others as JSON. A source with
/// this derive is an object with the members of an error's payload, and a value of its own type in typed clients.
/// `#[status(NOT_FOUND, skip)]`, or `#[status(skip)]` on a field, omits fields. A status on an enum applies to the variants without one.
///
/// A variant with `#[status(transparent)]` has one field, a `rustbridge::Error` or another error with this derive, and is passed on as that
/// error, with its status, type and details.
///
/// ```
/// use rustbridge::{Error, Status, StatusError};
///
/// #[derive(Debug, thiserror::Error, StatusError)]
/// enum UserError {
///     #[error("no user is called `{name}`")]
///     #[status(NOT_FOUND)]
///     NotFound { name: String },
///     #[error("the user store can't be read")]
///     #[status(UNAVAILABLE)]
///     Store(#[from] std::io::Error),
/// }
///
/// let error = Error::from(UserError::NotFound { name: "ada".into() });
/// assert_eq!((error.status(), error.type_name()), (Status::NotFound, "UserError.NotFound"));
/// assert_eq!(error.details()["name"], "ada");
/// ```
#[proc_macro_derive(StatusError, attributes(status))]
pub fn status_error(item: TokenStream) -> TokenStream {
    derived(item, "status", status_error::expand)
}

/// Generates a client for a trait of services that the host offers. For `Prices` it is `PricesClient`; `Host::service` returns it, and it
/// implements the trait by calling the host.
///
/// ```
/// use rustbridge::prelude::*;
///
/// #[derive(Message)]
/// pub struct Price { pub cents: u64 }
///
/// /// Prices, which the host knows.
/// #[service]
/// pub trait Prices {
///     /// Returns the current price of an article.
///     fn get(&self, id: u64) -> Result<Price>;
///     /// Forecasts the price of an article, which takes a while.
///     async fn forecast(&self, id: u64) -> Result<Price>;
/// }
///
/// struct Fake;
///
/// impl Prices for Fake {
///     fn get(&self, id: u64) -> Result<Price> {
///         Ok(Price { cents: id * 100 })
///     }
///     async fn forecast(&self, id: u64) -> Result<Price> {
///         Err(Error::not_found(format!("there is no forecast for {id}")))
///     }
/// }
///
/// // Code with an `impl Prices`, or with a `PricesClient`, can be tested without a host.
/// assert_eq!(PricesClient::fake(Fake).get(3).unwrap().cents, 300);
/// ```
///
/// Each function takes `&self` and up to 12 parameters, and returns a `Result` whose error can be created from `rustbridge::Error`. An
/// `async fn` takes its parameters by value; dropping its future cancels the call. A plain function blocks until the answer: at most until the
/// deadline of its call, or 30 seconds if the call has none and the host answers asynchronously.
///
/// # The attribute
/// On the trait, or on a function to override it there:
/// * `name = "prices"`: on the trait the prefix of the names, by default the trait's name in snake case; on a function the whole name.
///   So `get` of `Prices` is the service `prices.get`.
/// * `encoding = "json"`: or `wire` for typed clients, `raw`, `pod`, and with the features of those names `msgpack`, `bincode`, `postcard`.
/// * `optional`: the host may omit it. A call of a service that isn't registered fails; `host.service::<Option<PricesClient>>()` returns a
///   client only if all of them are registered.
///
/// `#[plugin(services(Prices))]` lists them in the plugin's description as required.
///
/// # The call that a service call belongs to
/// `client.within(call)` returns a client whose calls belong to `call`: they have its deadline and trace, and are cancelled with it. Other
/// calls have neither. A leaf method can't call services.
#[proc_macro_attribute]
pub fn service(arguments: TokenStream, item: TokenStream) -> TokenStream {
    attribute(arguments, item, service::expand)
}

/// Declares a trait that the host implements, so that a method accepts an object or a function of the host.
///
/// A method that accepts an `Object<ProgressClient>` calls the host's object through it, for one call or for as long as it keeps it. The
/// host's object is released when the last clone of this value is dropped. `ProgressClient::new` makes one of an implementation in the
/// plugin, so that a method accepts both.
///
/// ```
/// use rustbridge::prelude::*;
///
/// /// Receives reports about progress.
/// #[callback]
/// pub trait Progress {
///     /// Reports how much is done. Returns whether to go on.
///     fn report(&self, done: u32, total: u32) -> Result<bool>;
/// }
///
/// #[derive(Default)]
/// pub struct Archive;
///
/// #[plugin(name = "archive", callbacks(Progress), export = false)]
/// impl Archive {
///     /// Packs files, and returns how many.
///     pub fn pack(&self, files: u32, progress: Object<ProgressClient>) -> Result<u32> {
///         for done in 1..=files {
///             if !progress.report(done, files)? {
///                 return Ok(done);
///             }
///         }
///         Ok(files)
///     }
/// }
///
/// // In a test anything that implements the trait takes the host's place.
/// struct UpToTwo;
///
/// impl Progress for UpToTwo {
///     fn report(&self, done: u32, _total: u32) -> Result<bool> {
///         Ok(done < 2)
///     }
/// }
///
/// let progress = Object::new(ProgressClient::new(UpToTwo));
/// assert_eq!(Archive.pack(5, progress).unwrap(), 2);
/// ```
///
/// The functions follow the rules of [`#[service]`](macro@service) in the encoding `wire`. The plugin lists the trait in
/// `#[plugin(callbacks(..))]`. `#[callback(name = "..")]` is its name for hosts; without it, the trait's.
#[proc_macro_attribute]
pub fn callback(arguments: TokenStream, item: TokenStream) -> TokenStream {
    attribute(arguments, item, callback::expand)
}

/// Implements the wire format for a type of a typed client in Rust; `rustbridge gen` writes this derive. Use it through `rustbridge-host`.
///
/// * `#[wire(rename = "..")]`: the plugin's name of a type, field or variant.
/// * `#[wire(pod)]`: the struct is plain old data.
/// * `#[wire(default)]`: the field is an option; for `None` the plugin uses its default.
/// * `#[wire(default = 5)]`: the field is always sent; the expression is its value if the plugin leaves it out.
/// * `#[wire(unknown)]`: the variant for those that the client doesn't know.
#[proc_macro_derive(Wire, attributes(wire))]
pub fn wire(item: TokenStream) -> TokenStream {
    derived(item, "wire", wire::expand_client)
}
