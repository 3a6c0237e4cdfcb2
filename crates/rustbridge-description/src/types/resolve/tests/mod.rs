//! What a plan makes of messages is what the oracle says, which knows values by their names and nothing of plans.

mod oracle;
mod rng;
mod tables;

use oracle::{Reader, convert, put, some};
use rng::Rng;
use tables::{later, renumbered, some_table, table};

use super::*;
use crate::types::Effect;
use crate::types::changes::CHANGES;

/// What the oracle makes of a message: `None` if it isn't one, or has nothing that stands for it on the other side.
fn expected(
    from: (&Table, &TypeRef),
    to: (&Table, &TypeRef),
    direction: Direction,
    message: &[u8],
) -> Option<Vec<u8>> {
    let reader = Reader {
        table: from.0,
        bytes: message,
        at: 0,
        depth: 0,
    };
    let value = convert(from, to, direction, &reader.whole(from.1)?)?;
    let mut out = Vec::new();
    put(to.0, to.1, &value, &mut out);
    Some(out)
}

/// Sends values, and what else their bytes can be changed to, from one side to the other.
fn send(
    client: (&Table, &TypeRef),
    plugin: (&Table, &TypeRef),
    direction: Direction,
    rng: &mut Rng,
) {
    let (from, to) = match direction {
        Direction::Request => (client, plugin),
        Direction::Response => (plugin, client),
    };
    let plan = Plan::new(client, plugin, direction).unwrap();
    let resolve = |message: &[u8]| match &plan {
        Some(plan) => plan.resolve(message),
        None => Ok(message.to_vec()),
    };
    for _ in 0..8 {
        let value = some(from.0, from.1, rng, direction == Direction::Request, 4);
        let mut message = Vec::new();
        put(from.0, from.1, &value, &mut message);
        match (resolve(&message), expected(from, to, direction, &message)) {
            (Ok(resolved), Some(wanted)) => assert_eq!(resolved, wanted, "{value:?}"),
            // The message is right, so all that can be wrong with it is what the plugin lacks.
            (Err(problem), None) if direction == Direction::Request => {
                assert_eq!(problem.reason, Reason::Lacking, "{problem}: {value:?}");
            }
            (found, wanted) => panic!("{found:?} {wanted:?}: {value:?}"),
        }
        if plan.is_none() {
            continue;
        }
        for _ in 0..4 {
            let mut wrong = message.clone();
            match rng.below(3) {
                0 => wrong.truncate(rng.below(message.len() + 1)),
                1 => wrong.push(rng.next() as u8),
                _ => {}
            }
            for _ in 0..rng.below(3) {
                if !wrong.is_empty() {
                    let at = rng.below(wrong.len());
                    wrong[at] = [0, 1, 2, 0x7f, 0xff, rng.next() as u8][rng.below(6)];
                }
            }
            // Bytes that aren't text are text to the oracle, longer than they were.
            if has_bytes(from.0) && std::str::from_utf8(&wrong).is_err() {
                let _ = resolve(&wrong);
                continue;
            }
            match (resolve(&wrong), expected(from, to, direction, &wrong)) {
                (Ok(resolved), Some(wanted)) => assert_eq!(resolved, wanted),
                (Err(problem), None) => assert!(problem.position <= wrong.len()),
                (found, wanted) => panic!("{found:?} {wanted:?}: {wrong:?}"),
            }
        }
    }
}

fn has_bytes(table: &Table) -> bool {
    serde_json::to_string(table).unwrap().contains("\"bytes\"")
}

