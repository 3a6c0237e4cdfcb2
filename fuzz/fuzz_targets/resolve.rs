//! Messages of an older client's types become messages of the plugin's, and its become the client's: what isn't one is refused, and what comes
//! out can be read by who gets it.
//!
//! The first byte chooses the direction; the rest is the message.
#![no_main]

use std::sync::LazyLock;

use rustbridge_description::types::{Definition, Direction, Plan, Table, TypeRef};

/// What the client knows: everything there is, in fewer fields, other places and with other numbers.
const CLIENT: &str = r#"[
    {"name":"Tree","record":[{"name":"shapes","type":{"list":{"ref":1}}},{"name":"name","type":"string"},{"name":"children","type":{"list":{"ref":0}}}]},
    {"name":"Shape","enum":{"open":true,"variants":[{"name":"Dot"},{"name":"Circle","fields":[{"name":"radius","type":"f64"},{"name":"at","type":{"ref":2}}]},{"name":"Path","tuple":[{"list":{"ref":2}},{"map":["string","any"]}]}]}},
    {"name":"Point","record":[{"name":"y","type":"u16"},{"name":"x","type":"u32"}]}
]"#;

/// What the plugin has.
const PLUGIN: &str = r#"[
    {"name":"Tree","record":[{"name":"name","type":"string","default":true},{"name":"tags","type":{"option":{"list":"f64"}}},{"name":"children","type":{"list":{"ref":0}}},{"name":"shapes","type":{"list":{"ref":1}}}]},
    {"name":"Shape","enum":{"open":true,"variants":[{"name":"Path","tuple":[{"list":{"ref":2}},{"map":["string","any"]}]},{"name":"Text","tuple":["string","timestamp","char"]},{"name":"Dot"},{"name":"Circle","fields":[{"name":"at","type":{"ref":2}},{"name":"radius","type":"f64"}]}]}},
    {"name":"Point","pod":[{"name":"x","type":"u32"},{"name":"y","type":"u16"}]}
]"#;

fn table(text: &str) -> Table {
    let definitions: Vec<Definition> = serde_json::from_str(text).expect("it's JSON");
    Table::new(definitions).expect("it's a table")
}

/// The plan in each direction, and one by which what comes out is read again: back where nothing is lost, else as an older client.
static PLANS: LazyLock<[Plan; 2]> = LazyLock::new(|| {
    let (client, plugin) = (table(CLIENT), table(PLUGIN));
    let ty = TypeRef::Ref(0);
    [Direction::Request, Direction::Response].map(|direction| {
        Plan::new((&client, &ty), (&plugin, &ty), direction)
            .expect("nothing breaks")
            .expect("something differs")
    })
});

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let [choice, message @ ..] = input else {
        return;
    };
    let [request, response] = &*PLANS;
    if choice % 2 == 0 {
        match request.resolve(message) {
            // The plugin's words for it are read, and say what the client has said.
            Ok(resolved) => {
                let again = response.resolve(&resolved).expect("it's the plugin's");
                assert_eq!(again, message);
            }
            Err(problem) => assert!(problem.position <= message.len()),
        }
    } else if let Err(problem) = response.resolve(message) {
        assert!(problem.position <= message.len());
    }
});
