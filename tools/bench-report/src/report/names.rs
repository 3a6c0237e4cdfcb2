//! The scenarios that chapters ask for by name; `benches/catalogue.toml` says what they are.

/// The struct of the founding tables, its request prebuilt: binary.
pub const BINARY: &str = "bench.small 76/80";
/// The same with the request built within the timing.
pub const BUILT: &str = "bench.small 76/80, request built inside";
/// The same work as [`BINARY`], with JSON.
pub const SAME_AS_JSON: &str = "json bench.small";
/// The least that JSON does, text to text.
pub const ECHO: &str = "json echo 13 B";
/// The same from object to object.
pub const OBJECTS: &str = "json echo 13 B, object to object";
/// The founding tables' JSON latency.
pub const LATENCY: &str = "A json latency";
/// The same from object to object.
pub const LATENCY_OBJECTS: &str = "A json latency, object to object";
/// A call of a thousand in a loop.
pub const THROUGHPUT: Pair = Pair {
    json: "A throughput json",
    binary: "A throughput binary",
};
/// A hundred tasks.
pub const CONCURRENT: Pair = Pair {
    json: "A concurrent json",
    binary: "A concurrent binary",
};
/// The call that does nothing.
pub const EMPTY: &str = "empty call";
/// The call that adds two numbers.
pub const ADD: &str = "math.add 16/8";
/// From a file known to its first answer.
pub const LOAD: &str = "load, call, close: mapped before";
/// The other rows of the founding tables.
pub const PAYLOADS: [&str; 8] = [
    "A small echo",
    "A small greet",
    "A small math.add",
    "A medium echo",
    "A large echo",
    "A sequential 100",
    "A concurrent 100, 10 threads",
    LOAD,
];
/// An error, thrown, caught and read.
pub const ERROR: &str = "error, message read";
/// The sizes at which bytes are handed over, and how that's said.
pub const BLOBS: [(&str, &str); 4] = [
    ("get_blob 1 KB", "1 KB"),
    ("get_blob 64 KB", "64 KB"),
    ("get_blob 1 MB", "1 MB"),
    ("get_blob 16 MB", "16 MB"),
];
/// Those of the scenarios that are drawn beside their floor and gRPC.
pub const DRAWN: [&str; 4] = [BINARY, ECHO, EMPTY, "get_blob 1 MB"];
/// The numbers of threads.
pub const THREADS: [u32; 4] = [1, 2, 4, 8];

/// The same kind of row in both encodings.
pub struct Pair {
    /// With JSON.
    pub json: &'static str,
    /// As a struct.
    pub binary: &'static str,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Catalogue;
    use std::path::Path;

    #[test]
    fn the_catalogue_has_every_scenario_that_a_chapter_asks_for() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benches/catalogue.toml");
        let catalogue = Catalogue::read(&file).expect("it can be read");
        let pairs = [THROUGHPUT, CONCURRENT]
            .map(|pair| [pair.json, pair.binary])
            .concat();
        let blobs = BLOBS.map(|(name, _)| name);
        let single = [
            BINARY,
            BUILT,
            SAME_AS_JSON,
            ECHO,
            OBJECTS,
            LATENCY,
            LATENCY_OBJECTS,
            EMPTY,
            ERROR,
        ];
        for name in [
            &pairs[..],
            &blobs[..],
            &PAYLOADS[..],
            &DRAWN[..],
            &single[..],
        ]
        .concat()
        {
            assert!(
                catalogue.entry(name).is_some(),
                "`{name}` isn't in the catalogue"
            );
        }
    }
}
