//! Writes clients of a plugin whose names are awkward: words that languages keep for themselves, and what clients of ours call their own.
//! Each is compiled afterwards; a name that doesn't compile is a fault of the generator's.
//!
//! Usage: `names FOLDER LANGUAGE POSITION PART` writes the clients of a part of the names in one position, each in a folder of its own, and
//! `names` alone lists positions and how many parts there are.

mod positions;
mod words;

use std::env;
use std::error::Error;
use std::fs;
use std::path::Path;

use rustbridge_gen::{ClientSchema, File, Language, Options, generate};

use crate::positions::POSITIONS;

/// How many names a client has: more than there are in any plugin, and few enough for each compiler's limits.
const NAMES: usize = 450;

pub(crate) const LANGUAGES: [(&str, Language); 8] = [
    ("python", Language::Python),
    ("java", Language::Java),
    ("csharp", Language::CSharp),
    ("cpp", Language::Cpp),
    ("kotlin", Language::Kotlin),
    ("rust", Language::Rust),
    ("go", Language::Go),
    ("typescript", Language::TypeScript),
];

fn main() -> Result<(), Box<dyn Error>> {
    let words = words::all()?;
    let parts: Vec<&[String]> = words.chunks(NAMES).collect();
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [folder, language, position, part] = &arguments[..] else {
        let names: Vec<&str> = POSITIONS.iter().map(|position| position.name).collect();
        println!("{}\n{}", names.join(" "), parts.len());
        return Ok(());
    };
    let language = LANGUAGES
        .iter()
        .find(|(name, _)| name == language)
        .ok_or("no such language")?;
    let position = POSITIONS
        .iter()
        .find(|one| one.name == *position)
        .ok_or("no such position")?;
    let names = parts.get(part.parse::<usize>()?).ok_or("no such part")?;
    for (number, description) in (position.describe)(names).iter().enumerate() {
        let name = format!("{}{number}", position.name);
        let files = client(description, language.1, &namespace(language.1, &name))
            .map_err(|error| format!("{name}: {error}"))?;
        for file in files {
            let path = Path::new(folder).join(&name).join(file.path);
            fs::create_dir_all(path.parent().ok_or("a file has a folder")?)?;
            fs::write(path, file.text)?;
        }
    }
    Ok(())
}

/// The client of a description.
pub(crate) fn client(
    description: &serde_json::Value,
    language: Language,
    namespace: &str,
) -> Result<Vec<File>, rustbridge_gen::Error> {
    let client_schema = ClientSchema::read(description.to_string().as_bytes())?;
    let options = Options {
        namespace: Some(namespace.to_owned()),
        ..Options::default()
    };
    generate(&client_schema, language, &options)
}

/// A namespace of its own for each client, so that all can be compiled together.
fn namespace(language: Language, name: &str) -> String {
    match language {
        Language::Java | Language::Kotlin => format!("probe.{name}"),
        Language::CSharp => format!("Probe.{}", rustbridge_gen::client_name(name)),
        _ => format!("probe_{name}"),
    }
}
