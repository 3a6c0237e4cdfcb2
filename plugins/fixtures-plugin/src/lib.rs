//! The features that users of other binding generators expect first, as one plugin for the tests of every language's clients.

#![allow(
    clippy::too_many_arguments,
    reason = "one has every kind of default value"
)]

mod branch;
mod defaults;
mod shelf;
mod sprite;

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

pub use fixtures_types::{Colour, Frame, Outline, Person, Spot, SpriteError};
use rust_decimal::Decimal;
use rustbridge::prelude::*;

pub use crate::branch::{Branch, BranchClient, ChoiceError, Label, Limb};
pub use crate::defaults::{Brush, Layout, Target};
pub use crate::shelf::{Mark, Shelf};
pub use crate::sprite::Sprite;

/// Receives reports about progress. A host may pass a function.
#[callback]
pub trait Progress {
    /// Reports how much is done. Returns whether to go on.
    fn report(&self, done: u32, total: u32) -> Result<bool>;
}

/// Listens to what happens.
#[callback]
pub trait Listener {
    /// A person has joined.
    fn joined(&self, person: &Person, tags: Vec<String>) -> Result<()>;

    /// Returns how many persons it has seen.
    fn count(&self) -> Result<u64>;

    /// Returns the person that it likes best.
    fn favourite(&self, among: Vec<Person>) -> Result<Option<Person>>;

    /// Confirms, perhaps later.
    async fn confirm(&self, question: String, patience: u32) -> Result<bool>;
}

/// A part of a tree, which is the host's or the plugin's.
#[callback]
pub trait Node {
    /// Returns the name.
    fn name(&self) -> Result<String>;

    /// Returns the weight, in kilograms.
    fn weight(&self) -> Result<f64>;
}

/// A listener and its name.
#[derive(Message)]
pub struct Subscription {
    /// The name.
    pub name: String,
    /// The listener.
    pub listener: Object<ListenerClient>,
}

/// What is to be paid.
#[derive(Clone, Debug, Message, PartialEq)]
pub struct Bill {
    /// The amount without tax.
    pub net: Decimal,
    /// The tax.
    pub tax: Decimal,
    /// Both together.
    pub gross: Decimal,
}

/// Why a sprite can't be printed.
#[derive(Debug, thiserror::Error, StatusError)]
pub enum PrintError {
    /// There can't be such a sprite.
    #[error("{name} isn't printed: {source}")]
    #[status(FAILED_PRECONDITION)]
    Sprite {
        /// The name.
        name: String,
        /// What is wrong with the sprite.
        source: SpriteError,
    },
    /// The number of copies isn't one.
    #[error("{text:?} isn't a number of copies")]
    #[status(INVALID_ARGUMENT)]
    Copies {
        /// The number.
        text: String,
        /// What is wrong with it.
        source: std::num::ParseIntError,
    },
}

/// Why no page is turned.
#[derive(Debug, thiserror::Error, StatusError)]
#[status(OUT_OF_RANGE)]
pub enum TurnError {
    /// There's no page before.
    #[error("it's the first page")]
    First,
    /// There's no page after.
    #[error("it's the last page")]
    Last,
}

fn turned(page: u32, by: i32) -> Result<u32, TurnError> {
    match page.checked_add_signed(by) {
        None | Some(0) => Err(TurnError::First),
        Some(turned) if turned > 10 => Err(TurnError::Last),
        Some(turned) => Ok(turned),
    }
}

/// Why a judge gives no marks.
#[derive(Debug, thiserror::Error, StatusError)]
pub enum VerdictError {
    /// The judge doesn't know the person.
    #[error("nobody is called {name}")]
    #[status(NOT_FOUND)]
    Stranger {
        /// The name.
        name: String,
    },
    /// The judge is busy.
    #[error("busy for {0} minutes, until {1:?}")]
    #[status(RESOURCE_EXHAUSTED)]
    Busy(u32, Option<Spot>),
    /// Nobody may judge.
    #[error("it's closed")]
    #[status(FAILED_PRECONDITION)]
    Closed,
    /// Any other error.
    #[error(transparent)]
    #[status(transparent)]
    Other(#[from] Error),
}

/// Gives marks.
#[callback]
pub trait Judge {
    /// Returns the marks of a person.
    fn marks(&self, name: String) -> Result<u32, VerdictError>;

