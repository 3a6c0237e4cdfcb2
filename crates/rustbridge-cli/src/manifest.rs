//! What a plugin's manifest says about its packages: version, licence, description, and their names in each registry.

use std::path::PathBuf;

use serde::Deserialize;
use serde_json::Value;

/// The fields of a manifest that packages carry.
#[derive(Clone, Debug, Default)]
pub(crate) struct Manifest {
    pub version: String,
    pub description: Option<String>,
    pub license: Option<String>,
    pub authors: Vec<String>,
    pub repository: Option<String>,
    /// Cargo's target folder.
    pub target: PathBuf,
    /// `[package.metadata.rustbridge.package]`.
    pub names: Names,
}

/// The names of packages, where the plugin's name isn't what they are to be called.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Names {
    pub java: Java,
    pub csharp: CSharp,
    pub node: Node,
    pub python: Python,
}

/// A Maven artifact.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Java {
    /// Its group, which has no default.
    pub group: Option<String>,
    /// The artifact's name.
    pub artifact: Option<String>,
    /// The client's package; of the group and the artifact's name, if it isn't given.
    pub namespace: Option<String>,
}

/// A NuGet package.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct CSharp {
    pub id: Option<String>,
    /// The client's namespace.
    pub namespace: Option<String>,
    /// The framework that the client is compiled for; `net8.0`, if it isn't given.
    pub framework: Option<String>,
}

/// An npm package.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Node {
    pub name: Option<String>,
}

/// A Python distribution.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Python {
    pub name: Option<String>,
    /// The client's module.
    pub namespace: Option<String>,
}

impl Manifest {
    /// Reads a package of `cargo metadata`.
    pub(crate) fn of(package: &Value, target: &Value, names: Names) -> Manifest {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let authors = package["authors"].as_array().into_iter().flatten();
        Manifest {
            version: text(&package["version"]).unwrap_or_default(),
            description: text(&package["description"]),
            license: text(&package["license"]),
            authors: authors.filter_map(text).collect(),
            repository: text(&package["repository"]),
            target: text(target).map(PathBuf::from).unwrap_or_default(),
            names,
        }
    }
}
