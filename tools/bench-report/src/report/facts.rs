//! What the chapters ask: a measure of a run, why there is none, and whether two of them differ at all.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::model::{Cell, Table, Tone};
use crate::budgets::Budgets;
use crate::catalogue::{Entry, Lane};
use crate::predecessor::Predecessor;
use crate::results::{DIRECT, FLOOR, GRPC, OURS};
use crate::words;
use crate::{Catalogue, Measure, Run};

/// Everything a report is made of.
#[derive(Clone, Debug)]
pub struct Sources {
    /// The scenarios.
    pub catalogue: Catalogue,
    /// What they may cost.
    pub budgets: Budgets,
    /// What they cost before.
    pub predecessor: Predecessor,
    /// The runs to be reported, in any order.
    pub runs: Vec<Run>,
}

/// The sources, ordered and indexed.
pub struct Facts<'a> {
    /// The scenarios.
    pub catalogue: &'a Catalogue,
    /// What they may cost.
    pub budgets: &'a Budgets,
    /// What they cost before.
    pub predecessor: &'a Predecessor,
    /// The runs, in the order in which a reader meets them.
    pub runs: Vec<Seen<'a>>,
}

type Key<'a> = (&'a str, &'a str, &'a str, &'a str, u32);

/// One run, and what it's called.
pub struct Seen<'a> {
    /// The run.
    pub run: &'a Run,
    /// Its platform, and as much more as tells it from the others.
    pub label: String,
    measures: HashMap<Key<'a>, &'a Measure>,
    grpc_kinds: Vec<&'a str>,
}

/// Whether a platform is Windows' interface on another system's kernel.
#[must_use]
pub fn is_wine(run: &Run) -> bool {
    run.machine.platform.to_lowercase().contains("wine")
}

impl<'a> Facts<'a> {
    /// Orders and indexes the sources. The order of the runs is that of their content, whatever the order they came in.
    #[must_use]
    pub fn new(sources: &'a Sources) -> Facts<'a> {
        let mut runs: Vec<&Run> = sources.runs.iter().collect();
        // What nobody runs for its own sake comes last.
        let order = |run: &Run| {
            let machine = &run.machine;
            let head = (
                is_wine(run),
                machine.platform.clone(),
                machine.name.clone(),
                run.began.clone(),
            );
            (head, serde_json::to_string(run).unwrap_or_default())
        };
        runs.sort_by_cached_key(|run| order(run));
        runs.dedup();
        let labels = labels(&runs);
        let seen = runs.into_iter().zip(labels).map(|(run, label)| {
            let key = |measure: &'a Measure| {
                let lane = (measure.host.as_str(), measure.transport.as_str());
                (
                    measure.scenario.as_str(),
                    lane.0,
                    lane.1,
                    measure.subject.as_str(),
                    measure.threads,
                )
            };
            let measures = run
                .measures
                .iter()
                .map(|measure| (key(measure), measure))
                .collect();
            let subjects = run.measures.iter().map(|measure| measure.subject.as_str());
            let kinds: BTreeSet<&str> = subjects
                .filter(|subject| subject.starts_with(GRPC))
                .collect();
            Seen {
                run,
                label,
                measures,
                grpc_kinds: kinds.into_iter().collect(),
            }
        });
        Facts {
            catalogue: &sources.catalogue,
            budgets: &sources.budgets,
            predecessor: &sources.predecessor,
            runs: seen.collect(),
        }
    }

    /// The lanes, in the catalogue's order.
    pub fn lanes(&self) -> impl Iterator<Item = &'a Lane> + use<'a> {
        self.catalogue.lanes.iter().map(|title| &title.name)
    }

    /// Those that measure a scenario, whatever a run has of it: tables of a few scenarios have no lines for others.
    pub fn lanes_of(&self, scenario: &str) -> impl Iterator<Item = &'a Lane> + use<'a> {
        let measuring = self.catalogue.entry(scenario);
        let lanes = measuring.map_or(&[][..], |entry| &entry.who.lanes);
        self.lanes().filter(|lane| lanes.contains(lane))
    }

    /// Why a run has no figure of ours there.
    #[must_use]
    pub fn why_not(&self, seen: &Seen<'_>, scenario: &str, lane: &Lane, threads: u32) -> String {
        let Some(entry) = self.catalogue.entry(scenario) else {
            return "The catalogue has no such scenario.".into();
        };
        if let Some(why) = self.catalogue.why_not(entry, lane) {
            return sentence(why);
        }
        let planned = entry
            .who
            .threads
            .get(lane)
            .is_some_and(|threads_of_lane| threads_of_lane.contains(&threads));
        if threads > 1 && !planned {
            return "The catalogue has this work for one thread only.".into();
        }
        seen.missing(&[&lane.to_string(), &lane.host, &self.harness(lane)])
    }