    /// Returns the marks of a person, perhaps later.
    async fn marks_later(&self, name: String) -> Result<u32, VerdictError>;
}

/// The host's directory.
#[service(encoding = "wire", optional)]
pub trait Directory {
    /// Returns persons whose names begin so.
    fn find(&self, prefix: &str, oldest: u32, limit: Option<u32>) -> Result<Vec<Person>>;
}

/// The host's register.
#[service(encoding = "wire", optional)]
pub trait Register {
    /// Returns the age of a person.
    fn age(&self, name: String) -> Result<u32, VerdictError>;
}

/// A node of the plugin.
struct Leaf {
    name: String,
    weight: f64,
}

impl Node for Leaf {
    fn name(&self) -> Result<String> {
        Ok(self.name.clone())
    }

    fn weight(&self) -> Result<f64> {
        Ok(self.weight)
    }
}

/// The plugin.
pub struct Fixtures {
    directory: DirectoryClient,
    register: RegisterClient,
    listeners: Mutex<BTreeMap<String, Object<ListenerClient>>>,
}

#[plugin(
    name = "fixtures",
    objects(Sprite, Shelf, Mark, Brush),
    services(Directory, Register),
    callbacks(Progress, Listener, Node, Judge, Branch)
)]
impl Fixtures {
    /// Creates an instance without listeners.
    ///
    /// # Errors
    /// If the services can't be looked up.
    pub fn create(host: Host) -> Result<Fixtures> {
        Ok(Fixtures {
            directory: host.service()?,
            register: host.service()?,
            listeners: Mutex::default(),
        })
    }

    /// Prints a sprite, and returns the number of copies.
    ///
    /// # Errors
    /// If there can't be such a sprite, or the number of copies isn't one.
    pub fn print(&self, name: String, spot: Spot, copies: String) -> Result<u32, PrintError> {
        if let Err(source) = spot.checked() {
            return Err(PrintError::Sprite { name, source });
        }
        copies.parse().map_err(|source| PrintError::Copies {
            text: copies,
            source,
        })
    }

    /// Returns a frame whose corners are swapped.
    pub fn turned_frame(&self, frame: Frame) -> Frame {
        let (corner, other) = frame.corners;
        Frame {
            corners: (other, corner),
            ..frame
        }
    }

    /// Turns pages, of which there are ten, and returns the new page.
    ///
    /// # Errors
    /// If there are no more.
    pub fn turn(&self, page: u32, by: i32) -> Result<u32, TurnError> {
        turned(page, by)
    }

    /// Turns pages again and again, and returns each new page, until there are no more.
    ///
    /// # Errors
    /// If there's no such page, or when there are no more.
    pub fn browse(
        &self,
        page: u32,
        by: i32,
    ) -> Result<impl Iterator<Item = Result<u32, TurnError>>, TurnError> {
        let mut page = turned(page, 0)?;
        Ok(std::iter::from_fn(move || {
            let next = turned(page, by);
            page = *next.as_ref().unwrap_or(&page);
            Some(next)
        }))
    }

    /// Turns pages by each number that arrives, and returns each new page.
    ///
    /// # Errors
    /// When there are no more.
    pub fn follow(
        &self,
        mut page: u32,
        turns: Items<i32>,
    ) -> impl Iterator<Item = Result<u32, TurnError>> {
        turns.into_iter().map_while(move |by| {
            let next = turned(page, by.ok()?);
            page = *next.as_ref().unwrap_or(&page);
            Some(next)
        })
    }

    /// Returns a bill of a net amount, with the tax at a rate in percent, rounded to two digits.
    pub fn bill(&self, net: Decimal, rate: Decimal) -> Bill {
        let tax = (net * rate / Decimal::from(100)).round_dp(2);
        Bill {
            net,
            tax,
            gross: net + tax,
        }
    }

    /// Returns the layout as it has arrived.
    pub fn layout(&self, layout: Layout) -> Layout {
        layout
    }

    /// Cuts a text, and returns it with all that it was called with.
    pub fn cut(
        &self,
        text: &str,
        #[default(5)] limit: u32,
        #[default("...")] end: &str,
        #[default(Colour::Green)] colour: Colour,
        #[default([])] tags: Vec<String>,
        #[default(Target::Screen)] target: Target,
        note: Option<String>,
    ) -> String {
        let kept: String = text.chars().take(limit as usize).collect();
        let target = match target {
            Target::Screen => "screen".to_owned(),
            Target::File { path, overwrite } => format!("{path} {overwrite}"),
        };
        let note = note.unwrap_or_default();
        format!(
            "{kept}{end} {colour:?} [{}] {target} {note}",
            tags.join(" ")
        )
    }

