// Written by `rustbridge gen -l rust` of the plugin `schemas`: write it anew by that, not by hand.
//! Checks documents by JSON Schema.

#![allow(
    dead_code,
    missing_docs,
    unused_imports,
    clippy::all,
    clippy::pedantic,
    rustdoc::all,
    reason = "names, prose and what there is are the plugin's"
)]

use std::path::PathBuf;

use rustbridge_host::{CallOptions, Error, Load, Plugin, typed};

/// Checks documents by JSON Schema.
///
/// Any thread may use it, any number at once. Copies are of the same; one that was loaded is closed with the last.
#[derive(Clone, Debug)]
pub struct Schemas(typed::Caller<Methods>);

impl Schemas {
    /// Loads the plugin from a file.
    ///
    /// # Errors
    /// If it can't be loaded, or isn't the plugin that this was written of: the error says what differs.
    pub fn load(path: impl Into<PathBuf>) -> Result<Self, Error> {
        Self::open(Load::path(path))
    }

    /// Loads the plugin as it's said, with a configuration, a name, a log.
    ///
    /// # Errors
    /// If it can't be loaded, or isn't the plugin that this was written of: the error says what differs.
    pub fn open(load: Load<'_>) -> Result<Self, Error> {
        typed::Caller::open(load).map(Self)
    }

    /// Calls an instance of the plugin, which goes on to belong to the caller.
    ///
    /// # Errors
    /// If it isn't the plugin that this was written of: the error says what differs.
    pub fn of(plugin: &Plugin) -> Result<Self, Error> {
        typed::Caller::of(plugin).map(Self)
    }

    /// The same, whose calls have these options: how much time there is, metadata, a trace.
    #[must_use]
    pub fn with_options(&self, options: CallOptions) -> Self {
        Self(self.0.with_options(options))
    }

    /// Compiles a schema: of the draft that its `$schema` says, or else of 2020-12. It may refer to `#` and to
    /// JSON pointers in itself. Documents may come from strangers, a schema from those only whose code would be trusted as well: one
    /// that refers to itself has limits against accidents, but what it takes can grow fast with a document's depth.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn compile(&self, schema: &str) -> Result<Schema, typed::Failure<SchemaError>> {
        self.0.call_with_objects(&self.0.methods.compile, schema)
    }
}

/// A `Schema` of the plugin's, which is given back with the last copy of this. It stands in messages like any value.
#[derive(Clone, Debug, PartialEq)]
pub struct Schema(typed::Caller<Methods>);

impl Schema {
    /// The same, whose calls have these options: how much time there is, metadata, a trace.
    #[must_use]
    pub fn with_options(&self, options: CallOptions) -> Self {
        Self(self.0.with_options(options))
    }

    /// Checks a document. What is wrong is the error.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn check(&self, document: &str) -> Result<(), typed::Failure<DocumentError>> {
        self.0.call(&self.0.methods.schema_check, document)
    }
}

typed::object::wire!(Schema, "Schema");

#[derive(Debug)]
struct Methods {
    compile: typed::Method,
    schema_check: typed::Method,
}

impl typed::Methods for Methods {
    fn prepare(plugin: &Plugin) -> Result<Self, Error> {
        let method =
            |name, fingerprint| typed::Method::prepare(plugin, name, fingerprint, CONTRACT);
        Ok(Self {
            compile: method("compile", "c14c1165f629d9efaedc7297ff3e06ea")?,
            schema_check: method("Schema.check", "013d82cc517ab74baa37cc376561914f")?,
        })
    }
}

/// What this was written from, to be compared with the plugin.
const CONTRACT: &str = concat!(
    r#"{"methods":[{"entries":[{"arguments":false,"encoding":"wire","error":{"type":{"ref":"#,
    r#"1}},"index":6,"items":null,"kind":"unary","parameter":"schema","receiver":"","reques"#,
    r#"t":{"type":"string"},"response":{"type":{"object":"Schema"}}}],"name":"compile"},{"e"#,
    r#"ntries":[{"arguments":false,"encoding":"wire","error":{"type":{"ref":2}},"index":13,"#,
    r#""items":null,"kind":"unary","parameter":"document","receiver":"Schema","request":{"t"#,
    r#"ype":"string"},"response":{"type":"unit"}}],"name":"Schema.check"}],"name":"schemas""#,
    r#","types":[{"name":"SchemasConfig","record":[{"default":true,"name":"most_violations""#,
    r#","type":"u32"},{"default":true,"name":"most_schemas","type":"u64"}]},{"enum":{"varia"#,
    r#"nts":[{"fields":[{"name":"problem","type":"string"},{"name":"line","type":"u64"},{"n"#,
    r#"ame":"column","type":"u64"}],"name":"NotJson"},{"fields":[{"name":"place","type":"st"#,
    r#"ring"},{"name":"problem","type":"string"}],"name":"NoSchema"},{"fields":[{"name":"mo"#,
    r#"st","type":"u64"}],"name":"TooLarge"}]},"name":"SchemaError"},{"enum":{"variants":[{"#,
    r#""fields":[{"name":"problem","type":"string"},{"name":"line","type":"u64"},{"name":"c"#,
    r#"olumn","type":"u64"}],"name":"NotJson"},{"fields":[{"name":"violations","type":{"lis"#,
    r#"t":{"ref":3}}}],"name":"Invalid"}]},"name":"DocumentError"},{"name":"Violation","rec"#,
    r#"ord":[{"name":"place","type":"string"},{"name":"rule","type":"string"},{"name":"prob"#,
    r#"lem","type":"string"}]}],"version":"0.1.0"}"#,
);

/// Why a schema isn't compiled.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub enum SchemaError {
    /// It's no JSON.
    NotJson {
        /// What is wrong.
        problem: String,
        /// The line, counted from 1.
        line: u64,
        /// The column, counted from 1.
        column: u64,
    },
    /// It's no schema, or refers to what isn't in it.
    NoSchema {
        /// Where in it, as a JSON pointer.
        place: String,
        /// What is wrong.
        problem: String,
    },
    /// With what it refers to, it's more than the configuration lets it, or too deep.
    TooLarge {
        /// How many it may be.
        most: u64,
    },
}

/// Why a document isn't right.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub enum DocumentError {
    /// It's no JSON.
    NotJson {
        /// What is wrong.
        problem: String,
        /// The line, counted from 1.
        line: u64,
        /// The column, counted from 1.
        column: u64,
    },
    /// The schema says otherwise.
    Invalid {
        /// Each of them, up to as many as the configuration says.
        violations: Vec<Violation>,
    },
}

/// What is wrong at one place.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub struct Violation {
    /// Where in the document, as a JSON pointer: `/servers/0/port`. Nothing is the document as a whole.
    pub place: String,
    /// What in the schema it breaks, as a JSON pointer.
    pub rule: String,
    /// What is wrong. The value itself isn't in it: it may be long, or secret.
    pub problem: String,
}