    fn harness(&self, lane: &Lane) -> String {
        let known = self
            .catalogue
            .lanes
            .iter()
            .find(|title| title.name == *lane);
        known.map(|title| title.harness.clone()).unwrap_or_default()
    }

    /// What one lane needs for a scenario, or why nobody knows.
    #[must_use]
    pub fn ours(
        &self,
        table: &mut Table,
        seen: &Seen<'a>,
        scenario: &str,
        lane: &Lane,
        threads: u32,
    ) -> Cell {
        match seen.ours(scenario, lane, threads) {
            Some(measure) => timed(measure),
            None => table.empty(&self.why_not(seen, scenario, lane, threads)),
        }
    }

    /// How many times the floor that is, or why nobody knows.
    #[must_use]
    pub fn over_floor(
        &self,
        table: &mut Table,
        seen: &Seen<'a>,
        scenario: &str,
        lane: &Lane,
        threads: u32,
    ) -> Cell {
        let Some(ours) = seen.ours(scenario, lane, threads) else {
            return table.empty(&self.why_not(seen, scenario, lane, threads));
        };
        match seen.floor_ratio(ours) {
            Some(ratio) => Cell::text(words::times(ratio)),
            None => table.empty(&self.no_floor(seen, scenario, lane)),
        }
    }

    fn no_floor(&self, seen: &Seen<'_>, scenario: &str, lane: &Lane) -> String {
        let who = self.catalogue.entry(scenario).map(|entry| &entry.who);
        let planned = who.is_some_and(|who| {
            who.floors
                .as_ref()
                .is_none_or(|floors| floors.contains(lane))
        });
        match who.and_then(|who| who.no_floor.as_deref()) {
            Some(why) if !planned => sentence(why),
            _ => seen.missing(&["floor", &lane.to_string(), &lane.host]),
        }
    }

    /// gRPC's figure of that kind, or why there is none.
    #[must_use]
    pub fn grpc(
        &self,
        table: &mut Table,
        seen: &Seen<'a>,
        scenario: &str,
        host: &str,
        subject: &str,
    ) -> Cell {
        if let Some(measure) = seen.get(scenario, host, "", subject, 1) {
            return timed(measure);
        }
        let is_pinned = self.catalogue.grpc.pinned.iter().any(|it| it == subject);
        let entry = self.catalogue.entry(scenario);
        if is_pinned && entry.is_some_and(|entry| !entry.who.grpc_pinned) {
            return table.empty("Client and server share one core in a few scenarios only.");
        }
        table.empty(&self.no_grpc(seen, scenario, host))
    }

    /// Why there is no gRPC beside a host's figure.
    #[must_use]
    pub fn no_grpc(&self, seen: &Seen<'_>, scenario: &str, host: &str) -> String {
        let entry = self.catalogue.entry(scenario);
        if let Some(why) = entry.and_then(|entry| self.catalogue.why_no_grpc(entry, host)) {
            return sentence(why);
        }
        seen.missing(&["grpc", host])
    }

    /// The entries of a group, base scenarios and variants.
    pub fn group(&self, name: &str) -> impl Iterator<Item = &'a Entry> + use<'a> {
        let name = name.to_owned();
        self.catalogue
            .entries
            .iter()
            .filter(move |entry| entry.group == name)
    }

    /// A scenario and those of its variants that somebody measures.
    pub fn variants(&self, base: &str) -> impl Iterator<Item = &'a Entry> + use<'a> {
        let base = base.to_owned();
        self.catalogue
            .entries
            .iter()
            .filter(move |entry| entry.base == base)
    }

    /// What a reader calls a lane, without the comma that would get lost among those of a list.
    #[must_use]
    pub fn title(&self, lane: &Lane) -> String {
        self.catalogue.title(lane).replace(", ", " ")
    }
}

