//! The core as a host of the cases: on library files, or on a plugin linked into the test.
#![allow(dead_code, reason = "each test that has this module uses a part of it")]

use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::Duration;

use crate::core_operations::{self, Asked, Begun};
use rustbridge_conformance::call::{Call, Method, Stage};
use rustbridge_conformance::cases::{Case, Op, Plugin};
use rustbridge_conformance::host::{Event, Fault, Host, Instance, Open};
use rustbridge_conformance::judge::{Answer, LogEntry};
use rustbridge_conformance::libraries;
use rustbridge_conformance::operations::{Act, Mode, NewCall, Service};
use rustbridge_conformance::protocol::{Hello, Way};
use rustbridge_core::{
    EntryPoint, Error, Level, Load, OnPanic, Record, RecordKind, Response, Status, handles,
    operations,
};

const LONG: Duration = Duration::from_secs(10);

/// Where the plugins come from.
pub enum CoreHost {
    /// Their library files.
    Libraries,
    /// This binary.
    Linked(EntryPoint),
}

/// What the core is as a host: one way to call, and nothing that its types don't rule out is beyond it.
static HELLO: LazyLock<Hello> = LazyLock::new(|| Hello {
    host: "rust/core".to_owned(),
    offers: [
        "c-abi",
        "header",
        "operations",
        "services",
        "objects",
        "offload",
        "callbacks",
        "queues",
        "exceptions",
    ]
    .map(str::to_owned)
    .to_vec(),
    payload_errors: true,
    ways: vec![Way {
        name: "storage".to_owned(),
        storage: Some(256),
        misalign: true,
        ..Way::default()
    }],
});

impl Host for CoreHost {
    fn hello(&self) -> &Hello {
        &HELLO
    }

    /// The core's names are `str` and its encodings an enum, so those two mistakes can't be made.
    fn expresses(&self, case: &Case) -> bool {
        case.steps.iter().all(|step| match &step.op {
            Op::Call(call) => call.encoding.is_ok() && !matches!(call.method, Method::Bytes(_)),
            _ => true,
        })
    }

    fn open(&mut self, open: &Open<'_>) -> Result<Result<Box<dyn Instance>, Answer>, Fault> {
        let mut load = match self {
            CoreHost::Libraries => Load::path(libraries::path(open.plugin.package())),
            // SAFETY: a plugin of ours, whose entry point follows the ABI.
            CoreHost::Linked(entry_point) => unsafe {
                Load::linked(*entry_point, name_of(open.plugin))
            },
        };
        if let Some(config) = open.config {
            load = load.config(config);
        }
        if open.poison {
            load = load.on_panic(OnPanic::Poison);
        }
        let records = Arc::new(Mutex::new(Vec::new()));
        if let Some(level) = open.log {
            let records = Arc::clone(&records);
            let sink = move |record: &Record<'_>| {
                if record.kind() == RecordKind::Event {
                    let mut records = records.lock().unwrap_or_else(PoisonError::into_inner);
                    records.push(logged(record));
                }
            };
            load = load.log(level, Box::new(sink));
        }
        let (asked, begun) = (Asked::default(), Begun::default());
        for (index, service) in open.services.iter().enumerate() {
            load = match service.mode {
                Mode::Queue => begun.offer(load, service, index as u64),
                _ => core_operations::register(load, service, &asked),
            };
        }
        Ok(match handles::load(load.name(open.label)) {
            Ok(handle) => Ok(Box::new(CoreInstance {
                handle,
                records,
                services: open.services.to_vec(),
                asked,
                begun,
            })),
            Err(error) => Err(failed(&error, Some(Stage::Load))),
        })
    }
}

fn name_of(plugin: Plugin) -> &'static str {
    match plugin {
        Plugin::Hello => "hello",
        Plugin::Conformance => "conformance",
        Plugin::Lying => "lying",
        Plugin::Operations => "operations",
        Plugin::Needy => "needy",
    }
}

fn logged(record: &Record<'_>) -> LogEntry {
    LogEntry {
        level: record.level().name().to_owned(),
        target: record.target().to_owned(),
        message: record.message().to_owned(),
        fields: record.fields().to_owned(),
        spans: record.spans().to_owned(),
    }
}

fn failed(error: &Error, stage: Option<Stage>) -> Answer {
    Answer {
        status: error.status(),
        stage,
        bytes: error.to_json().into_bytes(),
    }
}

/// What a function that gives nothing came to.
fn answered(result: Result<(), Error>) -> Answer {
    match result {
        Ok(()) => Answer::ok(Vec::new()),
        Err(error) => failed(&error, None),
    }
}

/// The entry of a method, or why there's none.
fn entry_of(handle: u64, call: &Call) -> Result<u32, Answer> {
    let encoding = call.encoding.expect("cases without one aren't expressed");
    let prepared = match &call.method {
        Method::Name(name) => handles::prepare(handle, name, encoding),
        Method::Id(id) => handles::prepare_id(handle, *id, encoding),
        Method::Bytes(_) => unreachable!("cases with one aren't expressed"),
    };
    prepared
        .map(|prepared| prepared.entry)
        .map_err(|error| failed(&error, Some(Stage::Prepare)))
}

struct CoreInstance {
    handle: u64,
    records: Arc<Mutex<Vec<LogEntry>>>,
    services: Vec<Service>,
    asked: Asked,
    begun: Begun,
}

