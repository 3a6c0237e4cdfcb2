//! The catalogue: every scenario once, with its work, what lies inside the timed region, and who runs it.
//!
//! `benches/catalogue.toml` lists lanes (a host and its way to the core), groups, and scenarios. A scenario names the
//! lanes that measure it, and has a reason for each other lane.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use anyhow::{Context as _, Result, bail, ensure};
use serde::{Deserialize, Serialize};

/// A host and its way to the core, written `java/ffm`.
#[derive(Clone, Debug, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct Lane {
    /// The caller's language.
    pub host: String,
    /// Its way to the core.
    pub transport: String,
}

impl TryFrom<String> for Lane {
    type Error = String;

    fn try_from(text: String) -> Result<Lane, String> {
        match text.split_once('/') {
            Some((host, transport)) if !host.is_empty() && !transport.is_empty() => Ok(Lane {
                host: host.into(),
                transport: transport.into(),
            }),
            _ => Err(format!("`{text}` is no lane, like `java/ffm`")),
        }
    }
}

impl From<Lane> for String {
    fn from(lane: Lane) -> String {
        lane.to_string()
    }
}

impl fmt::Display for Lane {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.host, self.transport)
    }
}

impl Lane {
    /// Whether a lane fits this one, in which `*` stands for any word.
    pub(crate) fn covers(&self, lane: &Lane) -> bool {
        let fits = |pattern: &str, word: &str| pattern == "*" || pattern == word;
        fits(&self.host, &lane.host) && fits(&self.transport, &lane.transport)
    }

    fn is_pattern(&self) -> bool {
        self.host == "*" || self.transport == "*"
    }
}

/// The file as it stands.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    grpc: Grpc,
    #[serde(default)]
    peers: Peers,
    lane: Vec<LaneTitle>,
    group: Vec<Group>,
    scenario: Vec<Scenario>,
}

/// A lane and its title.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LaneTitle {
    /// The lane.
    pub name: Lane,
    /// `Java, FFM`.
    pub title: String,
    /// The harness that measures it.
    pub harness: String,
    /// The reason why it measures only scenarios that name its host. `*` doesn't stand for such a lane.
    pub otherwise: Option<String>,
}

/// The hosts with a gRPC client, its forms, and the reasons of the other hosts.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Grpc {
    /// `grpc tcp`, `grpc unix`: each host's client measures all of them.
    pub subjects: Vec<String>,
    /// The same with client and server on one core, for some scenarios only.
    #[serde(default)]
    pub pinned: Vec<String>,
    /// The hosts with a client.
    pub hosts: Vec<String>,
    /// The reasons of the other hosts.
    pub without: BTreeMap<String, String>,
}

/// Information about all peers.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Peers {
    /// The reason why a scenario has no peers.
    pub otherwise: String,
}

/// A chapter of the catalogue.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// Names it in scenarios.
    pub name: String,
    /// Its heading.
    pub title: String,
    /// The common properties of its scenarios, in a sentence or two.
    pub about: String,
    /// The reason of its scenarios that aren't measured with gRPC and have no reason of their own.
    pub no_grpc: Option<String>,
    /// The same for direct calls.
    pub no_direct: Option<String>,
}

/// A scenario as the file has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Scenario {
    name: String,
    group: String,
    /// The payload, and the plugin's work.
    work: String,
    /// The timed part.
    timed: String,
    /// One operation, if it isn't one call: `100 calls`.
    unit: Option<String>,
    #[serde(flatten)]
    who: Who,
    #[serde(default)]
    variant: Vec<Variant>,
}

/// A variant differs from its scenario in the way in which the host passes bytes, or in the timed part.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Variant {
    /// Appended to the scenario's name, after a comma.
    name: String,
    timed: String,
    #[serde(flatten)]
    who: Who,
}

