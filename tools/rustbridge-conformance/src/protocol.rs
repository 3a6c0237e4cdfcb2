//! What the judge and a testee say to each other, byte by byte. `conformance/protocol.md` is the same for people.

use std::io::{self, Read, Write};

/// The number of the protocol, which both sides name.
pub const VERSION: u32 = 1;

/// The status of a result in which the testee says what it found wrong itself: bytes written behind the storage, say, or an
/// exception that is no plugin's error.
pub const BREACH: i32 = i32::MIN;

/// A command on its way to a testee, or the inside of a result.
#[derive(Debug, Default)]
pub struct Message(pub Vec<u8>);

impl Message {
    /// A command about an instance.
    #[must_use]
    pub fn new(letter: u8, instance: u8) -> Message {
        Message(vec![letter, instance])
    }

    /// Adds a byte.
    #[must_use]
    pub fn u8(mut self, value: u8) -> Message {
        self.0.push(value);
        self
    }

    /// Adds four bytes.
    #[must_use]
    pub fn u32(mut self, value: u32) -> Message {
        self.0.extend(value.to_le_bytes());
        self
    }

    /// Adds eight bytes.
    #[must_use]
    pub fn u64(mut self, value: u64) -> Message {
        self.0.extend(value.to_le_bytes());
        self
    }

    /// Adds a length and so many bytes.
    #[must_use]
    pub fn bytes(self, bytes: &[u8]) -> Message {
        let mut message = self.u64(bytes.len() as u64);
        message.0.extend_from_slice(bytes);
        message
    }
}

/// A result as it comes over the pipe.
#[derive(Debug, PartialEq, Eq)]
pub struct Frame {
    /// The command that it answers.
    pub letter: u8,
    /// A status's code, or [`BREACH`].
    pub status: i32,
    /// What belongs to it.
    pub bytes: Vec<u8>,
}

impl Frame {
    /// Reads one.
    ///
    /// # Errors
    /// The pipe ended, within the frame or before it.
    pub fn read(from: &mut impl Read) -> io::Result<Frame> {
        let [letter] = array(from)?;
        let status = i32::from_le_bytes(array(from)?);
        Ok(Frame {
            letter,
            status,
            bytes: bytes(from)?,
        })
    }

    /// Writes one.
    ///
    /// # Errors
    /// Nobody reads.
    pub fn write(&self, to: &mut impl Write) -> io::Result<()> {
        to.write_all(&[self.letter])?;
        to.write_all(&self.status.to_le_bytes())?;
        to.write_all(&(self.bytes.len() as u64).to_le_bytes())?;
        to.write_all(&self.bytes)?;
        to.flush()
    }
}

/// Reads so many bytes.
///
/// # Errors
/// There are fewer.
pub fn array<const N: usize>(from: &mut impl Read) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    from.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// Reads a length and so many bytes.
///
/// # Errors
/// There are fewer.
pub fn bytes(from: &mut impl Read) -> io::Result<Vec<u8>> {
    let len = u64::from_le_bytes(array(from)?);
    let mut bytes = Vec::new();
    // Whatever the length says, no more is allocated than arrives.
    if from.take(len).read_to_end(&mut bytes)? as u64 == len {
        Ok(bytes)
    } else {
        Err(io::ErrorKind::UnexpectedEof.into())
    }
}

/// Reads a length and so many bytes, which are text.
///
/// # Errors
/// There are fewer, or they are no text.
pub fn text(from: &mut impl Read) -> io::Result<String> {
    String::from_utf8(bytes(from)?)
        .map_err(|problem| io::Error::new(io::ErrorKind::InvalidData, problem))
}

/// What a testee says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hello {
    /// The host's name, as in `benches/catalogue.toml`.
    pub host: String,
    /// The needs of cases that it can meet.
    pub offers: Vec<String>,
    /// Whether errors come as the payload's bytes, for lack of JSON, and not as the fields that a user sees.
    pub payload_errors: bool,
    /// How it can call.
    pub ways: Vec<Way>,
}

