//! `rustbridge build`.

use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::{env, fs, iter, process};

use clap::Args;
use object::Object;
use rustbridge_gen::ClientSchema;
use serde_json::{Value, json};

use crate::client::{Change, Client, is_so, write};
use crate::pack::{self, Kind, Library, Made};
use crate::problem::Problem;
use crate::project::{Host, Project, cargo};
use crate::subject::Subject;

/// What `build` takes.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The plugin's folder, or one in it.
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    project: PathBuf,
    /// Build in this profile of cargo's.
    #[arg(long, value_name = "PROFILE", default_value = RELEASE)]
    profile: String,
    /// Build for another system, one of those that `rustup target list` has. The hosts here stay as they are. With `--package`, give
    /// several, separated by commas: packages have a library for each, and for this machine.
    #[arg(long, value_name = "TRIPLE", value_delimiter = ',')]
    target: Vec<String>,
    /// Make packages of the plugin and its typed client, for one or more package managers, in `target/packages`.
    #[arg(long, value_enum, value_name = "LANGUAGE", value_delimiter = ',')]
    package: Vec<Kind>,
    /// Say nothing unless something goes wrong.
    #[arg(short, long)]
    quiet: bool,
    /// Print as JSON where the library is, how large, and which files have changed.
    #[arg(long, conflicts_with = "quiet")]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Problem> {
    let project = Project::around(&arguments.project)?;
    if !arguments.package.is_empty() {
        return package(arguments, &project);
    }
    let target = match &arguments.target[..] {
        [] => None,
        [target] => Some(&**target),
        _ => {
            return Err(Problem::new(
                "several targets need `--package`: add it, or build each target separately",
            ));
        }
    };
    let is_hosts = arguments.quiet && target.is_none() && arguments.profile == RELEASE;
    if is_hosts && env::var_os(BUILT).is_some_and(|root| is_same(&project.root, &root)) {
        return Ok(());
    }
    let built = build(&project, &arguments.profile, target, arguments.quiet)?;
    if arguments.quiet {
        return Ok(());
    }
    let mut out = io::stdout();
    if arguments.json {
        writeln!(out, "{}", built.json()).map_err(Problem::new)
    } else {
        write!(out, "{}", built.text()).map_err(Problem::new)
    }
}

/// Builds the plugin for each target and for this machine, whose library describes it, and makes the packages.
fn package(arguments: &Arguments, project: &Project) -> Result<(), Problem> {
    let here = machine()?;
    let mut triples = arguments.target.clone();
    if !triples.contains(&here) {
        triples.insert(0, here.clone());
    }
    let mut kinds = arguments.package.clone();
    kinds.dedup();
    pack::check(project, &kinds, &triples)?;
    let mut libraries = Vec::new();
    for triple in triples {
        // Without a target, cargo has made this machine's already.
        let is_given = arguments.target.contains(&triple);
        let target = is_given.then_some(&*triple);
        let file = library(project, &arguments.profile, target, arguments.quiet)?;
        libraries.push(Library { triple, file });
    }
    let own = libraries.iter().find(|library| library.triple == here);
    let own = own.ok_or_else(|| Problem::new("nothing was built for this machine"))?;
    let described = Subject::at(own.file.clone()).describe()?;
    let client_schema = ClientSchema::read(&described)
        .map_err(|error| Problem::new(format_args!("`{}`: {error}", project.name)))?;
    let made = pack::make(project, &kinds, &libraries, &client_schema)?;
    if arguments.quiet {
        return Ok(());
    }
    let mut out = io::stdout();
    if arguments.json {
        let all: Vec<Value> = made.iter().map(made_json).collect();
        return writeln!(out, "{}", json!({"packages": all})).map_err(Problem::new);
    }
    for made in &made {
        for file in &made.files {
            let file = from_here(file).display();
            writeln!(out, "{:>9}  {file}", "packaged").map_err(Problem::new)?;
        }
        writeln!(out, "{:>9}  {}", "use", made.line).map_err(Problem::new)?;
    }
    Ok(())
}

fn made_json(made: &Made) -> Value {
    let files = made.files.iter().map(|file| file.to_string_lossy());
    let files: Vec<_> = files.collect();
    json!({"language": made.kind.name(), "files": files, "use": made.line})
}

