//! Finds everything that a process has started, and ends it.

use std::collections::BTreeSet;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};

/// A variable in the environment of a process, which all that it starts inherit. So even those are found that have left
/// their parents, as Wine's server and build daemons do. They stay in the terminal's group, so that whoever interrupts the
/// command interrupts them.
#[derive(Debug)]
pub struct Mark {
    #[cfg_attr(
        not(target_os = "linux"),
        expect(dead_code, reason = "only Linux shows the environment of others")
    )]
    name: String,
}

impl Mark {
    /// Marks what a command will start.
    pub fn put(command: &mut Command) -> Mark {
        // A number of this process; two marks mustn't be the same.
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        // The name has the number and not the value: those who start processes within processes mark theirs, too.
        let name = format!("RUSTBRIDGE_CHILD_{}_{number}", std::process::id());
        command.env(&name, "1");
        Mark { name }
    }

    /// Ends the process and all it has started, whatever they do.
    pub(crate) fn end_all(&self, root: u32) {
        if cfg!(windows) {
            let mut kill = Command::new("taskkill");
            kill.args(["/F", "/T", "/PID", &root.to_string()]);
            quietly(&mut kill);
            return;
        }
        // Who is just being started isn't seen the first time.
        for _ in 0..10 {
            let processes = self.processes(root);
            if processes.is_empty() {
                return;
            }
            let mut kill = Command::new("sh");
            kill.args(["-c", r#"kill -KILL "$@""#, "sh"]);
            kill.args(processes.iter().map(u32::to_string));
            quietly(&mut kill);
        }
    }

    /// The process, what it has started, and what bears the mark, as far as it lives.
    #[cfg(target_os = "linux")]
    pub(crate) fn processes(&self, root: u32) -> Vec<u32> {
        let living = living();
        let wanted = format!("{}=", self.name);
        let is_marked = |id: &u32| {
            let environment = std::fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
            environment
                .split(|&byte| byte == 0)
                .any(|variable| variable.starts_with(wanted.as_bytes()))
        };
        let ids = living.iter().map(|(id, _)| *id);
        descendants(&living, root, ids.filter(is_marked).collect())
    }

    /// The process and what it has started, as far as it lives.
    #[cfg(not(target_os = "linux"))]
    pub(crate) fn processes(&self, root: u32) -> Vec<u32> {
        descendants(&living(), root, BTreeSet::new())
    }
}

/// A process and its descendants, as far as they live.
#[cfg(unix)]
pub(crate) fn descendants_of(root: u32) -> Vec<u32> {
    descendants(&living(), root, BTreeSet::new())
}

/// The IDs of all living processes, and of their parents.
#[cfg(target_os = "linux")]
fn living() -> Vec<(u32, u32)> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries
        .filter_map(|entry| {
            let id = entry.file_name().to_str()?.parse::<u32>().ok()?;
            let stat = std::fs::read_to_string(entry.path().join("stat")).ok()?;
            Some((id, living_child_of(&stat)?))
        })
        .collect()
}

/// The IDs of all living processes, and of their parents, without the program that lists them.
#[cfg(not(target_os = "linux"))]
fn living() -> Vec<(u32, u32)> {
    use std::io::Read as _;

    let mut command = Command::new("ps");
    command
        .args(["-A", "-o", "pid=,ppid=,state="])
        .stdin(Stdio::null())
        .stdout(Stdio::piped());
    let Ok(mut lister) = command.spawn() else {
        return Vec::new();
    };
    let mut listed = Vec::new();
    if let Some(mut stdout) = lister.stdout.take() {
        // A list that breaks off is what there is.
        let _ = stdout.read_to_end(&mut listed);
    }
    // In the supervisor another thread waits for every child, perhaps for this one, so a failure doesn't matter.
    let _ = lister.wait();
    let own = lister.id();
    String::from_utf8_lossy(&listed)
        .lines()
        .filter_map(|line| {
            let mut words = line.split_whitespace();
            let pair = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
            (!words.next()?.starts_with('Z') && pair.0 != own).then_some(pair)
        })
        .collect()
}

/// The parent in a line of `/proc/*/stat`, unless the process is dead and only waits to be asked for its status. The name
/// in brackets may hold anything.
#[cfg(target_os = "linux")]
fn living_child_of(stat: &str) -> Option<u32> {
    let (_, rest) = stat.rsplit_once(") ")?;
    let mut words = rest.split(' ');
    let state = words.next()?;
    (!matches!(state, "Z" | "X")).then(|| words.next()?.parse().ok())?
}

/// The living among those that are known, the root, and their children and theirs.
fn descendants(living: &[(u32, u32)], root: u32, mut known: BTreeSet<u32>) -> Vec<u32> {
    known.insert(root);
    loop {
        let before = known.len();
        for (id, parent) in living {
            if known.contains(parent) {
                known.insert(*id);
            }
        }
        if known.len() == before {
            break;
        }
    }
    let ids = living.iter().map(|(id, _)| *id);
    ids.filter(|id| known.contains(id)).collect()
}

fn quietly(command: &mut Command) {
    // Who has ended meanwhile can't be ended, and that is what's wanted.
    let _ = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grandchildren_are_found_in_any_order() {
        let living = [(5, 4), (9, 1), (4, 3), (3, 1), (7, 6)];
        assert_eq!(descendants(&living, 3, BTreeSet::new()), [5, 4, 3]);
        assert_eq!(descendants(&living, 3, BTreeSet::from([6])), [5, 4, 3, 7]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_name_may_look_like_the_rest_of_the_line() {
        assert_eq!(living_child_of("12 (a) S 7) R 34 1 1"), Some(34));
        assert_eq!(living_child_of("12 (a) Z 34 1 1"), None);
    }
}
