//! What calls may cost, by `benches/budgets.toml`, and whether a run kept to it.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use serde::Deserialize;

use crate::catalogue::{Catalogue, Lane};
use crate::results::{FLOOR, GRPC, Measure, OURS, Run};
use crate::words::ratio;

/// All budgets, in the order of the file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Budgets {
    /// Each with its own limit.
    pub budget: Vec<Budget>,
}

/// One limit and whom it binds.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Budget {
    /// As in the catalogue.
    pub scenarios: Vec<String>,
    /// `*` stands for any word.
    pub lanes: Vec<Lane>,
    /// A sentence that needs no other text.
    pub why: String,
    #[serde(default)]
    ratio: Option<f64>,
    #[serde(default)]
    ns: Option<f64>,
    #[serde(default)]
    against: Option<Against>,
    #[serde(default)]
    grpc: Option<Grpc>,
    #[serde(default)]
    peers: Option<Peers>,
    #[serde(default)]
    over: Option<Over>,
    #[serde(default)]
    bytes: Option<f64>,
    #[serde(default)]
    threads: Option<f64>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Against {
    times: f64,
    #[serde(default)]
    lane: Option<Lane>,
    #[serde(default)]
    scenario: Option<String>,
}

/// Compared with the fastest of the same host's gRPC clients, which are measured on the scenario without the variant.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Grpc {
    times: f64,
    scenario: String,
}

/// Compared with the fastest of some peers from the same host, which do the scenario itself, or that without the variant.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Peers {
    times: f64,
    subjects: Vec<String>,
}

/// A ratio would say little where the other is a few nanoseconds, and nothing of what comes on top.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Over {
    scenario: String,
    ns: f64,
}

/// Whether a measure kept to a budget.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Verdict {
    /// It did.
    Kept,
    /// What it would be compared with isn't in the run.
    Unknown,
    /// It didn't.
    Over,
}

/// A budget applied to a measure.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// Which of [`Budgets::budget`] it is.
    pub budget: usize,
    /// The limit in a reader's words: `3 x floor`, `12.0 ns`, `1.3 x C`.
    pub limit: String,
    /// How it went.
    pub verdict: Verdict,
    /// What was found, in the limit's terms: `3.41 x floor`; empty if unknown.
    pub found: String,
    /// How much of the budget is used up: more than 1 is over. Nothing if unknown.
    pub used: f64,
}

/// What a measure would have to be, and what it was: texts, and how much of the budget that uses up.
type Outcome = (String, Option<(String, f64)>);

impl Budgets {
    /// Reads a file.
    ///
    /// # Errors
    /// When it isn't there or a budget hasn't exactly one limit.
    pub fn read(file: &Path) -> Result<Budgets> {
        let text =
            std::fs::read_to_string(file).with_context(|| format!("reading {}", file.display()))?;
        Budgets::parse(&text).with_context(|| format!("reading {}", file.display()))
    }

    /// Reads a text.
    ///
    /// # Errors
    /// As [`Budgets::read`].
    pub fn parse(text: &str) -> Result<Budgets> {
        let budgets: Budgets = toml::from_str(text).context("the budgets' form")?;
        for budget in &budgets.budget {
            let limits = [
                budget.ratio.is_some(),
                budget.ns.is_some(),
                budget.against.is_some(),
                budget.grpc.is_some(),
                budget.peers.is_some(),
                budget.over.is_some(),
                budget.bytes.is_some(),
                budget.threads.is_some(),
            ];
            let count = limits.into_iter().filter(|limit| *limit).count();
            ensure!(
                count == 1,
                "the budget of {} has {count} limits instead of one",
                budget.scenarios.join(" and ")
            );
            ensure!(
                says_why(&budget.why),
                "the budget of {} has to say why in a sentence that needs no other text: {:?}",
                budget.scenarios.join(" and "),
                budget.why
            );
        }
        Ok(budgets)
    }

