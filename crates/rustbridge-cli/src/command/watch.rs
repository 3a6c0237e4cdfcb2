//! `rustbridge watch`.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use clap::Args;
use notify::{Event, RecursiveMode, Watcher};
use rustbridge_core::Plugin;
use rustbridge_description::Description;
use rustbridge_description::types::differences;
use serde_json::Value;

use crate::command::{build, call, diff};
use crate::problem::Problem;
use crate::project::Project;
use crate::visible::visible;

/// How long nothing has to change before it's built: an editor writes several files, and each in several steps.
const QUIET: Duration = Duration::from_millis(200);

/// What in a plugin's folder its library is made of.
const SOURCES: [&str; 4] = ["src", "Cargo.toml", "Cargo.lock", "build.rs"];

/// What `watch` takes.
#[derive(Args)]
pub(crate) struct Arguments {
    /// A method to call of each build, as `call` does.
    #[arg(value_name = "METHOD")]
    method: Option<String>,
    #[command(flatten)]
    with: call::With,
    /// Build as it ships, which takes longer, and not for development.
    #[arg(short, long)]
    release: bool,
    /// The plugin's folder, or one in it.
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    project: PathBuf,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Problem> {
    arguments.with.check()?;
    if arguments.with.reads_input() > 0 {
        return Err(Problem::new(
            "standard input can be read only once, but `watch` calls repeatedly: pass the request as `@FILE`",
        ));
    }
    let project = Project::around(&arguments.project)?;
    let root = &project.root;
    let mut changes = changes(&project)?;
    let mut current = None;
    loop {
        // What doesn't build or load is told, and what ran goes on.
        if let Err(problem) = renew(arguments, &mut current, &mut changes) {
            eprintln!("error: {}", visible(&problem.to_string()));
        }
        eprintln!("{:>9}  `{}` for changes", "watching", root.display());
        changes.next()?;
    }
}

/// The instance that's there, and what its plugin says of itself.
struct Current {
    plugin: Plugin,
    described: String,
}

/// Builds the plugin and takes the new one in place of the current.
fn renew(
    arguments: &Arguments,
    current: &mut Option<Current>,
    changes: &mut Changes,
) -> Result<(), Problem> {
    // Its manifest may have changed as well.
    let project = Project::around(&arguments.project)?;
    let profile = build::profile(arguments.release);
    let built = build::build(&project, profile, None, true)?;
    eprint!("{}", visible(&built.text()));
    // What can't be watched is no reason to leave what was built.
    if let Err(problem) = changes.follow(built.library()) {
        eprintln!("error: {}", visible(&problem.to_string()));
    }
    let plugin = arguments.with.open(built.library())?;
    let described = plugin.describe().to_owned();
    let old = current.replace(Current { plugin, described });
    let Some(new) = current else { return Ok(()) };
    let mut closed = Ok(());
    if let Some(old) = old {
        // However the old one ends, the new one is there.
        closed = call::close(old.plugin);
        compare(&old.described, &new.described)?;
    }
    let called = match &arguments.method {
        Some(method) => arguments.with.call(&new.plugin, method),
        None => Ok(()),
    };
    called.and(closed)
}

/// Tells what hosts see of a change.
fn compare(old: &str, new: &str) -> Result<(), Problem> {
    let read = |text| Description::<Value>::read(text).map_err(Problem::new);
    let (old, new) = (read(old.as_bytes())?, read(new.as_bytes())?);
    for found in differences(&old, &new).map_err(Problem::new)? {
        let text = visible(&found.to_string());
        eprintln!("{:>9}  {text}{}", diff::mark(&found), diff::whom(&found));
    }
    Ok(())
}

/// What becomes of a plugin's sources.
struct Changes {
    events: Receiver<notify::Result<Event>>,
    sources: Vec<PathBuf>,
    /// Tells of them for as long as it's there.
    watcher: notify::RecommendedWatcher,
}

/// Begins to watch a plugin's sources. Of its folder itself only the files that count, since builds write beside them.
fn changes(project: &Project) -> Result<Changes, Problem> {
    let root = &project.root;
    let mut sources: Vec<PathBuf> = SOURCES.iter().map(|name| root.join(name)).collect();
    // Its manifest may say that the library begins elsewhere, with its modules beside that.
    match project.source.parent() {
        Some(folder) if folder != root && folder.starts_with(root) => {
            sources.push(folder.to_owned())
        }
        _ => sources.push(project.source.clone()),
    }
    let (sender, events) = mpsc::channel();
    let mut watcher = notify::recommended_watcher(sender).map_err(Problem::new)?;
    let watched = watcher.watch(root, RecursiveMode::NonRecursive);
    watched.map_err(Problem::new)?;
    for folder in sources.iter().filter(|source| source.is_dir()) {
        let watched = watcher.watch(folder, RecursiveMode::Recursive);
        watched.map_err(Problem::new)?;
    }
    Ok(Changes {
        events,
        sources,
        watcher,
    })
}

impl Changes {
    /// Watches whatever else a library was built of: other packages of the user's, files that are included. Cargo lists them beside it.
    fn follow(&mut self, library: &Path) -> Result<(), Problem> {
        let Ok(list) = fs::read_to_string(library.with_extension("d")) else {
            return Ok(());
        };
        // What a build writes itself would have it built again.
        let is_built = |file: &Path| {
            library
                .parent()
                .is_some_and(|built| file.starts_with(built))
        };
        for file in listed(&list) {
            let is_watched = self.sources.iter().any(|source| file.starts_with(source));
            if is_watched || is_built(&file) || !file.is_file() {
                continue;
            }
            // The folder, since editors put a new file in the place of one.
            if let Some(folder) = file.parent() {
                let watched = self.watcher.watch(folder, RecursiveMode::NonRecursive);
                watched.map_err(Problem::new)?;
            }
            self.sources.push(file);
        }
        Ok(())
    }

