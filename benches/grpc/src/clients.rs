//! Runs the clients of all languages against servers of their own.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use clap::{Args, ValueEnum};
use tempfile::TempDir;

/// Far more than any client needs; past that it hangs.
const LIMIT: Duration = Duration::from_secs(8 * 60);

/// How the clients measure, which the file of results says to its readers.
const METHOD: &str = "\
    one server in Rust (tonic, tokio's default threads) and blocking unary calls over a channel that is warm, with the \
    libraries' default settings but for the largest message (32 MiB); every answer is looked at; 0.2 s of warming up for \
    each measure (Java 0.4 s, after 3 s at first), 0.8 s and at least 200 calls of measuring; every call timed by itself, \
    a sample being the mean of calls in 10 ms; a quick run a tenth of that";

/// What the client in Java is called.
const JAVA_CLASS: &str = "io.github.rustbridge.benchmarks.grpc.GrpcClient";

/// A language with a client.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub enum Host {
    /// tonic.
    Rust,
    /// grpc++, which is C's as well.
    Cpp,
    /// grpc-go.
    Go,
    /// `@grpc/grpc-js`.
    Node,
    /// grpcio.
    Python,
    /// grpc-java.
    Java,
}

impl Host {
    const ALL: [Host; 6] = [
        Host::Rust,
        Host::Cpp,
        Host::Go,
        Host::Node,
        Host::Python,
        Host::Java,
    ];

    fn name(self) -> &'static str {
        match self {
            Host::Rust => "rust",
            Host::Cpp => "cpp",
            Host::Go => "go",
            Host::Node => "node",
            Host::Python => "python",
            Host::Java => "java",
        }
    }
}

/// What to run.
#[derive(Args, Clone, Debug)]
pub struct Options {
    /// The folder to write the measures to: `grpc-HOST.json` and `grpc-HOST-pinned.json`, and beside them versions and how
    /// it was measured.
    #[arg(long, value_name = "FOLDER", required_unless_present_any = ["list", "smoke"])]
    out: Option<PathBuf>,
    /// Runs this host's client only; may be given several times.
    #[arg(long, value_enum)]
    host: Vec<Host>,
    /// Only scenarios whose name contains this.
    #[arg(long, value_name = "SUBSTRING", default_value = "")]
    only: String,
    /// Shorter measurements: enough for a look, not for a claim.
    #[arg(long)]
    quick: bool,
    /// Prints a line per measure and makes none.
    #[arg(long, conflicts_with = "smoke")]
    list: bool,
    /// Calls every method once in every way, looks at the answers, and measures nothing.
    #[arg(long)]
    smoke: bool,
    /// The client in C++, by default where `cargo xtask bench` builds it.
    #[arg(long, value_name = "PROGRAM")]
    cpp: Option<PathBuf>,
    /// The client in Go, likewise.
    #[arg(long, value_name = "PROGRAM")]
    go: Option<PathBuf>,
    /// The Node that runs node/client.mjs.
    #[arg(long, value_name = "PROGRAM", default_value = "node")]
    node: PathBuf,
    /// The Python that has what python/requirements.txt names.
    #[arg(long, value_name = "PROGRAM", default_value = "python3")]
    python: PathBuf,
    /// The Java that runs the jar.
    #[arg(long, value_name = "PROGRAM", default_value = "java")]
    java: PathBuf,
    /// The Java benchmarks' jar, by default where Maven puts it.
    #[arg(long, value_name = "FILE")]
    jar: Option<PathBuf>,
}

