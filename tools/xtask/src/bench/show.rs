//! A run as a table for a terminal.

use bench_report::budgets::{Verdict, worst};
use bench_report::results::{FLOOR, OURS};
use bench_report::{Budgets, Measure, Run};

use crate::table::{Align, Table, bytes, nanoseconds};

/// Ours beside the floor and the budget, then what stands beside ours.
pub fn table(run: &Run, budgets: &Budgets) -> String {
    let mut text = ours(run, budgets);
    let others = |measure: &&Measure| measure.subject != OURS && measure.subject != FLOOR;
    if run.measures.iter().any(|measure| others(&measure)) {
        let mut table = Table::new(&[
            ("beside ours", Align::Left),
            ("host", Align::Left),
            ("scenario", Align::Left),
            ("threads", Align::Right),
            ("time", Align::Right),
            ("p99", Align::Right),
        ]);
        let mut sorted: Vec<&Measure> = run.measures.iter().filter(others).collect();
        sorted.sort_by_key(|measure| (&measure.subject, &measure.host));
        let mut last = None;
        for measure in sorted {
            let this = (&measure.subject, &measure.host);
            if last.is_some_and(|last| last != this) {
                table.gap();
            }
            last = Some(this);
            table.row(vec![
                measure.subject.clone(),
                measure.host.clone(),
                measure.scenario.clone(),
                measure.threads.to_string(),
                nanoseconds(measure.median()),
                p99(measure),
            ]);
        }
        text.push('\n');
        text.push_str(&table.render());
    }
    text.push_str(
        "\nMedians of one run; ratio = ours / floor, a hand-written call that does the same work in the same run.\n",
    );
    text
}

fn ours(run: &Run, budgets: &Budgets) -> String {
    let mut table = Table::new(&[
        ("host", Align::Left),
        ("transport", Align::Left),
        ("scenario", Align::Left),
        ("threads", Align::Right),
        ("ours", Align::Right),
        ("p99", Align::Right),
        ("floor", Align::Right),
        ("ratio", Align::Right),
        ("allocated", Align::Right),
        ("budget", Align::Right),
        ("", Align::Left),
    ]);
    let mut sorted: Vec<&Measure> = run
        .measures
        .iter()
        .filter(|measure| measure.subject == OURS)
        .collect();
    sorted.sort_by_key(|measure| (&measure.host, &measure.transport));
    let mut last = None;
    for measure in sorted {
        let this = (&measure.host, &measure.transport);
        if last.is_some_and(|last| last != this) {
            table.gap();
        }
        last = Some(this);
        let judged = budgets.judge(run, measure);
        let limits: Vec<&str> = judged.iter().map(|one| one.limit.as_str()).collect();
        let ratio = run.ratio(measure);
        table.row(vec![
            measure.host.clone(),
            measure.transport.clone(),
            measure.scenario.clone(),
            measure.threads.to_string(),
            nanoseconds(measure.median()),
            p99(measure),
            ratio
                .map(|ratio| nanoseconds(measure.median() / ratio))
                .unwrap_or_default(),
            ratio.map(|ratio| format!("{ratio:.2}")).unwrap_or_default(),
            measure.alloc_bytes.map(bytes).unwrap_or_default(),
            limits.join(", "),
            match worst(&judged) {
                None => String::new(),
                Some(Verdict::Kept) => "kept".into(),
                Some(Verdict::Unknown) => "?".into(),
                Some(Verdict::Over) => "OVER".into(),
            },
        ]);
    }
    table.render()
}

/// Of single operations.
fn p99(measure: &Measure) -> String {
    let single = measure.single.as_ref();
    single
        .map(|single| nanoseconds(single.p99))
        .unwrap_or_default()
}
