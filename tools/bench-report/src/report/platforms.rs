//! Platform against platform: the same rows on two machines or systems.

use super::facts::{Difference, Facts, Seen, difference, is_wine};
use super::model::{Block, Cell, Section, Table, Tone, id};
use super::names::{
    BINARY, BUILT, CONCURRENT, ECHO, EMPTY, ERROR, LATENCY, PAYLOADS, SAME_AS_JSON, THROUGHPUT,
};
use crate::catalogue::Lane;
use crate::{Measure, words};

/// The rows that are shown; the counts are of all that both runs have.
const SHOWN: [(&str, u32); 13] = [
    (EMPTY, 1),
    (BINARY, 1),
    (BUILT, 1),
    (SAME_AS_JSON, 1),
    (ECHO, 1),
    (LATENCY, 1),
    (THROUGHPUT.binary, 1),
    (THROUGHPUT.json, 1),
    (CONCURRENT.binary, 1),
    (CONCURRENT.json, 1),
    (BINARY, 4),
    (ECHO, 4),
    (ERROR, 1),
];

/// How one run compares with another over all rows of ours that both have.
pub(super) struct Tally {
    /// Rows in which the second run takes less time, more, or as much within the spread.
    pub less: usize,
    /// See `less`.
    pub more: usize,
    /// See `less`.
    pub same: usize,
}

impl Tally {
    pub(super) fn of(facts: &Facts<'_>, one: &Seen<'_>, other: &Seen<'_>) -> Tally {
        let mut tally = Tally {
            less: 0,
            more: 0,
            same: 0,
        };
        for ours in one.all_ours(facts.catalogue) {
            let lane = super::facts::lane(ours);
            let Some(theirs) = other.ours(&ours.scenario, &lane, ours.threads) else {
                continue;
            };
            match difference(theirs, ours) {
                Difference::None => tally.same += 1,
                Difference::Less(_) => tally.less += 1,
                Difference::More(_) => tally.more += 1,
            }
        }
        tally
    }

    pub(super) fn rows(&self) -> usize {
        self.less + self.more + self.same
    }
}

/// Every pair of real systems, and each that runs under Wine beside the first real one.
fn pairs<'b, 'a>(facts: &'b Facts<'a>) -> Vec<(&'b Seen<'a>, &'b Seen<'a>)> {
    let mut pairs = Vec::new();
    for (index, one) in facts.runs.iter().enumerate() {
        for other in &facts.runs[index + 1..] {
            if !is_wine(other.run) || (index == 0 && !is_wine(one.run)) {
                pairs.push((one, other));
            }
        }
    }
    pairs
}

pub(super) fn chapter(facts: &Facts<'_>) -> Section {
    let mut section = Section::new("platforms", "Platform against platform");
    let pairs = pairs(facts);
    if pairs.is_empty() {
        section.text("There is one run only, so nothing to compare it with.");
        return section;
    }
    section.text(
        "A difference counts from the first column. Where the ranges between the quartiles overlap there is no difference and no winner.",
    );
    for (one, other) in pairs {
        let title = format!("{} and {}", one.label, other.label);
        let mut part = Section::new(format!("platforms-{}", id(&title)), title);
        part.blocks.extend(circumstances(one, other));
        if !is_wine(other.run) {
            part.text(counted(facts, one, other));
        }
        for lane in facts.lanes() {
            part.table(table(facts, one, other, lane));
        }
        section.part(part);
    }
    section
}

fn circumstances(one: &Seen<'_>, other: &Seen<'_>) -> Option<Block> {
    if is_wine(other.run) {
        return Some(Block::Warning(format!(
            "{} isn't Windows: rows that touch the heap, the clock, threads or files mean nothing there, and no winner is \
             declared against it.",
            other.label
        )));
    }
    let (first, second) = (&one.run.machine, &other.run.machine);
    let mut differing = Vec::new();
    if first.cpu != second.cpu {
        differing.push(format!("processors ({} and {})", first.cpu, second.cpu));
    }
    if first.cores != second.cores {
        differing.push(format!(
            "numbers of cores ({} and {})",
            first.cores, second.cores
        ));
    }
    if one.run.commit != other.run.commit {
        differing.push(format!(
            "commits (`{}` and `{}`)",
            one.run.commit, other.run.commit
        ));
    }
    Some(if differing.is_empty() {
        Block::Text("Both were measured on the same processor, with the same number of cores and of the same commit.".into())
    } else {
        let what = words::list(&differing);
        Block::Warning(format!(
            "The runs have different {what}: a difference isn't the system's alone."
        ))
    })
}

fn counted(facts: &Facts<'_>, one: &Seen<'_>, other: &Seen<'_>) -> String {
    let tally = Tally::of(facts, one, other);
    format!(
        "Of {} figures of ours that both have, {} takes less time in {}, {} in {}, and {} don't differ.",
        tally.rows(),
        other.label,
        tally.less,
        one.label,
        tally.more,
        tally.same
    )
}

/// The difference and the winner of two figures, if there are two.
pub(super) fn verdict(
    table: &mut Table,
    (one, ours): (&Seen<'_>, Option<&Measure>),
    (other, theirs): (&Seen<'_>, Option<&Measure>),
) -> [Cell; 2] {
    let (Some(ours), Some(theirs)) = (ours, theirs) else {
        return [
            table.empty("One of the two figures is missing."),
            Cell::text("").tone(Tone::Empty),
        ];
    };
    let found = difference(theirs, ours);
    if is_wine(other.run) || is_wine(one.run) {
        let none = table.empty("No winner is declared against Wine.");
        return [found.cell(), none];
    }
    let winner = match found {
        Difference::None => "",
        Difference::Less(_) => &other.label,
        Difference::More(_) => &one.label,
    };
    [found.cell(), Cell::text(winner).tone(Tone::Good)]
}

fn table(facts: &Facts<'_>, one: &Seen<'_>, other: &Seen<'_>, lane: &Lane) -> Table {
    let columns = [
        "Scenario",
        one.label.as_str(),
        other.label.as_str(),
        "Difference",
        "Winner",
    ];
    let mut table = Table::new(facts.title(lane), &columns).with_words(&[4]);
    let rest = PAYLOADS.map(|name| (name, 1));
    for (scenario, threads) in SHOWN.into_iter().chain(rest) {
        let both = [one, other].map(|seen| seen.ours(scenario, lane, threads));
        if both.iter().all(Option::is_none) {
            continue;
        }
        let name = match threads {
            1 => Cell::code(scenario),
            threads => Cell::code(scenario).under(format!("{threads} threads")),
        };
        let mut cells = vec![
            name,
            facts.ours(&mut table, one, scenario, lane, threads),
            facts.ours(&mut table, other, scenario, lane, threads),
        ];
        cells.extend(verdict(&mut table, (one, both[0]), (other, both[1])));
        table.row(cells);
    }
    table
}
