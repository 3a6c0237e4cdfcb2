//! Runs the cases on a host, each in every way of calling that it applies to, and has the outcomes judged.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use rustbridge_abi::{Encoding, Level};

use crate::cases::{Call, Case, Expect, Files, JsonForm, Need, Op, Plugin, Response, Stage};
use crate::json;
use crate::judge::{self, Answer, Logged};
use crate::operations::{Act, Begin, Service};
use crate::pending::{self, Event, Pending};
use crate::protocol::{Hello, Way};
use crate::report::{Outcome, Report};

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
        _begin: &Begin,
        _number: u8,
        _objects: &[u64],
    ) -> Result<Option<Answer>, Fault> {
        pending::not_offered()
    }

    /// Waits for what comes next of a call that was begun.
    ///
    /// # Errors
    /// As for calls.
    fn event(&mut self, _number: u8, _ms: u64) -> Result<Event, Fault> {
        pending::not_offered()
    }

    /// Does something to a call that was begun.
    ///
    /// # Errors
    /// As for calls.
    fn act(&mut self, _number: u8, _act: &Act) -> Result<Answer, Fault> {
        pending::not_offered()
    }

    /// Releases an object.
    ///
    /// # Errors
    /// As for calls.
    fn release(&mut self, _object: u64) -> Result<Answer, Fault> {
        pending::not_offered()
    }

    /// What services were asked since this was asked last.
    ///
    /// # Errors
    /// As for calls.
    fn asked(&mut self) -> Result<Vec<(String, Vec<u8>)>, Fault> {
        pending::not_offered()
    }

    /// Closes it, waiting so many milliseconds.
    ///
    /// # Errors
    /// As for calls.
    fn close(&mut self, ms: u64) -> Result<Answer, Fault>;

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
    fn records(&mut self) -> Result<Vec<Logged>, Fault>;

    /// Closes it if need be; nothing else comes after.
    ///
    /// # Errors
    /// As for calls.
    fn end(&mut self) -> Result<(), Fault>;
}

/// Which cases and ways are run, and for how long at most.
pub struct Selection<'a> {
    /// Whether to run a case.
    pub case: &'a dyn Fn(&Case) -> bool,
    /// Whether to run a way, by its name.
    pub way: &'a dyn Fn(&str) -> bool,
    /// When it has to be over.
    pub until: Option<Instant>,
}

impl Selection<'_> {
    /// Everything, however long it takes.
    #[must_use]
    pub fn all() -> Selection<'static> {
        Selection {
            case: &|_| true,
            way: &|_| true,
            until: None,
        }
    }
}

/// Runs the selected cases on a host.
pub fn all(files: &Files, host: &mut dyn Host, selection: &Selection<'_>) -> Report {
    let began = Instant::now();
    let hello = host.hello().clone();
    let mut report = Report::new(&hello);
    let mut calls = 0;
    let mut run = Run {
        host,
        shared: BTreeMap::new(),
        calls: &mut calls,
    };
    let wanted = |case: &Case| (selection.case)(case);
    let mut given_up = None;
    for (index, way) in hello.ways.iter().enumerate() {
        if !(selection.way)(&way.name) {
            continue;
        }
        for file in &files.files {
            for case in file.cases.iter().filter(|case| wanted(case)) {
                let outcome = if let Some(reason) = skips(case, run.host) {
                    if report.has(&case.id) {
                        continue;
                    }
                    Outcome::Skipped(reason)
                } else if !applies(case, &hello.ways, index) {
                    continue;
                } else if let Some(reason) = &given_up {
                    Outcome::Failed(format!("not run: {reason}"))
                } else if selection.until.is_some_and(|until| Instant::now() > until) {
                    let reason = "the time for all cases is over";
                    given_up = Some(reason.to_owned());
                    Outcome::Failed(format!("not run: {reason}"))
                } else {
                    match run.case(case, &hello.ways, index) {
                        Ok(()) => Outcome::Passed,
                        Err(fault) if fault.is_end => {
                            given_up = run.revive().err();
                            Outcome::Failed(fault.what)
                        }
                        Err(fault) => Outcome::Failed(fault.what),
                    }
                };
                report.add(&file.topic, &case.id, &way.name, outcome);
            }
        }
        if given_up.is_none()
            && let Err(fault) = run.end_shared()
        {
            let what = Outcome::Failed(fault.what);
            report.add("closing", "the instances that cases share", &way.name, what);
            if fault.is_end {
                given_up = run.revive().err();
            }
        }
    }
    if given_up.is_none()
        && let Err(fault) = host.end()
    {
        report.add(
            "closing",
            "the end of the host",
            "",
            Outcome::Failed(fault.what),
        );
    }
    report.calls = calls;
    report.seconds = began.elapsed().as_secs_f64();
    report
}