impl<'a> Seen<'a> {
    /// The measure of a subject: the lane's own, or that which stands beside all lanes of the host.
    #[must_use]
    pub fn get(
        &self,
        scenario: &str,
        host: &str,
        transport: &str,
        subject: &str,
        threads: u32,
    ) -> Option<&'a Measure> {
        let of = |transport| {
            self.measures
                .get(&(scenario, host, transport, subject, threads))
                .copied()
        };
        of(transport).or_else(|| of(""))
    }

    /// Ours in a lane.
    #[must_use]
    pub fn ours(&self, scenario: &str, lane: &Lane, threads: u32) -> Option<&'a Measure> {
        self.get(scenario, &lane.host, &lane.transport, OURS, threads)
    }

    /// The hand-written call beside one of ours.
    #[must_use]
    pub fn floor(&self, ours: &Measure) -> Option<&'a Measure> {
        self.get(
            &ours.scenario,
            &ours.host,
            &ours.transport,
            FLOOR,
            ours.threads,
        )
    }

    /// How many times its floor one of ours takes.
    #[must_use]
    pub fn floor_ratio(&self, ours: &Measure) -> Option<f64> {
        self.floor(ours)
            .and_then(|floor| words::ratio(ours.median(), floor.median()))
    }

    /// The same work as a call from Rust to Rust.
    #[must_use]
    pub fn direct(&self, scenario: &str) -> Option<&'a Measure> {
        self.get(scenario, "rust", "", DIRECT, 1)
    }

    /// The kinds of gRPC that were measured, in order.
    #[must_use]
    pub fn grpc_kinds(&self) -> &[&'a str] {
        &self.grpc_kinds
    }

    /// The fastest kind of gRPC for that work in that language.
    #[must_use]
    pub fn best_grpc(&self, scenario: &str, host: &str) -> Option<&'a Measure> {
        let kinds = self.grpc_kinds.iter();
        let all = kinds
            .into_iter()
            .filter_map(|kind| self.get(scenario, host, "", kind, 1));
        all.min_by(|a, b| a.median().total_cmp(&b.median()))
    }

    /// All of ours, in the order of the catalogue.
    pub fn all_ours(&self, catalogue: &'a Catalogue) -> Vec<&'a Measure> {
        let mut all: Vec<&Measure> = self
            .measures
            .values()
            .copied()
            .filter(|measure| measure.subject == OURS)
            .collect();
        sort(&mut all, catalogue);
        all
    }

    /// Those that are neither ours nor floors, direct calls or gRPC, in the order of the catalogue.
    pub fn peers(&self, catalogue: &'a Catalogue) -> Vec<&'a Measure> {
        let others = |measure: &&Measure| {
            let subject = measure.subject.as_str();
            ![OURS, FLOOR, DIRECT].contains(&subject) && !subject.starts_with(GRPC)
        };
        let mut all: Vec<&Measure> = self.measures.values().copied().filter(others).collect();
        sort(&mut all, catalogue);
        all
    }

    /// What the run says is missing, under the first of those names that it knows.
    #[must_use]
    pub fn missing(&self, names: &[&str]) -> String {
        let said = names
            .iter()
            .find_map(|name| self.run.missing.get(*name).map(|why| (name, why)));
        match said {
            Some((name, why)) => sentence(&format!("missing in this run ({name}): {why}")),
            None => "Not measured in this run.".into(),
        }
    }
}

/// In the order of the catalogue, then by name: a map has none of its own.
fn sort(measures: &mut [&Measure], catalogue: &Catalogue) {
    let places: BTreeMap<&str, usize> = catalogue
        .entries
        .iter()
        .enumerate()
        .map(|(place, entry)| (entry.name.as_str(), place))
        .collect();
    let lanes: BTreeMap<&Lane, usize> = catalogue
        .lanes
        .iter()
        .enumerate()
        .map(|(place, title)| (&title.name, place))
        .collect();
    measures.sort_by_cached_key(|measure| {
        let lane = lane(measure);
        let place = |known: Option<&usize>| known.copied().unwrap_or(usize::MAX);
        (
            place(places.get(measure.scenario.as_str())),
            measure.scenario.clone(),
            place(lanes.get(&lane)),
            lane,
            measure.subject.clone(),
            measure.threads,
        )
    });
}

/// The lane of a measure.
#[must_use]
pub fn lane(measure: &Measure) -> Lane {
    Lane {
        host: measure.host.clone(),
        transport: measure.transport.clone(),
    }
}

/// What tells the runs from one another.
fn labels(runs: &[&Run]) -> Vec<String> {
    let all = |run: &Run| {
        let machine = &run.machine;
        [
            machine.platform.clone(),
            format!("{} ({})", machine.platform, machine.name),
            format!("{} ({}, {})", machine.platform, machine.name, run.began),
            format!(
                "{} ({}, {}, {})",
                machine.platform, machine.name, run.began, run.commit
            ),
        ]
    };
    let spellings: Vec<_> = runs.iter().map(|run| all(run)).collect();
    let length = (0..4).find(|&length| {
        let mut used: Vec<&String> = spellings.iter().map(|of_run| &of_run[length]).collect();
        used.sort_unstable();
        used.windows(2).all(|pair| pair[0] != pair[1])
    });
    spellings
        .into_iter()
        .map(|of_run| of_run[length.unwrap_or(3)].clone())
        .collect()
}

/// A median, with its spread for who asks.
#[must_use]
pub fn timed(measure: &Measure) -> Cell {
    Cell {
        title: spread(measure),
        ..Cell::text(words::time(measure.median()))
    }
}

/// The quartiles: `16.1–17.0 ns`.
#[must_use]
pub fn spread(measure: &Measure) -> String {
    let (low, high) = measure.quartiles();
    let (low, high) = (words::time(low), words::time(high));
    match (low.split_once(' '), high.split_once(' ')) {
        (Some((low, unit)), Some((high, same))) if unit == same => format!("{low}–{high} {unit}"),
        _ => format!("{low}–{high}"),
    }
}

/// How one measure compares with another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Difference {
    /// The quartiles overlap: the spread is larger than what sets them apart.
    None,
    /// It takes less time, by that share of the other's.
    Less(f64),
    /// It takes more time, by that share of the other's.
    More(f64),
}