/// Runs every client, first with client and server free to go to any core, then both bound to one. A client that fails
/// is told at the end; the others still run.
///
/// # Errors
/// When a server doesn't start, or any client failed.
pub fn run(options: &Options) -> Result<()> {
    let hosts = match options.host.as_slice() {
        [] => &Host::ALL,
        some => some,
    };
    if let Some(folder) = &options.out {
        std::fs::create_dir_all(folder).with_context(|| format!("making {}", folder.display()))?;
        let file = folder.join("method-grpc.txt");
        std::fs::write(&file, METHOD).with_context(|| format!("writing {}", file.display()))?;
    }
    let generated = TempDir::with_prefix("rustbridge-grpc-python-")?;
    let mut failures = Vec::new();
    if hosts.contains(&Host::Python)
        && !options.list
        && let Err(error) = generate(options, generated.path())
    {
        failures.push(format!("python: {error:#}"));
    }
    let binding = Binding::find()?;
    let pinned = binding.as_ref().map(Some);
    for binding in [None].into_iter().chain(pinned) {
        let bound = binding.map(Binding::hold).transpose()?;
        let server = match options.list {
            true => None,
            false => Some(Server::start()?),
        };
        for &host in hosts {
            let failed_before = failures.iter().any(|it| it.starts_with(host.name()));
            if failed_before {
                continue;
            }
            let mut command = client(options, host, generated.path());
            address(&mut command, server.as_ref());
            if binding.is_some() {
                command.arg("--pinned");
            }
            if let Some(folder) = &options.out {
                let suffix = if binding.is_some() { "-pinned" } else { "" };
                command.arg("--out");
                command.arg(folder.join(format!("grpc-{}{suffix}.json", host.name())));
            }
            if let Err(error) = wait(&mut command) {
                failures.push(format!("{}: {error:#}", host.name()));
            }
        }
        drop(server);
        drop(bound);
    }
    ensure!(failures.is_empty(), "{}", failures.join("; "));
    Ok(())
}

/// The command of a host's client, without what differs from run to run.
fn client(options: &Options, host: Host, generated: &Path) -> Command {
    let mut command = match host {
        Host::Rust => Command::new(sibling("grpc-client")),
        Host::Cpp => {
            let usual = || here().join("../../target/cmake/bench-grpc/client");
            Command::new(options.cpp.clone().unwrap_or_else(usual))
        }
        Host::Go => {
            let usual = || here().join("../../target/grpc/go/client");
            Command::new(options.go.clone().unwrap_or_else(usual))
        }
        Host::Node => {
            let mut command = Command::new(&options.node);
            command.arg(here().join("node").join("client.mjs"));
            command
        }
        Host::Python => {
            let mut command = Command::new(&options.python);
            command.arg(here().join("python").join("client.py"));
            command.env("PYTHONPATH", generated);
            command
        }
        Host::Java => {
            let usual =
                || here().join("../../rustbridge-java/rustbridge-benchmarks/target/benchmarks.jar");
            let mut command = Command::new(&options.java);
            // Netty's epoll is native code.
            command.arg("--enable-native-access=ALL-UNNAMED").arg("-cp");
            command.arg(options.jar.clone().unwrap_or_else(usual));
            command.arg(JAVA_CLASS);
            command
        }
    };
    command.args(["--only", &options.only]);
    let flags = [
        ("--quick", options.quick),
        ("--list", options.list),
        ("--smoke", options.smoke),
    ];
    command.args(
        flags
            .iter()
            .filter(|(_, given)| *given)
            .map(|(flag, _)| flag),
    );
    command
}

/// Where the server is; without one, as for a list, what would be there.
fn address(command: &mut Command, server: Option<&Server>) {
    let (tcp, unix) = match server {
        Some(server) => (server.tcp.as_str(), server.unix.as_deref()),
        None => ("-", cfg!(unix).then_some("-")),
    };
    command.args(["--tcp", tcp]);
    if let Some(unix) = unix {
        command.args(["--unix", unix]);
    }
}

/// Generated code isn't committed; making it takes less than a second.
fn generate(options: &Options, folder: &Path) -> Result<()> {
    let mut command = Command::new(&options.python);
    let assign = |flag: &str, folder: &Path| format!("{flag}={}", folder.display());
    command
        .args(["-m", "grpc_tools.protoc", "bench.proto"])
        .arg(assign("--proto_path", &here().join("proto")))
        .arg(assign("--python_out", folder))
        .arg(assign("--grpc_python_out", folder));
    wait(&mut command).context("generating Python of bench.proto")
}

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Another program of this workspace; cargo puts them all in one folder.
fn sibling(name: &str) -> PathBuf {
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    std::env::current_exe().map_or_else(|_| file.clone().into(), |path| path.with_file_name(&file))
}

