//! What the Rust client calls: every scenario as an operation that can be run again and again.

use std::hint::black_box;
use std::sync::Arc;

use anyhow::{Context as _, Result, bail};
use tokio::runtime::Runtime;
use tonic::transport::{Channel, Endpoint};
use tonic::{Response, Status};

use crate::LARGEST_MESSAGE;
use crate::proto::bench_client::BenchClient;
use crate::proto::shape::Kind as ShapeKind;
use crate::proto::value::Kind;
use crate::proto::{
    AddRequest, Answer, BlobRequest, DivRequest, Doubles, EchoRequest, FailRequest, GreetRequest,
    Integers, Item, Items, JoinRequest, NumbersRequest, Person, Reading, Rectangle, Shape,
    SmallRequest, Student, Value, Values,
};

/// The message that `Fail` is asked to fail with.
const PROBLEM: &str = "Error";

/// An operation, which tells whether the answer was right. It looks at all of the answer only when it's told to check;
/// otherwise at as much as a caller has to in order to use it.
pub type Operation = Box<dyn FnMut(bool) -> Result<bool, Status> + Send>;

/// One scenario.
pub struct Scenario {
    /// As in the catalogue.
    pub name: &'static str,
    /// Whether it's measured with client and server on one core, too: those with small messages.
    pub pinned: bool,
    make: fn(Caller) -> Operation,
}

impl Scenario {
    /// The operation over a connection.
    pub fn operation(&self, caller: &Caller) -> Operation {
        (self.make)(caller.clone())
    }
}

/// The scenario that is measured on several threads.
pub const THREADED: &str = "bench.small 76/80";

/// A warm channel, called as blocking code calls it.
#[derive(Clone)]
pub struct Caller {
    runtime: Arc<Runtime>,
    client: BenchClient<Channel>,
}

impl Caller {
    /// Connects to `http://HOST:PORT` or `unix:PATH`.
    ///
    /// # Errors
    /// When nobody answers there.
    pub fn connect(runtime: &Arc<Runtime>, address: &str) -> Result<Caller> {
        let channel = runtime
            .block_on(Endpoint::from_shared(address.to_owned())?.connect())
            .with_context(|| format!("connecting to {address}"))?;
        let client = BenchClient::new(channel)
            .max_decoding_message_size(LARGEST_MESSAGE)
            .max_encoding_message_size(LARGEST_MESSAGE);
        Ok(Caller {
            runtime: Arc::clone(runtime),
            client,
        })
    }

    fn call<T>(
        &mut self,
        call: impl AsyncFnOnce(&mut BenchClient<Channel>) -> Result<Response<T>, Status>,
    ) -> Result<T, Status> {
        let answer = self.runtime.block_on(call(&mut self.client))?;
        Ok(answer.into_inner())
    }
}

/// All scenarios, in the catalogue's order.
pub const SCENARIOS: &[Scenario] = &[
    small("empty call", empty),
    small(THREADED, bench_small),
    small("json echo 13 B", |caller| echo(caller, "Hello, World!")),
    large("A small echo", |caller| {
        echo(caller, "hello world from benchmark")
    }),
    large("A small greet", greet),
    large("A small math.add", add),
    small("M primitive", div),
    small("M string join", join),
    large("M sum 1000", |caller| sum(caller, 1_000)),
    large("M sum 10000", |caller| sum(caller, 10_000)),
    large("M return 10000", |caller| numbers(caller, 10_000)),
    small("error, message read", fail),
    large("M any 100", |caller| any(caller, 100)),
    large("M any 10000", |caller| any(caller, 10_000)),
    small("get_answer", get_answer),
    large("get_blob 1 KB", |caller| get_blob(caller, 1 << 10)),
    large("get_blob 64 KB", |caller| get_blob(caller, 1 << 16)),
    large("get_blob 1 MB", |caller| get_blob(caller, 1 << 20)),
    large("get_blob 16 MB", |caller| get_blob(caller, 1 << 24)),
    large("get_structs", get_structs),
    small("typed text", typed_text),
    small("typed numbers", typed_numbers),
    large("typed 100 records", typed_records),
    small("typed enum", typed_enum),
    large("typed 1000 doubles", typed_doubles),
];

const fn small(name: &'static str, make: fn(Caller) -> Operation) -> Scenario {
    Scenario {
        name,
        pinned: true,
        make,
    }
}

const fn large(name: &'static str, make: fn(Caller) -> Operation) -> Scenario {
    Scenario {
        name,
        pinned: false,
        make,
    }
}

fn empty(mut caller: Caller) -> Operation {
    Box::new(move |_| {
        caller.call(async |client| client.void(()).await)?;
        Ok(true)
    })
}