    /// Counts down to 1.
    pub fn countdown(&self, #[default(3)] from: u32) -> Vec<u32> {
        (1..=from).rev().collect()
    }

    /// Counts down to 1, one number after the other.
    pub fn launch(&self, #[default(3)] from: u32) -> impl Iterator<Item = u32> {
        (1..=from).rev()
    }

    /// Repeats a text, later.
    pub async fn repeat(&self, text: String, #[default(2)] times: u32) -> String {
        tokio::task::yield_now().await;
        text.repeat(times as usize)
    }

    /// Does some steps, and returns how many.
    ///
    /// # Errors
    /// The error of the progress.
    pub fn work(
        &self,
        steps: u32,
        progress: Object<ProgressClient>,
        call: &Call<'_>,
    ) -> Result<u32> {
        let progress = progress.within(call);
        for step in 1..=steps {
            if !progress.report(step, steps)? {
                return Ok(step);
            }
        }
        Ok(steps)
    }

    /// Does some steps on another thread, and returns how many.
    ///
    /// # Errors
    /// The error of the progress.
    pub fn work_elsewhere(&self, steps: u32, progress: Object<ProgressClient>) -> Result<u32> {
        let work = thread::spawn(move || {
            for step in 1..=steps {
                if !progress.report(step, steps)? {
                    return Ok(step);
                }
            }
            Ok(steps)
        });
        work.join()
            .unwrap_or_else(|_| Err(Error::internal("the work has panicked")))
    }

    /// Adds a listener under a name, in place of the one that has the name.
    pub fn subscribe(&self, name: String, listener: Object<ListenerClient>) {
        let before = self.listeners().insert(name, listener);
        // Not inside the lock, because the host's code may run.
        drop(before);
    }

    /// Adds listeners.
    #[method(takes_objects)]
    pub fn subscribe_all(&self, subscriptions: Vec<Subscription>) {
        for Subscription { name, listener } in subscriptions {
            self.subscribe(name, listener);
        }
    }

    /// Removes a listener, and returns whether there was one. If `elsewhere` is true, another thread drops it.
    pub fn unsubscribe(&self, name: &str, elsewhere: bool) -> bool {
        let removed = self.listeners().remove(name);
        let was_there = removed.is_some();
        if elsewhere {
            // If it panics, the test sees that nothing was released.
            let _ = thread::spawn(move || drop(removed)).join();
        }
        was_there
    }

    /// Returns the listener of that name.
    pub fn listener(&self, name: &str) -> Option<Object<ListenerClient>> {
        self.listeners().get(name).cloned()
    }

    /// Returns all listeners with their names.
    #[method(returns_objects)]
    pub fn subscriptions(&self) -> Vec<Subscription> {
        let listeners = self.listeners();
        let each = listeners.iter().map(|(name, listener)| Subscription {
            name: name.clone(),
            listener: listener.clone(),
        });
        each.collect()
    }

    /// Lets a person join, and returns how many persons the listeners have seen.
    ///
    /// # Errors
    /// The error of a listener.
    pub fn join(&self, person: Person, tags: Vec<String>, call: &Call<'_>) -> Result<u64> {
        let mut seen = 0;
        for listener in self.all() {
            let listener = listener.within(call);
            listener.joined(&person, tags.clone())?;
            seen += listener.count()?;
        }
        Ok(seen)
    }

    /// Returns the person that each listener likes best.
    ///
    /// # Errors
    /// The error of a listener.
    pub fn favourites(&self, among: Vec<Person>) -> Result<Vec<Option<Person>>> {
        let listeners = self.all();
        listeners
            .iter()
            .map(|listener| listener.favourite(among.clone()))
            .collect()
    }

