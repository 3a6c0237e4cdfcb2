//! Writes the headers into the workspace's `include` folder, or installs what a C user needs.

use std::path::Path;
use std::process::ExitCode;
use std::{env, fs, io};

const USAGE: &str = "usage: rustbridge-headers                    writes the headers into include/, and what they say into docs/abi/
       rustbridge-headers install BUILT PREFIX  installs headers, libraries (from BUILT, e.g. target/release),
                                                pkg-config file and CMake package under PREFIX";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments[..] {
        [] => write_headers(),
        ["install", built, prefix] => install(Path::new(built), Path::new(prefix)),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("rustbridge-headers: {error}");
            ExitCode::FAILURE
        }
    }
}

fn write_headers() -> io::Result<()> {
    let root = rustbridge_headers::workspace_root();
    let pages = rustbridge_headers::pages()
        .into_iter()
        .chain([rustbridge_headers::errors_page()])
        .chain(rustbridge_headers::layouts());
    for (path, text) in rustbridge_headers::generate().into_iter().chain(pages) {
        let path = root.join(path);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(&path, text)?;
    }
    Ok(())
}

fn install(built: &Path, prefix: &Path) -> io::Result<()> {
    for path in rustbridge_headers::package(built, prefix)? {
        println!("{}", path.display());
    }
    Ok(())
}
