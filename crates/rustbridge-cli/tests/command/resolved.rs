//! A client for other types than the plugin's, which are resolved: in each way in which there are calls.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use rustbridge::__private::wire::{read, to_vec};
use rustbridge::{Message, Pod};
use rustbridge_core::{
    Error, Level, Load, Method, Plugin, Record, Response, ResponseLocation, Status, handles,
};
use rustbridge_gen::ClientSchema;
use serde_json::{Value, json};

/// A person as the client knows them: without an address, and in another order.
#[derive(Message, Clone, Debug, PartialEq)]
struct Person {
    age: u32,
    name: String,
}

#[derive(Message, Debug, PartialEq)]
struct Page {
    total: u64,
    items: Vec<Person>,
}

#[derive(Message)]
struct Repeat {
    person: Person,
    times: u32,
}

#[derive(Message)]
struct Search {
    name: String,
    people: Vec<Person>,
}

#[derive(Message, Pod, Debug, PartialEq)]
#[repr(C)]
struct Point {
    y: f64,
    x: f64,
}

/// A shape as the client knows it: with other numbers, and without circles. What it doesn't know has a number of its own.
#[derive(Message, Debug, PartialEq)]
enum Shape {
    Polygon(Vec<Point>),
    Nothing,
}

#[derive(Message, Debug, PartialEq)]
enum SearchError {
    Hidden,
    Nobody { similar: Vec<Person>, name: String },
}

fn person(name: &str, age: u32) -> Person {
    Person {
        age,
        name: name.to_owned(),
    }
}

/// The types as the client knows them, from those of the plugin.
pub(crate) fn known(text: &str) -> String {
    let mut description: Value = serde_json::from_str(text).unwrap();
    for definition in description["types"].as_array_mut().unwrap() {
        let name = definition["name"].as_str().unwrap().to_owned();
        match &*name {
            "Person" | "Counters" | "PagePerson" | "Point" => {
                let key = if definition.get("pod").is_some() {
                    "pod"
                } else {
                    "record"
                };
                let fields = definition[key].as_array_mut().unwrap();
                fields.retain(|field| field["name"] != "email" && field["name"] != "first");
                fields.reverse();
            }
            "Shape" => {
                let variants = definition["enum"]["variants"].as_array_mut().unwrap();
                variants.retain(|variant| variant["name"] != "Circle");
                variants.reverse();
                definition["enum"]["open"] = json!(true);
            }
            "SearchError" => {
                let variants = definition["enum"]["variants"].as_array_mut().unwrap();
                variants.retain(|variant| variant["name"] != "Crowd");
                variants[0]["fields"].as_array_mut().unwrap().reverse();
                variants.reverse();
            }
            _ => {}
        }
    }
    // What `shape` takes is the plugin's own still.
    let types = description["types"].as_array_mut().unwrap();
    let mut own: Value = serde_json::from_str(text).unwrap();
    let own = own["types"].as_array_mut().unwrap();
    let mut shape = own
        .iter()
        .find(|own| own["name"] == "Shape")
        .unwrap()
        .clone();
    shape["name"] = json!("EveryShape");
    let mut point = own
        .iter()
        .find(|own| own["name"] == "Point")
        .unwrap()
        .clone();
    point["name"] = json!("EveryPoint");
    let last = types.len();
    for variant in shape["enum"]["variants"].as_array_mut().unwrap() {
        if let Some(tuple) = variant.get_mut("tuple") {
            *tuple = json!([{"list": {"ref": last + 1}}]);
        }
    }
    types.extend([shape, point]);
    for method in description["methods"].as_array_mut().unwrap() {
        if method["name"] == "shape" {
            for entry in method["entries"].as_array_mut().unwrap() {
                if entry["encoding"] == "wire" {
                    entry["request"]["type"] = json!({"ref": last});
                }
            }
        }
    }
    description.to_string()
}

pub(crate) struct Client {
    plugin: Plugin,
    client_schema: ClientSchema,
    told: Arc<Mutex<Vec<String>>>,
}

impl Client {
    fn new() -> Client {
        Client::of(known)
    }

    /// A client of other types, made from the plugin's description.
    pub(crate) fn of(others: impl FnOnce(&str) -> String) -> Client {
        let told = Arc::new(Mutex::new(Vec::new()));
        let records = Arc::clone(&told);
        let sink = move |record: &Record<'_>| {
            records.lock().unwrap().push(record.message().to_owned());
        };
        // SAFETY: a plugin of ours, whose entry point follows the ABI.
        let load =
            unsafe { Load::linked(rustbridge::entry_point::<types_plugin::Types>(), "types") };
        let plugin = load.log(Level::Info, Box::new(sink)).open().unwrap();
        let client_schema = ClientSchema::read(others(plugin.describe()).as_bytes()).unwrap();
        Client {
            plugin,
            client_schema,
            told,
        }
    }

    pub(crate) fn method(&self, name: &str) -> Method {
        let mut methods = self.client_schema.methods.iter();
        let known = methods.find(|method| method.name == name).unwrap();
        let fingerprint = known.fingerprint.to_string();
        let typed = self
            .plugin
            .typed_method(name, &fingerprint, &self.client_schema.text);
        typed.unwrap_or_else(|error| panic!("{name}: {error}"))
    }
}

