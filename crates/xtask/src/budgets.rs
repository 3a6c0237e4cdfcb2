//! What the paths may cost, and whether they kept to it.

use crate::rows::Row;
use crate::table::nanoseconds;

/// What a call may cost.
enum Budget {
    /// So many times the floor.
    Ratio(f64),
    /// So many nanoseconds.
    Nanoseconds(f64),
    /// So many times another row: its scenario and host.
    Against(f64, &'static str, &'static str),
}

/// Scenario, host and transport (empty: any), what it may cost.
const BUDGETS: &[(&str, &str, &str, Budget)] = &[
    // 12 ns where the bare call is 4.
    ("pod 8/8", "", "core", Budget::Ratio(3.0)),
    ("pod 8/8", "", "librustbridge", Budget::Ratio(3.0)),
    ("bench.small 76/80", "", "core", Budget::Ratio(2.0)),
    ("bench.small 76/80", "", "librustbridge", Budget::Ratio(2.0)),
    ("pod 268/272", "", "core", Budget::Ratio(2.0)),
    ("pod 268/272", "", "librustbridge", Budget::Ratio(2.0)),
    ("json echo 13 B", "c", "", Budget::Ratio(1.3)),
    ("raw 100 KB handed over", "", "core", Budget::Ratio(1.2)),
    (
        "load, call, close: not mapped yet",
        "rust",
        "",
        Budget::Nanoseconds(1e6),
    ),
    (
        "load, call, close: mapped before",
        "rust",
        "",
        Budget::Nanoseconds(2e5),
    ),
    ("pod 8/8", "python", "native", Budget::Nanoseconds(60.0)),
    (
        "json echo 13 B",
        "python",
        "native",
        Budget::Nanoseconds(240.0),
    ),
    ("pod 8/8", "python", "ctypes", Budget::Nanoseconds(600.0)),
    (
        "bench.small 76/80",
        "python",
        "ctypes",
        Budget::Nanoseconds(600.0),
    ),
    (
        "pod 268/272",
        "python",
        "ctypes",
        Budget::Nanoseconds(600.0),
    ),
    (
        "json echo 13 B",
        "python",
        "ctypes",
        Budget::Nanoseconds(900.0),
    ),
    (
        "json echo 1 KB",
        "python",
        "",
        Budget::Against(1.3, "json echo 1 KB", "c"),
    ),
    (
        "json echo 100 KB",
        "python",
        "",
        Budget::Against(1.3, "json echo 100 KB", "c"),
    ),
];

/// The budget as a reader sees it, and whether it was kept.
pub fn judge(row: &Row, rows: &[Row]) -> (String, &'static str) {
    let any = |wanted: &str, is: &str| wanted.is_empty() || wanted == is;
    let found = BUDGETS.iter().find(|(scenario, host, transport, _)| {
        *scenario == row.scenario && any(host, &row.host) && any(transport, &row.transport)
    });
    let Some((_, _, _, budget)) = found else {
        return (String::new(), "");
    };
    let (text, kept) = match budget {
        Budget::Ratio(most) => (
            format!("{most} x floor"),
            row.ratio.map(|ratio| ratio <= *most),
        ),
        Budget::Nanoseconds(most) => (nanoseconds(*most), Some(row.ours_ns <= *most)),
        Budget::Against(most, scenario, host) => {
            let other = rows
                .iter()
                .find(|other| other.scenario == *scenario && other.host == *host);
            (
                format!("{most} x {host}"),
                other.map(|other| row.ours_ns <= most * other.ours_ns),
            )
        }
    };
    let verdict = match kept {
        Some(true) => "kept",
        Some(false) => "OVER",
        None => "?",
    };
    (text, verdict)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(scenario: &str, host: &str, transport: &str, ours: f64, floor: Option<f64>) -> Row {
        Row {
            scenario: scenario.into(),
            host: host.into(),
            transport: transport.into(),
            ours_ns: ours,
            floor_ns: floor,
            ratio: floor.map(|floor| ours / floor),
            threads: 1,
            source: "test".into(),
        }
    }

    #[test]
    fn budgets_are_judged_by_ratio_time_or_another_row() {
        let rows = [
            row("pod 8/8", "c", "librustbridge", 9.0, Some(4.0)),
            row("pod 8/8", "python", "native", 61.0, Some(30.0)),
            row("json echo 1 KB", "c", "librustbridge", 1000.0, None),
            row("json echo 1 KB", "python", "native", 1200.0, None),
            row("something else", "c", "librustbridge", 1.0, None),
        ];
        let verdicts: Vec<&str> = rows.iter().map(|row| judge(row, &rows).1).collect();
        assert_eq!(verdicts, ["kept", "OVER", "", "kept", ""]);
        assert_eq!(judge(&rows[0], &rows).0, "3 x floor");
    }
}