/// The lanes that measure a scenario, and the other subjects. In lanes, `*` stands for any word. Reading replaces it by all
/// lanes for which it stands, except those in `without`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Who {
    /// The lanes that measure ours with one thread.
    pub lanes: Vec<Lane>,
    /// The lanes that measure ours with these numbers of threads, too.
    pub threads: BTreeMap<Lane, Vec<u32>>,
    /// The reasons of lanes that don't measure it.
    pub without: BTreeMap<Lane, String>,
    /// The reason of all lanes that aren't named elsewhere.
    pub otherwise: Option<String>,
    /// The lanes with a floor; by default all of `lanes`.
    pub floors: Option<Vec<Lane>>,
    /// The reason why the others, or all, have none.
    pub no_floor: Option<String>,
    /// Whether single operations are timed, too, of ours and of gRPC, with one thread.
    pub single: bool,
    /// Whether the same work is measured as a call from Rust to Rust.
    pub direct: bool,
    /// The reason why it isn't, if it's not its group's.
    pub no_direct: Option<String>,
    /// The hosts whose gRPC client does the same work; `*` for all that have one.
    pub grpc: Vec<String>,
    /// Whether they do it with client and server on one core as well.
    pub grpc_pinned: bool,
    /// With how many threads on one channel besides one, not pinned.
    pub grpc_threads: Vec<u32>,
    /// The reason why none does, if it's not its group's.
    pub no_grpc: Option<String>,
    /// Which hosts measure which peer on the same work.
    pub peers: BTreeMap<String, Vec<String>>,
}

/// A scenario, or a variant of one, as rows name it.
#[derive(Clone, Debug)]
pub struct Entry {
    /// `bench.small 76/80, segment`.
    pub name: String,
    /// The scenario without the variant.
    pub base: String,
    /// The variant, if it is one.
    pub variant: Option<String>,
    /// Its group's name.
    pub group: String,
    /// The payload, and the plugin's work.
    pub work: String,
    /// The timed part.
    pub timed: String,
    /// One operation: `1 call`.
    pub unit: String,
    /// The lanes and subjects that measure it.
    pub who: Who,
}

/// All of it.
#[derive(Clone, Debug)]
pub struct Catalogue {
    /// gRPC's clients.
    pub grpc: Grpc,
    /// Information about all peers.
    pub peers: Peers,
    /// In the order of the file.
    pub lanes: Vec<LaneTitle>,
    /// In the order of the file.
    pub groups: Vec<Group>,
    /// In the order of the file, each scenario before its variants.
    pub entries: Vec<Entry>,
}

impl Catalogue {
    /// Reads a file.
    ///
    /// # Errors
    /// When it isn't there or contradicts itself; the message names the scenario.
    pub fn read(file: &Path) -> Result<Catalogue> {
        let text =
            std::fs::read_to_string(file).with_context(|| format!("reading {}", file.display()))?;
        Catalogue::parse(&text).with_context(|| format!("reading {}", file.display()))
    }

    /// Reads a text.
    ///
    /// # Errors
    /// As [`Catalogue::read`].
    pub fn parse(text: &str) -> Result<Catalogue> {
        let file: File = toml::from_str(text).context("the catalogue's form")?;
        let mut entries: Vec<Entry> = Vec::new();
        for scenario in file.scenario {
            let base = Entry {
                name: scenario.name.clone(),
                base: scenario.name.clone(),
                variant: None,
                group: scenario.group,
                work: scenario.work,
                timed: scenario.timed,
                unit: scenario.unit.unwrap_or_else(|| "1 call".into()),
                who: scenario.who,
            };
            let variants = scenario.variant.into_iter().map(|variant| Entry {
                name: format!("{}, {}", base.name, variant.name),
                variant: Some(variant.name),
                timed: variant.timed,
                who: variant.who,
                ..base.clone()
            });
            let variants: Vec<Entry> = variants.collect();
            entries.push(base);
            entries.extend(variants);
        }
        for entry in &mut entries {
            entry.who.spell_out(&file.lane, &file.grpc.hosts);
        }
        let catalogue = Catalogue {
            grpc: file.grpc,
            peers: file.peers,
            lanes: file.lane,
            groups: file.group,
            entries,
        };
        catalogue.check()?;
        Ok(catalogue)
    }

