//! Which files of a crate depend on which, and which of its rooms.

use super::graph::Graph;
use super::modules::{Import, Module, Modules};

/// What a path leads to.
#[derive(Clone, Copy)]
enum Target {
    Module(usize),
    /// Something that this module defines.
    Item(usize),
}

/// Re-exports of re-exports that are followed; more than anybody writes.
const DEEPEST: usize = 16;

/// The files of a crate, named as modules.
///
/// One depends on another where its code names what that one defines, by whatever path: re-exports are followed to where
/// the thing is. That a module declares its children and passes on what they define is no dependency on them; naming
/// something of theirs in its own code is.
pub fn files(modules: &Modules) -> Graph {
    let mut graph = Graph::default();
    let nodes: Vec<usize> = modules
        .modules
        .iter()
        .map(|module| graph.node(&file_name(modules, module.file)))
        .collect();
    for (index, module) in modules.modules.iter().enumerate() {
        let mut depend = |target: Option<Target>, line: usize| {
            if let Some(Target::Item(to)) = target {
                let place = format!("{}:{line}", modules.files[module.file]);
                graph.depend(nodes[index], nodes[to], place);
            }
        };
        for import in &module.imports {
            let target = modules.import(index, import, 0);
            // To take everything of a module is to depend on it, to take the module is not yet.
            let target = match target {
                Some(Target::Module(to)) if import.name == "*" => Some(Target::Item(to)),
                target => target,
            };
            if import.passed_on && target.is_some_and(|target| modules.is_below(index, target)) {
                if let Some(&line) = module.mentions.get(&import.name) {
                    depend(target, line);
                }
            } else {
                depend(target, import.line);
            }
        }
        for (path, line) in &module.paths {
            depend(modules.path(index, path, 0), *line);
        }
        for (name, line) in &module.calls {
            let imported = module.imports.iter().any(|import| import.name == *name);
            if let (false, Some(&to)) = (imported, modules.macros.get(name)) {
                depend(Some(Target::Item(to)), *line);
            }
        }
    }
    graph
}

/// The rooms of a crate: each folder and file at its top with all that's below it. The crate's own file is none, it shows
/// what is in them.
pub fn rooms(modules: &Modules, files: &Graph) -> Graph {
    let mut graph = Graph::default();
    let root = file_name(modules, 0);
    let room = |node: usize| {
        let name = &files.names[node];
        (*name != root).then(|| name.split("::").next().unwrap_or(name))
    };
    for edge in files.edges() {
        if let (Some(from), Some(to)) = (room(edge.from), room(edge.to)) {
            let (from, to) = (graph.node(from), graph.node(to));
            graph.depend(from, to, edge.place.clone());
        }
    }
    graph
}

/// The module that a file is, or for the crate's own the file's name.
fn file_name(modules: &Modules, file: usize) -> String {
    let module = modules.modules.iter().find(|module| module.file == file);
    let path = module.map_or(&[][..], |module| &module.path);
    if path.is_empty() {
        let name = modules.files[file].rsplit('/').next();
        return name.unwrap_or_default().to_owned();
    }
    path.join("::")
}

impl Modules {
    /// Whether a target lies in a module below this one.
    fn is_below(&self, module: usize, target: Target) -> bool {
        let (Target::Module(to) | Target::Item(to)) = target;
        let (path, above) = (&self.modules[to].path, &self.modules[module].path);
        path.len() > above.len() && path.starts_with(above)
    }

    fn import(&self, module: usize, import: &Import, depth: usize) -> Option<Target> {
        let path = match import.path.split_last() {
            Some((last, path)) if last == "*" => path,
            _ => &import.path,
        };
        // A name may come from a crate that is called like itself, or from a child: not from its own import.
        let first = path.first()?;
        if *first == import.name
            && !is_relative(first)
            && !self.modules[module].children.contains_key(first)
        {
            return None;
        }
        self.path(module, path, depth)
    }

    /// What a path leads to that is written in a module; `None` is another crate's, or something local.
    fn path(&self, module: usize, path: &[String], depth: usize) -> Option<Target> {
        let (first, rest) = path.split_first()?;
        let start = match first.as_str() {
            "crate" => Target::Module(0),
            "self" => Target::Module(module),
            "super" => Target::Module(self.modules[module].parent?),
            name => self.named(module, name, depth)?,
        };
        let mut target = start;
        for segment in rest {
            let Target::Module(within) = target else {
                break;
            };
            target = match segment.as_str() {
                "super" => Target::Module(self.modules[within].parent?),
                name => self
                    .named(within, name, depth)
                    .or_else(|| {
                        let defined = self.macros.get(name).filter(|_| within == 0);
                        defined.map(|&module| Target::Item(module))
                    })
                    .unwrap_or(Target::Item(within)),
            };
        }
        Some(target)
    }

    /// What a name in a module stands for, if the module says so.
    fn named(&self, module: usize, name: &str, depth: usize) -> Option<Target> {
        if depth > DEEPEST {
            return None;
        }
        let Module {
            children,
            items,
            imports,
            ..
        } = &self.modules[module];
        if let Some(&child) = children.get(name) {
            return Some(Target::Module(child));
        }
        if items.contains(name) {
            return Some(Target::Item(module));
        }
        let by_name = imports.iter().filter(|import| import.name == name);
        let mut found = by_name.filter_map(|import| self.import(module, import, depth + 1));
        found.next().or_else(|| {
            let all = imports.iter().filter(|import| import.name == "*");
            all.filter_map(|import| self.import(module, import, depth + 1))
                .find_map(|target| match target {
                    Target::Module(other) if other != module => self.named(other, name, depth + 1),
                    _ => None,
                })
        })
    }
}

