//! The measures that the catalogue promises, and their differences from a harness's own list.

use std::collections::BTreeSet;
use std::fmt;

use anyhow::{Context as _, Result, ensure};

use crate::catalogue::{Catalogue, Entry, Lane};
use crate::results::{DIRECT, FLOOR, GRPC, Measure, OURS};

/// The identity of a measure in a run.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Key {
    /// As in the catalogue, with the variant.
    pub scenario: String,
    /// The caller's language.
    pub host: String,
    /// Empty where the subject belongs to all lanes of the host.
    pub transport: String,
    /// `ours`, `floor`, `direct`, `grpc ..`, or a peer.
    pub subject: String,
    /// How many threads call at once.
    pub threads: u32,
}

/// As harnesses print it in their list mode: fields with tabs between them.
impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Key {
            scenario,
            host,
            transport,
            subject,
            threads,
        } = self;
        write!(f, "{scenario}\t{host}\t{transport}\t{subject}\t{threads}")
    }
}

impl Key {
    /// Reads a line of a harness's list.
    ///
    /// # Errors
    /// When it hasn't the five fields.
    pub fn parse(line: &str) -> Result<Key> {
        let fields: Vec<&str> = line.split('\t').collect();
        ensure!(
            fields.len() == 5,
            "`{line}` isn't scenario, host, transport, subject and threads with tabs between them"
        );
        Ok(Key {
            scenario: fields[0].into(),
            host: fields[1].into(),
            transport: fields[2].into(),
            subject: fields[3].into(),
            threads: fields[4]
                .trim_end()
                .parse()
                .with_context(|| format!("the number of threads in `{line}`"))?,
        })
    }

    /// Reads a harness's list. What has no tab in it is a tool's chatter and left out.
    ///
    /// # Errors
    /// When a line with a tab isn't one of the list, or when it stands there twice.
    pub fn parse_list(text: &str) -> Result<BTreeSet<Key>> {
        let mut keys = BTreeSet::new();
        for line in text.lines().filter(|line| line.contains('\t')) {
            ensure!(keys.insert(Key::parse(line)?), "`{line}` is listed twice");
        }
        Ok(keys)
    }

    /// Whether it's a peer's, which only `--peers` measures.
    #[must_use]
    pub fn is_peer(&self) -> bool {
        !matches!(self.subject.as_str(), OURS | FLOOR | DIRECT) && !self.subject.starts_with(GRPC)
    }
}

impl Measure {
    /// Its identity.
    #[must_use]
    pub fn key(&self) -> Key {
        Key {
            scenario: self.scenario.clone(),
            host: self.host.clone(),
            transport: self.transport.clone(),
            subject: self.subject.clone(),
            threads: self.threads,
        }
    }
}

/// The differences between a list and the catalogue.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Difference {
    /// Promised and not there.
    pub missing: Vec<Key>,
    /// There and not promised.
    pub invented: Vec<Key>,
}

impl Difference {
    /// Compares a list with the expected measures.
    #[must_use]
    pub fn between(expected: &BTreeSet<Key>, listed: &BTreeSet<Key>) -> Difference {
        Difference {
            missing: expected.difference(listed).cloned().collect(),
            invented: listed.difference(expected).cloned().collect(),
        }
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.missing.is_empty() && self.invented.is_empty()
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = [("missing", &self.missing), ("invented", &self.invented)];
        let lines = lines
            .iter()
            .flat_map(|(word, keys)| keys.iter().map(move |key| format!("{word}: {key}")));
        // Tabs would leave gaps where the transport is empty.
        f.write_str(&lines.collect::<Vec<_>>().join("\n").replace('\t', " | "))
    }
}

impl Catalogue {
    /// Every measure that a full run with all peers makes.
    #[must_use]
    pub fn expected(&self) -> BTreeSet<Key> {
        self.entries
            .iter()
            .flat_map(|entry| self.expected_of(entry))
            .collect()
    }

    /// The measures that a harness makes: those of its lanes; of `criterion` the direct calls, too; of `grpc` and
    /// `peers` what their names say.
    #[must_use]
    pub fn expected_from(&self, harness: &str) -> BTreeSet<Key> {
        let mut keys = self.expected();
        keys.retain(|key| self.harness_of(key).as_deref() == Some(harness));
        keys
    }

    /// Which harness makes a measure; nothing if the catalogue knows none.
    #[must_use]
    pub fn harness_of(&self, key: &Key) -> Option<String> {
        if key.subject.starts_with(GRPC) {
            return Some(GRPC.into());
        }
        if key.is_peer() {
            return Some("peers".into());
        }
        if key.subject == DIRECT {
            return Some("criterion".into());
        }
        let lane = self
            .lanes
            .iter()
            .find(|title| title.name.host == key.host && title.name.transport == key.transport);
        lane.map(|title| title.harness.clone())
    }

