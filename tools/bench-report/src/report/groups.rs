//! Every scenario of the catalogue, group by group: what it is, and what it costs in every lane.

use super::facts::{Facts, Seen, sentence, timed};
use super::floors::no_direct;
use super::grpc::beside;
use super::model::{Cell, Section, Table, Tone};
use crate::budgets::{Verdict, worst};
use crate::catalogue::{Entry, Group, Lane};
use crate::{Measure, words};

/// Groups with a chapter of their own, with the scenarios that are drawn.
const OWN: [(&str, [&str; 2]); 2] = [
    ("metaffi", ["M primitive", "M string join"]),
    ("rpclib", ["get_answer", "get_structs"]),
];

pub(super) fn metaffi(facts: &Facts<'_>) -> Section {
    own(facts, 0)
}

pub(super) fn rpclib(facts: &Facts<'_>) -> Section {
    own(facts, 1)
}

fn own(facts: &Facts<'_>, index: usize) -> Section {
    let (name, drawn) = OWN[index];
    match facts
        .catalogue
        .groups
        .iter()
        .find(|group| group.name == name)
    {
        Some(group) => self::group(facts, group, &drawn),
        None => Section::default(),
    }
}

pub(super) fn others(facts: &Facts<'_>) -> Section {
    let mut section = Section::new("scenarios", "Every other scenario");
    let has_own = |group: &&Group| !OWN.iter().any(|(name, _)| *name == group.name);
    for group in facts.catalogue.groups.iter().filter(has_own) {
        section.part(self::group(facts, group, &[]));
    }
    section.part(strangers(facts));
    section
}

fn group(facts: &Facts<'_>, group: &Group, drawn: &[&str]) -> Section {
    let mut section = Section::new(format!("group-{}", group.name), &group.title);
    section.text(&group.about);
    section.text(
        "Below a time stands how many times its floor it is; red and marked is what is over its budget. gRPC's column is the fastest \
         kind of the fastest client.",
    );
    for seen in &facts.runs {
        section.charts(
            drawn
                .iter()
                .map(|scenario| beside(facts, seen, scenario))
                .collect(),
        );
    }
    for seen in &facts.runs {
        section.table(figures(facts, seen, group));
    }
    section.table(definitions(facts, group));
    section
}

fn definitions(facts: &Facts<'_>, group: &Group) -> Table {
    let columns = ["Scenario", "Work", "What the clock sees", "Unit"];
    let mut table =
        Table::new(format!("{}: what is measured", group.title), &columns).with_words(&[1, 2, 3]);
    for entry in facts.group(&group.name) {
        let same = entry.variant.is_some();
        let work = if same {
            format!("as `{}`", entry.base)
        } else {
            entry.work.clone()
        };
        table.row(vec![
            Cell::code(&entry.name),
            Cell::text(sentence(&work)),
            Cell::text(sentence(&entry.timed)),
            Cell::text(&entry.unit),
        ]);
    }
    table
}

fn figures(facts: &Facts<'_>, seen: &Seen<'_>, group: &Group) -> Table {
    let titles: Vec<String> = facts.lanes().map(|lane| facts.title(lane)).collect();
    let columns: Vec<&str> = ["Scenario"]
        .into_iter()
        .chain(titles.iter().map(String::as_str))
        .chain(["Direct", "gRPC"])
        .collect();
    let mut table = Table::new(format!("{}, {}", group.title, seen.label), &columns);
    for entry in facts.group(&group.name) {
        let mut cells = vec![Cell::code(&entry.name)];
        for lane in facts.lanes() {
            cells.push(ours(facts, &mut table, seen, entry, lane));
        }
        cells.push(match seen.direct(&entry.name) {
            Some(direct) => timed(direct),
            None => table.empty(&no_direct(facts, seen, entry)),
        });
        cells.push(fastest_grpc(facts, &mut table, seen, entry));
        table.row(cells);
    }
    table
}

fn ours(facts: &Facts<'_>, table: &mut Table, seen: &Seen<'_>, entry: &Entry, lane: &Lane) -> Cell {
    let cell = facts.ours(table, seen, &entry.name, lane, 1);
    let Some(ours) = seen.ours(&entry.name, lane, 1) else {
        return cell;
    };
    let ratio = seen.floor_ratio(ours).map(words::times).unwrap_or_default();
    match worst(&facts.budgets.judge(seen.run, ours)) {
        Some(Verdict::Over) => {
            let under = [ratio.as_str(), "over budget"]
                .into_iter()
                .filter(|text| !text.is_empty());
            cell.under(under.collect::<Vec<_>>().join(", "))
                .tone(Tone::Bad)
        }
        _ => cell.under(ratio),
    }
}

fn fastest_grpc(facts: &Facts<'_>, table: &mut Table, seen: &Seen<'_>, entry: &Entry) -> Cell {
    let hosts = &facts.catalogue.grpc.hosts;
    let all = hosts
        .iter()
        .filter_map(|host| seen.best_grpc(&entry.name, host));
    match all.min_by(|a, b| a.median().total_cmp(&b.median())) {
        Some(best) => timed(best).under(format!(
            "{}, {}",
            best.host,
            best.subject.trim_start_matches("grpc ")
        )),
        None => {
            // A host that ought to have measured it says more than one that has no client.
            let host = entry.who.grpc.first().or_else(|| hosts.first());
            let why = facts.no_grpc(seen, &entry.name, host.map_or("", String::as_str));
            table.empty(&why)
        }
    }
}

/// What a run measured and the catalogue doesn't know, so that nothing is lost.
fn strangers(facts: &Facts<'_>) -> Section {
    let mut section = Section::new("strangers", "Rows that the catalogue doesn't know");
    for seen in &facts.runs {
        let mut unknown: Vec<&Measure> = seen
            .run
            .measures
            .iter()
            .filter(|measure| facts.catalogue.entry(&measure.scenario).is_none())
            .collect();
        unknown.sort_by_key(|measure| measure.key());
        let columns = ["Scenario", "Language", "Subject", "Threads", "Median"];
        let mut table =
            Table::new(format!("Unknown rows, {}", seen.label), &columns).with_words(&[1, 2]);
        for measure in unknown {
            table.row(vec![
                Cell::code(&measure.scenario),
                Cell::text(facts.title(&super::facts::lane(measure))),
                Cell::text(&measure.subject),
                Cell::text(measure.threads.to_string()),
                timed(measure),
            ]);
        }
        section.table(table);
    }
    section
}
