//! What the core as a host of the cases has begun and offers: calls on a queue, and services.
#![allow(dead_code, reason = "each test that has this module uses a part of it")]

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use rustbridge_abi::{
    Batch, CallHeader, RB_BATCH_ENDS, RB_HEADER_TIMEOUT, RB_HEADER_TRACE, RB_PENDING, Reply,
    StatusCode, Text,
};
use rustbridge_conformance::call::Stage;
use rustbridge_conformance::host::{Ended, Event};
use rustbridge_conformance::judge::Answer;
use rustbridge_conformance::operations::{Act, Begin, Mode, Service};
use rustbridge_core::operations::{self, EventKind, Submission};
use rustbridge_core::{Error, Later, Load, Response, ServiceCall, Status, handles};

/// The name of a service, and what it was asked.
type Question = (String, Vec<u8>);

/// What services were asked.
#[derive(Clone, Default)]
pub struct Asked(Arc<Mutex<Vec<Question>>>);

impl Asked {
    pub fn take(&self) -> Vec<(String, Vec<u8>)> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn add(&self, call: &ServiceCall<'_>, request: &[u8]) {
        let mut asked = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        asked.push((call.name().to_owned(), request.to_vec()));
    }
}

/// Registers a service that notes what it's asked and has one answer.
pub fn register<'a>(load: Load<'a>, service: &Service, asked: &Asked) -> Load<'a> {
    let asked = asked.clone();
    let bytes = service.answer.as_ref().map(|answer| answer.bytes());
    let bytes = bytes.unwrap_or_default();
    let status = service.status;
    let answer = move || -> Result<Vec<u8>, Error> {
        match status {
            Status::Ok => Ok(bytes.clone()),
            status => Err(Error::from_payload(status.code(), &bytes)),
        }
    };
    match service.mode {
        Mode::Now => load.service(
            &*service.name,
            service.encoding,
            move |request: &[u8], call: &ServiceCall<'_>| -> Result<Vec<u8>, Error> {
                asked.add(call, request);
                answer()
            },
        ),
        Mode::Later => load.service_later(
            &*service.name,
            service.encoding,
            move |request: &[u8], call: &ServiceCall<'_>, later: Later| {
                asked.add(call, request);
                let answer = answer();
                thread::spawn(move || {
                    thread::sleep(Duration::from_millis(1));
                    // Nobody may wait any more.
                    let _ = later.answer(answer);
                });
            },
        ),
        Mode::Never => {
            let kept: Mutex<Vec<Later>> = Mutex::default();
            load.service_later(
                &*service.name,
                service.encoding,
                move |request: &[u8], call: &ServiceCall<'_>, later: Later| {
                    asked.add(call, request);
                    kept.lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .push(later);
                },
            )
        }
    }
}

/// The calls that an instance has begun, by the judge's numbers.
pub struct Begun {
    queue: u64,
    ops: BTreeMap<u8, u64>,
    waiting: BTreeMap<u8, VecDeque<Event>>,
}

impl Default for Begun {
    fn default() -> Begun {
        Begun {
            queue: operations::new_queue().expect("queues are few"),
            ops: BTreeMap::new(),
            waiting: BTreeMap::new(),
        }
    }
}

impl Drop for Begun {
    fn drop(&mut self) {
        let _ = operations::close_queue(self.queue);
    }
}

impl Begun {
    pub fn begin(
        &mut self,
        (handle, entry): (u64, u32),
        begin: &Begin,
        number: u8,
        objects: &[u64],
    ) {
        let mut reply = Reply::empty();
        let mut header = CallHeader {
            metadata: begin.header.metadata.as_ptr(),
            metadata_len: begin.header.metadata.len(),
            objects: objects.as_ptr(),
            object_count: objects.len() as u32,
            reply: &raw mut reply,
            ..CallHeader::EMPTY
        };
        if let Some(timeout_ns) = begin.header.timeout_ns {
            header.flags |= RB_HEADER_TIMEOUT;
            header.timeout_ns = timeout_ns;
        }
        if let Some(trace) = &begin.header.trace {
            header.flags |= RB_HEADER_TRACE;
            header.trace_id.copy_from_slice(&trace.ids[..16]);
            header.span_id.copy_from_slice(&trace.ids[16..24]);
            let flags = trace.ids[24..].try_into().expect("four bytes");
            header.trace_flags = u32::from_le_bytes(flags);
            header.trace_state = Text {
                data: trace.state.as_ptr().cast(),
                len: trace.state.len(),
            };
        }
        let mut response = Response::empty();
        let request = &begin.call.request;
        // SAFETY: all that header and response point to outlives the call, and each is released once.
        let (status, op) = unsafe {
            if begin.blocks {
                let status = handles::call_with(
                    handle,
                    entry,
                    &raw const header,
                    std::ptr::null_mut(),
                    request.as_ptr(),
                    request.len(),
                    &raw mut response,
                );
                (status, 0)
            } else {
                let mut submission = Submission::of(handle, entry, request).header(&header);
                submission.demand = begin.demand;
                submission.user_data = number.into();
                operations::submit(self.queue, submission, &raw mut response)
            }
        };
        if status == RB_PENDING {
            self.ops.insert(number, op);
            return;
        }
        assert_eq!(op, 0, "what has ended has no number");
        let bytes = taken(&mut response);
        let ended = ended(
            status,
            &bytes,
            taken(&mut reply.trailers),
            numbers(&taken(&mut reply.objects)),
        );
        self.waiting.entry(number).or_default().push_back(ended);
    }

