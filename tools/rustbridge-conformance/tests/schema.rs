//! The case files against their own JSON Schema, and the schema against what it must refuse.

use std::collections::BTreeSet;
use std::fs;

use rustbridge_conformance::cases::Files;
use serde_json::{Value, json};

fn schema() -> jsonschema::Validator {
    let path = Files::folder().join("../schema.json");
    let schema: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    jsonschema::validator_for(&schema).unwrap()
}

fn file_of(case: Value) -> Value {
    json!({"topic": "t", "doc": "d", "cases": [case]})
}

#[test]
fn every_case_file_is_what_the_schema_says() {
    let schema = schema();
    for entry in fs::read_dir(Files::folder()).unwrap() {
        let path = entry.unwrap().path();
        let file: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        let problems: Vec<String> = schema
            .iter_errors(&file)
            .map(|problem| format!("{}: {problem}", problem.instance_path))
            .collect();
        assert!(problems.is_empty(), "{}: {problems:?}", path.display());
        assert_eq!(file["topic"].as_str(), path.file_stem().unwrap().to_str());
    }
}

#[test]
fn every_case_has_an_id_of_its_own() {
    let files = Files::read().unwrap();
    let ids: BTreeSet<&str> = files.cases().map(|case| case.id.as_str()).collect();
    assert_eq!(ids.len(), files.cases().count());
    assert!(ids.len() > 600);
}

#[test]
fn what_a_runner_could_not_run_is_refused() {
    let schema = schema();
    let good = json!({"id": "a.b", "plugin": "hello", "provenance": "spec", "method": "m", "encoding": "json",
        "request": {"text": "{}"}, "expect": {"status": "OK", "response": {"json": null}}});
    assert!(schema.is_valid(&file_of(good.clone())));
    let with = |name: &str, value: Value| {
        let mut case = good.clone();
        case[name] = value;
        case
    };
    let without = |name: &str| {
        let mut case = good.clone();
        case.as_object_mut().unwrap().remove(name);
        case
    };
    for bad in [
        without("id"),
        without("method"),
        without("expect"),
        without("provenance"),
        with("plugin", json!("other")),
        with("encoding", json!("yaml")),
        with("request", json!({"text": "a", "hex": "00"})),
        with("request", json!({"hex": "0"})),
        with("expect", json!({"status": "FINE"})),
        with("expect", json!({"status": "OK", "error": {"type": "T"}})),
        with(
            "expect",
            json!({"status": "ABORTED", "response": {"text": ""}}),
        ),
        with("provenance", json!("memory")),
        with("method_id", json!(1)),
        with("unknown", json!(1)),
        with("steps", json!([])),
        with("load", json!({"status": "ABORTED"})),
        with("services", json!([{"name": "a"}])),
    ] {
        assert!(!schema.is_valid(&file_of(bad.clone())), "{bad}");
    }
    let steps = |step: Value| {
        file_of(json!({"id": "a.b", "plugin": "operations", "provenance": "spec", "steps": [step]}))
    };
    for step in [
        json!({"op": "begin", "as": "a", "method": "m", "encoding": "json", "demand": [1, 2]}),
        json!({"op": "end", "of": "a", "expect": {"status": "OK", "trailers": [["k", "v"]], "objects": ["c"]}}),
        json!({"op": "items", "of": "a", "expect": {"items": [{"text": "1"}]}}),
        json!({"op": "release", "object": "c"}),
    ] {
        assert!(schema.is_valid(&steps(step.clone())), "{step}");
    }
    for step in [
        json!({"op": "begin", "method": "m", "encoding": "json"}),
        json!({"op": "begin", "as": "a", "method": "m", "encoding": "json", "expect": {"status": "OK"}}),
        json!({"op": "with", "method": "m", "encoding": "json"}),
        json!({"op": "end", "of": "a"}),
        json!({"op": "items", "of": "a", "expect": {"items": [{"text": "1", "hex": ""}]}}),
        json!({"op": "send", "of": "a", "items": 1}),
        json!({"op": "demand", "of": "a", "items": [], "bytes": 1}),
        json!({"op": "release", "of": "a"}),
        json!({"op": "asked", "expect": [["one"]]}),
    ] {
        assert!(!schema.is_valid(&steps(step.clone())), "{step}");
    }
}
