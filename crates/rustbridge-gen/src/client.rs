//! What is asked of a generator, and what it gives.

/// What is to be written, and how it's called.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The namespace, package or module of the client, in the language's form. Made of the plugin's name, if there's none.
    pub namespace: Option<String>,
    /// How TypeScript has 64-bit integers.
    pub int64: Int64,
    /// How TypeScript has points in time.
    pub timestamps: Timestamps,
    /// What the property is called in TypeScript that tells the variants of an enum apart; `kind`, if there's none.
    pub tag: Option<String>,
    /// Whether Python has an exception for each variant of an error, which derives from the error's.
    pub exception_per_variant: bool,
    /// The name of the plugin's library, if the client is packaged with it (Java, C#, Python, TypeScript): the client also loads the
    /// packaged library, without a path.
    pub packaged: Option<String>,
}

/// How a language whose numbers are 64-bit floats has 64-bit integers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Int64 {
    /// As `bigint`, which has all of them.
    #[default]
    BigInt,
    /// As `number`: what that can't hold exactly is refused.
    Number,
    /// As text in decimal digits.
    Text,
}

/// How TypeScript has points in time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Timestamps {
    /// As `bigint`: nanoseconds since 1970.
    #[default]
    BigInt,
    /// As `Date`, which has milliseconds.
    Date,
}

/// A file of a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Where it belongs, below the folder of the client's sources, with `/` between folders.
    pub path: String,
    /// What is in it.
    pub text: String,
}
