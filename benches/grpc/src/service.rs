//! The service: the functions of `benches/work` and of hello-plugin, which is an ordinary Rust value here.

use std::borrow::Cow;

use hello_plugin::Hello;
use hello_plugin::bench::SmallRequest as HelloSmall;
use tonic::{Request, Response, Status};

use crate::proto::bench_server::Bench;
use crate::proto::shape::Kind;
use crate::proto::{
    AddRequest, AddResponse, Address, Answer, Blob, BlobRequest, Circle, Date, DivRequest,
    DivResponse, Doubles, EchoRequest, EchoResponse, FailRequest, GreetRequest, GreetResponse,
    Greeting, Integers, Item, Items, JoinRequest, JoinResponse, Label, NumbersRequest, Person,
    Reading, Rectangle, School, Shape, SmallRequest, SmallResponse, Student, Students, Subject,
    SumResponse, Values,
};

/// The service.
#[derive(Debug, Default)]
pub struct Service {
    hello: Hello,
}

/// What a method of the service returns.
type Answered<T> = Result<Response<T>, Status>;

fn answer<T>(message: T) -> Answered<T> {
    Ok(Response::new(message))
}

#[tonic::async_trait]
impl Bench for Service {
    async fn void(&self, _request: Request<()>) -> Answered<()> {
        work::void();
        answer(())
    }

    async fn small(&self, request: Request<SmallRequest>) -> Answered<SmallResponse> {
        let SmallRequest { key, flags } = request.into_inner();
        let key = Cow::Owned(key);
        let found = self.hello.small(HelloSmall { key, flags });
        answer(SmallResponse {
            value: found.value,
            ttl_seconds: found.ttl_seconds,
            cache_hit: found.cache_hit,
        })
    }

    async fn echo(&self, request: Request<EchoRequest>) -> Answered<EchoResponse> {
        let message = Cow::Owned(request.into_inner().message);
        let echoed = self.hello.echo(hello_plugin::Echo { message });
        answer(EchoResponse {
            message: echoed.message.into_owned(),
            length: echoed.length as u32,
        })
    }

    async fn greet(&self, request: Request<GreetRequest>) -> Answered<GreetResponse> {
        let name = request.into_inner().name;
        let greeting = self.hello.greet(hello_plugin::Greet { name }).greeting;
        answer(GreetResponse { greeting })
    }

    async fn add(&self, request: Request<AddRequest>) -> Answered<AddResponse> {
        let AddRequest { a, b } = request.into_inner();
        match self.hello.add(&hello_plugin::Add { a, b }) {
            Ok(sum) => answer(AddResponse { result: sum.result }),
            Err(error) => Err(Status::out_of_range(error.to_string())),
        }
    }

    async fn div(&self, request: Request<DivRequest>) -> Answered<DivResponse> {
        let DivRequest { a, b } = request.into_inner();
        match work::div(&work::Division { a, b }) {
            Some(work::Quotient { quotient }) => answer(DivResponse { quotient }),
            None => Err(Status::invalid_argument("the divisor is 0")),
        }
    }

    async fn join(&self, request: Request<JoinRequest>) -> Answered<JoinResponse> {
        let parts = request.into_inner().parts;
        let text = work::join(&work::Parts { parts }).text;
        answer(JoinResponse { text })
    }

    async fn sum(&self, request: Request<Integers>) -> Answered<SumResponse> {
        let values = request.into_inner().values;
        let sum = work::sum_numbers(&values);
        answer(SumResponse { sum })
    }

    // The message holds numbers where the plugin's holds bytes, so this is written anew.
    async fn numbers(&self, request: Request<NumbersRequest>) -> Answered<Integers> {
        let count = i64::from(request.into_inner().count);
        let values = (1..=count).collect();
        answer(Integers { values })
    }

    async fn fail(&self, request: Request<FailRequest>) -> Answered<()> {
        Err(Status::aborted(request.into_inner().message))
    }

    async fn any(&self, request: Request<Values>) -> Answered<Values> {
        answer(request.into_inner())
    }