/// The error's value: what is behind its head, whose end is at a multiple of 8.
fn typed_error(payload: &[u8]) -> (String, SearchError) {
    let number = |at: usize| u32::from_le_bytes(payload[at..at + 4].try_into().unwrap()) as usize;
    assert_eq!(number(0), 1);
    let name_at = 12 + number(8);
    let name_end = name_at + 4 + number(name_at);
    let name = String::from_utf8(payload[name_at + 4..name_end].to_vec()).unwrap();
    let value = &payload[name_end.next_multiple_of(8)..];
    (name, read(value).unwrap())
}

#[test]
fn a_call_is_resolved_and_its_method_said_to_be() {
    let client = Client::new();
    let echo = client.method("person");
    let request = to_vec(&person("Ada", 36)).unwrap();
    assert_eq!(&*echo.call(&request).unwrap(), request);
    // With room for the answer, and without.
    for room in [64, 3] {
        let mut storage = vec![0; room];
        match echo.call_into(&request, &mut storage).unwrap() {
            ResponseLocation::Buffer(length) => assert_eq!(storage[..length], request),
            ResponseLocation::Lease(reply) => assert_eq!(&*reply, request),
        }
    }
    let page = Page {
        total: 2,
        items: vec![person("Ada", 36), person("Emmy", 53)],
    };
    let answer = client
        .method("oldest")
        .call(&to_vec(&page).unwrap())
        .unwrap();
    assert_eq!(
        read::<Option<Person>>(&answer).unwrap(),
        Some(person("Emmy", 53))
    );
    // Plain old data whose fields lie otherwise.
    let point = to_vec(&Point { y: 1.0, x: 2.0 }).unwrap();
    assert_eq!(&*client.method("point").call(&point).unwrap(), point);

    assert!(!echo.is_leaf());
    client.plugin.flush_logs(Duration::from_secs(10)).unwrap();
    let told = client.told.lock().unwrap().clone();
    assert_eq!(told.len(), 3, "{told:?}");
    assert!(
        told[0].contains("the types of `person` differ compatibly")
            && told[0].contains("`request.email`: the plugin has added"),
        "{told:?}"
    );
}

#[test]
fn the_same_client_again_has_the_same_entries_and_the_plugin_s_own_stay_others() {
    let (one, other) = (Client::new(), Client::new());
    let entry = one.method("person").entry();
    assert_eq!(other.method("person").entry(), entry);
    assert_ne!(one.method("maybe").entry(), entry);
    let own = one
        .plugin
        .method("person", rustbridge_core::Encoding::Wire)
        .unwrap();
    assert_ne!(own.entry(), entry);
    // What differs nowhere is the plugin's own.
    let numbers = one
        .plugin
        .method("numbers", rustbridge_core::Encoding::Wire);
    assert_eq!(one.method("numbers").entry(), numbers.unwrap().entry());
    // An entry behind the last is none.
    let mut response = Response::empty();
    // SAFETY: the request is empty, and the response is released.
    let status = unsafe {
        let status = handles::call(
            one.plugin.handle(),
            own.entry() | 0x3fff,
            std::ptr::null(),
            0,
            &raw mut response,
        );
        handles::release(&raw mut response);
        status
    };
    assert_eq!(status, Status::NotFound.code());
}

#[test]
fn a_request_that_others_may_write_to_is_resolved_and_a_leaf_refused() {
    let client = Client::new();
    let echo = client.method("person");
    let request = to_vec(&person("Ada", 36)).unwrap();
    for (bit, wanted) in [
        (handles::ENTRY_SHARED, Status::Ok),
        (handles::ENTRY_LEAF, Status::FailedPrecondition),
        (
            handles::ENTRY_SHARED | handles::ENTRY_LEAF,
            Status::FailedPrecondition,
        ),
    ] {
        let mut storage = [0_u8; 512];
        let mut response = Response::with_buffer(storage.as_mut_ptr(), storage.len());
        // SAFETY: request and storage are valid for the call, and the response is released.
        unsafe {
            let status = handles::call(
                client.plugin.handle(),
                echo.entry() | bit,
                request.as_ptr(),
                request.len(),
                &raw mut response,
            );
            let bytes = std::slice::from_raw_parts(response.data, response.len);
            assert_eq!(status, wanted.code(), "{}", String::from_utf8_lossy(bytes));
            if status == 0 {
                assert_eq!(bytes, request);
            }
            handles::release(&raw mut response);
        }
    }
}

