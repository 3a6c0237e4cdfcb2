//! The case files as types.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

use rustbridge_abi::{Encoding, Level};
use serde::Deserialize;
use serde::de::{Deserializer, Error as _};
use serde_json::Value;

use crate::call::{Call, Expect, Method, some};
use crate::operations::{self, Service, Work};
use crate::payload::{self, Payload};

/// Every case file, in the order of their names.
#[derive(Debug)]
pub struct Files {
    /// The files.
    pub files: Vec<File>,
}

/// One case file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct File {
    /// What its cases have in common, which is the file's name.
    pub topic: String,
    /// The same in a sentence.
    pub doc: String,
    /// The cases.
    pub cases: Vec<Case>,
}

/// One case.
#[derive(Clone, Debug)]
pub struct Case {
    /// Unique over all files.
    pub id: String,
    /// Which plugin.
    pub plugin: Plugin,
    /// What a host needs beside the ordinary.
    pub needs: Vec<Requirement>,
    /// Whether a panic poisons the instances.
    pub poison: bool,
    /// The instances' labels and configs; a config of none is not given at all.
    pub instances: BTreeMap<String, Option<Vec<u8>>>,
    /// Whether the config was given as bytes, which may be no text, and not as a JSON value.
    pub config_is_bytes: bool,
    /// What loading gives, when it isn't success.
    pub load: Option<Expect>,
    /// Which instances have a sink, its level, and the records it gets.
    pub logs: BTreeMap<String, Logs>,
    /// What the host offers to each instance.
    pub services: Vec<Service>,
    /// What is done, in order.
    pub steps: Vec<Step>,
    /// Whether it may share an instance with others of its kind: it is one call, and nothing but the call.
    pub shares: bool,
}

/// A plugin that cases call.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[serde(rename_all = "lowercase")]
pub enum Plugin {
    /// `plugins/hello-plugin`.
    Hello,
    /// `plugins/conformance-plugin`.
    Conformance,
    /// `plugins/lying-plugin`.
    Lying,
    /// `plugins/operations-plugin`.
    Operations,
    /// `plugins/fault-plugin/variants/services`.
    Needy,
}

impl Plugin {
    /// The cargo package of the plugin.
    #[must_use]
    pub fn package(self) -> &'static str {
        match self {
            Plugin::Hello => "hello-plugin",
            Plugin::Conformance => "conformance-plugin",
            Plugin::Lying => "lying-plugin",
            Plugin::Operations => "operations-plugin",
            Plugin::Needy => "fault-services",
        }
    }
}

/// What a host may lack.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
pub enum Requirement {
    /// Passing what no typed API can.
    #[serde(rename = "c-abi")]
    CAbi,
    /// Calls that carry something.
    #[serde(rename = "header")]
    Header,
    /// Calls that end later, and streams.
    #[serde(rename = "operations")]
    Operations,
    /// Services.
    #[serde(rename = "services")]
    Services,
    /// Objects.
    #[serde(rename = "objects")]
    Objects,
    /// Having plain methods run on another thread.
    #[serde(rename = "offload")]
    Offload,
    /// Functions that are told what comes of a call.
    #[serde(rename = "callbacks")]
    Callbacks,
    /// A queue that calls and services go to, and that can be closed.
    #[serde(rename = "queues")]
    Queues,
    /// Something to throw.
    #[serde(rename = "exceptions")]
    Exceptions,
}

impl Requirement {
    /// What cases and testees call it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Requirement::CAbi => "c-abi",
            Requirement::Header => "header",
            Requirement::Operations => "operations",
            Requirement::Services => "services",
            Requirement::Objects => "objects",
            Requirement::Offload => "offload",
            Requirement::Callbacks => "callbacks",
            Requirement::Queues => "queues",
            Requirement::Exceptions => "exceptions",
        }
    }

    /// Why a host that lacks it leaves cases out.
    #[must_use]
    pub fn reason(self) -> &'static str {
        match self {
            Requirement::CAbi => "the host's types rule the mistake out",
            Requirement::Header => "the host has no call that carries anything yet",
            Requirement::Operations => "the host has no call that ends later yet",
            Requirement::Services => "the host offers no services yet",
            Requirement::Objects => "the host has no objects yet",
            Requirement::Offload => "the host offloads no calls",
            Requirement::Callbacks => "the host has no completion callbacks",
            Requirement::Queues => "the host has no queue to close",
            Requirement::Exceptions => "the host's language throws nothing",
        }
    }
}

/// What one instance logs.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Logs {
    /// The level it is loaded with.
    #[serde(deserialize_with = "level")]
    pub level: Level,
    /// The events, all of them, in order.
    pub records: Vec<Record>,
}