    /// What contradicts the catalogue: a scenario it doesn't know, or one that no lane of the budget measures; also one that
    /// others are compared with.
    #[must_use]
    pub fn strangers(&self, catalogue: &Catalogue) -> Vec<String> {
        let pairs = self.budget.iter().flat_map(|budget| {
            let over = budget.over.iter().map(|over| &over.scenario);
            let grpc = budget.grpc.iter().map(|grpc| &grpc.scenario);
            let names = budget.scenarios.iter().chain(over).chain(grpc);
            names.map(move |name| (budget, name))
        });
        pairs
            .filter(|(budget, name)| {
                let measured = catalogue.entry(name).map(|entry| &entry.who.lanes);
                !measured.is_some_and(|lanes| lanes.iter().any(|lane| budget.covers(lane)))
            })
            .map(|(budget, name)| {
                format!(
                    "no lane measures `{name}`, which has a budget: {}",
                    budget.why
                )
            })
            .collect()
    }

    /// Every budget that binds a measure of ours, applied to it; empty for other subjects and where none binds.
    #[must_use]
    pub fn judge(&self, run: &Run, measure: &Measure) -> Vec<Judgement> {
        if measure.subject != OURS {
            return Vec::new();
        }
        let lane = Lane {
            host: measure.host.clone(),
            transport: measure.transport.clone(),
        };
        let binding = self
            .budget
            .iter()
            .enumerate()
            .filter(|(_, budget)| budget.binds(&measure.scenario, &lane));
        binding
            .filter_map(|(index, budget)| budget.judge(index, run, measure))
            .collect()
    }
}

impl Budget {
    fn binds(&self, scenario: &str, lane: &Lane) -> bool {
        self.scenarios.iter().any(|name| name == scenario) && self.covers(lane)
    }

    fn covers(&self, lane: &Lane) -> bool {
        self.lanes.iter().any(|pattern| pattern.covers(lane))
    }

    /// Nothing if it's about another number of threads.
    fn judge(&self, index: usize, run: &Run, measure: &Measure) -> Option<Judgement> {
        let (limit, outcome) = self.outcome(run, measure)?;
        let verdict = match &outcome {
            None => Verdict::Unknown,
            Some((_, used)) if *used <= 1.0 => Verdict::Kept,
            Some(_) => Verdict::Over,
        };
        let (found, used) = outcome.unwrap_or_default();
        Some(Judgement {
            budget: index,
            limit,
            verdict,
            found,
            used,
        })
    }

    fn outcome(&self, run: &Run, measure: &Measure) -> Option<Outcome> {
        if let Some(most) = self.ratio {
            return Some(times(most, "floor", run.ratio(measure)));
        }
        if let Some(most) = self.bytes {
            let found = measure.alloc_bytes;
            // JMH's counting leaves thousandths of a byte where nothing is allocated.
            let used = |bytes: f64| bytes / (most + 0.5);
            return Some((bytes(most), found.map(|found| (bytes(found), used(found)))));
        }
        let same = |scenario: &str, lane: (&str, &str), threads: u32| {
            run.find(scenario, lane.0, lane.1, OURS, threads)
        };
        let own = (measure.host.as_str(), measure.transport.as_str());
        match measure.threads {
            1 => {
                if let Some(most) = self.ns {
                    let found = measure.median();
                    return Some((time(most), Some((time(found), found / most))));
                }
                if let Some(over) = &self.over {
                    let other = same(&over.scenario, own, 1);
                    let more = other.map(|other| measure.median() - other.median());
                    return Some(more_than(over, more));
                }
                if let Some(grpc) = &self.grpc {
                    let fastest = run.fastest_grpc(&grpc.scenario, &measure.host);
                    let ratio = fastest.and_then(|fastest| ratio(measure.median(), fastest));
                    return Some(times(grpc.times, "the fastest gRPC", ratio));
                }
                if let Some(peers) = &self.peers {
                    let fastest = run.fastest_peer(measure, &peers.subjects);
                    let ratio = fastest.and_then(|fastest| ratio(measure.median(), fastest));
                    return Some(times(peers.times, &peers.subjects.join(" or "), ratio));
                }
                let against = self.against.as_ref()?;
                let lane = against
                    .lane
                    .as_ref()
                    .map_or(own, |lane| (&lane.host, &lane.transport));
                let scenario = against.scenario.as_ref().unwrap_or(&measure.scenario);
                let other = same(scenario, lane, 1);
                let mut name = String::new();
                if lane != own {
                    let _ = write!(name, "{}/{}", lane.0, lane.1);
                }
                if *scenario != measure.scenario {
                    let gap = if name.is_empty() { "" } else { " " };
                    let _ = write!(name, "{gap}`{scenario}`");
                }
                let ratio = other.and_then(|other| ratio(measure.median(), other.median()));
                Some(times(against.times, &name, ratio))
            }
            _ => {
                let most = self.threads?;
                let one = same(&measure.scenario, own, 1).and_then(|one| run.least_ratio(one));
                let found = one.zip(run.least_ratio(measure));
                let found = found.and_then(|(one, several)| ratio(several, one));
                Some(times(most, "the floor's loss to threads", found))
            }
        }
    }
}