    /// Waits for one, and until nothing more has changed for a moment.
    fn next(&self) -> Result<(), Problem> {
        loop {
            let event = self.events.recv().map_err(Problem::new)?;
            if self.counts(&event.map_err(Problem::new)?) {
                break;
            }
        }
        let mut until = Instant::now() + QUIET;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let event = match self.events.recv_timeout(left) {
                Ok(event) => event.map_err(Problem::new)?,
                Err(RecvTimeoutError::Timeout) => return Ok(()),
                Err(error) => return Err(Problem::new(error)),
            };
            // What doesn't count, a log beside the sources say, may never be quiet.
            if self.counts(&event) {
                until = Instant::now() + QUIET;
            } else if left.is_zero() {
                return Ok(());
            }
        }
    }

    fn counts(&self, event: &Event) -> bool {
        let is_source = |path: &PathBuf| self.sources.iter().any(|source| path.starts_with(source));
        // Where there were too many to tell of, any may have been of a source.
        event.need_rescan() || (!event.kind.is_access() && event.paths.iter().any(is_source))
    }
}

/// The files that a list for `make` says something is made of: behind a colon, with blanks between them, those of a name behind a backslash.
fn listed(list: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for line in list.lines() {
        let Some((_, made_of)) = line.split_once(": ") else {
            continue;
        };
        let mut name = String::new();
        for part in made_of.split(' ') {
            match part.strip_suffix('\\') {
                Some(begin) => name.push_str(&format!("{begin} ")),
                None => {
                    name.push_str(part);
                    files.extend((!name.is_empty()).then(|| PathBuf::from(name.split_off(0))));
                }
            }
        }
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_library_is_made_of_is_read_as_cargo_writes_it() {
        let list = "/t/libx.so: /p/build.rs /p/with\\ blank/a.rs /p/src/lib.rs\n\n";
        let files = ["/p/build.rs", "/p/with blank/a.rs", "/p/src/lib.rs"];
        assert_eq!(listed(list), files.map(PathBuf::from));
        assert_eq!(listed("/t/libx.so:\n"), Vec::<PathBuf>::new());
    }
}
