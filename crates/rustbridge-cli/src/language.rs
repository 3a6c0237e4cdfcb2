//! The languages of hosts, by their names on the command line and in a project's manifest, and those that clients are written in, of which there
//! may be more.

use std::fmt;

use clap::ValueEnum;
use rustbridge_gen::{Int64, Timestamps};
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
    #[value(alias = "golang")]
    Go,
    #[value(alias = "typescript")]
    Node,
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
            Language::Go => "go",
            Language::Node => "node",
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
            Language::Go => rustbridge_gen::Language::Go,
            Language::Node => rustbridge_gen::Language::TypeScript,
        }
    }
}

/// A language that clients are written in.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ClientLanguage {
    Python,
    Java,
    #[value(name = "csharp", alias = "c#")]
    CSharp,
    #[value(alias = "c++")]
    Cpp,
    Kotlin,
    Rust,
    #[value(alias = "golang")]
    Go,
    #[value(name = "typescript", alias = "ts")]
    TypeScript,
}

impl From<ClientLanguage> for rustbridge_gen::Language {
    fn from(written: ClientLanguage) -> rustbridge_gen::Language {
        match written {
            ClientLanguage::Python => rustbridge_gen::Language::Python,
            ClientLanguage::Java => rustbridge_gen::Language::Java,
            ClientLanguage::CSharp => rustbridge_gen::Language::CSharp,
            ClientLanguage::Cpp => rustbridge_gen::Language::Cpp,
            ClientLanguage::Kotlin => rustbridge_gen::Language::Kotlin,
            ClientLanguage::Rust => rustbridge_gen::Language::Rust,
            ClientLanguage::Go => rustbridge_gen::Language::Go,
            ClientLanguage::TypeScript => rustbridge_gen::Language::TypeScript,
        }
    }
}

/// How TypeScript has 64-bit integers.
#[derive(Clone, Copy, Debug, Default, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Integers {
    /// All of them.
    #[default]
    Bigint,
    /// Those up to 2^53, and others are refused.
    Number,
    /// Decimal digits.
    String,
}

/// How TypeScript has points in time.
#[derive(Clone, Copy, Debug, Default, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Times {
    /// Nanoseconds since 1970.
    #[default]
    Bigint,
    /// `Date`, cut to milliseconds.
    Date,
}

impl From<Times> for Timestamps {
    fn from(times: Times) -> Timestamps {
        match times {
            Times::Bigint => Timestamps::BigInt,
            Times::Date => Timestamps::Date,
        }
    }
}

impl From<Integers> for Int64 {
    fn from(integers: Integers) -> Int64 {
        match integers {
            Integers::Bigint => Int64::BigInt,
            Integers::Number => Int64::Number,
            Integers::String => Int64::Text,
        }
    }
}
