//! Runs the steps about what ends later: keeps the calls that were begun and the objects that came, by the names that a case has
//! for them, and has judged what comes of them.

use std::collections::{BTreeMap, VecDeque};
use std::thread;
use std::time::{Duration, Instant};

use rustbridge_abi::Status;

use crate::call::Response;
use crate::host::{EndedCall, Event, Fault, Instance};
use crate::judge::{self, Answer, shown};
use crate::operations::{Act, End, How, NewCall, ObjectRef, Work, metadata};

/// How long what has to come may take; the case's own limit is longer.
const LONG_MS: u64 = 30_000;

/// How long nothing has to come where nothing may. What comes later than that isn't seen, and fails no case.
const MOMENT_MS: u64 = 20;

/// A call that was begun.
struct StartedCall {
    number: u8,
    /// Of which instance.
    instance: String,
    items: VecDeque<Vec<u8>>,
    objects: Vec<u64>,
    end: Option<EndedCall>,
    is_of_queue: bool,
    is_detached: bool,
}

/// What a case has begun and been given.
#[derive(Default)]
pub struct Pending {
    begun: BTreeMap<String, StartedCall>,
    objects: BTreeMap<String, u64>,
    numbers: u8,
}

impl Pending {
    /// Does one step.
    ///
    /// # Errors
    /// What came isn't what the case expects, or the host did what no host should.
    pub fn run(
        &mut self,
        work: &Work,
        label: &str,
        instance: &mut dyn Instance,
        calls: &mut usize,
    ) -> Result<(), Fault> {
        match work {
            Work::Begin(name, begin) => {
                *calls += 1;
                self.begin(name, label, begin, instance)
            }
            Work::With(begin, end) => {
                *calls += 1;
                self.begin("", label, begin, instance)?;
                self.end("", end, instance)
            }
            Work::End(name, end) => self.end(name, end, instance),
            Work::Items(name, items, objects) => self.items(name, items, objects, instance),
            Work::Quiet(name) => {
                let begun = found(&mut self.begun, name)?;
                if begun.items.is_empty() && begun.end.is_none() {
                    begun.wait(instance, MOMENT_MS)?;
                }
                match (begun.items.front(), &begun.end) {
                    (Some(item), _) => Err(format!("an item came: {}", shown(item)).into()),
                    (None, Some(end)) => Err(format!("it ended with {}", said(&end.answer)).into()),
                    (None, None) => Ok(()),
                }
            }
            Work::Act(name, act, expect) => {
                let begun = found(&mut self.begun, name)?;
                begun.is_detached |= matches!(act, Act::Detach);
                let mut answer = instance.act(begun.number, act)?;
                while let (Act::Send(_, true), Status::ResourceExhausted) = (act, answer.status) {
                    if begun.end.is_some() || !begun.wait_for_demand(instance)? {
                        break;
                    }
                    answer = instance.act(begun.number, act)?;
                }
                Ok(judge::answer(expect, &answer)?)
            }
            Work::Release(object, expect) => {
                let number = self.object(object)?;
                let answer = instance.release(number)?;
                // C's function says no more than the status.
                if answer.bytes.is_empty() && answer.status == expect.status {
                    return Ok(());
                }
                Ok(judge::answer(expect, &answer)?)
            }
            Work::Asked(expected) => {
                let mut found = instance.asked()?;
                // A plugin may ask on another thread, a moment after a call.
                let deadline = Instant::now() + Duration::from_millis(LONG_MS);
                while found.len() < expected.len() && Instant::now() < deadline {
                    thread::sleep(Duration::from_millis(1));
                    found.extend(instance.asked()?);
                }
                asked(expected, &found)
            }
            Work::Abandon => {
                for begun in self.begun.values_mut() {
                    begun.is_detached |= begun.is_of_queue;
                }
                instance.abandon()
            }
        }
    }

    /// Gives up what a case has left of one of its instances.
    ///
    /// # Errors
    /// The host did what no host should.
    pub fn give_up(&mut self, label: &str, instance: &mut dyn Instance) -> Result<(), Fault> {
        for begun in self.begun.values_mut() {
            if begun.instance == label && begun.end.is_none() && !begun.is_detached {
                begun.is_detached = true;
                // It may have ended just now.
                instance.act(begun.number, &Act::Detach)?;
            }
        }
        Ok(())
    }

