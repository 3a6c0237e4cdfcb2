//! The modules of a crate as its sources show them: the definitions, imports and names in each.

use std::collections::{BTreeMap, BTreeSet};
use std::iter;
use std::ops::Range;
use std::sync::LazyLock;

use anyhow::{Context as _, Result};
use regex_lite::{Captures, Match, Regex};

/// A module, in a file of its own or inside one.
#[derive(Default)]
pub struct Module {
    /// Below the crate: `["log", "queue"]`.
    pub path: Vec<String>,
    pub parent: Option<usize>,
    /// Index of the file it is written in.
    pub file: usize,
    pub children: BTreeMap<String, usize>,
    /// Names of the items that it defines.
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
    /// It's there for others: `pub use`.
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
    /// The files that `path` attributes name, by where the modules' files would lie otherwise.
    elsewhere: BTreeMap<String, String>,
}

/// How a file is read: by its path from the workspace's root, with forward slashes.
pub type Read<'a> = &'a dyn Fn(&str) -> Option<String>;

struct Patterns {
    /// Comments and literals.
    ignored: Regex,
    test: Regex,
    inline: Regex,
    child: Regex,
    elsewhere: Regex,
    import: Regex,
    item: Regex,
    begins_item: Regex,
    path: Regex,
}

/// Compiled once: they depend on nothing.
static PATTERNS: LazyLock<Patterns> = LazyLock::new(|| {
    let regex = |pattern: &str| Regex::new(pattern).expect("the pattern is right");
    Patterns {
        ignored: regex(
            r##"(?s)//[^\n]*|/\*.*?\*/|\br#".*?"#|\br"[^"]*"|"(?:\\.|[^"\\])*"|'(?:\\[^']+|\\'|[^'\\])'"##,
        ),
        test: regex(r"#(!?)\[cfg\((?:test\)|all\(test\b|all\([^\]]*, test\b)[^\]]*\]"),
        inline: regex(r"\bmod\s+(\w+)\s*\{"),
        child: regex(r"\bmod\s+(\w+)\s*;"),
        elsewhere: regex(r#"#\[path = "([^"]+)"\]\s*(?:pub\s+)?mod\s+(\w+)"#),
        import: regex(r"(\bpub\s*(?:\([^)]*\)\s*)?)?\buse\s+([^;<]+);"),
        item: regex(
            r"\b(fn|struct|enum|union|trait|type|const|static|macro_rules!)\s+(?:mut\s+)?([A-Za-z_]\w*)",
        ),
        begins_item: regex(
            r"^\s*(?:#\[[^\]]*\]\s*)*(?:pub|fn|struct|enum|union|trait|type|const|static|mod|impl|use|unsafe|async|extern|macro_rules)\b",
        ),
        path: regex(r"(\$)?\b([A-Za-z_]\w*(?:\s*::\s*[A-Za-z_]\w*)*)(!?)"),
    }
});

impl Modules {
    /// Reads a crate from its root file on.
    pub fn read(root: &str, read: Read<'_>) -> Result<Modules> {
        let mut modules = Modules {
            modules: vec![Module::default()],
            files: vec![root.to_owned()],
            macros: BTreeMap::new(),
            elsewhere: BTreeMap::new(),
        };
        let (folder, _) = root.rsplit_once('/').unwrap_or(("", root));
        modules.file(0, folder, read)?;
        Ok(modules)
    }

    /// Reads the file of a module, whose children's files lie in `folder`.
    fn file(&mut self, module: usize, folder: &str, read: Read<'_>) -> Result<()> {
        let path = self.files[self.modules[module].file].clone();
        let text = read(&path).with_context(|| format!("reading {path}"))?;
        for found in PATTERNS.elsewhere.captures_iter(&text) {
            let mut steps: Vec<&str> = folder.split('/').collect();
            for step in found[1].split('/') {
                match step {
                    ".." => drop(steps.pop()),
                    step => steps.push(step),
                }
            }
            let place = format!("{folder}/{}", &found[2]);
            self.elsewhere.insert(place, steps.join("/"));
        }
        let mut code = blanked(
            &text,
            PATTERNS.ignored.find_iter(&text).map(|it| it.range()),
        );
        while let Some(found) = PATTERNS.test.captures(&code) {
            let (range, is_inner) = (whole(&found).range(), !found[1].is_empty());
            let end = if is_inner {
                code.len()
            } else {
                range.end + item_length(&code[range.end..])
            };
            code = blanked(&code, iter::once(range.start..end));
        }
        self.scan(&code, 1, module, folder, read)
    }

    /// Goes through the code of a module that begins in a line.
    fn scan(
        &mut self,
        code: &str,
        first: usize,
        module: usize,
        folder: &str,
        read: Read<'_>,
    ) -> Result<()> {
        let mut code = code.to_owned();
        let line_of = |code: &str, at: usize| first + code[..at].matches('\n').count();
        while let Some(found) = PATTERNS.inline.captures(&code) {
            let start = whole(&found).end();
            let end = start - 1 + item_length(&code[start - 1..]);
            let child = self.child(module, &found[1], self.modules[module].file);
            let below = format!("{folder}/{}", &found[1]);
            let begin = whole(&found).start();
            self.scan(
                &code[start..end - 1],
                line_of(&code, start),
                child,
                &below,
                read,
            )?;
            code = blanked(&code, iter::once(begin..end));
        }
        for found in PATTERNS.child.captures_iter(&code) {
            let below = format!("{folder}/{}", &found[1]);
            let mut files = vec![format!("{below}.rs"), format!("{below}/mod.rs")];
            files.extend(self.elsewhere.get(&below).cloned());
            if let Some(file) = files.into_iter().find(|file| read(file).is_some()) {
                self.files.push(file);
                let child = self.child(module, &found[1], self.files.len() - 1);
                self.file(child, &below, read)?;
            }
        }
        for found in PATTERNS.import.captures_iter(&code) {
            let line = line_of(&code, whole(&found).start());
            let mut names = Vec::new();
            import(&found[2], &[], &mut names);
            self.modules[module]
                .imports
                .extend(names.into_iter().map(|(name, path)| Import {
                    name,
                    path,
                    line,
                    passed_on: found.get(1).is_some(),
                }));
        }
        let declarations = [&PATTERNS.import, &PATTERNS.child];
        for pattern in declarations {
            code = blanked(&code, pattern.find_iter(&code).map(|it| it.range()));
        }
        for found in PATTERNS.item.captures_iter(&outermost(&code)) {
            if &found[1] == "macro_rules!" {
                self.macros.insert(found[2].to_owned(), module);
            }
            self.modules[module].items.insert(found[2].to_owned());
        }
        let module = &mut self.modules[module];
        let (mut line, mut counted) = (first, 0);
        for found in PATTERNS.path.captures_iter(&code) {
            let before = &code[..whole(&found).start()];
            line += code[counted..before.len()].matches('\n').count();
            counted = before.len();
            let path: Vec<String> = found[2]
                .split("::")
                .map(|it| it.trim().to_owned())
                .collect();
            // A field, a method, a lifetime, the rest of a path, or a macro's own variable.
            let is_rest = before.ends_with(['\'', ':']) && !before.ends_with(": ");
            let is_method = before.ends_with('.') && !before.ends_with("..");
            if is_rest || is_method || (found.get(1).is_some() && path[0] != "crate") {
                continue;
            }
            match &path[..] {
                [name] if !found[3].is_empty() => {
                    module.calls.entry(name.clone()).or_insert(line);
                }
                [name] => {
                    module.mentions.entry(name.clone()).or_insert(line);
                }
                _ => module.paths.push((path, line)),
            }
        }
        Ok(())
    }

    fn child(&mut self, parent: usize, name: &str, file: usize) -> usize {
        let mut path = self.modules[parent].path.clone();
        path.push(name.to_owned());
        let child = self.modules.len();
        self.modules.push(Module {
            path,
            parent: Some(parent),
            file,
            ..Module::default()
        });
        self.modules[parent].children.insert(name.to_owned(), child);
        child
    }
}

/// Replaces parts of the code by as many lines.
fn blanked(code: &str, parts: impl IntoIterator<Item = Range<usize>>) -> String {
    let mut left = String::with_capacity(code.len());
    let mut end = 0;
    for part in parts {
        left.push_str(&code[end..part.start]);
        let is_end = |byte| if byte == b'\n' { '\n' } else { ' ' };
        left.extend(code[part.clone()].bytes().map(is_end));
        end = part.end;
    }
    left + &code[end..]
}

/// The code without what is in braces.
fn outermost(code: &str) -> String {
    let mut depth = 0;
    let is_outermost = |c: &char| {
        depth += i32::from(*c == '{') - i32::from(*c == '}');
        depth == 0
    };
    code.chars().filter(is_outermost).collect()
}

/// How long the rest of an item, a field, an arm or a statement is: to its semicolon or comma, or to the end of its block.
fn item_length(code: &str) -> usize {
    let is_item = PATTERNS.begins_item.is_match(code);
    let mut depth = 0;
    for (at, c) in code.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth == 0 => return at,
            ')' | ']' | '}' => {
                depth -= 1;
                if depth == 0 && c == '}' {
                    return at + 1;
                }
            }
            ';' if depth == 0 => return at + 1,
            ',' if depth == 0 && !is_item => return at + 1,
            _ => {}
        }
    }
    code.len()
}

