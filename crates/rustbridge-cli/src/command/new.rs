//! `rustbridge new`.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::client::write;
use crate::language::Language;
use crate::packages::Packages;
use crate::problem::Problem;
use crate::template::{Template, Values};

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
    check(name)?;
    if folder.exists() {
        return Err(Problem::new(format_args!(
            "`{}` is there already: take another name, or remove it",
            folder.display()
        )));
    }
    let mut hosts = arguments.host.clone();
    hosts.sort_by_key(|host| host.name());
    hosts.dedup();
    if hosts.contains(&Language::Python) && is_among(HIDDEN, name) {
        return Err(Problem::new(format_args!(
            "a client called `{name}` would hide Python's own module `{name}`: take another name"
        )));
    }
    let packages = Packages::find(arguments.packages.as_deref())?;
    let values = Values::of(name, &hosts, &packages)?;
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
    println!("{}", next(folder, name, &hosts));
    Ok(())
}

/// What to do with a new project.
fn next(folder: &Path, name: &str, hosts: &[Language]) -> String {
    let hosts: Vec<&str> = hosts.iter().map(|host| host.name()).collect();
    let made = match &hosts[..] {
        [] => format!("`{name}` is a plugin in Rust. To build it and call it:"),
        hosts => format!(
            "`{name}` is a plugin in Rust, with a host in {}. To build both and run the host:",
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
    format!("{made}\n\n  cd {}\n  {then}", folder.display())
}

/// Whether a name is one that a crate, a library and a class of each language can be made of.
fn check(name: &str) -> Result<(), Problem> {
    let words: Vec<&str> = name.split(['-', '_']).collect();
    let is_word = |word: &&str| {
        !word.is_empty()
            && word
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    let begins = name.starts_with(|first: char| first.is_ascii_lowercase());
    if !begins || !words.iter().all(is_word) {
        return Err(Problem::new(format_args!(
            "`{name}` can't be a plugin's name: take small letters and digits, beginning with a letter, and `-` or `_` between words"
        )));
    }
    if is_among(RESERVED, name) {
        return Err(Problem::new(format_args!(
            "`{name}` means something else in a language that calls the plugin, or in the first code that's written here: take another name"
        )));
    }
    Ok(())
}

fn is_among(names: &str, name: &str) -> bool {
    names.split_whitespace().any(|other| other == name)
}

/// What is a word of Rust's, Java's, Kotlin's, C#'s, C++'s or Python's, a crate that every crate has, or a name in the templates.
const RESERVED: &str = "\
    abstract alloc and app as assert async await base become bool boolean box break byte case catch char class \
    client const continue core crate decimal def default del delegate delete do double dyn elif else enum event \
    except explicit export extends extern false final finally fixed float fn for foreach friend from fun gen \
    global goto greeting host if impl implements implicit import in inline instanceof int interface internal is \
    java kotlin lambda let lock long loop macro main match mod move mut namespace native new none not null object \
    operator or override package params person plugin priv private proc_macro program protected pub public python \
    ref return rust rustbridge self static std string struct super system test true try type use";

/// Modules of Python's that a client in the program's folder would hide from everybody.
const HIDDEN: &str = "\
    abc argparse array ast asyncio atexit base64 bisect builtins bz2 calendar cmath cmd code codecs collections \
    colorsys contextlib contextvars copy copyreg csv ctypes dataclasses datetime dbm decimal difflib dis email \
    encodings errno faulthandler fcntl fileinput fnmatch fractions functools gc getopt getpass gettext glob \
    graphlib grp gzip hashlib heapq hmac html http inspect io ipaddress itertools json keyword linecache locale \
    logging lzma mailbox math mimetypes mmap numbers opcode operator os parser pathlib pickle pkgutil platform \
    posix pprint profile queue random re runpy sched secrets select shelve signal site socket sqlite3 statistics \
    struct subprocess sys token types uuid zipfile";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_in_every_language() {
        for name in ["hello", "hello-world", "a1", "image_tools", "x2-y"] {
            assert!(check(name).is_ok(), "{name}");
        }
        for name in [
            "", "Hello", "1st", "a--b", "-a", "a-", "a b", "ä", "class", "std", "person", "a.b",
        ] {
            assert!(check(name).is_err(), "{name}");
        }
    }
}