    fn begin(
        &mut self,
        name: &str,
        label: &str,
        begin: &NewCall,
        instance: &mut dyn Instance,
    ) -> Result<(), Fault> {
        let objects = begin.header.objects.iter();
        let objects: Vec<u64> = objects
            .map(|object| self.object(object))
            .collect::<Result<_, _>>()?;
        let number = self.numbers;
        self.numbers = number
            .checked_add(1)
            .ok_or_else(|| "too many calls".to_owned())?;
        let refused = instance.begin(begin, number, &objects)?;
        let end = refused.map(|answer| EndedCall {
            answer,
            trailers: Vec::new(),
            objects: Vec::new(),
        });
        self.begun.insert(
            name.to_owned(),
            StartedCall {
                number,
                instance: label.to_owned(),
                items: VecDeque::new(),
                objects: Vec::new(),
                end,
                is_of_queue: matches!(begin.how, How::Queue | How::Offload),
                is_detached: false,
            },
        );
        Ok(())
    }

    fn object(&self, object: &ObjectRef) -> Result<u64, Fault> {
        match object {
            ObjectRef::Number(number) => Ok(*number),
            ObjectRef::Name(name) => match self.objects.get(name) {
                Some(number) => Ok(*number),
                None => Err(format!("there's no object `{name}`").into()),
            },
        }
    }

    fn name(&mut self, names: &[String], objects: &[u64]) -> Result<(), Fault> {
        if names.len() != objects.len() {
            return Err(
                format!("expected {} objects, found {}", names.len(), objects.len()).into(),
            );
        }
        self.objects
            .extend(names.iter().cloned().zip(objects.iter().copied()));
        Ok(())
    }

    fn end(&mut self, name: &str, end: &End, instance: &mut dyn Instance) -> Result<(), Fault> {
        let begun = found(&mut self.begun, name)?;
        while begun.end.is_none() {
            if !begun.wait(instance, LONG_MS)? {
                return Err("it doesn't end".to_owned().into());
            }
        }
        if let Some(item) = begun.items.front() {
            return Err(format!("an item more came before its end: {}", shown(item)).into());
        }
        let Some(ended) = begun.end.clone() else {
            return Ok(());
        };
        judge::answer(&end.expect, &ended.answer)?;
        if let Some(pairs) = &end.trailers {
            let wanted = if pairs.is_empty() {
                Vec::new()
            } else {
                metadata(pairs)
            };
            if wanted != ended.trailers {
                let found = shown(&ended.trailers);
                return Err(format!("expected the trailers {pairs:?}, found {found}").into());
            }
        }
        self.name(&end.objects, &ended.objects)
    }

    fn items(
        &mut self,
        name: &str,
        expected: &[Response],
        objects: &[String],
        instance: &mut dyn Instance,
    ) -> Result<(), Fault> {
        let begun = found(&mut self.begun, name)?;
        for (number, response) in expected.iter().enumerate() {
            while begun.items.is_empty() {
                if let Some(end) = &begun.end {
                    let end = said(&end.answer);
                    return Err(format!("it ended before item {number}, with {end}").into());
                }
                if !begun.wait(instance, LONG_MS)? {
                    return Err(format!("item {number} doesn't come").into());
                }
            }
            let item = begun.items.pop_front().unwrap_or_default();
            judge::response(response, &item).map_err(|what| format!("item {number}: {what}"))?;
        }
        let came = std::mem::take(&mut begun.objects);
        self.name(objects, &came)
    }
}

impl StartedCall {
    /// Takes what comes next; false if nothing does in time.
    fn wait(&mut self, instance: &mut dyn Instance, ms: u64) -> Result<bool, Fault> {
        match instance.event(self.number, ms)? {
            Event::Nothing => return Ok(false),
            Event::Demand => {}
            Event::Items(items, objects) => {
                self.items.extend(items);
                self.objects.extend(objects);
            }
            Event::End(end) => self.end = Some(end),
        }
        Ok(true)
    }

    fn wait_for_demand(&mut self, instance: &mut dyn Instance) -> Result<bool, Fault> {
        // Whatever comes is kept; asked again too early, it refuses once more.
        self.wait(instance, LONG_MS)
    }
}

fn found<'a>(
    begun: &'a mut BTreeMap<String, StartedCall>,
    name: &str,
) -> Result<&'a mut StartedCall, Fault> {
    begun
        .get_mut(name)
        .ok_or_else(|| format!("no call `{name}` was begun").into())
}

fn said(answer: &Answer) -> String {
    format!("{} and {}", answer.status, shown(&answer.bytes))
}

fn asked(expected: &[(String, Response)], found: &[(String, Vec<u8>)]) -> Result<(), Fault> {
    let names = |all: &mut dyn Iterator<Item = &String>| -> Vec<String> { all.cloned().collect() };
    let wanted = names(&mut expected.iter().map(|(name, _)| name));
    let came = names(&mut found.iter().map(|(name, _)| name));
    if wanted != came {
        return Err(format!("expected the services {wanted:?} to be asked, found {came:?}").into());
    }
    for ((name, expected), (_, found)) in expected.iter().zip(found) {
        judge::response(expected, found).map_err(|what| format!("`{name}` was asked: {what}"))?;
    }
    Ok(())
}
