//! What calls may cost, and whether they kept to it.

use std::cmp::Ordering;

use super::facts::{Facts, Seen, lane};
use super::model::{Block, Cell, Section, Table, Tone};
use crate::Measure;
use crate::budgets::{Judgement, Verdict};

/// Every budget that binds something the run measured, what is over first.
pub(super) fn judged<'a>(facts: &Facts<'a>, seen: &Seen<'a>) -> Vec<(&'a Measure, Judgement)> {
    let all = seen.all_ours(facts.catalogue).into_iter();
    let mut judged: Vec<(&Measure, Judgement)> = all
        .flat_map(|ours| {
            let judgements = facts.budgets.judge(seen.run, ours).into_iter();
            judgements.map(move |judgement| (ours, judgement))
        })
        .collect();
    judged.sort_by_key(|(_, judgement)| std::cmp::Reverse(judgement.verdict));
    judged
}

/// How many were kept, over and unknown.
pub(super) fn tally(judged: &[(&Measure, Judgement)]) -> [usize; 3] {
    [Verdict::Kept, Verdict::Over, Verdict::Unknown].map(|verdict| {
        judged
            .iter()
            .filter(|(_, judgement)| judgement.verdict == verdict)
            .count()
    })
}

/// Every budget with what comes nearest to it or is furthest over.
fn each(facts: &Facts<'_>) -> Section {
    on_each(facts, facts.runs.len())
}

/// The same in the short report: of other systems than the first, how many are kept and no more.
pub(super) fn in_short(facts: &Facts<'_>) -> Section {
    on_each(facts, 1)
}

/// Every system's, with the budgets of so many of them.
fn on_each(facts: &Facts<'_>, tables: usize) -> Section {
    let mut section = Section::new("budgets", "Budgets");
    for (index, seen) in facts.runs.iter().enumerate() {
        let judged = judged(facts, seen);
        if judged.is_empty() {
            continue;
        }
        let [kept, over, unknown] = tally(&judged);
        let rest = if unknown > 0 {
            format!(" {unknown} can't be judged, because what they're compared with is missing.")
        } else {
            String::new()
        };
        let text = format!(
            "{}: {over} of {} judged figures are over their budget, {kept} keep to it.{rest}",
            seen.label,
            judged.len()
        );
        section.blocks.push(if over > 0 {
            Block::Warning(text)
        } else {
            Block::Text(text)
        });
        if index < tables {
            section.table(by_budget(facts, seen, &judged));
        }
    }
    section
}

fn by_budget(facts: &Facts<'_>, seen: &Seen<'_>, judged: &[(&Measure, Judgement)]) -> Table {
    let columns = ["Scenarios", "Budget", "Kept by", "Worst", "Why"];
    let mut table =
        Table::new(format!("Every budget, {}", seen.label), &columns).with_words(&[1, 2, 3, 4]);
    for (index, budget) in facts.budgets.budget.iter().enumerate() {
        let its = || {
            judged
                .iter()
                .filter(|(_, judgement)| judgement.budget == index)
        };
        let worst = its().max_by(|(_, a), (_, b)| {
            (a.verdict, a.used)
                .partial_cmp(&(b.verdict, b.used))
                .unwrap_or(Ordering::Equal)
        });
        let Some((measure, worst)) = worst else {
            continue;
        };
        let kept = its()
            .filter(|(_, judgement)| judgement.verdict == Verdict::Kept)
            .count();
        let scenarios: Vec<String> = budget
            .scenarios
            .iter()
            .map(|name| format!("`{name}`"))
            .collect();
        let mut found = table.found(worst);
        let mut whose = vec![facts.title(&lane(measure)).to_owned()];
        if scenarios.len() > 1 {
            whose.push(format!("`{}`", measure.scenario));
        }
        if measure.threads > 1 {
            whose.push(format!("{} threads", measure.threads));
        }
        found.under = whose.join(", ");
        table.row(vec![
            Cell::text(scenarios.join(", ")),
            Cell::text(&worst.limit),
            Cell::text(format!("{kept} of {}", its().count())),
            found,
            Cell::text(&budget.why),
        ]);
    }
    table
}

impl Table {
    fn found(&mut self, judgement: &Judgement) -> Cell {
        match judgement.verdict {
            Verdict::Kept => Cell::text(&judgement.found),
            Verdict::Over => Cell::text(&judgement.found).tone(Tone::Bad),
            Verdict::Unknown => self.empty("What the budget compares with is missing in this run."),
        }
    }
}

/// Every budget, and every figure that one binds.
pub(super) fn chapter(facts: &Facts<'_>) -> Section {
    let mut section = each(facts);
    for seen in &facts.runs {
        let judged = judged(facts, seen);
        if judged.is_empty() {
            continue;
        }
        let columns = [
            "Scenario", "Language", "Threads", "Budget", "Found", "Verdict",
        ];
        let mut table = Table::new(format!("Every judged figure, {}", seen.label), &columns)
            .with_words(&[1, 5]);
        for (ours, judgement) in &judged {
            let verdict = match judgement.verdict {
                Verdict::Kept => Cell::text("kept").tone(Tone::Good),
                Verdict::Over => Cell::text("over").tone(Tone::Bad),
                Verdict::Unknown => Cell::text("unknown"),
            };
            let found = table.found(judgement);
            table.row(vec![
                Cell::code(&ours.scenario),
                Cell::text(facts.title(&lane(ours))),
                Cell::text(ours.threads.to_string()),
                Cell::text(&judgement.limit),
                found,
                verdict,
            ]);
        }
        section.table(table);
    }
    section
}
