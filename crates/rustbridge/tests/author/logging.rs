//! What a plugin says reaches the log of the right instance.

use rustbridge::prelude::*;
use rustbridge_abi::{
    RB_LOG_DEBUG, RB_LOG_ERROR, RB_LOG_INFO, RB_LOG_OFF, RB_LOG_TRACE, RB_LOG_WARN,
    RB_RECORD_EVENT, RB_RECORD_SPAN,
};
use serde_json::json;

use crate::host::{Loaded, Logged, Options};

#[derive(Message)]
struct Config {
    name: String,
}

struct Talker {
    name: String,
    host: Host,
}

#[plugin(name = "talker", export = false)]
impl Talker {
    pub fn create(config: Config, host: Host) -> Talker {
        info!(name = config.name, "created");
        Talker {
            name: config.name,
            host,
        }
    }

    pub fn say(&self) {
        error!("an error");
        warn!("a warning");
        info!(number = 1, wide = u128::MAX, negative = -5, ratio = 0.5, not = f64::NAN, flag = true, name = self.name, debug = ?Some(1), "some {}", "info");
        debug!("a detail");
        trace!("a step");
    }

    pub fn spans(&self) {
        let outer = tracing::info_span!("outer", a = 1, b = tracing::field::Empty);
        let _outer = outer.enter();
        outer.record("b", "later");
        let inner = tracing::debug_span!("inner", c = self.name);
        let _inner = inner.enter();
        info!("inside");
    }

    pub fn talkative_value(&self) {
        let span = tracing::info_span!("outer", first = 1, value = tracing::field::Empty);
        let _inside = span.enter();
        span.record("value", tracing::field::debug(Talkative));
        span.record("first", 2);
    }

    pub fn thread(&self) {
        let host = self.host.clone();
        std::thread::Builder::new()
            .name("worker".into())
            .spawn(move || host.in_scope(|| info!("from a thread")))
            .unwrap()
            .join()
            .unwrap();
    }

    pub fn moved_span(&self) {
        let span = tracing::info_span!("moved");
        std::thread::spawn(move || span.in_scope(|| info!("in the span")))
            .join()
            .unwrap();
    }

    pub fn failing(&self) {
        let error = std::io::Error::other("the disk is gone");
        error!(
            error = &error as &(dyn std::error::Error + 'static),
            "failed"
        );
    }

    pub fn boom(&self) {
        panic!("boom")
    }

    pub fn enabled(&self, call: &Call) -> Vec<bool> {
        Level::ALL
            .iter()
            .map(|level| call.host().log_enabled(*level))
            .collect()
    }
}

/// A value that says something while it is recorded.
struct Talkative;

impl std::fmt::Debug for Talkative {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        info!("being formatted");
        f.write_str("talkative")
    }
}

impl Drop for Talker {
    fn drop(&mut self) {
        info!("dropped");
    }
}

fn talker(name: &str, level: u32) -> Loaded {
    let config = json!({"name": name}).to_string();
    Loaded::with::<Talker>(&Options {
        config: &config,
        level,
        ..Options::default()
    })
}

fn messages(logged: &[Logged]) -> Vec<&str> {
    logged
        .iter()
        .map(|record| record.message.as_str())
        .collect()
}

#[test]
fn a_record_has_all_that_the_event_had() {
    let talker = talker("t", RB_LOG_INFO);
    let created = talker.logged();
    assert_eq!(messages(&created), ["created"]);
    assert_eq!(created[0].fields, json!({"name": "t"}));
    let _ = talker.json("say", "");
    let logged = talker.logged();
    assert_eq!(messages(&logged), ["an error", "a warning", "some info"]);
    assert_eq!(
        [logged[0].level, logged[1].level, logged[2].level],
        [RB_LOG_ERROR, RB_LOG_WARN, RB_LOG_INFO]
    );
    let record = &logged[2];
    assert_eq!(
        record.fields,
        json!({"number": 1, "wide": u128::MAX.to_string(), "negative": -5, "ratio": 0.5, "not": "NaN", "flag": true, "name": "t", "debug": "Some(1)"})
    );
    assert_eq!(record.kind, RB_RECORD_EVENT);
    assert_eq!(record.target, "author::logging");
    assert!(
        record.file.ends_with("logging.rs")
            && record.line > 0
            && record.time_unix_ns > 1_700_000_000_000_000_000
    );
    assert_eq!(record.thread, std::thread::current().name().unwrap());
}

#[test]
fn a_value_that_logs_while_a_span_records_it_is_recorded() {
    // On a thread of its own: what goes wrong here is that it never ends.
    let (send, received) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let talker = talker("t", RB_LOG_INFO);
        let _ = talker.logged();
        let _ = talker.json("talkative_value", "");
        send.send(talker.logged()).unwrap();
    });
    let logged = received
        .recv_timeout(std::time::Duration::from_secs(20))
        .unwrap();
    assert_eq!(messages(&logged), ["being formatted", "outer"]);
    assert_eq!(logged[1].fields, json!({"first": 2, "value": "talkative"}));
}