    async fn get_answer(&self, request: Request<Answer>) -> Answered<Answer> {
        let value = request.into_inner().value;
        let work::Value { value } = work::answer(&work::Value { value });
        answer(Answer { value })
    }

    async fn get_blob(&self, request: Request<BlobRequest>) -> Answered<Blob> {
        let size = request.into_inner().size;
        match work::blob(size) {
            Some(bytes) => answer(Blob { bytes }),
            None => Err(Status::out_of_range(format!(
                "there is no blob of {size} bytes"
            ))),
        }
    }

    async fn get_structs(&self, _request: Request<()>) -> Answered<Students> {
        let students = work::students().students.into_iter().map(student).collect();
        answer(Students { students })
    }

    async fn greet_person(&self, request: Request<Person>) -> Answered<Greeting> {
        let name = request.into_inner().name;
        let work::Greeting { text } = work::greet(&work::Person { name });
        answer(Greeting { text })
    }

    async fn next_reading(&self, request: Request<Reading>) -> Answered<Reading> {
        let reading = request.into_inner();
        let count = u16::try_from(reading.count)
            .map_err(|_| Status::out_of_range("a count has 16 bits"))?;
        let next = work::next_reading(&work::Reading {
            instrument: reading.instrument,
            at: reading.at,
            low: reading.low,
            high: reading.high,
            weight: reading.weight,
            count,
        });
        answer(Reading {
            instrument: next.instrument,
            at: next.at,
            low: next.low,
            high: next.high,
            weight: next.weight,
            count: next.count.into(),
        })
    }

    async fn discount(&self, request: Request<Items>) -> Answered<Items> {
        let items = request.into_inner().items.into_iter();
        let mut items: Vec<_> = items
            .map(|item| work::Item {
                number: item.number,
                name: item.name,
                price: item.price,
            })
            .collect();
        work::discount(&mut items);
        let items = items.into_iter().map(|item| Item {
            number: item.number,
            name: item.name,
            price: item.price,
        });
        answer(Items {
            items: items.collect(),
        })
    }

    async fn around(&self, request: Request<Shape>) -> Answered<Shape> {
        let shape = match request.into_inner().kind {
            Some(Kind::Circle(Circle { radius })) => work::Shape::Circle { radius },
            Some(Kind::Rectangle(Rectangle { width, height })) => {
                work::Shape::Rectangle { width, height }
            }
            Some(Kind::Label(Label { text })) => work::Shape::Label { text },
            None => return Err(Status::invalid_argument("a shape of no kind")),
        };
        let kind = match work::around(&shape) {
            work::Shape::Circle { radius } => Kind::Circle(Circle { radius }),
            work::Shape::Rectangle { width, height } => {
                Kind::Rectangle(Rectangle { width, height })
            }
            work::Shape::Label { text } => Kind::Label(Label { text }),
        };
        answer(Shape { kind: Some(kind) })
    }

    async fn twice(&self, request: Request<Doubles>) -> Answered<Doubles> {
        let mut values = request.into_inner().values;
        work::twice(&mut values);
        answer(Doubles { values })
    }
}

// Texts are moved, not copied: what the plugin serialises straight from its structs, protobuf wants in its own.

fn student(from: work::Student) -> Student {
    Student {
        name: from.name,
        friends: from.friends,
        home: Some(address(from.home)),
        birth: Some(address(from.birth)),
        date: Some(date(&from.date)),
        subjects: from.subjects.into_iter().map(subject).collect(),
        emails: from.emails,
        schools: from.schools.into_iter().map(school).collect(),
    }
}

fn address(from: work::Address) -> Address {
    Address {
        city: from.city,
        zip: from.zip,
        street: from.street,
        number: from.number.into(),
    }
}

fn date(from: &work::Date) -> Date {
    Date {
        year: from.year,
        month: from.month,
        day: from.day,
    }
}

fn subject(from: work::Subject) -> Subject {
    Subject {
        id: from.id,
        title: from.title,
        text: from.text,
    }
}

fn school(from: work::School) -> School {
    School {
        name: from.name,
        address: Some(address(from.address)),
        date: Some(date(&from.date)),
        emails: from.emails,
    }
}
