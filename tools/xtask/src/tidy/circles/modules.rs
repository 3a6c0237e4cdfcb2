//! The modules of a crate as its sources say them: what each defines, imports and names.
//!
//! Read from tokens, so that what stands in a macro's arguments or body counts like any other code.

use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr as _;

use anyhow::{Context as _, Result, anyhow};
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// A module, in a file of its own or inside one.
#[derive(Default)]
pub struct Module {
    /// Below the crate: `["log", "queue"]`.
    pub path: Vec<String>,
    pub parent: Option<usize>,
    /// Index of the file it is written in.
    pub file: usize,
    pub children: BTreeMap<String, usize>,
    /// Names of what is defined right here.
    pub items: BTreeSet<String>,
    pub imports: Vec<Import>,
    /// Paths of two segments and more that the code names, with their lines.
    pub paths: Vec<(Vec<String>, usize)>,
    /// Single names that the code mentions outside of imports, with the first line.
    pub mentions: BTreeMap<String, usize>,
    /// Macros that are called by a single name, with the first line.
    pub calls: BTreeMap<String, usize>,
}

/// One name that a `use` brings; `*` stands for all of a module.
pub struct Import {
    pub name: String,
    pub path: Vec<String>,
    pub line: usize,
    /// It stands there for others: `pub use`.
    pub passed_on: bool,
}

/// All modules of one target of a crate, without its tests.
pub struct Modules {
    /// The first is the crate itself.
    pub modules: Vec<Module>,
    /// Paths from the workspace's root.
    pub files: Vec<String>,
    /// Where each macro by example is defined.
    pub macros: BTreeMap<String, usize>,
}

/// How a file is read: by its path from the workspace's root, with forward slashes.
pub type Read<'a> = &'a dyn Fn(&str) -> Option<String>;

const ITEMS: &[&str] = &[
    "fn",
    "struct",
    "enum",
    "union",
    "trait",
    "type",
    "const",
    "static",
    "mod",
    "impl",
    "use",
    "unsafe",
    "async",
    "extern",
    "macro_rules",
    "pub",
];

impl Modules {
    /// Reads a crate from its root file on.
    pub fn read(root: &str, read: Read<'_>) -> Result<Modules> {
        let mut modules = Modules {
            modules: vec![Module::default()],
            files: vec![root.to_owned()],
            macros: BTreeMap::new(),
        };
        let (folder, _) = root.rsplit_once('/').unwrap_or(("", root));
        modules.file(0, folder, read)?;
        Ok(modules)
    }

    /// Reads the file of a module, whose children's files lie in `folder`.
    fn file(&mut self, module: usize, folder: &str, read: Read<'_>) -> Result<()> {
        let path = self.files[self.modules[module].file].clone();
        let text = read(&path).with_context(|| format!("reading {path}"))?;
        let tokens =
            TokenStream::from_str(&text).map_err(|error| anyhow!("reading {path}: {error}"))?;
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        self.scan(&tokens, module, true, folder, read)
    }

