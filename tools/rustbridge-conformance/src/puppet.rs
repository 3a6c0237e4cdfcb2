//! A testee with no plugin behind it, which answers as it is told to by its argument: well, or with a lie that the judge has to
//! catch. `tests/cases/judge.rs` has the cases that it knows.

use std::collections::VecDeque;
use std::env;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::process;
use std::thread;
use std::time::Duration;

use rustbridge_abi::Status;
use rustbridge_conformance::protocol::{self, BREACH, Frame, Message};

fn main() -> io::Result<()> {
    let lie = env::args().nth(1).unwrap_or_default();
    let mut from = BufReader::new(io::stdin());
    let mut to = BufWriter::new(io::stdout());
    let mut puppet = Puppet {
        lie: &lie,
        methods: Vec::new(),
        is_closed: false,
        events: VecDeque::new(),
    };
    let mut letter = [0];
    while from.read(&mut letter)? == 1 {
        let (status, bytes) = puppet.answer(letter[0], &mut from)?;
        let frame = Frame {
            letter: if lie == "answers another command" && letter[0] == b'C' {
                b'P'
            } else {
                letter[0]
            },
            status,
            bytes,
        };
        if lie == "stops in the middle of an answer" && letter[0] == b'C' {
            to.write_all(&[letter[0], 0, 0])?;
            to.flush()?;
            return Ok(());
        }
        frame.write(&mut to)?;
    }
    if lie == "answers without a question" {
        to.write_all(b"x")?;
        to.flush()?;
    }
    if lie == "ends badly" {
        process::exit(9);
    }
    Ok(())
}

struct Puppet<'a> {
    lie: &'a str,
    methods: Vec<String>,
    is_closed: bool,
    /// What the only call that was begun has to tell.
    events: VecDeque<Vec<u8>>,
}

