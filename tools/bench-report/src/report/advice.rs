//! Recommendations that follow from the figures.
//!
//! Each rule says nothing where its figures are missing, and none is drawn from a quick look or a run under Wine. The thresholds are
//! the constants below; each recommendation cites the figures that put it past them.

use super::facts::{Difference, Facts, Seen, difference, is_wine};
use super::grpc::factors;
use super::java::lane;
use super::model::{Advice, Block, Section, id};
use super::names::{BINARY, BLOBS, BUILT, ECHO, LOAD, SAME_AS_JSON};
use super::platforms::Tally;
use super::threads::scaling;
use crate::catalogue::Lane;
use crate::{Measure, words};

/// A way must save that share of the other's time before it's worth choosing, besides lying outside of its spread.
const CLEAR: f64 = 0.10;
/// JSON is good enough as long as what it costs more than a struct takes up no more than that share of one core.
const SHARE_OF_A_CORE: f64 = 0.01;
/// More threads help as long as each step adds that share to the calls of all of them.
const GAIN_OF_THREADS: f64 = 0.15;
/// A lease is worth its care where the copy takes that many times as long.
const GAIN_OF_A_LEASE: f64 = 1.5;
/// A service on the same machine is worth mentioning as the slower way from that factor on.
const GAIN_OVER_GRPC: f64 = 2.0;
/// Loading is worth avoiding from that many calls' time on.
const CALLS_PER_LOAD: f64 = 100.0;

type Rule = fn(&Facts<'_>, &Seen<'_>) -> Option<Advice>;

pub(super) fn chapter(facts: &Facts<'_>) -> Section {
    let rules: [Rule; 11] = [
        |facts, seen| language(facts, seen, BINARY, "binary calls"),
        |facts, seen| language(facts, seen, ECHO, "calls with JSON"),
        encoding,
        json_is_enough,
        java_backend,
        java_method,
        python_backend,
        request,
        lease,
        more_threads,
        in_process,
    ];
    let mut section = Section::new("advice", "What to use");
    section.text(
        "Each recommendation follows from the figures behind it by a rule of `tools/bench-report/src/report/advice.rs`, not from an \
         opinion; a rule whose figures are missing says nothing.",
    );
    for seen in facts.runs.iter().filter(|seen| counts(seen)) {
        let mut part = Section::new(format!("advice-{}", id(&seen.label)), seen.label.clone());
        let mut advice: Vec<Advice> = rules.iter().filter_map(|rule| rule(facts, seen)).collect();
        advice.extend(load_once(facts, seen));
        if !advice.is_empty() {
            part.blocks.push(Block::Advice(advice));
        }
        section.part(part);
    }
    let platform = platform(facts);
    if !platform.is_empty() {
        let mut part = Section::new("advice-platforms", "Platforms");
        part.blocks.push(Block::Advice(platform));
        section.part(part);
    }
    if section.parts.is_empty() {
        section.blocks.clear();
    }
    section
}

/// Whether a run may be the ground of a recommendation.
fn counts(seen: &Seen<'_>) -> bool {
    !is_wine(seen.run) && !seen.run.quick
}

/// Whether one is clearly faster than the other: outside of the spread, and by enough to matter.
fn clearly(this: &Measure, than: &Measure) -> bool {
    matches!(difference(this, than), Difference::Less(share) if share >= CLEAR)
}

fn figure(name: &str, measure: &Measure) -> String {
    format!("{name} {}", words::time(measure.median()))
}

/// What the lanes need for a scenario, the fastest first.
fn by_time<'a>(facts: &Facts<'a>, seen: &Seen<'a>, scenario: &str) -> Vec<(String, &'a Measure)> {
    let all = facts
        .lanes()
        .filter_map(|lane| Some((facts.title(lane), seen.ours(scenario, lane, 1)?)));
    let mut all: Vec<(String, &Measure)> = all.collect();
    all.sort_by(|(_, a), (_, b)| a.median().total_cmp(&b.median()));
    all
}

/// The names of all that the first isn't clearly faster than.
fn leaders(all: &[(String, &Measure)]) -> Vec<String> {
    let Some((_, first)) = all.first() else {
        return Vec::new();
    };
    let level = all.iter().filter(|(_, other)| !clearly(first, other));
    level.map(|(name, _)| name.clone()).collect()
}