/// An expected log record.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// How urgent.
    #[serde(deserialize_with = "level")]
    pub level: Level,
    /// What it says.
    pub message: String,
    /// The part of the plugin.
    pub target: Option<String>,
    /// Its fields.
    pub fields: Option<Value>,
    /// The names of the spans it happened in, outermost first.
    pub spans: Option<Vec<String>>,
}

/// One step of a case.
#[derive(Clone, Debug)]
pub struct Step {
    /// On which instance.
    pub instance: String,
    /// What is done.
    pub op: Op,
}

/// What a step does.
#[derive(Clone, Debug)]
pub enum Op {
    /// Calls a method.
    Call(Call),
    /// Closes the instance, waiting so many milliseconds; after the others, what's pending is cancelled.
    Close(Expect, u64, Option<u64>),
    /// Asks for its state, which is expected to be this.
    State(String),
    /// Changes its log level.
    LogLevel(Level),
    /// Has to do with what ends later.
    Work(Box<Work>),
}

impl Files {
    /// Where the files are: `conformance/cases` of this repository.
    #[must_use]
    pub fn folder() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/cases")
    }

    /// Reads every file of [`Files::folder`].
    ///
    /// # Errors
    /// A file that isn't readable, or isn't what the format says.
    pub fn read() -> io::Result<Files> {
        Files::read_from(&Files::folder())
    }

    /// Reads every file of a folder.
    ///
    /// # Errors
    /// A file that isn't readable, or isn't what the format says.
    pub fn read_from(folder: &Path) -> io::Result<Files> {
        let mut paths: Vec<PathBuf> = fs::read_dir(folder)?
            .map(|entry| entry.map(|entry| entry.path()))
            .collect::<io::Result<_>>()?;
        paths.retain(|path| {
            path.extension()
                .is_some_and(|extension| extension == "json")
        });
        paths.sort();
        let read = |path: PathBuf| {
            let text = fs::read(&path)?;
            serde_json::from_slice(&text).map_err(|problem| {
                io::Error::new(
                    io::ErrorKind::InvalidData,
                    format!("{}: {problem}", path.display()),
                )
            })
        };
        let files = paths.into_iter().map(read).collect::<io::Result<_>>()?;
        Ok(Files { files })
    }

    /// Every case.
    pub fn cases(&self) -> impl Iterator<Item = &Case> {
        self.files.iter().flat_map(|file| &file.cases)
    }
}

/// A case as it is written: flat if it is one call.
#[derive(Deserialize)]
struct CaseForm {
    id: String,
    plugin: Plugin,
    #[serde(default)]
    needs: Vec<Requirement>,
    #[serde(default, deserialize_with = "some")]
    config: Option<Value>,
    config_bytes: Option<Payload>,
    #[serde(default)]
    on_panic: OnPanic,
    instances: Option<BTreeMap<String, Value>>,
    load: Option<Expect>,
    #[serde(default)]
    logs: BTreeMap<String, Logs>,
    #[serde(default)]
    services: Vec<Service>,
    steps: Option<Vec<StepForm>>,
    #[serde(flatten)]
    only: BTreeMap<String, Value>,
}

#[derive(Default, Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
enum OnPanic {
    #[default]
    Continue,
    Poison,
}

#[derive(Deserialize)]
struct StepForm {
    #[serde(default = "call")]
    op: String,
    #[serde(default = "first")]
    instance: String,
    method: Option<String>,
    method_bytes: Option<Payload>,
    method_id: Option<u32>,
    encoding: Option<Value>,
    via: Option<Via>,
    request: Option<Payload>,
    #[serde(default)]
    capacity: Vec<usize>,
    #[serde(default)]
    misalign: Vec<usize>,
    level: Option<String>,
    timeout_ms: Option<u64>,
    cancel_after_ms: Option<u64>,
    expect: Option<Value>,
    #[serde(flatten)]
    more: BTreeMap<String, Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Via {
    Leaf,
}

fn call() -> String {
    "call".to_owned()
}

fn first() -> String {
    "a".to_owned()
}

impl<'de> Deserialize<'de> for Case {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Case, D::Error> {
        let form = CaseForm::deserialize(deserializer)?;
        let id = form.id.clone();
        Case::from_form(form).map_err(|problem| D::Error::custom(format!("case {id}: {problem}")))
    }
}

impl Case {
    /// Whether it's about what a language without exceptions hasn't.
    #[must_use]
    pub fn throws(&self) -> bool {
        self.needs.contains(&Requirement::Exceptions)
    }