/// Runs a command to its end, which mustn't be far.
fn wait(command: &mut Command) -> Result<()> {
    let name = command.get_program().to_string_lossy().into_owned();
    let child = command
        .stdin(Stdio::null())
        .spawn()
        .with_context(|| format!("starting `{name}`"))?;
    let mut child = Kept(child);
    let began = Instant::now();
    loop {
        if let Some(status) = child.0.try_wait()? {
            ensure!(status.success(), "`{name}` failed: {status}");
            return Ok(());
        }
        if began.elapsed() > LIMIT {
            bail!("`{name}` was ended after {} minutes", LIMIT.as_secs() / 60);
        }
        thread::sleep(Duration::from_millis(10));
    }
}

/// A process that doesn't outlive us, however we leave.
struct Kept(Child);

impl Drop for Kept {
    fn drop(&mut self) {
        if matches!(self.0.try_wait(), Ok(None)) {
            // It may have ended in between; then there's nothing left to do.
            let _ = self.0.kill();
            let _ = self.0.wait();
        }
    }
}

/// A running server. It ends when its standard input does: when this is dropped, and also if we are killed.
struct Server {
    process: Kept,
    stdin: Option<ChildStdin>,
    tcp: String,
    unix: Option<String>,
}

impl Server {
    fn start() -> Result<Server> {
        let mut process = Command::new(sibling("grpc-server"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("starting the gRPC server")?;
        let (stdin, stdout) = (process.stdin.take(), process.stdout.take());
        let process = Kept(process);
        let (mut tcp, mut unix) = (None, None);
        for line in BufReader::new(stdout.context("the server's output")?).lines() {
            let line = line.context("reading what the server says")?;
            match line.split_once(' ') {
                Some(("tcp", address)) => tcp = Some(address.to_owned()),
                Some(("unix", path)) => unix = Some(path.to_owned()),
                _ => break,
            }
        }
        Ok(Server {
            process,
            stdin,
            tcp: tcp.context("the server didn't start")?,
            unix,
        })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.stdin.take());
        let began = Instant::now();
        while matches!(self.process.0.try_wait(), Ok(None))
            && began.elapsed() < Duration::from_secs(5)
        {
            thread::sleep(Duration::from_millis(5));
        }
    }
}

#[cfg(target_os = "linux")]
use linux::Binding;

#[cfg(target_os = "linux")]
mod linux {
    use anyhow::{Context as _, Result};
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

    /// The core that client and server share when they are pinned: the last one of those that we may use, because
    /// interrupts tend to be dealt with on the first.
    pub struct Binding {
        all: CpuSet,
        one: CpuSet,
    }

    impl Binding {
        pub fn find() -> Result<Option<Binding>> {
            let all = sched_getaffinity(None).context("asking which cores may be used")?;
            let last = (0..CpuSet::MAX_CPU).rev().find(|&core| all.is_set(core));
            Ok(last.map(|core| {
                let mut one = CpuSet::new();
                one.set(core);
                Binding { all, one }
            }))
        }

        /// Binds this thread, and so all processes that it starts, until the result is dropped.
        pub fn hold(&self) -> Result<Bound> {
            sched_setaffinity(None, &self.one).context("binding to one core")?;
            Ok(Bound(self.all))
        }
    }

    pub struct Bound(CpuSet);

    impl Drop for Bound {
        fn drop(&mut self) {
            // It was allowed before.
            let _ = sched_setaffinity(None, &self.0);
        }
    }
}

#[cfg(not(target_os = "linux"))]
use elsewhere::Binding;

/// Other systems have no way, or none that children inherit; nothing is measured pinned there.
#[cfg(not(target_os = "linux"))]
mod elsewhere {
    use anyhow::Result;

    pub enum Binding {}

    impl Binding {
        pub fn find() -> Result<Option<Binding>> {
            Ok(None)
        }

        pub fn hold(&self) -> Result<()> {
            match *self {}
        }
    }
}
