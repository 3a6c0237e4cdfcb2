//! Other ways to call native code, measured with `--peers` only; JNA is among the Java benchmarks.
//!
//! Each peer is built and measured by itself, and one that fails is recorded as missing.

mod building;
mod place;

use std::fs;
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use self::place::{CSHARP_PROGRAM, FOLDER, PYTHON_FOLDER, Place};
use super::harness::{Harness, Job};
use super::pin::Bind;
use crate::dotnet::Dotnet;
use crate::java::Java;
use crate::python;
use crate::step::Missing;

pub const HARNESS: Harness = Harness {
    name: "peers",
    language: "peers",
    title: "the peers",
    folder: FOLDER,
    build,
    measure,
    list,
};

/// A peer called from one language.
struct Peer {
    /// As measures name it.
    subject: &'static str,
    host: &'static str,
    /// Builds it and whatever calls it, into a folder of its own.
    build: Build,
    /// A file of that folder that is there when it's built.
    proof: Proof,
}

type Build = fn(&mut Job<'_, '_>, &Place) -> Result<()>;
type Proof = fn() -> String;

const fn peer(subject: &'static str, host: &'static str, build: Build, proof: Proof) -> Peer {
    Peer {
        subject,
        host,
        build,
        proof,
    }
}

/// In the order in which they are built: the longest builds are last. cffi's ABI mode needs the floor's library only.
const PEERS: [Peer; 9] = [
    peer("pyo3", "python", building::pyo3, building::pyo3_module),
    peer("cffi", "python", building::cffi, || "ready".into()),
    peer("cffi abi", "python", building::nothing, || "ready".into()),
    peer("predecessor", "python", building::predecessor, || {
        building::library("peer_predecessor")
    }),
    peer("uniffi", "python", building::uniffi_python, || {
        "peer_uniffi.py".into()
    }),
    peer("uniffi", "kotlin", building::uniffi_kotlin, building::jar),
    peer("boltffi", "python", building::boltffi_python, || {
        "peer_boltffi".into()
    }),
    peer("boltffi", "java", building::boltffi_java, building::jar),
    peer("boltffi", "csharp", building::boltffi_csharp, || {
        "ready".into()
    }),
];

impl Peer {
    /// Python's folders are called like the subjects, which is how the Python side finds them.
    fn place(&self, job: &Job<'_, '_>) -> Place {
        let all = job.workspace().target.join("peers");
        let name = match self.host {
            "python" => self.subject.to_owned(),
            host => format!("{}-{host}", self.subject),
        };
        Place {
            folder: all.join(name),
            all,
        }
    }

    fn name(&self) -> String {
        format!("{} from {}", self.subject, self.host)
    }

    /// Builds it where nothing of an earlier build is left that could pass for this one.
    fn rebuild(&self, job: &mut Job<'_, '_>) -> Result<()> {
        let place = self.place(job);
        let folder = &place.folder;
        if folder.exists() {
            fs::remove_dir_all(folder).with_context(|| format!("removing {}", folder.display()))?;
        }
        fs::create_dir_all(folder).with_context(|| format!("making {}", folder.display()))?;
        let built = (self.build)(job, &place);
        if built.is_err() {
            // So that an incomplete build isn't measured.
            let _ = fs::remove_dir_all(folder);
        }
        built
    }

    fn is_built(&self, job: &Job<'_, '_>) -> bool {
        self.place(job).folder.join((self.proof)()).exists()
    }

    fn measure(&self, job: &mut Job<'_, '_>) -> Result<()> {
        match self.host {
            "python" => self.measure_python(job),
            "csharp" => self.measure_csharp(job),
            _ => self.measure_jvm(job),
        }
    }

    fn measure_python(&self, job: &mut Job<'_, '_>) -> Result<()> {
        let place = self.place(job);
        let mut command = job.command(place.python());
        command
            .args(["-m", "pytest", "-q", "--peer", self.subject])
            .current_dir(job.workspace().root.join(PYTHON_FOLDER))
            .env("RUSTBRIDGE_PEERS_DIR", &place.all);
        job.choose(&mut command, "--scenario");
        match job.run(command, Bind::One) {
            // Not every peer does every scenario; pytest then fails without tests.
            Err(_) if job.scenario.is_some() && !self.has_rows(job) => Ok(()),
            other => other.map(drop),
        }
    }

