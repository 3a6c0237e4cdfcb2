//! What the paths may cost, and whether they kept to it.

use crate::rows::Row;
use crate::table::{bytes, nanoseconds};

/// What a call may cost.
enum Budget {
    /// So many times the floor, with any number of threads.
    Ratio(f64),
    /// So many nanoseconds, with one thread.
    Nanoseconds(f64),
    /// So many times another row with one thread: its scenario and host.
    Against(f64, &'static str, &'static str),
    /// So many bytes on the heap.
    Bytes(f64),
    /// Two threads do so many times the calls of one, all together.
    TwoThreads(f64),
    /// Eight threads do no fewer calls than two, all together.
    EightThreads,
}

/// Scenario, host and transport (empty: any), what it may cost. All that match count.
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
    ("pod 8/8", "java", "ffm", Budget::Nanoseconds(20.0)),
    (
        "pod 8/8, into array",
        "java",
        "ffm",
        Budget::Nanoseconds(20.0),
    ),
    ("pod 8/8, segment", "java", "ffm", Budget::Nanoseconds(20.0)),
    (
        "pod 32/32, ordinary",
        "java",
        "ffm",
        Budget::Nanoseconds(30.0),
    ),
    (
        "pod 32/32, ordinary, segment",
        "java",
        "ffm",
        Budget::Nanoseconds(30.0),
    ),
    (
        "bench.small 76/80, segment",
        "java",
        "ffm",
        Budget::Nanoseconds(40.0),
    ),
    (
        "bench.small 76/80",
        "java",
        "ffm",
        Budget::Nanoseconds(60.0),
    ),
    (
        "bench.small 76/80, lease",
        "java",
        "ffm",
        Budget::Nanoseconds(70.0),
    ),
    ("json echo 13 B", "java", "ffm", Budget::Ratio(1.5)),
    ("json echo 13 B", "java", "ffm", Budget::Bytes(200.0)),
    ("pod 8/8", "java", "jni", Budget::Nanoseconds(40.0)),
    (
        "pod 8/8, into array",
        "java",
        "jni",
        Budget::Nanoseconds(40.0),
    ),
    (
        "bench.small 76/80",
        "java",
        "jni",
        Budget::Nanoseconds(110.0),
    ),
    ("json echo 13 B", "java", "jni", Budget::Nanoseconds(300.0)),
    ("bench.small 76/80", "java", "", Budget::TwoThreads(1.9)),
    ("bench.small 76/80", "java", "", Budget::EightThreads),
    ("json echo 13 B", "java", "", Budget::TwoThreads(1.8)),
    ("json echo 13 B", "java", "", Budget::EightThreads),
    (
        "json echo 100 KB",
        "java",
        "",
        Budget::Against(1.3, "json echo 100 KB", "c"),
    ),
    (
        "json echo 16 MB",
        "java",
        "",
        Budget::Against(1.3, "json echo 16 MB", "c"),
    ),
    (
        "raw 100 KB",
        "java",
        "",
        Budget::Against(1.3, "raw 100 KB", "c"),
    ),
    (
        "raw 100 KB, segment",
        "java",
        "",
        Budget::Against(1.3, "raw 100 KB", "c"),
    ),
    (
        "raw 100 KB, buffer",
        "java",
        "",
        Budget::Against(1.3, "raw 100 KB", "c"),
    ),
    (
        "raw 16 MB",
        "java",
        "",
        Budget::Against(1.3, "raw 16 MB", "c"),
    ),
    (
        "raw 16 MB, segment",
        "java",
        "",
        Budget::Against(1.3, "raw 16 MB", "c"),
    ),
    (
        "raw 16 MB, buffer",
        "java",
        "",
        Budget::Against(1.3, "raw 16 MB", "c"),
    ),
    (
        "first load and call of a fresh JVM",
        "java",
        "",
        Budget::Nanoseconds(150e6),
    ),
    ("pod 8/8", "csharp", "pinvoke", Budget::Ratio(2.5)),
    ("pod 8/8", "csharp", "pinvoke", Budget::Bytes(0.0)),
    (
        "pod 32/32, ordinary",
        "csharp",
        "pinvoke",
        Budget::Ratio(1.6),
    ),
    (
        "pod 32/32, ordinary",
        "csharp",
        "pinvoke",
        Budget::Bytes(0.0),
    ),
    (
        "bench.small 76/80, request built inside",
        "csharp",
        "pinvoke",
        Budget::Ratio(1.6),
    ),
    (
        "bench.small 76/80, request built inside",
        "csharp",
        "pinvoke",
        Budget::Bytes(0.0),
    ),
    ("bench.small 76/80", "csharp", "pinvoke", Budget::Bytes(0.0)),
    (
        "bench.small 76/80",
        "csharp",
        "pinvoke",
        Budget::TwoThreads(1.9),
    ),
    (
        "bench.small 76/80",
        "csharp",
        "pinvoke",
        Budget::EightThreads,
    ),
    ("pod 268/272, span", "csharp", "pinvoke", Budget::Ratio(1.6)),
    ("pod 268/272, span", "csharp", "pinvoke", Budget::Bytes(0.0)),
    ("pod 268/272", "csharp", "pinvoke", Budget::Ratio(1.6)),
    (
        "pod 268/272, lease",
        "csharp",
        "pinvoke",
        Budget::Ratio(1.6),
    ),
    (
        "json echo 13 B, span",
        "csharp",
        "pinvoke",
        Budget::Ratio(1.3),
    ),
    (
        "json echo 13 B, span",
        "csharp",
        "pinvoke",
        Budget::Bytes(0.0),
    ),
    ("json echo 13 B", "csharp", "pinvoke", Budget::Ratio(1.3)),
    // The string that is returned, and nothing else.
    ("json echo 13 B", "csharp", "pinvoke", Budget::Bytes(104.0)),
    (
        "json echo 13 B",
        "csharp",
        "pinvoke",
        Budget::TwoThreads(1.9),
    ),
    ("json echo 13 B", "csharp", "pinvoke", Budget::EightThreads),
    (
        "json echo 13 B, object to object",
        "csharp",
        "pinvoke",
        Budget::Ratio(1.15),
    ),
    (
        "A concurrent binary",
        "csharp",
        "pinvoke",
        Budget::Ratio(1.2),
    ),
    ("A concurrent json", "csharp", "pinvoke", Budget::Ratio(1.2)),
    (
        "json echo 100 KB",
        "csharp",
        "pinvoke",
        Budget::Against(1.3, "json echo 100 KB", "c"),
    ),
    (
        "json echo 100 KB, span",
        "csharp",
        "pinvoke",
        Budget::Against(1.3, "json echo 100 KB", "c"),
    ),
    (
        "json echo 16 MB",
        "csharp",
        "pinvoke",
        Budget::Against(1.3, "json echo 16 MB", "c"),
    ),
    (
        "json echo 16 MB, span",
        "csharp",
        "pinvoke",
        Budget::Against(1.3, "json echo 16 MB", "c"),
    ),
    (
        "raw 100 KB",
        "csharp",
        "pinvoke",
        Budget::Against(1.3, "raw 100 KB", "c"),
    ),
    (
        "raw 100 KB, span",
        "csharp",
        "pinvoke",
        Budget::Against(1.3, "raw 100 KB", "c"),
    ),
    (
        "raw 100 KB, lease",
        "csharp",
        "pinvoke",
        Budget::Against(1.3, "raw 100 KB", "c"),
    ),
    (
        "raw 16 MB",
        "csharp",
        "pinvoke",
        Budget::Against(1.3, "raw 16 MB", "c"),
    ),
    (
        "raw 16 MB, span",
        "csharp",
        "pinvoke",
        Budget::Against(1.3, "raw 16 MB", "c"),
    ),
    (
        "raw 16 MB, lease",
        "csharp",
        "pinvoke",
        Budget::Against(1.3, "raw 16 MB", "c"),
    ),
];

