//! The files of new projects, which are in this program, and what is filled into them.

use crate::language::Language;
use crate::packages::{LINK, Packages};
use crate::problem::Problem;

/// A file of a new project.
pub(crate) struct Template {
    /// Where it goes, below the project's folder.
    path: &'static str,
    /// What is in it, with names in double braces.
    text: &'static str,
    /// How what is filled in is written there.
    form: Form,
}

/// How a text is written in a file.
#[derive(Clone, Copy)]
enum Form {
    Plain,
    /// Between the quotes of TOML's, CMake's, JSON's or JavaScript's.
    Quoted,
    Xml,
}

/// A template by its name in this crate's folder.
macro_rules! template {
    ($path:literal, $file:literal, $form:ident) => {
        Template {
            path: $path,
            text: include_str!(concat!("../templates/", $file)),
            form: Form::$form,
        }
    };
}

impl Template {
    /// What every plugin has.
    pub(crate) const PLUGIN: &[Template] = &[
        template!("Cargo.toml", "plugin/Cargo.toml.in", Quoted),
        template!("src/lib.rs", "plugin/lib.rs.in", Plain),
        template!("README.md", "plugin/README.md.in", Plain),
        template!(".gitignore", "plugin/gitignore.in", Plain),
    ];

    /// What the program has that `rustbridge bench` measures calls by.
    pub(crate) fn of_bench(language: Language) -> &'static [Template] {
        match language {
            Language::Python => &[template!("bench.py", "bench/bench.py.in", Plain)],
            Language::Java => &[template!("Bench.java", "bench/Bench.java.in", Plain)],
            Language::CSharp => &[
                template!("bench.csproj", "bench/bench.csproj.in", Xml),
                template!("nuget.config", "csharp/nuget.config.in", Xml),
                template!("Program.cs", "bench/Program.cs.in", Plain),
            ],
            Language::Cpp => &[
                template!("CMakeLists.txt", "bench/CMakeLists.txt.in", Quoted),
                template!("bench.cpp", "bench/bench.cpp.in", Plain),
            ],
            Language::Node => &[template!("bench.mjs", "bench/bench.mjs.in", Quoted)],
            Language::Go => &[
                template!("go.mod", "bench/go.mod.in", Quoted),
                template!("bench.go", "bench/bench.go.in", Plain),
            ],
            // The one calls as Java does, and this program is in the other.
            Language::Kotlin | Language::Rust => &[],
        }
    }

    /// What a host has besides.
    pub(crate) fn of_host(language: Language) -> &'static [Template] {
        match language {
            Language::Python => &[
                template!("python/main.py", "python/main.py.in", Plain),
                template!(
                    "python/requirements.txt",
                    "python/requirements.txt.in",
                    Plain
                ),
            ],
            Language::Java => &[
                template!("java/pom.xml", "java/pom.xml.in", Xml),
                template!("java/src/main/java/Main.java", "java/Main.java.in", Plain),
            ],
            Language::Kotlin => &[
                template!("kotlin/pom.xml", "kotlin/pom.xml.in", Xml),
                template!("kotlin/src/main/kotlin/Main.kt", "kotlin/Main.kt.in", Plain),
            ],
            Language::CSharp => &[
                template!("csharp/{{Client}}Host.csproj", "csharp/host.csproj.in", Xml),
                template!("csharp/nuget.config", "csharp/nuget.config.in", Xml),
                template!("csharp/Program.cs", "csharp/Program.cs.in", Plain),
            ],
            Language::Cpp => &[
                template!("cpp/CMakeLists.txt", "cpp/CMakeLists.txt.in", Quoted),
                template!("cpp/main.cpp", "cpp/main.cpp.in", Plain),
            ],
            Language::Rust => &[
                template!("rust/Cargo.toml", "rust/Cargo.toml.in", Quoted),
                template!("rust/build.rs", "rust/build.rs.in", Plain),
                template!("rust/src/main.rs", "rust/main.rs.in", Plain),
            ],
            Language::Go => &[
                template!("go/go.mod", "go/go.mod.in", Quoted),
                template!("go/main.go", "go/main.go.in", Plain),
            ],
            Language::Node => &[
                template!("node/package.json", "node/package.json.in", Quoted),
                template!("node/tsconfig.json", "node/tsconfig.json.in", Plain),
                template!("node/src/main.ts", "node/main.ts.in", Plain),
            ],
        }
    }
}

