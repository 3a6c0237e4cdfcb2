//! What docs/guide/logging.md shows of plugins.

use std::sync::mpsc;
use std::time::Duration;

use rustbridge::prelude::*;
use rustbridge_core::{Load, Record};

pub struct Index {
    host: Host,
}

#[plugin(name = "index", export = false)]
impl Index {
    pub fn create(host: Host) -> Index {
        Index { host }
    }

    /// Counts a page's words.
    pub fn count(&self, page: u64, text: String) -> usize {
        let span = tracing::info_span!("count", page);
        let _inside = span.enter();
        let words = text.split_whitespace().count();
        info!(words, "counted");
        if self.host.log_enabled(Level::Trace) {
            // Computed only for the log.
            let longest = text.split_whitespace().map(str::len).max();
            trace!(longest, "looked closer");
        }
        words
    }

    /// The same on a thread of its own.
    pub fn count_elsewhere(&self, text: String) -> Result<usize> {
        let host = self.host.clone();
        let count = move || {
            host.in_scope(|| {
                let words = text.split_whitespace().count();
                info!(words, "counted elsewhere");
                words
            })
        };
        let counted = std::thread::spawn(count).join();
        counted.map_err(|_| Error::internal("the thread panicked"))
    }
}

#[test]
fn records_reach_the_host_as_the_guide_says() {
    let (sent, records) = mpsc::channel();
    let sink = move |record: &Record<'_>| {
        let _ = sent.send([record.message(), record.fields(), record.spans()].join(" "));
    };
    // SAFETY: our own plugin's entry point.
    let index = unsafe { Load::linked(rustbridge::entry_point::<Index>(), "index") }
        .log(Level::Info, Box::new(sink))
        .open()
        .unwrap();
    index.call("count", r#"{"page":7,"text":"a b"}"#).unwrap();
    index.call("count_elsewhere", r#""a b c""#).unwrap();
    index.flush_logs(Duration::from_secs(10)).unwrap();
    let all: Vec<String> = records.try_iter().collect();
    assert!(
        all[0].starts_with(r#"counted {"words":2} [{"#),
        "{}",
        all[0]
    );
    assert!(all[0].contains(r#""fields":{"page":7}"#), "{}", all[0]);
    // The end of the span is a record, too.
    assert!(all[1].starts_with("count {"), "{}", all[1]);
    assert!(
        all[2].starts_with(r#"counted elsewhere {"words":3}"#),
        "{}",
        all[2]
    );
}