fn is_relative(segment: &str) -> bool {
    matches!(segment, "crate" | "self" | "super")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// The files of a crate that has these sources, as `from → to (place)`.
    fn edges(sources: &[(&str, &str)]) -> Vec<String> {
        let modules = read(sources);
        let graph = files(&modules);
        let mut edges: Vec<String> = graph
            .edges()
            .iter()
            .map(|edge| {
                let (from, to) = (&graph.names[edge.from], &graph.names[edge.to]);
                format!("{from} → {to} ({})", edge.place)
            })
            .collect();
        edges.sort();
        edges
    }

    fn read(sources: &[(&str, &str)]) -> Modules {
        let sources: BTreeMap<&str, &str> = sources.iter().copied().collect();
        let root = "src/lib.rs";
        Modules::read(root, &|path| sources.get(path).map(|&text| text.to_owned()))
            .expect("the sources can be read")
    }

    #[test]
    fn a_path_leads_to_where_the_thing_is_defined() {
        let sources = [
            (
                "src/lib.rs",
                "mod a;\nmod b;\nmod c;\nmod d;\npub use a::A;\n",
            ),
            (
                "src/a.rs",
                "pub struct A;\nimpl A { pub const X: u8 = 1; }\n",
            ),
            ("src/b.rs", "use crate::A;\n"),
            (
                "src/c.rs",
                "mod e;\nuse super::a;\nfn f() { a::A::X; let x = y.a::<u8>(); }\n",
            ),
            ("src/c/e.rs", "use super::super::*;\nfn f(x: crate::A) {}\n"),
            (
                "src/d.rs",
                "use crate::c::{self as see, a::{A, A as Other,}};\nuse std::a::B;\nuse ::a::A;\n",
            ),
        ];
        assert_eq!(
            edges(&sources),
            [
                "b → a (src/b.rs:1)",
                "c → a (src/c.rs:3)",
                "c::e → a (src/c/e.rs:2)",
                "c::e → lib.rs (src/c/e.rs:1)",
                "d → a (src/d.rs:1)"
            ]
        );
    }

    #[test]
    fn tests_count_for_nothing_and_what_follows_them_does() {
        let sources = [
            (
                "src/lib.rs",
                "mod a;\n#[cfg(test)]\nmod tests;\n#[cfg(all(test, unix))]\nfn f<A, B>() -> a::A { a::A }\n\
                 struct S { #[cfg(test)] a: a::A, b: u8 }\n#[cfg(not(test))]\nfn g() {\n    a::A;\n}\n",
            ),
            (
                "src/a.rs",
                "pub struct A;\n#[cfg(test)]\nmod tests { use crate::S; }\n",
            ),
        ];
        assert_eq!(edges(&sources), ["lib.rs → a (src/lib.rs:9)"]);
    }

    #[test]
    fn what_macros_say_and_macros_themselves_count() {
        let sources = [
            ("src/lib.rs", "#[macro_use]\nmod a;\nmod b;\nmod c;\n"),
            (
                "src/a.rs",
                "macro_rules! m { ($x:ty) => { $crate::c::f($x::y) } }\n",
            ),
            (
                "src/b.rs",
                "fn f() { m!(u8); println!(\"{}\", { crate::c::f() }) }\n",
            ),
            ("src/c.rs", "pub fn f() {}\n"),
        ];
        assert_eq!(
            edges(&sources),
            [
                "a → c (src/a.rs:1)",
                "b → a (src/b.rs:1)",
                "b → c (src/b.rs:1)"
            ]
        );
    }

    #[test]
    fn a_module_whose_file_lies_elsewhere_is_read_there() {
        let sources = [
            (
                "src/lib.rs",
                "/// What is shared.\n#[path = \"../other/a.rs\"]\npub mod a;\nmod b;\n",
            ),
            ("other/a.rs", "fn f() { crate::b::g() }\n"),
            ("src/b.rs", "pub fn g() {}\n"),
        ];
        assert_eq!(edges(&sources), ["a → b (other/a.rs:1)"]);
    }

    #[test]
    fn rooms_form_a_circle_where_no_two_files_do() {
        let modules = read(&[
            ("src/lib.rs", "mod a;\nmod b;\npub use a::x::X;\n"),
            ("src/a/mod.rs", "pub mod x;\npub mod y;\n"),
            ("src/a/x.rs", "use crate::b::u::U;\npub struct X;\n"),
            ("src/a/y.rs", "pub struct Y;\n"),
            ("src/b/mod.rs", "pub mod u;\npub mod v;\n"),
            ("src/b/u.rs", "pub struct U;\n"),
            ("src/b/v.rs", "use crate::a::y::Y;\n"),
        ]);
        let files = files(&modules);
        assert!(files.circles().is_empty());
        let rooms = rooms(&modules, &files);
        let circles = rooms.circles();
        assert_eq!(circles.len(), 1);
        assert_eq!(
            rooms.describe(&circles[0].shortest),
            "\n    a → b  (src/a/x.rs:1)\n    b → a  (src/b/v.rs:1)"
        );
    }
}