    fn measure_csharp(&self, job: &mut Job<'_, '_>) -> Result<()> {
        let command = Dotnet::find()?.run(job.workspace(), CSHARP_PROGRAM);
        let mut command = job.prepared(command);
        job.choose(&mut command, "--only");
        job.run(command, Bind::All).map(drop)
    }

    fn has_rows(&self, job: &Job<'_, '_>) -> bool {
        let name = format!("peers-python-{}.json", self.subject.replace(' ', "-"));
        job.rows.join(name).exists()
    }

    fn measure_jvm(&self, job: &mut Job<'_, '_>) -> Result<()> {
        let place = self.place(job);
        let path = |name: &str| {
            let mut option = std::ffi::OsString::from(format!("-D{name}="));
            option.push(&place.folder);
            option
        };
        let options = [path("jna.library.path"), path("java.library.path")];
        let mut command = job.command(Java::find()?.program("java"));
        command
            .args(options)
            .arg("-jar")
            .arg(place.folder.join(building::jar()));
        job.choose(&mut command, "--only");
        job.run(command, Bind::All).map(drop)
    }
}

/// Builds or measures every peer; records those that fail, and fails if all do.
fn each(job: &mut Job<'_, '_>, work: impl Fn(&Peer, &mut Job<'_, '_>) -> Result<()>) -> Result<()> {
    let mut worked = false;
    for peer in &PEERS {
        match work(peer, job) {
            Ok(()) => worked = true,
            Err(error) => {
                let lacking = error.is::<Missing>();
                job.lack(&peer.name(), &error, lacking);
            }
        }
    }
    if !worked {
        bail!("no peer could be built and measured");
    }
    Ok(())
}

fn build(job: &mut Job<'_, '_>) -> Result<()> {
    building::environment(job)?;
    for (name, version) in building::versions(job)? {
        job.tool(&name, Some(version));
    }
    each(job, |peer, job| peer.rebuild(job))
}

fn measure(job: &mut Job<'_, '_>) -> Result<()> {
    let how = [
        (
            "Python by pytest-benchmark, three rounds of a quarter of a second in samples of 50 \u{b5}s",
            Bind::One,
        ),
        (
            "the JVM by JMH, two forks of a second's warm-up and three samples of 150 ms",
            Bind::All,
        ),
        ("C# by BenchmarkDotNet, as our own lane", Bind::All),
    ];
    for (how, bind) in how {
        let words = format!("{how}, {}", job.pinning.words(bind));
        job.say(HARNESS.name, &words);
    }
    // The reason of a failed build is recorded already.
    each(job, |peer, job| match peer.is_built(job) {
        true => peer.measure(job),
        false => Ok(()),
    })
}

/// Builds nothing: Python's list needs no natives. The scenarios of the JVM's peers are a table in one file, and C#'s peers
/// have the same ones.
fn list(job: &mut Job<'_, '_>) -> Result<String> {
    let workspace = job.workspace();
    let mut command: Command = workspace.command(python::interpreter(workspace)?);
    command
        .args(["-m", "peers.list"])
        .current_dir(workspace.root.join(PYTHON_FOLDER));
    let mut text = job.step.run(&mut command)?;
    let file = workspace
        .root
        .join(FOLDER)
        .join("jvm/src/peers/Harness.java");
    let source =
        fs::read_to_string(&file).with_context(|| format!("reading {}", file.display()))?;
    for peer in PEERS.iter().filter(|peer| peer.host != "python") {
        for scenario in scenarios(&source) {
            text.push_str(&format!(
                "{scenario}\t{}\t\t{}\t1\n",
                peer.host, peer.subject
            ));
        }
    }
    Ok(text)
}

/// The second arguments of `scenarios.put("empty", "empty call");`.
fn scenarios(source: &str) -> impl Iterator<Item = &str> {
    source.lines().filter_map(|line| {
        let arguments = line.trim().strip_prefix("scenarios.put(")?;
        let (_, scenario) = arguments.split_once(", ")?;
        scenario.strip_prefix('"')?.strip_suffix("\");")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_the_jvm_s_scenarios_can_be_read() {
        let source = "  Map<String, String> scenarios;\n    scenarios.put(\"error\", \"error, message read\");\n";
        let found: Vec<&str> = scenarios(source).collect();
        assert_eq!(found, ["error, message read"]);
    }

    #[test]
    fn no_two_peers_share_a_folder() {
        let mut names: Vec<String> = PEERS.iter().map(Peer::name).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), PEERS.len());
    }
}