fn language(facts: &Facts<'_>, seen: &Seen<'_>, scenario: &str, what: &str) -> Option<Advice> {
    let all = by_time(facts, seen, scenario);
    let leaders = leaders(&all);
    if leaders.len() == all.len() {
        return None;
    }
    Some(Advice {
        what: format!(
            "Where {what} must cost as little as possible, make them from {}.",
            words::list(&leaders)
        ),
        because: all
            .iter()
            .map(|(name, measure)| figure(name, measure))
            .collect(),
    })
}

/// Lanes in which the same work was measured in both encodings: binary, JSON.
fn both_encodings<'a>(
    facts: &Facts<'a>,
    seen: &Seen<'a>,
) -> Vec<(String, &'a Measure, &'a Measure)> {
    let both = facts.lanes().filter_map(|lane| {
        let (binary, json) = (
            seen.ours(BINARY, lane, 1)?,
            seen.ours(SAME_AS_JSON, lane, 1)?,
        );
        Some((facts.title(lane), binary, json))
    });
    both.filter(|(_, binary, json)| clearly(binary, json))
        .collect()
}

fn encoding(facts: &Facts<'_>, seen: &Seen<'_>) -> Option<Advice> {
    let both = both_encodings(facts, seen);
    let factor = |(_, binary, json): &(String, &Measure, &Measure)| {
        words::ratio(json.median(), binary.median())
    };
    let factors: Vec<f64> = both.iter().filter_map(factor).collect();
    let least = factors.iter().copied().reduce(f64::min)?;
    let most = factors.iter().copied().reduce(f64::max)?;
    let because = both.iter().filter_map(|of| {
        let both = format!(
            "{} instead of {}",
            words::time(of.1.median()),
            words::time(of.2.median())
        );
        Some(format!("{} {both} ({})", of.0, words::times(factor(of)?)))
    });
    let (least, most) = (words::times(least), words::times(most));
    let range = if least == most {
        least
    } else {
        format!("{least} to {most}")
    };
    Some(Advice {
        what: format!(
            "Give methods that are called often a struct: the same work takes {range} as long with JSON."
        ),
        because: because.collect(),
    })
}

fn json_is_enough(facts: &Facts<'_>, seen: &Seen<'_>) -> Option<Advice> {
    let both = both_encodings(facts, seen);
    let rates = both.into_iter().filter_map(|(name, binary, json)| {
        let extra = json.median() - binary.median();
        Some((name, extra, words::ratio(SHARE_OF_A_CORE * 1e9, extra)?))
    });
    let rates: Vec<(String, f64, f64)> = rates.collect();
    let least = rates.iter().map(|(_, _, rate)| *rate).reduce(f64::min)?;
    let because = rates.iter().map(|(name, extra, rate)| {
        format!(
            "{name} {} more a call, {}",
            words::time(*extra),
            words::rate(*rate)
        )
    });
    Some(Advice {
        what: format!(
            "JSON is good enough up to {} calls a second from any language: until then what it costs more stays below {:.0} % of one core.",
            words::thousands(least),
            SHARE_OF_A_CORE * 100.0
        ),
        because: because.collect(),
    })
}

/// What two lanes of a language need for binary and for JSON, and the name of the faster one.
fn backends(facts: &Facts<'_>, seen: &Seen<'_>, one: &Lane, other: &Lane) -> Option<Advice> {
    let mut winners = Vec::new();
    let mut because = Vec::new();
    for (scenario, what) in [(BINARY, "binary calls"), (ECHO, "JSON")] {
        let (a, b) = (seen.ours(scenario, one, 1)?, seen.ours(scenario, other, 1)?);
        let winner = if clearly(a, b) {
            Some(facts.title(one))
        } else if clearly(b, a) {
            Some(facts.title(other))
        } else {
            None
        };
        winners.push((what, winner));
        because.push(format!(
            "{what}: {}, {}",
            figure(&facts.title(one), a),
            figure(&facts.title(other), b)
        ));
    }
    let [(_, binary), (_, json)] = &winners[..] else {
        return None;
    };
    let what = match (binary, json) {
        (Some(binary), Some(json)) if binary == json => {
            format!("Use {binary} for binary calls and for JSON.")
        }
        (None, None) => {
            format!(
                "Between {} and {} there is no difference that matters.",
                facts.title(one),
                facts.title(other)
            )
        }
        _ => {
            let say = |(what, winner): &(&str, Option<String>)| match winner {
                Some(winner) => format!("{winner} for {what}"),
                None => format!("either for {what}"),
            };
            format!("Use {} and {}.", say(&winners[0]), say(&winners[1]))
        }
    };
    Some(Advice { what, because })
}