    /// The entry of that name.
    #[must_use]
    pub fn entry(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.name == name)
    }

    /// A lane's title; its name if the catalogue doesn't know it.
    #[must_use]
    pub fn title(&self, lane: &Lane) -> String {
        let known = self.lanes.iter().find(|title| title.name == *lane);
        known.map_or_else(|| lane.to_string(), |title| title.title.clone())
    }

    fn check(&self) -> Result<()> {
        for (index, entry) in self.entries.iter().enumerate() {
            let problem = |text: String| format!("scenario `{}`: {text}", entry.name);
            ensure!(
                !self.entries[..index]
                    .iter()
                    .any(|other| other.name == entry.name),
                problem("is there twice".into())
            );
            ensure!(
                self.groups.iter().any(|group| group.name == entry.group),
                problem(format!("no group is called `{}`", entry.group))
            );
            let who = &entry.who;
            for host in &who.grpc {
                ensure!(
                    self.grpc.hosts.contains(host),
                    problem(format!("`{host}` has no gRPC client"))
                );
            }
            let named = who.lanes.iter().chain(who.threads.keys());
            for lane in named.clone().chain(who.without.keys()) {
                ensure!(
                    self.lanes.iter().any(|title| title.name == *lane),
                    problem(format!("no lane is called `{lane}`"))
                );
            }
            for title in &self.lanes {
                let measured = named.clone().any(|lane| *lane == title.name);
                match (measured, self.why_not(entry, &title.name)) {
                    (true, _) if who.without.contains_key(&title.name) => {
                        bail!(problem(format!("`{}` measures it and doesn't", title.name)));
                    }
                    (false, None) => bail!(problem(format!(
                        "says nothing of `{}`: name it in `lanes`, or why not in `without` or `otherwise`",
                        title.name
                    ))),
                    _ => {}
                }
            }
            let floors = who.floors.as_ref().unwrap_or(&who.lanes);
            ensure!(
                floors.iter().all(|lane| who.lanes.contains(lane)),
                problem("a floor belongs to a lane that measures ours".into())
            );
            ensure!(
                (floors.len() == who.lanes.len()) == who.no_floor.is_none(),
                problem("`no_floor` says why `floors` lacks lanes".into())
            );
            let group = self.groups.iter().find(|group| group.name == entry.group);
            let all_grpc = self.grpc.hosts.iter().all(|host| who.grpc.contains(host));
            let of_group = group.map(|group| (&group.no_direct, &group.no_grpc));
            let (of_direct, of_grpc) = of_group.unwrap_or((&None, &None));
            let (direct, any_grpc) = (who.direct, !who.grpc.is_empty());
            for (subject, any, all, why, of_group) in [
                ("direct", direct, direct, &who.no_direct, of_direct),
                ("grpc", any_grpc, all_grpc, &who.no_grpc, of_grpc),
            ] {
                ensure!(
                    !any || why.is_none(),
                    problem(format!("has `{subject}`, and a reason in `no_{subject}`"))
                );
                ensure!(
                    all || why.is_some() || of_group.is_some(),
                    problem(format!("lacks `{subject}`, and a reason in `no_{subject}`"))
                );
            }
        }
        for title in &self.lanes {
            let host = &title.name.host;
            ensure!(
                self.grpc.hosts.contains(host) != self.grpc.without.contains_key(host),
                "`{host}` is either in gRPC's `hosts` or has a reason in its `without`"
            );
        }
        Ok(())
    }

    /// The reason why a lane doesn't measure an entry; nothing if it does.
    #[must_use]
    pub fn why_not<'a>(&'a self, entry: &'a Entry, lane: &Lane) -> Option<&'a str> {
        let who = &entry.who;
        if who.lanes.contains(lane) || who.threads.contains_key(lane) {
            return None;
        }
        let of_lane = self.lanes.iter().find(|title| title.name == *lane);
        who.without
            .get(lane)
            .or_else(|| of_lane?.otherwise.as_ref())
            .or(who.otherwise.as_ref())
            .map(String::as_str)
    }
}

