//! A plugin as a loaded library has it: one instance alone leaves threads unmarked, and still everything is attributed.
//! A program of its own with one test, because instances of tests that run at the same time wouldn't be alone.

#[expect(dead_code, reason = "this test uses a part of the host")]
#[path = "author/host/mod.rs"]
mod host;

use std::sync::{Arc, Barrier};

use host::{Loaded, Logged, Options};
use rustbridge::prelude::*;
use rustbridge_abi::{Encoding, RB_LOG_ERROR, RB_LOG_INFO, RB_OK};

#[derive(Default)]
struct Lone {
    gate: Gate,
}

/// Two meetings of the test with a handler that runs.
#[derive(Clone)]
struct Gate(Arc<[Barrier; 2]>);

/// The gate of the next instance; only this file's one test makes any.
static NEXT: std::sync::Mutex<Option<Gate>> = std::sync::Mutex::new(None);

impl Default for Gate {
    fn default() -> Gate {
        NEXT.lock().unwrap().clone().unwrap()
    }
}

#[plugin(name = "lone", export = false)]
impl Lone {
    pub fn say(&self, request: String) {
        info!("{request}");
    }

    pub fn note(&self) {
        info!("noted");
    }

    pub fn unmarked_thread(&self) {
        std::thread::spawn(|| info!("from an unmarked thread"))
            .join()
            .unwrap();
    }

    pub fn boom(&self) {
        panic!("boom")
    }

    pub fn stay(&self) {
        self.gate.0[0].wait();
        self.gate.0[1].wait();
        info!("stayed");
    }
}

fn messages(logged: &[Logged]) -> Vec<&str> {
    logged
        .iter()
        .map(|record| record.message.as_str())
        .collect()
}

fn load(level: u32) -> Loaded {
    Loaded::with::<Lone>(&Options {
        linked: false,
        level,
        ..Options::default()
    })
}

#[test]
fn records_find_their_instance_while_others_come_and_go() {
    let gate = Gate(Arc::new([Barrier::new(2), Barrier::new(2)]));
    *NEXT.lock().unwrap() = Some(gate.clone());
    let first = load(RB_LOG_INFO);
    let _ = first.json("say", "\"alone\"");
    let _ = first.json("unmarked_thread", "");
    assert_eq!(
        messages(&first.logged()),
        ["alone", "from an unmarked thread"]
    );
    assert!(first.json("boom", "").panicked);
    assert_eq!(first.logged()[0].target, "lone::panic");

    // A call that began while its instance was alone is still that instance's when another one has come.
    let second = std::thread::scope(|scope| {
        let running = scope.spawn(|| first.json("stay", ""));
        gate.0[0].wait();
        let second = load(RB_LOG_INFO);
        let _ = second.json("say", "\"the second\"");
        gate.0[1].wait();
        let _ = running.join().unwrap();
        second
    });
    assert_eq!(messages(&first.logged()), ["stayed"]);
    assert_eq!(messages(&second.logged()), ["the second"]);

    let _ = first.json("say", "\"to the first\"");
    let _ = second.json("say", "\"to the second\"");
    assert_eq!(messages(&first.logged()), ["to the first"]);
    assert_eq!(messages(&second.logged()), ["to the second"]);

    // Whichever way it's called.
    let note = first.entry("note", Encoding::Json);
    assert_eq!(first.call_without_response(note), RB_OK);
    assert_eq!(second.call_without_response(note), RB_OK);
    assert_eq!(messages(&first.logged()), ["noted"]);
    assert_eq!(messages(&second.logged()), ["noted"]);
    #[cfg(feature = "async")]
    {
        let _ = first.start_json("note", "").over();
        let _ = second.start_json("note", "").over();
        assert_eq!(messages(&first.logged()), ["noted"]);
        assert_eq!(messages(&second.logged()), ["noted"]);
    }

    // The one that's left is alone again.
    let _ = first.destroy();
    let _ = second.json("unmarked_thread", "");
    assert_eq!(messages(&second.logged()), ["from an unmarked thread"]);

    let third = load(RB_LOG_ERROR);
    let _ = third.json("say", "\"not wanted\"");
    assert!(third.logged().is_empty() && second.logged().is_empty());
    assert!(third.json("boom", "").panicked);
    assert_eq!(messages(&third.logged()), ["boom"]);
    assert!(second.logged().is_empty());
}
