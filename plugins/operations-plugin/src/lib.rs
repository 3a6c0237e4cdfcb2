//! A plugin with all that ends later or goes the other way, for the conformance cases in `conformance/`.
//!
//! The doc comment of each method is the specification the cases are written against.

mod listeners;
mod messages;
mod objects;
mod streams;
mod waiting;

use std::future;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use rustbridge::prelude::*;

use crate::listeners::Own;
pub use crate::listeners::{Card, Listener, ListenerClient, ListenerError};
pub use crate::messages::*;
pub use crate::objects::*;
use crate::streams::{Doubled, Ticks};
use crate::waiting::{Watched, a_moment};

/// Prices, which a host may know.
#[service(optional)]
pub trait Prices {
    /// What an article costs.
    fn get(&self, id: u64) -> Result<u64>;
    /// What it will cost.
    async fn quote(&self, id: u64) -> Result<u64>;
    /// The same bytes in capitals.
    #[service(encoding = "raw")]
    fn upper(&self, text: &str) -> Result<Vec<u8>>;
}

/// One instance.
pub struct Operations {
    prices: PricesClient,
    alive: Arc<AtomicI64>,
    dropped: Arc<AtomicU64>,
    listener: Mutex<Option<Object<ListenerClient>>>,
}

/// All that ends later or goes the other way, for tests.
#[plugin(
    name = "operations",
    encodings(json, raw, pod, msgpack, bincode, postcard, wire),
    objects(Counter, Bomb, Card),
    services(Prices),
    callbacks(Listener)
)]
impl Operations {
    /// Asks nothing of its host yet.
    pub fn create(host: Host) -> Result<Operations> {
        Ok(Operations {
            prices: host.service()?,
            alive: Arc::default(),
            dropped: Arc::default(),
            listener: Mutex::default(),
        })
    }

    /// What the call carries: whether there's a deadline, the metadata, the trace. Its trailers are its metadata once more.
    #[method(name = "call.carried")]
    pub fn carried(&self, call: &Call<'_>) -> Result<Carried> {
        carried(call)
    }

    /// The same after an await.
    #[method(name = "call.carried_later")]
    pub async fn carried_later(&self, call: &Call<'_>) -> Result<Carried> {
        a_moment().await;
        carried(call)
    }

    /// Sleeps, unless it's cancelled or its time is over.
    #[method(name = "call.sleep")]
    pub fn sleep(&self, request: Pause, call: &Call<'_>) -> Result<()> {
        call.sleep(Duration::from_millis(request.ms))
    }

    /// Waits until it's cancelled, and answers all the same. `async.dropped` counts those that haven't.
    #[method(name = "call.cleanup")]
    pub async fn cleanup(&self, call: &Call<'_>) -> Note {
        let watched = Watched(Arc::clone(&self.dropped));
        call.cancelled().await;
        drop(watched);
        self.dropped.fetch_sub(1, Ordering::Relaxed);
        Note {
            text: "cleaned up".to_owned(),
        }
    }

    /// Fails, with a trailer `why`.
    #[method(name = "call.fail")]
    pub fn fail(&self, call: &Call<'_>) -> Result<()> {
        call.trailers().append("why", "because")?;
        Err(Error::new(Status::Aborted, "it had to be").with_detail("n", 7))
    }

    /// Fails as it's told to, with details and a trailer `refused`.
    #[method(name = "call.refuse")]
    pub fn refuse(&self, request: Refusal, call: &Call<'_>) -> Result<()> {
        call.trailers().append("refused", &request.why)?;
        request.check()
    }

    /// Says its metadata as headers, and answers with what it was sent.
    #[method(name = "headers.now")]
    pub fn headers_now(&self, request: Note, call: &Call<'_>) -> Result<Note> {
        headers(call)?;
        Ok(request)
    }

    /// The same at the first poll.
    #[method(name = "headers.soon")]
    pub async fn headers_soon(&self, request: Note, call: &Call<'_>) -> Result<Note> {
        headers(call)?;
        Ok(request)
    }

    /// The same, some of them a moment later.
    #[method(name = "headers.later")]
    pub async fn headers_later(&self, request: Note, call: &Call<'_>) -> Result<Note> {
        call.headers().append("first", "1")?;
        a_moment().await;
        headers(call)?;
        Ok(request)
    }

    /// Says its metadata as headers, and then fails as it's told to.
    #[method(name = "headers.refuse")]
    pub async fn headers_refuse(&self, request: Refusal, call: &Call<'_>) -> Result<()> {
        headers(call)?;
        a_moment().await;
        request.check()
    }

