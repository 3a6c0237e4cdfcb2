//! The snippets of docs/guide/plugins.md of one plugin, some of which its other two pages show. Each stands between two comments.
#![cfg(feature = "async")]
#![allow(dead_code, reason = "a guide's snippets show more than the tests call")]

use std::fmt;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use futures_util::{StreamExt as _, stream};
use rustbridge::prelude::*;
use rustbridge::testing;
use rustbridge_core::{Load, ServiceCall, service_fn};

// guide
#[derive(Message)]
pub struct Fetch {
    pub id: u64,
}

/// A page. Doc comments become the schema's descriptions.
#[derive(Debug, Message)]
pub struct Page {
    pub id: u64,
    pub text: String,
}
// end

/// A crate that knows nothing of messages.
mod mirrors {
    #[derive(Clone, Debug, PartialEq)]
    pub struct Host {
        pub name: String,
    }

    pub fn host(name: &str) -> Option<Host> {
        let is_host = !name.is_empty() && !name.contains('/');
        is_host.then(|| Host {
            name: name.to_owned(),
        })
    }
}

// guide
/// The address of a copy of the pages: the form in which a `mirrors::Host` crosses.
#[derive(Message)]
pub struct Address(pub String);

impl From<mirrors::Host> for Address {
    fn from(host: mirrors::Host) -> Address {
        Address(host.name)
    }
}

impl TryFrom<Address> for mirrors::Host {
    type Error = String;

    fn try_from(address: Address) -> Result<mirrors::Host, String> {
        mirrors::host(&address.0).ok_or(format!("{:?} is no host", address.0))
    }
}

#[derive(Message)]
pub struct Mirrors {
    #[message(via = Address)]
    pub first: mirrors::Host,
    /// `via` names the inner type of options, boxes, lists, arrays and map values.
    #[message(via = Address)]
    pub others: Vec<mirrors::Host>,
}
// end

#[test]
fn a_host_goes_as_its_address() {
    let json = r#"{"first":"a.example","others":["b.example"]}"#;
    let mirrors: Mirrors = serde_json::from_str(json).unwrap();
    assert_eq!(mirrors.others, [mirrors::host("b.example").unwrap()]);
    assert_eq!(serde_json::to_string(&mirrors).unwrap(), json);
    assert!(serde_json::from_str::<Mirrors>(&json.replace("a.", "a/")).is_err());
}

// guide
/// Implemented by the host.
#[service]
pub trait Users {
    /// Whether a user may read pages.
    fn may_read(&self, user: String) -> Result<bool>;
    /// The same, if the host needs time to find out.
    async fn check(&self, user: String) -> Result<bool>;
}
// end

// guide
/// A reader's place in the pages.
#[derive(Default)]
pub struct Bookmark(AtomicU64);

#[object]
impl Bookmark {
    /// Creates a bookmark at a page.
    #[constructor]
    pub fn at(page: u64) -> Bookmark {
        Bookmark(page.into())
    }

    /// Turns pages, and returns the number of the open one.
    pub fn turn(&self, pages: u64) -> u64 {
        self.0.fetch_add(pages, Ordering::Relaxed) + pages
    }

    /// The number of the open page.
    #[getter]
    pub fn page(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    /// The number of the open page.
    #[setter]
    pub fn set_page(&self, page: u64) {
        self.0.store(page, Ordering::Relaxed);
    }
}
// end

// guide
/// Books in an order.
#[derive(Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Shelf {
    label: String,
    books: Vec<String>,
}

impl fmt::Display for Shelf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.label, self.books.join(", "))
    }
}

#[object(traits(Display, Debug, Hash, Ord))]
impl Shelf {
    /// Creates a shelf.
    #[constructor]
    pub fn new(label: String, books: Vec<String>) -> Shelf {
        Shelf { label, books }
    }

    /// Returns the number of books.
    #[len]
    pub fn count(&self) -> u64 {
        self.books.len() as u64
    }

    /// Returns the books.
    #[iter]
    pub fn books(&self) -> impl Iterator<Item = String> {
        self.books.clone().into_iter()
    }
}
// end

// guide
/// Learns of pages that change.
#[callback]
pub trait Watcher {
    /// A page has changed.
    fn changed(&self, page: u64, text: &str) -> Result<()>;
}
// end

/// The plugin that the guide speaks of.
pub struct Pages {
    users: UsersClient,
    watchers: Mutex<Vec<Object<WatcherClient>>>,
}

#[plugin(
    name = "pages",
    objects(Bookmark, Shelf),
    services(Users),
    callbacks(Watcher),
    export = false
)]
impl Pages {
    // guide
    pub fn create(host: Host) -> Result<Pages> {
        Ok(Pages {
            users: host.service()?,
            watchers: Mutex::default(),
        })
    }
    // end

