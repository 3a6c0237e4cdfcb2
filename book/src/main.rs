//! Makes a book of the documentation, and checks every link in it.

mod check;
mod links;

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use mdbook_driver::MDBook;

use crate::links::Links;

/// Where links lead whose file is no page.
const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");

fn main() -> ExitCode {
    match run() {
        Ok(code) => code,
        Err(error) => {
            eprintln!("book: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<ExitCode> {
    let mut arguments = env::args_os().skip(1);
    let (Some(root), Some(out), None) = (arguments.next(), arguments.next(), arguments.next())
    else {
        bail!("it takes the repository and the folder of the book");
    };
    let made = make(Path::new(&root), &PathBuf::from(out))?;
    println!("{} pages, {} links", made.pages, made.links);
    for problem in &made.problems {
        eprintln!("{problem}");
    }
    Ok(if made.problems.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// What came out.
#[derive(Debug)]
struct Made {
    pages: usize,
    links: usize,
    problems: Vec<String>,
}

/// Makes the book of a repository's `book/book.toml` and `docs`, in a folder that has nothing else afterwards.
fn make(root: &Path, out: &Path) -> Result<Made> {
    let [root, out] = [whole(root)?, whole(out)?];
    if out.exists() {
        fs::remove_dir_all(&out).with_context(|| format!("removing {}", out.display()))?;
    }
    let mut book = MDBook::load(root.join("book"))?;
    book.config.build.build_dir.clone_from(&out);
    let links = Links::new(&root, &book.source_dir(), REPOSITORY);
    let found = links.found();
    let mut problems = missing(&root, &book)?;
    book.with_preprocessor(links);
    book.build()?;

    problems.extend(found.borrow_mut().drain(..));
    let checked = check::folder(&out)?;
    problems.extend(checked.problems);
    Ok(Made {
        pages: checked.pages,
        links: checked.links,
        problems,
    })
}

/// Not by `canonicalize`, after which Windows takes `..` for a name.
fn whole(path: &Path) -> Result<PathBuf> {
    let path = std::path::absolute(path).context("making the path a whole one")?;
    Ok(links::plain(&path))
}

/// Pages of `docs` that the summary doesn't name.
fn missing(root: &Path, book: &MDBook) -> Result<Vec<String>> {
    let source = book.source_dir();
    let named: BTreeSet<PathBuf> = book
        .book
        .chapters()
        .filter_map(|chapter| chapter.source_path.as_ref())
        .map(|path| links::plain(&source.join(path)))
        .collect();
    let docs = root.join("docs");
    let mut pages = Vec::new();
    pages_below(&docs, &mut pages)?;
    let summary = docs.join("SUMMARY.md");
    pages.sort();
    Ok(pages
        .into_iter()
        .filter(|page| *page != summary && !named.contains(page))
        .map(|page| {
            let page = links::slashes(page.strip_prefix(root).unwrap_or(&page));
            format!("{page}: docs/SUMMARY.md doesn't name it")
        })
        .collect())
}

fn pages_below(folder: &Path, pages: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            pages_below(&path, pages)?;
        } else if path.extension().is_some_and(|ending| ending == "md") {
            pages.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