    /// Says its metadata as headers, and then the numbers from one to before another.
    #[method(name = "headers.items")]
    pub fn headers_items(
        &self,
        request: Range,
        call: &Call<'_>,
    ) -> Result<impl Iterator<Item = u64>> {
        headers(call)?;
        Ok(request.from..request.to)
    }

    /// Numbers, with the call's metadata as trailers.
    #[method(name = "trailers.items")]
    pub fn trailers_items(
        &self,
        request: Range,
        call: &Call<'_>,
    ) -> Result<impl Iterator<Item = u64>> {
        for (key, value) in call.metadata().iter() {
            call.trailers().append(key, value)?;
        }
        Ok(request.from..request.to)
    }

    /// As `headers.items`, each number a moment after the other.
    #[method(name = "headers.ticks")]
    pub fn headers_ticks(
        &self,
        request: Range,
        call: &Call<'_>,
    ) -> Result<impl Stream<Item = Result<u64>>> {
        headers(call)?;
        Ok(Ticks::new(request, Watched(Arc::clone(&self.dropped))))
    }

    /// Says its metadata as headers, and adds up what it's sent.
    #[method(name = "headers.sum")]
    pub async fn headers_sum(
        &self,
        start: Number,
        items: Items<Number>,
        call: &Call<'_>,
    ) -> Result<Number> {
        headers(call)?;
        self.sum(start, items).await
    }

    /// Says its metadata as headers, and sends back the double of each number that it's sent.
    #[method(name = "headers.double")]
    pub fn headers_double(
        &self,
        items: Items<Number>,
        call: &Call<'_>,
    ) -> Result<impl Stream<Item = Result<Number>>> {
        headers(call)?;
        Ok(Doubled(items))
    }

    /// Says its metadata as headers, and never ends by itself.
    #[method(name = "headers.never")]
    pub async fn headers_never(&self, call: &Call<'_>) -> Result<()> {
        headers(call)?;
        future::pending().await
    }

    /// Answers with what it was sent, at its first poll.
    #[method(name = "async.now")]
    pub async fn now(&self, request: Note) -> Note {
        request
    }

    /// Whether it computes, without waiting for anything, on a thread of the plugin's runtime.
    #[method(name = "async.apart")]
    pub async fn apart(&self) -> bool {
        thread::current()
            .name()
            .is_some_and(|name| name.ends_with("-async"))
    }

    /// Answers with what it was sent, a moment later.
    #[method(name = "async.later")]
    pub async fn later(&self, request: Note) -> Note {
        a_moment().await;
        request
    }

    /// So many bytes a moment later, all `x`.
    #[method(name = "async.fill", encodings(raw))]
    pub async fn fill(&self, request: &str) -> Result<Vec<u8>> {
        let size: usize = request
            .parse()
            .map_err(|_| Error::invalid_argument("not a number"))?;
        a_moment().await;
        Ok(vec![b'x'; size])
    }

    /// Never ends by itself; `async.dropped` counts those that were dropped.
    #[method(name = "async.never")]
    pub async fn never(&self) {
        let _watched = Watched(Arc::clone(&self.dropped));
        future::pending::<()>().await;
    }

    /// How many handlers were dropped.
    #[method(name = "async.dropped")]
    pub fn dropped(&self) -> u64 {
        self.dropped.load(Ordering::Relaxed)
    }

    /// Fails a moment later.
    #[method(name = "async.fail")]
    pub async fn fail_later(&self, request: Note) -> Result<()> {
        a_moment().await;
        Err(Error::new(Status::DataLoss, request.text).with_detail("n", 7))
    }

    /// Panics at its first poll.
    #[method(name = "async.panic_now")]
    pub async fn panic_now(&self, request: Note) {
        panic!("{}", request.text);
    }

    /// Panics a moment later.
    #[method(name = "async.panic_later")]
    pub async fn panic_later(&self, request: Note) {
        a_moment().await;
        panic!("{}", request.text);
    }

    /// The numbers from one to before another. Fails at one, or panics.
    #[method(name = "stream.numbers")]
    pub fn numbers(&self, request: Range) -> Result<impl Iterator<Item = Result<u64>>> {
        if request.to < request.from {
            return Err(Error::invalid_argument("it ends before it begins"));
        }
        let Range {
            from,
            to,
            fail_at,
            panic_at,
        } = request;
        Ok((from..to).map(move |number| {
            assert!(panic_at != Some(number), "boom at {number}");
            if fail_at == Some(number) {
                return Err(Error::new(Status::DataLoss, format!("broken at {number}")));
            }
            Ok(number)
        }))
    }

