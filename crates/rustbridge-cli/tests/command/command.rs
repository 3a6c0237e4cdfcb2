//! The command as people and scripts run it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// A description, as `gen` keeps it.
const DESCRIPTION: &str = r#"{"name":"shop","version":"1.2.0","description":"Sells things.",
    "methods":[
        {"name":"find","entries":[{"index":0,"encoding":"wire","request":{"type":"string"},"response":{"type":{"option":{"ref":0}}}},{"index":1,"encoding":"json"}]},
        {"name":"watch","entries":[{"index":2,"encoding":"wire","kind":"bidi_stream","async":true,"items":{"type":"u8"},"response":{"type":{"ref":1}}}]},
        {"name":"rename","entries":[{"index":5,"encoding":"wire","arguments":true,"request":{"type":{"ref":2}}}]},
        {"name":"Cart.add","entries":[{"index":3,"encoding":"wire","receiver":"Cart","request":{"type":{"ref":0}}}]},
        {"name":"fast","entries":[{"index":4,"encoding":"pod","leaf":true,"request":{"layout":{"type":"Key","size":8,"fields":[{"name":"id","type":"u64","offset":0,"size":8}]}}}]}],
    "services":[{"name":"prices.get","encoding":"json","optional":true}],
    "types":[
        {"name":"Item","record":[{"name":"name","type":"string"},{"name":"cents","type":"u32","default":true}]},
        {"name":"Event","enum":{"open":true,"variants":[{"name":"sold","tuple":[{"ref":0}]},{"name":"gone"},{"name":"moved","fields":[{"name":"to","type":"u8"}]}]}},
        {"name":"RenameParameters","record":[{"name":"from","type":"string"},{"name":"to","type":{"option":"string"}}]}]}"#;

pub(crate) fn rustbridge(arguments: &[&str]) -> Output {
    child_process::output(
        Command::new(env!("CARGO_BIN_EXE_rustbridge")).args(arguments),
        child_process::RUN,
    )
}

