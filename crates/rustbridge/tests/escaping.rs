//! What a safe author can do with what a handler is given, and is not expected to: hand it on, forget it, break it, panic with it.
//! Each call ends all the same, once, and nothing hangs.
#![cfg(feature = "async")]

use std::sync::Mutex;
use std::time::Duration;

use rustbridge::prelude::*;
use rustbridge_core::{Load, Plugin as Loaded};

/// How long a test waits for anything.
const LONG: Duration = Duration::from_secs(30);

/// What was read where the handler wasn't.
static READ: Mutex<Vec<std::sync::mpsc::Receiver<Vec<String>>>> = Mutex::new(Vec::new());

#[derive(Default)]
struct Escapes;

fn shown(item: Result<u64>) -> String {
    item.map_or_else(
        |error| error.type_name().to_owned(),
        |item| item.to_string(),
    )
}

#[plugin(name = "escapes", export = false)]
impl Escapes {
    /// Has a thread read, and doesn't wait for it.
    pub fn to_thread(&self, items: Items<u64>) -> u32 {
        let (send, read) = std::sync::mpsc::channel();
        std::thread::spawn(move || send.send(items.into_iter().map(shown).collect()));
        READ.lock().unwrap().push(read);
        1
    }

    /// Has a task read, and doesn't wait for it.
    pub async fn to_task(&self, mut items: Items<u64>) -> u32 {
        let (send, read) = std::sync::mpsc::channel();
        tokio::spawn(async move {
            let mut all = Vec::new();
            while let Some(item) = items.next().await {
                all.push(shown(item));
            }
            send.send(all)
        });
        READ.lock().unwrap().push(read);
        2
    }

    pub async fn forgets(&self, items: Items<u64>) -> u32 {
        std::mem::forget(items);
        tokio::time::sleep(Duration::from_millis(1)).await;
        3
    }
}

fn load<P: Plugin>(name: &str) -> Loaded {
    // SAFETY: a plugin of ours, whose entry point follows the ABI.
    let load = unsafe { Load::linked(rustbridge::entry_point::<P>(), name) };
    load.open().unwrap()
}

#[test]
fn items_that_are_read_elsewhere_end_with_the_call() {
    let plugin = load::<Escapes>("escapes");
    for method in ["to_thread", "to_task", "forgets"] {
        let method = plugin.method(method, Encoding::Json).unwrap();
        let (sender, mut answer) = method.send(b"");
        let answer = answer.wait_timeout(LONG).expect("an answer in time");
        answer.unwrap();
        drop(sender);
    }
    plugin.close(LONG).unwrap();
    let read = std::mem::take(&mut *READ.lock().unwrap());
    assert_eq!(read.len(), 2);
    for read in read {
        assert_eq!(read.recv_timeout(LONG).unwrap(), ["rustbridge.CallOver"]);
    }
}
