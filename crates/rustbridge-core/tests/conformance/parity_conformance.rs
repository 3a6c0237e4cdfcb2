//! conformance-plugin linked into this program: the cases, and parity with its library and with the plain value.

use conformance_plugin::{Config, Conformance, Mode};
use rustbridge::{Bytes, Error, Host};
use rustbridge_conformance::cases::{Files, Plugin};
use rustbridge_conformance::run::{self, Selection};

use crate::core_host::CoreHost;
use crate::parity;
use crate::plain::{Plain, wait};

fn linked() -> CoreHost {
    CoreHost::Linked(rustbridge::entry_point::<Conformance>())
}

#[test]
fn every_case_is_right_on_the_linked_plugin() {
    let selection = Selection {
        case: &|case| case.plugin == Plugin::Conformance,
        ..Selection::all()
    };
    run::all(&Files::read().unwrap(), &mut linked(), &selection).assert_right();
}

fn plain() -> Plain<Conformance> {
    let config = Config {
        label: "conformance".to_owned(),
        limit: None,
        tags: Vec::new(),
        mode: Mode::Fast,
    };
    let value = Conformance::create(config, Host::detached()).expect("the label is allowed");
    let text = |request: &'static [u8]| std::str::from_utf8(request).ok();
    Plain::new(value)
        .json("types.scalars", |plugin, request| {
            good(plugin.scalars(request))
        })
        .json("types.options", |plugin, request| {
            good(plugin.options(request))
        })
        .json("types.defaults", |plugin, request| {
            good(plugin.defaults(request))
        })
        .json("types.collections", |plugin, request| {
            good(plugin.collections(request))
        })
        .json("types.nested", |plugin, request| {
            good(plugin.nested(request))
        })
        .json("types.enums", |plugin, request| good(plugin.enums(request)))
        .json("types.tagged", |plugin, request| {
            good(plugin.tagged(request))
        })
        .json("types.bytes", |plugin, request| good(plugin.bytes(request)))
        .json("types.unit", |plugin, request: ()| {
            plugin.unit(request);
            good(())
        })
        .json("types.value", |plugin, request| good(plugin.value(request)))
        .json("types.tree", |plugin, request| good(plugin.tree(request)))
        .json("types.weightless", |plugin, request| {
            good(plugin.weightless(request))
        })
        .json("number.u8", |plugin, request| {
            good(plugin.number_u8(request))
        })
        .json("number.i8", |plugin, request| {
            good(plugin.number_i8(request))
        })
        .json("number.u16", |plugin, request| {
            good(plugin.number_u16(request))
        })
        .json("number.i16", |plugin, request| {
            good(plugin.number_i16(request))
        })
        .json("number.u32", |plugin, request| {
            good(plugin.number_u32(request))
        })
        .json("number.i32", |plugin, request| {
            good(plugin.number_i32(request))
        })
        .json("number.u64", |plugin, request| {
            good(plugin.number_u64(request))
        })
        .json("number.i64", |plugin, request| {
            good(plugin.number_i64(request))
        })
        .json("number.f32", |plugin, request| {
            good(plugin.number_f32(request))
        })
        .json("number.f64", |plugin, request| {
            good(plugin.number_f64(request))
        })
        .json("leaf.json", |plugin, request| {
            good(plugin.leaf_json(request))
        })
        .json("split.answer", |plugin, request| {
            good(plugin.split_json(request))
        })
        .raw("split.answer", |plugin, request| {
            Some(Ok(plugin.split_raw(request)))
        })
        .raw("raw.echo", |plugin, request| {
            Some(Ok(plugin.raw_echo(request)))
        })
        .raw("raw.shared", |plugin, request| {
            Some(Ok(plugin.raw_shared(Bytes::from_static(request)).to_vec()))
        })
        .raw("raw.leaf", |plugin, request| {
            Some(Ok(plugin.raw_leaf(request).to_vec()))
        })
        .raw("raw.fill", move |plugin, request| {
            Some(plugin.raw_fill(text(request)?))
        })
        .raw("raw.sum", |plugin, request| {
            Some(Ok(plugin.raw_sum(request).to_vec()))
        })
        .raw("raw.empty", |plugin, request| {
            Some(Ok(plugin.raw_empty(request)))
        })
        .raw("raw.text", move |plugin, request| {
            Some(Ok(plugin.raw_text(text(request)?).into_bytes()))
        })
        .raw("raw.fail", move |plugin, request| {
            Some(plugin.raw_fail(text(request)?))
        })
        .pod("pod.add32", |plugin, request| good(plugin.add32(request)))
        .pod("pod.big", |plugin, request| good(plugin.big(request)))
        .pod("pod.scalars", |plugin, request| {
            good(plugin.pod_scalars(*request))
        })
        .pod("pod.odd", |plugin, request| good(plugin.odd(request)))
        .pod("pod.nested", |plugin, request| {
            good(plugin.pod_nested(request))
        })
        .pod("pod.mixed", Conformance::mixed)
        .json("pod.mixed", |plugin: &Conformance, request| {
            plugin.mixed(&request)
        })
        .json("status.fail", Conformance::status_fail)
        .json("error.typed", Conformance::error_typed)
        .json("error.details", Conformance::error_details)
        .json("async.echo", |plugin, request| {
            good(wait(plugin.async_echo(request)))
        })
        .json("async.sleep", |plugin, request| {
            good(wait(plugin.async_sleep(request)))
        })
        .json("async.join", |plugin, request| {
            wait(plugin.async_join(request))
        })
        .json("async.fail", |plugin, request| {
            wait(plugin.async_fail(request))
        })
}

fn good<T>(value: T) -> Result<T, Error> {
    Ok(value)
}

#[test]
fn library_link_and_plain_value_answer_alike() {
    let plain = plain();
    let compared = parity::compare(Plugin::Conformance, linked(), |call| plain.call(call));
    assert!(
        compared.calls >= 350 && compared.plain >= 180,
        "{compared:?}"
    );
}