/// This machine's target.
fn machine() -> Result<String, Problem> {
    let output = cargo()
        .arg("-vV")
        .stdin(Stdio::null())
        .output()
        .map_err(|error| Problem::new(format_args!("`cargo` can't be run: {error}")))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let mut lines = text.lines();
    let host = lines.find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned)
        .ok_or_else(|| Problem::new("`cargo -vV` doesn't name this machine's target"))
}

/// Names, for the hosts' builds that `rustbridge run` starts, the project that it has just built: their `rustbridge build --quiet` has
/// nothing to do. If it built all the same, a host in Rust could wait for itself: cargo keeps a lock on its build directory, which a
/// user's configuration can make the plugin's as well.
pub(crate) const BUILT: &str = "RUSTBRIDGE_BUILT";

/// Whether both are the same folder, by whatever path.
fn is_same(root: &Path, other: &OsStr) -> bool {
    match (fs::canonicalize(root), fs::canonicalize(other)) {
        (Ok(root), Ok(other)) => root == other,
        _ => false,
    }
}

/// Cargo's profile for what ships.
pub(crate) const RELEASE: &str = "release";

/// Cargo's profile for development.
const DEVELOPMENT: &str = "dev";

/// The profile of a command that builds in order to run: for development, unless `--release` is given, like `cargo run`.
pub(crate) fn profile(release: bool) -> &'static str {
    if release { RELEASE } else { DEVELOPMENT }
}

/// What was built.
pub(crate) struct BuiltLibrary {
    library: PathBuf,
    size: u64,
    ships: bool,
    has_debug_symbols: bool,
    changed: Vec<(Change, PathBuf)>,
}

impl BuiltLibrary {
    /// Where it is.
    pub(crate) fn library(&self) -> &Path {
        &self.library
    }

    fn json(&self) -> Value {
        let changed: Vec<Value> = self
            .changed
            .iter()
            .map(|(change, path)| json!({"file": path.to_string_lossy(), "change": change.name()}))
            .collect();
        json!({"library": self.library.to_string_lossy(), "size": self.size, "stripped": !self.has_debug_symbols, "changed": changed})
    }

    /// For people.
    pub(crate) fn text(&self) -> String {
        let stripped = if self.ships && self.has_debug_symbols {
            ", much of it for debuggers: `strip = \"debuginfo\"` in `[profile.release]` leaves that out"
        } else {
            ""
        };
        let built = format!(
            "{:>9}  {}, {} KB{stripped}\n",
            "built",
            from_here(&self.library).display(),
            self.size.div_ceil(1000)
        );
        let changed = self
            .changed
            .iter()
            .map(|(change, path)| format!("{:>9}  {}\n", change.name(), from_here(path).display()));
        iter::once(built).chain(changed).collect()
    }
}

/// A path as it's shown to who is in a folder above it.
fn from_here(path: &Path) -> &Path {
    let here = env::current_dir().ok();
    here.and_then(|here| path.strip_prefix(here).ok())
        .unwrap_or(path)
}

/// Has cargo make a project's library in a profile, and brings its hosts in step with it.
pub(crate) fn build(
    project: &Project,
    profile: &str,
    target: Option<&str>,
    quiet: bool,
) -> Result<BuiltLibrary, Problem> {
    let library = library(project, profile, target, quiet)?;
    let bytes = read(&library)?;
    let mut built = BuiltLibrary {
        has_debug_symbols: object::File::parse(&*bytes).is_ok_and(|file| file.has_debug_symbols()),
        size: bytes.len() as u64,
        ships: profile == RELEASE,
        changed: Vec::new(),
        library,
    };
    if target.is_some() || project.hosts.is_empty() {
        return Ok(built);
    }
    let described = Subject::at(built.library.clone()).describe()?;
    let client_schema = ClientSchema::read(&described)
        .map_err(|error| Problem::new(format_args!("`{}`: {error}", project.name)))?;
    for host in &project.hosts {
        let changes = bring_in_step(project, host, &client_schema, &built.library, &bytes)?;
        built.changed.extend(changes);
    }
    Ok(built)
}

