//! Where, when, with what and how it was measured, and what's missing.

use std::collections::BTreeSet;

use super::facts::{Facts, Seen, is_wine};
use super::model::{Block, Cell, Section, Table};
use crate::words;

pub(super) fn chapter(facts: &Facts<'_>) -> Section {
    let mut section = Section::new("machines", "Machines and method");
    warnings(facts, &mut section);
    section.table(machines(facts));
    section.table(tools(facts));
    for seen in &facts.runs {
        let mut part = Section::new(
            format!("method-{}", super::model::id(&seen.label)),
            format!("How it was measured: {}", seen.label),
        );
        let points = |map: &std::collections::BTreeMap<String, String>| {
            map.iter()
                .map(|(name, what)| format!("{name}: {what}"))
                .collect::<Vec<_>>()
        };
        if !seen.run.method.is_empty() {
            part.blocks.push(Block::List(points(&seen.run.method)));
        }
        if !seen.run.missing.is_empty() {
            part.text("What this run lacks, and why:");
            part.blocks.push(Block::List(points(&seen.run.missing)));
        }
        section.part(part);
    }
    section
}

fn warnings(facts: &Facts<'_>, section: &mut Section) {
    for Seen { run, label, .. } in &facts.runs {
        if is_wine(run) {
            section.blocks.push(Block::Warning(format!(
                "{label} isn't Windows: Wine provides Windows' interface on another system's kernel. Its rows show that the \
                 Windows build works; rows that touch the heap, the clock, threads or files measure Wine and mean nothing, and \
                 no winner is declared against it."
            )));
        }
        if run.quick {
            section.blocks.push(Block::Warning(format!(
                "{label} was a quick look, which proves nothing."
            )));
        }
        if run.modified {
            section.blocks.push(Block::Warning(format!(
                "{label} was measured on files that differ from commit `{}`.",
                run.commit
            )));
        }
    }
}

/// A column for each run.
fn columns(facts: &Facts<'_>, caption: &str, first: &str) -> Table {
    let labels = facts.runs.iter().map(|seen| seen.label.as_str());
    let columns: Vec<&str> = [first].into_iter().chain(labels).collect();
    let words: Vec<usize> = (1..columns.len()).collect();
    Table::new(caption, &columns).with_words(&words)
}

/// What a run says of itself in one cell.
type Property = fn(&Seen<'_>) -> String;

fn machines(facts: &Facts<'_>) -> Table {
    let mut table = columns(facts, "Machines", "");
    let rows: [(&str, Property); 9] = [
        ("System", |seen| seen.run.machine.os.clone()),
        ("Processor", |seen| seen.run.machine.cpu.clone()),
        ("Cores used", |seen| seen.run.machine.cores.to_string()),
        ("Governor", |seen| seen.run.machine.governor.clone()),
        ("Memory", |seen| match seen.run.machine.memory_bytes {
            0 => String::new(),
            bytes => words::bytes(bytes as f64),
        }),
        ("Machine's name", |seen| seen.run.machine.name.clone()),
        ("Began", |seen| seen.run.began.clone()),
        ("Commit", |seen| {
            let modified = if seen.run.modified { ", modified" } else { "" };
            format!("`{}`{modified}", seen.run.commit)
        }),
        ("Measures", |seen| {
            words::count(seen.run.measures.len() as u64)
        }),
    ];
    for (name, value) in rows {
        let mut cells = vec![Cell::text(name)];
        for seen in &facts.runs {
            let text = value(seen);
            cells.push(if text.is_empty() {
                table.empty("The system doesn't tell.")
            } else {
                Cell::text(text)
            });
        }
        table.row(cells);
    }
    table
}

fn tools(facts: &Facts<'_>) -> Table {
    let mut table = columns(facts, "Versions", "");
    let names: BTreeSet<&String> = facts
        .runs
        .iter()
        .flat_map(|seen| seen.run.tools.keys())
        .collect();
    for name in names {
        let mut cells = vec![Cell::text(name)];
        for seen in &facts.runs {
            cells.push(match seen.run.tools.get(name) {
                Some(version) => Cell::text(version),
                None => table.empty("This run didn't use it."),
            });
        }
        table.row(cells);
    }
    table
}
