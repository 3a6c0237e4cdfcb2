//! Runs the cases on a host.

use std::collections::BTreeMap;
use std::fmt;

use rustbridge_abi::Level;

use crate::cases::{Call, Case, Expect, Files, Need, Op, Plugin, Stage};
use crate::judge::{self, Answer, Logged};

/// How an instance is to be loaded.
#[derive(Clone, Debug)]
pub struct Open<'a> {
    /// Which plugin.
    pub plugin: Plugin,
    /// A name for messages.
    pub label: &'a str,
    /// The config's bytes, or none at all.
    pub config: Option<&'a [u8]>,
    /// Whether a panic poisons it.
    pub poison: bool,
    /// With a sink, and at which level; or without.
    pub log: Option<Level>,
}

/// A host that cases can run on.
pub trait Host {
    /// Whether it can do what some cases need.
    fn offers(&self, need: Need) -> bool;

    /// Whether it can express the case at all. A host that can't do everything says so here, and asserts the number.
    fn expresses(&self, _case: &Case) -> bool {
        true
    }

    /// Loads an instance.
    ///
    /// # Errors
    /// The failure, as it was found.
    fn open(&mut self, open: &Open<'_>) -> Result<Box<dyn Instance>, Answer>;
}

/// An instance on a host. Dropping it closes it, if it isn't closed.
pub trait Instance {
    /// Makes a call with storage of that size and a request at that offset from an aligned address.
    fn call(&mut self, call: &Call, capacity: usize, misalign: usize) -> Answer;

    /// Closes it, waiting up to ten seconds.
    fn close(&mut self) -> Answer;

    /// Its state in lower case.
    fn state(&mut self) -> String;

    /// Changes its log level.
    fn set_log_level(&mut self, level: Level);

    /// Flushes, and takes the events that its sink got.
    fn records(&mut self) -> Vec<Logged>;
}

/// How it went.
#[derive(Debug, Default)]
pub struct Report {
    /// Cases that ran and were right.
    pub passed: usize,
    /// Which they are.
    pub passed_cases: Vec<String>,
    /// Cases the host can't express.
    pub skipped: Vec<String>,
    /// What was wrong, by case.
    pub failures: Vec<String>,
}

impl Report {
    /// # Panics
    /// If a case failed, or none ran.
    pub fn assert_right(&self) {
        assert!(self.failures.is_empty(), "{self}");
        assert!(self.passed > 0, "no case ran");
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} cases were right, {} wrong, {} skipped",
            self.passed,
            self.failures.len(),
            self.skipped.len()
        )?;
        for failure in &self.failures {
            writeln!(f, "  {failure}")?;
        }
        Ok(())
    }
}

/// Runs every case that `wanted` wants.
pub fn all(files: &Files, host: &mut dyn Host, wanted: impl Fn(&Case) -> bool) -> Report {
    let mut report = Report::default();
    let mut shared = BTreeMap::new();
    for case in files.cases().filter(|case| wanted(case)) {
        if !case.needs.iter().all(|&need| host.offers(need)) || !host.expresses(case) {
            report.skipped.push(case.id.clone());
            continue;
        }
        match one(case, host, &mut shared) {
            Ok(()) => {
                report.passed += 1;
                report.passed_cases.push(case.id.clone());
            }
            Err(problem) => report.failures.push(format!("{}: {problem}", case.id)),
        }
    }
    report
}

type Shared = BTreeMap<(Plugin, Option<Vec<u8>>), Box<dyn Instance>>;

fn one(case: &Case, host: &mut dyn Host, shared: &mut Shared) -> Result<(), String> {
    let mut instances = BTreeMap::new();
    for (label, config) in &case.instances {
        let key = (case.plugin, config.clone());
        if case.shares && shared.contains_key(&key) {
            continue;
        }
        let opened = host.open(&Open {
            plugin: case.plugin,
            label,
            config: config.as_deref(),
            poison: case.poison,
            log: case.logs.get(label).map(|logs| logs.level),
        });
        match (opened, &case.load) {
            (Ok(instance), None) if case.shares => {
                shared.insert(key, instance);
            }
            (Ok(instance), None) => {
                instances.insert(label.as_str(), instance);
            }
            (Ok(_), Some(expect)) => {
                return Err(format!(
                    "expected loading to give {}, but it loaded",
                    expect.status
                ));
            }
            (Err(found), Some(expect)) => return loaded(expect, &found),
            (Err(found), None) => {
                return Err(format!(
                    "didn't load: {} with {}",
                    found.status,
                    judge::shown(&found.bytes)
                ));
            }
        }
    }
    for (index, step) in case.steps.iter().enumerate() {
        let instance = if case.shares {
            let config = case.instances[&step.instance].clone();
            shared.get_mut(&(case.plugin, config))
        } else {
            instances.get_mut(step.instance.as_str())
        };
        let instance = instance.ok_or("there's no such instance")?;
        run_op(&step.op, &mut **instance).map_err(|problem| {
            if case.steps.len() > 1 {
                format!("step {}: {problem}", index + 1)
            } else {
                problem
            }
        })?;
    }
    for (label, logs) in &case.logs {
        let instance = instances
            .get_mut(label.as_str())
            .ok_or("a log of no instance")?;
        judge::records(&logs.records, &instance.records())
            .map_err(|problem| format!("logs of {label}: {problem}"))?;
    }
    Ok(())
}

fn loaded(expect: &Expect, found: &Answer) -> Result<(), String> {
    let found = Answer {
        stage: Some(Stage::Load),
        ..found.clone()
    };
    judge::answer(expect, &found)
}

fn run_op(op: &Op, instance: &mut dyn Instance) -> Result<(), String> {
    match op {
        Op::Call(call) => {
            for &capacity in &call.capacity {
                for &misalign in &call.misalign {
                    let found = instance.call(call, capacity, misalign);
                    judge::answer(&call.expect, &found).map_err(|problem| {
                        format!(
                            "with storage of {capacity} and misaligned by {misalign}: {problem}"
                        )
                    })?;
                }
            }
            Ok(())
        }
        Op::Close(expect) => judge::answer(expect, &instance.close()),
        Op::State(expected) => {
            let found = instance.state();
            if found == *expected {
                Ok(())
            } else {
                Err(format!("expected to be {expected}, but is {found}"))
            }
        }
        Op::LogLevel(level) => {
            instance.set_log_level(*level);
            Ok(())
        }
    }
}