/// Writes a host's client and gives it the library. Tells which files that has changed.
fn bring_in_step(
    project: &Project,
    host: &Host,
    client_schema: &ClientSchema,
    library: &Path,
    bytes: &[u8],
) -> Result<Vec<(Change, PathBuf)>, Problem> {
    let mut client_schema = client_schema.clone();
    for (namespace, plugin) in &host.import {
        for note in Subject::at(project.root.join(plugin)).import(&mut client_schema, namespace)? {
            eprintln!("note: {note}");
        }
    }
    let client = Client::of(
        &client_schema,
        host.language,
        &host.options(),
        &project.root.join(&host.client),
    )?;
    // `gen` is told of a folder each time, and this is run by builds, without anybody who looks.
    client.check_place()?;
    let mut changes: Vec<(Change, PathBuf)> = client
        .write()?
        .into_iter()
        .map(|(change, path)| (change, path.to_owned()))
        .collect();
    let name = library.file_name().unwrap_or_default();
    let place = project.root.join(&host.library).join(name);
    if !is_so(&place, bytes) {
        // One that runs may have mapped it, so it's replaced as a whole.
        let beside = place.with_extension(format!("{}.new", process::id()));
        write(&beside, bytes)?;
        fs::rename(&beside, &place).map_err(|error| {
            Problem::new(format_args!(
                "`{}` can't be written: {error}",
                place.display()
            ))
        })?;
        changes.push((Change::Changed, place));
    }
    changes.retain(|(change, _)| !matches!(change, Change::Unchanged));
    Ok(changes)
}

/// Where cargo has left the library. What it has to say of its work goes to standard error as it comes.
fn library(
    project: &Project,
    profile: &str,
    target: Option<&str>,
    quiet: bool,
) -> Result<PathBuf, Problem> {
    let mut command = cargo();
    command
        // Where tests have it as a crate as well, that isn't made along: cargo doesn't optimize across crates then.
        .args(["rustc", "--profile", profile])
        .args(["--lib", "--crate-type", "cdylib"])
        .arg("--package")
        .arg(&project.id)
        .arg("--message-format=json-render-diagnostics")
        .arg("--manifest-path")
        .arg(project.root.join("Cargo.toml"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped());
    if quiet {
        command.arg("--quiet");
    }
    if let Some(target) = target {
        command.args(["--target", target]);
    }
    let mut child = command
        .spawn()
        .map_err(|error| Problem::new(format_args!("`cargo` can't be run: {error}")))?;
    let mut library = None;
    for line in child
        .stdout
        .take()
        .map(BufReader::new)
        .into_iter()
        .flat_map(|out| out.split(b'\n'))
    {
        let line = line.map_err(Problem::new)?;
        match serde_json::from_slice(&line) {
            Ok(message) => library = made(project, &message).or(library),
            // A macro has printed it.
            Err(_) => eprintln!("{}", String::from_utf8_lossy(&line)),
        }
    }
    if !child.wait().map_err(Problem::new)?.success() {
        // Cargo has said why.
        return Err(Problem::answer(format_args!(
            "`{}` doesn't build",
            project.name
        )));
    }
    library.ok_or_else(|| {
        Problem::new(format_args!(
            "cargo has built `{}` without a library that could be loaded",
            project.name
        ))
    })
}

/// The project's library, if a message of cargo's tells of it.
fn made(project: &Project, message: &Value) -> Option<PathBuf> {
    let manifest = Path::new(message["manifest_path"].as_str()?);
    let is_ours =
        message["reason"] == "compiler-artifact" && manifest.parent() == Some(&project.root);
    if !is_ours {
        return None;
    }
    let files = message["filenames"].as_array()?.iter();
    files
        .filter_map(|file| file.as_str().map(PathBuf::from))
        .find(|file| {
            let ending = file.extension().and_then(|ending| ending.to_str());
            matches!(ending, Some("so" | "dylib" | "dll"))
        })
}

fn read(path: &Path) -> Result<Vec<u8>, Problem> {
    fs::read(path)
        .map_err(|error| Problem::new(format_args!("`{}` can't be read: {error}", path.display())))
}
