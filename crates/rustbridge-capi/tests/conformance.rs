//! Every conformance case through a host in C, and once more with a memory checker looking on.
//!
//! The host is `c/conformance.c`, a program of its own: commands go in on one pipe, what C got comes back on the other,
//! and the judging is done here. Its first comment gives the two formats.

mod support;

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::rc::Rc;

use child_process::Watchdog;
use rustbridge_abi::{Level, RB_RECORD_EVENT, Status};
use rustbridge_conformance::cases::{Call, Case, Files, Method, Need, Op, Stage};
use rustbridge_conformance::judge::{Answer, Logged};
use rustbridge_conformance::run::{self, Host, Instance, Open};
use rustbridge_conformance::{libraries, results, system};
use rustbridge_host_abi::{
    RB_LOAD_POISON, RB_STATE_ACTIVE, RB_STATE_CLOSED, RB_STATE_CLOSING, RB_STATE_FORKED,
    RB_STATE_POISONED,
};
use support::Link;

/// The C program and the pipes to it.
struct Program {
    child: Child,
    /// It ends with all cases done, or is ended; then its pipes end, too.
    #[expect(dead_code, reason = "watches until the program is dropped")]
    dog: Watchdog,
    commands: Option<ChildStdin>,
    results: ChildStdout,
    /// What it says on the standard error.
    said: PathBuf,
    /// Numbers of instances that are free to be used.
    free: Vec<u8>,
}

impl Program {
    fn start(name: &str, mut command: Command) -> Program {
        // What plugins that panic on purpose say would fill pages; it's shown when something went wrong.
        let said = support::scratch("conformance").join(format!("{name}.log"));
        let (mut child, mark) = child_process::start(
            command
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(File::create(&said).unwrap()),
        )
        .unwrap();
        Program {
            dog: Watchdog::over(&child, mark, child_process::BUILD),
            commands: child.stdin.take(),
            results: child.stdout.take().unwrap(),
            child,
            said,
            free: (0..200).rev().collect(),
        }
    }

    /// Sends a command and reads its result.
    fn tell(&mut self, command: &Message) -> (Status, Vec<u8>) {
        let mut commands = self.commands.as_ref().unwrap();
        commands.write_all(&command.0).expect("the C host is there");
        commands.flush().unwrap();
        let letter = self.read::<1>()[0];
        assert_eq!(letter, command.0[0], "the C host has lost its place");
        let status = i32::from_le_bytes(self.read());
        let known = Status::from_code(status);
        assert_eq!(
            known.code(),
            status,
            "a status outside the table came out of rb_call"
        );
        let mut bytes = vec![0; usize::try_from(u64::from_le_bytes(self.read())).unwrap()];
        self.results.read_exact(&mut bytes).unwrap();
        (known, bytes)
    }

    fn read<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        self.results.read_exact(&mut bytes).unwrap_or_else(|error| {
            panic!("the C host is gone ({error}); it said:\n{}", self.said())
        });
        bytes
    }

    /// Waits for its end, which must be a good one: a memory checker says there what it found.
    fn end(mut self) {
        drop(self.commands.take());
        let status = self.child.wait().unwrap();
        assert!(
            status.success(),
            "the C host ended with {status}:\n{}",
            self.said()
        );
    }

    fn said(&self) -> String {
        String::from_utf8_lossy(&fs::read(&self.said).unwrap()).into_owned()
    }
}

/// A command on its way.
struct Message(Vec<u8>);

impl Message {
    fn new(letter: u8, instance: u8) -> Message {
        Message(vec![letter, instance])
    }

    fn u8(mut self, value: u8) -> Message {
        self.0.push(value);
        self
    }

    fn u32(mut self, value: u32) -> Message {
        self.0.extend(value.to_le_bytes());
        self
    }

    fn u64(mut self, value: u64) -> Message {
        self.0.extend(value.to_le_bytes());
        self
    }

    fn bytes(self, bytes: &[u8]) -> Message {
        let mut message = self.u64(bytes.len() as u64);
        message.0.extend_from_slice(bytes);
        message
    }
}

