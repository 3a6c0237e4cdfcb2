//! The server of Markdown in Java: asked over HTTP, as a browser does.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::mpsc::Receiver;
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};

use super::example::Example;
use crate::packages::running::Running;
use crate::step::Step;

/// Until it listens: its plugin is built, and Maven may have to fetch what it compiles by.
const STARTED: Duration = Duration::from_secs(300);

/// For an answer.
const ANSWERED: Duration = Duration::from_secs(30);

pub fn check(step: &mut Step<'_>, example: &Example<'_>) -> Result<()> {
    let mut run = example.rustbridge(step)?;
    run.args(["run", "java"]).env("PORT", "0");
    let server = Running::start(&mut run)?;
    port(&server.lines).and_then(|port| ask_all(step, port))
}

/// Where the server says that it listens.
fn port(lines: &Receiver<String>) -> Result<u16> {
    let mut said = Vec::new();
    loop {
        let Ok(line) = lines.recv_timeout(STARTED) else {
            bail!(
                "the server didn't print its address, but:\n{}",
                said.join("\n")
            );
        };
        let address = line.trim().strip_prefix("http://localhost:");
        match address.and_then(|rest| rest.trim_end_matches('/').parse().ok()) {
            Some(port) => return Ok(port),
            None => said.push(line),
        }
    }
}

fn ask_all(step: &mut Step<'_>, port: u16) -> Result<()> {
    for (request, status, holds) in [
        ("GET /", 200, "<h1 id=\"welcome\">Welcome</h1>"),
        (
            "GET /tables.md",
            200,
            "<a href=\"#footnotes\">Footnotes</a>",
        ),
        ("GET /trust", 200, "&lt;script&gt;"),
        ("GET /broken", 500, "Look at its line 3."),
        ("GET /nothing", 404, "There is no such page."),
        // There's a README there.
        ("GET /../README", 404, "There is no such page."),
        ("GET /%00", 404, "There is no such page."),
        ("POST /", 405, "Pages are read here."),
        ("HEAD /", 200, "text/html; charset=utf-8"),
    ] {
        let answer = ask(port, request)?;
        let right = answer.starts_with(&format!("HTTP/1.1 {status} ")) && answer.contains(holds);
        let problem = (!right).then_some(answer);
        step.check(&format!("{request} is answered with {status}"), problem)?;
    }
    // Many at once are rendered by one instance.
    let answers: Vec<Result<String>> = thread::scope(|scope| {
        let asking: Vec<_> = (0..16)
            .map(|_| scope.spawn(move || ask(port, "GET /tables")))
            .collect();
        let joined = asking.into_iter().map(|asked| asked.join());
        joined
            .map(|answer| answer.unwrap_or_else(|_| bail!("asking panicked")))
            .collect()
    });
    let mut wrong = None;
    for answer in answers {
        let answer = answer?;
        if !answer.contains("footnote-definition") {
            wrong = Some(answer);
        }
    }
    step.check("many requests at once are answered alike", wrong)
}

fn ask(port: u16, request: &str) -> Result<String> {
    let address = SocketAddr::from(([127, 0, 0, 1], port));
    let mut stream = TcpStream::connect_timeout(&address, ANSWERED).context("connecting")?;
    stream.set_read_timeout(Some(ANSWERED))?;
    stream.set_write_timeout(Some(ANSWERED))?;
    write!(
        stream,
        "{request} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
    )?;
    let mut answer = Vec::new();
    stream
        .read_to_end(&mut answer)
        .with_context(|| format!("reading the answer to {request}"))?;
    Ok(String::from_utf8_lossy(&answer).into_owned())
}
