//! A host that is a program of its own: commands go in on one pipe, and what its language's user would have got comes back on
//! the other. It may lie, end or hang at any moment, and each of these is told of the case in which it happens.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;
use std::rc::Rc;
use std::time::Duration;

use rustbridge_abi::{Level, Status};
use serde_json::{Map, Value};

use crate::call::{Call, Method, Stage};
use crate::cases::Plugin;
use crate::host::{EndedCall, Event, Fault, Host, Instance, Open};
use crate::json;
use crate::judge::{Answer, LogEntry};
use crate::operations::{Act, NewCall};
use crate::process::Process;
use crate::protocol::{self, Hello, Message};

/// So often a testee may end before its time; what is left of the cases isn't run then.
const LIVES: usize = 5;

/// A testee, and how to start it anew.
pub struct Testee {
    make: Box<dyn Fn() -> Command>,
    library: Box<dyn Fn(Plugin) -> Vec<u8>>,
    limit: Duration,
    hello: Hello,
    process: Rc<RefCell<Process>>,
    lives: usize,
}

impl Testee {
    /// Starts it, and asks what it is. `library` gives the path of a plugin's library as the testee knows it, `limit` is for a
    /// case.
    ///
    /// # Errors
    /// It can't be started, or isn't understood.
    pub fn start(
        make: impl Fn() -> Command + 'static,
        library: impl Fn(Plugin) -> PathBuf + 'static,
        limit: Duration,
    ) -> Result<Testee, String> {
        let mut process = Process::start(&mut make())?;
        let hello = process.hello(limit).map_err(|fault| fault.what)?;
        Ok(Testee {
            make: Box::new(make),
            library: Box::new(move |plugin| library(plugin).into_os_string().into_encoded_bytes()),
            limit,
            hello,
            process: Rc::new(RefCell::new(process)),
            lives: LIVES,
        })
    }
}

impl Host for Testee {
    fn hello(&self) -> &Hello {
        &self.hello
    }

    fn begin(&mut self) {
        self.process.borrow().watch.set(Some(self.limit));
    }

    fn open(&mut self, open: &Open<'_>) -> Result<Result<Box<dyn Instance>, Answer>, Fault> {
        let number = self
            .process
            .borrow_mut()
            .free
            .pop()
            .ok_or_else(|| "more instances than there are numbers for".to_owned())?;
        let mut instance = Remote {
            process: Rc::clone(&self.process),
            number,
            payload_errors: self.hello.payload_errors,
            entries: BTreeMap::new(),
        };
        let config = match open.config {
            None => 0,
            Some(_) if open.config_is_bytes => 2,
            Some(_) => 1,
        };
        for service in open.services {
            let payload = service.answer.as_ref().map(crate::payload::Payload::bytes);
            let register = Message::new(b'R', number)
                .bytes(service.name.as_bytes())
                .u32(service.encoding.code())
                .bytes(service.encoding.name().as_bytes())
                .u8(service.mode.code())
                .u32(service.status.code() as u32)
                .bytes(&payload.unwrap_or_default());
            instance.good(&register)?;
        }
        let load = Message::new(b'L', number)
            .bytes(&(self.library)(open.plugin))
            .u8(config)
            .bytes(open.config.unwrap_or_default())
            .u8(open.poison.into())
            .bytes(open.log.unwrap_or(Level::Off).name().as_bytes())
            .u8(open.log.is_some().into());
        let loaded = instance.answer(&load, Stage::Load);
        if loaded
            .as_ref()
            .is_ok_and(|answer| answer.status == Status::Ok)
        {
            return Ok(Ok(Box::new(instance)));
        }
        if !loaded.as_ref().is_err_and(|fault| fault.is_end) {
            // Its number is free again, and the testee forgets whatever it kept for it.
            instance.end()?;
        }
        loaded.map(Err)
    }