impl Who {
    /// Puts lanes in the place of patterns, and hosts in that of all that have a gRPC client.
    fn spell_out(&mut self, all: &[LaneTitle], clients: &[String]) {
        if self.grpc == ["*"] {
            self.grpc = clients.to_vec();
        }
        let named_only = |lane: &Lane| {
            all.iter()
                .any(|title| title.name == *lane && title.otherwise.is_some())
        };
        let names = |list: &[Lane], of: &[Lane]| -> Vec<Lane> {
            let mut spelt: Vec<Lane> = Vec::new();
            for lane in list {
                let found: Vec<Lane> = if lane.is_pattern() {
                    of.iter()
                        .filter(|it| lane.covers(it) && (lane.host == it.host || !named_only(it)))
                        .cloned()
                        .collect()
                } else {
                    vec![lane.clone()]
                };
                spelt.extend(found);
            }
            spelt
        };
        let measuring: Vec<Lane> = all
            .iter()
            .map(|title| title.name.clone())
            .filter(|lane| !self.without.contains_key(lane))
            .collect();
        self.lanes = names(&self.lanes, &measuring);
        self.floors = self
            .floors
            .as_ref()
            .map(|floors| names(floors, &self.lanes));
        let threads = self.threads.iter().flat_map(|(lane, numbers)| {
            let lanes = names(std::slice::from_ref(lane), &self.lanes);
            lanes.into_iter().map(|lane| (lane, numbers.clone()))
        });
        self.threads = threads.collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = r#"
        [grpc]
        subjects = ["grpc tcp"]
        hosts = ["java"]
        without = { c = "no client" }
        [[lane]]
        name = "c/librustbridge"
        title = "C"
        harness = "c"
        [[lane]]
        name = "java/ffm"
        title = "Java, FFM"
        harness = "jmh"
        [[group]]
        name = "structs"
        title = "Structs"
        about = "Leaf methods."
        no_grpc = "fixed layouts"
        no_direct = "the same as another"
    "#;

    fn parse(scenarios: &str) -> Result<Catalogue> {
        Catalogue::parse(&format!("{HEAD}{scenarios}"))
    }

    const POD: &str = r#"
        [[scenario]]
        name = "pod 8/8"
        group = "structs"
        work = "adds"
        timed = "the call"
    "#;

    #[test]
    fn variants_are_entries_of_their_own() {
        let text = format!(
            r#"{POD}
            lanes = ["c/librustbridge", "java/ffm"]
            threads = {{ "c/librustbridge" = [2] }}
            [[scenario.variant]]
            name = "segment"
            timed = "from segment to segment"
            lanes = ["java/ffm"]
            otherwise = "segments are Java's"
            "#
        );
        let catalogue = parse(&text).expect("it is complete");
        let segment = catalogue.entry("pod 8/8, segment").expect("the variant");
        assert_eq!(
            (segment.base.as_str(), segment.unit.as_str()),
            ("pod 8/8", "1 call")
        );
        let lane = |text: &str| Lane::try_from(text.to_owned()).expect("a lane");
        let why = catalogue.why_not(segment, &lane("c/librustbridge"));
        assert_eq!(why, Some("segments are Java's"));
        assert_eq!(catalogue.why_not(segment, &lane("java/ffm")), None);
        assert_eq!(catalogue.title(&lane("java/ffm")), "Java, FFM");
    }

    #[test]
    fn what_contradicts_itself_is_refused_by_name() {
        let all = r#"lanes = ["c/librustbridge", "java/ffm"]"#;
        for (scenarios, problem) in [
            (
                format!(r#"{POD} lanes = ["java/ffm"]"#),
                "says nothing of `c/librustbridge`",
            ),
            (
                format!(r#"{POD} lanes = ["java/fmm"]"#),
                "no lane is called `java/fmm`",
            ),
            (format!("{POD} {all}\n{POD} {all}"), "is there twice"),
            (
                format!("{POD} {all}").replace("structs", "texts"),
                "no group",
            ),
            (format!("{POD} {all}\nfloors = []"), "`no_floor` says why"),
            (
                format!("{POD} {all}\nno_floor = \"x\""),
                "`no_floor` says why",
            ),
            (
                format!("{POD} {all}\ngrpc = [\"c\"]"),
                "`c` has no gRPC client",
            ),
            (
                format!("{POD} {all}\ndirect = true\nno_direct = \"x\""),
                "has `direct`, and a reason",
            ),
            (format!("{POD} {all}\nlane = 1"), "form"),
        ] {
            let error = parse(&scenarios).expect_err(&scenarios);
            let text = format!("{error:#}");
            assert!(text.contains(problem), "{text} lacks {problem}");
        }
    }

    #[test]
    fn a_star_stands_for_any_word_of_a_lane() {
        let text = format!(
            r#"{POD}
            lanes = ["*/*"]
            without = {{ "java/ffm" = "not there" }}
            threads = {{ "*/*" = [2, 4] }}
            [[scenario.variant]]
            name = "into"
            timed = "the call"
            lanes = ["java/*"]
            floors = ["*/ffm"]
            otherwise = "Java's"
            "#
        );
        let catalogue = parse(&text).expect("it is complete");
        let names = |lanes: &[Lane]| lanes.iter().map(Lane::to_string).collect::<Vec<_>>();
        let pod = &catalogue.entry("pod 8/8").expect("the scenario").who;
        assert_eq!(names(&pod.lanes), ["c/librustbridge"]);
        assert_eq!(pod.threads.len(), 1);
        let into = &catalogue.entry("pod 8/8, into").expect("the variant").who;
        assert_eq!(names(&into.lanes), ["java/ffm"]);
        assert_eq!(names(into.floors.as_deref().unwrap_or(&[])), ["java/ffm"]);
    }

    #[test]
    fn a_lane_that_says_why_not_is_measured_where_it_is_named() {
        let head = HEAD.replace(
            "harness = \"jmh\"",
            "harness = \"jmh\"\notherwise = \"typed calls only\"",
        );
        let all = r#"lanes = ["*/*"]"#;
        let named = POD.replace("8/8", "9/9");
        let text = format!("{head}{POD}{all}\n{named}lanes = [\"c/*\", \"java/*\"]");
        let catalogue = Catalogue::parse(&text).expect("it is complete");
        let ffm = Lane::try_from("java/ffm".to_owned()).expect("a lane");
        let why_not = |name: &str| {
            let entry = catalogue.entry(name).expect("it's there");
            catalogue.why_not(entry, &ffm)
        };
        assert_eq!(why_not("pod 8/8"), Some("typed calls only"));
        assert_eq!(why_not("pod 9/9"), None);
    }

    #[test]
    fn a_missing_subject_needs_a_reason_of_its_scenario_or_group() {
        let all = r#"lanes = ["*/*"]"#;
        let without = |reason: &str| HEAD.replace(reason, "");
        for (reason, own, subject) in [
            (
                "no_grpc = \"fixed layouts\"",
                "no_grpc = \"x\"",
                "grpc = [\"*\"]",
            ),
            (
                "no_direct = \"the same as another\"",
                "no_direct = \"x\"",
                "direct = true",
            ),
        ] {
            let parse =
                |more: &str| Catalogue::parse(&format!("{}{POD}{all}\n{more}", without(reason)));
            let error = parse("").expect_err("there is no reason");
            assert!(format!("{error:#}").contains("lacks `"), "{error:#}");
            parse(own).expect("the scenario has a reason");
            let catalogue = parse(subject).expect("it has the subject");
            assert!(
                catalogue.entries[0]
                    .who
                    .grpc
                    .iter()
                    .all(|host| host == "java")
            );
        }
        let text = format!("{}{POD}{all}", without("c = \"no client\""));
        let error = Catalogue::parse(&text).expect_err("there is no reason for C");
        assert!(format!("{error:#}").contains("`c` is either"), "{error:#}");
    }

    #[test]
    fn our_catalogue_is_complete() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benches/catalogue.toml");
        Catalogue::read(&file).expect("it can be read");
    }
}