/// Compares medians, unless the ranges between the quartiles overlap.
#[must_use]
pub fn difference(this: &Measure, other: &Measure) -> Difference {
    let ((this_low, this_high), (other_low, other_high)) = (this.quartiles(), other.quartiles());
    let share = (this.median() - other.median()) / other.median();
    if (this_low <= other_high && other_low <= this_high) || !share.is_finite() {
        Difference::None
    } else if share < 0.0 {
        Difference::Less(-share)
    } else {
        Difference::More(share)
    }
}

impl Difference {
    /// `−17.8 %`, or `no difference`.
    #[must_use]
    pub fn cell(self) -> Cell {
        match self {
            Difference::None => Cell::text("no difference"),
            Difference::Less(share) => Cell::text(words::percent(-share)).tone(Tone::Plain),
            Difference::More(share) => Cell::text(words::percent(share)),
        }
    }
}

/// With a capital and a full stop, unless it has them. Names stay as they're written: `jstring`, gRPC.
#[must_use]
pub fn sentence(text: &str) -> String {
    let text = text.trim();
    let mut letters = text.chars();
    let Some(first) = letters.next() else {
        return String::new();
    };
    let end = if text.ends_with(['.', '!', '?']) {
        ""
    } else {
        "."
    };
    let word = text.split(' ').next().unwrap_or_default();
    let is_name = word.contains(|c: char| c.is_uppercase() || c == '`' || c == '_');
    let first = if is_name {
        first.to_string()
    } else {
        first.to_uppercase().to_string()
    };
    format!("{first}{}{end}", letters.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measure(ns: &[f64]) -> Measure {
        Measure {
            scenario: "s".into(),
            host: "c".into(),
            transport: "t".into(),
            subject: OURS.into(),
            threads: 1,
            ns: ns.to_vec(),
            single: None,
            alloc_bytes: None,
            harness: "h".into(),
        }
    }

    #[test]
    fn what_lies_within_the_spread_is_no_difference() {
        let slow = measure(&[10.0, 11.0, 12.0]);
        assert_eq!(
            difference(&measure(&[9.0, 10.9, 10.9]), &slow),
            Difference::None
        );
        assert_eq!(
            difference(&measure(&[5.5, 5.5, 5.5]), &slow),
            Difference::Less(0.5)
        );
        assert_eq!(difference(&measure(&[22.0]), &slow), Difference::More(1.0));
        assert_eq!(
            difference(&measure(&[0.0]), &measure(&[0.0])),
            Difference::None
        );
    }

    #[test]
    fn a_spread_names_its_unit_once() {
        assert_eq!(spread(&measure(&[10.0, 11.0, 12.0])), "10.5–11.5 ns");
        assert_eq!(spread(&measure(&[900.0, 1500.0])), "1.05–1.35 µs");
        assert_eq!(spread(&measure(&[900.0, 1200.0])), "975 ns–1.12 µs");
    }

    #[test]
    fn sentences_begin_and_end_as_such() {
        assert_eq!(sentence("segments are Java's"), "Segments are Java's.");
        assert_eq!(sentence("`span` is C#'s."), "`span` is C#'s.");
        assert_eq!(sentence("gRPC has none"), "gRPC has none.");
    }
}