    /// Two numbers, and then the failure that it's told of.
    #[method(name = "stream.refuse")]
    pub fn refuse_late(&self, request: Refusal) -> impl Iterator<Item = Result<u64>> {
        let failed = request.check().err().map(Err);
        [Ok(0), Ok(1)].into_iter().chain(failed)
    }

    /// The numbers as `stream.numbers` has them, each a moment after the other.
    #[method(name = "stream.ticks")]
    pub fn ticks(&self, request: Range) -> impl Stream<Item = Result<u64>> {
        Ticks::new(request, Watched(Arc::clone(&self.dropped)))
    }

    /// As structs.
    #[method(name = "stream.pods", encodings(pod))]
    pub fn pods(&self, request: &Number) -> impl Iterator<Item = Number> {
        (0..request.value).map(|value| Number { value })
    }

    /// Texts of growing length: `x`, `xx` and so on.
    #[method(name = "stream.texts", encodings(raw))]
    pub fn texts(&self, request: &str) -> Result<impl Iterator<Item = String>> {
        let count: usize = request
            .parse()
            .map_err(|_| Error::invalid_argument("not a number"))?;
        Ok((1..=count).map(|length| "x".repeat(length)))
    }

    /// Adds up what it's sent, from a number on.
    #[method(name = "items.sum")]
    pub async fn sum(&self, start: Number, mut items: Items<Number>) -> Result<Number> {
        let mut value = start.value;
        while let Some(item) = items.next().await {
            value += item?.value;
        }
        Ok(Number { value })
    }

    /// Answers with the first that it's sent, and doesn't take the others.
    #[method(name = "items.first")]
    pub async fn first(&self, mut items: Items<Number>) -> Result<Number> {
        match items.next().await {
            Some(item) => item,
            None => Err(Error::new(Status::OutOfRange, "there was none")),
        }
    }

    /// Sends back the double of each number that it's sent.
    #[method(name = "items.double")]
    pub fn double(&self, items: Items<Number>) -> impl Stream<Item = Result<Number>> {
        Doubled(items)
    }

    /// The prices of articles, added up, from the service `prices.get`.
    #[method(name = "service.total")]
    pub fn total(&self, ids: Vec<u64>, call: &Call<'_>) -> Result<u64> {
        let prices = self.prices.within(call);
        ids.into_iter().map(|id| prices.get(id)).sum()
    }

    /// The price of one article, from the service `prices.get`.
    #[method(name = "service.one")]
    pub fn one(&self, id: u64, call: &Call<'_>) -> Result<u64> {
        self.prices.within(call).get(id)
    }

    /// A price, from the service `prices.quote`, awaited.
    #[method(name = "service.quote")]
    pub async fn quote(&self, id: u64, call: &Call<'_>) -> Result<u64> {
        self.prices.within(call).quote(id).await
    }

    /// The prices of articles, one item each, from the service `prices.get`.
    #[method(name = "service.prices")]
    pub fn each(
        &self,
        ids: Vec<u64>,
        call: &Call<'_>,
    ) -> Result<impl Iterator<Item = Result<u64>>> {
        let prices = self.prices.within(call);
        Ok(ids.into_iter().map(move |id| prices.get(id)))
    }

    /// A text, from the service `prices.upper`.
    #[method(name = "service.upper", encodings(raw))]
    pub fn upper(&self, text: &str) -> Result<Vec<u8>> {
        self.prices.upper(text)
    }

    /// Asks where it may not: in a leaf method.
    #[method(name = "service.leaf", leaf)]
    pub fn leaf(&self, id: u64) -> Result<u64> {
        self.prices.get(id)
    }

    /// A price, asked for by a task of the plugin's own.
    #[method(name = "service.task")]
    pub async fn task(&self, id: u64) -> Result<u64> {
        let prices = self.prices.clone();
        tokio::spawn(async move {
            a_moment().await;
            prices.get(id)
        })
        .await
        .map_err(|problem| Error::internal(problem.to_string()))?
    }

    /// A counter that begins there.
    #[method(name = "counter.open")]
    pub fn open(&self, start: i64) -> Result<Object<Counter>> {
        if start < 0 {
            return Err(Error::invalid_argument("a counter begins at 0 or above"));
        }
        Ok(Object::new(Counter::new(start, &self.alive)))
    }

    /// The same, a moment later.
    #[method(name = "counter.open_later")]
    pub async fn open_later(&self, start: i64) -> Object<Counter> {
        a_moment().await;
        Object::new(Counter::new(start, &self.alive))
    }