    pub fn event(&mut self, number: u8, timeout: Duration) -> Event {
        let until = std::time::Instant::now() + timeout;
        loop {
            if let Some(event) = self.waiting.entry(number).or_default().pop_front() {
                return event;
            }
            let left = until.saturating_duration_since(std::time::Instant::now());
            let mut found = Vec::new();
            let take = |event: operations::Event| found.push(event);
            operations::next(self.queue, 16, left, || usize::MAX, take).expect("the queue is open");
            if found.is_empty() {
                return Event::Nothing;
            }
            for event in found {
                let number = u8::try_from(event.user_data).expect("it's the judge's number");
                let kept = self.waiting.entry(number).or_default();
                kept.push_back(read(event.kind));
            }
        }
    }

    pub fn act(&mut self, number: u8, act: &Act) -> Result<(), Error> {
        // One that was over at once has none, and 0 is none.
        let op = self.ops.get(&number).copied().unwrap_or(0);
        match act {
            Act::Cancel => operations::cancel(op),
            Act::Detach => operations::detach(op),
            Act::Demand(items, bytes) => operations::demand(op, *items, *bytes),
            Act::Send(items, _) => {
                let (mut data, mut ends) = (Vec::new(), Vec::new());
                for item in items {
                    data.extend(item);
                    ends.extend((data.len() as u32).to_ne_bytes());
                }
                data.extend(ends);
                let batch = Batch {
                    flags: RB_BATCH_ENDS,
                    data: data.as_ptr(),
                    len: data.len(),
                    count: items.len() as u32,
                    ..Batch::EMPTY
                };
                // SAFETY: the bytes outlive the call.
                unsafe { operations::write(op, &batch) }
            }
            Act::Finish(status, payload) => operations::end(op, status.code(), payload),
        }
    }
}

fn read(kind: EventKind) -> Event {
    match kind {
        EventKind::Items {
            count,
            flags,
            bytes,
            objects,
        } => Event::Items(split(count as usize, flags, &bytes), objects),
        EventKind::Done {
            status,
            response,
            trailers,
            objects,
        } => ended(status, response.bytes(), trailers.bytes().to_vec(), objects),
        _ => Event::Demand,
    }
}

fn ended(status: StatusCode, bytes: &[u8], trailers: Vec<u8>, objects: Vec<u64>) -> Event {
    let known = Status::from_code(status);
    assert_eq!(known.code(), status, "{status} is no status");
    Event::End(Ended {
        answer: Answer {
            status: known,
            stage: (known != Status::Ok).then_some(Stage::Call),
            bytes: bytes.to_vec(),
        },
        trailers,
        objects,
    })
}

fn split(count: usize, flags: u32, bytes: &[u8]) -> Vec<Vec<u8>> {
    if flags & RB_BATCH_ENDS == 0 {
        let stride = bytes.len() / count;
        return (0..count)
            .map(|at| bytes[at * stride..][..stride].to_vec())
            .collect();
    }
    let (items, ends) = bytes.split_at(bytes.len() - 4 * count);
    let mut at = 0;
    let (ends, _) = ends.as_chunks::<4>();
    ends.iter()
        .map(|end| {
            let end = u32::from_ne_bytes(*end) as usize;
            let item = items[at..end].to_vec();
            at = end;
            item
        })
        .collect()
}

fn taken(response: &mut Response) -> Vec<u8> {
    let bytes = if response.len == 0 {
        Vec::new()
    } else {
        // SAFETY: by the rules of responses, and no storage was offered.
        unsafe { std::slice::from_raw_parts(response.data, response.len) }.to_vec()
    };
    // SAFETY: filled in by a call, and nobody uses its bytes any more.
    unsafe { handles::release(response) };
    bytes
}

fn numbers(bytes: &[u8]) -> Vec<u64> {
    let (numbers, _) = bytes.as_chunks::<8>();
    numbers.iter().map(|one| u64::from_ne_bytes(*one)).collect()
}