// tonic takes requests by value, so one that exists already is cloned.
fn bench_small(mut caller: Caller) -> Operation {
    let request = SmallRequest {
        key: "bench_key".into(),
        flags: 1,
    };
    Box::new(move |_| {
        let found = caller.call(async |client| client.small(request.clone()).await)?;
        Ok(found.value == "value_for_bench_key" && found.ttl_seconds == 3600 && found.cache_hit)
    })
}

fn echo(mut caller: Caller, message: &'static str) -> Operation {
    Box::new(move |_| {
        let request = EchoRequest {
            message: message.to_owned(),
        };
        let echoed = caller.call(async |client| client.echo(request).await)?;
        Ok(echoed.message == message && echoed.length as usize == message.len())
    })
}

fn greet(mut caller: Caller) -> Operation {
    Box::new(move |_| {
        let request = GreetRequest {
            name: "BenchmarkUser".to_owned(),
        };
        let answer = caller.call(async |client| client.greet(request).await)?;
        Ok(answer.greeting == "Hello, BenchmarkUser! Welcome to rustbridge.")
    })
}

fn add(mut caller: Caller) -> Operation {
    Box::new(move |_| {
        let (a, b) = black_box((123_456_789, 987_654_321));
        let sum = caller.call(async |client| client.add(AddRequest { a, b }).await)?;
        Ok(sum.result == 1_111_111_110)
    })
}

fn div(mut caller: Caller) -> Operation {
    Box::new(move |_| {
        let (a, b) = black_box((10, 2));
        let answer = caller.call(async |client| client.div(DivRequest { a, b }).await)?;
        Ok(answer.quotient == 5.0)
    })
}

fn join(mut caller: Caller) -> Operation {
    Box::new(move |_| {
        let request = JoinRequest {
            parts: vec!["hello".to_owned(), "world".to_owned()],
        };
        let joined = caller.call(async |client| client.join(request).await)?;
        Ok(joined.text == "hello,world")
    })
}

fn sum(mut caller: Caller, count: i64) -> Operation {
    let numbers: Vec<i64> = (1..=count).collect();
    Box::new(move |_| {
        let request = Integers {
            values: numbers.clone(),
        };
        let answer = caller.call(async |client| client.sum(request).await)?;
        Ok(answer.sum == count * (count + 1) / 2)
    })
}

fn numbers(mut caller: Caller, count: u32) -> Operation {
    Box::new(move |check| {
        let answer = caller.call(async |client| client.numbers(NumbersRequest { count }).await)?;
        let values = black_box(answer.values);
        let right = !check || values.iter().copied().eq(1..=i64::from(count));
        Ok(right && values.last() == Some(&i64::from(count)))
    })
}

fn fail(mut caller: Caller) -> Operation {
    Box::new(move |_| {
        let request = FailRequest {
            message: PROBLEM.to_owned(),
        };
        let failed = caller.call(async |client| client.fail(request).await);
        Ok(failed.is_err_and(|status| {
            status.code() == tonic::Code::Aborted && status.message() == PROBLEM
        }))
    })
}

/// From the host's dynamic list to the message's values, and back to a new dynamic list.
fn any(mut caller: Caller, count: usize) -> Operation {
    let list = work::dynamic(count).values;
    Box::new(move |check| {
        let request = Values {
            values: list.iter().map(to_message).collect(),
        };
        let answer = caller.call(async |client| client.any(request).await)?;
        let back: Vec<work::Dynamic> = answer.values.into_iter().map(from_message).collect();
        let right = !check || back == list;
        Ok(right && black_box(back).len() == count)
    })
}

fn to_message(value: &work::Dynamic) -> Value {
    let kind = match value {
        work::Dynamic::Bool(value) => Some(Kind::Boolean(*value)),
        work::Dynamic::Number(number) => match number.as_i64() {
            Some(value) => Some(Kind::Integer(value)),
            None => number.as_f64().map(Kind::Number),
        },
        work::Dynamic::String(text) => Some(Kind::Text(text.clone())),
        work::Dynamic::Array(list) => Some(Kind::List(Values {
            values: list.iter().map(to_message).collect(),
        })),
        // No scenario sends objects, and the message knows none.
        work::Dynamic::Null | work::Dynamic::Object(_) => None,
    };
    Value { kind }
}

fn from_message(value: Value) -> work::Dynamic {
    match value.kind {
        None => work::Dynamic::Null,
        Some(Kind::Boolean(value)) => value.into(),
        Some(Kind::Integer(value)) => value.into(),
        Some(Kind::Number(value)) => value.into(),
        Some(Kind::Text(text)) => text.into(),
        Some(Kind::List(list)) => list.values.into_iter().map(from_message).collect(),
    }
}

