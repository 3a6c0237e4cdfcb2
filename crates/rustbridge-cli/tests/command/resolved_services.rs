//! A client of another version than the plugin's that serves: what it's asked, and what it answers, is resolved, in each way in which services
//! answer.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use rustbridge::__private::wire::{read, to_vec};
use rustbridge::Message;
use rustbridge_core::operations::{self, Event, EventKind};
use rustbridge_core::{
    Encoding, Error, Level, Load, Plugin, Record, ServiceCall, ServiceReply, Status, handles,
};
use serde_json::json;
use types_plugin::versioned::Person;

const LIMIT: Duration = Duration::from_secs(60);

/// A person as the client knows them: without an address, and in another order.
#[derive(Message, Clone, Debug, PartialEq)]
struct Known {
    age: u32,
    name: String,
}

/// The same as the plugin knows them.
fn person(name: &str) -> Person {
    Person {
        name: name.to_owned(),
        age: 36,
        email: None,
    }
}

/// What the client was written from.
fn client_schema() -> String {
    let known = json!({"ref": 0});
    let service = |name: &str, request, response| json!({"name": name, "encoding": "wire", "request": {"type": request}, "response": {"type": response}});
    json!({
        "name": "types",
        "services": [
            service("ages.of", json!({"list": known}), json!({"map": ["string", "u32"]})),
            service("directory.find", json!("string"), json!({"option": known})),
            service("directory.fetch", json!("string"), known),
            service("directory.count", json!("unit"), json!("u64")),
        ],
        "types": [{"name": "Known", "record": [{"name": "age", "type": "u32"}, {"name": "name", "type": "string"}]}],
    })
    .to_string()
}

fn load() -> Load<'static> {
    // SAFETY: a plugin of ours, whose entry point follows the ABI.
    unsafe { Load::linked(rustbridge::entry_point::<types_plugin::Types>(), "types") }
        .client_schema(client_schema())
}

fn call(plugin: &Plugin, method: &str, request: &[u8]) -> Result<Vec<u8>, Error> {
    let method = plugin.method(method, Encoding::Wire).unwrap();
    Ok(method.call(request)?.to_vec())
}

/// Asks for somebody by `ask`, whose thread waits, and by `ask_later`, whose doesn't.
fn asked(plugin: &Plugin, name: &str) -> [Result<Person, Error>; 2] {
    let name = to_vec(&name.to_owned()).unwrap();
    [
        call(plugin, "ask", &name).map(|answer| read::<Option<Person>>(&answer).unwrap().unwrap()),
        call(plugin, "ask_later", &name).map(|answer| read(&answer).unwrap()),
    ]
}

/// Asks how old two are, of one of whom there's more than the client knows.
fn asked_ages(plugin: &Plugin) -> BTreeMap<String, u32> {
    let mut people = vec![person("Ada"), person("Emmy")];
    people[0].email = Some("ada@example.org".to_owned());
    read(&call(plugin, "ask_ages", &to_vec(&people).unwrap()).unwrap()).unwrap()
}

/// What a client answers, in its own words.
fn answer(service: &str, request: &[u8]) -> Result<Vec<u8>, Error> {
    if service == "ages.of" {
        let people: Vec<Known> = read(request).unwrap();
        let ages = people.into_iter().map(|known| (known.name, known.age));
        return Ok(to_vec(&ages.collect::<BTreeMap<_, _>>()).unwrap());
    }
    let name: String = read(request).unwrap();
    let known = Known {
        age: 36,
        name: name.clone(),
    };
    Ok(match (&*name, service) {
        ("nobody", _) => {
            return Err(Error::failure(Status::NotFound, "there's nobody")
                .with_type("Nobody")
                .with_details(json!({"name": name})));
        }
        ("nonsense", _) => vec![1, 2, 3],
        (_, "directory.find") => to_vec(&Some(known)).unwrap(),
        _ => to_vec(&known).unwrap(),
    })
}

/// How often [`is_right`] has a client be asked.
const ASKED: usize = 9;

/// What is right of every client whose services answer by [`answer`], however they do.
fn is_right(plugin: &Plugin) {
    // Also of what doesn't fit in the storage that the plugin offers.
    for name in ["Ada", &"long".repeat(10_000)] {
        for found in asked(plugin, name) {
            assert_eq!(found.unwrap(), person(name));
        }
    }
    let ages = [("Ada".to_owned(), 36), ("Emmy".to_owned(), 36)];
    assert_eq!(asked_ages(plugin), BTreeMap::from(ages));
    for refused in asked(plugin, "nobody") {
        let error = refused.unwrap_err();
        assert_eq!(
            (error.status(), error.message()),
            (Status::NotFound, "there's nobody")
        );
        assert_eq!(error.type_name(), "Nobody");
        assert_eq!(error.details().unwrap()["name"], "nobody");
    }
    for refused in asked(plugin, "nonsense") {
        let error = refused.unwrap_err();
        assert_eq!(
            (error.status(), error.type_name()),
            (Status::Internal, "rustbridge.InvalidResponse")
        );
        let message = error.message();
        assert!(message.contains("service `directory.f"), "{message}");
        assert!(message.contains("another version"), "{message}");
    }
}