/// What is filled in.
pub(crate) struct Values {
    /// Parts of files, which have names in double braces themselves.
    parts: [(&'static str, String); 3],
    /// Values, each written as its place asks.
    values: Vec<(&'static str, String)>,
}

impl Values {
    /// The values of a new project of that name: its hosts name the packages by the link in the plugin's folder.
    pub(crate) fn of_project(
        name: &str,
        hosts: &[Language],
        packages: &Packages,
    ) -> Result<Values, Problem> {
        Values::of(name, hosts, packages, format!("../{LINK}"))
    }

    /// The values of a program that measures, which stays where it is.
    pub(crate) fn of_bench(language: Language, packages: &Packages) -> Result<Values, Problem> {
        let mut values = Values::of("bench", &[language], packages, packages.path()?)?;
        let url = file_url(&packages.path()?);
        values.values.push(("packages_url", url));
        Ok(values)
    }

    fn of(
        name: &str,
        hosts: &[Language],
        packages: &Packages,
        place: String,
    ) -> Result<Values, Problem> {
        let values = vec![
            ("name", name.to_owned()),
            ("library", name.replace('-', "_")),
            ("Client", rustbridge_gen::client_name(name)),
            ("joined", name.replace(['-', '_'], "")),
            ("version", env!("CARGO_PKG_VERSION").to_owned()),
            ("packages", place),
        ];
        for host in hosts {
            match host {
                Language::Python => drop(packages.wheel()?),
                Language::Java | Language::Kotlin => drop(packages.part("maven", "the jars")?),
                Language::CSharp => drop(packages.part("nuget", "the NuGet packages")?),
                Language::Cpp => drop(packages.part("c", "the C library")?),
                Language::Go => drop(packages.part("go", "the Go module")?),
                Language::Node => drop(packages.part("node", "the npm package")?),
                Language::Rust => {}
            }
        }
        let lines = |of: fn(Language) -> &'static str| -> String {
            hosts.iter().map(|host| of(*host)).collect()
        };
        let or_nothing = |before: &str, lines: String, after: &str| match hosts {
            [] => String::new(),
            _ => format!("{before}{lines}{after}"),
        };
        let parts = [
            ("hosts", or_nothing(MANIFEST, lines(entry), "]\n")),
            ("running", or_nothing(RUNNING, lines(by_hand), "")),
            ("ignored", lines(ignored)),
        ];
        Ok(Values { parts, values })
    }

    /// A file: where it goes, and what is in it.
    pub(crate) fn filled(&self, template: &Template) -> (String, String) {
        (
            self.fill(template.path, Form::Plain),
            self.fill(template.text, template.form),
        )
    }

    fn fill(&self, text: &str, form: Form) -> String {
        let mut text = text.to_owned();
        for (name, part) in &self.parts {
            text = text.replace(&format!("{{{{{name}}}}}"), part);
        }
        for (name, value) in &self.values {
            text = text.replace(&format!("{{{{{name}}}}}"), &form.write(value));
        }
        text
    }
}

const MANIFEST: &str = "\
# The hosts. For each, `rustbridge build` writes a typed client and copies the library. `rustbridge run` runs one of them.
hosts = [
";

/// What stands in the manifest of a host.
fn entry(host: Language) -> &'static str {
    match host {
        Language::Python => {
            "    { language = \"python\", folder = \"python\", client = \"python\", library = \"python\" },\n"
        }
        Language::Java => {
            "    { language = \"java\", folder = \"java\", client = \"java/src/main/java\", library = \"java/target\" },\n"
        }
        Language::Kotlin => {
            "    { language = \"kotlin\", folder = \"kotlin\", client = \"kotlin/src/main/kotlin\", library = \"kotlin/target\" },\n"
        }
        Language::CSharp => {
            "    { language = \"csharp\", folder = \"csharp\", client = \"csharp/client\", library = \"csharp/plugin\" },\n"
        }
        Language::Cpp => {
            "    { language = \"cpp\", folder = \"cpp\", client = \"cpp/client\", library = \"cpp/plugin\" },\n"
        }
        Language::Rust => {
            "    { language = \"rust\", folder = \"rust\", client = \"rust/src\", library = \"rust/plugin\" },\n"
        }
        Language::Go => {
            "    { language = \"go\", folder = \"go\", client = \"go\", library = \"go/plugin\" },\n"
        }
        Language::Node => {
            "    { language = \"node\", folder = \"node\", client = \"node/src\", library = \"node/plugin\" },\n"
        }
    }
}

const RUNNING: &str = "
`rustbridge run` builds everything and runs each host, `rustbridge run HOST` one. With the language's own tools, in the host's folder, which keep its
client in step with the plugin as well, as long as `rustbridge` is found on PATH:

| host | command |
| --- | --- |
";

/// What runs a host without `rustbridge run`.
fn by_hand(host: Language) -> &'static str {
    match host {
        Language::Python => "| `python` | `rustbridge build && .venv/bin/python main.py` |\n",
        Language::Java => "| `java` | `mvn -q compile exec:exec` |\n",
        Language::Kotlin => "| `kotlin` | `mvn -q compile exec:exec` |\n",
        Language::CSharp => "| `csharp` | `dotnet run` |\n",
        Language::Cpp => {
            "| `cpp` | `cmake -B build && cmake --build build && build/{{library}}_host plugin/{{library}}` |\n"
        }
        Language::Rust => "| `rust` | `cargo run` |\n",
        Language::Go => "| `go` | `rustbridge build && go run .` |\n",
        Language::Node => "| `node` | `npm install && npm start` |\n",
    }
}

/// What a host's tools leave in its folder.
fn ignored(host: Language) -> &'static str {
    match host {
        Language::Python => "/python/.venv/\n__pycache__/\n",
        Language::CSharp => "/csharp/bin/\n/csharp/obj/\n",
        Language::Cpp => "/cpp/build/\n",
        Language::Node => "/node/node_modules/\n/node/dist/\n",
        Language::Java | Language::Kotlin | Language::Rust | Language::Go => "",
    }
}

