//! A scenario with all that do its work, made when it is its turn.

use std::sync::Arc;

use rustbridge_core::{Encoding, Method, Plugin};

use crate::floor::Floor;
use crate::libraries::plugin;
use crate::{DIRECT, FLOOR, OURS, Subject};

type Make = Box<dyn Fn(&Arc<Plugin>) -> Subject>;

/// A scenario and its subjects, which aren't made before they are needed: loading every plugin at once would make each
/// call a little dearer (docs/adr/0006).
pub struct Scenario {
    /// As in the catalogue.
    pub name: String,
    /// Whether single operations are timed, too.
    pub single: bool,
    /// Whether an operation takes so long that few of them have to do.
    pub few: bool,
    /// Whether each operation leaves something behind in the process for good. More of them than it takes to tell would measure a
    /// process that nobody has.
    pub lasting: bool,
    plugin: &'static str,
    threads: &'static [usize],
    subjects: Vec<(&'static str, Make)>,
}

/// A scenario with its plugin loaded and its subjects made.
pub struct Prepared {
    /// By name, in the order in which they are measured.
    pub subjects: Vec<(&'static str, Subject)>,
    _plugin: Arc<Plugin>,
}

impl Scenario {
    /// A scenario that calls a plugin, given by its library's name.
    pub(crate) fn new(name: impl Into<String>, plugin: &'static str) -> Scenario {
        Scenario {
            name: name.into(),
            single: false,
            few: false,
            lasting: false,
            plugin,
            threads: &[1],
            subjects: Vec::new(),
        }
    }

    /// Has single operations timed, too.
    pub(crate) fn single(mut self) -> Scenario {
        self.single = true;
        self
    }

    /// Measures few operations.
    pub(crate) fn few(mut self) -> Scenario {
        self.few = true;
        self
    }

    /// Measures no more operations than it takes.
    pub(crate) fn lasting(mut self) -> Scenario {
        self.lasting = true;
        self
    }

    /// Measures ours and the floor with these numbers of threads.
    pub(crate) fn threads(mut self, threads: &'static [usize]) -> Scenario {
        self.threads = threads;
        self
    }

    pub(crate) fn ours(self, make: impl Fn(&Arc<Plugin>) -> Subject + 'static) -> Scenario {
        self.with(OURS, make)
    }

    /// `name` is that of the floor's function, without `floor_`.
    pub(crate) fn floor(
        self,
        name: &'static str,
        make: impl Fn(Floor) -> Subject + 'static,
    ) -> Scenario {
        self.with(FLOOR, move |_| make(Floor::find(name)))
    }

    pub(crate) fn direct<Operation: FnMut()>(
        self,
        make: impl Fn() -> Operation + Sync + Clone + 'static,
    ) -> Scenario {
        self.with(DIRECT, move |_| Subject::new(make.clone()))
    }

    pub(crate) fn with(
        mut self,
        name: &'static str,
        make: impl Fn(&Arc<Plugin>) -> Subject + 'static,
    ) -> Scenario {
        self.subjects.push((name, Box::new(make)));
        self
    }

    /// What is measured: each subject with each number of threads. A direct call has one caller: it shares nothing, so
    /// more of them would say nothing new.
    pub fn measures(&self) -> impl Iterator<Item = (&'static str, usize)> {
        let of = |threads: usize| {
            let subjects = self.subjects.iter().map(move |(name, _)| (*name, threads));
            subjects.filter(|(name, threads)| *name != DIRECT || *threads == 1)
        };
        self.threads.iter().flat_map(move |&threads| of(threads))
    }

    /// Loads the plugin and makes the subjects.
    ///
    /// # Panics
    /// When something is missing, or when the subjects answer differently: a floor that does other work would be none.
    #[must_use]
    pub fn prepare(&self) -> Prepared {
        let plugin = Arc::new(plugin(self.plugin));
        let made = self
            .subjects
            .iter()
            .map(|(name, make)| (*name, make(&plugin)));
        let subjects: Vec<(&'static str, Subject)> = made.collect();
        let mut answers = subjects
            .iter()
            .filter_map(|(name, subject)| Some((name, subject.answer()?)));
        if let Some((_, first)) = answers.next() {
            for (name, answer) in answers {
                assert!(answer == first, "{}: {name} answers differently", self.name);
            }
        }
        Prepared {
            subjects,
            _plugin: plugin,
        }
    }
}

/// A method, resolved.
///
/// # Panics
/// When the plugin lacks it.
pub fn method(plugin: &Plugin, name: &str, encoding: Encoding) -> Method {
    let method = plugin.method(name, encoding);
    method.unwrap_or_else(|error| panic!("{name}: {error}"))
}
