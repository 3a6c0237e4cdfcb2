//! Whether every link in a folder of HTML leads somewhere.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use html5ever::TokenizerResult;
use html5ever::buffer_queue::BufferQueue;
use html5ever::tendril::{ByteTendril, fmt};
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};

use crate::links::{has_scheme, plain, slashes};

/// What was found.
pub struct Checked {
    pub pages: usize,
    pub links: usize,
    pub problems: Vec<String>,
}

/// A page's anchors and links.
#[derive(Default)]
struct Page {
    anchors: BTreeSet<String>,
    links: BTreeSet<String>,
}

/// Looks at every page of a folder. What leads elsewhere isn't asked for.
pub fn folder(folder: &Path) -> Result<Checked> {
    let mut pages = BTreeMap::new();
    read(folder, &mut pages)?;
    let mut links = 0;
    let mut problems = Vec::new();
    for (file, page) in &pages {
        for link in page.links.iter().filter(|link| !has_scheme(link)) {
            links += 1;
            if let Some(problem) = problem(link, file, &pages) {
                let file = slashes(file.strip_prefix(folder).unwrap_or(file));
                problems.push(format!("{file}: `{link}`: {problem}"));
            }
        }
    }
    Ok(Checked {
        pages: pages.len(),
        links,
        problems,
    })
}

fn problem(link: &str, file: &Path, pages: &BTreeMap<PathBuf, Page>) -> Option<&'static str> {
    let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
    let target = if path.is_empty() {
        file.to_owned()
    } else {
        plain(&file.with_file_name(path))
    };
    if !target.is_file() {
        return Some("there's no such file");
    }
    let found = anchor.is_empty()
        || pages
            .get(&target)
            .is_some_and(|page| page.anchors.contains(anchor));
    (!found).then_some("there's no such anchor")
}

fn read(folder: &Path, pages: &mut BTreeMap<PathBuf, Page>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            read(&path, pages)?;
        } else if path.extension().is_some_and(|ending| ending == "html") {
            let html = fs::read(&path).with_context(|| format!("reading {}", path.display()))?;
            let page = parse(&html).with_context(|| format!("parsing {}", path.display()))?;
            pages.insert(path, page);
        }
    }
    Ok(())
}

fn parse(html: &[u8]) -> Result<Page> {
    let bytes: ByteTendril = html.into();
    let Ok(text) = bytes.try_reinterpret::<fmt::UTF8>() else {
        bail!("it isn't UTF-8");
    };
    let queue = BufferQueue::default();
    queue.push_back(text);
    let tokenizer = Tokenizer::new(Sink::default(), TokenizerOpts::default());
    // It stops after each script, for whoever runs them.
    while let TokenizerResult::Script(()) = tokenizer.feed(&queue) {}
    tokenizer.end();
    Ok(tokenizer.sink.page.take())
}

#[derive(Default)]
struct Sink {
    page: RefCell<Page>,
}

impl TokenSink for Sink {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        let Token::TagToken(tag) = token else {
            return TokenSinkResult::Continue;
        };
        if tag.kind == TagKind::EndTag {
            return TokenSinkResult::Continue;
        }
        let mut page = self.page.borrow_mut();
        for attribute in &tag.attrs {
            let value = attribute.value.to_string();
            match &*attribute.name.local {
                "id" => {
                    page.anchors.insert(value);
                }
                // An image, a script, a stylesheet, a page.
                "href" | "src" => {
                    page.links.insert(value);
                }
                _ => {}
            }
        }
        match &*tag.name {
            "script" => TokenSinkResult::RawData(RawKind::ScriptData),
            "style" => TokenSinkResult::RawData(RawKind::Rawtext),
            _ => TokenSinkResult::Continue,
        }
    }
}