fn java_backend(facts: &Facts<'_>, seen: &Seen<'_>) -> Option<Advice> {
    backends(facts, seen, &lane("java", "ffm"), &lane("java", "jni"))
}

fn python_backend(facts: &Facts<'_>, seen: &Seen<'_>) -> Option<Advice> {
    backends(
        facts,
        seen,
        &lane("python", "native"),
        &lane("python", "ctypes"),
    )
}

fn java_method(facts: &Facts<'_>, seen: &Seen<'_>) -> Option<Advice> {
    let ffm = lane("java", "ffm");
    let prebuilt = facts
        .variants(BINARY)
        .filter(|entry| !entry.name.contains("built inside"));
    let named = |entry: &crate::catalogue::Entry| {
        entry
            .variant
            .clone()
            .unwrap_or_else(|| "new `byte[]`".into())
    };
    let all = prebuilt.filter_map(|entry| Some((named(entry), seen.ours(&entry.name, &ffm, 1)?)));
    let mut all: Vec<(String, &Measure)> = all.collect();
    all.sort_by(|(_, a), (_, b)| a.median().total_cmp(&b.median()));
    let leaders = leaders(&all);
    if leaders.len() == all.len() {
        return None;
    }
    Some(Advice {
        what: format!(
            "In Java over FFM, take a binary response the cheapest way: {}.",
            words::list(&leaders)
        ),
        because: all
            .iter()
            .map(|(name, measure)| figure(name, measure))
            .collect(),
    })
}

fn request(facts: &Facts<'_>, seen: &Seen<'_>) -> Option<Advice> {
    let both = facts.lanes().filter_map(|lane| {
        let (reused, built) = (seen.ours(BINARY, lane, 1)?, seen.ours(BUILT, lane, 1)?);
        let text = format!(
            "{} {} instead of {}",
            facts.title(lane),
            words::time(reused.median()),
            words::time(built.median())
        );
        clearly(reused, built).then(|| (facts.title(lane), text))
    });
    let (names, because): (Vec<String>, Vec<String>) = both.unzip();
    (!names.is_empty()).then(|| Advice {
        what: format!(
            "Keep a request's bytes and change them in place where calls are many: it pays in {}.",
            words::list(&names)
        ),
        because,
    })
}

/// Values with the lanes that have them: `up to 4 (Rust and C), up to 1 (Python ctypes)`.
fn grouped(before: &str, pairs: &[(String, String)], after: &str) -> String {
    let mut groups: Vec<(&str, Vec<String>)> = Vec::new();
    for (value, name) in pairs {
        match groups.iter_mut().find(|(known, _)| known == value) {
            Some((_, names)) => names.push(name.clone()),
            None => groups.push((value, vec![name.clone()])),
        }
    }
    let after = if after.is_empty() {
        String::new()
    } else {
        format!(" {after}")
    };
    let groups = groups.iter().map(|(value, names)| {
        let names = words::list(names);
        format!("{before} {value}{after} ({names})")
    });
    groups.collect::<Vec<_>>().join(", ")
}

fn lease(facts: &Facts<'_>, seen: &Seen<'_>) -> Option<Advice> {
    let from = |lane: &Lane| {
        BLOBS.iter().find_map(|(name, size)| {
            let copied = seen.ours(name, lane, 1)?;
            let leased = seen.ours(&format!("{name}, lease"), lane, 1)?;
            let factor = words::ratio(copied.median(), leased.median())?;
            (factor >= GAIN_OF_A_LEASE && clearly(leased, copied)).then(|| {
                let title = facts.title(lane);
                let both = format!(
                    "{} instead of {}",
                    words::time(leased.median()),
                    words::time(copied.median())
                );
                let because = format!("{title}, {size}: {both}");
                (((*size).to_owned(), title), because)
            })
        })
    };
    let (sizes, because): (Vec<_>, Vec<String>) = facts.lanes().filter_map(from).unzip();
    (!sizes.is_empty()).then(|| Advice {
        what: format!(
            "Take large responses as a lease instead of a copy: {}.",
            grouped("from", &sizes, "on")
        ),
        because,
    })
}

