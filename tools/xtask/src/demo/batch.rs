//! What cargo builds for the hosts, in two commands: the first rows don't wait for what only later ones need.

use std::sync::{Condvar, Mutex, PoisonError};

use anyhow::{Result, anyhow};

use super::built::{Needs, PROFILE};
use super::host::Host;
use crate::step::Step;
use crate::workspace::Workspace;

/// What every host calls, or compares with. The contacts' host in Rust is among it for its features: cargo builds a
/// dependency once more for a command that asks others of it.
const ALWAYS: [&str; 5] = [
    "hello-plugin",
    "shop-plugin",
    "contacts-plugin",
    "floor",
    "contacts-host",
];

/// Both commands, and how far they are.
pub struct Cargo {
    batches: [Vec<&'static str>; 2],
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    done: usize,
    failed: bool,
}

impl Cargo {
    /// What these hosts need. The second command names the packages of the first, too, so that both ask for the same features.
    pub fn for_hosts(hosts: &[&Host]) -> Cargo {
        let mut first = ALWAYS.to_vec();
        for host in hosts {
            add(&mut first, host.packages[0]);
        }
        let mut second = first.clone();
        for host in hosts {
            add(&mut second, host.packages[1]);
        }
        Cargo {
            batches: [first, second],
            state: Mutex::default(),
            changed: Condvar::new(),
        }
    }

    /// Runs both commands.
    pub fn build(&self, workspace: &Workspace) {
        let mut step = match Step::start(workspace, "demo-cargo") {
            Ok(step) => step,
            Err(error) => return self.fail(&format!("{error:#}")),
        };
        for (index, packages) in self.batches.iter().enumerate() {
            let mut command = workspace.cargo();
            command.args(["build", "--locked", "--profile", PROFILE]);
            for package in packages {
                command.args(["--package", package]);
            }
            if let Err(error) = step.run(&mut command) {
                return self.fail(&format!("{}{error:#}", step.read_log()));
            }
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            state.done = index + 1;
            self.changed.notify_all();
        }
    }

    fn fail(&self, why: &str) {
        crate::progress::say(why);
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.failed = true;
        self.changed.notify_all();
    }

    /// Waits until cargo has built what is needed.
    pub fn wait_for(&self, needs: Needs) -> Result<()> {
        let wanted = match needs {
            Needs::First => 1,
            Needs::Second => 2,
        };
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let state = self
            .changed
            .wait_while(state, |state| state.done < wanted && !state.failed)
            .unwrap_or_else(PoisonError::into_inner);
        if state.done >= wanted {
            Ok(())
        } else {
            Err(anyhow!("not run, because cargo failed"))
        }
    }
}

fn add(packages: &mut Vec<&'static str>, more: &[&'static str]) {
    for package in more {
        if !packages.contains(package) {
            packages.push(package);
        }
    }
}
