//! What calls may cost, and whether they kept to it.

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

pub(super) fn chapter(facts: &Facts<'_>) -> Section {
    let mut section = Section::new("budgets", "Budgets");
    for seen in &facts.runs {
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
        let columns = [
            "Scenario",
            "Language",
            "Threads",
            "Budget",
            "Found",
            "Verdict",
            "Where it's from",
        ];
        let mut table = Table::new(format!("Every judged figure, {}", seen.label), &columns)
            .with_words(&[1, 5, 6]);
        for (ours, judgement) in &judged {
            let (verdict, found) = match judgement.verdict {
                Verdict::Kept => (
                    Cell::text("kept").tone(Tone::Good),
                    Cell::text(&judgement.found),
                ),
                Verdict::Over => (
                    Cell::text("over").tone(Tone::Bad),
                    Cell::text(&judgement.found).tone(Tone::Bad),
                ),
                Verdict::Unknown => {
                    let cell = table.empty("What the budget compares with is missing in this run.");
                    (Cell::text("unknown"), cell)
                }
            };
            table.row(vec![
                Cell::code(&ours.scenario),
                Cell::text(facts.title(&lane(ours))),
                Cell::text(ours.threads.to_string()),
                Cell::text(&judgement.limit),
                found,
                verdict,
                Cell::text(&judgement.source),
            ]);
        }
        section.table(table);
    }
    section
}
