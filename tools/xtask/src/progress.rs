//! Reports what is running, while it runs: one board for the whole program, on which each step keeps its name and its command.

use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How long a log file may go without a line before another one says what is running.
const QUIET: Duration = Duration::from_secs(9);

/// How wide a line may be on a terminal: a line that wraps can't be taken back.
const WIDTH: usize = 79;

/// The program has one standard output, so there's one board, whichever steps report to it.
static BOARD: Mutex<Board> = Mutex::new(Board {
    running: Vec::new(),
    next: 0,
    last_line: None,
    line_shown: false,
});

/// Renews the line until the program ends.
static TICKER: Once = Once::new();

struct Board {
    running: Vec<Running>,
    next: u64,
    /// When something was written last; `None` if nothing was running until now.
    last_line: Option<Instant>,
    line_shown: bool,
}

struct Running {
    id: u64,
    name: String,
    since: Instant,
    command: Option<(String, Instant)>,
    /// It waits for another piece of work, which is shown.
    is_waiting: bool,
}

/// A piece of work on the board, as long as the value lives.
pub struct Task(u64);

impl Task {
    /// Puts a piece of work on the board.
    pub fn begin(name: &str) -> Task {
        let mut board = lock();
        if board.running.is_empty() {
            board.last_line = Some(Instant::now());
        }
        let id = board.next;
        board.next += 1;
        board.running.push(Running {
            id,
            name: name.to_owned(),
            since: Instant::now(),
            command: None,
            is_waiting: false,
        });
        drop(board);
        TICKER.call_once(|| {
            thread::spawn(tick);
        });
        Task(id)
    }

    /// Shows the command that is running, or none.
    pub fn command(&self, command: Option<String>) {
        self.change(|running| {
            running.command = command.map(|command| (command, Instant::now()));
        });
    }

    /// Takes the work off the board while it waits for another piece of work.
    pub fn waits(&self, is_waiting: bool) {
        self.change(|running| running.is_waiting = is_waiting);
    }

    fn change(&self, change: impl FnOnce(&mut Running)) {
        let mut board = lock();
        if let Some(running) = board.running.iter_mut().find(|it| it.id == self.0) {
            change(running);
        }
    }
}

impl Drop for Task {
    fn drop(&mut self) {
        let mut board = lock();
        board.running.retain(|it| it.id != self.0);
        if board.running.is_empty() {
            board.clear_line();
        }
    }
}

/// Writes a line that stays.
pub fn say(line: &str) {
    lock().say(line);
}

/// Removes the line that is renewed, for output that isn't written by [`say`].
pub fn clear() {
    lock().clear_line();
}

fn lock() -> MutexGuard<'static, Board> {
    BOARD.lock().unwrap_or_else(PoisonError::into_inner)
}

fn tick() {
    let is_terminal = io::stdout().is_terminal();
    let pause = Duration::from_millis(if is_terminal { 200 } else { 1000 });
    loop {
        thread::sleep(pause);
        let mut board = lock();
        if board.running.is_empty() {
            continue;
        }
        if is_terminal {
            board.show_line();
        } else if board.last_line.is_none_or(|last| last.elapsed() >= QUIET) {
            let line = format!("     running: {}", board.list());
            board.say(&line);
        }
    }
}

impl Board {
    /// What is running, each with its time. A single one shows its command, too.
    fn list(&self) -> String {
        let parts: Vec<String> = self
            .running
            .iter()
            .filter(|it| !it.is_waiting)
            .map(|it| format!("{} {}", it.name, seconds(it.since.elapsed())))
            .collect();
        let list = parts.join(", ");
        // Parts that are named on top of a step have no command of their own.
        let mut commands = self.running.iter().filter_map(|it| it.command.as_ref());
        match (commands.next(), commands.next()) {
            (Some((command, since)), None) => {
                format!("{list}: {} {}", cut(command, 60), seconds(since.elapsed()))
            }
            _ => list,
        }
    }

    fn say(&mut self, line: &str) {
        self.clear_line();
        println!("{line}");
        self.last_line = Some(Instant::now());
    }

    fn show_line(&mut self) {
        // What is written after it without asking for a clear line begins where the line does.
        print!(
            "\r\x1b[2K{}\r",
            cut(&format!("     {}", self.list()), WIDTH)
        );
        let _ = io::stdout().flush();
        self.line_shown = true;
    }

    fn clear_line(&mut self) {
        if self.line_shown {
            print!("\r\x1b[2K");
            let _ = io::stdout().flush();
            self.line_shown = false;
        }
    }
}

/// The beginning of a text that is too long.
pub fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let kept: String = text.chars().take(most - 3).collect();
    format!("{kept}...")
}

/// `7.2 s` or `3 min 05 s`
pub fn seconds(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 100.0 {
        format!("{seconds:.1} s")
    } else {
        format!("{} min {:02} s", time.as_secs() / 60, time.as_secs() % 60)
    }
}

/// `0.4 processor-minutes`
pub fn processor_minutes(work: Duration) -> String {
    format!("{:.1} processor-minutes", work.as_secs_f64() / 60.0)
}