/// The names that a `use` brings, with their whole paths.
fn import(tree: &str, prefix: &[String], found: &mut Vec<(String, Vec<String>)>) {
    let mut depth = 0;
    let parts = tree.split(|c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        c == ',' && depth == 0
    });
    for part in parts.map(str::trim).filter(|part| !part.is_empty()) {
        // `::name` is another crate's.
        if part.starts_with("::") {
            continue;
        }
        let mut path = prefix.to_vec();
        if let Some((before, inner)) = part.split_once('{') {
            path.extend(segments(before));
            import(inner.strip_suffix('}').unwrap_or(inner), &path, found);
            continue;
        }
        let (part, renamed) = part
            .split_once(" as ")
            .map_or((part, None), |(it, name)| (it, Some(name)));
        path.extend(segments(part));
        if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
            path.pop();
        }
        let name = renamed
            .map(|name| name.trim().to_owned())
            .or_else(|| path.last().cloned());
        found.extend(name.map(|name| (name, path)));
    }
}

fn segments(path: &str) -> impl Iterator<Item = String> {
    let segments = path.split("::").map(str::trim);
    segments
        .filter(|segment| !segment.is_empty())
        .map(str::to_owned)
}

/// The whole match.
fn whole<'t>(found: &Captures<'t>) -> Match<'t> {
    found.get(0).expect("the whole always matches")
}
