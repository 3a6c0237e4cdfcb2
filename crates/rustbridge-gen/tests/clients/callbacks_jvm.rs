//! What is written of callbacks, and of services with several parameters, in Java and Kotlin.

use rustbridge_gen::{ClientSchema, File, Language, Options, generate};
use serde_json::{Value, json};

/// Returns a plugin with a callback of one function, which methods accept, and return if `returned`.
fn described(returned: bool) -> Value {
    let side = |ty: Value| json!({"type": ty});
    let progress = json!({"object": "Progress"});
    let method = |index: u32, name: &str, request: Value, response: Value, receiver: &str| {
        json!({"name": name, "entries": [{"index": index, "encoding": "wire", "request": side(request),
            "response": side(response), "receiver": receiver, "parameter": "step"}]})
    };
    let given = match returned {
        true => json!({"option": progress}),
        false => json!("unit"),
    };
    json!({"name": "p", "methods": [
        method(0, "work", progress.clone(), given, ""),
        method(1, "Progress:new", json!("u64"), progress, ""),
        method(2, "Progress:number", json!("unit"), json!("u64"), "Progress"),
        method(3, "Progress.close", json!("u8"), json!("bool"), "Progress"),
    ], "services": [
        {"name": "Progress.close", "encoding": "wire", "optional": true, "receiver": "Progress", "arguments": true,
            "request": {"type": {"ref": 0}}, "response": {"type": "bool"}},
        {"name": "Progress:release", "encoding": "wire", "optional": true, "receiver": "Progress",
            "request": {"type": "u64"}, "response": {"type": "unit"}},
        {"name": "log.write", "encoding": "wire", "optional": true, "arguments": true,
            "request": {"type": {"ref": 1}}, "response": {"type": "unit"}},
    ], "types": [
        {"name": "ProgressCloseRequest", "record": [{"name": "object", "type": "u64"}, {"name": "step", "type": "u8"}]},
        {"name": "LogWriteRequest", "record": [{"name": "level", "type": "u8"}, {"name": "class", "type": "string"}]},
    ]})
}

#[test]
fn a_callback_needs_the_methods_of_its_objects() {
    for (place, method) in [
        (1, "Progress:new"),
        (2, "Progress:number"),
        (3, "Progress.close"),
    ] {
        let mut described = described(true);
        described["methods"].as_array_mut().unwrap().remove(place);
        let refused = ClientSchema::read(described.to_string().as_bytes()).unwrap_err();
        let expected = format!(
            "the description is incomplete: the callback `Progress` lacks the method `{method}`"
        );
        assert_eq!(refused.to_string(), expected);
    }
}

#[test]
fn arguments_that_cross_have_the_types_of_the_parameters() {
    let crossing = |fields: Value| {
        let mut described = described(true);
        let method = json!({"name": "Progress.close:arguments", "entries": [{"index": 4, "encoding": "wire",
            "request": {"type": "u64"}, "response": {"type": {"ref": 2}}}]});
        described["methods"].as_array_mut().unwrap().push(method);
        let types = described["types"].as_array_mut().unwrap();
        types.push(json!({"name": "ProgressCloseArguments", "record": fields}));
        ClientSchema::read(described.to_string().as_bytes())
    };
    let step = |ty: &str| json!({"name": "step", "type": ty});
    let read = crossing(json!([step("u8")])).unwrap();
    for language in [
        Language::Java,
        Language::Kotlin,
        Language::CSharp,
        Language::Go,
    ] {
        generate(&read, language, &Options::default()).unwrap();
    }
    for fields in [
        json!([]),
        json!([step("u16")]),
        json!([step("u8"), {"name": "by", "type": "u8"}]),
    ] {
        let refused = crossing(fields).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "the description is inconsistent: the parameters or the result of `Progress.close` have other types where they cross"
        );
    }
}

fn written(language: Language, returned: bool) -> Vec<File> {
    let text = described(returned).to_string();
    let client_schema = ClientSchema::read(text.as_bytes()).unwrap();
    generate(&client_schema, language, &Options::default()).unwrap()
}

/// Returns the text of a file, if there is such a file.
fn find<'f>(files: &'f [File], name: &str) -> Option<&'f str> {
    let mut files = files.iter();
    let found = files.find(|file| file.path.ends_with(&format!("/{name}")));
    found.map(|file| &*file.text)
}

fn has(files: &[File], name: &str, expected: &[&str]) {
    let text = find(files, name).unwrap_or_else(|| panic!("no {name} in {files:?}"));
    for expected in expected {
        assert!(text.contains(expected), "{expected}:\n{text}");
    }
}

#[test]
fn a_callback_in_java_is_an_interface_and_has_a_class_if_it_is_returned() {
    for returned in [false, true] {
        let files = written(Language::Java, returned);
        let head = match returned {
            true => "@FunctionalInterface\npublic interface Progress extends AutoCloseable {",
            false => "@FunctionalInterface\npublic interface Progress {",
        };
        // An object has another method that is called `close`.
        let function = "boolean close_(int step) throws Exception;";
        has(&files, "Progress.java", &[head, function]);
        has(
            &files,
            "P.java",
            &[
                "(out, value) -> out.callback(value, \"Progress\", \"request\")",
                "services.addCallback(\"Progress\");",
                "ProgressCloseRequest::object,",
                "(Progress object, ProgressCloseRequest request) -> object.closeAsync(request.step()));",
                "(LogWriteRequest request) -> log.writeAsync(request.level(), request.class_()));",
                "return loaded(library, serving(config, null), plugin -> new P(plugin, true));",
            ],
        );
        let record = "\nrecord ProgressCloseRequest(";
        has(&files, "ProgressCloseRequest.java", &[record]);
        assert_eq!(find(&files, "ProgressObject.java").is_some(), returned);
        if returned {
            let function = "  @Override\n  public boolean close_(int step) {";
            has(&files, "ProgressObject.java", &[function]);
            let kept = "final TypedCallback<Progress> progress__callback;";
            has(&files, "P.java", &[kept]);
        }
    }
}

#[test]
fn a_callback_in_kotlin_is_an_interface_and_has_a_class_if_it_is_returned() {
    for returned in [false, true] {
        let files = written(Language::Kotlin, returned);
        let head = match returned {
            true => "public fun interface Progress : AutoCloseable {",
            false => "public fun interface Progress {",
        };
        let function = "public suspend fun close_(step: UByte): Boolean\n";
        has(&files, "PCallbacks.kt", &[head, function]);
        has(
            &files,
            "P.kt",
            &[
                "{ output, value -> output.callback(value, \"Progress\", \"request\") }",
                "services.addCallback(\"Progress\")",
                "{ it.object_.toLong() },",
                "{ of: Progress, request -> of.close_(request.step) },",
                "{ log.write(it.level, it.class_) },",
                "serving(pluginConfig(configure), log = log)",
            ],
        );
        let record = "internal class ProgressCloseRequest(";
        has(&files, "PMessages.kt", &[record]);
        let text = find(&files, "PCallbacks.kt").unwrap();
        let function = "override suspend fun close_(step: UByte): Boolean =";
        assert_eq!(text.contains(function), returned, "{text}");
    }
}
