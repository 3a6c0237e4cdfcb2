//! What cases run on: a host, its instances, and what comes of their calls.

use rustbridge_abi::Level;

use crate::call::Call;
use crate::cases::{Case, Plugin};
use crate::judge::{Answer, LogEntry};
use crate::operations::{Act, NewCall, Service};
use crate::protocol::Hello;

/// How an instance is to be loaded.
#[derive(Clone, Debug)]
pub struct Open<'a> {
    /// Which plugin.
    pub plugin: Plugin,
    /// A name for messages.
    pub label: &'a str,
    /// The config's bytes, or none at all.
    pub config: Option<&'a [u8]>,
    /// Whether the config may be no text.
    pub config_is_bytes: bool,
    /// Whether a panic poisons it.
    pub poison: bool,
    /// With a sink, and at which level; or without.
    pub log: Option<Level>,
    /// What the host offers to it.
    pub services: &'a [Service],
}

/// Something wrong with the host that is no plugin's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What.
    pub what: String,
    /// Whether the host is gone.
    pub is_end: bool,
}

impl From<String> for Fault {
    fn from(what: String) -> Fault {
        Fault {
            what,
            is_end: false,
        }
    }
}

/// A host that cases can run on.
pub trait Host {
    /// What it is and can do.
    fn hello(&self) -> &Hello;

    /// Whether it can express the case, as far as that isn't said by the case's needs.
    fn expresses(&self, _case: &Case) -> bool {
        true
    }

    /// A case begins, for which there's a time limit.
    fn begin(&mut self) {}

    /// Loads an instance; what fails is an answer as well.
    ///
    /// # Errors
    /// The host did something that no host should.
    fn open(&mut self, open: &Open<'_>) -> Result<Result<Box<dyn Instance>, Answer>, Fault>;

    /// Starts anew after its end.
    ///
    /// # Errors
    /// It can't, or has ended too often.
    fn revive(&mut self) -> Result<(), Fault> {
        Ok(())
    }

    /// Ends, all cases being run.
    ///
    /// # Errors
    /// It wasn't a good end.
    fn end(&mut self) -> Result<(), Fault> {
        Ok(())
    }
}

/// An instance on a host.
pub trait Instance {
    /// Makes a call in a way, by its place in the host's list.
    ///
    /// # Errors
    /// The host did something that no host should; so for the others.
    fn call(
        &mut self,
        call: &Call,
        way: usize,
        capacity: usize,
        misalign: usize,
    ) -> Result<Answer, Fault>;

    /// Begins a call of that number, lending it these objects. A method that can't be prepared is an answer; otherwise
    /// [`event`](Instance::event) tells what comes of it, also if it has ended.
    ///
    /// # Errors
    /// As for calls.
    fn begin(
        &mut self,
        _begin: &NewCall,
        _number: u8,
        _objects: &[u64],
    ) -> Result<Option<Answer>, Fault> {
        not_offered()
    }

    /// Waits for what comes next of a call that was begun.
    ///
    /// # Errors
    /// As for calls.
    fn event(&mut self, _number: u8, _ms: u64) -> Result<Event, Fault> {
        not_offered()
    }

    /// Does something to a call that was begun.
    ///
    /// # Errors
    /// As for calls.
    fn act(&mut self, _number: u8, _act: &Act) -> Result<Answer, Fault> {
        not_offered()
    }

    /// Releases an object.
    ///
    /// # Errors
    /// As for calls.
    fn release(&mut self, _object: u64) -> Result<Answer, Fault> {
        not_offered()
    }

    /// What services were asked since this was asked last.
    ///
    /// # Errors
    /// As for calls.
    fn asked(&mut self) -> Result<Vec<(String, Vec<u8>)>, Fault> {
        not_offered()
    }

    /// Closes the queue that calls go to, and services; later ones have another.
    ///
    /// # Errors
    /// As for calls.
    fn abandon(&mut self) -> Result<(), Fault> {
        not_offered()
    }

    /// Closes it, waiting so many milliseconds.
    ///
    /// # Errors
    /// As for calls.
    fn close(&mut self, ms: u64) -> Result<Answer, Fault>;

    /// The same, and after so many has cancelled what's pending.
    ///
    /// # Errors
    /// As for calls.
    fn close_with(&mut self, _ms: u64, _cancel_after_ms: u64) -> Result<Answer, Fault> {
        not_offered()
    }

    /// Its state in lower case.
    ///
    /// # Errors
    /// As for calls.
    fn state(&mut self) -> Result<String, Fault>;

    /// Changes its log level.
    ///
    /// # Errors
    /// As for calls.
    fn set_log_level(&mut self, level: Level) -> Result<(), Fault>;

    /// Flushes, and takes the events that its sink got.
    ///
    /// # Errors
    /// As for calls.
    fn records(&mut self) -> Result<Vec<LogEntry>, Fault>;

    /// Closes it if need be; nothing else comes after.
    ///
    /// # Errors
    /// As for calls.
    fn end(&mut self) -> Result<(), Fault>;
}

/// What comes of a call that was begun.
#[derive(Debug)]
pub enum Event {
    /// Nothing in that time.
    Nothing,
    /// Items of its stream, and their objects.
    Items(Vec<Vec<u8>>, Vec<u64>),
    /// It asks for items.
    Demand,
    /// Its end.
    End(EndedCall),
}

/// How a call ended.
#[derive(Clone, Debug)]
pub struct EndedCall {
    /// Its status and response.
    pub answer: Answer,
    /// Its trailers as the boundary has them.
    pub trailers: Vec<u8>,
    /// Its objects.
    pub objects: Vec<u64>,
}

/// What a host that offers none of this says.
///
/// # Errors
/// Always.
pub fn not_offered<T>() -> Result<T, Fault> {
    Err("the host lacks a feature that the case needs"
        .to_owned()
        .into())
}
