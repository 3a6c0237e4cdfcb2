//! The macros of rustbridge. Use them through the `rustbridge` crate, which documents them and which the expansions
//! refer to.

mod block;
mod codes;
mod docs;
mod message;
mod object;
mod plugin;
mod pod;
mod renamed;
mod service;
mod status_error;
mod via;
mod wire;

use proc_macro::TokenStream;
use proc_macro2::TokenStream as Tokens;

use crate::renamed::Crate;

/// What an attribute makes of its arguments and of the item that it's on.
fn attribute(
    arguments: TokenStream,
    item: TokenStream,
    expand: fn(Tokens, Tokens) -> syn::Result<Tokens>,
) -> TokenStream {
    finish(Crate::of_arguments(arguments.into()), |arguments| {
        expand(arguments, item.into())
    })
}

/// What a derive makes of an item, whose attributes of that name may have the crate's path.
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

/// Makes a plugin of the type whose `impl` block it's on.
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
/// `#[plugin(name = "..", version = "..", export = true, encodings(..), objects(..), services(..), crate = ..)]`. Name and version are the crate's
/// unless given. `encodings` lists what its methods have, as below.
/// `export` says whether the library gets the symbol that hosts look for; a binary that links several plugins turns it off.
/// `objects` lists the types with [`#[object]`](macro@object) that its methods give, `services` the traits with
/// [`#[service]`](macro@service) whose functions the plugin calls. `crate` is the path of the `rustbridge` crate if `Cargo.toml` renames it
/// (`rb = { package = "rustbridge", .. }`): `#[plugin(crate = rb)]`, and on the other items likewise `#[object(crate = rb)]`, `#[service(crate = rb)]`,
/// `#[message(crate = rb)]`, `#[pod(crate = rb)]` and `#[status(crate = rb)]`.
///
/// # `create`
/// An associated function `create` makes an instance. It takes the config (any `Message`), the [`Host`], both in this
/// order, or nothing, and returns `Self` or a `Result` of it. Without it the type must be `Default`.
///
/// # Methods
/// Every `pub fn` with `&self` is a method; private functions and those marked `#[method(skip)]` are left alone.
/// Parameters are a request, owned or by reference, or several values; at most one `Items<T>`; and then at most one `&Call`. The result is
/// the response or a `Result` of it (written with that name, so that it can be told apart). An `async fn` needs the feature `async`.
///
/// Several values (12 at most) travel as a record whose fields have the parameters' names, without underscores in front: in JSON
/// `{"from": "a", "to": "b"}`. Clients that are generated take them one by one. Each must be a message, or is lent: `&str`, `&[T]` and `&T`
/// of messages, except for a method that returns items.
///
/// The types decide the encodings: messages have `json` and `wire`; plain old data has `pod`; bytes and `&str` as the request,
/// or bytes as the response to no request, make a method `raw`. `#[plugin(encodings(json, msgpack, wire))]` says which encodings
/// methods have, where their types go with them, in place of `json`, `raw`, `pod` and `wire`; `msgpack`, `bincode` and `postcard` need the
/// features of those names. A list counts for the block that it's on, so objects have lists of their own.
///
/// `#[method(..)]` on a function takes
/// * `name = "math.add"`: the method's name, the function's unless given. Several functions may share a name if their
///   encodings don't overlap;
/// * `id = 1`: a numeric id;
/// * `leaf`: the method is short, never blocks and never calls back, so hosts may use their cheapest call;
/// * `encodings(json, pod)`: these and no others;
/// * `takes_objects`, `returns_objects`: there are `Object`s inside of the message that it takes, or returns;
/// * `spawn`: an `async fn` that the runtime polls from the beginning;
/// * `skip`: not a method.
///
/// # Async methods
/// With the feature `async`, a method may be an `async fn`, whose future must be `Send`. A host that waits polls it on its own
/// thread. One that doesn't has it polled once where it begins the call; if it isn't ready by then, the instance's runtime goes
/// on with it. It's dropped when the call is cancelled or its time is over, so what it holds is let go of. A request that borrows
/// is copied for it. `#[method(spawn)]` is for one that computes for long before its first `.await`: the runtime polls it from
/// the beginning.
///
/// Timers and spawned tasks run on that runtime, too, which starts with the first such call and ends with the instance: one
/// thread, or as many as `#[plugin(workers = 4)]` says. `#[plugin(runtime = Self::handle)]` names a function in place of it that
/// takes `&Self` and gives the `tokio::runtime::Handle` of a runtime that the author brings, of several threads and with timers,
/// which has to go on as long as the instance. Sockets and files take tokio's features of those names in the plugin's own
/// `Cargo.toml`.
///
/// # Streams
/// A method that returns `impl Iterator<Item = T>` sends its host one item after the other, as many as that asks for; it's
/// pulled on the thread that asks, and must be `Send`. With the feature `async` it may return `impl Stream<Item = T>`, which
/// the runtime polls. In either, `Item = Result<T>` lets an item be an error, which ends the stream, and a `Result` around it
/// lets the method itself fail. A parameter `Items<T>`, behind the request if there's one, is a stream that the host sends: an
/// `async fn` awaits the items, a plain `fn` waits for them on a thread of its own.
///
/// When the call's time is over, the stream ends with `Status::DeadlineExceeded`. An iterator that's pulled has nobody who waits
/// with it: its host hears of the end, and it's dropped, when more is asked of it.
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
///     /// Adds what it's sent.
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