/// The budget as a reader sees it, and whether it was kept.
pub fn judge(row: &Row, rows: &[Row]) -> (String, &'static str) {
    let any = |wanted: &str, is: &str| wanted.is_empty() || wanted == is;
    let judged: Vec<(String, Option<bool>)> = BUDGETS
        .iter()
        .filter(|(scenario, host, transport, _)| {
            *scenario == row.scenario && any(host, &row.host) && any(transport, &row.transport)
        })
        .filter_map(|(_, _, _, budget)| budget.judge(row, rows))
        .collect();
    if judged.is_empty() {
        return (String::new(), "");
    }
    let verdict = if judged.iter().any(|(_, kept)| *kept == Some(false)) {
        "OVER"
    } else if judged.iter().any(|(_, kept)| kept.is_none()) {
        "?"
    } else {
        "kept"
    };
    let texts: Vec<String> = judged.into_iter().map(|(text, _)| text).collect();
    (texts.join(", "), verdict)
}

impl Budget {
    /// What it says of a row, and whether it was kept as far as one can know; nothing if it isn't about such rows.
    fn judge(&self, row: &Row, rows: &[Row]) -> Option<(String, Option<bool>)> {
        let with_threads = |threads: u32| {
            rows.iter().find(|other| {
                (
                    &other.scenario,
                    &other.host,
                    &other.transport,
                    other.threads,
                ) == (&row.scenario, &row.host, &row.transport, threads)
            })
        };
        // All threads together.
        let throughput = |row: &Row| f64::from(row.threads) / row.ours_ns;
        Some(match self {
            Budget::Ratio(most) => (
                format!("{most} x floor"),
                row.ratio.map(|ratio| ratio <= *most),
            ),
            Budget::Nanoseconds(most) if row.threads == 1 => {
                (nanoseconds(*most), Some(row.ours_ns <= *most))
            }
            Budget::Against(most, scenario, host) if row.threads == 1 => {
                let other = rows.iter().find(|other| {
                    other.scenario == *scenario && other.host == *host && other.threads == 1
                });
                (
                    format!("{most} x {host}"),
                    other.map(|other| row.ours_ns <= most * other.ours_ns),
                )
            }
            Budget::Bytes(most) => (
                bytes(*most),
                row.alloc_bytes.map(|allocated| allocated <= *most),
            ),
            Budget::TwoThreads(least) if row.threads == 2 => (
                format!("{least} x the calls of 1"),
                with_threads(1).map(|one| throughput(row) >= least * throughput(one)),
            ),
            Budget::EightThreads if row.threads == 8 => (
                "the calls of 2".into(),
                with_threads(2).map(|two| throughput(row) >= throughput(two)),
            ),
            _ => return None,
        })
    }
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
            alloc_bytes: None,
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