/// One way in which a host calls.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Way {
    /// What it is called.
    pub name: String,
    /// How large the storage for the response is when a case says nothing, if the caller has one.
    pub storage: Option<usize>,
    /// Whether the request's address can be chosen.
    pub misalign: bool,
    /// Whether it is for JSON text only.
    pub text: bool,
    /// Whether it is for JSON values only, which the testee makes objects of its language of, and text of those that come back.
    pub value: bool,
}

impl Hello {
    /// Reads the lines in which a testee says it.
    ///
    /// # Errors
    /// A line that has no meaning, another protocol, no name or no way.
    pub fn parse(text: &str) -> Result<Hello, String> {
        let mut hello = Hello::default();
        let mut version = None;
        for line in text.lines() {
            let mut words = line.split(' ');
            let what = words.next().unwrap_or_default();
            let mut word = || words.next().ok_or_else(|| format!("`{line}` is too short"));
            match what {
                "protocol" => version = Some(word()?.to_owned()),
                "host" => word()?.clone_into(&mut hello.host),
                "offers" => hello.offers.push(word()?.to_owned()),
                "errors" => {
                    hello.payload_errors = match word()? {
                        "payload" => true,
                        "fields" => false,
                        other => return Err(format!("errors come as `{other}`")),
                    }
                }
                "way" => hello.ways.push(Way::parse(line)?),
                _ => return Err(format!("`{line}` has no meaning")),
            }
        }
        if version.as_deref() != Some(&*VERSION.to_string()) {
            return Err(format!("it speaks protocol {version:?}, not {VERSION}"));
        }
        if hello.host.is_empty() || hello.ways.is_empty() {
            return Err("it has no name or no way to call".to_owned());
        }
        if hello.ways[0].text || hello.ways[0].value {
            return Err("its first way is for text only, and every case needs one".to_owned());
        }
        Ok(hello)
    }
}

impl Way {
    /// Reads e.g. `way span storage=256 misalign`.
    fn parse(line: &str) -> Result<Way, String> {
        let mut words = line.split(' ').skip(1);
        let mut way = Way {
            name: words.next().unwrap_or_default().to_owned(),
            ..Way::default()
        };
        for word in words {
            match word.split_once('=') {
                None if word == "misalign" => way.misalign = true,
                None if word == "text" => way.text = true,
                None if word == "value" => way.value = true,
                Some(("storage", size)) => {
                    let size = size.parse().map_err(|_| format!("`{line}`: no size"))?;
                    way.storage = Some(size);
                }
                _ => return Err(format!("`{line}`: `{word}` has no meaning")),
            }
        }
        Ok(way)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_read_as_it_was_written() {
        let frame = Frame {
            letter: b'C',
            status: BREACH,
            bytes: b"abc".to_vec(),
        };
        let mut pipe = Vec::new();
        frame.write(&mut pipe).unwrap();
        assert_eq!(Frame::read(&mut &pipe[..]).unwrap(), frame);
        for cut in 0..pipe.len() {
            assert!(Frame::read(&mut &pipe[..cut]).is_err(), "cut at {cut}");
        }
    }

    #[test]
    fn a_length_beyond_all_memory_is_an_end_and_no_allocation() {
        assert!(bytes(&mut &[0xff; 12][..]).is_err());
    }

    #[test]
    fn a_testee_says_what_it_is() {
        let hello = Hello::parse(
            "protocol 1\nhost a/b\noffers c-abi\nerrors payload\nway one storage=256 misalign\nway two text\n",
        )
        .unwrap();
        assert_eq!(hello.host, "a/b");
        assert_eq!(hello.offers, ["c-abi"]);
        assert!(hello.payload_errors);
        assert!(hello.ways[0].misalign && hello.ways[0].storage == Some(256));
        assert!(hello.ways[1].text && hello.ways[1].storage.is_none());
    }

    #[test]
    fn a_testee_that_is_not_understood_is_refused() {
        for text in [
            "",
            "protocol 2\nhost a\nway one",
            "protocol 1\nway one",
            "protocol 1\nhost a",
            "protocol 1\nhost a\nway one sideways",
            "protocol 1\nhost a\nway one text",
            "protocol 1\nhost a\nway one storage=much",
            "protocol 1\nhost a\nway one\nhello",
        ] {
            assert!(Hello::parse(text).is_err(), "{text}");
        }
    }
}