    fn revive(&mut self) -> Result<(), Fault> {
        self.lives -= 1;
        if self.lives == 0 {
            return Err(format!("the testee has ended before its time {LIVES} times").into());
        }
        let mut process = Process::start(&mut (self.make)())?;
        process.hello(self.limit)?;
        self.process = Rc::new(RefCell::new(process));
        Ok(())
    }

    fn end(&mut self) -> Result<(), Fault> {
        self.begin();
        self.process.borrow_mut().terminate()
    }
}

struct Remote {
    process: Rc<RefCell<Process>>,
    number: u8,
    payload_errors: bool,
    /// What was prepared before, as a host keeps it.
    entries: BTreeMap<(Vec<u8>, u32), u32>,
}

impl Remote {
    fn tell(&self, command: &Message) -> Result<(Status, Vec<u8>), Fault> {
        self.process.borrow_mut().tell(command)
    }

    fn answer(&self, command: &Message, stage: Stage) -> Result<Answer, Fault> {
        let (status, bytes) = self.tell(command)?;
        if status == Status::Ok {
            return Ok(Answer::ok(bytes));
        }
        let bytes = if self.payload_errors {
            bytes
        } else {
            payload(status, &bytes).map_err(|problem| {
                format!("the testee's error of {status} isn't four texts: {problem}")
            })?
        };
        Ok(Answer {
            status,
            stage: Some(stage),
            bytes,
        })
    }

    /// The testee's number for a method, or why there's none.
    fn entry(&mut self, call: &Call) -> Result<Result<u32, Answer>, Fault> {
        let (encoding, name) = match call.encoding {
            Ok(known) => (known.code(), known.name()),
            Err(number) => (number, ""),
        };
        let prepare = match &call.method {
            Method::Name(name) => Message::new(b'P', self.number).bytes(name.as_bytes()),
            Method::Bytes(name) => Message::new(b'P', self.number).bytes(name),
            Method::Id(id) => Message::new(b'I', self.number).u32(*id),
        };
        let key = (prepare.0.clone(), encoding);
        if let Some(entry) = self.entries.get(&key) {
            return Ok(Ok(*entry));
        }
        let prepare = prepare.u32(encoding).bytes(name.as_bytes());
        let prepared = self.answer(&prepare, Stage::Prepare)?;
        if prepared.status != Status::Ok {
            return Ok(Err(prepared));
        }
        let entry = <[u8; 4]>::try_from(&prepared.bytes[..])
            .map_err(|_| "a prepared method isn't four bytes".to_owned())?;
        let entry = u32::from_le_bytes(entry);
        self.entries.insert(key, entry);
        Ok(Ok(entry))
    }

    fn read_event(&self, mut rest: &[u8]) -> Result<Event, String> {
        let problem = |problem: std::io::Error| problem.to_string();
        let from = &mut rest;
        let [kind] = protocol::array(from).map_err(problem)?;
        Ok(match kind {
            0 => Event::Nothing,
            1 => {
                let code = i32::from_le_bytes(protocol::array(from).map_err(problem)?);
                let status = Status::from_code(code);
                if status.code() != code {
                    return Err(format!("{code} is no status"));
                }
                let bytes = protocol::bytes(from).map_err(problem)?;
                let bytes = if status == Status::Ok || self.payload_errors {
                    bytes
                } else {
                    payload(status, &bytes)?
                };
                Event::End(EndedCall {
                    answer: Answer {
                        status,
                        stage: (status != Status::Ok).then_some(Stage::Call),
                        bytes,
                    },
                    trailers: protocol::bytes(from).map_err(problem)?,
                    objects: objects(&protocol::bytes(from).map_err(problem)?),
                })
            }
            2 => {
                let count = u32::from_le_bytes(protocol::array(from).map_err(problem)?);
                let items = (0..count)
                    .map(|_| protocol::bytes(from).map_err(problem))
                    .collect::<Result<_, _>>()?;
                Event::Items(items, objects(&protocol::bytes(from).map_err(problem)?))
            }
            3 => Event::Demand,
            other => return Err(format!("there's no kind {other}")),
        })
    }

