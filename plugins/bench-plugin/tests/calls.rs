//! Every method through the core, in each encoding that hosts prepare.

use bench_plugin::Bench;
use rustbridge_core::{Encoding, Error, Load, Plugin, ServiceCall, Status};

fn load() -> Plugin {
    // SAFETY: the entry point is the one that the macro wrote.
    unsafe { Load::linked(rustbridge::entry_point::<Bench>(), "bench") }
        .open()
        .expect("it takes any configuration")
}

#[test]
fn raw_methods_answer() {
    let plugin = load();
    let call = |method: &str, request: &[u8]| {
        let method = plugin.method(method, Encoding::Raw).expect("it is raw");
        method.call(request).expect("it answers").to_vec()
    };
    let packed: Vec<u8> = (1..=10i64).flat_map(i64::to_le_bytes).collect();
    assert_eq!(call("void", b""), b"");
    assert_eq!(call("sum", &packed), 55i64.to_le_bytes());
    assert_eq!(call("numbers", &10u32.to_le_bytes()), packed);
    assert_eq!(call("echo_bytes", &packed), packed);
    let blob = call("get_blob", &1024u32.to_le_bytes());
    assert_eq!((blob.len(), blob[250], blob[251]), (1024, 250, 0));
}

#[test]
fn structs_answer_in_both_encodings() {
    let plugin = load();
    let div = plugin.method("div", Encoding::Pod).expect("it is pod");
    assert_eq!(div.call_pod::<_, f64>(&[10i64, 2]).expect("5"), 5.0);
    let answer = plugin.method("get_answer", Encoding::Pod).expect("pod");
    assert_eq!(answer.call_pod::<_, i32>(&23i32).expect("64"), 64);
    let json = |method, request: &str| plugin.call(method, request).expect("JSON").to_vec();
    assert_eq!(json("div", r#"{"a":10,"b":2}"#), br#"{"quotient":5.0}"#);
    assert_eq!(json("get_answer", r#"{"value":23}"#), br#"{"value":64}"#);
}

#[test]
fn json_methods_answer() {
    let plugin = load();
    let json = |method, request: &str| plugin.call(method, request).expect("JSON").to_vec();
    let joined = json("join", r#"{"parts":["hello","world"]}"#);
    assert_eq!(joined, br#"{"text":"hello,world"}"#);
    let values = r#"{"values":[1,"two",3.0,null,{"a":[]}]}"#;
    assert_eq!(json("any", values), values.as_bytes());
    let students = json("get_structs", "");
    for request in ["null", "{}"] {
        assert_eq!(json("get_structs", request), students);
    }
    assert!(students.starts_with(br#"{"students":[{"name":""#));
}

#[test]
fn leaves_are_those_that_hosts_may_call_the_cheapest_way() {
    let plugin = load();
    let leaf = |method, encoding| plugin.method(method, encoding).expect("known").is_leaf();
    assert!(leaf("void", Encoding::Raw) && leaf("sum", Encoding::Raw));
    assert!(leaf("div", Encoding::Pod) && leaf("get_answer", Encoding::Pod));
    assert!(!leaf("get_blob", Encoding::Raw) && !leaf("get_structs", Encoding::Json));
}

/// With what the benchmarks' hosts have.
fn load_with_host() -> Plugin {
    extern "C" fn upcall(number: i32) -> i32 {
        number + 41
    }
    let service = |request: &[u8], _: &ServiceCall<'_>| -> Result<Vec<u8>, Error> {
        let number = i32::from_ne_bytes(request.try_into().expect("an i32"));
        Ok((number + 41).to_ne_bytes().to_vec())
    };
    let add = |request: &[u8], _: &ServiceCall<'_>| -> Result<Vec<u8>, Error> {
        let (numbers, _) = request.as_chunks();
        let sum: i64 = numbers.iter().copied().map(i64::from_ne_bytes).sum();
        Ok(sum.to_ne_bytes().to_vec())
    };
    // SAFETY: the entry point is the one that the macro wrote.
    unsafe { Load::linked(rustbridge::entry_point::<Bench>(), "bench") }
        .config(format!(r#"{{"upcall":{}}}"#, upcall as *const () as usize))
        .service("numbers.answer", Encoding::Pod, service)
        .service("numbers.answer_later", Encoding::Pod, service)
        .service("numbers.add", Encoding::Pod, add)
        .open()
        .expect("it takes that configuration")
}

#[test]
fn whatever_adds_41_says_the_same() {
    let plugin = load_with_host();
    let pod = |name| plugin.method(name, Encoding::Pod).expect("it is pod");
    for name in [
        "plain",
        "ready",
        "later",
        "ask",
        "ask_later",
        "ask_by_hand",
        "ask_by_hand_later",
    ] {
        assert_eq!(pod(name).call_pod::<_, i32>(&23i32).expect(name), 64);
        let call = pod(name).call_pod_async::<_, i32>(&23i32).begin();
        assert_eq!(call.wait().expect(name), 64);
    }
    let adder = plugin.method("adder", Encoding::Raw).expect("it is raw");
    let made = adder.with().call(b"").expect("it gives an object");
    let add = pod("Adder.add").with().object(&made.objects[0]);
    let sum = add.call(&23i32.to_ne_bytes()).expect("64");
    assert_eq!(sum.reply.pod::<i32>().expect("an i32"), 64);
}

#[test]
fn what_metaffi_measures_of_objects_and_callbacks_is_there() {
    let plugin = load_with_host();
    let raw = |name| plugin.method(name, Encoding::Raw).expect("it is raw");
    let made = raw("some_class").with().call(b"bench").expect("an object");
    let greet = raw("SomeClass.greet").with().object(&made.objects[0]);
    let greeting = greet.call(b"").expect("a text").reply;
    assert_eq!(&*greeting, b"Hello from SomeClass bench");
    let callback = plugin.method("callback", Encoding::Pod).expect("it is pod");
    assert_eq!(callback.call_pod::<[u8; 0], i64>(&[]).expect("3"), 3);
}

#[test]
fn a_host_that_has_nothing_to_be_asked_is_told_so() {
    let plugin = load();
    for name in ["ask", "ask_later", "ask_by_hand", "ask_by_hand_later"] {
        let method = plugin.method(name, Encoding::Pod).expect("it is pod");
        let error = method.call_pod::<_, i32>(&23i32).unwrap_err();
        assert_eq!(error.status(), Status::FailedPrecondition, "{name}");
    }
}

#[test]
fn streams_have_as_many_items_as_they_are_asked_for() {
    let plugin = load();
    let count = plugin.method("count", Encoding::Pod).expect("it is pod");
    let items = count.stream(&3000u64.to_ne_bytes()).iterate();
    let numbers = items.map(|item| item.and_then(|item| item.pod::<u64>()).expect("a number"));
    assert!(numbers.eq(0..3000));
    let ticks = plugin.method("ticks", Encoding::Json).expect("it is JSON");
    let last = ticks.stream(b"10").iterate().last().expect("there are ten");
    let tick = br#"{"number":9,"name":"tick","is_round":true}"#;
    assert_eq!(&*last.expect("a tick"), tick);
}

#[test]
fn what_never_ends_can_be_cancelled() {
    let plugin = load();
    let never = plugin.method("never", Encoding::Raw).expect("it is raw");
    let call = never.call_async(b"").begin();
    call.canceller().cancel();
    assert_eq!(call.wait().unwrap_err().status(), Status::Cancelled);
}
