//! What gRPC over loopback and other bridges need for the same work in the same run.

use super::facts::{Facts, Seen, lane, timed};
use super::model::{Cell, Section, Table, Tone};
use super::names::DRAWN;
use crate::catalogue::{Entry, Lane};
use crate::charts::{Bar, Bars, Chart, Role};
use crate::{Measure, words};

pub(super) fn chapter(facts: &Facts<'_>) -> Section {
    let mut section = Section::new("grpc", "Against gRPC");
    section.text(
        "The same work asked of a gRPC server in Rust by each language's own client: a warm channel, one blocking unary call \
         at a time. `pinned` means that client and server share one core, which is gRPC's best case for one caller. The ratio is \
         that of the fastest kind.",
    );
    for (place, seen) in facts.runs.iter().enumerate() {
        // The summary begins with the first two of the first run.
        let drawn = DRAWN.iter().skip(if place == 0 { 2 } else { 0 });
        section.charts(
            drawn
                .map(|scenario| beside(facts, seen, scenario))
                .collect(),
        );
    }
    for seen in &facts.runs {
        section.table(table(facts, seen));
    }
    section
}

/// Ours, the floor and gRPC for one scenario in every lane.
pub(super) fn beside(facts: &Facts<'_>, seen: &Seen<'_>, scenario: &str) -> Option<Chart> {
    let mut bars = Bars::default();
    for lane in facts.lanes() {
        let Some(ours) = seen.ours(scenario, lane, 1) else {
            continue;
        };
        let bar = |label: &str, measure: Option<&Measure>, role| {
            measure.map(|measure| Bar {
                label: label.into(),
                ns: measure.median(),
                role,
            })
        };
        let bars_of_lane = [
            bar("floor", seen.floor(ours), Role::Floor),
            bar("ours", Some(ours), Role::Ours),
            bar("gRPC", seen.best_grpc(scenario, &lane.host), Role::Other),
        ];
        bars.group(
            facts.title(lane),
            bars_of_lane.into_iter().flatten().collect(),
        );
    }
    Chart::bars(format!("`{scenario}`, {}", seen.label), bars)
}

/// How many times as long gRPC takes, by scenario and lane, where both were measured.
pub(super) fn factors<'a>(facts: &Facts<'a>, seen: &Seen<'a>) -> Vec<(&'a Entry, &'a Lane, f64)> {
    let mut factors = Vec::new();
    for entry in &facts.catalogue.entries {
        for lane in facts.lanes() {
            let ours = seen.ours(&entry.name, lane, 1);
            let best = seen.best_grpc(&entry.name, &lane.host);
            let factor = ours
                .zip(best)
                .and_then(|(ours, best)| words::ratio(best.median(), ours.median()));
            factors.extend(factor.map(|factor| (entry, lane, factor)));
        }
    }
    factors
}

fn table(facts: &Facts<'_>, seen: &Seen<'_>) -> Table {
    let kinds = seen.grpc_kinds();
    let columns: Vec<&str> = ["Scenario", "Language", "Ours", "gRPC / ours"]
        .into_iter()
        .chain(kinds.iter().copied())
        .collect();
    let mut table = Table::new(format!("Ours and gRPC, {}", seen.label), &columns).with_words(&[1]);
    if kinds.is_empty() {
        return table;
    }
    for (entry, lane, factor) in factors(facts, seen) {
        let best = seen.best_grpc(&entry.name, &lane.host).map(Measure::median);
        let mut cells = vec![
            Cell::code(&entry.name),
            Cell::text(facts.title(lane)),
            facts.ours(&mut table, seen, &entry.name, lane, 1),
            Cell::text(words::times(factor)).tone(if factor < 1.0 {
                Tone::Bad
            } else {
                Tone::Plain
            }),
        ];
        for kind in kinds {
            let cell = facts.grpc(&mut table, seen, &entry.name, &lane.host, kind);
            let is_best = seen
                .get(&entry.name, &lane.host, "", kind, 1)
                .map(Measure::median)
                == best;
            cells.push(if is_best { cell.tone(Tone::Best) } else { cell });
        }
        table.row(cells);
    }
    for lane in facts.lanes() {
        let without = facts.catalogue.grpc.without.get(&lane.host);
        if let Some(why) = without {
            let mut cells = vec![
                Cell::text("all"),
                Cell::text(facts.title(lane)),
                table.empty("The tables of every scenario have it."),
            ];
            cells.push(table.empty(why));
            cells.extend(kinds.iter().map(|_| Cell::default()));
            table.row(cells);
        }
    }
    table
}

/// The chapter of the other bridges, which are measured when asked for.
pub(super) fn peers(facts: &Facts<'_>) -> Section {
    let mut section = Section::new("peers", "Against other bridges");
    let mut any = false;
    for seen in &facts.runs {
        let peers = seen.peers(facts.catalogue);
        if peers.is_empty() {
            continue;
        }
        any = true;
        let columns = [
            "Scenario",
            "Language",
            "Peer",
            "Peer's time",
            "Ours",
            "Peer / ours",
        ];
        let mut table = Table::new(
            format!(
                "Peers and the fastest lane of ours in the language, {}",
                seen.label
            ),
            &columns,
        )
        .with_words(&[1, 2]);
        for peer in peers {
            let cells = beside_peer(facts, seen, peer, &mut table);
            table.row(cells);
        }
        section.table(table);
    }
    if any {
        section.blocks.insert(
            0,
            super::model::Block::Text(
                "The same work by other ways from the language into Rust, measured in the same run with `--peers`; their \
                 versions are among those above."
                    .into(),
            ),
        );
    } else {
        for seen in &facts.runs {
            section.text(match seen.run.missing.get("peers") {
                Some(why) => format!("{}: {}", seen.label, super::facts::sentence(why)),
                None => format!(
                    "{}: measured without `--peers`, which adds them.",
                    seen.label
                ),
            });
        }
    }
    section
}

fn beside_peer(facts: &Facts<'_>, seen: &Seen<'_>, peer: &Measure, table: &mut Table) -> Vec<Cell> {
    let fastest = |host: &str| {
        let lanes = facts.lanes().filter(|known| known.host == host);
        let lanes =
            lanes.filter(|known| peer.transport.is_empty() || known.transport == peer.transport);
        let all = lanes.filter_map(|known| seen.ours(&peer.scenario, known, peer.threads));
        all.min_by(|a, b| a.median().total_cmp(&b.median()))
    };
    let mut ours = fastest(&peer.host);
    if ours.is_none() && peer.host == "kotlin" {
        // Kotlin's own lane has typed clients; whatever else it calls is Java's.
        ours = fastest("java");
    }
    let (figure, factor) = match ours {
        Some(ours) => {
            let cell = timed(ours).under(facts.title(&lane(ours)));
            let factor = words::ratio(peer.median(), ours.median());
            (
                cell,
                factor.map(|factor| {
                    Cell::text(words::times(factor)).tone(if factor < 1.0 {
                        Tone::Bad
                    } else {
                        Tone::Plain
                    })
                }),
            )
        }
        None => (table.empty("Ours wasn't measured in this run."), None),
    };
    let factor = factor.unwrap_or_else(|| table.empty("One of the two figures is missing."));
    vec![
        Cell::code(&peer.scenario),
        Cell::text(&peer.host),
        Cell::text(&peer.subject),
        timed(peer),
        figure,
        factor,
    ]
}
