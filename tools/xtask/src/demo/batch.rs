//! What cargo builds for the hosts, in two commands: the first rows don't wait for what only later ones need.

use std::sync::{Condvar, Mutex, PoisonError};

use anyhow::{Result, anyhow};

use super::host::{Host, PROFILE};
use crate::step::Step;
use crate::workspace::Workspace;

/// What every host calls first, or compares with. The contacts' host in Rust is among it for its features: cargo builds a
/// dependency once more for a command that asks others of it.
const ALWAYS: [&str; 4] = ["hello-plugin", "shop-plugin", "floor", "contacts-host"];

/// What every host calls later.
const LATER: &str = "contacts-plugin";

/// The niceness of the second command.
const LATER_NICE: u8 = 5;

/// Both commands, and how many are over; `None` if one has failed.
pub struct Cargo {
    batches: [Vec<String>; 2],
    done: Mutex<Option<usize>>,
    changed: Condvar,
}

impl Cargo {
    /// The second command names the packages of the first, too, so that both ask for the same features.
    pub fn for_hosts(hosts: &[Host]) -> Cargo {
        let packages = |batch: usize| {
            hosts
                .iter()
                .flat_map(move |host| host.packages[batch].clone())
        };
        let first: Vec<String> = ALWAYS
            .map(str::to_owned)
            .into_iter()
            .chain(packages(0))
            .collect();
        let later = [LATER.to_owned()].into_iter().chain(packages(1));
        let second = first.iter().cloned().chain(later).collect();
        Cargo {
            batches: [first, second],
            done: Mutex::new(Some(0)),
            changed: Condvar::new(),
        }
    }

    /// Runs both commands.
    pub fn build(&self, workspace: &Workspace) {
        let result = Step::start(workspace, "demo-cargo").and_then(|mut step| {
            for (index, packages) in self.batches.iter().enumerate() {
                let mut command = workspace.cargo();
                command.args(["build", "--locked", "--profile", PROFILE]);
                for package in packages {
                    command.args(["--package", package]);
                }
                if index > 0 {
                    // The first rows come before what later ones wait for.
                    step.lower_priority(LATER_NICE);
                }
                step.run(&mut command)
                    .inspect_err(|_| crate::progress::say(&step.read_log()))?;
                self.is_at(Some(index + 1));
            }
            Ok(())
        });
        if let Err(error) = result {
            crate::progress::say(&format!("{error:#}"));
            self.is_at(None);
        }
    }

    fn is_at(&self, done: Option<usize>) {
        *self.done.lock().unwrap_or_else(PoisonError::into_inner) = done;
        self.changed.notify_all();
    }

    /// Waits until the first or both commands are over.
    pub fn wait_for(&self, needed: usize) -> Result<()> {
        let done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        let is_early = |done: &mut Option<usize>| done.is_some_and(|done| done < needed);
        let done = self.changed.wait_while(done, is_early);
        match *done.unwrap_or_else(PoisonError::into_inner) {
            Some(_) => Ok(()),
            None => Err(anyhow!("not run, because cargo failed")),
        }
    }
}