struct CHost {
    program: Rc<RefCell<Program>>,
}

impl Host for CHost {
    fn offers(&self, need: Need) -> bool {
        match need {
            Need::CAbi => true,
        }
    }

    fn open(&mut self, open: &Open<'_>) -> Result<Box<dyn Instance>, Answer> {
        let path = libraries::path(open.plugin.package());
        let number = self.program.borrow_mut().free.pop().unwrap();
        let instance = CInstance {
            program: Rc::clone(&self.program),
            number,
            entries: HashMap::new(),
        };
        let load = Message::new(b'L', number)
            .bytes(system::argument(&path).to_str().unwrap().as_bytes())
            .u8(open.config.is_some().into())
            .bytes(open.config.unwrap_or_default())
            .u32(if open.poison { RB_LOAD_POISON } else { 0 })
            .u32(open.log.unwrap_or(Level::Off).code())
            .u8(open.log.is_some().into());
        match instance.answer(&load, Stage::Load) {
            loaded if loaded.status == Status::Ok => Ok(Box::new(instance)),
            failure => Err(failure),
        }
    }
}

struct CInstance {
    program: Rc<RefCell<Program>>,
    number: u8,
    /// What was prepared before, as a host keeps it.
    entries: HashMap<(Vec<u8>, u32), u32>,
}

impl CInstance {
    fn tell(&self, command: &Message) -> (Status, Vec<u8>) {
        self.program.borrow_mut().tell(command)
    }

    fn answer(&self, command: &Message, stage: Stage) -> Answer {
        let (status, bytes) = self.tell(command);
        Answer {
            status,
            stage: (status != Status::Ok).then_some(stage),
            bytes,
        }
    }
}

impl Drop for CInstance {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        self.tell(&Message::new(b'D', self.number));
        self.program.borrow_mut().free.push(self.number);
    }
}

impl Instance for CInstance {
    fn call(&mut self, call: &Call, capacity: usize, misalign: usize) -> Answer {
        let encoding = call
            .encoding
            .map_or_else(|number| number, |known| known.code());
        let prepare = match &call.method {
            Method::Name(name) => Message::new(b'P', self.number).bytes(name.as_bytes()),
            Method::Bytes(name) => Message::new(b'P', self.number).bytes(name),
            Method::Id(id) => Message::new(b'I', self.number).u32(*id),
        };
        let key = (prepare.0.clone(), encoding);
        let entry = match self.entries.get(&key) {
            Some(entry) => *entry,
            None => {
                let prepared = self.answer(&prepare.u32(encoding), Stage::Prepare);
                if prepared.status != Status::Ok {
                    return prepared;
                }
                let entry = u32::from_le_bytes(prepared.bytes.try_into().unwrap());
                self.entries.insert(key, entry);
                entry
            }
        };
        let call = Message::new(b'C', self.number)
            .u32(entry)
            .u8(call.leaf.into())
            .u8((capacity > 0).into())
            .u64(capacity as u64)
            .u32(u32::try_from(misalign).unwrap())
            .bytes(&call.request);
        self.answer(&call, Stage::Call)
    }

    fn close(&mut self) -> Answer {
        self.answer(&Message::new(b'X', self.number).u64(10_000), Stage::Call)
    }

    fn state(&mut self) -> String {
        let (status, bytes) = self.tell(&Message::new(b'S', self.number));
        assert_eq!(status, Status::Ok);
        match u32::from_le_bytes(bytes.try_into().unwrap()) {
            RB_STATE_ACTIVE => "active",
            RB_STATE_POISONED => "poisoned",
            RB_STATE_CLOSING => "closing",
            RB_STATE_CLOSED => "closed",
            RB_STATE_FORKED => "forked",
            other => panic!("state {other}"),
        }
        .to_owned()
    }

    fn set_log_level(&mut self, level: Level) {
        let (status, _) = self.tell(&Message::new(b'V', self.number).u32(level.code()));
        assert_eq!(status, Status::Ok);
    }