#[test]
fn each_level_lets_through_itself_and_what_is_more_urgent() {
    let talker = talker("t", RB_LOG_OFF);
    for (level, count) in [
        (RB_LOG_OFF, 0),
        (RB_LOG_ERROR, 1),
        (RB_LOG_WARN, 2),
        (RB_LOG_INFO, 3),
        (RB_LOG_DEBUG, 4),
        (RB_LOG_TRACE, 5),
        (RB_LOG_ERROR, 1),
    ] {
        talker.set_level(level);
        let _ = talker.json("say", "");
        assert_eq!(talker.logged().len(), count);
        let enabled: Vec<bool> = serde_json::from_slice(&talker.json("enabled", "").bytes).unwrap();
        assert_eq!(enabled.iter().filter(|on| **on).count(), count);
    }
}

#[test]
fn spans_are_named_in_events_and_reported_when_they_end() {
    let talker = talker("t", RB_LOG_DEBUG);
    let _ = talker.logged();
    let _ = talker.json("spans", "");
    let logged = talker.logged();
    let summary: Vec<_> = logged
        .iter()
        .map(|record| (record.kind, record.message.as_str()))
        .collect();
    assert_eq!(
        summary,
        [
            (RB_RECORD_EVENT, "inside"),
            (RB_RECORD_SPAN, "inner"),
            (RB_RECORD_SPAN, "outer")
        ]
    );
    let outer = json!({"name": "outer", "fields": {"a": 1, "b": "later"}});
    assert_eq!(
        logged[0].spans,
        json!([outer, {"name": "inner", "fields": {"c": "t"}}])
    );
    assert_eq!(
        (&logged[1].fields, &logged[1].spans),
        (&json!({"c": "t"}), &json!([outer]))
    );
    assert_eq!(logged[2].spans, json!(null));
    assert!(logged[2].duration_ns >= logged[1].duration_ns && logged[1].duration_ns > 0);
}

#[test]
fn two_instances_have_their_own_levels_and_records() {
    let (quiet, chatty) = (
        talker("quiet", RB_LOG_ERROR),
        talker("chatty", RB_LOG_TRACE),
    );
    let _ = chatty.logged();
    std::thread::scope(|scope| {
        for talker in [&quiet, &chatty] {
            scope.spawn(move || {
                for _ in 0..200 {
                    let _ = talker.json("say", "");
                }
            });
        }
    });
    let (quiet, chatty) = (quiet.logged(), chatty.logged());
    assert_eq!((quiet.len(), chatty.len()), (200, 1000));
    assert!(
        chatty
            .iter()
            .all(|record| record.fields.is_null() || record.fields["name"] == "chatty")
    );
    assert!(quiet.iter().all(|record| record.level == RB_LOG_ERROR));
}

#[test]
fn a_thread_of_the_plugins_own_is_attributed_by_its_scope_or_span() {
    let (first, second) = (talker("first", RB_LOG_INFO), talker("second", RB_LOG_INFO));
    let _ = (first.logged(), second.logged());
    let _ = first.json("thread", "");
    let _ = second.json("moved_span", "");
    let (first, second) = (first.logged(), second.logged());
    assert_eq!(
        (messages(&first), first[0].thread.as_str()),
        (vec!["from a thread"], "worker")
    );
    assert_eq!(messages(&second), ["in the span", "moved"]);
}

#[test]
fn an_error_is_told_with_its_causes() {
    let talker = talker("t", RB_LOG_ERROR);
    let _ = talker.json("failing", "");
    assert_eq!(
        talker.logged()[0].fields,
        json!({"error": "the disk is gone"})
    );
}

#[test]
fn a_panic_is_logged_with_its_place() {
    let talker = talker("t", RB_LOG_ERROR);
    let answer = talker.json("boom", "");
    assert!(answer.panicked);
    let logged = talker.logged();
    assert_eq!(logged.len(), 1);
    let record = &logged[0];
    assert_eq!(
        (
            record.target.as_str(),
            record.message.as_str(),
            record.level
        ),
        ("talker::panic", "boom", RB_LOG_ERROR)
    );
    assert!(record.file.ends_with("logging.rs"));
    assert_eq!(answer.json()["details"]["line"], record.line);
}

#[test]
fn the_destructor_is_heard() {
    let talker = talker("t", RB_LOG_INFO);
    let sink = talker.sink();
    let _ = talker.destroy();
    assert_eq!(messages(&sink.take()), ["created", "dropped"]);
}
