//! gRPC's server and clients, which the benchmarks compare with: what is built of them works. It takes minutes to build, changes when the
//! benchmarks do, and no test of ours needs it, so it's soaked.

use crate::bench;
use crate::suite::{Lane, Suite};

pub const SUITES: [Suite; 3] = [
    Suite {
        name: "soak-grpc-rust",
        about: "gRPC's server and Rust client of the benchmarks, without a warning, in a workspace of their own",
        lane: Lane::Free,
        after: &[],
        run: bench::check_grpc,
    },
    Suite {
        name: "soak-grpc",
        about: "every gRPC client of the benchmarks calls every method once and looks at the answers",
        lane: Lane::Maven,
        after: &["build", "python-install", "soak-grpc-rust"],
        run: bench::smoke_grpc,
    },
    Suite {
        name: "soak-grpc-catalogue",
        about: "the gRPC benchmarks' own list against the catalogue of scenarios",
        lane: Lane::Maven,
        after: &["build", "python-install", "soak-grpc-rust"],
        run: |step| bench::check_list(step, &bench::GRPC),
    },
];
