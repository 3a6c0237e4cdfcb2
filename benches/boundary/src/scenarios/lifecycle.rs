//! Loading, one call, closing. While a scenario is measured an instance of the plugin lives, so that its code is mapped.

use std::cell::Cell;
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use rustbridge_core::Load;

use super::subjects::HELLO;
use crate::libraries::library;
use crate::{Scenario, Subject};

const ECHO: &str = r#"{"message":"hello"}"#;

pub fn scenarios() -> Vec<Scenario> {
    vec![
        Scenario::new("load, call, close: mapped before", HELLO).ours(|_| {
            let path = library(HELLO);
            Subject::timed(move || cycle(Load::path(&path)))
        }),
        Scenario::new("load, call, close: not mapped yet", HELLO)
            .lasting()
            .ours(|_| {
                let copies = Copies::new();
                Subject::timed(move || cycle(Load::path(copies.next())))
            }),
    ]
}

fn cycle(load: Load) -> Duration {
    let start = Instant::now();
    let plugin = load.open().expect("hello-plugin loads");
    let reply = plugin.call("echo", ECHO).expect("echo answers");
    assert!(!reply.is_empty());
    drop(reply);
    let closed = plugin.close(Duration::from_secs(1));
    closed.expect("nothing is running");
    start.elapsed()
}

/// Libraries never seen before: bytes after the end of an executable file change its content and nothing else.
struct Copies {
    original: Vec<u8>,
    folder: PathBuf,
    made: Cell<u64>,
}

impl Copies {
    fn new() -> Copies {
        let name = format!("rustbridge-lifecycle-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(&folder).expect("a temporary folder");
        Copies {
            original: fs::read(library(HELLO)).expect("hello-plugin is readable"),
            folder,
            made: Cell::new(0),
        }
    }

    fn next(&self) -> PathBuf {
        self.made.set(self.made.get() + 1);
        let mut image = self.original.clone();
        image.extend_from_slice(&self.made.get().to_le_bytes());
        let copy = self.folder.join("plugin");
        fs::write(&copy, image).expect("the copy is writable");
        copy
    }
}

impl Drop for Copies {
    fn drop(&mut self) {
        // What can't be removed is left to the system, which empties that folder.
        let _ = fs::remove_dir_all(&self.folder);
    }
}
