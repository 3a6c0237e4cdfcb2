//! What is asked of a generator, and what it gives.

/// What is to be written, and how it's called.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The namespace, package or module of the client, in the language's form. Made of the plugin's name, if there's none.
    pub namespace: Option<String>,
}

/// A file of a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Where it belongs, below the folder of the client's sources, with `/` between folders.
    pub path: String,
    /// What is in it.
    pub text: String,
}