#[test]
fn a_request_that_is_none_is_refused_with_its_path() {
    let client = Client::new();
    let mut request = to_vec(&Page {
        total: 1,
        items: vec![person("Ada", 36)],
    })
    .unwrap();
    let last = request.len() - 1;
    request[last] = 0xff;
    let people = client.method("people");
    for error in [
        people.call(&request).map(drop).unwrap_err(),
        people
            .call_async(&request)
            .begin()
            .wait()
            .map(drop)
            .unwrap_err(),
    ] {
        assert_eq!(error.status(), Status::InvalidArgument, "{error}");
        assert_eq!(error.type_name(), "rustbridge.InvalidRequest");
        assert_eq!(error.details().unwrap()["path"], "items[0].name");
    }
}

#[test]
fn items_go_both_ways_and_an_unknown_variant_is_not_sent() {
    let client = Client::new();
    let (mut sender, items) = client.method("reshape").exchange(&[]);
    let mut items = items.iterate();
    let polygon = to_vec(&Shape::Polygon(vec![Point { y: 1.0, x: 2.0 }])).unwrap();
    for shape in [&polygon, &to_vec(&Shape::Nothing).unwrap()] {
        sender.send_wait(shape).unwrap();
        let item = items.next_timeout(Duration::from_secs(30)).unwrap();
        assert_eq!(item.unwrap().as_slice(), shape);
    }
    let refused = sender.send_wait([0xff, 0xff]).unwrap_err();
    assert_eq!(refused.status(), Status::InvalidArgument, "{refused}");
    assert!(refused.message().contains("number 65535"), "{refused}");
    // The plugin has no part of it, and its answer says why.
    let ended = items.next_timeout(Duration::from_secs(30)).unwrap();
    let ended = ended.unwrap_err();
    assert_eq!(ended.status(), Status::InvalidArgument, "{ended}");
    assert_eq!(ended.message(), refused.message());
    assert!(sender.send_wait(&polygon).is_err());
}

#[test]
fn a_variant_that_the_client_does_not_know_comes_as_the_unknown_one() {
    let client = Client::new();
    // In the client schema the request has all shapes, and the response those that the client knows.
    let circle = to_vec(&types_plugin::messages::Shape::Circle { radius: 1.5 }).unwrap();
    let answer = client.method("shape").call(&circle).unwrap();
    assert_eq!(&*answer, [0xff, 0xff]);
    let nothing = to_vec(&types_plugin::messages::Shape::Nothing).unwrap();
    let answer = client.method("shape").call(&nothing).unwrap();
    assert_eq!(read::<Shape>(&answer).unwrap(), Shape::Nothing);
}

#[test]
fn errors_are_resolved_in_calls_and_later() {
    let client = Client::new();
    for name in ["search", "search_later"] {
        let search = client.method(name);
        let fails = |name: &str, people: Vec<Person>| {
            let request = to_vec(&Search {
                name: name.to_owned(),
                people,
            })
            .unwrap();
            let mut response = Response::empty();
            // SAFETY: the request is valid for the call, and the response is released.
            unsafe {
                let status = handles::call(
                    client.plugin.handle(),
                    search.entry(),
                    request.as_ptr(),
                    request.len(),
                    &raw mut response,
                );
                let bytes = std::slice::from_raw_parts(response.data, response.len).to_vec();
                handles::release(&raw mut response);
                let later = search.call_async(&request).begin().wait();
                (status, bytes, later.map(drop).unwrap_err())
            }
        };
        let (status, bytes, later) = fails("Ada", vec![person("Anna", 3)]);
        assert_eq!(status, Status::NotFound.code());
        let (type_name, error) = typed_error(&bytes);
        assert_eq!(type_name, "SearchError.Nobody");
        let similar = vec![person("Anna", 3)];
        let wanted = SearchError::Nobody {
            similar,
            name: "Ada".to_owned(),
        };
        assert_eq!(error, wanted);
        assert_eq!(later.status(), Status::NotFound);
        let (_, bytes, _) = fails("", Vec::new());
        assert_eq!(typed_error(&bytes).1, SearchError::Hidden);
        // One that the client doesn't know has status, message and name still.
        let (status, bytes, later) = fails("Ada", vec![person("Ada", 3), person("Ada", 4)]);
        let error = Error::from_payload(status, &bytes);
        for error in [error, later] {
            assert_eq!(error.status(), Status::ResourceExhausted);
            assert_eq!(error.type_name(), "SearchError.Crowd");
            assert!(error.message().contains("2 of them"), "{error}");
        }
    }
}

