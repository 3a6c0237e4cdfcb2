//! The files of a typed client, and what writing them changes.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use rustbridge_gen::{ClientSchema, File, Options};

use crate::problem::Problem;

/// What every file of a client says of itself.
const WRITTEN: &str = "rustbridge gen -l ";

/// The files of a client as they are to be.
pub(crate) struct Client {
    texts: Vec<(PathBuf, String)>,
    gone: Vec<PathBuf>,
}

/// What becomes of a file.
pub(crate) enum Change {
    New,
    Changed,
    Unchanged,
    Removed,
}

impl Change {
    /// In a word.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Change::New => "new",
            Change::Changed => "changed",
            Change::Unchanged => "unchanged",
            Change::Removed => "removed",
        }
    }
}

impl Client {
    /// A client in a folder of sources.
    pub(crate) fn of(
        client_schema: &ClientSchema,
        language: impl Into<rustbridge_gen::Language>,
        options: &Options,
        out: &Path,
    ) -> Result<Client, Problem> {
        let files = rustbridge_gen::generate(client_schema, language.into(), options)
            .map_err(Problem::new)?;
        let gone = match &files[..] {
            // Of one that is a single file there may be others beside it, under other names.
            [_] => Vec::new(),
            files => gone(files, out),
        };
        let texts = files
            .into_iter()
            .map(|file| (out.join(&file.path), file.text))
            .collect();
        Ok(Client { texts, gone })
    }

    /// A file that belongs to it as well.
    pub(crate) fn add(&mut self, path: PathBuf, text: String) {
        self.texts.push((path, text));
    }

    /// Fails if somebody else's file is where one of these is to be written.
    pub(crate) fn check_place(&self) -> Result<(), Problem> {
        let is_others = |path: &PathBuf| {
            fs::read(path).is_ok_and(|found| {
                !found.is_empty() && !String::from_utf8_lossy(&found).contains(WRITTEN)
            })
        };
        let mut paths = self.texts.iter().map(|(path, _)| path);
        match paths.find(|path| is_others(path)) {
            None => Ok(()),
            Some(path) => Err(Problem::new(format_args!(
                "`{}` is there and isn't one that `rustbridge gen` has written: a file of the client is called so, so move yours, or have the client written elsewhere",
                path.display()
            ))),
        }
    }

    /// Writes what isn't so already, for what's unchanged needn't be built again, and removes what is gone. Tells of each file.
    pub(crate) fn write(&self) -> Result<Vec<(Change, &Path)>, Problem> {
        let mut changes = Vec::new();
        for (path, text) in &self.texts {
            changes.push((write(path, text.as_bytes())?, path.as_path()));
        }
        for path in &self.gone {
            fs::remove_file(path).map_err(|error| {
                Problem::new(format_args!(
                    "`{}` can't be removed: {error}",
                    path.display()
                ))
            })?;
            changes.push((Change::Removed, path));
        }
        Ok(changes)
    }

    /// Fails with the files that [`Client::write`] would change.
    pub(crate) fn check(&self) -> Result<(), Problem> {
        let stale: Vec<String> = self
            .texts
            .iter()
            .filter(|(path, text)| !is_so(path, text.as_bytes()))
            .map(|(path, _)| path)
            .chain(&self.gone)
            .map(|path| format!("`{}`", path.display()))
            .collect();
        if stale.is_empty() {
            return Ok(());
        }
        Err(Problem::answer(format_args!(
            "{} {} the output of `rustbridge gen` for the current plugin: run the command without `--check`",
            stale.join(", "),
            if stale.len() == 1 { "isn't" } else { "aren't" }
        )))
    }
}

/// Files that `gen` has written of the same plugin and would write no more: of types that are gone. They say so in their first line.
fn gone(files: &[File], out: &Path) -> Vec<PathBuf> {
    let paths: HashSet<PathBuf> = files.iter().map(|file| out.join(&file.path)).collect();
    let folders: BTreeSet<&Path> = paths.iter().filter_map(|path| path.parent()).collect();
    let first = files.first().and_then(|file| file.text.lines().next());
    let mut gone: Vec<PathBuf> = folders
        .into_iter()
        .filter_map(|folder| fs::read_dir(folder).ok())
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| !paths.contains(path))
        .filter(|path| {
            let text = fs::read_to_string(path);
            text.is_ok_and(|text| first.is_some() && text.lines().next() == first)
        })
        .collect();
    gone.sort();
    gone
}

/// Whether a file is there and holds this.
pub(crate) fn is_so(path: &Path, content: &[u8]) -> bool {
    fs::read(path).is_ok_and(|found| found == content)
}

/// Writes a file, with the folders that it's in, unless it is so already.
pub(crate) fn write(path: &Path, content: &[u8]) -> Result<Change, Problem> {
    let change = match fs::read(path) {
        Ok(found) if found == content => return Ok(Change::Unchanged),
        Ok(_) => Change::Changed,
        Err(_) => Change::New,
    };
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(path, content))
        .map_err(|error| {
            Problem::new(format_args!(
                "`{}` can't be written: {error}",
                path.display()
            ))
        })?;
    Ok(change)
}
