//! Every method through the core, in each encoding that hosts prepare.

use bench_plugin::Bench;
use rustbridge_core::{Encoding, Load, Plugin};

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
