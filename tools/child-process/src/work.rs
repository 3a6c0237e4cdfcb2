//! Processor time that children have taken.

use std::io;
use std::mem::MaybeUninit;
use std::os::unix::process::ExitStatusExt as _;
use std::process::ExitStatus;
use std::time::Duration;

use crate::supervisor;

/// Waits for a child if it has ended: its status, and the processor time of the child and of all descendants that were
/// waited for. The child's ID is free afterwards.
pub(crate) fn reap(child: u32) -> io::Result<Option<(ExitStatus, Duration)>> {
    let id = libc::pid_t::try_from(child).map_err(io::Error::other)?;
    let (mut status, mut usage) = (0, MaybeUninit::uninit());
    loop {
        // SAFETY: both places are writable.
        let ended = unsafe { libc::wait4(id, &raw mut status, libc::WNOHANG, usage.as_mut_ptr()) };
        if ended == 0 {
            return Ok(None);
        }
        if ended == id {
            // SAFETY: `wait4` fills it for a child that has ended.
            let work = time_of(unsafe { usage.assume_init_ref() });
            return Ok(Some((ExitStatus::from_raw(status), work)));
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}

/// The processor time of all children of this process that were waited for, and of their descendants. In a worker (see
/// [`supervise`](crate::supervise)) on Linux, the orphans that its supervisor has waited for are included.
#[must_use]
pub fn work_of_all() -> Duration {
    let mut usage = MaybeUninit::uninit();
    // SAFETY: the place is writable.
    let failed = unsafe { libc::getrusage(libc::RUSAGE_CHILDREN, usage.as_mut_ptr()) } != 0;
    if failed {
        return Duration::ZERO;
    }
    // SAFETY: `getrusage` has filled it.
    time_of(unsafe { usage.assume_init_ref() }) + work_of_orphans()
}

fn time_of(usage: &libc::rusage) -> Duration {
    let of = |time: libc::timeval| {
        let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
        let micros = u64::try_from(time.tv_usec).unwrap_or(0);
        Duration::from_secs(seconds) + Duration::from_micros(micros)
    };
    of(usage.ru_utime) + of(usage.ru_stime)
}

/// What the supervisor has waited for until now; the worker isn't among it, since it's alive.
#[cfg(target_os = "linux")]
fn work_of_orphans() -> Duration {
    let Some(supervisor) = supervisor::supervisor() else {
        return Duration::ZERO;
    };
    let Ok(stat) = std::fs::read_to_string(format!("/proc/{supervisor}/stat")) else {
        return Duration::ZERO;
    };
    // Behind the program's name, which may contain spaces and brackets, `cutime` and `cstime` are the 14th and 15th.
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields);
    let times = fields.split_whitespace().skip(13).take(2);
    let ticks: u64 = times.map(|time| time.parse().unwrap_or(0)).sum();
    // Linux reports times to programs in hundredths of a second on every processor.
    Duration::from_millis(ticks * 10)
}

#[cfg(not(target_os = "linux"))]
fn work_of_orphans() -> Duration {
    let _ = supervisor::supervisor();
    Duration::ZERO
}
