//! Budgets: the highest costs that calls may have, by `benches/budgets.toml`, and whether a run keeps to them.

use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use serde::Deserialize;

use crate::catalogue::{Catalogue, Lane};
use crate::results::{FLOOR, GRPC, Measure, OURS, Run};
use crate::table::{ratio, time};

/// All budgets, in the order of the file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Budgets {
    /// Each with its own limit.
    pub budget: Vec<Budget>,
}

/// One limit, and the measures to which it applies. The head of `benches/budgets.toml` explains the fields.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Budget {
    /// As in the catalogue.
    pub scenarios: Vec<String>,
    /// `*` stands for any word.
    pub lanes: Vec<Lane>,
    /// The reason, in a sentence that needs no other text.
    pub why: String,
    times: Option<f64>,
    ns: Option<f64>,
    bytes: Option<f64>,
    threads: Option<f64>,
    than: Option<Reference>,
}

/// The measure that a budget compares with, where it isn't the floor.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Reference {
    #[serde(default = "ours")]
    subjects: Vec<String>,
    scenario: Option<String>,
    lane: Option<Lane>,
}

fn ours() -> Vec<String> {
    vec![OURS.into()]
}

/// A budget applied to a measure.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// The limit: `3 × floor`, `12.0 ns`.
    pub limit: String,
    /// The value found, in the limit's terms, and the part of the budget that it uses: more than 1 is over the budget.
    /// Nothing if the reference isn't in the run.
    pub found: Option<(String, f64)>,
}

impl Judgement {
    /// Reports whether the measure is over its budget.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.found.as_ref().is_some_and(|(_, used)| *used > 1.0)
    }
}

impl Budgets {
    /// Reads a file.
    ///
    /// # Errors
    /// If it isn't there, or if a budget doesn't have exactly one limit and a reason.
    pub fn read(file: &Path) -> Result<Budgets> {
        let text = std::fs::read_to_string(file);
        text.map_err(Into::into)
            .and_then(|text| Budgets::parse(&text))
            .with_context(|| format!("reading {}", file.display()))
    }

    /// Reads a text.
    ///
    /// # Errors
    /// As [`Budgets::read`].
    pub fn parse(text: &str) -> Result<Budgets> {
        let budgets: Budgets = toml::from_str(text).context("the budgets' form")?;
        for budget in &budgets.budget {
            let limits = [budget.times, budget.ns, budget.bytes, budget.threads];
            let count = limits.iter().flatten().count();
            let names = budget.scenarios.join(" and ");
            ensure!(
                count == 1,
                "the budget of {names} has {count} limits instead of one"
            );
            ensure!(
                is_reason(&budget.why),
                "the budget of {names} needs its reason in a sentence that refers to no other text: {:?}",
                budget.why
            );
        }
        Ok(budgets)
    }

    /// The budgets' scenarios, and those of their references, that no lane of the budget measures.
    #[must_use]
    pub fn strangers(&self, catalogue: &Catalogue) -> Vec<String> {
        let mut strangers = Vec::new();
        for budget in &self.budget {
            let reference = budget.than.as_ref().and_then(|than| than.scenario.as_ref());
            for name in budget.scenarios.iter().chain(reference) {
                let entry = catalogue.entry(name);
                if !entry.is_some_and(|entry| entry.who.lanes.iter().any(|it| budget.covers(it))) {
                    strangers.push(format!(
                        "no lane measures `{name}`, which has a budget: {}",
                        budget.why
                    ));
                }
            }
        }
        strangers
    }

    /// The judgements of a measure of ours by all budgets that apply to it.
    pub fn judge(&self, run: &Run, measure: &Measure) -> impl Iterator<Item = Judgement> {
        let budgets = self.budget.iter();
        budgets.filter_map(|budget| budget.judge(run, measure))
    }
}

impl Budget {
    fn covers(&self, lane: &Lane) -> bool {
        self.lanes.iter().any(|pattern| pattern.covers(lane))
    }

