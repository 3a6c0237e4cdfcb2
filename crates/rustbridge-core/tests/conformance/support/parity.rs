//! One plugin in three ways: its library through the core, linked into the test through the core, and as a plain value.
//! Each gives the same bytes.

use rustbridge_conformance::call::{Call, Method};
use rustbridge_conformance::cases::{Files, Op, Plugin};
use rustbridge_conformance::host::{Host, Instance, Open};
use rustbridge_conformance::judge::{Answer, shown};

use crate::core_host::CoreHost;

/// How many calls were compared, and how many of them with the plain value too.
#[derive(Debug, Default)]
pub struct Compared {
    pub calls: usize,
    pub plain: usize,
}

/// Makes every call that stands alone in all three ways.
pub fn compare(
    plugin: Plugin,
    linked: CoreHost,
    plain: impl Fn(&Call) -> Option<Answer>,
) -> Compared {
    let files = Files::read().unwrap();
    let (mut library, mut linked) = (CoreHost::Libraries, linked);
    let config = files
        .cases()
        .find(|case| case.plugin == plugin && case.shares)
        .map(|case| case.instances["a"].clone())
        .expect("there are cases");
    let open = |host: &mut CoreHost| -> Box<dyn Instance> {
        host.open(&Open {
            plugin,
            label: "parity",
            config: config.as_deref(),
            poison: false,
            config_is_bytes: false,
            log: None,
            services: &[],
        })
        .expect("the core does nothing that no host should")
        .unwrap_or_else(|failure| panic!("{failure:?}"))
    };
    let (mut by_library, mut by_link) = (open(&mut library), open(&mut linked));

    let mut compared = Compared::default();
    for case in files.cases() {
        let alike = case.plugin == plugin && case.shares && case.instances["a"] == config;
        if !alike || !library.expresses(case) {
            continue;
        }
        for step in &case.steps {
            let Op::Call(call) = &step.op else { continue };
            let capacity = call.capacity.first().copied().unwrap_or(256);
            let misalign = call.misalign.first().copied().unwrap_or(0);
            let one = by_library.call(call, 0, capacity, misalign).unwrap();
            let other = by_link.call(call, 0, capacity, misalign).unwrap();
            same(&case.id, "by library", &one, "linked", &other);
            compared.calls += 1;
            // Leaf or not is the ABI's business; the plain value has neither.
            if call.leaf
                && matches!(call.method, Method::Name(_))
                && one.status != rustbridge_core::Status::Ok
            {
                continue;
            }
            if let Some(plain) = plain(call) {
                same(&case.id, "by library", &one, "plain", &plain);
                compared.plain += 1;
            }
        }
    }
    compared
}

fn same(id: &str, one_way: &str, one: &Answer, other_way: &str, other: &Answer) {
    assert!(
        (one.status, &one.bytes) == (other.status, &other.bytes),
        "{id}: {one_way} {} {}, but {other_way} {} {}",
        one.status,
        shown(&one.bytes),
        other.status,
        shown(&other.bytes)
    );
}