/// Makes objects of the type whose `impl` block it's on: values that stay in the plugin, and that a host has a hold of.
///
/// Every `pub fn` with `&self` is a method of the object, by the rules of [`#[plugin]`](macro@plugin)'s methods and with the
/// same `#[method(..)]`; hosts call it as `Type.function`, and lend it the object first. Functions without `&self` are left
/// alone. The plugin that gives such objects names the type: `#[plugin(objects(Counter))]`.
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
///     /// Adds a thing, and says how many there are.
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
/// `#[object(name = "..")]` gives the type another name for hosts, `#[object(encodings(..))]` lists what its methods have. Objects inside of messages, rather than alone or in a list,
/// are announced by `#[method(returns_objects)]` and `#[method(takes_objects)]`, since a macro sees no types.
#[proc_macro_attribute]
pub fn object(arguments: TokenStream, item: TokenStream) -> TokenStream {
    attribute(arguments, item, object::expand)
}

/// Makes a struct or enum a message: serde's `Serialize` and `Deserialize` and schemars' `JsonSchema` at once.
///
/// `#[serde(..)]` attributes work as with serde's derives, and fields may borrow from the request. Hosts make a JSON Schema of the type,
/// with doc comments as its descriptions; `#[schemars(..)]` attributes are in it where the type is for JSON alone
/// (`#[message(json_only)]`), so that the plugin itself has to carry one.
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
/// `#[message(..)]` takes, on a type, `json_only` (it has no wire form) and, of an enum, `open`; on a field `via = T`: its type, which is
/// another crate's, goes as a `T` in each encoding. The module [`via`](../rustbridge/via/index.html) has more of that.
#[proc_macro_derive(Message, attributes(message, serde, schemars))]
pub fn message(item: TokenStream) -> TokenStream {
    derived(item, "message", message::expand)
}

/// Makes a `#[repr(C)]` struct plain old data that crosses the boundary as it lies in memory.
///
/// Checked at compile time: no padding (add `reserved: [u8; N]` fields where C would put some), every field plain old
/// data, no generics. `Clone` and `Copy` are implemented as well, so don't derive them too.
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
/// The type needs `Display`, by `thiserror` or by hand. Hosts get its text as the message, `Type.Variant` as the type,
/// and its fields as the details: those that are an error's source (named `source`, or marked `#[from]` or `#[source]`)
/// as text, the others as JSON. `#[status(NOT_FOUND, skip)]`, likewise on a field `#[status(skip)]`, leaves fields out. A
/// status on an enum is that of the variants without one.
///
/// A variant with `#[status(transparent)]` holds one error, a `rustbridge::Error` or another one with this derive, and is passed on as that
/// error: with its status, type and details.
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

/// Makes a client of a trait whose functions the host has: `Prices` becomes `PricesClient`, which
/// `Host::service` gives and which implements the trait by asking the host.
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
///     /// What an article costs now.
///     fn get(&self, id: u64) -> Result<Price>;
///     /// What it will cost, which takes a while to find out.
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
///         Err(Error::not_found(format!("nobody knows what {id} will cost")))
///     }
/// }
///
/// // What takes `impl Prices`, or a `PricesClient`, is tested without a host.
/// assert_eq!(PricesClient::fake(Fake).get(3).unwrap().cents, 300);
/// ```
///
/// Each function takes `&self` and at most one request, and returns a `Result`, whose error is made from `rustbridge::Error`.
/// An `async fn` takes its request by value; dropping its future cancels the call. A plain one waits for the answer: as long as
/// the call that it works for has time, otherwise up to 30 seconds where the host answers later.
///
/// # The attribute
/// On the trait and on its functions, where it says otherwise for one:
/// * `name = "prices"`: on the trait what names begin with, its own in snake case unless given; on a function the whole name.
///   So `get` of `Prices` is the service `prices.get`.
/// * `encoding = "json"`: or `raw`, `pod`, and with the features of those names `msgpack`, `bincode`, `postcard`.
/// * `optional`: a host needn't register it. Calling one that isn't there is an error; `host.service::<Option<PricesClient>>()`
///   says whether all of them are.
///
/// `#[plugin(services(Prices))]` says in the plugin's description that it needs them.
///
/// # Whom a call is for
/// `client.within(call)` gives a client whose calls are part of that call: they have its deadline, are cancelled with it, and its
/// trace goes on in the host. Without that they are for nobody in particular. A leaf method can't call services.
#[proc_macro_attribute]
pub fn service(arguments: TokenStream, item: TokenStream) -> TokenStream {
    attribute(arguments, item, service::expand)
}

/// The wire form of a type that a typed client in Rust is made of: `rustbridge gen` writes it above them. Use it through `rustbridge-host`.
///
/// `#[wire(rename = "..")]` says what the plugin calls a type, a field or a variant, `#[wire(pod)]` that a struct is plain old data,
/// `#[wire(default)]` that a field is an option, which is none where the plugin's default is to be taken, and `#[wire(unknown)]` which variant stands for those that the client doesn't know.
#[proc_macro_derive(Wire, attributes(wire))]
pub fn wire(item: TokenStream) -> TokenStream {
    derived(item, "wire", wire::expand_client)
}
