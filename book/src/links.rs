//! Links as they are in the repository, turned into those of the book.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

use anyhow::Result;
use mdbook_driver::book::{Book, BookItem, Chapter};
use mdbook_markdown::pulldown_cmark::{Event, Tag};
use mdbook_markdown::{MarkdownOptions, new_cmark_parser};
use mdbook_preprocessor::{Preprocessor, PreprocessorContext};

/// Where pages go that lie beside `docs` and not in it.
const BESIDE: &str = "project";

/// Gives each page its place, and each link the place of its page or an address in the repository.
pub struct Links {
    root: PathBuf,
    source: PathBuf,
    /// The repository's address.
    repository: String,
    /// What is wrong; the one who makes the book looks at it afterwards.
    problems: Rc<RefCell<Vec<String>>>,
}

impl Links {
    /// `source` is the folder of the summary.
    pub fn new(root: &Path, source: &Path, repository: &str) -> Links {
        Links {
            root: root.to_owned(),
            source: plain(source),
            repository: repository.to_owned(),
            problems: Rc::default(),
        }
    }

    pub fn found(&self) -> Rc<RefCell<Vec<String>>> {
        Rc::clone(&self.problems)
    }

    /// The chapter's file.
    fn file(&self, chapter: &Chapter) -> Option<PathBuf> {
        Some(plain(&self.source.join(chapter.source_path.as_ref()?)))
    }

    /// Where a file's page is in the book, still as Markdown: a folder's README is its index.
    fn place(&self, file: &Path) -> PathBuf {
        let place = match file.strip_prefix(&self.source) {
            Ok(inside) => inside.to_owned(),
            Err(_) => Path::new(BESIDE).join(file.strip_prefix(&self.root).unwrap_or(file)),
        };
        // Where a page is called so already, it's the folder's.
        if file.ends_with("README.md") && !file.with_file_name("index.md").exists() {
            return place.with_file_name("index.md");
        }
        place
    }

    /// The text with its links changed.
    fn rewritten(&self, text: &str, file: &Path, places: &BTreeMap<PathBuf, PathBuf>) -> String {
        let mut changed = text.to_owned();
        let mut links = Vec::new();
        let parser = new_cmark_parser(text, &MarkdownOptions::default());
        for (event, range) in parser.into_offset_iter() {
            if let Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) = event {
                links.push((dest_url.into_string(), range));
            }
        }
        // From the end, so that places before stay what they are; a picture in a link begins after it.
        links.sort_by_key(|(_, range)| range.start);
        for (link, range) in links.into_iter().rev() {
            if link.starts_with('#') || has_scheme(&link) {
                continue;
            }
            let new = match self.target(&link, file, places) {
                Ok(new) => new,
                Err(problem) => {
                    self.say(file, &problem);
                    continue;
                }
            };
            // Names of references stand elsewhere; the house writes none.
            let at = text[range.clone()].rfind(&format!("]({link}"));
            let Some(at) = at.map(|at| range.start + at + "](".len()) else {
                self.say(file, &format!("`{link}` isn't written as `[text](path)`"));
                continue;
            };
            changed.replace_range(at..at + link.len(), &new);
        }
        changed
    }

    /// What a link becomes that leads to a file.
    fn target(
        &self,
        link: &str,
        file: &Path,
        places: &BTreeMap<PathBuf, PathBuf>,
    ) -> Result<String, String> {
        let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
        let folder = file.parent().unwrap_or(file);
        let target = plain(&folder.join(path));
        let page = [target.clone(), target.join("README.md")]
            .into_iter()
            .find_map(|page| places.get(&page));
        if let Some(place) = page {
            let here = self.place(file);
            let from = here.parent().unwrap_or(&here);
            let hash = if anchor.is_empty() { "" } else { "#" };
            return Ok(format!("{}{hash}{anchor}", between(from, place)));
        }
        if !target.exists() {
            return Err(format!("`{link}`: there's no such file"));
        }
        // What isn't Markdown in the folder of the pages is copied as it is.
        let is_copied = target.is_file() && target.extension().is_none_or(|ending| ending != "md");
        if is_copied && target.starts_with(&self.source) {
            return Ok(link.to_owned());
        }
        if !anchor.is_empty() {
            return Err(format!(
                "`{link}` names a place in what is no page of the book, which can't be checked"
            ));
        }
        let Ok(inside) = target.strip_prefix(&self.root) else {
            return Err(format!("`{link}` leads out of the repository"));
        };
        let kind = if target.is_dir() { "tree" } else { "blob" };
        Ok(format!(
            "{}/{kind}/HEAD/{}",
            self.repository,
            slashes(inside)
        ))
    }

    fn say(&self, file: &Path, problem: &str) {
        let file = slashes(file.strip_prefix(&self.root).unwrap_or(file));
        self.problems
            .borrow_mut()
            .push(format!("{file}: {problem}"));
    }
}

impl Preprocessor for Links {
    fn name(&self) -> &str {
        "links-of-files"
    }

    fn run(&self, _: &PreprocessorContext, mut book: Book) -> Result<Book> {
        let mut places = BTreeMap::new();
        for file in book.chapters().filter_map(|chapter| self.file(chapter)) {
            let place = self.place(&file);
            places.insert(file, place);
        }
        book.for_each_mut(|item| {
            if let BookItem::Chapter(chapter) = item
                && let Some(file) = self.file(chapter)
            {
                chapter.content = self.rewritten(&chapter.content, &file, &places);
                chapter.path = Some(self.place(&file));
            }
        });
        Ok(book)
    }
}

/// `https:` and the like, which lead elsewhere.
pub fn has_scheme(link: &str) -> bool {
    link.split_once(':').is_some_and(|(scheme, _)| {
        !scheme.is_empty()
            && scheme
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
    })
}

/// A path without `.` and `..`, whether or not it's there.
pub fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}

/// The way from a folder to a file, both relative to the same place.
fn between(folder: &Path, file: &Path) -> String {
    let common = folder
        .components()
        .zip(file.components())
        .take_while(|(left, right)| left == right)
        .count();
    let up = "../".repeat(folder.components().count() - common);
    let down: PathBuf = file.components().skip(common).collect();
    format!("{up}{}", slashes(&down))
}

/// With forward slashes, as links have them.
pub fn slashes(path: &Path) -> String {
    let parts: Vec<_> = path
        .components()
        .map(|part| part.as_os_str().to_string_lossy())
        .collect();
    parts.join("/")
}
