//! Which packages of the Java and Kotlin sources name which.

use super::graph::Graph;
use crate::tidy::source::Source;

/// What our packages' names begin with.
const OURS: &str = "io.github.rustbridge";

/// The packages of the shipped sources; one depends on another where its code names something of it, be it in an import.
pub fn packages(sources: &[Source]) -> Graph {
    let mut graph = Graph::default();
    let shipped: Vec<(&Source, String)> = sources
        .iter()
        .filter(|source| {
            matches!(source.ending(), "java" | "kt") && source.path.contains("/src/main/")
        })
        .map(|source| (source, without_comments(&source.text)))
        .collect();
    let package = |code: &str| {
        let named = code.lines().find_map(|line| line.strip_prefix("package "));
        named.map(|name| name.trim().trim_end_matches(';').to_owned())
    };
    for (_, code) in &shipped {
        if let Some(name) = package(code) {
            graph.node(&name);
        }
    }
    for (source, code) in &shipped {
        let Some(from) = package(code).map(|name| graph.node(&name)) else {
            continue;
        };
        for (index, line) in code.lines().enumerate() {
            if line.starts_with("package ") {
                continue;
            }
            for (start, _) in line.match_indices(OURS) {
                let to = package_of(&line[start..], &graph.names);
                if let Some(to) = to {
                    graph.depend(from, to, format!("{}:{}", source.path, index + 1));
                }
            }
        }
    }
    graph
}

/// The longest of the packages that a qualified name begins with.
fn package_of(name: &str, packages: &[String]) -> Option<usize> {
    let within = |package: &str| {
        name.strip_prefix(package)
            .is_some_and(|rest| rest.starts_with('.'))
    };
    let found = packages.iter().enumerate().filter(|(_, name)| within(name));
    found
        .max_by_key(|(_, name)| name.len())
        .map(|(index, _)| index)
}

/// The code with as many lines; comments and what strings say are left out.
fn without_comments(text: &str) -> String {
    let mut code = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(block) = rest.strip_prefix("\"\"\"") {
            block.find("\"\"\"").map_or(rest.len(), |end| end + 6)
        } else if first == '"' || first == '\'' {
            quoted(rest, first)
        } else {
            code.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        };
        code.extend(rest[..length].chars().filter(|&c| c == '\n'));
        rest = &rest[length..];
    }
    code
}

/// How long a literal is that begins and ends with `mark`.
fn quoted(text: &str, mark: char) -> usize {
    let mut escaped = false;
    for (index, c) in text.char_indices().skip(1) {
        if c == mark && !escaped {
            return index + c.len_utf8();
        }
        escaped = c == '\\' && !escaped;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(name: &str, text: &str) -> Source {
        Source {
            path: format!("rustbridge-java/core/src/main/java/{name}"),
            text: text.into(),
        }
    }

    #[test]
    fn packages_that_name_each_other_form_a_circle_and_comments_name_nothing() {
        let mut sources = vec![
            source(
                "A.java",
                "package io.github.rustbridge;\n\nimport io.github.rustbridge.spi.B;\n",
            ),
            source(
                "B.java",
                "package io.github.rustbridge.spi;\n/* io.github.rustbridge.A */\n// io.github.rustbridge.A\n\
                class B { String a = \"\\\"io.github.rustbridge.A\"; }\n",
            ),
        ];
        assert!(packages(&sources).circles().is_empty());
        sources.push(source(
            "C.java",
            "package io.github.rustbridge.spi;\nclass C {\n  io.github.rustbridge.A a;\n}\n",
        ));
        let graph = packages(&sources);
        let circles = graph.circles();
        assert_eq!(circles.len(), 1);
        let said = graph.describe(&circles[0].shortest);
        assert!(said.contains("A.java:3"), "{said}");
        assert!(said.contains("C.java:3"), "{said}");
    }

    #[test]
    fn the_longest_package_is_meant_and_tests_are_not_shipped() {
        let mut test = source("T.java", "package a;\nimport io.github.rustbridge.spi.B;\n");
        test.path = test.path.replace("main", "test");
        assert_eq!(packages(&[test]).names.len(), 0);
        let names = [
            "io.github.rustbridge".to_owned(),
            "io.github.rustbridge.spi".into(),
        ];
        assert_eq!(package_of("io.github.rustbridge.spi.B;", &names), Some(1));
        assert_eq!(package_of("io.github.rustbridge.Spi;", &names), Some(0));
    }
}
