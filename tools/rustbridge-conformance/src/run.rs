//! Runs the cases on a host, each in every way of calling that it applies to, and has the outcomes judged.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use rustbridge_abi::Encoding;

use crate::call::{Call, Expect, JsonForm, Response, Stage};
use crate::cases::{Case, Files, Op, Plugin, Requirement};
use crate::host::{Fault, Host, Instance, Open, not_offered};
use crate::json;
use crate::judge::{self, Answer};
use crate::pending::Pending;
use crate::protocol::Way;
use crate::report::{Outcome, Report};

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
    let lacks = |need: &Requirement| !host.hello().offers.iter().any(|one| one == need.name());
    if let Some(need) = case.needs.iter().find(|need| lacks(need)) {
        return Some(need.reason().to_owned());
    }
    (!host.expresses(case)).then(|| Requirement::CAbi.reason().to_owned())
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

type SharedInstances = BTreeMap<(Plugin, Option<Vec<u8>>), Box<dyn Instance>>;

struct Run<'a> {
    host: &'a mut dyn Host,
    shared: SharedInstances,
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
        Op::Close(expect, ms, cancel_after) => {
            let closed = match cancel_after {
                None => instance.close(*ms)?,
                Some(after) => instance.close_with(*ms, *after)?,
            };
            Ok(judge::answer(expect, &closed)?)
        }
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
        Op::Work(_) => not_offered(),
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
