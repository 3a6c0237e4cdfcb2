//! Which processors a measurement may use.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::tools::which;

/// The processors that a measurement needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bind {
    /// One core for one thread, so that it never moves: not the first, which serves most interrupts.
    One,
    /// Every core: for several threads, and for runtimes. JVM and .NET compile and collect in threads of their own, which on
    /// a single core would take turns with the call that is measured; a pinned JVM measures its own compiler.
    All,
}

/// How commands are bound to processors here.
pub struct Pinning {
    /// `taskset`, which starts a program with an affinity: without it we would have to set it between fork and exec.
    taskset: Option<PathBuf>,
    cores: Vec<usize>,
}

impl Pinning {
    /// Finds `taskset` and the cores.
    pub fn find() -> Pinning {
        let allowed = fs::read_to_string("/proc/self/status")
            .ok()
            .and_then(|status| {
                let line = status
                    .lines()
                    .find_map(|line| line.strip_prefix("Cpus_allowed_list:"))?;
                cores_in(line.trim())
            });
        Pinning {
            taskset: which("taskset"),
            cores: allowed.unwrap_or_default(),
        }
    }

    fn core(&self) -> Option<usize> {
        let (_, others) = self.cores.split_first()?;
        others.last().copied()
    }

    /// The command, bound as it should be if that can be done.
    pub fn bind(&self, command: Command, bind: Bind) -> Command {
        let (Bind::One, Some(taskset), Some(core)) = (bind, &self.taskset, self.core()) else {
            return command;
        };
        let mut bound = Command::new(taskset);
        bound
            .arg("--cpu-list")
            .arg(core.to_string())
            .arg(command.get_program())
            .args(command.get_args());
        if let Some(folder) = command.get_current_dir() {
            bound.current_dir(folder);
        }
        for (name, value) in command.get_envs() {
            match value {
                Some(value) => bound.env(name, value),
                None => bound.env_remove(name),
            };
        }
        bound
    }

    /// Describes [`Pinning::bind`] for the results.
    pub fn words(&self, bind: Bind) -> String {
        match (bind, &self.taskset, self.core()) {
            (Bind::One, Some(_), Some(core)) => format!("bound to core {core}"),
            (Bind::One, None, Some(_)) => "not bound to a core: there is no taskset here".into(),
            (Bind::One, _, None) => {
                "not bound to a core: there is one only, or none that we know".into()
            }
            (Bind::All, _, _) => "on every core".into(),
        }
    }
}

/// Reads `0-3,8`.
fn cores_in(list: &str) -> Option<Vec<usize>> {
    let mut cores = Vec::new();
    for part in list.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        cores.extend(first.parse().ok()?..=last.parse::<usize>().ok()?);
    }
    Some(cores)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pinning(cores: &[usize]) -> Pinning {
        Pinning {
            taskset: Some("taskset".into()),
            cores: cores.to_vec(),
        }
    }

    #[test]
    fn lists_of_cores_are_read() {
        assert_eq!(cores_in("0-3,8"), Some(vec![0, 1, 2, 3, 8]));
        assert_eq!(cores_in("5"), Some(vec![5]));
        assert_eq!(cores_in("all"), None);
    }

    #[test]
    fn one_thread_stays_away_from_the_first_core_and_keeps_its_environment() {
        let mut command = Command::new("program");
        command.arg("--quick").env("A", "b").env_remove("C");
        let bound = pinning(&[0, 1, 2]).bind(command, Bind::One);
        assert_eq!(bound.get_program(), "taskset");
        let arguments: Vec<_> = bound.get_args().collect();
        assert_eq!(arguments, ["--cpu-list", "2", "program", "--quick"]);
        assert_eq!(bound.get_envs().count(), 2);
        assert_eq!(pinning(&[0, 1]).words(Bind::One), "bound to core 1");
    }

    #[test]
    fn what_cannot_be_bound_runs_as_it_is() {
        let bound = pinning(&[0]).bind(Command::new("program"), Bind::One);
        assert_eq!(bound.get_program(), "program");
        let bound = pinning(&[0, 1]).bind(Command::new("program"), Bind::All);
        assert_eq!(bound.get_program(), "program");
        assert!(pinning(&[0]).words(Bind::One).starts_with("not bound"));
    }
}