    fn good(&self, command: &Message) -> Result<Vec<u8>, Fault> {
        let found = self.answer(command, Stage::Call)?;
        if found.status == Status::Ok {
            return Ok(found.bytes);
        }
        let said = crate::judge::shown(&found.bytes);
        Err(format!("{} with {said}", found.status).into())
    }
}

fn numbers(objects: &[u64]) -> Vec<u8> {
    objects
        .iter()
        .flat_map(|object| object.to_le_bytes())
        .collect()
}

fn objects(bytes: &[u8]) -> Vec<u64> {
    let (numbers, _) = bytes.as_chunks::<8>();
    numbers
        .iter()
        .map(|number| u64::from_le_bytes(*number))
        .collect()
}

/// The payload that the fields of an error in a language stand for.
fn payload(status: Status, mut fields: &[u8]) -> Result<Vec<u8>, String> {
    let mut text = || protocol::text(&mut fields).map_err(|problem| problem.to_string());
    let [message, type_name, details, backtrace] = [text()?, text()?, text()?, text()?];
    if !fields.is_empty() {
        return Err(format!("{} bytes too many", fields.len()));
    }
    let mut object = Map::new();
    object.insert("code".to_owned(), status.name().into());
    object.insert("message".to_owned(), message.into());
    object.insert("type".to_owned(), type_name.into());
    if !details.is_empty() {
        let details = json::parse(details.as_bytes())?;
        object.insert("details".to_owned(), details);
    }
    if !backtrace.is_empty() {
        object.insert("backtrace".to_owned(), backtrace.into());
    }
    Ok(Value::Object(object).to_string().into_bytes())
}

impl Instance for Remote {
    fn call(
        &mut self,
        call: &Call,
        way: usize,
        capacity: usize,
        misalign: usize,
    ) -> Result<Answer, Fault> {
        let entry = match self.entry(call)? {
            Ok(entry) => entry,
            Err(refused) => return Ok(refused),
        };
        let byte = |number: usize| u8::try_from(number).expect("ways and offsets are few");
        let command = Message::new(b'C', self.number)
            .u32(entry)
            .u8(byte(way))
            .u8(call.leaf.into())
            .u64(capacity as u64)
            .u8(byte(misalign))
            .bytes(&call.request);
        self.answer(&command, Stage::Call)
    }

    fn begin(
        &mut self,
        begin: &NewCall,
        number: u8,
        objects: &[u64],
    ) -> Result<Option<Answer>, Fault> {
        let entry = match self.entry(&begin.call)? {
            Ok(entry) => entry,
            Err(refused) => return Ok(Some(refused)),
        };
        let header = &begin.header;
        let (ids, state) = header
            .trace
            .as_ref()
            .map_or((&[][..], ""), |trace| (&trace.ids[..], &*trace.state));
        let command = Message::new(b'W', self.number)
            .u8(number)
            .u32(entry)
            .u8(begin.how.code())
            .u64(header.timeout_ns.unwrap_or(u64::MAX))
            .bytes(ids)
            .bytes(state.as_bytes())
            .bytes(&header.metadata)
            .bytes(&numbers(objects))
            .u64(begin.demand.0)
            .u64(begin.demand.1)
            .bytes(&begin.call.request);
        self.good(&command)?;
        Ok(None)
    }

    fn event(&mut self, number: u8, ms: u64) -> Result<Event, Fault> {
        let bytes = self.good(&Message::new(b'E', self.number).u8(number).u64(ms))?;
        self.read_event(&bytes)
            .map_err(|problem| format!("the event can't be read: {problem}").into())
    }

    fn act(&mut self, number: u8, act: &Act) -> Result<Answer, Fault> {
        let command = |letter| Message::new(letter, self.number).u8(number);
        let command = match act {
            Act::Cancel => command(b'K'),
            Act::Detach => command(b'G'),
            Act::Demand(items, bytes) => command(b'N').u64(*items).u64(*bytes),
            Act::Send(items, _) => {
                let count = u32::try_from(items.len()).expect("items are few");
                let command = command(b'T').u32(count);
                items
                    .iter()
                    .fold(command, |command, item| command.bytes(item))
            }
            Act::Finish(status, payload) => command(b'Z').u32(status.code() as u32).bytes(payload),
        };
        self.answer(&command, Stage::Call)
    }