impl Run {
    /// How many times the floor's median a measure's is: of the same scenario, lane and number of threads.
    #[must_use]
    pub fn ratio(&self, measure: &Measure) -> Option<f64> {
        ratio(measure.median(), self.floor(measure)?.median())
    }

    /// The same of the shortest samples of both, which noise touches least: it must not pass for what a single thread takes.
    fn least_ratio(&self, measure: &Measure) -> Option<f64> {
        let least = |measure: &Measure| measure.ns.iter().copied().fold(f64::INFINITY, f64::min);
        ratio(least(measure), least(self.floor(measure)?))
    }

    fn floor(&self, measure: &Measure) -> Option<&Measure> {
        self.measures.iter().find(|other| {
            other.subject == FLOOR
                && other.scenario == measure.scenario
                && other.host == measure.host
                && other.transport == measure.transport
                && other.threads == measure.threads
        })
    }

    /// The least median of a host's gRPC clients, with one thread.
    fn fastest_grpc(&self, scenario: &str, host: &str) -> Option<f64> {
        let of_grpc = |measure: &&Measure| {
            let is_grpc = measure.subject.split(' ').next() == Some(GRPC);
            is_grpc && measure.scenario == scenario && measure.host == host && measure.threads == 1
        };
        let medians = self.measures.iter().filter(of_grpc).map(Measure::median);
        medians.min_by(f64::total_cmp)
    }

    /// The least median of the same work by those peers from the same host. They know no variants.
    fn fastest_peer(&self, ours: &Measure, subjects: &[String]) -> Option<f64> {
        let base = ours.scenario.rsplit_once(", ").map(|(base, _)| base);
        let of = |scenario: &str| {
            let of_peer = |measure: &&Measure| {
                let is_peer = subjects.contains(&measure.subject);
                is_peer
                    && measure.scenario == scenario
                    && measure.host == ours.host
                    && measure.threads == 1
            };
            let medians = self.measures.iter().filter(of_peer).map(Measure::median);
            medians.min_by(f64::total_cmp)
        };
        of(&ours.scenario).or_else(|| of(base?))
    }
}

/// Whether a reader gets a sentence, and not the number of something elsewhere.
fn says_why(text: &str) -> bool {
    let refers = |word: &str| {
        let letters = word.trim_matches(|c: char| !c.is_alphanumeric());
        word.starts_with('#') || ["issue", "issues"].contains(&&*letters.to_lowercase())
    };
    text.starts_with(|first: char| first.is_uppercase())
        && text.ends_with('.')
        && !text.split_whitespace().any(refers)
}

fn times(most: f64, what: &str, found: Option<f64>) -> Outcome {
    let found = found.map(|found| (format!("{found:.2} x {what}"), found / most));
    (format!("{most} x {what}"), found)
}

/// So many nanoseconds on top of another; what is less than that uses nothing up.
fn more_than(most: &Over, found: Option<f64>) -> Outcome {
    let found = found.map(|found| {
        let word = if found < 0.0 { "less" } else { "more" };
        let text = format!("{} {word}", time(found.abs()));
        (text, found.max(0.0) / most.ns)
    });
    let limit = format!("{} more than `{}`", time(most.ns), most.scenario);
    (limit, found)
}

