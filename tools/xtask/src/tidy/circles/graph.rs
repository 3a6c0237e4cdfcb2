//! What depends on what, and the circles in it.

use std::collections::VecDeque;

/// One place where something names something else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    pub from: usize,
    pub to: usize,
    /// Where that is written: `path:line`.
    pub place: String,
}

/// Nodes with names, and what each names; of several places that name the same thing the first counts.
#[derive(Default)]
pub struct Graph {
    pub names: Vec<String>,
    edges: Vec<Edge>,
}

/// Nodes that all reach one another.
pub struct Circle<'a> {
    /// By name.
    pub members: Vec<&'a str>,
    /// As few edges as lead from one of them back to it.
    pub shortest: Vec<&'a Edge>,
}

impl Graph {
    pub fn node(&mut self, name: &str) -> usize {
        let known = self.names.iter().position(|known| known == name);
        known.unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        })
    }

    pub fn depend(&mut self, from: usize, to: usize, place: String) {
        let known = |edge: &Edge| edge.from == from && edge.to == to;
        if from != to && !self.edges.iter().any(known) {
            self.edges.push(Edge { from, to, place });
        }
    }

    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// Every largest set of nodes that all reach one another.
    pub fn circles(&self) -> Vec<Circle<'_>> {
        let reach: Vec<Vec<bool>> = (0..self.names.len())
            .map(|start| self.reached_from(start))
            .collect();
        let together = |a: usize, b: usize| reach[a][b] && reach[b][a];
        let first_of_its_own =
            |&node: &usize| together(node, node) && !(0..node).any(|other| together(node, other));
        let firsts = (0..self.names.len()).filter(first_of_its_own);
        firsts
            .map(|first| {
                let members: Vec<usize> = (0..self.names.len())
                    .filter(|&node| together(first, node))
                    .collect();
                let edges: Vec<&Edge> = self
                    .edges
                    .iter()
                    .filter(|edge| members.contains(&edge.from) && members.contains(&edge.to))
                    .collect();
                let around = members.iter().filter_map(|&start| shortest(&edges, start));
                let shortest = around.min_by_key(Vec::len).unwrap_or_default();
                let mut names: Vec<&str> = members.iter().map(|&node| &*self.names[node]).collect();
                names.sort_unstable();
                Circle {
                    members: names,
                    shortest,
                }
            })
            .collect()
    }

    /// Which nodes at least one step leads to.
    fn reached_from(&self, start: usize) -> Vec<bool> {
        let mut reached = vec![false; self.names.len()];
        let mut next = vec![start];
        while let Some(node) = next.pop() {
            for edge in self.edges.iter().filter(|edge| edge.from == node) {
                if !reached[edge.to] {
                    reached[edge.to] = true;
                    next.push(edge.to);
                }
            }
        }
        reached
    }

    /// `a → b → a`, each step with its place on a line of its own.
    pub fn describe(&self, edges: &[&Edge]) -> String {
        let lines = edges.iter().map(|edge| {
            let (from, to) = (&self.names[edge.from], &self.names[edge.to]);
            format!("\n    {from} → {to}  ({})", edge.place)
        });
        lines.collect()
    }
}

/// The shortest way from a node back to it.
fn shortest<'a>(edges: &[&'a Edge], start: usize) -> Option<Vec<&'a Edge>> {
    let mut ways: VecDeque<Vec<&Edge>> = VecDeque::from([Vec::new()]);
    let mut seen = Vec::new();
    while let Some(way) = ways.pop_front() {
        let end = way.last().map_or(start, |edge: &&Edge| edge.to);
        for edge in edges.iter().filter(|edge| edge.from == end) {
            let further = || way.iter().copied().chain([*edge]).collect();
            if edge.to == start {
                return Some(further());
            }
            if !seen.contains(&edge.to) {
                seen.push(edge.to);
                ways.push_back(further());
            }
        }
    }
    None
}