pub(crate) fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub(crate) fn complaints(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

pub(crate) fn kept(folder: &TempDir, name: &str, text: &str) -> PathBuf {
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    path
}

pub(crate) fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn inspect_shows_what_a_plugin_has() {
    let folder = TempDir::new().unwrap();
    let path = kept(&folder, "shop.rbdesc", DESCRIPTION);
    let shown = rustbridge(&["inspect", text(&path)]);
    assert!(shown.status.success(), "{}", complaints(&shown));
    assert_eq!(
        out(&shown),
        "shop 1.2.0
Sells things.

methods
  find(String) -> Option<Item>                  wire json
  async watch(stream of u8) -> stream of Event  wire
  rename(from: String, to: Option<String>)      wire
  Cart.add(Item)                                wire
  fast                                          pod, leaf

needs of its host
  prices.get  json, optional

types
  record  Item              5+ B  name: String, cents: u32 = ..
  enum    Event             2+ B  sold(Item) | gone | moved { to: u8 } | ..
  record  RenameParameters  5+ B  from: String, to: Option<String>

layouts
  Key  8 B  id: u64 @0
"
    );
    let json = rustbridge(&["inspect", "--json", text(&path)]);
    assert_eq!(out(&json).trim_end(), DESCRIPTION);
}

#[test]
fn gen_writes_a_client_once_and_tells_whether_it_is_stale() {
    let folder = TempDir::new().unwrap();
    let path = kept(&folder, "shop.rbdesc", DESCRIPTION);
    let sources = folder.path().join("sources");
    let arguments = ["gen", "-l", "python", "-o", text(&sources), text(&path)];
    let check = [&arguments[..], &["--check"]].concat();

    let missing = rustbridge(&check);
    assert_eq!(missing.status.code(), Some(1));
    assert!(complaints(&missing).contains("shop.py"));
    assert!(!sources.exists(), "checking writes nothing");

    let first = rustbridge(&arguments);
    assert!(first.status.success(), "{}", complaints(&first));
    assert!(out(&first).contains("new  "), "{}", out(&first));
    let again = rustbridge(&arguments);
    assert!(out(&again).contains("unchanged  "), "{}", out(&again));
    assert!(rustbridge(&check).status.success());

    fs::write(sources.join("shop.py"), "# mine").unwrap();
    let stale = rustbridge(&check);
    assert_eq!(stale.status.code(), Some(1));
    assert!(complaints(&stale).contains("without `--check`"));
    assert!(out(&rustbridge(&arguments)).contains("changed  "));
    assert!(rustbridge(&check).status.success());
}

#[test]
fn gen_removes_what_it_has_written_of_types_that_are_gone() {
    let folder = TempDir::new().unwrap();
    let path = kept(&folder, "shop.rbdesc", DESCRIPTION);
    let sources = folder.path().join("sources");
    let arguments = ["gen", "-l", "java", "-o", text(&sources), text(&path)];
    let check = [&arguments[..], &["--check"]].concat();
    assert!(rustbridge(&arguments).status.success());
    let item = sources.join("shop/Item.java");
    fs::write(
        sources.join("shop/Mine.java"),
        "package shop;\nclass Mine {}\n",
    )
    .unwrap();
    assert!(item.exists() && rustbridge(&check).status.success());

    let less = DESCRIPTION
        .replace(r#"{"option":{"ref":0}}"#, r#""string""#)
        .replace(r#"{"type":{"ref":0}}"#, r#"{"type":"u8"}"#)
        .replace(r#""tuple":[{"ref":0}]"#, r#""tuple":["u8"]"#);
    fs::write(&path, less).unwrap();
    let stale = rustbridge(&check);
    assert_eq!(stale.status.code(), Some(1));
    assert!(
        complaints(&stale).contains("Item.java"),
        "{}",
        complaints(&stale)
    );
    assert!(item.exists(), "checking removes nothing");
    let written = rustbridge(&arguments);
    assert!(out(&written).contains("removed  "), "{}", out(&written));
    assert!(!item.exists() && sources.join("shop/Mine.java").exists());
    assert!(rustbridge(&check).status.success());
}

#[test]
fn diff_tells_what_breaks_and_fails_then() {
    let folder = TempDir::new().unwrap();
    let old = kept(&folder, "old.rbdesc", DESCRIPTION);
    let same = rustbridge(&["diff", text(&old), text(&old)]);
    assert_eq!(same.status.code(), Some(0));
    assert_eq!(out(&same), "no difference for clients and hosts\n");

    let more = DESCRIPTION.replace(
        r#"{"name":"cents","type":"u32","default":true}"#,
        r#"{"name":"cents","type":"u32","default":true},{"name":"tags","type":{"option":"string"}}"#,
    );
    let more = kept(&folder, "more.rbdesc", &more);
    let differs = rustbridge(&["diff", text(&old), text(&more)]);
    assert_eq!(differs.status.code(), Some(0), "{}", complaints(&differs));
    assert!(
        out(&differs)
            .contains("differs  Cart.add: at `request.tags`: the plugin has added this field"),
        "{}",
        out(&differs)
    );

    let other = DESCRIPTION.replace(r#""type":"u32""#, r#""type":"u64""#);
    let other = kept(&folder, "other.rbdesc", &other);
    let breaks = rustbridge(&["diff", text(&old), text(&other)]);
    assert_eq!(breaks.status.code(), Some(1));
    assert!(
        out(&breaks).contains(
            "breaks   Cart.add: at `request.cents`: the client has u32, and the plugin u64"
        ),
        "{}",
        out(&breaks)
    );
    let json = rustbridge(&["diff", "--json", text(&old), text(&other)]);
    let found: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    // Three for clients of each version.
    assert_eq!(found.as_array().unwrap().len(), 6);
    assert_eq!(found[0]["client"], "old");
    assert_eq!(found[0]["of"], "find");
    assert_eq!(found[0]["path"], "response.cents");
    assert_eq!(found[0]["effect"], "breaks");
    assert_eq!(found[3]["client"], "new");
}

#[test]
fn diff_names_the_callers_that_break_if_others_go_on() {
    let folder = TempDir::new().unwrap();
    let description = |size: u32| {
        format!(
            r#"{{"name":"p","methods":[{{"name":"m","entries":[{{"index":0,"encoding":"wire","request":{{"type":"u8"}}}},{{"index":1,"encoding":"pod","request":{{"layout":{{"type":"A","size":{size}}}}}}}]}}]}}"#
        )
    };
    let old = kept(&folder, "old.rbdesc", &description(8));
    let new = kept(&folder, "new.rbdesc", &description(16));
    let breaks = rustbridge(&["diff", text(&old), text(&new)]);
    assert_eq!(breaks.status.code(), Some(1));
    let said = out(&breaks);
    assert!(
        said.contains("in `pod` (callers in `pod` only)\n"),
        "{said}"
    );
    let said = complaints(&breaks);
    assert!(said.contains("callers in `pod` built for `"), "{said}");
    let json = rustbridge(&["diff", "--json", text(&old), text(&new)]);
    let found: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(found[0]["encodings"], serde_json::json!(["pod"]));

    let other = description(8).replace(r#""type":"u8""#, r#""type":"u16""#);
    let other = kept(&folder, "other.rbdesc", &other);
    let breaks = rustbridge(&["diff", text(&old), text(&other)]);
    let said = complaints(&breaks);
    assert!(said.contains("error: callers built for"), "{said}");
}

#[test]
fn diff_tells_what_newer_clients_and_older_plugins_can_do_together() {
    let folder = TempDir::new().unwrap();
    let old = kept(&folder, "old.rbdesc", DESCRIPTION);
    let more = DESCRIPTION.replace(
        r#"{"name":"cents","type":"u32","default":true}"#,
        r#"{"name":"cents","type":"u32","default":true},{"name":"tags","type":{"option":"string"}}"#,
    );
    let more = kept(&folder, "more.rbdesc", &more);
    let forwards = rustbridge(&["diff", text(&old), text(&more)]);
    assert_eq!(forwards.status.code(), Some(0), "{}", complaints(&forwards));
    let told = out(&forwards);
    let (_, newer) = told
        .split_once("clients and hosts of the newer version with the older plugin:\n")
        .unwrap_or_else(|| panic!("{told}"));
    assert!(
        newer.contains("fails    Cart.add: at `request.tags`: the client has this field"),
        "{told}"
    );
    // An answer without the field is fine for them.
    assert!(!newer.contains("response"), "{told}");

    let backwards = rustbridge(&["diff", text(&more), text(&old)]);
    assert_eq!(backwards.status.code(), Some(1));
    assert!(
        out(&backwards).contains("fails    Cart.add: at `request.tags`"),
        "{}",
        out(&backwards)
    );
}

#[test]
fn a_default_value_is_shown_a_changed_one_is_noted_and_one_out_of_range_is_refused() {
    let folder = TempDir::new().unwrap();
    let with = |name: &str, value: &str| {
        let field = format!(r#""type":"u32","default":true,"default_value":{value}"#);
        let description = DESCRIPTION.replace(r#""type":"u32","default":true"#, &field);
        kept(&folder, name, &description)
    };
    let (five, six) = (with("five.rbdesc", "5"), with("six.rbdesc", "6"));
    let shown = rustbridge(&["inspect", text(&five)]);
    assert!(out(&shown).contains("cents: u32 = 5\n"), "{}", out(&shown));
    for (old, new, what) in [
        (&five, &six, "5 for the client, and 6"),
        (&six, &five, "6 for the client, and 5"),
    ] {
        let noted = rustbridge(&["diff", text(old), text(new)]);
        assert_eq!(noted.status.code(), Some(0), "{}", complaints(&noted));
        let expected = format!(
            "notes    Cart.add: at `request.cents`: the default value is {what} in the plugin\n"
        );
        let told = out(&noted);
        assert!(told.contains(&expected), "{told}");
        assert!(!told.contains("newer version"), "{told}");
    }
    let lying = with("lying.rbdesc", "4294967296");
    for arguments in [
        vec!["inspect", text(&lying)],
        vec![
            "gen",
            "-l",
            "python",
            "-o",
            text(folder.path()),
            text(&lying),
        ],
    ] {
        let refused = rustbridge(&arguments);
        assert!(!refused.status.success());
        let why = "`Item.cents`: its `default_value` 4294967296 isn't a value of u32";
        let told = complaints(&refused);
        assert!(told.contains(why), "{told}");
    }
}

#[test]
fn inspect_tells_what_a_description_has_wrong_that_was_written_by_hand() {
    let folder = TempDir::new().unwrap();
    let odd = kept(
        &folder,
        "odd.rbdesc",
        r#"{"name":"p","methods":[{"name":"add","entries":[{"index":0,"encoding":"wire","request":{"type":{"ref":4}},"response":{"type":"i64"}}]}],
            "types":[{"name":"A","pod":[{"name":"a","type":"string"}]}]}"#,
    );
    let output = rustbridge(&["inspect", text(&odd)]);
    let (said, complaint) = (out(&output), complaints(&output));
    assert_eq!(output.status.code(), Some(1), "{complaint}");
    for line in [
        "  add  wire",
        "  `A` is a pod, and its field `a` is no number, pod or array of such",
        "  `add` in wire: its request: `a message` refers to type 4, and there are 1, counted from 0",
    ] {
        assert!(
            said.lines().any(|one| one.starts_with(line)),
            "{line}: {said}"
        );
    }
    assert!(complaint.contains("odd.rbdesc`"), "{complaint}");
}

#[test]
fn what_cannot_be_done_is_one_line_and_another_exit_code() {
    let folder = TempDir::new().unwrap();
    let missing = folder.path().join("missing.rbdesc");
    let no_json = kept(&folder, "no_json.rbdesc", "{");
    let no_types = kept(
        &folder,
        "no_types.rbdesc",
        r#"{"name":"p","methods":[],"types":[{"name":"A","newtype":{"list":"unit"}}]}"#,
    );
    let no_library = kept(&folder, "plugin.so", "not a library");
    let good = kept(&folder, "good.rbdesc", DESCRIPTION);
    for (path, why) in [
        (&missing, "can't be read"),
        (&no_json, "no_json.rbdesc`:"),
        (&no_types, "`A` has a list of a type without bytes"),
        (&no_library, "plugin.so"),
    ] {
        let path = text(path);
        let import = format!("shop={path}");
        for arguments in [
            vec!["inspect", path],
            vec!["diff", path, text(&good)],
            vec!["diff", text(&good), path],
            vec!["gen", "-l", "python", "-o", "nowhere", path],
            vec![
                "gen",
                "-l",
                "python",
                "-o",
                "nowhere",
                "--import",
                &import,
                text(&good),
            ],
        ] {
            let output = rustbridge(&arguments);
            let said = complaints(&output);
            assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
            assert!(said.starts_with("error: "), "{arguments:?}: {said}");
            assert!(said.contains(why), "{arguments:?}: {said}");
            assert_eq!(said.trim_end().lines().count(), 1, "{said}");
            assert!(output.stdout.is_empty(), "{arguments:?}");
        }
    }
    assert_eq!(rustbridge(&["gen"]).status.code(), Some(2));
    for import in ["shop", "=shop.rbdesc", "shop="] {
        let arguments = [
            "gen",
            "-l",
            "go",
            "-o",
            "nowhere",
            "--import",
            import,
            text(&good),
        ];
        let refused = rustbridge(&arguments);
        assert_eq!(refused.status.code(), Some(2));
        assert!(
            complaints(&refused).contains("NAMESPACE=PLUGIN"),
            "{}",
            complaints(&refused)
        );
    }
}

#[test]
fn gen_uses_the_types_of_another_client_and_notes_those_that_differ() {
    let folder = TempDir::new().unwrap();
    let shop = kept(&folder, "shop.rbdesc", DESCRIPTION);
    let market = DESCRIPTION
        .replace("\"shop\"", "\"market\"")
        .replace(r#""cents","type":"u32""#, r#""cents","type":"u64""#);
    let market = kept(&folder, "market.rbdesc", &market);
    let same = kept(
        &folder,
        "same.rbdesc",
        &DESCRIPTION.replace("\"shop\"", "\"same\""),
    );
    let sources = folder.path().join("sources");
    let of = |plugin: &Path| {
        let import = format!("shop_client={}", text(&shop));
        let arguments = [
            "gen",
            "-l",
            "python",
            "-o",
            text(&sources),
            "--import",
            &import,
            text(plugin),
        ];
        let made = rustbridge(&arguments);
        assert!(made.status.success(), "{}", complaints(&made));
        made
    };
    assert_eq!(complaints(&of(&same)), "");
    let made = fs::read_to_string(sources.join("same.py")).unwrap();
    assert!(
        made.contains("from shop_client import (\n    Event,\n"),
        "{made}"
    );
    assert!(!made.contains("class Item"), "{made}");

    // An event contains the item.
    let expected = "note: the type `Item` differs between the plugins `market` and `shop`, so each client has its own\n\
                    note: the type `Event` differs between the plugins `market` and `shop`, so each client has its own\n";
    assert_eq!(complaints(&of(&market)), expected);
    let made = fs::read_to_string(sources.join("market.py")).unwrap();
    assert!(
        made.contains("class Item") && !made.contains("shop_client"),
        "{made}"
    );
}
