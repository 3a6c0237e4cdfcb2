//! Plain structs of several sizes, and the empty call.

use std::hint::black_box;

use bytemuck::{Pod, Zeroable, bytes_of, bytes_of_mut};
use hello_plugin::Hello;
use hello_plugin::bench::{SmallPodRequest, SmallPodResponse};
use rustbridge_core::Encoding::{self, Raw};

use super::subjects::{BENCH, CONFORMANCE, HELLO, opaque};
use crate::scenario::method;
use crate::{Scenario, Subject, direct};

pub fn scenarios() -> Vec<Scenario> {
    let (pair, sum) = ([20i32, 22], [0i32; 2]);
    let nested: [u64; 4] = [1 | 2 << 32, 3 | 4 << 32, 5 | 6 << 32, 7];
    let (small, found) = (small_request("bench_key"), SmallPodResponse::zeroed());
    vec![
        empty(),
        structs("pod 8/8", CONFORMANCE, "pod.add32", "pod8", pair, sum)
            .threads(&[1, 2])
            .direct(move || plain(direct::add32, pair)),
        structs(
            "pod 268/272",
            CONFORMANCE,
            "pod.big",
            "big",
            big(),
            [0u32; 68],
        )
        .threads(&[1, 2])
        .direct(|| plain(direct::big, big())),
        structs(
            "pod 32/32, ordinary",
            CONFORMANCE,
            "pod.nested",
            "nested",
            nested,
            nested,
        )
        .direct(move || plain(direct::nested, nested)),
        structs(
            "bench.small 76/80",
            HELLO,
            "bench.small",
            "small",
            small,
            found,
        )
        .threads(&[1, 2, 4, 8])
        .single()
        .direct(|| {
            let hello = Hello::default();
            let function = opaque(Hello::small_pod as fn(&Hello, &SmallPodRequest) -> _);
            let request = small_request("bench_key");
            move || {
                let _ = black_box(function(&hello, black_box(&request)));
            }
        }),
        into("pod 8/8, into", CONFORMANCE, "pod.add32", "pod8", pair, sum),
        into(
            "pod 268/272, into",
            CONFORMANCE,
            "pod.big",
            "big",
            big(),
            [0u32; 68],
        ),
        into(
            "bench.small 76/80, into",
            HELLO,
            "bench.small",
            "small",
            small,
            found,
        ),
        built_inside(),
        structs(
            "math.add 16/8",
            HELLO,
            "math.add",
            "add16",
            [40i64, 2],
            0i64,
        )
        .threads(&[1, 2, 4, 8]),
    ]
}

fn empty() -> Scenario {
    Scenario::new("empty call", BENCH)
        .threads(&[1, 2, 4, 8])
        .single()
        .ours(|plugin| {
            let method = method(plugin, "void", Raw);
            Subject::new(move || move || method.call_pod::<(), ()>(&()).expect("the call works"))
        })
        .floor("empty", |floor| {
            Subject::new(move || {
                move || {
                    floor.call(&[], &mut []);
                }
            })
        })
        .direct(|| opaque(work::void as fn()))
}

/// From a struct to a new struct, as typed calls do it.
fn structs<Request: Pod + Sync, Response: Pod + Sync>(
    name: &'static str,
    plugin: &'static str,
    called: &'static str,
    floor: &'static str,
    request: Request,
    empty: Response,
) -> Scenario {
    Scenario::new(name, plugin)
        .ours(move |plugin| {
            let method = method(plugin, called, Encoding::Pod);
            let call = move |request: &Request| -> Response {
                method.call_pod(request).expect("the call works")
            };
            Subject::new(move || {
                move || {
                    black_box(call(black_box(&request)));
                }
            })
            .answering(bytes_of(&call(&request)).to_vec())
        })
        .floor(floor, move |floor| {
            let call = move |request: &Request| {
                let mut response = empty;
                floor.call(bytes_of(request), bytes_of_mut(&mut response));
                response
            };
            Subject::new(move || {
                move || {
                    black_box(call(black_box(&request)));
                }
            })
            .answering(bytes_of(&call(&request)).to_vec())
        })
}

/// From a struct into a struct that exists already.
fn into<Request: Pod + Sync, Response: Pod + Sync>(
    name: &'static str,
    plugin: &'static str,
    called: &'static str,
    floor: &'static str,
    request: Request,
    empty: Response,
) -> Scenario {
    Scenario::new(name, plugin)
        .ours(move |plugin| {
            let method = method(plugin, called, Encoding::Pod);
            let call = move |request: &Request, response: &mut Response| {
                method
                    .call_pod_into(request, response)
                    .expect("the call works");
            };
            let mut once = empty;
            call(&request, &mut once);
            Subject::new(move || {
                let mut response = empty;
                move || {
                    call(black_box(&request), &mut response);
                    black_box(&mut response);
                }
            })
            .answering(bytes_of(&once).to_vec())
        })
        .floor(floor, move |floor| {
            let mut once = empty;
            floor.call(bytes_of(&request), bytes_of_mut(&mut once));
            Subject::new(move || {
                let mut response = empty;
                move || {
                    floor.call(bytes_of(black_box(&request)), bytes_of_mut(&mut response));
                    black_box(&mut response);
                }
            })
            .answering(bytes_of(&once).to_vec())
        })
}

fn plain<Request, Response>(function: fn(&Request) -> Response, request: Request) -> impl FnMut() {
    let function = opaque(function);
    move || {
        black_box(function(black_box(&request)));
    }
}

fn built_inside() -> Scenario {
    Scenario::new("bench.small 76/80, request built inside", HELLO)
        .ours(|plugin| {
            let method = method(plugin, "bench.small", Encoding::Pod);
            Subject::new(move || {
                move || {
                    let request = small_request(black_box("bench_key"));
                    let response = method.call_pod::<_, SmallPodResponse>(&request);
                    black_box(response.expect("the call works"));
                }
            })
        })
        .floor("small", |floor| {
            Subject::new(move || {
                move || {
                    let request = small_request(black_box("bench_key"));
                    let mut response = SmallPodResponse::zeroed();
                    floor.call(bytes_of(&request), bytes_of_mut(&mut response));
                    black_box(response);
                }
            })
        })
}

#[inline(always)]
pub(super) fn small_request(key: &str) -> SmallPodRequest {
    let mut request: SmallPodRequest = Zeroable::zeroed();
    request.version = 1;
    request.key[..key.len()].copy_from_slice(key.as_bytes());
    request.key_len = key.len() as u32;
    request.flags = 1;
    request
}

fn big() -> [u32; 67] {
    std::array::from_fn(|index| index as u32)
}