#[test]
fn what_is_asked_and_answered_at_once_is_in_each_side_s_words() {
    let told = Arc::new(Mutex::new(Vec::new()));
    let records = Arc::clone(&told);
    let sink = move |record: &Record<'_>| {
        records.lock().unwrap().push(record.message().to_owned());
    };
    let serve = |request: &[u8], call: &ServiceCall<'_>| answer(call.name(), request);
    let count = |_: &[u8], _: &ServiceCall<'_>| -> Result<Vec<u8>, Error> {
        Ok(7_u64.to_le_bytes().to_vec())
    };
    let plugin = load()
        .service("ages.of", Encoding::Wire, serve)
        .service("directory.find", Encoding::Wire, serve)
        .service("directory.fetch", Encoding::Wire, serve)
        .service("directory.count", Encoding::Wire, count)
        .log(Level::Info, Box::new(sink))
        .open()
        .unwrap();
    is_right(&plugin);
    // One whose types are the same goes as it is.
    assert_eq!(
        call(&plugin, "ask_count", &[]).unwrap(),
        7_u64.to_le_bytes()
    );
    plugin.flush_logs(LIMIT).unwrap();
    let told = told.lock().unwrap();
    assert_eq!(told.len(), 3, "{told:?}");
    assert!(
        told[0].contains("the types of service `ages.of` differ compatibly")
            && told[0].contains("`request.[].email`: the plugin has added"),
        "{told:?}"
    );
}

/// Loads the plugin with services that answer later, all in the same way.
fn later(serve: fn(&[u8], &ServiceCall<'_>, ServiceReply)) -> Plugin {
    load()
        .service_async("ages.of", Encoding::Wire, serve)
        .service_async("directory.find", Encoding::Wire, serve)
        .service_async("directory.fetch", Encoding::Wire, serve)
        .open()
        .unwrap()
}

#[test]
fn what_is_answered_later_is_in_the_plugin_s_words() {
    is_right(&later(|request, call, later| {
        let answer = answer(call.name(), request);
        thread::spawn(move || later.answer(answer).unwrap());
    }));
    // Before the function has returned.
    is_right(&later(|request, call, later| {
        later.answer(answer(call.name(), request)).unwrap();
    }));
}

/// The next event of a queue, if one comes in time.
fn next(queue: u64, wait: Duration) -> Option<Event> {
    let mut found = None;
    operations::next(queue, 1, wait, || usize::MAX, |event| found = Some(event)).unwrap();
    found
}

#[test]
fn who_drains_a_queue_is_asked_and_answers_in_the_client_s_words() {
    const SERVICES: [&str; 3] = ["ages.of", "directory.find", "directory.fetch"];
    let queue = operations::new_queue().unwrap();
    let mut load = load();
    for (number, service) in SERVICES.into_iter().enumerate() {
        load = load.service_queue(service, Encoding::Wire, queue, number as u64);
    }
    let plugin = load.open().unwrap();
    let poller = thread::spawn(move || {
        for _ in 0..ASKED {
            let event = next(queue, LIMIT).unwrap();
            let EventKind::Service { asked, .. } = event.kind else {
                panic!("{event:?}");
            };
            let service = SERVICES[event.user_data as usize];
            let (status, payload) = match answer(service, asked.request()) {
                Ok(payload) => (0, payload),
                Err(error) => (error.status().code(), error.to_json().into()),
            };
            handles::service_reply(event.op, status, payload).unwrap();
        }
    });
    is_right(&plugin);
    poller.join().unwrap();

    // One that is over before it's answered, of which the client is told.
    let method = plugin.method("ask_later", Encoding::Wire).unwrap();
    let name = to_vec(&"Ada".to_owned()).unwrap();
    let caller = thread::spawn(move || {
        let limited = method.with().timeout(Duration::from_millis(50));
        limited.call(&name).map(drop).unwrap_err()
    });
    let asked = next(queue, LIMIT).unwrap();
    assert!(matches!(asked.kind, EventKind::Service { .. }), "{asked:?}");
    assert_eq!(caller.join().unwrap().status(), Status::DeadlineExceeded);
    let over = next(queue, LIMIT).unwrap();
    assert!(matches!(over.kind, EventKind::ServiceCancel), "{over:?}");
    assert_eq!(over.op, asked.op);
    let late = handles::service_reply(asked.op, 0, Vec::new()).unwrap_err();
    assert_eq!(late.type_name(), "rustbridge.ServiceCallOver");
    plugin.close(LIMIT).unwrap();
    operations::close_queue(queue).unwrap();
}