    /// A counter for each number.
    #[method(name = "counter.list")]
    pub fn list(&self, starts: Vec<i64>) -> Vec<Object<Counter>> {
        let of = |start| Object::new(Counter::new(start, &self.alive));
        starts.into_iter().map(of).collect()
    }

    /// A stream of counters that begin at 0, 1 and so on.
    #[method(name = "counter.stream")]
    pub fn stream(&self, count: i64) -> impl Iterator<Item = Object<Counter>> {
        let alive = Arc::clone(&self.alive);
        (0..count).map(move |start| Object::new(Counter::new(start, &alive)))
    }

    /// What counters have counted, added up.
    #[method(name = "counter.total", takes_objects)]
    pub fn counted(&self, counters: Vec<Object<Counter>>) -> i64 {
        counters.iter().map(|counter| counter.get()).sum()
    }

    /// How many counters there are.
    #[method(name = "counter.alive")]
    pub fn alive(&self) -> i64 {
        self.alive.load(Ordering::Relaxed)
    }

    /// Tells a listener a text once, and returns its number.
    #[method(name = "listener.tell")]
    pub fn tell(
        &self,
        listener: Object<ListenerClient>,
        text: String,
    ) -> Result<u64, ListenerError> {
        listener.told(text, 1)
    }

    /// The same a moment later.
    #[method(name = "listener.tell_later")]
    pub async fn tell_later(
        &self,
        listener: Object<ListenerClient>,
        text: String,
    ) -> Result<u64, ListenerError> {
        a_moment().await;
        listener.told(text, 2)
    }

    /// Calls a listener's `ping`.
    #[method(name = "listener.ping")]
    pub fn ping(&self, listener: Object<ListenerClient>) -> Result<()> {
        listener.ping()
    }

    /// Keeps a listener in place of the one that was kept.
    #[method(name = "listener.keep")]
    pub fn keep(&self, listener: Object<ListenerClient>) -> Result<()> {
        self.replace(Some(listener)).map(drop)
    }

    /// Tells the kept listener a text three times, and returns its number; 0 if none is kept.
    #[method(name = "listener.tell_kept")]
    pub fn tell_kept(&self, text: String) -> Result<u64, ListenerError> {
        let kept = self.replace(None)?;
        let number = kept.as_ref().map(|kept| kept.told(text, 3)).transpose();
        self.replace(kept)?;
        Ok(number?.unwrap_or(0))
    }

    /// Returns the kept listener, which is no longer kept.
    #[method(name = "listener.take")]
    pub fn take(&self) -> Result<Option<Object<ListenerClient>>> {
        self.replace(None)
    }

    /// Drops the kept listener.
    #[method(name = "listener.forget")]
    pub fn forget(&self) -> Result<()> {
        self.replace(None).map(drop)
    }

    /// Returns a listener of the plugin.
    #[method(name = "listener.own")]
    pub fn own(&self) -> Object<ListenerClient> {
        Object::new(ListenerClient::new(Own::default()))
    }

    /// Returns a card with a text.
    #[method(name = "card.open")]
    pub fn card(&self, text: String) -> Object<Card> {
        Object::new(Card::new(text))
    }

    /// An object whose destructor panics.
    #[method(name = "bomb.open")]
    pub fn bomb(&self) -> Object<Bomb> {
        Object::new(Bomb)
    }
}

impl Operations {
    /// Replaces the kept listener, and returns it.
    fn replace(
        &self,
        listener: Option<Object<ListenerClient>>,
    ) -> Result<Option<Object<ListenerClient>>> {
        let mut kept = self
            .listener
            .lock()
            .map_err(|_| Error::internal("poisoned"))?;
        Ok(std::mem::replace(&mut *kept, listener))
    }
}

fn headers(call: &Call<'_>) -> Result<()> {
    for (key, value) in call.metadata().iter() {
        call.headers().append(key, value)?;
    }
    Ok(())
}

fn carried(call: &Call<'_>) -> Result<Carried> {
    let mut metadata = Vec::new();
    for (key, value) in call.metadata().iter() {
        call.trailers().append(key, value)?;
        metadata.push((key.to_owned(), String::from_utf8_lossy(value).into_owned()));
    }
    Ok(Carried {
        has_deadline: call.deadline().is_some(),
        metadata,
        trace: call.trace().map(|trace| trace.to_traceparent()),
        state: call.trace().map(|trace| trace.state().to_owned()),
    })
}
