//! Typed clients beside whatever else gives a language types for a call into Rust.

use std::collections::BTreeSet;

use super::facts::{Difference, Facts, Seen, difference, is_wine, timed};
use super::model::{Cell, Section, Table, Tone};
use crate::budgets::{Verdict, worst};
use crate::catalogue::{Entry, Lane};
use crate::charts::{Bar, Bars, Chart, Role};
use crate::{Measure, words};

/// The group whose scenarios are drawn, and the variant by which the other groups' scenarios are among these.
const TYPED: &str = "typed";

pub(super) fn chapter(facts: &Facts<'_>) -> Section {
    with(facts, true)
}

/// The table alone.
pub(super) fn in_short(facts: &Facts<'_>) -> Section {
    with(facts, false)
}

/// With charts it's all there is; without, what was measured under Wine is left out, which says nothing of a client.
fn with(facts: &Facts<'_>, charts: bool) -> Section {
    let mut section = Section::new("typed", "Typed clients side by side");
    let peers = peers(facts);
    for seen in &facts.runs {
        let table = table(facts, seen, &peers);
        if table.rows.is_empty() || (!charts && is_wine(seen.run)) {
            continue;
        }
        if charts {
            let drawn = facts.group(TYPED);
            let drawn = drawn.map(|entry| chart(facts, seen, entry, &peers));
            section.charts(drawn.collect());
        }
        section.table(table);
    }
    if !section.is_empty() {
        let text = "Classes in, classes out: a generated client, the floor (a call with the same types whose codec was written by hand for \
             these), the bridges that generate types or let one write them, and the fastest kind of gRPC, all in the same language and the \
             same run. Below a time stands how many times ours it is; marked is what takes less than ours by more than the spread, \
             and what of ours is over its budget.";
        section
            .blocks
            .insert(0, super::model::Block::Text(text.into()));
    }
    section
}

/// What has types as clients have them: the peers of the group's scenarios.
fn peers<'a>(facts: &Facts<'a>) -> Vec<&'a str> {
    let all = facts.group(TYPED).flat_map(|entry| entry.who.peers.keys());
    let names: BTreeSet<&str> = all.map(String::as_str).collect();
    names.into_iter().collect()
}

fn entries<'a>(facts: &Facts<'a>) -> impl Iterator<Item = &'a Entry> {
    let is_typed = |entry: &&Entry| entry.group == TYPED || entry.variant.as_deref() == Some(TYPED);
    facts.catalogue.entries.iter().filter(is_typed)
}

fn chart(facts: &Facts<'_>, seen: &Seen<'_>, entry: &Entry, peers: &[&str]) -> Option<Chart> {
    let mut bars = Bars::default();
    for lane in facts.lanes_of(&entry.name) {
        let Some(ours) = seen.ours(&entry.name, lane, 1) else {
            continue;
        };
        let bar = |label: &str, measure: Option<&Measure>, role| {
            measure.map(|measure| Bar {
                label: label.into(),
                ns: measure.median(),
                role,
            })
        };
        let mut of_lane = vec![
            bar("floor", seen.floor(ours), Role::Floor),
            bar("ours", Some(ours), Role::Ours),
        ];
        let others = peers.iter();
        of_lane.extend(others.map(|peer| bar(peer, theirs(seen, entry, lane, peer), Role::Other)));
        let grpc = seen.best_grpc(&entry.base, &lane.host);
        of_lane.push(bar("gRPC", grpc, Role::Other));
        bars.group(facts.title(lane), of_lane.into_iter().flatten().collect());
    }
    Chart::bars(format!("`{}`, {}", entry.name, seen.label), bars)
}

/// A peer's row in the lane's language, which is that of the scenario without its variant.
fn theirs<'a>(seen: &Seen<'a>, entry: &Entry, lane: &Lane, peer: &str) -> Option<&'a Measure> {
    seen.get(&entry.base, &lane.host, "", peer, 1)
}

fn table(facts: &Facts<'_>, seen: &Seen<'_>, peers: &[&str]) -> Table {
    let columns: Vec<&str> = ["Scenario", "Language", "Ours", "Floor"]
        .into_iter()
        .chain(peers.iter().copied())
        .chain(["gRPC"])
        .collect();
    let caption = format!("Typed clients and others, {}", seen.label);
    let mut table = Table::new(caption, &columns).with_words(&[1]);
    for entry in entries(facts) {
        for lane in facts.lanes_of(&entry.name) {
            let Some(ours) = seen.ours(&entry.name, lane, 1) else {
                continue;
            };
            let over = worst(&facts.budgets.judge(seen.run, ours)) == Some(Verdict::Over);
            let mut cells = vec![
                Cell::code(&entry.name),
                Cell::text(facts.title(lane)),
                match over {
                    true => timed(ours).under("over budget").tone(Tone::Bad),
                    false => timed(ours),
                },
            ];
            cells.push(match seen.floor(ours) {
                // Nothing is to be faster than the floor, so that's no bad news.
                Some(floor) => timed(floor).under(times(floor, ours)),
                None => facts.over_floor(&mut table, seen, &entry.name, lane, 1),
            });
            for peer in peers {
                cells.push(match theirs(seen, entry, lane, peer) {
                    Some(theirs) => against(theirs, ours),
                    None => table.empty(&no_peer(facts, seen, entry, lane, peer)),
                });
            }
            cells.push(match seen.best_grpc(&entry.base, &lane.host) {
                Some(grpc) => against(grpc, ours),
                None => table.empty(&facts.no_grpc(seen, &entry.base, &lane.host)),
            });
            table.row(cells);
        }
    }
    table
}

fn times(theirs: &Measure, ours: &Measure) -> String {
    let ratio = words::ratio(theirs.median(), ours.median());
    ratio.map(words::times).unwrap_or_default()
}

fn against(theirs: &Measure, ours: &Measure) -> Cell {
    let cell = timed(theirs).under(times(theirs, ours));
    match difference(theirs, ours) {
        Difference::Less(_) => cell.tone(Tone::Bad),
        Difference::More(_) | Difference::None => cell,
    }
}

fn no_peer(facts: &Facts<'_>, seen: &Seen<'_>, entry: &Entry, lane: &Lane, peer: &str) -> String {
    let base = facts.catalogue.entry(&entry.base);
    let hosts_of = |entry: &Entry| entry.who.peers.get(peer).cloned().unwrap_or_default();
    if base.is_some_and(|base| hosts_of(base).contains(&lane.host)) {
        return seen.missing(&[&format!("{peer} from {}", lane.host), "peers"]);
    }
    if facts
        .group(TYPED)
        .any(|entry| hosts_of(entry).contains(&lane.host))
    {
        return facts.catalogue.peers.otherwise.clone();
    }
    format!("`{peer}` isn't measured from this language.")
}