#[test]
fn each_kind_of_change_that_does_not_break_is_resolved() {
    let wrap = |shape: &str| {
        let text = format!(r#"[{{"name":"A",{shape}}}]"#);
        Table::new(serde_json::from_str(&text).unwrap()).unwrap()
    };
    let mut resolved = 0;
    for (client, plugin, requests, responses, _) in CHANGES {
        let (client, plugin) = (wrap(client), wrap(plugin));
        // Alone, and where alignment, a map and an option are around it.
        let types = [
            TypeRef::Ref(0),
            TypeRef::Tuple(vec![
                TypeRef::String,
                TypeRef::List(Box::new(TypeRef::Ref(0))),
                TypeRef::Option(Box::new(TypeRef::Ref(0))),
                TypeRef::Map(Box::new(TypeRef::U8), Box::new(TypeRef::Ref(0))),
                TypeRef::List(Box::new(TypeRef::F64)),
            ]),
        ];
        for (direction, effect) in [
            (Direction::Request, requests),
            (Direction::Response, responses),
        ] {
            for ty in &types {
                let (client, plugin) = ((&client, ty), (&plugin, ty));
                if *effect == Effect::Breaks {
                    assert!(Plan::new(client, plugin, direction).is_err());
                    continue;
                }
                resolved += 1;
                for seed in 0..20 {
                    send(client, plugin, direction, &mut Rng(seed));
                }
            }
        }
    }
    assert!(resolved > 40, "{resolved}");
}

#[test]
fn random_tables_are_resolved_as_the_oracle_says_wherever_nothing_breaks() {
    let (mut resolved, mut broken) = (0, 0);
    for seed in 0..if cfg!(miri) { 5 } else { 600 } {
        let rng = &mut Rng(seed << 32);
        let known = some_table(rng);
        let is_request = rng.one_in(2);
        let changed = later(&known, is_request, rng);
        let changed = renumbered(&changed, rng);
        let count = known.len() as u32;
        let (Some(client), Some(plugin)) = (table(known), table(changed)) else {
            continue;
        };
        let direction = if is_request {
            Direction::Request
        } else {
            Direction::Response
        };
        for number in 0..count {
            let client = (&client, &TypeRef::Ref(number));
            let other = TypeRef::Ref(count - 1 - number);
            let plugin = (&plugin, &other);
            let changes = compare(client, plugin, direction);
            match Plan::new(client, plugin, direction) {
                Err(told) => {
                    broken += 1;
                    assert!(told.iter().any(Change::breaks));
                }
                Ok(plan) => {
                    resolved += usize::from(plan.is_some());
                    let is_same = changes.iter().all(|it| it.effect == Effect::Noted);
                    assert_eq!(plan.is_none(), is_same);
                    send(client, plugin, direction, rng);
                }
            }
        }
    }
    if !cfg!(miri) {
        assert!(resolved > 500 && broken > 15, "{resolved} {broken}");
    }
}

fn read(text: &str) -> Table {
    Table::new(serde_json::from_str(text).unwrap()).unwrap()
}

fn plan(client: &str, plugin: &str, direction: Direction) -> Plan {
    let (client, plugin) = (read(client), read(plugin));
    let ty = TypeRef::Ref(0);
    Plan::new((&client, &ty), (&plugin, &ty), direction)
        .unwrap()
        .unwrap()
}

const SHAPES: &str = r#"[{"name":"Shape","enum":{"open":true,"variants":[{"name":"Dot"},{"name":"Circle","fields":[{"name":"radius","type":"u8"}]}]}}]"#;
const MORE_SHAPES: &str = r#"[{"name":"Shape","enum":{"open":true,"variants":[{"name":"Line","tuple":["string",{"list":"f64"}]},{"name":"Circle","fields":[{"name":"radius","type":"u8"}]},{"name":"Dot"}]}}]"#;

#[test]
fn a_variant_that_an_open_enum_s_client_does_not_know_becomes_the_unknown_one() {
    let plan = plan(SHAPES, MORE_SHAPES, Direction::Response);
    assert_eq!(plan.resolve(&[2, 0]).unwrap(), [0, 0]);
    assert_eq!(plan.resolve(&[1, 0, 7]).unwrap(), [1, 0, 7]);
    // What is behind it is gone through, and left out.
    let mut line = vec![0, 0, 1, 0, 0, 0, b'x', 1, 0, 0, 0, 0, 0, 0, 0, 0];
    line.extend_from_slice(&1.5_f64.to_le_bytes());
    assert_eq!(plan.resolve(&line).unwrap(), UNKNOWN_VARIANT.to_le_bytes());
    line[6] = 0xff;
    let problem = plan.resolve(&line).unwrap_err();
    assert_eq!((&*problem.path, problem.position), ("Line.0", 6));
}

#[test]
fn the_unknown_variant_is_refused_where_a_client_writes_it() {
    let lists = |shapes: &str| {
        let list = r#"[{"name":"List","record":[{"name":"shapes","type":{"list":{"ref":1}}}]},"#;
        shapes.replacen('[', list, 1)
    };
    let plan = plan(&lists(SHAPES), &lists(MORE_SHAPES), Direction::Request);
    let problem = plan.resolve(&[2, 0, 0, 0, 0, 0, 0xff, 0xff]).unwrap_err();
    assert_eq!((&*problem.path, problem.position), ("shapes[1]", 6));
    assert!(problem.message.contains("found number 65535"), "{problem}");
}

#[test]
fn a_key_is_not_made_the_unknown_variant() {
    let map = |variants: &str| {
        read(&format!(
            r#"[{{"name":"Map","newtype":{{"map":[{{"ref":1}},"u8"]}}}},{{"name":"Key","enum":{{"open":true,"variants":[{variants}]}}}}]"#
        ))
    };
    let (client, plugin) = (map(r#"{"name":"A"}"#), map(r#"{"name":"A"},{"name":"B"}"#));
    let ty = TypeRef::Ref(0);
    let told = Plan::new((&client, &ty), (&plugin, &ty), Direction::Response).unwrap_err();
    assert!(told[0].breaks() && told[0].path == "[key]", "{told:?}");
    assert!(Plan::new((&client, &ty), (&plugin, &ty), Direction::Request).is_ok());
    // As a key it breaks also where it was met before, and doesn't where it's met behind.
    let both = TypeRef::Tuple(vec![TypeRef::Ref(1), TypeRef::Ref(0), TypeRef::Ref(1)]);
    let told = compare((&client, &both), (&plugin, &both), Direction::Response);
    let breaking: Vec<&str> = told
        .iter()
        .filter(|change| change.breaks())
        .map(|change| &*change.path)
        .collect();
    assert_eq!(breaking, ["1[key]"]);
}

#[test]
fn what_a_plugin_leaves_out_and_its_client_always_has_is_refused() {
    let field = |default: bool| {
        format!(r#"[{{"name":"A","record":[{{"name":"a","type":"u8","default":{default}}}]}}]"#)
    };
    let plan = plan(&field(false), &field(true), Direction::Response);
    assert_eq!(plan.resolve(&[1, 5]).unwrap(), [5]);
    let problem = plan.resolve(&[0]).unwrap_err();
    assert_eq!((&*problem.path, problem.position), ("a", 0));
}

/// A record of a byte, with more fields.
fn record(more: &str) -> String {
    format!(
        r#"[{{"name":"A","record":[{{"name":"a","type":"u8"}}{more}]}},{{"name":"Colour","enum":{{"variants":[{{"name":"red"}},{{"name":"green"}}]}}}}]"#
    )
}

#[test]
fn a_default_value_is_left_out_for_a_plugin_without_the_field_and_another_value_is_refused() {
    let more = r#",{"name":"limit","type":"u16","default":true,"default_value":5},{"name":"colour","type":{"ref":1},"default":true,"default_value":"green"}"#;
    let plan = plan(&record(more), &record(""), Direction::Request);
    assert_eq!(plan.resolve(&[9, 1, 5, 0, 1, 1, 0]).unwrap(), [9]);
    assert_eq!(plan.resolve(&[9, 0, 0]).unwrap(), [9]);
    let problem = plan.resolve(&[9, 1, 6, 0, 1, 1, 0]).unwrap_err();
    assert_eq!((&*problem.path, problem.reason), ("limit", Reason::Lacking));
    let problem = plan.resolve(&[9, 1, 5, 0, 1, 0, 0]).unwrap_err();
    assert_eq!(
        (&*problem.path, problem.reason),
        ("colour", Reason::Lacking)
    );
    let problem = plan.resolve(&[9, 1, 5]).unwrap_err();
    assert_eq!(
        (&*problem.path, problem.reason),
        ("limit", Reason::Malformed)
    );
}

#[test]
fn a_client_reads_its_default_value_from_a_plugin_without_the_field() {
    let more = r#",{"name":"limit","type":"u16","default":true,"default_value":5},{"name":"points","type":{"list":"f64"},"default":true,"default_value":[]}"#;
    let plan = plan(&record(more), &record(""), Direction::Response);
    // The items of the list would begin at a multiple of 8.
    let expected = [9, 1, 5, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    assert_eq!(plan.resolve(&[9]).unwrap(), expected);
}

#[test]
fn another_default_value_needs_no_plan() {
    let more = |value: u8| {
        format!(r#",{{"name":"limit","type":"u16","default":true,"default_value":{value}}}"#)
    };
    let (client, plugin) = (read(&record(&more(5))), read(&record(&more(6))));
    let ty = TypeRef::Ref(0);
    for direction in [Direction::Request, Direction::Response] {
        let (client, plugin) = ((&client, &ty), (&plugin, &ty));
        assert_eq!(Plan::new(client, plugin, direction), Ok(None));
        let changes = compare(client, plugin, direction);
        assert_eq!(changes.len(), 1);
        assert_eq!(changes[0].effect, Effect::Noted);
        assert_eq!(
            changes[0].to_string(),
            "at `limit`: the default value is 5 for the client, and 6 in the plugin"
        );
    }
}

#[test]
fn a_decimal_number_is_refused_as_by_any_reader() {
    let number = r#",{"name":"b","type":"decimal"}"#;
    let more = r#",{"name":"b","type":"decimal"},{"name":"c","type":"u8"}"#;
    let message = |text: &str| {
        let count = u32::try_from(text.len()).unwrap().to_le_bytes();
        [&[9], &count[..], text.as_bytes()].concat()
    };
    // The receiver has the number, or leaves it out.
    for (client, plugin, rest) in [(number, more, 1), ("", number, 0)] {
        let plan = plan(&record(client), &record(plugin), Direction::Response);
        let resolve = |text: &str| plan.resolve(&[message(text), vec![7; rest]].concat());
        for text in ["0", "-0", "12.50", "-001.0", &"9".repeat(1000)] {
            let kept = if rest == 1 { message(text) } else { vec![9] };
            assert_eq!(resolve(text).unwrap(), kept);
        }
        let long = "9".repeat(1001);
        for text in [
            "", "-", "--1", "1.", ".1", "1.2.3", "+1", "1e3", "NaN", "\u{661}", &long,
        ] {
            let problem = resolve(text).unwrap_err();
            let told = (&*problem.path, problem.position, problem.reason);
            assert_eq!(told, ("b", 1, Reason::Malformed), "{text}");
            assert!(
                problem.message.contains("a decimal number consists of"),
                "{problem}"
            );
        }
    }
    let text = read(&record(&number.replace("decimal", "string")));
    let plugin = (&text, &TypeRef::Ref(0));
    let decimal = read(&record(number));
    assert!(Plan::new((&decimal, &TypeRef::Ref(0)), plugin, Direction::Request).is_err());
}

#[test]
fn a_message_is_as_deep_as_readers_allow() {
    let tree = |more: &str| {
        format!(
            r#"[{{"name":"Tree","record":[{{"name":"children","type":{{"list":{{"ref":0}}}}}}{more}]}}]"#
        )
    };
    let more = r#",{"name":"name","type":{"option":"string"}}"#;
    let plan = plan(&tree(""), &tree(more), Direction::Request);
    let nested = |levels: usize| {
        let mut message = [1_u32.to_le_bytes(); 1].concat().repeat(levels - 1);
        message.extend_from_slice(&0_u32.to_le_bytes());
        message
    };
    assert_eq!(plan.resolve(&nested(128)).unwrap().len(), 128 * 5);
    let problem = plan.resolve(&nested(129)).unwrap_err();
    assert!(problem.message.contains("deeper than 128"), "{problem}");
    assert_eq!(problem.path.matches("children[0]").count(), 128);
}

#[test]
fn a_message_that_grows_too_large_is_told_so() {
    let record = |more: &str| {
        format!(
            r#"[{{"name":"A","newtype":{{"list":{{"ref":1}}}}}},{{"name":"B","record":[{{"name":"a","type":"u8"}}{more}]}}]"#
        )
    };
    let more = r#",{"name":"b","type":{"option":"u8"}}"#;
    let plan = plan(&record(""), &record(more), Direction::Request);
    // Each of so many records becomes twice as long.
    let message = [&600_u32.to_le_bytes()[..], &[0; 600]].concat();
    assert!(run::run(&plan, &message, 2000).is_ok());
    let problem = run::run(&plan, &message, 1000).unwrap_err();
    assert_eq!(problem.reason, Reason::TooLarge, "{problem}");
}

fn errors(variants: &str, name: &str) -> Table {
    read(&format!(
        r#"[{{"name":"{name}","enum":{{"variants":[{variants}]}}}}]"#
    ))
}

fn payload(name: &str, value: &[u8]) -> Vec<u8> {
    let mut payload = [1_u32.to_le_bytes(), 5_u32.to_le_bytes()].concat();
    for text in ["it failed", name] {
        payload.extend_from_slice(&(text.len() as u32).to_le_bytes());
        payload.extend_from_slice(text.as_bytes());
    }
    payload.resize(payload.len().next_multiple_of(8), 0);
    payload.extend_from_slice(value);
    payload
}

#[test]
fn errors_become_the_client_s_or_go_without_a_type() {
    let client = errors(
        r#"{"name":"Full"},{"name":"Gone","tuple":["u8"]}"#,
        "Failure",
    );
    let plugin = errors(
        r#"{"name":"Lost","tuple":["u8"]},{"name":"Gone","tuple":["u8"]},{"name":"Full"}"#,
        "StoreError",
    );
    let ty = TypeRef::Ref(0);
    assert!(
        compare((&client, &ty), (&plugin, &ty), Direction::Response)
            .iter()
            .any(Change::breaks)
    );
    let (client, plugin) = ((&client, Some(&ty)), (&plugin, Some(&ty)));
    let plan = ErrorPlan::new(client, plugin);
    let resolve = |name: &str, value: &[u8]| plan.resolve(&payload(name, value)).unwrap();
    assert_eq!(
        resolve("StoreError.Gone", &[1, 0, 7]),
        ResolvedPayload::Typed(payload("Failure.Gone", &[1, 0, 7]))
    );
    assert_eq!(
        resolve("StoreError.Full", &[2, 0]),
        ResolvedPayload::Typed(payload("Failure.Full", &[0, 0]))
    );
    let untyped = |name: &str| ResolvedPayload::Untyped {
        message: "it failed".to_owned(),
        type_name: name.to_owned(),
    };
    assert_eq!(
        resolve("StoreError.Lost", &[0, 0, 7]),
        untyped("StoreError.Lost")
    );
    assert_eq!(resolve("StoreErrors.X", &[0, 0]), untyped("StoreErrors.X"));
    // A client that knows no type, a plugin that has none, and what has no type.
    let none = ErrorPlan::new((client.0, None), plugin);
    assert_eq!(
        none.resolve(&payload("StoreError.Full", &[2, 0])),
        Ok(untyped("StoreError.Full"))
    );
    let none = ErrorPlan::new(client, (plugin.0, None));
    let bytes = payload("StoreError.Full", &[2, 0]);
    assert_eq!(none.resolve(&bytes), Ok(ResolvedPayload::Same));
    for same in [&b"{}"[..], b"", &2_u32.to_le_bytes()] {
        assert_eq!(plan.resolve(same), Ok(ResolvedPayload::Same));
    }
    // Where it's cut, it's none.
    for end in 1..bytes.len() {
        assert!(plan.resolve(&bytes[..end]).is_err(), "{end}");
    }
}

#[test]
fn plans_are_made_of_types_that_lie_as_deep_in_each_other_as_they_may() {
    // Each has arrays of arrays of the next, as deep as both kinds of nesting may be.
    let deep = |last: &str| {
        let types: Vec<String> = (1..=60)
            .map(|next| {
                let inside = match next {
                    60 => last.to_owned(),
                    next => {
                        let (begin, end) = (r#"{"array":["#.repeat(40), ",1]}".repeat(40));
                        format!(r#"{{"name":"a","type":{begin}{{"ref":{next}}}{end}}}"#)
                    }
                };
                format!(r#"{{"name":"T{next}","record":[{inside}]}}"#)
            })
            .collect();
        Table::new(serde_json::from_str(&format!("[{}]", types.join(","))).unwrap()).unwrap()
    };
    let client = deep(r#"{"name":"x","type":"u8"},{"name":"y","type":"u8"}"#);
    let plugin = deep(r#"{"name":"y","type":"u8"},{"name":"x","type":"u8"}"#);
    // A thread of a host's, some of whose stack is used already.
    let planned = std::thread::Builder::new()
        .stack_size(256 << 10)
        .spawn(move || {
            let ty = TypeRef::Ref(0);
            Plan::new((&client, &ty), (&plugin, &ty), Direction::Request)
        });
    let plan = planned.unwrap().join().unwrap().unwrap().unwrap();
    assert_eq!(plan.resolve(&[1, 2]).unwrap(), [2, 1]);
}

#[test]
fn many_variants_are_found_by_name_and_not_each_with_each() {
    let shape = |places: &mut dyn Iterator<Item = u32>| {
        let variants: Vec<String> = places
            .map(|place| format!(r#"{{"name":"variant{place:05}"}}"#))
            .collect();
        let text = format!(
            r#"[{{"name":"A","enum":{{"variants":[{}]}}}}]"#,
            variants.join(",")
        );
        Table::new(serde_json::from_str(&text).unwrap()).unwrap()
    };
    let (client, plugin) = (shape(&mut (0..65_535)), shape(&mut (0..65_535).rev()));
    let ty = TypeRef::Ref(0);
    let plan = Plan::new((&client, &ty), (&plugin, &ty), Direction::Request);
    let plan = plan.unwrap().unwrap();
    assert_eq!(plan.resolve(&[0, 0]).unwrap(), 65_534_u16.to_le_bytes());
}
