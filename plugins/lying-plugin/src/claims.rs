//! What it says of its answers, and which entries say it.

/// Where the bytes are said to be.
#[derive(Clone, Copy)]
pub(crate) enum Place {
    Storage,
    Null,
    Own,
    /// An address at which there's nothing.
    Nowhere,
}

/// How many they are said to be.
#[derive(Clone, Copy)]
pub(crate) enum Len {
    Is(usize),
    /// So many more than the storage holds.
    Beyond(usize),
}

#[derive(Clone, Copy)]
pub(crate) enum Release {
    None,
    /// One that ends the process: nobody should call it.
    Fatal,
    /// One that's there to be called.
    Harmless,
}

const MOST: usize = isize::MAX as usize;

pub(crate) const CLAIMS: &[(&str, Place, Len, Release)] = &[
    ("one_beyond", Place::Storage, Len::Beyond(1), Release::None),
    (
        "million_beyond",
        Place::Storage,
        Len::Beyond(1_000_000),
        Release::None,
    ),
    ("most", Place::Storage, Len::Is(MOST), Release::None),
    ("negative", Place::Storage, Len::Is(MOST + 1), Release::None),
    (
        "all_ones",
        Place::Storage,
        Len::Is(usize::MAX),
        Release::None,
    ),
    ("null", Place::Null, Len::Is(8), Release::None),
    (
        "null_all_ones",
        Place::Null,
        Len::Is(usize::MAX),
        Release::None,
    ),
    ("null_released", Place::Null, Len::Is(8), Release::Fatal),
    ("constant", Place::Own, Len::Is(8), Release::None),
    ("nowhere", Place::Nowhere, Len::Is(8), Release::None),
    (
        "released_negative",
        Place::Own,
        Len::Is(MOST + 1),
        Release::Fatal,
    ),
    (
        "released_all_ones",
        Place::Own,
        Len::Is(usize::MAX),
        Release::Fatal,
    ),
    (
        "released_storage",
        Place::Storage,
        Len::Is(1),
        Release::Fatal,
    ),
    // What's true, if odd: no bytes, wherever they are.
    ("empty_null", Place::Null, Len::Is(0), Release::None),
    ("empty_nowhere", Place::Nowhere, Len::Is(0), Release::None),
    ("empty_released", Place::Null, Len::Is(0), Release::Harmless),
];

/// After the claims: says nothing about its answer at all.
pub(crate) const SILENT: usize = CLAIMS.len();
/// After that: answers, as a number of 8 bytes, how often the thread has run that began when the library was loaded.
pub(crate) const TICKS: usize = SILENT + 1;
/// After that: an honest error with the status that the request's four bytes say.
pub(crate) const STATUS: usize = TICKS + 1;

pub(crate) const ENDS: [&str; 3] = ["ok", "error", "panic"];
pub(crate) const ENCODINGS: [&str; 3] = ["json", "raw", "pod"];
/// The first entry of the methods that end later.
pub(crate) const OPERATIONS: usize = (STATUS + 1) * ENDS.len() * ENCODINGS.len();