    /// Returns whether all listeners confirm.
    ///
    /// # Errors
    /// The error of a listener.
    pub async fn confirm(&self, question: String, call: &Call<'_>) -> Result<bool> {
        for listener in self.all() {
            if !listener.within(call).confirm(question.clone(), 5).await? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns a node of the plugin.
    pub fn leaf(&self, name: String, weight: f64) -> Object<NodeClient> {
        Object::new(NodeClient::new(Leaf { name, weight }))
    }

    /// Returns the weight of all nodes, and their names.
    ///
    /// # Errors
    /// The error of a node.
    pub fn weigh(&self, nodes: Vec<Object<NodeClient>>) -> Result<(f64, Vec<String>)> {
        let mut weight = 0.0;
        let mut names = Vec::new();
        for node in nodes {
            weight += node.weight()?;
            names.push(node.name()?);
        }
        Ok((weight, names))
    }

    /// Returns the heavier node.
    ///
    /// # Errors
    /// The error of a node.
    pub fn heavier(
        &self,
        one: Object<NodeClient>,
        other: Object<NodeClient>,
    ) -> Result<Object<NodeClient>> {
        Ok(match one.weight()? < other.weight()? {
            true => other,
            false => one,
        })
    }

    /// Returns a branch of the plugin.
    pub fn limb(&self, name: String) -> Object<BranchClient> {
        Object::new(BranchClient::new(Limb::new(name)))
    }

    /// Grows a branch from another, or from none.
    ///
    /// # Errors
    /// The error of the branch.
    pub fn grow(
        &self,
        branch: Object<BranchClient>,
        from: Option<Object<BranchClient>>,
    ) -> Result<()> {
        branch.set_parent(from)
    }

    /// Returns the names of a branch and of those from which it grows.
    ///
    /// # Errors
    /// The error of a branch.
    pub fn path(&self, branch: Object<BranchClient>) -> Result<Vec<String>> {
        branch::path(branch)
    }

    /// Returns the branch from which all others grow.
    ///
    /// # Errors
    /// The error of a branch.
    pub fn trunk(&self, branch: Object<BranchClient>) -> Result<Object<BranchClient>> {
        branch::trunk(branch)
    }

    /// Lets a branch choose one of some sprites, and returns it.
    ///
    /// # Errors
    /// If it likes none.
    pub fn chosen(
        &self,
        branch: Object<BranchClient>,
        sprites: Vec<Object<Sprite>>,
        near: Spot,
    ) -> Result<Object<Sprite>, ChoiceError> {
        branch.choose(sprites, near)
    }

    /// Lets a branch choose one of some named sprites, and returns the choice.
    ///
    /// # Errors
    /// The error of the branch.
    #[method(takes_objects, returns_objects)]
    pub fn labelled(&self, branch: Object<BranchClient>, labels: Vec<Label>) -> Result<Label> {
        branch.label(labels)
    }

    /// Lets a branch meet another, and returns the one that it prefers, later.
    ///
    /// # Errors
    /// The error of the branch.
    pub async fn preferred(
        &self,
        branch: Object<BranchClient>,
        other: Object<BranchClient>,
        call: &Call<'_>,
    ) -> Result<Object<BranchClient>> {
        branch.within(call).meet(other).await
    }

    /// Returns whether there's a node.
    pub fn is_there(&self, node: Option<Object<NodeClient>>) -> bool {
        node.is_some()
    }

    /// Describes the verdict of a judge.
    ///
    /// # Errors
    /// If the judge is closed, or fails otherwise.
    pub fn verdict(
        &self,
        name: String,
        judge: Object<JudgeClient>,
    ) -> Result<String, VerdictError> {
        verdict(judge.marks(name))
    }

    /// Describes the verdict of a judge, who may answer later.
    ///
    /// # Errors
    /// If the judge is closed, or fails otherwise.
    pub async fn verdict_later(
        &self,
        name: String,
        judge: Object<JudgeClient>,
    ) -> Result<String, VerdictError> {
        verdict(judge.marks_later(name).await)
    }

    /// Looks up persons in the host's directory.
    ///
    /// # Errors
    /// The error of the directory.
    pub fn look_up(&self, prefix: &str, limit: Option<u32>) -> Result<Vec<Person>> {
        self.directory.find(prefix, 99, limit)
    }

    /// Describes what the host's register has about a person.
    ///
    /// # Errors
    /// If the register is closed, or fails otherwise.
    pub fn registered(&self, name: String) -> Result<String, VerdictError> {
        verdict(self.register.age(name))
    }
}

/// Describes a verdict.
fn verdict(marks: Result<u32, VerdictError>) -> Result<String, VerdictError> {
    Ok(match marks {
        Ok(marks) => format!("{marks} marks"),
        Err(VerdictError::Stranger { name }) => format!("no {name}"),
        Err(VerdictError::Busy(minutes, None)) => format!("busy for {minutes} min"),
        Err(VerdictError::Busy(minutes, Some(spot))) => {
            format!("busy for {minutes} min at {}, {}", spot.x, spot.y)
        }
        Err(failed) => return Err(failed),
    })
}

impl Fixtures {
    fn listeners(&self) -> MutexGuard<'_, BTreeMap<String, Object<ListenerClient>>> {
        self.listeners
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn all(&self) -> Vec<Object<ListenerClient>> {
        self.listeners().values().cloned().collect()
    }
}
