//! What the core as a host of the cases has begun and offers: calls on a queue, and services.
#![allow(dead_code, reason = "each test that has this module uses a part of it")]

use std::collections::{BTreeMap, VecDeque};
use std::ffi::c_void;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use rustbridge_abi::{
    Batch, CallContext, RB_BATCH_ENDS, RB_CONTEXT_TIMEOUT, RB_CONTEXT_TRACE, RB_OK, RB_PENDING,
    Reply, StatusCode, Text,
};
use rustbridge_conformance::call::Stage;
use rustbridge_conformance::host::{EndedCall, Event};
use rustbridge_conformance::judge::Answer;
use rustbridge_conformance::operations::{Act, How, Mode, NewCall, Service};
use rustbridge_core::operations::{self, Callback, EventKind, Offload, Submission};
use rustbridge_core::{Error, Load, Response, ServiceCall, ServiceReply, Status, handles};

/// How often somebody looks who is waiting for a function to be told.
const A_MOMENT: Duration = Duration::from_millis(1);

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
        self.note(call.name(), request);
    }

    pub fn note(&self, name: &str, request: &[u8]) {
        let mut asked = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        asked.push((name.to_owned(), request.to_vec()));
    }
}

/// What a service answers by itself.
pub fn answer(service: &Service) -> Result<Vec<u8>, Error> {
    let bytes = service.answer.as_ref().map(|answer| answer.bytes());
    let bytes = bytes.unwrap_or_default();
    match service.status {
        Status::Ok => Ok(bytes),
        status => Err(Error::from_payload(status.code(), &bytes)),
    }
}

/// Calls the plugin from inside a service: the method that the service's answer names, with what the service is asked.
fn call_back(service: &Service, request: &[u8], call: &ServiceCall<'_>) -> Result<Vec<u8>, Error> {
    let method = String::from_utf8(answer(service)?).expect("it's the name of a method");
    let entry = handles::prepare(call.instance(), &method, call.encoding())?.entry;
    let mut response = Response::empty();
    // SAFETY: the request outlives the call, and the response is released.
    let status = unsafe {
        handles::call(
            call.instance(),
            entry,
            request.as_ptr(),
            request.len(),
            &raw mut response,
        )
    };
    let bytes = taken(&mut response);
    match status {
        RB_OK => Ok(bytes),
        status => Err(Error::from_payload(status, &bytes)),
    }
}

/// Registers a service that notes what it's asked and has one answer.
pub fn register<'a>(load: Load<'a>, service: &Service, asked: &Asked) -> Load<'a> {
    let asked = asked.clone();
    let own = service.clone();
    match service.mode {
        Mode::Now | Mode::Back | Mode::Throw | Mode::Close => load.service(
            &*service.name,
            service.encoding,
            move |request: &[u8], call: &ServiceCall<'_>| -> Result<Vec<u8>, Error> {
                asked.add(call, request);
                match own.mode {
                    Mode::Back => call_back(&own, request, call),
                    Mode::Throw => panic!("thrown"),
                    Mode::Close => {
                        handles::close(call.instance(), Duration::ZERO)?;
                        Ok(Vec::new())
                    }
                    _ => answer(&own),
                }
            },
        ),
        Mode::Queue => unreachable!("whose queue it is offers it"),
        Mode::Later => load.service_async(
            &*service.name,
            service.encoding,
            move |request: &[u8], call: &ServiceCall<'_>, later: ServiceReply| {
                asked.add(call, request);
                let answer = answer(&own);
                thread::spawn(move || {
                    thread::sleep(Duration::from_millis(1));
                    // Nobody may wait any more.
                    let _ = later.answer(answer);
                });
            },
        ),
        Mode::Never => {
            let kept: Mutex<Vec<ServiceReply>> = Mutex::default();
            load.service_async(
                &*service.name,
                service.encoding,
                move |request: &[u8], call: &ServiceCall<'_>, later: ServiceReply| {
                    asked.add(call, request);
                    kept.lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .push(later);
                },
            )
        }
    }
}

/// What functions were told, with the number of whom they belong to. A static, because whoever is told may be gone by then.
static TOLD: Mutex<Vec<(usize, operations::Event)>> = Mutex::new(Vec::new());

/// The function that is told: `data` has the number.
///
/// # Safety
/// None of the pointers is followed.
unsafe fn tell([whose, _]: [*mut c_void; 2], event: operations::Event) {
    let mut told = TOLD.lock().unwrap_or_else(PoisonError::into_inner);
    told.push((whose.addr(), event));
}