#[test]
fn items_come_in_the_client_s_words_whatever_the_window() {
    let client = Client::new();
    let ada = person("Ada with a name that is longer than what is around it", 36);
    let request = Repeat {
        person: ada.clone(),
        times: 500,
    };
    let request = to_vec(&request).unwrap();
    // Fewer bytes than one item has, in either words, and more.
    for (items, bytes) in [(1, 1), (3, 100), (500, 1000), (500, 1 << 20)] {
        let mut stream = client
            .method("repeat")
            .stream(&request)
            .window(items, bytes)
            .iterate();
        let mut ages = Vec::new();
        while let Some(item) = stream.next_timeout(Duration::from_secs(30)) {
            let item: Person = read(item.unwrap().as_slice()).unwrap();
            assert_eq!(item.name, ada.name);
            ages.push(item.age);
        }
        assert_eq!(ages, (36..536).collect::<Vec<_>>());
    }
}

#[test]
fn items_go_in_the_plugin_s_words_and_come_back() {
    let client = Client::new();
    let (mut sender, pending) = client.method("collect").send(&to_vec(&7_u64).unwrap());
    let people: Vec<Person> = (0..300).map(|age| person("Ada", age)).collect();
    for one in &people {
        sender.send_wait(to_vec(one).unwrap()).unwrap();
    }
    sender.finish();
    let page: Page = read(&pending.wait().unwrap()).unwrap();
    assert_eq!((page.total, page.items), (307, people));
}

#[test]
fn objects_keep_their_positions_where_one_before_them_is_not_known() {
    let client = Client::new();
    let request = to_vec(&vec![1_i64, 2, 3]).unwrap();
    let counters = client.method("counters");
    let answer = counters.with().call(&request).unwrap();
    // The name, and two positions.
    let wanted = [
        &[3, 0, 0, 0][..],
        b"all",
        &[2, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0],
    ];
    assert_eq!(&*answer.reply, wanted.concat());
    assert_eq!(answer.objects.len(), 3);
    let later = counters.with().call_async(&request).wait().unwrap();
    assert_eq!(&*later.reply, wanted.concat());
    assert_eq!(later.objects.len(), 3);
}

#[test]
fn what_only_the_client_has_fails_when_it_is_called() {
    let client = Client::new();
    let mut text = client.client_schema.text.clone();
    for (own, other) in [
        ("person", "person_of_9"),
        ("repeat", "stream_of_9"),
        ("collect", "items_of_9"),
    ] {
        text = text.replace(
            &format!("\"name\":\"{own}\""),
            &format!("\"name\":\"{other}\""),
        );
    }
    let text = text.replace("\"version\":\"", "\"version\":\"9.");
    let prepare = |name: &str| {
        client
            .plugin
            .typed_method(name, "0123456789abcdef0123456789abcdef", &text)
    };
    let absent = |name: &str, error: &Error| {
        assert_eq!(error.status(), Status::Unimplemented, "{error}");
        assert_eq!(error.type_name(), "rustbridge.AbsentMethod");
        let message = error.message();
        assert!(
            message.contains(&format!("has no method `{name}`"))
                && message.contains("was generated for another version 9."),
            "{message}"
        );
    };
    let later = prepare("person_of_9").unwrap();
    assert_eq!(prepare("person_of_9").unwrap().entry(), later.entry());
    let request = to_vec(&person("Ada", 36)).unwrap();
    absent("person_of_9", &later.call(&request).unwrap_err());
    absent(
        "person_of_9",
        &later.call_into(&request, &mut [0; 64]).unwrap_err(),
    );
    absent(
        "person_of_9",
        &later
            .call_async(&request)
            .begin()
            .wait()
            .map(drop)
            .unwrap_err(),
    );
    let stream = prepare("stream_of_9").unwrap();
    let mut items = stream.stream(&request).iterate();
    let first = items.next_timeout(Duration::from_secs(30)).unwrap();
    absent("stream_of_9", &first.map(drop).unwrap_err());
    let (sender, pending) = prepare("items_of_9").unwrap().send(&[0; 8]);
    drop(sender);
    absent("items_of_9", &pending.wait().map(drop).unwrap_err());

    // The others go on.
    assert_eq!(&*client.method("person").call(&request).unwrap(), request);
    // Another plugin isn't an older one.
    let other = text.replace("\"name\":\"types\"", "\"name\":\"other\"");
    let refused =
        client
            .plugin
            .typed_method("person_of_9", "0123456789abcdef0123456789abcdef", &other);
    assert_eq!(refused.unwrap_err().status(), Status::NotFound);
    // What isn't in the client either.
    let error = prepare("nowhere").unwrap_err();
    assert_eq!(error.status(), Status::NotFound, "{error}");
    client.plugin.flush_logs(Duration::from_secs(10)).unwrap();
    let told = client.told.lock().unwrap().clone();
    assert!(
        told.iter()
            .any(|told| told
                .starts_with("the client has a method that can't be called: plugin `types`")),
        "{told:?}"
    );
}