    fn from_form(mut form: CaseForm) -> Result<Case, String> {
        // For people only.
        form.only.remove("notes");
        form.only.remove("provenance");
        let flat = form.steps.is_none() && form.load.is_none();
        let steps = match form.steps {
            Some(steps) => steps,
            None if form.load.is_some() => Vec::new(),
            None => {
                let only = Value::Object(std::mem::take(&mut form.only).into_iter().collect());
                vec![serde_json::from_value(only).map_err(|problem| problem.to_string())?]
            }
        };
        if let Some(unknown) = form.only.keys().next() {
            return Err(format!("the field `{unknown}` has no meaning here"));
        }
        let shares = flat
            && form.instances.is_none()
            && form.logs.is_empty()
            && form.services.is_empty()
            && form.on_panic == OnPanic::Continue;
        let config = match (&form.config, &form.config_bytes) {
            (Some(value), None) => Some(payload::json(value)),
            (None, Some(bytes)) => Some(bytes.bytes()),
            (None, None) => None,
            (Some(_), Some(_)) => return Err("config and config_bytes at once".to_owned()),
        };
        let config_is_bytes = form.config_bytes.is_some();
        let instances = match form.instances {
            Some(_) if config.is_some() => return Err("config and instances at once".to_owned()),
            Some(instances) => instances
                .into_iter()
                .map(|(label, config)| (label, Some(payload::json(&config))))
                .collect(),
            None => BTreeMap::from([(first(), config)]),
        };
        let steps = steps
            .into_iter()
            .map(|step| {
                if instances.contains_key(&step.instance) {
                    Step::from_form(step)
                } else {
                    Err(format!("there's no instance `{}`", step.instance))
                }
            })
            .collect::<Result<_, _>>()?;
        Ok(Case {
            id: form.id,
            plugin: form.plugin,
            needs: form.needs,
            poison: form.on_panic == OnPanic::Poison,
            instances,
            config_is_bytes,
            load: form.load,
            logs: form.logs,
            services: form.services,
            steps,
            shares,
        })
    }
}

impl Step {
    fn from_form(form: StepForm) -> Result<Step, String> {
        let StepForm {
            op,
            instance,
            method,
            method_bytes,
            method_id,
            encoding,
            via,
            request,
            capacity,
            misalign,
            level: level_name,
            timeout_ms,
            cancel_after_ms,
            expect,
            mut more,
        } = form;
        let work = operations::OPS.contains(&&*op);
        let own = if work {
            Some(operations::Form::take(&mut more)?)
        } else {
            None
        };
        if let Some(unknown) = more.keys().next() {
            return Err(format!("the field `{unknown}` has no meaning in `{op}`"));
        }
        let expected = || -> Result<Expect, String> {
            serde_json::from_value(expect.clone().ok_or("nothing is expected")?)
                .map_err(|problem| problem.to_string())
        };
        let call = |expect| -> Result<Call, String> {
            Ok(Call {
                method: match (method, method_bytes, method_id) {
                    (Some(name), None, None) => Method::Name(name),
                    (None, Some(bytes), None) => Method::Bytes(bytes.bytes()),
                    (None, None, Some(id)) => Method::Id(id),
                    _ => return Err("a call has one of method, method_bytes, method_id".to_owned()),
                },
                encoding: match encoding.ok_or("a call has an encoding")? {
                    Value::String(name) => Ok(Encoding::from_name(&name)
                        .ok_or_else(|| format!("`{name}` is no encoding"))?),
                    other => Err(other
                        .as_u64()
                        .and_then(|number| u32::try_from(number).ok())
                        .ok_or("an encoding is a name or a u32")?),
                },
                leaf: via.is_some(),
                request: request.map_or_else(Vec::new, |payload| payload.bytes()),
                capacity,
                misalign,
                expect,
            })
        };
        let op = match op.as_str() {
            "call" => Op::Call(call(expected()?)?),
            "close" => Op::Close(expected()?, timeout_ms.unwrap_or(10_000), cancel_after_ms),
            "state" => Op::State(
                expect
                    .as_ref()
                    .and_then(|expect| expect.get("state")?.as_str())
                    .ok_or("state expects a state")?
                    .to_owned(),
            ),
            "log_level" => Op::LogLevel(
                level_name
                    .as_deref()
                    .and_then(level_of)
                    .ok_or("log_level has a level")?,
            ),
            name => match own {
                Some(own) => Op::Work(Box::new(own.work(name, call, expect)?)),
                None => return Err(format!("`{name}` is no op")),
            },
        };
        Ok(Step { instance, op })
    }
}

/// The level of that name, e.g. `INFO`.
#[must_use]
pub fn level_of(name: &str) -> Option<Level> {
    Level::ALL
        .iter()
        .copied()
        .find(|level| level.name() == name)
}

fn level<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Level, D::Error> {
    let name = String::deserialize(deserializer)?;
    level_of(&name).ok_or_else(|| D::Error::custom(format!("`{name}` is no level")))
}