    #[test]
    fn a_row_may_have_several_budgets() {
        let mut echo = row("json echo 13 B", "java", "ffm", 190.0, Some(140.0));
        let told = |echo: &Row| judge(echo, std::slice::from_ref(echo));
        assert_eq!(told(&echo), ("1.5 x floor, 200 B".into(), "?"));
        echo.alloc_bytes = Some(192.0);
        assert_eq!(told(&echo).1, "kept");
        echo.alloc_bytes = Some(208.0);
        assert_eq!(told(&echo).1, "OVER");
    }

    #[test]
    fn threads_are_judged_by_what_they_do_together() {
        let with = |threads: u32, ours: f64| Row {
            threads,
            ..row("bench.small 76/80", "java", "ffm", ours, None)
        };
        let rows = [with(1, 50.0), with(2, 52.0), with(8, 210.0)];
        let verdicts: Vec<_> = rows.iter().map(|row| judge(row, &rows)).collect();
        assert_eq!(verdicts[0], ("60.0 ns".into(), "kept"));
        assert_eq!(verdicts[1], ("1.9 x the calls of 1".into(), "kept"));
        assert_eq!(verdicts[2], ("the calls of 2".into(), "OVER"));
        let rows = [with(1, 50.0), with(2, 53.0), with(8, 200.0)];
        assert_eq!(judge(&rows[1], &rows).1, "OVER");
        assert_eq!(judge(&rows[2], &rows).1, "kept");
    }
}
