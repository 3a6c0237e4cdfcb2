//! The languages of hosts, by their names on the command line and in a project's manifest.

use std::fmt;

use clap::ValueEnum;
use serde::Deserialize;

/// A language by its name.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Language {
    Python,
    Java,
    #[value(name = "csharp", alias = "c#")]
    CSharp,
    #[value(alias = "c++")]
    Cpp,
    Kotlin,
    Rust,
}

impl Language {
    /// The name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Language::Python => "python",
            Language::Java => "java",
            Language::CSharp => "csharp",
            Language::Cpp => "cpp",
            Language::Kotlin => "kotlin",
            Language::Rust => "rust",
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl From<Language> for rustbridge_gen::Language {
    fn from(language: Language) -> rustbridge_gen::Language {
        match language {
            Language::Python => rustbridge_gen::Language::Python,
            Language::Java => rustbridge_gen::Language::Java,
            Language::CSharp => rustbridge_gen::Language::CSharp,
            Language::Cpp => rustbridge_gen::Language::Cpp,
            Language::Kotlin => rustbridge_gen::Language::Kotlin,
            Language::Rust => rustbridge_gen::Language::Rust,
        }
    }
}
