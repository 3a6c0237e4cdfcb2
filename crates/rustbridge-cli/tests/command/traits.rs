//! What `inspect` and `diff` tell of the traits of objects, and of the methods that clients don't show.

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::command::{complaints, kept, out, rustbridge, text};

/// A plugin with a type of objects that has traits, and a callback.
fn described(with_text: bool) -> String {
    let method = |index: u32, name: &str, fields: &Value| {
        let mut entry = json!({"index": index, "encoding": "wire"});
        let fields = fields.as_object().unwrap().clone();
        entry.as_object_mut().unwrap().extend(fields);
        json!({"name": name, "entries": [entry]})
    };
    let of = |name: &str, response: &str| json!({"receiver": "Shelf", "trait": name, "request": {"type": "unit"}, "response": {"type": response}});
    let mut methods = vec![
        method(0, "Shelf.size", &of("len", "u64")),
        method(1, "Shelf:hash", &of("Hash", "u64")),
        method(
            2,
            "Watcher:new",
            &json!({"request": {"type": "u64"}, "response": {"type": {"object": "Watcher"}}}),
        ),
        method(
            3,
            "Watcher:number",
            &json!({"receiver": "Watcher", "request": {"type": "unit"}, "response": {"type": "u64"}}),
        ),
    ];
    if with_text {
        methods.push(method(4, "Shelf:display", &of("Display", "string")));
    }
    let service = json!({"name": "Watcher:release", "encoding": "wire", "optional": true, "receiver": "Watcher",
        "request": {"type": "u64"}, "response": {"type": "unit"}});
    json!({"name": "p", "methods": methods, "services": [service]}).to_string()
}

#[test]
fn inspect_shows_traits_and_hides_the_methods_that_clients_hide() {
    let folder = TempDir::new().unwrap();
    let path = kept(&folder, "p.rbdesc", &described(true));
    let shown = rustbridge(&["inspect", text(&path)]);
    assert!(shown.status.success(), "{}", complaints(&shown));
    assert_eq!(
        out(&shown),
        "p

methods
  Shelf.size() -> u64  wire

traits of objects
  Shelf  len by size, Hash, Display

needs of its host
  Watcher:release  wire, optional
"
    );
}

#[test]
fn diff_tells_of_traits_by_their_names() {
    let folder = TempDir::new().unwrap();
    let old = kept(&folder, "old.rbdesc", &described(true));
    let new = kept(&folder, "new.rbdesc", &described(false));
    let lost = rustbridge(&["diff", text(&old), text(&new)]);
    assert_eq!(lost.status.code(), Some(1));
    let told = "fails    Shelf: the type no longer has the trait `Display`\n";
    assert_eq!(out(&lost), told);
    let added = rustbridge(&["diff", text(&new), text(&old)]);
    assert!(added.status.success(), "{}", complaints(&added));
    let said = out(&added);
    assert!(
        said.starts_with("differs  Shelf: the type has the trait `Display`, too\n"),
        "{said}"
    );
    assert!(
        said.contains("fails    Shelf: the type no longer has"),
        "{said}"
    );
}