    fn records(&mut self) -> Vec<Logged> {
        let (_, bytes) = self.tell(&Message::new(b'F', self.number));
        let mut rest = &bytes[..];
        let mut records = Vec::new();
        while !rest.is_empty() {
            let level = take_u32(&mut rest);
            let kind = take_u32(&mut rest);
            let [target, message, fields, spans] = [(); 4].map(|()| take_text(&mut rest));
            if kind == RB_RECORD_EVENT {
                records.push(Logged {
                    level: Level::from_code(level).unwrap().name().to_owned(),
                    target,
                    message,
                    fields,
                    spans,
                });
            }
        }
        records
    }
}

fn take<'a>(rest: &mut &'a [u8], len: usize) -> &'a [u8] {
    rest.split_off(..len).unwrap()
}

fn take_u32(rest: &mut &[u8]) -> u32 {
    u32::from_le_bytes(take(rest, 4).try_into().unwrap())
}

fn take_text(rest: &mut &[u8]) -> String {
    let len = u64::from_le_bytes(take(rest, 8).try_into().unwrap());
    String::from_utf8(take(rest, len as usize).to_vec()).expect("the core gives UTF-8 only")
}

fn run_all(name: &str, command: Command) {
    let (passed, all) = run_those(name, command, |_| true);
    assert_eq!(passed, all);
}

/// How many of the wanted cases were right, and how many cases there are.
fn run_those(name: &str, command: Command, wanted: impl Fn(&Case) -> bool) -> (usize, usize) {
    let files = Files::read().unwrap();
    let program = Rc::new(RefCell::new(Program::start(name, command)));
    let mut host = CHost {
        program: Rc::clone(&program),
    };
    let report = run::all(&files, &mut host, wanted);
    if name == "shared" {
        results::save(&report, "c/librustbridge");
    }
    drop(host);
    Rc::into_inner(program).unwrap().into_inner().end();
    report.assert_right();
    assert_eq!(
        report.skipped,
        Vec::<String>::new(),
        "C can express every case"
    );
    (report.passed, files.cases().count())
}

/// Without a memory checker the program looks itself at what lies behind the storage.
fn guarded(program: &Path) -> Command {
    let mut command = support::command(program);
    command.arg("guard");
    command
}

#[test]
fn every_case_is_right_in_a_c_host() {
    let program = support::source("tests/c/conformance.c")
        .link(Link::Shared)
        .program(&support::scratch("conformance"), "conformance");
    run_all("shared", guarded(&program));
}

#[test]
fn every_case_is_right_in_a_c_host_that_passes_the_storage_as_an_argument() {
    let program = support::source("tests/c/conformance.c")
        .link(Link::Shared)
        .program(&support::scratch("conformance"), "conformance_into");
    let mut command = guarded(&program);
    command.arg("into");
    run_all("into", command);
}

#[test]
fn every_case_is_right_in_a_c_host_with_the_library_linked_in() {
    let program = support::source("tests/c/conformance.c")
        .link(Link::Static)
        .program(&support::scratch("conformance"), "conformance_static");
    run_all("static", guarded(&program));
}

#[test]
fn a_memory_checker_finds_nothing_while_every_case_runs() {
    let source = support::source("tests/c/conformance.c").link(Link::Shared);
    // Memory checkers take minutes for a request of 100 MB; the other hosts here send it.
    let small = |case: &Case| {
        case.steps.iter().all(|step| match &step.op {
            Op::Call(call) => call.request.len() < 10_000_000,
            _ => true,
        })
    };
    let checked = |command| {
        let (passed, all) = run_those("checked", command, small);
        assert!(passed < all && passed + 3 >= all, "{passed} of {all}");
    };
    let folder = support::scratch("conformance");
    if support::have_valgrind() {
        let program = source.program(&folder, "conformance_checked");
        checked(support::under_valgrind(&support::command(&program)));
    } else if support::have_address_sanitizer() {
        let program = source
            .with_address_sanitizer()
            .program(&folder, "conformance_asan");
        checked(support::command(&program));
    } else {
        eprintln!(
            "skipped: no valgrind here, and no AddressSanitizer that works with a shared library of Rust's"
        );
    }
}