    /// Returns nothing if the budget doesn't apply to the measure.
    #[must_use]
    pub fn judge(&self, run: &Run, measure: &Measure) -> Option<Judgement> {
        let lane = measure.lane();
        let applies = measure.subject == OURS
            && self.scenarios.contains(&measure.scenario)
            && self.covers(&lane)
            && match measure.threads {
                1 => self.threads.is_none(),
                _ => self.ns.is_none() && self.than.is_none(),
            };
        if !applies {
            return None;
        }
        let times = |most: f64, name: &str, found: Option<f64>| Judgement {
            limit: format!("{most} × {name}"),
            found: found.map(|found| (format!("{found:.2} × {name}"), found / most)),
        };
        if let Some(most) = self.bytes {
            let text = |bytes: f64| format!("{bytes:.0} B");
            // JMH's counting leaves thousandths of a byte where nothing is allocated.
            let found = measure.alloc_bytes;
            return Some(Judgement {
                limit: text(most),
                found: found.map(|found| (text(found), found / (most + 0.5))),
            });
        }
        if let Some(most) = self.threads {
            let one = run.find(OURS, &measure.scenario, &lane, 1);
            let one = one.and_then(|one| least_ratio(run, one));
            let loss = one.zip(least_ratio(run, measure));
            let loss = loss.and_then(|(one, several)| ratio(several, one));
            return Some(times(most, "the floor's loss to threads", loss));
        }
        let (name, reference) = self.reference(run, measure);
        if let Some(most) = self.times {
            let found = reference.and_then(|it| ratio(measure.median(), it.median()));
            return Some(times(most, &name, found));
        }
        let most = self.ns?;
        if self.than.is_none() {
            let found = measure.median();
            return Some(Judgement {
                limit: time(most),
                found: Some((time(found), found / most)),
            });
        }
        let more = reference.map(|it| measure.median() - it.median());
        let text = |more: f64| {
            let word = if more < 0.0 { "less" } else { "more" };
            format!("{} {word}", time(more.abs()))
        };
        Some(Judgement {
            limit: format!("{} than {name}", text(most)),
            found: more.map(|more| (text(more), more.max(0.0) / most)),
        })
    }

    /// The reference and its name.
    fn reference<'a>(&self, run: &'a Run, measure: &Measure) -> (String, Option<&'a Measure>) {
        let Some(than) = &self.than else {
            return (FLOOR.into(), run.floor(measure));
        };
        let own = measure.lane();
        let lane = than.lane.as_ref().unwrap_or(&own);
        let scenario = than.scenario.as_ref().unwrap_or(&measure.scenario);
        let subjects = than.subjects.iter();
        let found = subjects
            .filter_map(|subject| run.same_work(subject, scenario, lane, measure.threads))
            .min_by(|one, other| one.median().total_cmp(&other.median()));
        let mut names = Vec::new();
        if than.subjects != ours() {
            names.push(than.subjects.join(" or ").replace(GRPC, "the fastest gRPC"));
        }
        names.extend(than.lane.as_ref().map(Lane::to_string));
        let scenario = than.scenario.as_ref();
        names.extend(scenario.map(|scenario| format!("`{scenario}`")));
        (names.join(" "), found)
    }
}

/// How many times the floor a measure is, by the shortest samples of both, which noise touches least.
fn least_ratio(run: &Run, measure: &Measure) -> Option<f64> {
    let least = |measure: &Measure| measure.ns.iter().copied().fold(f64::INFINITY, f64::min);
    ratio(least(measure), least(run.floor(measure)?))
}