    // guide
    /// Returns a page that's in the cache.
    pub fn cached(&self, request: Fetch) -> Result<Page> {
        match request.id {
            0 => Err(Error::not_found("there's no page 0")),
            id => Ok(Page {
                id,
                text: "old news".into(),
            }),
        }
    }
    // end

    // guide
    /// Fetches a page, which takes a while.
    pub async fn fetch(&self, request: Fetch) -> Page {
        tokio::time::sleep(Duration::from_millis(5)).await;
        Page {
            id: request.id,
            text: "fresh".into(),
        }
    }
    // end

    // guide
    /// Counts down to 1.
    pub fn countdown(&self, from: u64) -> impl Iterator<Item = u64> {
        (1..=from).rev()
    }
    // end

    // guide
    /// Pages, one after the other.
    pub fn browse(&self, from: Fetch) -> impl Stream<Item = Result<Page>> {
        stream::iter(from.id..).then(|id| async move {
            tokio::time::sleep(Duration::from_millis(1)).await;
            match id {
                13 => Err(Error::not_found("there's no page 13")),
                id => Ok(Page {
                    id,
                    text: "fresh".into(),
                }),
            }
        })
    }
    // end

    // guide
    /// Adds what it's sent.
    pub fn sum(&self, items: Items<u64>) -> Result<u64> {
        items.into_iter().sum()
    }

    /// The longest of the texts.
    pub async fn longest(&self, mut items: Items<String>) -> Result<String> {
        let mut longest = String::new();
        while let Some(item) = items.next().await {
            let item = item?;
            if item.len() > longest.len() {
                longest = item;
            }
        }
        Ok(longest)
    }
    // end

    // guide
    /// Searches all pages.
    pub fn search(&self, word: String, call: &Call<'_>) -> Result<u64> {
        let mut found = 0;
        for page in 0..1000_u64 {
            call.check()?; // CANCELLED, or DEADLINE_EXCEEDED
            found += u64::from(page.to_string() == word);
        }
        let user = call.metadata().get_text("user").unwrap_or("nobody");
        call.trailers().append("searched-for", user)?;
        Ok(found)
    }
    // end

    // guide
    /// A page that only some users may read.
    pub fn secret(&self, user: String, call: &Call<'_>) -> Result<String> {
        // As part of this call: with its deadline, its cancellation, its trace and its metadata.
        if self.users.within(call).may_read(user)? {
            Ok("the answer is 42".into())
        } else {
            Err(Error::new(Status::PermissionDenied, "ask somebody else"))
        }
    }
    // end

    // guide
    /// A bookmark at the beginning.
    pub fn open(&self) -> Object<Bookmark> {
        Object::new(Bookmark::default())
    }

    /// Whether two bookmarks are on the same page.
    #[method(takes_objects)]
    pub fn together(&self, both: (Object<Bookmark>, Object<Bookmark>)) -> bool {
        let [a, b] = [both.0, both.1].map(|mark| mark.turn(0));
        a == b
    }
    // end

    // guide
    /// Tells a watcher of every change from now on.
    pub fn watch(&self, watcher: Object<WatcherClient>) {
        self.watchers.lock().unwrap().push(watcher);
    }

    /// Changes a page.
    pub fn change(&self, page: u64, text: &str, call: &Call<'_>) -> Result<()> {
        // Not inside the lock, because a watcher may call the plugin in turn.
        let watchers = self.watchers.lock().unwrap().clone();
        for watcher in watchers {
            watcher.within(call).changed(page, text)?;
        }
        Ok(())
    }
    // end

    // guide
    /// Forgets a page.
    pub fn forget(&self, request: Fetch) {
        info!(page = request.id, "forgotten");
    }
    // end
}

// guide
#[test]
fn a_plugin_is_an_ordinary_value() {
    struct Nobody;

    impl Users for Nobody {
        fn may_read(&self, user: String) -> Result<bool> {
            Ok(user == "ada")
        }
        async fn check(&self, user: String) -> Result<bool> {
            self.may_read(user)
        }
    }

    let pages = Pages {
        users: UsersClient::fake(Nobody),
        watchers: Mutex::default(),
    };
    assert_eq!(
        pages.cached(Fetch { id: 0 }).unwrap_err().status(),
        Status::NotFound
    );
    assert_eq!(pages.countdown(3).collect::<Vec<_>>(), [3, 2, 1]);
    assert_eq!(pages.sum(Items::from_iter([20, 22])).unwrap(), 42);
    assert_eq!(pages.open().turn(5), 5);
    assert!(pages.secret("eve".into(), &Call::detached()).is_err());

    // A call with a metadata entry and a cancellation token.
    let token = testing::Token::new();
    let call = testing::call()
        .metadata("user", "ada")
        .cancelled_by(&token)
        .build();
    assert_eq!(pages.search("7".into(), &call).unwrap(), 1);
    assert_eq!(
        call.trailers().to_vec(),
        [("searched-for".to_owned(), b"ada".to_vec())]
    );
    token.cancel();
    assert_eq!(
        pages.search("7".into(), &call).unwrap_err().status(),
        Status::Cancelled
    );
}
// end