/// Why a host can't run a case, if it can't.
fn skips(case: &Case, host: &dyn Host) -> Option<String> {
    let lacks = |need: &Need| !host.hello().offers.iter().any(|one| one == need.name());
    if let Some(need) = case.needs.iter().find(|need| lacks(need)) {
        return Some(need.reason().to_owned());
    }
    (!host.expresses(case)).then(|| Need::CAbi.reason().to_owned())
}

/// Whether running a case in a way is another thing than running it in those before.
fn applies(case: &Case, ways: &[Way], index: usize) -> bool {
    let mut calls = case.steps.iter().filter_map(|step| match &step.op {
        Op::Call(call) => Some(call),
        _ => None,
    });
    // What has no call is the same in every way.
    index == 0 || calls.any(|call| is_for(&ways[index], call))
}

/// Whether a way can make the call.
fn is_for(way: &Way, call: &Call) -> bool {
    let is_json = call.encoding == Ok(Encoding::Json);
    if way.value {
        is_json && json::parse(&call.request).is_ok_and(|value| json::is_plain(&value))
    } else {
        !way.text || is_json && std::str::from_utf8(&call.request).is_ok()
    }
}

/// What a way for values has to give: text that comes of objects has white space and an order of its own.
fn as_value(expect: &Expect) -> Expect {
    let mut expect = expect.clone();
    if let Some(Response::Exact(payload)) = &expect.response
        && let Ok(json) = json::parse(&payload.bytes())
    {
        expect.response = Some(Response::Json(JsonForm { json }));
    }
    expect
}

type Shared = BTreeMap<(Plugin, Option<Vec<u8>>), Box<dyn Instance>>;

struct Run<'a> {
    host: &'a mut dyn Host,
    shared: Shared,
    calls: &'a mut usize,
}

