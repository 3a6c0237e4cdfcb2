//! Where in a JSON document a decoder is, for the message of an error.
//!
//! `serde_path_to_error` does the same in a second adapter around serde's protocol. Each type of a message is compiled once for each adapter,
//! so this goes along with the bounds, whose adapter is there anyway.

use std::cell::{Cell, RefCell};
use std::fmt::{self, Write as _};

use serde::de::Error;

use super::bounds::{Bounds, OfJson};

/// One level of the way from the whole document to a value.
#[derive(Clone)]
enum Step {
    Index(usize),
    Name(String),
    /// The name wasn't read as text or a number.
    Unknown,
}

/// A level, and whether its value is being read: until then an error belongs to what the value is in.
struct Level {
    step: Step,
    reached: bool,
}

/// The way to the value that is being read. Nothing here is generic, so that it's compiled once.
#[derive(Default)]
pub(super) struct Trail {
    levels: RefCell<Vec<Level>>,
    /// The name that was read last.
    name: Cell<Option<String>>,
    /// The way to the first error.
    found: RefCell<Option<Vec<Step>>>,
}

impl Trail {
    #[inline(never)]
    fn enter(&self, step: Step, reached: bool) {
        self.levels.borrow_mut().push(Level { step, reached });
    }

    #[inline(never)]
    fn enter_named(&self, reached: bool) {
        let step = self.name.take().map_or(Step::Unknown, Step::Name);
        self.enter(step, reached);
    }

    #[inline(never)]
    fn reach(&self) {
        if let Some(level) = self.levels.borrow_mut().last_mut() {
            level.reached = true;
        }
    }

    #[inline(never)]
    fn leave(&self, failed: bool) {
        let mut levels = self.levels.borrow_mut();
        let last = levels.pop();
        let mut found = self.found.borrow_mut();
        if failed && found.is_none() {
            let last = last.filter(|level| level.reached);
            let way = levels.iter().chain(&last);
            *found = Some(way.map(|level| level.step.clone()).collect());
        }
    }

    #[inline(never)]
    fn name(&self, name: &dyn fmt::Display) {
        self.name.set(Some(name.to_string()));
    }

    /// Returns `$.pools[1].size`, as JSONPath has it. Nothing for the whole, and for a place that isn't known.
    #[cold]
    pub(super) fn shown(self) -> Option<String> {
        let mut text = String::from("$");
        for step in self.found.into_inner().unwrap_or_default() {
            let _ = match step {
                Step::Index(index) => write!(text, "[{index}]"),
                Step::Name(name) => {
                    let plain = name.chars().all(|c| c.is_alphanumeric() || c == '_');
                    if plain && !name.starts_with(|c: char| c.is_ascii_digit()) && !name.is_empty()
                    {
                        write!(text, ".{name}")
                    } else {
                        write!(text, "[{}]", serde_json::Value::from(name))
                    }
                }
                // What's below can't be told.
                Step::Unknown => break,
            };
        }
        (text.len() > 1).then_some(text)
    }
}

/// For JSON whose errors are told with their place. `NAMES` is for the names of fields, keys and variants, which become steps.
#[derive(Clone, Copy)]
pub(super) struct TrailJson<'t, const NAMES: bool> {
    json: OfJson,
    trail: &'t Trail,
}

impl<'t> TrailJson<'t, false> {
    pub(super) fn new(trail: &'t Trail) -> Self {
        TrailJson {
            json: OfJson::new(),
            trail,
        }
    }
}

impl<'t, const NAMES: bool> Bounds for TrailJson<'t, NAMES> {
    const CLAIMS: bool = OfJson::CLAIMS;
    const STRUCTS_ARE_OBJECTS: bool = OfJson::STRUCTS_ARE_OBJECTS;
    const TRAILS: bool = true;
    const NAMES: bool = NAMES;

    type Count = usize;
    type OfNames = TrailJson<'t, true>;

    fn deeper<E: Error>(self, besides: usize) -> Result<Self, E> {
        let json = self.json.deeper(besides)?;
        Ok(TrailJson { json, ..self })
    }

    fn claim<E: Error>(self, elements: usize) -> Result<(), E> {
        self.json.claim(elements)
    }

    fn of_names(self) -> TrailJson<'t, true> {
        self.trail.name.set(None);
        TrailJson {
            json: self.json,
            trail: self.trail,
        }
    }

    fn name(self, name: &dyn fmt::Display) {
        if NAMES {
            self.trail.name(name);
        }
    }

    fn enter_element(self, count: &mut usize) {
        self.trail.enter(Step::Index(*count), false);
        *count += 1;
    }

    fn enter_named(self, reached: bool) {
        self.trail.enter_named(reached);
    }

    fn reach(self) {
        if !NAMES {
            self.trail.reach();
        }
    }

    fn leave(self, failed: bool) {
        self.trail.leave(failed);
    }
}
