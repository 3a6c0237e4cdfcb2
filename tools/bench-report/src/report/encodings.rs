//! Binary against JSON.

use super::facts::{Facts, Seen, difference};
use super::model::{Cell, Section, Table};
use super::names::{BINARY, ECHO, SAME_AS_JSON};
use crate::charts::{Bar, Bars, Chart, Role};
use crate::words;

pub(super) fn chapter(facts: &Facts<'_>) -> Section {
    let mut section = Section::new("encodings", "Binary against JSON");
    section.text(
        "The same work in both encodings: `bench.small` with a struct of 76 bytes and with the JSON text of the same fields. \
         The echo's column is what tables usually compare a struct with, though it's other work.",
    );
    for seen in &facts.runs {
        let mut bars = Bars::default();
        for lane in facts.lanes_of(BINARY) {
            let bar = |scenario: &str, label: &str, role| {
                let ours = seen.ours(scenario, lane, 1)?;
                Some(Bar {
                    label: label.into(),
                    ns: ours.median(),
                    role,
                })
            };
            let both = [
                bar(BINARY, "binary", Role::Ours),
                bar(SAME_AS_JSON, "JSON", Role::Other),
            ];
            bars.group(facts.title(lane), both.into_iter().flatten().collect());
        }
        section.charts(vec![Chart::bars(
            format!("The same work, {}", seen.label),
            bars,
        )]);
        section.table(table(facts, seen));
    }
    section
}

fn table(facts: &Facts<'_>, seen: &Seen<'_>) -> Table {
    let columns = [
        "Language",
        "Binary",
        "JSON, same work",
        "JSON / binary",
        "JSON echo",
        "Echo / binary",
    ];
    let mut table = Table::new(format!("Binary against JSON, {}", seen.label), &columns);
    for lane in facts.lanes_of(BINARY) {
        let over = |table: &mut Table, scenario: &str| {
            let (Some(json), Some(binary)) =
                (seen.ours(scenario, lane, 1), seen.ours(BINARY, lane, 1))
            else {
                return table.empty("One of the two figures is missing.");
            };
            match words::ratio(json.median(), binary.median()) {
                Some(ratio) => {
                    Cell::text(words::times(ratio)).under(match difference(json, binary) {
                        super::facts::Difference::None => "within the spread",
                        _ => "",
                    })
                }
                None => table.empty("The binary call takes no measurable time."),
            }
        };
        let cells = vec![
            Cell::text(facts.title(lane)),
            facts.ours(&mut table, seen, BINARY, lane, 1),
            facts.ours(&mut table, seen, SAME_AS_JSON, lane, 1),
            over(&mut table, SAME_AS_JSON),
            facts.ours(&mut table, seen, ECHO, lane, 1),
            over(&mut table, ECHO),
        ];
        table.row_unless_empty(cells);
    }
    table
}
