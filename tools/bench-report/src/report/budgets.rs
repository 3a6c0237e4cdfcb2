//! The page of budgets.

use std::fmt::Write as _;

use super::{Report, Row, WRITTEN};
use crate::budgets::{Budget, Judgement};
use crate::table::Columns;
use crate::{Measure, Run};

/// A budget, with its judgements of the measures of each run.
struct Judged<'a> {
    budget: &'a Budget,
    runs: Vec<Vec<(&'a Measure, Judgement)>>,
}

/// The page: the rows over budget, then every budget.
pub(super) fn page(report: &Report<'_>) -> String {
    let mut text = format!(
        "# Budgets\n\n{}A budget is the highest cost that a call may have; [`benches/budgets.toml`](../../benches/budgets.toml) has them. \
         A value in bold is over its budget.\n\n",
        WRITTEN
    );
    for (label, run) in &report.runs {
        let mut over = over(report, run);
        over.sort_by(|(_, one), (_, other)| used(other).total_cmp(&used(one)));
        let table = Columns::<(&Measure, Judgement)>::new()
            .name("scenario", |(measure, _)| {
                let lane = measure.lane();
                let row = Row {
                    scenario: &measure.scenario,
                    lane: &lane,
                    threads: measure.threads,
                };
                row.name()
            })
            .name("language", |(measure, _)| report.title(&measure.lane()))
            .figure("found", |(_, judgement)| found(judgement))
            .figure("budget", |(_, judgement)| Some(judgement.limit.clone()))
            .table(over);
        let _ = write!(
            text,
            "## Over budget: {label}\n\n{}\n\n{table}",
            in_short(report, run)
        );
    }
    let judged = report.budgets.budget.iter().map(|budget| Judged {
        budget,
        runs: report
            .runs
            .iter()
            .map(|(_, run)| of_budget(budget, run))
            .collect(),
    });
    let list = |names: &[String]| {
        let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        names.join(", ")
    };
    let mut columns = Columns::<Judged<'_>>::new()
        .name("scenarios", |it| list(&it.budget.scenarios))
        .name("lanes", |it| {
            let lanes: Vec<String> = it
                .budget
                .lanes
                .iter()
                .map(|lane| format!("`{lane}`"))
                .collect();
            lanes.join(", ")
        })
        .figure("budget", |it| {
            let first = it.runs.iter().flatten().next()?;
            Some(first.1.limit.clone())
        });
    for (index, (label, _)) in report.runs.iter().enumerate() {
        columns = columns
            .figure(format!("{label}: kept"), move |it| {
                let known = it.runs[index].iter().filter(|(_, it)| it.found.is_some());
                let kept = known.clone().filter(|(_, it)| !it.is_over()).count();
                let count = known.count();
                (count > 0).then(|| format!("{kept} of {count}"))
            })
            .figure(format!("{label}: worst"), move |it| {
                let judged = it.runs[index].iter();
                let (measure, worst) =
                    judged.max_by(|(_, one), (_, other)| used(one).total_cmp(&used(other)))?;
                let text = format!("{} ({})", found(worst)?, report.title(&measure.lane()));
                Some(if worst.is_over() {
                    format!("**{text}**")
                } else {
                    text
                })
            });
    }
    let table = columns
        .name("reason", |it| it.budget.why.clone())
        .table(judged);
    let _ = write!(text, "## Every budget\n\n{table}");
    text
}

/// How many figures keep to their budgets.
pub(super) fn in_short(report: &Report<'_>, run: &Run) -> String {
    let budgets = report.budgets.budget.iter();
    let judged: Vec<_> = budgets.flat_map(|budget| of_budget(budget, run)).collect();
    let known = judged.iter().filter(|(_, it)| it.found.is_some()).count();
    let over = judged.iter().filter(|(_, it)| it.is_over()).count();
    let mut text = format!("{over} of {known} judged figures are over their budget.");
    if known < judged.len() {
        let unknown = judged.len() - known;
        let _ = write!(
            text,
            " {unknown} more have nothing in this run to be compared with."
        );
    }
    text
}

fn over<'a>(report: &Report<'_>, run: &'a Run) -> Vec<(&'a Measure, Judgement)> {
    let budgets = report.budgets.budget.iter();
    let judged = budgets.flat_map(|budget| of_budget(budget, run));
    judged
        .filter(|(_, judgement)| judgement.is_over())
        .collect()
}

fn of_budget<'a>(budget: &Budget, run: &'a Run) -> Vec<(&'a Measure, Judgement)> {
    let measures = run.measures.iter();
    measures
        .filter_map(|measure| Some((measure, budget.judge(run, measure)?)))
        .collect()
}

fn used(judgement: &Judgement) -> f64 {
    judgement.found.as_ref().map_or(0.0, |(_, used)| *used)
}

fn found(judgement: &Judgement) -> Option<String> {
    judgement.found.as_ref().map(|(text, _)| text.clone())
}