/// The calls that an instance has begun, by the judge's numbers.
pub struct Begun {
    number: usize,
    queue: u64,
    /// Whether functions are told of some.
    are_told: bool,
    ops: BTreeMap<u8, u64>,
    waiting: BTreeMap<u8, VecDeque<Event>>,
}

impl Default for Begun {
    fn default() -> Begun {
        static NEXT: AtomicUsize = AtomicUsize::new(1);
        Begun {
            number: NEXT.fetch_add(1, Ordering::Relaxed),
            are_told: false,
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
        begin: &NewCall,
        number: u8,
        objects: &[u64],
    ) {
        let mut reply = Reply::empty();
        let mut header = CallContext {
            metadata: begin.header.metadata.as_ptr(),
            metadata_len: begin.header.metadata.len(),
            objects: objects.as_ptr(),
            object_count: objects.len() as u32,
            reply: &raw mut reply,
            ..CallContext::EMPTY
        };
        if let Some(timeout_ns) = begin.header.timeout_ns {
            header.flags |= RB_CONTEXT_TIMEOUT;
            header.timeout_ns = timeout_ns;
        }
        if let Some(trace) = &begin.header.trace {
            header.flags |= RB_CONTEXT_TRACE;
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
            if begin.how == How::Blocks {
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
                if begin.how == How::Offload {
                    submission.offload = Offload::Everything;
                }
                if begin.how == How::Callback {
                    self.are_told = true;
                    let whose = std::ptr::without_provenance_mut(self.number);
                    let callback = Callback::new(tell, [whose, std::ptr::null_mut()]);
                    operations::start(callback, submission, &raw mut response)
                } else {
                    operations::submit(self.queue, submission, &raw mut response)
                }
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

    /// Has a service go to the queue, with its place among the services.
    pub fn offer<'a>(&self, load: Load<'a>, service: &Service, index: u64) -> Load<'a> {
        load.service_queue(&*service.name, service.encoding, self.queue, index)
    }

    /// Closes the queue, and takes another.
    pub fn abandon(&mut self) {
        operations::close_queue(self.queue).expect("the queue is open");
        self.queue = operations::new_queue().expect("queues are few");
    }

    /// Takes what functions were told.
    fn take_told(&mut self) {
        let mut told = TOLD.lock().unwrap_or_else(PoisonError::into_inner);
        let number = self.number;
        for (_, event) in told.extract_if(.., |(whose, _)| *whose == number) {
            self.keep(event);
        }
    }

    fn keep(&mut self, event: operations::Event) {
        let number = u8::try_from(event.user_data).expect("it's the judge's number");
        let kept = self.waiting.entry(number).or_default();
        kept.push_back(read(event.kind));
    }

    /// Waits for what comes next of a call; calls of services that come meanwhile are answered.
    pub fn event(
        &mut self,
        number: u8,
        timeout: Duration,
        mut answers: impl FnMut(&operations::Event, &[u8]) -> Result<Vec<u8>, Error>,
    ) -> Event {
        let until = std::time::Instant::now() + timeout;
        loop {
            self.take_told();
            if let Some(event) = self.waiting.entry(number).or_default().pop_front() {
                return event;
            }
            let left = until.saturating_duration_since(std::time::Instant::now());
            // Nothing in the queue says that a function was told.
            let wait = if self.are_told {
                left.min(A_MOMENT)
            } else {
                left
            };
            let mut found = Vec::new();
            let take = |event: operations::Event| found.push(event);
            operations::next(self.queue, 16, wait, || usize::MAX, take).expect("the queue is open");
            if found.is_empty() && left <= wait {
                return Event::Nothing;
            }
            for event in found {
                match &event.kind {
                    EventKind::Service { asked, .. } => {
                        let (status, bytes) = match answers(&event, asked.request()) {
                            Ok(bytes) => (RB_OK, bytes),
                            Err(error) => (error.status().code(), error.to_json().into_bytes()),
                        };
                        // Nobody may wait any more.
                        let _ = handles::service_reply(event.op, status, bytes);
                    }
                    EventKind::ServiceCancel => {}
                    _ => self.keep(event),
                }
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
            Act::Finish(status, payload) => operations::end_sending(op, status.code(), payload),
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
    Event::End(EndedCall {
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
