//! The results of the format before this one, which the README's figures are still made of.

use serde::Deserialize;

/// One measured call beside its floor.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Row {
    pub scenario: String,
    /// `rust`, `c`, `python`, `java`, `csharp`.
    pub host: String,
    pub transport: String,
    pub ours_ns: f64,
    /// The hand-written call in the same run; null where there is none.
    pub floor_ns: Option<f64>,
    pub ratio: Option<f64>,
    pub threads: u32,
    /// Bytes allocated per call, where the tool counts them.
    #[serde(default)]
    pub alloc_bytes: Option<f64>,
    /// The tool that measured.
    pub source: String,
}

/// A run with what one needs to know to compare it with another.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Results {
    pub machine: String,
    pub cores: usize,
    pub rustc: String,
    pub python: String,
    #[serde(default)]
    pub java: String,
    #[serde(default)]
    pub dotnet: String,
    pub commit: String,
    pub rows: Vec<Row>,
}