fn bytes(bytes: f64) -> String {
    format!("{bytes:.0} B")
}

fn time(ns: f64) -> String {
    match ns {
        ns if ns < 1e3 => format!("{ns:.1} ns"),
        ns if ns < 1e6 => format!("{:.2} µs", ns / 1e3),
        ns => format!("{:.2} ms", ns / 1e6),
    }
}

/// The worst of several.
#[must_use]
pub fn worst(judgements: &[Judgement]) -> Option<Verdict> {
    judgements.iter().map(|judgement| judgement.verdict).max()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::results::{FORMAT, Machine};

    fn measure(
        scenario: &str,
        lane: (&str, &str),
        subject: &str,
        threads: u32,
        ns: f64,
    ) -> Measure {
        Measure {
            scenario: scenario.into(),
            host: lane.0.into(),
            transport: lane.1.into(),
            subject: subject.into(),
            threads,
            ns: vec![ns],
            single: None,
            alloc_bytes: None,
            harness: "test".into(),
        }
    }

    fn run(measures: Vec<Measure>) -> Run {
        Run {
            format: FORMAT,
            machine: Machine {
                name: "m".into(),
                platform: "Linux".into(),
                os: String::new(),
                cpu: String::new(),
                cores: 2,
                governor: String::new(),
                memory_bytes: 0,
            },
            began: "2026-01-01T00:00:00Z".into(),
            commit: "abc".into(),
            modified: false,
            quick: false,
            tools: BTreeMap::new(),
            method: BTreeMap::new(),
            missing: BTreeMap::new(),
            measures,
        }
    }

    fn ours() -> Budgets {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benches/budgets.toml");
        Budgets::read(&file).expect("it can be read")
    }

    const C: (&str, &str) = ("c", "librustbridge");
    const FFM: (&str, &str) = ("java", "ffm");

    #[test]
    fn budgets_are_judged_by_ratio_time_or_another_measure() {
        let python = ("python", "native");
        let run = run(vec![
            measure("pod 8/8", C, OURS, 1, 9.0),
            measure("pod 8/8", C, FLOOR, 1, 4.0),
            measure("pod 8/8", python, OURS, 1, 61.0),
            measure("get_answer, typed", FFM, OURS, 1, 20.0),
            measure("get_answer, typed", ("kotlin", "ffm"), OURS, 1, 24.0),
            measure("something else", C, OURS, 1, 1.0),
        ]);
        let budgets = ours();
        let told: Vec<_> = run
            .measures
            .iter()
            .flat_map(|measure| budgets.judge(&run, measure))
            // There are more budgets for these, of what isn't in this run.
            .filter(|one| one.verdict != Verdict::Unknown)
            .map(|one| (one.limit, one.found, one.verdict))
            .collect();
        let row = |limit: &str, found: &str, verdict| (limit.into(), found.into(), verdict);
        assert_eq!(
            told,
            [
                row("3 x floor", "2.25 x floor", Verdict::Kept),
                row("60.0 ns", "61.0 ns", Verdict::Over),
                row("1.3 x java/ffm", "1.20 x java/ffm", Verdict::Kept),
            ]
        );
    }

    #[test]
    fn a_measure_may_have_several_budgets() {
        let mut echo = measure("json echo 13 B", FFM, OURS, 1, 190.0);
        let floor = measure("json echo 13 B", FFM, FLOOR, 1, 140.0);
        let told = |echo: &Measure| {
            let run = run(vec![echo.clone(), floor.clone()]);
            worst(&ours().judge(&run, echo))
        };
        assert_eq!(told(&echo), Some(Verdict::Unknown));
        echo.alloc_bytes = Some(200.3);
        assert_eq!(told(&echo), Some(Verdict::Kept));
        echo.alloc_bytes = Some(208.0);
        assert_eq!(told(&echo), Some(Verdict::Over));
        assert_eq!(worst(&[]), None);
    }

    #[test]
    fn threads_are_judged_by_what_the_floor_loses_with_as_many() {
        let told = |one: f64, two: f64, eight: f64| {
            let with = |subject, threads, ns| measure("json echo 13 B", FFM, subject, threads, ns);
            let floors = [(1, 100.0), (2, 110.0), (8, 500.0)].map(|(n, ns)| with(FLOOR, n, ns));
            let several = [(2, two), (8, eight)].map(|(n, ns)| with(OURS, n, ns));
            let run = run([&floors[..], &[with(OURS, 1, one)], &several].concat());
            several.map(|measure| {
                let judged = ours().judge(&run, &measure);
                let of_threads = judged
                    .into_iter()
                    .find(|one| one.limit.ends_with("to threads"));
                of_threads.map(|one| (one.found, one.verdict))
            })
        };
        let row = |found: &str, verdict| {
            Some((format!("{found} x the floor's loss to threads"), verdict))
        };
        assert_eq!(
            told(50.0, 55.0, 300.0),
            [row("1.00", Verdict::Kept), row("1.20", Verdict::Over)]
        );
        assert_eq!(
            told(50.0, 71.5, 250.0),
            [row("1.30", Verdict::Over), row("1.00", Verdict::Kept)]
        );
    }

    #[test]
    fn a_lease_is_judged_by_another_scenario_of_its_lane() {
        let run = run(vec![
            measure("get_blob 16 MB, lease", C, OURS, 1, 60.0),
            measure("get_blob 1 KB, lease", C, OURS, 1, 30.0),
        ]);
        let judged = ours().judge(&run, &run.measures[0]);
        assert_eq!(judged[0].limit, "1.5 x `get_blob 1 KB, lease`");
        assert_eq!(judged[0].verdict, Verdict::Over);
        assert_eq!(judged[0].used, 60.0 / 45.0);
        assert!(
            ours().budget[judged[0].budget]
                .why
                .contains("copies nothing")
        );
    }

    #[test]
    fn what_has_a_grpc_client_is_judged_by_the_fastest_of_its_host() {
        let java = ("java", "");
        let structs = measure("get_structs, typed", FFM, OURS, 1, 45.0);
        let told = |clients: &[Measure]| {
            let run = run([clients, std::slice::from_ref(&structs)].concat());
            let judged = ours().judge(&run, &structs);
            let limit = "0.5 x the fastest gRPC";
            let found = judged.into_iter().find(|one| one.limit == limit);
            found.map(|one| (one.found, one.verdict))
        };
        let client = |subject: &str, ns| measure("get_structs", java, subject, 1, ns);
        let (tcp, unix) = (client("grpc tcp", 200.0), client("grpc unix", 100.0));
        let row = |found: &str, verdict| Some((found.to_owned(), verdict));
        assert_eq!(
            told(&[tcp.clone(), unix]),
            row("0.45 x the fastest gRPC", Verdict::Kept)
        );
        let close = client("grpc unix", 50.0);
        assert_eq!(
            told(&[tcp, close]),
            row("0.90 x the fastest gRPC", Verdict::Over)
        );
        let others = measure("get_structs", ("python", ""), "grpc tcp", 1, 100.0);
        assert_eq!(told(&[others]), row("", Verdict::Unknown));
    }

    #[test]
    fn what_peers_do_as_well_is_judged_by_the_fastest_of_them_from_its_host() {
        let text = "[[budget]]\nscenarios = [\"typed text\", \"error, message read, typed\"]\nlanes = [\"java/*\"]\n\
                    why = \"Theirs.\"\npeers = { times = 1.0, subjects = [\"boltffi\", \"uniffi\"] }\n";
        let budgets = Budgets::parse(text).expect("it has its form");
        let peer =
            |scenario: &str, host, subject: &str, ns| measure(scenario, (host, ""), subject, 1, ns);
        let told = |scenario: &str, peers: &[Measure]| {
            let ours = measure(scenario, FFM, OURS, 1, 90.0);
            let run = run([peers, std::slice::from_ref(&ours)].concat());
            let judged = budgets.judge(&run, &ours).remove(0);
            assert_eq!(judged.limit, "1 x boltffi or uniffi");
            (judged.found, judged.verdict)
        };
        let row = |found: &str, verdict| (found.to_owned(), verdict);
        let slow = peer("typed text", "java", "uniffi", 180.0);
        let fast = peer("typed text", "java", "boltffi", 60.0);
        let found = told("typed text", std::slice::from_ref(&slow));
        assert_eq!(found, row("0.50 x boltffi or uniffi", Verdict::Kept));
        let found = told("typed text", &[slow, fast]);
        assert_eq!(found, row("1.50 x boltffi or uniffi", Verdict::Over));
        // Another language's, and a peer that isn't asked about.
        let others = [
            peer("typed text", "python", "boltffi", 60.0),
            peer("typed text", "java", "jna", 60.0),
        ];
        assert_eq!(told("typed text", &others), row("", Verdict::Unknown));
        // A peer does the work of a variant under the name of its scenario.
        let error = peer("error, message read", "java", "boltffi", 100.0);
        let found = told("error, message read, typed", &[error]);
        assert_eq!(found, row("0.90 x boltffi or uniffi", Verdict::Kept));
    }

    #[test]
    fn what_comes_on_top_of_another_scenario_is_judged_by_itself() {
        let told = |plain: Option<f64>, ready: f64| {
            let plain = plain.map(|ns| measure("plain call", C, OURS, 1, ns));
            let ready = measure("ready", C, OURS, 1, ready);
            let run = run(plain.into_iter().chain([ready.clone()]).collect());
            let judged = ours().judge(&run, &ready).remove(0);
            assert_eq!(judged.limit, "40.0 ns more than `plain call`");
            (judged.found, judged.verdict, judged.used)
        };
        let row = |found: &str, verdict, used| (found.to_owned(), verdict, used);
        assert_eq!(
            told(Some(8.0), 38.0),
            row("30.0 ns more", Verdict::Kept, 0.75)
        );
        assert_eq!(
            told(Some(8.0), 88.0),
            row("80.0 ns more", Verdict::Over, 2.0)
        );
        assert_eq!(told(Some(8.0), 7.0), row("1.0 ns less", Verdict::Kept, 0.0));
        assert_eq!(told(None, 38.0), row("", Verdict::Unknown, 0.0));
    }

    #[test]
    fn our_budgets_are_about_scenarios_of_our_catalogue() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benches/catalogue.toml");
        let catalogue = Catalogue::read(&file).expect("it can be read");
        assert_eq!(ours().strangers(&catalogue), Vec::<String>::new());
        let text =
            "[[budget]]\nscenarios = [\"x\"]\nlanes = [\"*/*\"]\nwhy = \"None.\"\nns = 1.0\n";
        let strange = Budgets::parse(text).expect("it has its form");
        assert_eq!(strange.strangers(&catalogue).len(), 1);
        let over = text
            .replace("\"x\"", "\"ready\"")
            .replace("ns = 1.0", "over = { ns = 1.0, scenario = \"y\" }");
        let strange = Budgets::parse(&over).expect("it has its form");
        let strangers = strange.strangers(&catalogue);
        assert!(
            strangers.len() == 1 && strangers[0].contains("`y`"),
            "{strangers:?}"
        );
    }

    #[test]
    fn a_budget_has_one_limit() {
        let text = "[[budget]]\nscenarios = [\"x\"]\nlanes = [\"*/*\"]\nwhy = \"None.\"\n";
        assert!(Budgets::parse(text).is_err());
        assert!(Budgets::parse(&format!("{text}ns = 1.0\nratio = 2.0\n")).is_err());
        assert!(Budgets::parse(&format!("{text}ns = 1.0\n")).is_ok());
    }

    #[test]
    fn a_budget_says_why_and_refers_to_nothing_outside() {
        assert!(says_why("A second C# call needs nothing new."));
        for bad in [
            "",
            "no sentence",
            "As issue four of the tracker says.",
            "See Issues.",
            "See #4.",
        ] {
            assert!(!says_why(bad), "{bad}");
        }
    }
}
