//! Says what is going on while it goes on.

use std::io::{self, IsTerminal, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How long nothing may be said on a log file before we say that we are still at it.
const QUIET: Duration = Duration::from_secs(60);

/// What runs now, shown as one line that keeps changing on a terminal, and as a line now and then elsewhere.
pub struct Progress {
    shared: Arc<Shared>,
    ticker: Option<JoinHandle<()>>,
}

struct Shared {
    board: Mutex<Board>,
    ended: Condvar,
    terminal: bool,
}

struct Board {
    running: Vec<(String, Instant)>,
    spoke: Instant,
    line_shown: bool,
    over: bool,
}

impl Progress {
    pub fn start() -> Progress {
        let shared = Arc::new(Shared {
            board: Mutex::new(Board {
                running: Vec::new(),
                spoke: Instant::now(),
                line_shown: false,
                over: false,
            }),
            ended: Condvar::new(),
            terminal: io::stdout().is_terminal(),
        });
        let ticker = thread::spawn({
            let shared = Arc::clone(&shared);
            move || shared.tick()
        });
        Progress {
            shared,
            ticker: Some(ticker),
        }
    }

    /// Something begins.
    pub fn begin(&self, name: &str) {
        self.shared
            .lock()
            .running
            .push((name.to_owned(), Instant::now()));
    }

    /// It ended; `line` is what stays on the screen.
    pub fn end(&self, name: &str, line: &str) {
        let mut board = self.shared.lock();
        board.running.retain(|(running, _)| running != name);
        board.say(line);
    }

    /// Says something in between.
    pub fn say(&self, line: &str) {
        self.shared.lock().say(line);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        let mut board = self.shared.lock();
        board.over = true;
        board.clear_line();
        drop(board);
        self.shared.ended.notify_all();
        if let Some(ticker) = self.ticker.take() {
            // A ticker that panicked has only cost us a status line.
            let _ = ticker.join();
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Board> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tick(&self) {
        let pause = if self.terminal {
            Duration::from_millis(200)
        } else {
            Duration::from_secs(1)
        };
        let mut board = self.lock();
        while !board.over {
            if self.terminal {
                board.show_line();
            } else if !board.running.is_empty() && board.spoke.elapsed() >= QUIET {
                let line = format!("     still running: {}", board.list());
                board.say(&line);
            }
            board = self
                .ended
                .wait_timeout(board, pause)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
    }
}

impl Board {
    fn list(&self) -> String {
        let parts: Vec<String> = self
            .running
            .iter()
            .map(|(name, since)| format!("{name} {}", seconds(since.elapsed())))
            .collect();
        parts.join(", ")
    }

    fn say(&mut self, line: &str) {
        self.clear_line();
        println!("{line}");
        self.spoke = Instant::now();
    }

    fn show_line(&mut self) {
        if self.running.is_empty() {
            return self.clear_line();
        }
        // Cut to what any terminal shows, because a line that wraps cannot be taken back.
        let line: String = format!("     {}", self.list()).chars().take(79).collect();
        print!("\r\x1b[2K{line}");
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

/// `7.2 s` or `3 min 05 s`
pub fn seconds(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 100.0 {
        format!("{seconds:.1} s")
    } else {
        format!("{} min {:02} s", time.as_secs() / 60, time.as_secs() % 60)
    }
}