    fn expected_of(&self, entry: &Entry) -> Vec<Key> {
        let who = &entry.who;
        let key = |host: &str, transport: &str, subject: &str, threads: u32| Key {
            scenario: entry.name.clone(),
            host: host.into(),
            transport: transport.into(),
            subject: subject.into(),
            threads,
        };
        let of_lane =
            |lane: &Lane, subject, threads| key(&lane.host, &lane.transport, subject, threads);
        let floors = who.floors.as_ref().unwrap_or(&who.lanes);
        let mut keys = Vec::new();
        for lane in &who.lanes {
            keys.push(of_lane(lane, OURS, 1));
            if floors.contains(lane) {
                keys.push(of_lane(lane, FLOOR, 1));
            }
        }
        for (lane, numbers) in &who.threads {
            for &threads in numbers {
                keys.push(of_lane(lane, OURS, threads));
                if floors.contains(lane) {
                    keys.push(of_lane(lane, FLOOR, threads));
                }
            }
        }
        if who.direct {
            keys.push(key("rust", "", DIRECT, 1));
        }
        for host in &who.grpc {
            for subject in &self.grpc.subjects {
                let threads = [1].iter().chain(&who.grpc_threads);
                keys.extend(threads.map(|&threads| key(host, "", subject, threads)));
            }
            let pinned = self.grpc.pinned.iter().filter(|_| who.grpc_pinned);
            keys.extend(pinned.map(|subject| key(host, "", subject, 1)));
        }
        for (peer, hosts) in &who.peers {
            keys.extend(hosts.iter().map(|host| key(host, "", peer, 1)));
        }
        keys
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"
        [grpc]
        subjects = ["grpc tcp", "grpc unix"]
        pinned = ["grpc tcp pinned"]
        hosts = ["rust"]
        without = { java = "no client" }
        [[lane]]
        name = "rust/core"
        title = "Rust"
        harness = "criterion"
        [[lane]]
        name = "java/ffm"
        title = "Java, FFM"
        harness = "jmh"
        [[group]]
        name = "structs"
        title = "Structs"
        about = "Leaf methods."
        no_grpc = "fixed layouts"
        no_direct = "none"
        [[scenario]]
        name = "empty call"
        group = "structs"
        work = "nothing"
        timed = "the call"
        lanes = ["*/*"]
        threads = { "java/ffm" = [2] }
        floors = ["java/ffm"]
        no_floor = "none in Rust"
        direct = true
        grpc = ["rust"]
        grpc_pinned = true
        grpc_threads = [2]
        peers = { jna = ["java"] }
    "#;

    fn lines(keys: &BTreeSet<Key>) -> Vec<String> {
        keys.iter()
            .map(|key| key.to_string().replace('\t', "|"))
            .collect()
    }

    #[test]
    fn every_subject_of_every_lane_is_expected() {
        let catalogue = Catalogue::parse(TEXT).expect("it is complete");
        let from = |harness: &str| lines(&catalogue.expected_from(harness));
        assert_eq!(
            from("criterion"),
            ["empty call|rust||direct|1", "empty call|rust|core|ours|1"]
        );
        assert_eq!(
            from("jmh"),
            [
                "empty call|java|ffm|floor|1",
                "empty call|java|ffm|floor|2",
                "empty call|java|ffm|ours|1",
                "empty call|java|ffm|ours|2",
            ]
        );
        assert_eq!(
            from("grpc"),
            [
                "empty call|rust||grpc tcp|1",
                "empty call|rust||grpc tcp|2",
                "empty call|rust||grpc tcp pinned|1",
                "empty call|rust||grpc unix|1",
                "empty call|rust||grpc unix|2",
            ]
        );
        assert_eq!(from("peers"), ["empty call|java||jna|1"]);
        assert_eq!(catalogue.expected().len(), 12);
    }

    #[test]
    fn a_list_that_lacks_or_invents_is_told_by_name() {
        let catalogue = Catalogue::parse(TEXT).expect("it is complete");
        let list =
            "Picked up options\nempty call\trust\t\tdirect\t1\nfull call\trust\tcore\tours\t1\r\n";
        let listed = Key::parse_list(list).expect("it is a list");
        let difference = Difference::between(&catalogue.expected_from("criterion"), &listed);
        assert_eq!(
            difference.to_string(),
            "missing: empty call | rust | core | ours | 1\ninvented: full call | rust | core | ours | 1"
        );
        assert!(!difference.is_empty());
        let same = catalogue.expected_from("jmh");
        assert!(Difference::between(&same, &same).is_empty());
    }

    #[test]
    fn a_list_with_other_fields_or_with_a_line_twice_is_refused() {
        assert!(Key::parse_list("a\tb\n").is_err());
        assert!(Key::parse_list("a\tb\tc\td\tmany\n").is_err());
        let line = "a\tb\tc\td\t1\n";
        let error = Key::parse_list(&line.repeat(2)).expect_err("it is there twice");
        assert!(error.to_string().contains("twice"));
    }
}