impl Form {
    fn write(self, text: &str) -> String {
        let mut written = String::new();
        for letter in text.chars() {
            match (self, letter) {
                (Form::Quoted, '"' | '\\') => written.extend(['\\', letter]),
                (Form::Xml, '&') => written.push_str("&amp;"),
                (Form::Xml, '<') => written.push_str("&lt;"),
                (Form::Xml, '"') => written.push_str("&quot;"),
                (Form::Plain | Form::Quoted | Form::Xml, letter) => written.push(letter),
            }
        }
        written
    }
}

/// A path as a URL.
pub(crate) fn file_url(path: &str) -> String {
    let mut url = String::from("file://");
    if !path.starts_with('/') {
        url.push('/');
    }
    for byte in path.bytes() {
        let letter = char::from(byte);
        if letter.is_ascii_alphanumeric() || "/-._~:".contains(letter) {
            url.push(letter);
        } else {
            url.push_str(&format!("%{byte:02X}"));
        }
    }
    url
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_filled_in_is_written_as_its_place_asks() {
        let value = "a \"b\" & <c> \\";
        assert_eq!(Form::Plain.write(value), value);
        assert_eq!(Form::Quoted.write(value), "a \\\"b\\\" & <c> \\\\");
        assert_eq!(Form::Xml.write(value), "a &quot;b&quot; &amp; &lt;c> \\");
        assert_eq!(file_url("/a b/ä"), "file:///a%20b/%C3%A4");
        assert_eq!(file_url("C:/x"), "file:///C:/x");
    }
}
