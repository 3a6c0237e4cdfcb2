//! Other ways to call native code, measured with `--peers` only; JNA is among the Java benchmarks.
//!
//! Each peer is built and measured by itself, and one that fails is named among what is missing.

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
    guess: [330.0, 75.0, 520.0],
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
    build: fn(&mut Job<'_, '_>, &Place) -> Result<()>,
    /// A file of that folder that is there when it's built.
    proof: fn() -> String,
}

/// In the order in which they are built: what takes longest to build is last.
const PEERS: [Peer; 9] = [
    Peer {
        subject: "pyo3",
        host: "python",
        build: building::pyo3,
        proof: building::pyo3_module,
    },
    Peer {
        subject: "cffi",
        host: "python",
        build: building::cffi,
        proof: || "ready".into(),
    },
    Peer {
        subject: "cffi abi",
        host: "python",
        // Nothing but the floor's library, which is there.
        build: building::nothing,
        proof: || "ready".into(),
    },
    Peer {
        subject: "predecessor",
        host: "python",
        build: building::predecessor,
        proof: || building::library("peer_predecessor"),
    },
    Peer {
        subject: "uniffi",
        host: "python",
        build: building::uniffi_python,
        proof: || "peer_uniffi.py".into(),
    },
    Peer {
        subject: "uniffi",
        host: "kotlin",
        build: building::uniffi_kotlin,
        proof: building::jar,
    },
    Peer {
        subject: "boltffi",
        host: "python",
        build: building::boltffi_python,
        proof: || "peer_boltffi".into(),
    },
    Peer {
        subject: "boltffi",
        host: "java",
        build: building::boltffi_java,
        proof: building::jar,
    },
    Peer {
        subject: "boltffi",
        host: "csharp",
        build: building::boltffi_csharp,
        proof: || "ready".into(),
    },
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
            // So that nobody measures half of it.
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
        if job.quick {
            command.arg("--quick");
        }
        if let Some(scenario) = job.scenario {
            command.arg("--scenario").arg(scenario);
        }
        match job.run(command, Bind::One) {
            // Not every peer does every scenario; pytest then fails for want of tests.
            Err(_) if job.scenario.is_some() && !self.has_rows(job) => Ok(()),
            other => other.map(drop),
        }
    }

    fn measure_csharp(&self, job: &mut Job<'_, '_>) -> Result<()> {
        let command = Dotnet::find()?.run(job.workspace(), CSHARP_PROGRAM);
        let mut command = job.prepared(command);
        if job.quick {
            command.arg("--quick");
        }
        if let Some(scenario) = job.scenario {
            command.arg("--only").arg(scenario);
        }
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
        if job.quick {
            command.arg("--quick");
        }
        if let Some(scenario) = job.scenario {
            command.arg("--only").arg(scenario);
        }
        job.run(command, Bind::All).map(drop)
    }
}

/// Does something with every peer; says which it failed with, and fails if it did with all.
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
    // What isn't built is explained already.
    each(job, |peer, job| match peer.is_built(job) {
        true => peer.measure(job),
        false => Ok(()),
    })
}

/// Without building anything: Python's list needs no natives, and what the JVM's peers measure is a table in one file, which C#'s
/// has to measure as well.
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