impl Puppet<'_> {
    fn tells(&self, lie: &str) -> bool {
        self.lie == lie
    }

    fn answer(&mut self, letter: u8, from: &mut impl Read) -> io::Result<(i32, Vec<u8>)> {
        if letter == b'H' {
            let version = if self.tells("speaks another protocol") {
                0
            } else {
                protocol::VERSION
            };
            let hello = format!(
                "protocol {version}\nhost puppet\noffers operations\noffers objects\noffers header\nway plain\nway text text\nway value value\n"
            );
            return Ok((0, hello.into_bytes()));
        }
        let [_instance] = protocol::array(from)?;
        Ok(match letter {
            b'L' => {
                let _library = protocol::text(from)?;
                let [_form] = protocol::array(from)?;
                let config = protocol::text(from)?;
                let [_poison] = protocol::array(from)?;
                let _level = protocol::text(from)?;
                let [_with_sink] = protocol::array(from)?;
                self.is_closed = false;
                if config == "\"refused\"" && !self.tells("loads a plugin that should be refused") {
                    self.error()
                } else {
                    good(b"")
                }
            }
            b'P' => {
                self.methods.push(protocol::text(from)?);
                let _encoding: [u8; 4] = protocol::array(from)?;
                let _name = protocol::text(from)?;
                let entry = u32::try_from(self.methods.len() - 1).expect("methods are few");
                good(&entry.to_le_bytes())
            }
            b'C' => {
                let entry = u32::from_le_bytes(protocol::array(from)?);
                let [_way, _leaf] = protocol::array(from)?;
                let _capacity: [u8; 8] = protocol::array(from)?;
                let [_misalign] = protocol::array(from)?;
                let request = protocol::bytes(from)?;
                let method = self.methods[entry as usize].clone();
                self.call(&method, request)
            }
            b'X' => {
                let _timeout: [u8; 8] = protocol::array(from)?;
                self.is_closed = !self.tells("stays open");
                good(b"")
            }
            b'S' => good(if self.is_closed { b"closed" } else { b"active" }),
            b'V' => {
                let _level = protocol::text(from)?;
                good(b"")
            }
            b'F' => {
                let mut records = Message::default();
                if !self.tells("swallows a record") {
                    for text in ["INFO", "t", "hello", "{\"n\":1}", "[{\"name\":\"s\"}]"] {
                        records = records.bytes(text.as_bytes());
                    }
                }
                if self.tells("cuts a record off") {
                    records.0.pop();
                }
                good(&records.0)
            }
            b'D' => good(b""),
            b'W' => {
                let _numbers: [u8; 1 + 4 + 1 + 8] = protocol::array(from)?;
                for _what_it_carries in 0..4 {
                    protocol::bytes(from)?;
                }
                let _demand: [u8; 16] = protocol::array(from)?;
                protocol::bytes(from)?;
                self.begin();
                good(b"")
            }
            b'E' => {
                let _numbers: [u8; 1 + 8] = protocol::array(from)?;
                good(&self.events.pop_front().unwrap_or_else(|| vec![0]))
            }
            b'N' => {
                let _numbers: [u8; 1 + 16] = protocol::array(from)?;
                self.events.push_back(self.end());
                good(b"")
            }
            b'G' => {
                let [_call] = protocol::array(from)?;
                good(b"")
            }
            b'O' => {
                let object: [u8; 8] = protocol::array(from)?;
                if object == 7_u64.to_le_bytes() && !self.tells("releases nothing") {
                    good(b"")
                } else {
                    self.error()
                }
            }
            other => panic!("unknown command {other}"),
        })
    }

    /// Two items, and when there's demand for more, the end.
    fn begin(&mut self) {
        let mut items: Vec<&[u8]> = vec![b"1", b"2"];
        if self.tells("swallows an item") {
            items.pop();
        }
        if self.tells("adds an item") {
            items.push(b"3");
        }
        let mut event = Message(vec![2]).u32(u32::try_from(items.len()).expect("they are few"));
        for item in items {
            event = event.bytes(item);
        }
        self.events.push_back(event.bytes(b"").0);
        if self.tells("ends too early") {
            self.events.push_back(self.end());
        }
    }

    fn end(&self) -> Vec<u8> {
        let value: &[u8] = if self.tells("changes a trailer") {
            b"w"
        } else {
            b"v"
        };
        let mut trailers = Message::default().u32(1).u32(1).u32(1);
        trailers.0.push(b'k');
        trailers.0.extend(value);
        let objects: &[u64] = if self.tells("gives an object too many") {
            &[7, 8]
        } else {
            &[7]
        };
        let objects: Vec<u8> = objects.iter().flat_map(|one| one.to_le_bytes()).collect();
        let mut event = Message(vec![1]).u32(0).bytes(b"{}");
        event = event.bytes(&trailers.0).bytes(&objects);
        if self.tells("cuts an event off") {
            event.0.pop();
        }
        event.0
    }

    fn call(&self, method: &str, mut request: Vec<u8>) -> (i32, Vec<u8>) {
        match self.lie {
            "dies" => {
                eprintln!("the last words");
                process::exit(3)
            }
            "hangs" => loop {
                thread::sleep(Duration::from_secs(1));
            },
            "makes up a status" => return (99, Vec::new()),
            "breaks a promise" => return (BREACH, b"bytes behind the storage".to_vec()),
            _ => {}
        }
        match method {
            "echo" => {
                if self.tells("changes a byte") {
                    request[0] ^= 1;
                }
                if self.tells("adds a byte") {
                    request.push(0);
                }
                good(&request)
            }
            "json" if self.tells("names a member twice") => good(br#"{"a":2,"a":1}"#),
            "json" if self.tells("leaves a member out") => good(b"{}"),
            "json" => good(br#"{"a":1.0}"#),
            "fail" if self.tells("succeeds") => good(b""),
            _ => self.error(),
        }
    }

    fn error(&self) -> (i32, Vec<u8>) {
        let status = if self.tells("changes the status") {
            Status::Internal
        } else {
            Status::NotFound
        };
        let or = |lie, told, otherwise| {
            if self.tells(lie) { told } else { otherwise }
        };
        let message = or("changes the message", "other", "not there");
        let type_name = or("changes the type", "", "T");
        let details = or("leaves the details out", "", "{\"x\":1}");
        let mut error = Message::default()
            .bytes(message.as_bytes())
            .bytes(type_name.as_bytes())
            .bytes(details.as_bytes());
        if !self.tells("leaves a field out") {
            error = error.bytes(b"");
        }
        (status.code(), error.0)
    }
}

fn good(bytes: &[u8]) -> (i32, Vec<u8>) {
    (0, bytes.to_vec())
}
