//! `rustbridge new`.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use crate::client::write;
use crate::language::Language;
use crate::name;
use crate::packages::{LINK, Packages};
use crate::problem::Problem;
use crate::template::{Template, Values};
use crate::visible::visible;

/// What `new` takes.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The folder to make; its name is the plugin's.
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// A host project as well: one for each of these languages, with a typed client.
    #[arg(long, value_name = "LANGUAGES", value_delimiter = ',')]
    host: Vec<Language>,
    /// The folder that `cargo xtask package` has written, if this command isn't in it.
    #[arg(long, value_name = "FOLDER")]
    packages: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Problem> {
    let folder = &arguments.folder;
    let name = folder
        .file_name()
        .and_then(|name| name.to_str())
        .ok_or_else(|| {
            Problem::new(format_args!(
                "`{}` has no name that a plugin could have",
                folder.display()
            ))
        })?;
    let mut hosts = arguments.host.clone();
    hosts.sort_by_key(|host| host.name());
    hosts.dedup();
    name::check(name, &hosts)?;
    if folder.exists() {
        return Err(Problem::new(format_args!(
            "`{}` already exists: choose another name, or remove it",
            folder.display()
        )));
    }
    let packages = Packages::find(arguments.packages.as_deref())?;
    let values = Values::of_project(name, &hosts, &packages)?;
    let mut files = Vec::new();
    for template in Template::PLUGIN
        .iter()
        .chain(hosts.iter().flat_map(|host| Template::of_host(*host)))
    {
        let (path, text) = values.filled(template);
        files.push((folder.join(path), text));
    }
    // Only now, so that nothing is left half made by what could have been known before.
    for (path, text) in files {
        write(&path, text.as_bytes())?;
    }
    packages.link(&folder.join(LINK))?;
    writeln!(io::stdout(), "{}", next(folder, name, &hosts)).map_err(Problem::new)
}

/// What to do with a new project.
fn next(folder: &Path, name: &str, hosts: &[Language]) -> String {
    let hosts: Vec<&str> = hosts.iter().map(|host| host.name()).collect();
    let made = match &hosts[..] {
        [] => format!("`{name}` is a plugin in Rust. To build it and call it:"),
        [host] => format!(
            "`{name}` is a plugin in Rust, with a host in {host}. To build both and run the host:"
        ),
        hosts => format!(
            "`{name}` is a plugin in Rust, with hosts in {}. To build all and run the hosts:",
            hosts.join(", ")
        ),
    };
    let library = name.replace('-', "_");
    let then = match hosts[..] {
        [] => format!(
            "rustbridge build\n  rustbridge call target/release/{library} greet '{{\"name\": \"Ada\", \"languages\": [\"de\"]}}'"
        ),
        _ => "rustbridge run".to_owned(),
    };
    format!("{made}\n\n  cd {}\n  {then}", as_argument(folder))
}

/// A path as a shell takes it for one.
fn as_argument(path: &Path) -> String {
    let path = visible(&path.display().to_string());
    let is_plain = |letter: char| letter.is_alphanumeric() || "/\\:._-".contains(letter);
    if path.chars().all(is_plain) {
        path
    } else if cfg!(windows) {
        format!("\"{path}\"")
    } else {
        format!("'{}'", path.replace('\'', "'\\''"))
    }
}
