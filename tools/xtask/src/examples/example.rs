//! One of the examples, as whoever uses it has it.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use crate::packages::user::User;
use crate::python;
use crate::step::Step;

/// An example, and where it may leave what it makes.
pub struct Example<'e> {
    pub user: User<'e>,
    pub left: PathBuf,
}

impl Example<'_> {
    pub fn folder(&self) -> &Path {
        self.user.folder
    }

    /// The command in the example's folder, which builds plugins quickly, and finds the packages that it lies in.
    pub fn rustbridge(&self, step: &Step<'_>) -> Result<Command> {
        let mut command = self.user.rustbridge(step)?;
        unoptimised(&mut command);
        Ok(command)
    }

    /// A program in the example's folder, as somebody runs it who has set the variable that the build files read.
    pub fn command(&self, step: &Step<'_>, program: impl AsRef<OsStr>) -> Result<Command> {
        let mut command = self.user.command(step, program)?;
        unoptimised(&mut command);
        let url = format!("file://{}", self.user.packages.display());
        command
            .env("RUSTBRIDGE_PACKAGES", self.user.packages)
            .env("RUSTBRIDGE_PACKAGES_URL", url);
        Ok(command)
    }
}

/// Has whatever builds plugins do so even faster than it's done for whoever has the packages: to optimise these decoders and compilers takes
/// a minute, and they have little to do here.
fn unoptimised(command: &mut Command) {
    command.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0");
}

/// Whether a program ends with a code, and has said all that.
pub fn ends(
    step: &mut Step<'_>,
    what: &str,
    command: &mut Command,
    code: i32,
    says: &[&str],
) -> Result<()> {
    let (status, said) = step.outcome(command)?;
    let missing = says.iter().find(|it| !said.contains(**it));
    let problem = match missing {
        _ if status.code() != Some(code) => {
            Some(format!("it ended with {status}, not with {code}:\n{said}"))
        }
        Some(missing) => Some(format!("its output lacks {missing:?}:\n{said}")),
        None => None,
    };
    step.check(what, problem)
}

/// Decodes a picture by Python's own library alone, as far as that goes: of PNG every checksum and all pixels, of JPEG the header and the
/// end. Prints how large it is.
const DECODE: &str = r#"
import pathlib, struct, sys, zlib
for name in sys.argv[1:]:
    data = pathlib.Path(name).read_bytes()
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        at, pixels = 8, b""
        while at < len(data):
            length, kind = struct.unpack_from(">I4s", data, at)
            body = data[at + 8 : at + 8 + length]
            assert zlib.crc32(kind + body) == struct.unpack_from(">I", data, at + 8 + length)[0], name
            at += 12 + length
            if kind == b"IHDR":
                width, height, depth, colour = struct.unpack_from(">IIBB", body)
            pixels += body if kind == b"IDAT" else b""
        assert kind == b"IEND", name
        bits = depth * {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[colour]
        assert len(zlib.decompress(pixels)) == height * (1 + (width * bits + 7) // 8), name
    else:
        assert data[:2] == b"\xff\xd8" and data[-2:] == b"\xff\xd9", name
        at = 2
        while not 0xC0 <= data[at + 1] <= 0xC2:
            at += 2 + struct.unpack_from(">H", data, at + 2)[0]
        height, width = struct.unpack_from(">HH", data, at + 5)
    print(f"{pathlib.Path(name).name} is {width} x {height}")
"#;

/// Whether files in a folder are pictures that can be decoded, and are as large as this says.
pub fn pictures(step: &mut Step<'_>, folder: &Path, says: &[&str]) -> Result<()> {
    let names = says.iter().filter_map(|it| it.split(' ').next());
    let python = python::interpreter(step.workspace)?;
    let mut decode = step.workspace.command(python);
    decode.args(["-c", DECODE]);
    decode.args(names.map(|name| folder.join(name)));
    ends(step, "the pictures can be decoded", &mut decode, 0, says)
}