impl Run<'_> {
    fn case(&mut self, case: &Case, ways: &[Way], index: usize) -> Result<(), Fault> {
        self.host.begin();
        let mut instances = BTreeMap::new();
        let mut pending = Pending::default();
        let result = self.steps(case, ways, index, &mut instances, &mut pending);
        if result.as_ref().is_err_and(|fault| fault.is_end) {
            return result;
        }
        let mut closed = Ok(());
        for (label, instance) in &mut instances {
            closed = closed.and(pending.give_up(label, &mut **instance));
        }
        for instance in instances.values_mut() {
            closed = closed.and(instance.end());
        }
        result.and(closed)
    }

    fn steps(
        &mut self,
        case: &Case,
        ways: &[Way],
        index: usize,
        instances: &mut BTreeMap<String, Box<dyn Instance>>,
        pending: &mut Pending,
    ) -> Result<(), Fault> {
        for (label, config) in &case.instances {
            let key = (case.plugin, config.clone());
            if case.shares && self.shared.contains_key(&key) {
                continue;
            }
            let opened = self.host.open(&Open {
                plugin: case.plugin,
                label,
                config: config.as_deref(),
                config_is_bytes: case.config_is_bytes,
                poison: case.poison,
                log: case.logs.get(label).map(|logs| logs.level),
                services: &case.services,
            })?;
            match (opened, &case.load) {
                (Ok(instance), None) if case.shares => {
                    self.shared.insert(key, instance);
                }
                (Ok(instance), expected) => {
                    instances.insert(label.clone(), instance);
                    if let Some(expect) = expected {
                        let status = expect.status;
                        return Err(
                            format!("expected loading to give {status}, but it loaded").into()
                        );
                    }
                }
                (Err(found), Some(expect)) => return Ok(loaded(expect, &found)?),
                (Err(found), None) => {
                    let said = judge::shown(&found.bytes);
                    return Err(format!("didn't load: {} with {said}", found.status).into());
                }
            }
        }
        for (number, step) in case.steps.iter().enumerate() {
            let instance = if case.shares {
                let config = case.instances[&step.instance].clone();
                self.shared.get_mut(&(case.plugin, config))
            } else {
                instances.get_mut(&step.instance)
            };
            let instance = instance.ok_or_else(|| "there's no such instance".to_owned())?;
            let done = match &step.op {
                Op::Work(work) => pending.run(work, &step.instance, &mut **instance, self.calls),
                op => run_op(op, &mut **instance, ways, index, self.calls),
            };
            done.map_err(|fault| {
                if case.steps.len() > 1 {
                    Fault {
                        what: format!("step {}: {}", number + 1, fault.what),
                        ..fault
                    }
                } else {
                    fault
                }
            })?;
        }
        for (label, logs) in &case.logs {
            let instance = instances
                .get_mut(label)
                .ok_or_else(|| "a log of no instance".to_owned())?;
            judge::records(&logs.records, &instance.records()?)
                .map_err(|problem| format!("logs of {label}: {problem}"))?;
        }
        Ok(())
    }

    fn end_shared(&mut self) -> Result<(), Fault> {
        self.host.begin();
        let mut ended = Ok(());
        for instance in std::mem::take(&mut self.shared).values_mut() {
            ended = ended.and(instance.end());
        }
        ended
    }

    /// Why there's no going on, if there isn't.
    fn revive(&mut self) -> Result<(), String> {
        self.shared.clear();
        self.host.revive().map_err(|fault| fault.what)
    }
}

fn loaded(expect: &Expect, found: &Answer) -> Result<(), String> {
    let found = Answer {
        stage: Some(Stage::Load),
        ..found.clone()
    };
    judge::answer(expect, &found)
}

fn run_op(
    op: &Op,
    instance: &mut dyn Instance,
    ways: &[Way],
    index: usize,
    calls: &mut usize,
) -> Result<(), Fault> {
    match op {
        Op::Call(call) => {
            // A case with calls of several kinds runs in a way for text as far as that goes, and in the first otherwise.
            let index = if is_for(&ways[index], call) { index } else { 0 };
            let way = &ways[index];
            let expect = if way.value {
                &as_value(&call.expect)
            } else {
                &call.expect
            };
            for &capacity in &choices(way.storage, &call.capacity) {
                for &misalign in &choices(way.misalign.then_some(0), &call.misalign) {
                    *calls += 1;
                    let found = instance.call(call, index, capacity, misalign)?;
                    judge::answer(expect, &found).map_err(|problem| {
                        if call.capacity.is_empty() && call.misalign.is_empty() {
                            problem
                        } else {
                            format!(
                                "with storage of {capacity} and misaligned by {misalign}: {problem}"
                            )
                        }
                    })?;
                }
            }
            Ok(())
        }
        Op::Close(expect, ms) => Ok(judge::answer(expect, &instance.close(*ms)?)?),
        Op::State(expected) => {
            let found = instance.state()?;
            if found == *expected {
                Ok(())
            } else {
                Err(format!("expected to be {expected}, but is {found}").into())
            }
        }
        Op::LogLevel(level) => instance.set_log_level(*level),
        // Whoever keeps what is pending runs it.
        Op::Work(_) => pending::not_offered(),
    }
}

/// The sizes or places to call with: the case's, or the way's own if the case has none, or no choice at all.
fn choices(usual: Option<usize>, wanted: &[usize]) -> Vec<usize> {
    match usual {
        Some(_) if !wanted.is_empty() => wanted.to_vec(),
        Some(usual) => vec![usual],
        None => vec![0],
    }
}

/// How long a case may take, unless somebody says otherwise. A test that is slow passes, one that hangs doesn't.
pub const CASE_LIMIT: Duration = Duration::from_secs(60);