impl Drop for CoreInstance {
    fn drop(&mut self) {
        // A case may have closed it.
        let _ = handles::close(self.handle, LONG);
    }
}

impl Instance for CoreInstance {
    fn call(
        &mut self,
        call: &Call,
        _way: usize,
        capacity: usize,
        misalign: usize,
    ) -> Result<Answer, Fault> {
        let entry = match entry_of(self.handle, call) {
            Ok(entry) => entry,
            Err(refused) => return Ok(refused),
        };
        Ok(call_raw(
            self.handle,
            entry,
            call.leaf,
            &call.request,
            capacity,
            misalign,
        ))
    }

    fn begin(
        &mut self,
        begin: &NewCall,
        number: u8,
        objects: &[u64],
    ) -> Result<Option<Answer>, Fault> {
        match entry_of(self.handle, &begin.call) {
            Ok(entry) => self
                .begun
                .begin((self.handle, entry), begin, number, objects),
            Err(refused) => return Ok(Some(refused)),
        }
        Ok(None)
    }

    fn event(&mut self, number: u8, ms: u64) -> Result<Event, Fault> {
        let answers = |event: &operations::Event, question: &[u8]| {
            let service = &self.services[event.user_data as usize];
            self.asked.note(&service.name, question);
            core_operations::answer(service)
        };
        let timeout = Duration::from_millis(ms);
        Ok(self.begun.event(number, timeout, answers))
    }

    fn act(&mut self, number: u8, act: &Act) -> Result<Answer, Fault> {
        Ok(answered(self.begun.act(number, act)))
    }

    fn release(&mut self, object: u64) -> Result<Answer, Fault> {
        Ok(answered(handles::release_object(object)))
    }

    fn asked(&mut self) -> Result<Vec<(String, Vec<u8>)>, Fault> {
        Ok(self.asked.take())
    }

    fn abandon(&mut self) -> Result<(), Fault> {
        self.begun.abandon();
        Ok(())
    }

    fn close(&mut self, ms: u64) -> Result<Answer, Fault> {
        Ok(answered(handles::close(
            self.handle,
            Duration::from_millis(ms),
        )))
    }

    fn close_with(&mut self, ms: u64, cancel_after_ms: u64) -> Result<Answer, Fault> {
        let [timeout, cancel_after] = [ms, cancel_after_ms].map(Duration::from_millis);
        let closed = handles::close_with(self.handle, timeout, cancel_after);
        Ok(answered(closed))
    }

    fn state(&mut self) -> Result<String, Fault> {
        let state = handles::state(self.handle).expect("the handle was issued");
        Ok(state.name().to_owned())
    }

    fn set_log_level(&mut self, level: Level) -> Result<(), Fault> {
        handles::set_log_level(self.handle, level).expect("the instance is open");
        Ok(())
    }

    fn records(&mut self) -> Result<Vec<LogEntry>, Fault> {
        handles::flush_logs(self.handle, LONG).expect("the records are delivered in ten seconds");
        let mut records = self.records.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(std::mem::take(&mut *records))
    }

    fn end(&mut self) -> Result<(), Fault> {
        let _ = handles::close(self.handle, LONG);
        Ok(())
    }
}

/// What lies around request and storage; a call that touches it shows.
const CANARY: u8 = 0xa5;

/// One call by the rules of `rb_response`, each of which is asserted.
pub fn call_raw(
    handle: u64,
    entry: u32,
    leaf: bool,
    request: &[u8],
    capacity: usize,
    misalign: usize,
) -> Answer {
    let mut held = vec![CANARY; request.len() + 32];
    let start = held.as_ptr().align_offset(16) + misalign;
    held[start..start + request.len()].copy_from_slice(request);

    let mut storage = vec![CANARY; capacity + 16];
    let mut response = Response::with_buffer(storage.as_mut_ptr(), capacity);
    // Whatever a caller's struct held before has no meaning; a callee that reads it shows.
    response.len = usize::MAX;
    response.owner = std::ptr::dangling_mut();
    // SAFETY: request and storage are as long as they're said to be, and the response is released below.
    let status = unsafe {
        let request_at = held.as_ptr().add(start);
        let entry = entry | if leaf { handles::ENTRY_LEAF } else { 0 };
        handles::call(handle, entry, request_at, request.len(), &raw mut response)
    };
    assert_eq!(
        &held[start..start + request.len()],
        request,
        "the request was changed"
    );

    let bytes = if response.len == 0 {
        // Wherever they are said to be.
        Vec::new()
    } else if response.release.is_some() {
        assert_ne!(
            response.data,
            storage.as_mut_ptr(),
            "the caller's own storage was handed over"
        );
        // SAFETY: handed over and not released yet.
        unsafe { std::slice::from_raw_parts(response.data, response.len) }.to_vec()
    } else {
        assert!(
            response.len <= capacity,
            "{} bytes in a buffer of {capacity}",
            response.len
        );
        storage[..response.len].to_vec()
    };
    assert!(
        storage[capacity..].iter().all(|&byte| byte == CANARY),
        "bytes after the storage were written"
    );
    // SAFETY: filled in by the call; nobody uses its bytes any more.
    unsafe { handles::release(&raw mut response) };
    // SAFETY: an emptied response may be released again, to no effect.
    unsafe { handles::release(&raw mut response) };
    Answer {
        status: Status::from_code(status),
        stage: Some(Stage::Call),
        bytes,
    }
}