fn more_threads(facts: &Facts<'_>, seen: &Seen<'_>) -> Option<Advice> {
    let helpful = facts.lanes().filter_map(|lane| {
        let points = scaling(seen, BINARY, lane);
        if points.len() < 2 {
            return None;
        }
        let steps = points
            .windows(2)
            .take_while(|step| step[1].1 >= step[0].1 * (1.0 + GAIN_OF_THREADS));
        let most = steps.last().map_or(points[0], |step| step[1]);
        let text: Vec<String> = points
            .iter()
            .map(|(count, factor)| format!("{count}: {}", words::times(*factor)))
            .collect();
        Some((
            (most.0.to_string(), facts.title(lane)),
            format!("{} {}", facts.title(lane), text.join(", ")),
        ))
    });
    let (counts, because): (Vec<_>, Vec<String>) = helpful.unzip();
    (!counts.is_empty()).then(|| Advice {
        what: format!(
            "More threads help {}. The run had {} cores.",
            grouped("up to", &counts, ""),
            seen.run.machine.cores
        ),
        because,
    })
}

fn in_process(facts: &Facts<'_>, seen: &Seen<'_>) -> Option<Advice> {
    let mut factors = factors(facts, seen);
    factors.sort_by(|(_, _, a), (_, _, b)| a.total_cmp(b));
    let (least, most) = (factors.first()?, factors.last()?);
    let say = |(entry, lane, factor): &(&crate::catalogue::Entry, &Lane, f64)| {
        format!(
            "`{}` from {} {}",
            entry.name,
            facts.title(lane),
            words::times(*factor)
        )
    };
    (least.2 >= GAIN_OVER_GRPC).then(|| Advice {
        what: format!(
            "Load a plugin rather than ask a service on the same machine: gRPC's fastest kind takes {} to {} as long for the same work.",
            words::times(least.2),
            words::times(most.2)
        ),
        because: vec![format!("the least: {}", say(least)), format!("the most: {}", say(most))],
    })
}

fn load_once(facts: &Facts<'_>, seen: &Seen<'_>) -> Option<Advice> {
    let costs = facts.lanes().filter_map(|lane| {
        let (load, call) = (seen.ours(LOAD, lane, 1)?, seen.ours(BINARY, lane, 1)?);
        let calls = words::ratio(load.median(), call.median())?;
        let text = format!(
            "{} {}, as long as {} calls",
            facts.title(lane),
            words::time(load.median()),
            words::count(calls as u64)
        );
        (calls >= CALLS_PER_LOAD).then_some(text)
    });
    let because: Vec<String> = costs.collect();
    (!because.is_empty()).then(|| Advice {
        what: "Load a plugin once and keep it: loading, one call and closing cost as much as many calls.".into(),
        because,
    })
}

/// Which system to run on, where two were measured on the same kind of processor and of the same commit.
fn platform(facts: &Facts<'_>) -> Vec<Advice> {
    let real: Vec<&Seen<'_>> = facts.runs.iter().filter(|seen| counts(seen)).collect();
    let mut advice = Vec::new();
    for (index, one) in real.iter().enumerate() {
        for other in &real[index + 1..] {
            let (first, second) = (one.run, other.run);
            let alike =
                (&first.machine.cpu, &first.commit) == (&second.machine.cpu, &second.commit);
            if !alike || first.machine.platform == second.machine.platform {
                continue;
            }
            let tally = Tally::of(facts, one, other);
            // Most of all rows, so that those without a difference count against a recommendation.
            let winner = if tally.less * 2 > tally.rows() {
                other
            } else if tally.more * 2 > tally.rows() {
                one
            } else {
                continue;
            };
            advice.push(Advice {
                what: format!(
                    "Where every call counts, run on {}: most calls take less time there.",
                    winner.label
                ),
                because: vec![format!(
                    "of {} figures, {} takes less time in {}, {} in {}, and {} don't differ",
                    tally.rows(),
                    other.label,
                    tally.less,
                    one.label,
                    tally.more,
                    tally.same
                )],
            });
        }
    }
    advice
}
