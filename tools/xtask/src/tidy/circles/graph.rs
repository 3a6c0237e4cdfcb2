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

/// Nodes that reach one another.
pub struct Circle<'a> {
    /// Sorted by name.
    pub members: Vec<&'a str>,
    /// The edges that lead from one of them back to it.
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

    /// For each node that reaches itself, unless it's in an earlier one, the shortest way around.
    pub fn circles(&self) -> Vec<Circle<'_>> {
        let mut circles: Vec<Circle<'_>> = Vec::new();
        for (start, name) in self.names.iter().enumerate() {
            if circles
                .iter()
                .any(|circle| circle.members.contains(&name.as_str()))
            {
                continue;
            }
            if let Some(shortest) = self.shortest(start) {
                let members = shortest.iter().map(|edge| &*self.names[edge.from]);
                let mut members: Vec<&str> = members.collect();
                members.sort_unstable();
                circles.push(Circle { members, shortest });
            }
        }
        circles
    }

    /// The shortest way from a node back to it.
    fn shortest(&self, start: usize) -> Option<Vec<&Edge>> {
        let mut ways: VecDeque<Vec<&Edge>> = VecDeque::from([Vec::new()]);
        let mut seen = Vec::new();
        while let Some(way) = ways.pop_front() {
            let end = way.last().map_or(start, |edge| edge.to);
            for edge in self.edges.iter().filter(|edge| edge.from == end) {
                let further = || way.iter().copied().chain([edge]).collect();
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

    /// `a → b → a`, each step with its place on a line of its own.
    pub fn describe(&self, edges: &[&Edge]) -> String {
        let lines = edges.iter().map(|edge| {
            let (from, to) = (&self.names[edge.from], &self.names[edge.to]);
            format!("\n    {from} → {to}  ({})", edge.place)
        });
        lines.collect()
    }
}