/// Reports whether a text is a sentence, and doesn't refer to an issue.
fn is_reason(text: &str) -> bool {
    let refers = |word: &str| {
        let letters = word.trim_matches(|c: char| !c.is_alphanumeric());
        word.starts_with('#') || ["issue", "issues"].contains(&&*letters.to_lowercase())
    };
    text.starts_with(|first: char| first.is_uppercase())
        && text.ends_with('.')
        && !text.split_whitespace().any(refers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::sample;

    const LEASE: &str = "get_blob 16 MB, lease";

    /// The judgement of the last measure by one budget for it, with this limit.
    fn judge(limit: &str, measures: &[Measure]) -> Option<(String, String, bool)> {
        let judged = measures.last().expect("a measure to judge");
        let text = format!(
            "[[budget]]\nscenarios = [{:?}]\nlanes = [\"c/*\"]\nwhy = \"Why.\"\n{limit}\n",
            judged.scenario
        );
        let budgets = Budgets::parse(&text).expect("a budget");
        let run = sample::run("Linux", measures.to_vec());
        let mut found = budgets.judge(&run, judged);
        let one = found.next()?;
        let is_over = one.is_over();
        let found = one.found.map(|(text, _)| text).unwrap_or_default();
        Some((one.limit, found, is_over))
    }

    fn judged(limit: &str, found: &str, is_over: bool) -> Option<(String, String, bool)> {
        Some((limit.into(), found.into(), is_over))
    }

    fn c(scenario: &str, subject: &str, threads: u32, ns: f64) -> Measure {
        sample::measure(scenario, "c/librustbridge", subject, threads, ns)
    }

    fn next_to_c(scenario: &str, subject: &str, ns: f64) -> Measure {
        let mut measure = c(scenario, subject, 1, ns);
        measure.transport.clear();
        measure
    }

    #[test]
    fn a_ratio_is_to_the_floor_of_as_many_threads() {
        let mut measures = vec![
            c("pod", FLOOR, 1, 1.0),
            c("pod", FLOOR, 2, 4.0),
            c("pod", OURS, 2, 9.0),
        ];
        let found = judge("times = 2.0", &measures);
        assert_eq!(found, judged("2 × floor", "2.25 × floor", true));
        measures.remove(1);
        let found = judge("times = 2.0", &measures);
        assert_eq!(found, judged("2 × floor", "", false));
        measures[1].subject = FLOOR.into();
        assert_eq!(judge("times = 2.0", &measures), None);
    }

    #[test]
    fn a_time_is_judged_with_one_thread() {
        let found = judge("ns = 60.0", &[c("pod", OURS, 1, 60.5)]);
        assert_eq!(found, judged("60.0 ns", "60.5 ns", true));
        assert_eq!(judge("ns = 60.0", &[c("pod", OURS, 2, 60.5)]), None);
        let other = sample::measure("pod", "go/cgo", OURS, 1, 60.5);
        assert_eq!(judge("ns = 60.0", &[other]), None);
    }

    #[test]
    fn bytes_are_judged_where_they_were_counted() {
        let mut ours = c("pod", OURS, 1, 9.0);
        let told = |ours: &Measure| judge("bytes = 200", std::slice::from_ref(ours));
        assert_eq!(told(&ours), judged("200 B", "", false));
        ours.alloc_bytes = Some(200.3);
        assert_eq!(told(&ours), judged("200 B", "200 B", false));
        ours.alloc_bytes = Some(208.0);
        assert_eq!(told(&ours), judged("200 B", "208 B", true));
    }

    #[test]
    fn threads_are_judged_by_the_floor_s_loss() {
        let found = |two: f64| {
            let measures = [
                c("pod", FLOOR, 1, 100.0),
                c("pod", FLOOR, 2, 110.0),
                c("pod", OURS, 1, 50.0),
                c("pod", OURS, 2, two),
            ];
            judge("threads = 1.16", &measures).map(|(_, found, is_over)| (found, is_over))
        };
        let row = |found: &str, is_over| {
            Some((format!("{found} × the floor's loss to threads"), is_over))
        };
        assert_eq!(found(55.0), row("1.00", false));
        assert_eq!(found(71.5), row("1.30", true));
        assert_eq!(judge("threads = 1.16", &[c("pod", OURS, 1, 50.0)]), None);
    }

    #[test]
    fn a_reference_may_be_another_scenario_or_lane() {
        let than = "times = 1.5\nthan = { scenario = \"get_blob 1 KB, lease\" }";
        let small = c("get_blob 1 KB, lease", OURS, 1, 30.0);
        let found = judge(than, &[small, c(LEASE, OURS, 1, 60.0)]);
        let name = "`get_blob 1 KB, lease`";
        let expected = judged(&format!("1.5 × {name}"), &format!("2.00 × {name}"), true);
        assert_eq!(found, expected);
        let than = "times = 1.5\nthan = { lane = \"go/cgo\" }";
        let go = sample::measure("pod", "go/cgo", OURS, 1, 10.0);
        let found = judge(than, &[go, c("pod", OURS, 1, 12.0)]);
        assert_eq!(found, judged("1.5 × go/cgo", "1.20 × go/cgo", false));
    }

    #[test]
    fn nanoseconds_may_be_those_on_top_of_a_reference() {
        let found = |ns: f64| {
            let than = "ns = 40.0\nthan = { scenario = \"plain\" }";
            let found = judge(than, &[c("plain", OURS, 1, 8.0), c("ready", OURS, 1, ns)]);
            let (limit, found, is_over) = found.expect("it applies");
            assert_eq!(limit, "40.0 ns more than `plain`");
            (found, is_over)
        };
        assert_eq!(found(88.0), ("80.0 ns more".into(), true));
        assert_eq!(found(7.0), ("1.00 ns less".into(), false));
    }

    #[test]
    fn a_reference_is_the_fastest_of_grpc_or_of_the_named_peers() {
        let than = "times = 0.5\nthan = { subjects = [\"grpc\"] }";
        let (tcp, unix) = (
            next_to_c("pod", "grpc tcp", 200.0),
            next_to_c("pod", "grpc unix", 100.0),
        );
        let found = judge(than, &[tcp, unix, c("pod, typed", OURS, 1, 90.0)]);
        let expected = judged("0.5 × the fastest gRPC", "0.90 × the fastest gRPC", true);
        assert_eq!(found, expected);
        let than = "times = 1.0\nthan = { subjects = [\"boltffi\", \"uniffi\"] }";
        let peers = [
            next_to_c("pod", "uniffi", 180.0),
            next_to_c("pod", "jna", 10.0),
            sample::measure("pod", "go/", "boltffi", 1, 10.0),
        ];
        let found = judge(than, &[&peers[..], &[c("pod", OURS, 1, 90.0)]].concat());
        let name = "boltffi or uniffi";
        let expected = judged(&format!("1 × {name}"), &format!("0.50 × {name}"), false);
        assert_eq!(found, expected);
    }

    #[test]
    fn our_budgets_are_about_scenarios_of_our_catalogue() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benches");
        let catalogue = Catalogue::read(&folder.join("catalogue.toml")).expect("our catalogue");
        let budgets = Budgets::read(&folder.join("budgets.toml")).expect("our budgets");
        assert_eq!(budgets.strangers(&catalogue), Vec::<String>::new());
        let text = "[[budget]]\nscenarios = [\"x\"]\nlanes = [\"*/*\"]\nwhy = \"Why.\"\nns = 1.0\n";
        let reference = text.replace("\"x\"", "\"ready\"") + "than = { scenario = \"y\" }\n";
        for (text, name) in [(text, "`x`"), (&reference, "`y`")] {
            let strangers = Budgets::parse(text)
                .expect("a budget")
                .strangers(&catalogue);
            assert!(
                strangers.len() == 1 && strangers[0].contains(name),
                "{strangers:?}"
            );
        }
    }

    #[test]
    fn a_budget_has_one_limit_and_a_reason() {
        let text = "[[budget]]\nscenarios = [\"x\"]\nlanes = [\"*/*\"]\nwhy = \"None.\"\n";
        assert!(Budgets::parse(text).is_err());
        assert!(Budgets::parse(&format!("{text}ns = 1.0\ntimes = 2.0\n")).is_err());
        assert!(Budgets::parse(&format!("{text}ns = 1.0\n")).is_ok());
        assert!(is_reason("A second C# call needs nothing new."));
        for bad in [
            "",
            "no sentence",
            "As issue four of the tracker says.",
            "See Issues.",
            "See #4.",
        ] {
            assert!(!is_reason(bad), "{bad}");
        }
    }
}