    /// Goes through code: a module's own where `top`, else what a group in it holds.
    fn scan(
        &mut self,
        tokens: &[TokenTree],
        module: usize,
        top: bool,
        folder: &str,
        read: Read<'_>,
    ) -> Result<()> {
        let mut at = 0;
        let mut passed_on = false;
        while at < tokens.len() {
            if let Some((attribute, inner, length)) = attribute(&tokens[at..]) {
                if is_for_tests(&attribute) {
                    if inner {
                        return Ok(());
                    }
                    at += length;
                    at += item_length(&tokens[at..]);
                    continue;
                }
                self.scan(&attribute, module, false, folder, read)?;
                at += length;
                continue;
            }
            match &tokens[at] {
                TokenTree::Ident(word) if *word == "pub" => {
                    passed_on = true;
                    at += 1;
                    if parenthesized(tokens.get(at)).is_some() {
                        at += 1;
                    }
                    continue;
                }
                TokenTree::Ident(word) if *word == "use" && !is_punct(tokens.get(at + 1), '<') => {
                    let end = at + to_semicolon(&tokens[at..]);
                    let mut found = Vec::new();
                    import(&tokens[at + 1..end], &[], &mut found);
                    let imports = found.into_iter().map(|(name, path, line)| Import {
                        name,
                        path,
                        line,
                        passed_on: passed_on && top,
                    });
                    self.modules[module].imports.extend(imports);
                    at = end;
                }
                TokenTree::Ident(word) if *word == "mod" => {
                    at = self.child(tokens, at, module, folder, read)?;
                }
                TokenTree::Ident(word) => {
                    if let (true, Some(name)) = (top, defined(&word.to_string(), &tokens[at..])) {
                        if *word == "macro_rules" {
                            self.macros.insert(name.clone(), module);
                        }
                        self.modules[module].items.insert(name);
                    }
                    at += self.name(tokens, at, module);
                    passed_on = false;
                    continue;
                }
                TokenTree::Group(group) => {
                    self.scan(&trees(group), module, false, folder, read)?;
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
            passed_on = false;
            at += 1;
        }
        Ok(())
    }

    /// `mod name;` or `mod name { .. }`: the index of its last token.
    fn child(
        &mut self,
        tokens: &[TokenTree],
        at: usize,
        module: usize,
        folder: &str,
        read: Read<'_>,
    ) -> Result<usize> {
        let Some(TokenTree::Ident(name)) = tokens.get(at + 1) else {
            return Ok(at);
        };
        let name = name.to_string();
        let mut path = self.modules[module].path.clone();
        path.push(name.clone());
        let child = self.modules.len();
        let below = format!("{folder}/{name}");
        let mut new = Module {
            path,
            parent: Some(module),
            file: self.modules[module].file,
            ..Module::default()
        };
        match tokens.get(at + 2) {
            Some(TokenTree::Group(group)) => {
                self.modules.push(new);
                self.modules[module].children.insert(name, child);
                self.scan(&trees(group), child, true, &below, read)?;
            }
            Some(TokenTree::Punct(end)) if end.as_char() == ';' => {
                let mut file = format!("{below}.rs");
                if let Some(elsewhere) = elsewhere(&tokens[..at]) {
                    file = resolved(folder, &elsewhere);
                } else if read(&file).is_none() {
                    file = format!("{below}/mod.rs");
                }
                new.file = self.files.len();
                self.files.push(file);
                self.modules.push(new);
                self.modules[module].children.insert(name, child);
                self.file(child, &below, read)?;
            }
            _ => return Ok(at),
        }
        Ok(at + 2)
    }

    /// Takes a name or path down; how many tokens it has.
    fn name(&mut self, tokens: &[TokenTree], at: usize, module: usize) -> usize {
        let (path, length) = path(&tokens[at..]);
        let line = line(&tokens[at]);
        let after_dollar = at > 0 && is_punct(tokens.get(at - 1), '$');
        if !is_path_start(tokens, at) || (after_dollar && path[0] != "crate") {
            return length;
        }
        let module = &mut self.modules[module];
        if let [name] = &path[..] {
            let called = is_punct(tokens.get(at + 1), '!');
            let names = if called {
                &mut module.calls
            } else {
                &mut module.mentions
            };
            names.entry(name.clone()).or_insert(line);
        } else {
            module.paths.push((path, line));
        }
        length
    }
}

/// Whether a name there begins a path and is not a field, a method, a lifetime or the rest of a path.
fn is_path_start(tokens: &[TokenTree], at: usize) -> bool {
    let before = |mark| at > 0 && is_punct(tokens.get(at - 1), mark);
    !(before('\'')
        || (before(':')
            && at > 1
            && is_punct(tokens.get(at - 2), ':')
            && is_joint(&tokens[at - 2])))
        && (!before('.') || (at > 1 && is_punct(tokens.get(at - 2), '.')))
}

/// The segments of a path and how many tokens it has.
fn path(tokens: &[TokenTree]) -> (Vec<String>, usize) {
    let mut segments = vec![tokens[0].to_string()];
    let mut length = 1;
    while let [first, second, TokenTree::Ident(next), ..] = &tokens[length..] {
        if !is_double_colon(first, second) {
            break;
        }
        segments.push(next.to_string());
        length += 3;
    }
    (segments, length)
}

/// The names that a `use` brings, with their whole paths.
fn import(tokens: &[TokenTree], prefix: &[String], found: &mut Vec<(String, Vec<String>, usize)>) {
    let parts = tokens.split(|token| is_punct(Some(token), ','));
    for part in parts.filter(|part| !part.is_empty()) {
        let mut whole = prefix.to_vec();
        let mut at = 0;
        while at < part.len() {
            match &part[at] {
                TokenTree::Ident(word) if *word == "as" => break,
                TokenTree::Ident(word) => {
                    if *word != "self" || whole.is_empty() {
                        whole.push(word.to_string());
                    }
                }
                TokenTree::Group(group) => {
                    import(&trees(group), &whole, found);
                    whole.clear();
                    break;
                }
                TokenTree::Punct(mark) if mark.as_char() == '*' => whole.push("*".into()),
                // `::name` is another crate's.
                TokenTree::Punct(_) if at == 0 => break,
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
            at += 1;
        }
        let renamed = part.get(at + 1).map(ToString::to_string);
        if let Some(name) = renamed
            .or_else(|| whole.last().cloned())
            .filter(|_| !whole.is_empty())
        {
            found.push((name, whole, line(&part[0])));
        }
    }
}

/// The name that an item keyword defines.
fn defined(keyword: &str, tokens: &[TokenTree]) -> Option<String> {
    let name = match (keyword, tokens.get(1)?, tokens.get(2)) {
        ("macro_rules", _, Some(TokenTree::Ident(name))) => name,
        ("static", TokenTree::Ident(first), Some(TokenTree::Ident(name))) if *first == "mut" => {
            name
        }
        (
            "fn" | "struct" | "enum" | "union" | "trait" | "type" | "const" | "static",
            TokenTree::Ident(name),
            _,
        ) => name,
        _ => return None,
    };
    Some(name.to_string())
}

/// An attribute at the start: its content, whether it is one of what encloses it, and how many tokens it has.
fn attribute(tokens: &[TokenTree]) -> Option<(Vec<TokenTree>, bool, usize)> {
    if !is_punct(tokens.first(), '#') {
        return None;
    }
    let inner = is_punct(tokens.get(1), '!');
    let at = 1 + usize::from(inner);
    match tokens.get(at)? {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket => {
            Some((trees(group), inner, at + 1))
        }
        _ => None,
    }
}

/// The file that a `path` attribute names, of those before the word `mod`.
fn elsewhere(before: &[TokenTree]) -> Option<String> {
    let mut at = before.len();
    if matches!(before.last(), Some(TokenTree::Ident(word)) if *word == "pub") {
        at -= 1;
    }
    while at >= 2 && is_punct(before.get(at - 2), '#') {
        let (attribute, ..) = attribute(&before[at - 2..])?;
        if let [
            TokenTree::Ident(name),
            TokenTree::Punct(_),
            TokenTree::Literal(file),
        ] = &attribute[..]
            && *name == "path"
        {
            return Some(file.to_string().trim_matches('"').to_owned());
        }
        at -= 2;
    }
    None
}

/// A path from a folder on, without steps back.
fn resolved(folder: &str, path: &str) -> String {
    let mut steps: Vec<&str> = folder.split('/').collect();
    for step in path.split('/') {
        if step == ".." {
            steps.pop();
        } else {
            steps.push(step);
        }
    }
    steps.join("/")
}

/// `cfg(test)`, also among other conditions, but not `cfg(not(test))`.
fn is_for_tests(attribute: &[TokenTree]) -> bool {
    fn says_test(tokens: &[TokenTree]) -> bool {
        tokens.iter().enumerate().any(|(at, token)| match token {
            TokenTree::Ident(word) => *word == "test",
            TokenTree::Group(group) => {
                let negated = at > 0 && matches!(&tokens[at - 1], TokenTree::Ident(word) if *word == "not" || *word == "any");
                !negated && says_test(&trees(group))
            }
            _ => false,
        })
    }
    matches!(attribute, [TokenTree::Ident(name), TokenTree::Group(group)] if *name == "cfg" && says_test(&trees(group)))
}

/// How many tokens what an attribute belongs to has: an item, a field, an arm or a statement.
fn item_length(tokens: &[TokenTree]) -> usize {
    let mut at = 0;
    while let Some((_, _, length)) = attribute(&tokens[at..]) {
        at += length;
    }
    let is_item = matches!(tokens.get(at), Some(TokenTree::Ident(word)) if ITEMS.contains(&word.to_string().as_str()));
    let ends = |token: &TokenTree| match token {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        token => is_punct(Some(token), ';') || (!is_item && is_punct(Some(token), ',')),
    };
    let rest = tokens[at..].iter().position(ends);
    rest.map_or(tokens.len(), |end| at + end + 1)
}

fn to_semicolon(tokens: &[TokenTree]) -> usize {
    let end = tokens.iter().position(|token| is_punct(Some(token), ';'));
    end.unwrap_or(tokens.len())
}

fn parenthesized(token: Option<&TokenTree>) -> Option<&Group> {
    match token? {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => Some(group),
        _ => None,
    }
}

fn is_punct(token: Option<&TokenTree>, mark: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == mark)
}

fn is_joint(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.spacing() == proc_macro2::Spacing::Joint)
}

fn is_double_colon(first: &TokenTree, second: &TokenTree) -> bool {
    is_punct(Some(first), ':') && is_joint(first) && is_punct(Some(second), ':')
}

fn trees(group: &Group) -> Vec<TokenTree> {
    group.stream().into_iter().collect()
}

fn line(token: &TokenTree) -> usize {
    token.span().start().line
}