fn get_answer(mut caller: Caller) -> Operation {
    Box::new(move |_| {
        let value = black_box(23);
        let answer = caller.call(async |client| client.get_answer(Answer { value }).await)?;
        Ok(answer.value == 64)
    })
}

/// The message's bytes are memory of the client's own already, as ours are after their copy.
fn get_blob(mut caller: Caller, size: u32) -> Operation {
    Box::new(move |check| {
        let answer = caller.call(async |client| client.get_blob(BlobRequest { size }).await)?;
        let bytes = black_box(answer.bytes);
        let right = |(at, &byte): (usize, &u8)| usize::from(byte) == at % 251;
        Ok(bytes.len() == size as usize && (!check || bytes.iter().enumerate().all(right)))
    })
}

fn typed_text(mut caller: Caller) -> Operation {
    Box::new(move |_| {
        let person = Person {
            name: "Ada Lovelace".into(),
        };
        let greeting = caller.call(async |client| client.greet_person(person).await)?;
        Ok(greeting.text == "Hello, Ada Lovelace!")
    })
}

fn typed_numbers(mut caller: Caller) -> Operation {
    Box::new(move |_| {
        let reading = Reading {
            instrument: 7,
            at: 1000,
            low: -1.0,
            high: 3.0,
            weight: 0.5,
            count: 11,
        };
        let next = caller.call(async |client| client.next_reading(reading).await)?;
        Ok((next.at, next.low, next.high, next.count) == (1060, -3.0, 5.0, 12))
    })
}

fn typed_records(mut caller: Caller) -> Operation {
    let items: Vec<_> = (1..=100)
        .map(|number| Item {
            number,
            name: format!("item number {number}"),
            price: number.into(),
        })
        .collect();
    Box::new(move |check| {
        let request = Items {
            items: items.clone(),
        };
        let back = caller
            .call(async |client| client.discount(request).await)?
            .items;
        let same = |(item, back): (&Item, &Item)| {
            let half = if item.number % 2 == 0 { 2.0 } else { 1.0 };
            back.name == item.name && back.price == item.price / half
        };
        Ok(back.len() == items.len() && (!check || items.iter().zip(&back).all(same)))
    })
}

fn typed_enum(mut caller: Caller) -> Operation {
    Box::new(move |_| {
        let rectangle = Rectangle {
            width: 3.0,
            height: 4.0,
        };
        let shape = Shape {
            kind: Some(ShapeKind::Rectangle(rectangle)),
        };
        let around = caller.call(async |client| client.around(shape).await)?;
        Ok(matches!(around.kind, Some(ShapeKind::Circle(circle)) if circle.radius == 2.5))
    })
}

fn typed_doubles(mut caller: Caller) -> Operation {
    let values: Vec<_> = (0..1000).map(|number| 0.5 * f64::from(number)).collect();
    Box::new(move |check| {
        let request = Doubles {
            values: values.clone(),
        };
        let twice = caller
            .call(async |client| client.twice(request).await)?
            .values;
        let same = |(value, twice): (&f64, &f64)| *twice == 2.0 * value;
        Ok(twice.len() == values.len() && (!check || values.iter().zip(&twice).all(same)))
    })
}

fn get_structs(mut caller: Caller) -> Operation {
    Box::new(move |check| {
        let students = caller.call(async |client| client.get_structs(()).await)?;
        let students = black_box(students).students;
        let right = !check || count(&students) == [4_760, 46_410, 1_618_298];
        Ok(right && students.len() == 34)
    })
}

/// Structs, strings and the strings' characters.
fn count(students: &[Student]) -> [usize; 3] {
    let mut structs = 0;
    let mut texts: Vec<&str> = Vec::new();
    for student in students {
        structs += 4 + student.subjects.len();
        texts.push(&student.name);
        texts.extend(student.emails.iter().map(String::as_str));
        let schools = student.schools.iter();
        let addresses = schools.map(|school| &school.address);
        for address in addresses.chain([&student.home, &student.birth]).flatten() {
            texts.extend([address.city.as_str(), &address.street]);
        }
        for subject in &student.subjects {
            texts.extend([subject.title.as_str(), &subject.text]);
        }
        for school in &student.schools {
            structs += 3;
            texts.push(&school.name);
            texts.extend(school.emails.iter().map(String::as_str));
        }
    }
    [
        structs,
        texts.len(),
        texts.iter().map(|text| text.len()).sum(),
    ]
}

/// Runs an operation once and looks at all of its answer.
///
/// # Errors
/// When the call fails, or the answer isn't what it should be.
pub fn check(name: &str, operation: &mut Operation) -> Result<()> {
    match operation(true) {
        Ok(true) => Ok(()),
        Ok(false) => bail!("`{name}` answers something else"),
        Err(status) => Err(status).with_context(|| format!("calling `{name}`")),
    }
}