    fn release(&mut self, object: u64) -> Result<Answer, Fault> {
        self.answer(&Message::new(b'O', self.number).u64(object), Stage::Call)
    }

    fn asked(&mut self) -> Result<Vec<(String, Vec<u8>)>, Fault> {
        let bytes = self.good(&Message::new(b'A', self.number))?;
        let mut rest = &bytes[..];
        let mut asked = Vec::new();
        while !rest.is_empty() {
            let mut next = || -> std::io::Result<(String, Vec<u8>)> {
                Ok((protocol::text(&mut rest)?, protocol::bytes(&mut rest)?))
            };
            asked.push(next().map_err(|problem| format!("what was asked: {problem}"))?);
        }
        Ok(asked)
    }

    fn abandon(&mut self) -> Result<(), Fault> {
        self.good(&Message::new(b'Q', self.number))?;
        Ok(())
    }

    fn close(&mut self, ms: u64) -> Result<Answer, Fault> {
        self.answer(&Message::new(b'X', self.number).u64(ms), Stage::Call)
    }

    fn close_with(&mut self, ms: u64, cancel_after_ms: u64) -> Result<Answer, Fault> {
        let command = Message::new(b'Y', self.number).u64(ms);
        self.answer(&command.u64(cancel_after_ms), Stage::Call)
    }

    fn state(&mut self) -> Result<String, Fault> {
        let name = self.good(&Message::new(b'S', self.number))?;
        Ok(String::from_utf8_lossy(&name).into_owned())
    }

    fn set_log_level(&mut self, level: Level) -> Result<(), Fault> {
        let name = level.name().as_bytes();
        self.good(&Message::new(b'V', self.number).bytes(name))?;
        Ok(())
    }

    fn records(&mut self) -> Result<Vec<LogEntry>, Fault> {
        let bytes = self.good(&Message::new(b'F', self.number))?;
        let mut rest = &bytes[..];
        let mut records = Vec::new();
        while !rest.is_empty() {
            let mut text = || {
                protocol::text(&mut rest)
                    .map_err(|problem| format!("a log record isn't five texts: {problem}"))
            };
            records.push(LogEntry {
                level: text()?,
                target: text()?,
                message: text()?,
                fields: text()?,
                spans: text()?,
            });
        }
        Ok(records)
    }

    fn end(&mut self) -> Result<(), Fault> {
        self.good(&Message::new(b'D', self.number))?;
        self.process.borrow_mut().free.push(self.number);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(texts: &[&str]) -> Vec<u8> {
        let message = texts.iter().fold(Message::default(), |message, text| {
            message.bytes(text.as_bytes())
        });
        message.0
    }

    #[test]
    fn the_fields_of_an_error_become_the_payload_they_came_from() {
        let error = fields(&["m", "T", r#"{"x":1}"#, "at f"]);
        let found = payload(Status::Aborted, &error).unwrap();
        assert_eq!(
            json::parse(&found).unwrap(),
            serde_json::json!({"code": "ABORTED", "message": "m", "type": "T", "details": {"x": 1}, "backtrace": "at f"})
        );
        let bare = payload(Status::Aborted, &fields(&["m", "T", "", ""])).unwrap();
        assert_eq!(
            json::parse(&bare).unwrap(),
            serde_json::json!({"code": "ABORTED", "message": "m", "type": "T"})
        );
    }

    #[test]
    fn an_error_with_a_field_missing_or_too_many_is_refused() {
        for error in [
            fields(&["m", "T", ""]),
            fields(&["m", "T", "", "", ""]),
            fields(&["m", "T", "no json", ""]),
        ] {
            assert!(payload(Status::Aborted, &error).is_err());
        }
    }
}
