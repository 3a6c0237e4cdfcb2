//! Where a process hangs: looks at its threads from outside, as a debugger does.

use std::collections::BTreeMap;
use std::fs;
use std::thread;
use std::time::Duration;

/// How often the threads are looked at.
const LOOKS: usize = 200;

/// What the threads of a process were found at.
#[derive(Debug, Default)]
pub struct Seen {
    /// How often a thread was executing code of a file; one without a name is what was built here, since Wine copies
    /// libraries whose sections aren't laid out in pages.
    executing: BTreeMap<String, usize>,
    /// How often a thread was waiting for something.
    waiting: usize,
    /// How often a thread couldn't be looked at.
    hidden: usize,
}

impl Seen {
    /// Whether nothing but Wine's own `ntdll`, where its heap is, was executed each time, and nobody waited.
    ///
    /// A thread of ours that turns in a loop would be seen in it once in so many times, and one that waits for a lock or
    /// for another thread waits. So this is `ntdll` turning by itself. Why it does, and whether it would have for any
    /// other program, isn't shown by this.
    pub fn is_ntdll_alone(&self) -> bool {
        let of_ntdll = |file: &String| file.rsplit('/').next().unwrap_or_default() == "ntdll.dll";
        self.waiting == 0
            && self.hidden == 0
            && self.executing.values().sum::<usize>() >= LOOKS
            && self.executing.keys().all(of_ntdll)
    }
}

/// Looks at all threads of a child process many times.
pub fn look(process: u32) -> Seen {
    let mut seen = Seen::default();
    for _ in 0..LOOKS {
        let tasks = fs::read_dir(format!("/proc/{process}/task"));
        for task in tasks.into_iter().flatten().flatten() {
            let name = task.file_name();
            let Some(thread) = name.to_str().and_then(|name| name.parse::<i32>().ok()) else {
                continue;
            };
            let stat = fs::read_to_string(task.path().join("stat")).unwrap_or_default();
            match stat.rsplit_once(") ").map(|(_, rest)| &rest[..1]) {
                Some("R") => match instruction(thread) {
                    Some(address) => {
                        *seen.executing.entry(file(process, address)).or_default() += 1
                    }
                    None => seen.hidden += 1,
                },
                // The process ends meanwhile.
                Some("Z" | "X") | None => {}
                Some(_) => seen.waiting += 1,
            }
        }
        thread::sleep(Duration::from_millis(5));
    }
    seen
}

/// The file that is mapped at an address.
fn file(process: u32, address: u64) -> String {
    let maps = fs::read_to_string(format!("/proc/{process}/maps")).unwrap_or_default();
    let found = maps.lines().find_map(|line| {
        let mut words = line.split_whitespace();
        let (from, to) = words.next()?.split_once('-')?;
        let range = u64::from_str_radix(from, 16).ok()?..u64::from_str_radix(to, 16).ok()?;
        range
            .contains(&address)
            .then(|| words.nth(4).unwrap_or_default().to_owned())
    });
    found.unwrap_or_default()
}

/// What a thread executes next. It is stopped for a moment.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn instruction(thread: i32) -> Option<u64> {
    use std::ptr::null_mut;

    let nothing = null_mut::<libc::c_void>();
    // SAFETY: the thread is one of a process of ours that we have started; what is asked for fits where it's written, and
    // a thread that was stopped is let go.
    unsafe {
        if libc::ptrace(libc::PTRACE_SEIZE, thread, nothing, nothing) != 0 {
            return None;
        }
        let mut registers = std::mem::zeroed::<libc::user_regs_struct>();
        let mut status = 0;
        let stopped = libc::ptrace(libc::PTRACE_INTERRUPT, thread, nothing, nothing) == 0
            && libc::waitpid(thread, &mut status, libc::__WALL) == thread
            && libc::WIFSTOPPED(status);
        let read =
            stopped && libc::ptrace(libc::PTRACE_GETREGS, thread, nothing, &raw mut registers) == 0;
        libc::ptrace(libc::PTRACE_DETACH, thread, nothing, nothing);
        read.then_some(registers.rip)
    }
}

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
fn instruction(_: i32) -> Option<u64> {
    None
}