#[test]
fn what_the_guide_shows_works_through_the_core() {
    let may_read = service_fn(|user: String, _: &ServiceCall<'_>| Ok(user == "ada"));
    let check = service_fn(|_: String, _: &ServiceCall<'_>| Ok(false));
    // SAFETY: our own plugin's entry point.
    let load = unsafe { Load::linked(rustbridge::entry_point::<Pages>(), "pages") };
    let pages = load
        .service("users.may_read", Encoding::Json, may_read)
        .service("users.check", Encoding::Json, check)
        .open()
        .unwrap();
    let method = |name| pages.method(name, Encoding::Json).unwrap();

    let fetched = method("fetch")
        .call_async(br#"{"id":7}"#)
        .begin()
        .wait()
        .unwrap();
    assert_eq!(&*fetched, br#"{"id":7,"text":"fresh"}"#);

    let counted: Vec<u64> = method("countdown")
        .stream(b"3")
        .iterate()
        .map(|item| item.unwrap().json().unwrap())
        .collect();
    assert_eq!(counted, [3, 2, 1]);

    let browsed: Vec<_> = method("browse").stream(br#"{"id":11}"#).iterate().collect();
    assert_eq!(browsed.len(), 3);
    assert_eq!(
        browsed[2].as_ref().unwrap_err().message(),
        "there's no page 13"
    );

    for (name, items, answer) in [
        ("sum", ["20", "22"], "42"),
        ("longest", [r#""a""#, r#""abc""#], r#""abc""#),
    ] {
        let (mut sender, pending) = method(name).send(b"");
        for item in items {
            sender.send_wait(item).unwrap();
        }
        sender.finish();
        assert_eq!(&*pending.wait().unwrap(), answer.as_bytes());
    }

    assert!(method("secret").call(br#""ada""#).is_ok());
    assert_eq!(
        method("secret").call(br#""eve""#).unwrap_err().status(),
        Status::PermissionDenied
    );

    let open = || method("open").with().call(b"").unwrap().objects.remove(0);
    let (one, other) = (open(), open());
    let turned = method("Bookmark.turn")
        .with()
        .object(&one)
        .call(b"5")
        .unwrap();
    assert_eq!(&*turned.reply, b"5");
    let at = method("Bookmark.at").with().call(b"7").unwrap();
    let page = method("Bookmark.page").with().object(&at.objects[0]);
    assert_eq!(&*page.call(b"").unwrap().reply, b"7");
    let set = method("Bookmark.set_page").with().object(&at.objects[0]);
    set.call(b"8").unwrap();
    assert_eq!(&*page.call(b"").unwrap().reply, b"8");
    let together = method("together").with().object(&one).object(&other);
    assert_eq!(&*together.call(b"[0,1]").unwrap().reply, b"false");

    let watcher = method("Watcher:new").with().call(b"9").unwrap();
    let watch = method("watch").with().object(&watcher.objects[0]);
    watch.call(b"0").unwrap();
    let changed = method("change").call(br#"{"page":7,"text":"new"}"#);
    assert_eq!(changed.unwrap_err().status(), Status::NotFound);

    method("forget").call(br#"{"id":7}"#).unwrap();
    pages.close(Duration::from_secs(10)).unwrap();
}

/// That what it shows stands somewhere in the tests, `cargo xtask tidy` looks after.
#[test]
fn the_guide_shows_what_stands_here() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guide");
    let pages = ["plugins.md", "plugins-types.md", "plugins-testing.md"];
    let guide = pages.map(|page| {
        let text = std::fs::read_to_string(folder.join(page)).unwrap();
        text.replace("\r\n", "\n")
    });
    let shown: Vec<String> = guide
        .iter()
        .flat_map(|page| page.split("```rust\n").skip(1))
        .filter_map(|rest| rest.split("```").next())
        .map(|snippet| snippet.trim_end().to_owned())
        .collect();
    let here = include_str!("guide.rs").replace("\r\n", "\n");
    let tested: Vec<String> = here
        .split(concat!("// ", "guide\n"))
        .skip(1)
        .filter_map(|rest| rest.split_once(concat!("// ", "end\n")))
        .map(|(snippet, _)| unindented(snippet))
        .collect();
    assert!(tested.len() > 10, "{}", tested.len());
    for snippet in tested {
        assert!(shown.contains(&snippet), "no page shows this:\n{snippet}");
    }
}

/// Without the spaces in front of all lines.
fn unindented(snippet: &str) -> String {
    let lines = snippet.lines().filter(|line| !line.trim().is_empty());
    let indent = lines
        .map(|line| line.len() - line.trim_start().len())
        .min()
        .unwrap_or(0);
    let lines: Vec<&str> = snippet
        .lines()
        .map(|line| line.get(indent..).unwrap_or(""))
        .collect();
    lines.join("\n").trim_end().to_owned()
}
