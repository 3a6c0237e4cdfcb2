//! The functions that aren't calls: each copies its arguments and calls the host ABI.
//!
//! Where there's an `out`, its first element is the status, and what's returned is what the host ABI left in its
//! response: the answer, or the payload of an error.

use core::ptr;

use jni::Env;
use jni::objects::{JByteArray, JClass, JIntArray, JLongArray, JObject, JObjectArray, JString};
use jni::sys::{jint, jlong};
use rustbridge_abi::Text;
use rustbridge_host_abi as abi;

use crate::answer::Answer;
use crate::service::Services;
use crate::thrown::Failure;
use crate::{array, log};

fn text(bytes: &[u8]) -> Text {
    Text {
        data: bytes.as_ptr().cast(),
        len: bytes.len(),
    }
}

/// `load`: `out` is status and handle.
#[expect(
    clippy::too_many_arguments,
    reason = "the parameters are those of the native method"
)]
pub(crate) fn load<'local>(
    env: &mut Env<'local>,
    _: JClass<'local>,
    path: JByteArray<'local>,
    image: JByteArray<'local>,
    config: JByteArray<'local>,
    name: JByteArray<'local>,
    flags: jint,
    level: jint,
    log_capacity: jint,
    threads: jint,
    delivery: JObject<'local>,
    services: JObjectArray<'local>,
    service_names: JByteArray<'local>,
    service_facts: JIntArray<'local>,
    client_schema: JByteArray<'local>,
    out: JLongArray<'local>,
) -> Result<JByteArray<'local>, Failure> {
    let path = array::bytes(env, &path)?.unwrap_or_default();
    let image = array::bytes(env, &image)?;
    let config = array::bytes(env, &config)?;
    let name = array::bytes(env, &name)?.unwrap_or_default();
    let client_schema = array::bytes(env, &client_schema)?.unwrap_or_default();
    let data = |bytes: &Option<Vec<u8>>| bytes.as_ref().map_or(ptr::null(), |bytes| bytes.as_ptr());
    let len = |bytes: &Option<Vec<u8>>| bytes.as_ref().map_or(0, Vec::len);
    let service_names = array::bytes(env, &service_names)?.unwrap_or_default();
    let services = Services::new(env, &services, &service_names, &service_facts)?;
    let sink = log::sink(env, &delivery)?;
    let services = services.hand_over();
    let options = abi::LoadOptions {
        flags: flags as u32,
        path: text(&path),
        image: data(&image),
        image_len: len(&image),
        config: data(&config),
        config_len: len(&config),
        name: text(&name),
        log_level: level as u32,
        log_capacity: log_capacity as u32,
        log: &sink,
        services: services.as_ptr(),
        service_count: services.len(),
        client_schema: text(&client_schema),
        threads: threads as u32,
        ..abi::LoadOptions::EMPTY
    };
    let mut handle = 0;
    let mut answer = Answer::none();
    // SAFETY: the options live until the call is over; sink and services are the core's from here on, also if it fails. That the
    // library can be trusted is up to who asks for it.
    let status = unsafe { abi::rb_load(&options, &mut handle, &mut answer.0) };
    answer.give(env, status, &[handle as jlong], &out)
}

/// `describe`: `out` is the status.
pub(crate) fn describe<'local>(
    env: &mut Env<'local>,
    _: JClass<'local>,
    handle: jlong,
    out: JLongArray<'local>,
) -> Result<JByteArray<'local>, Failure> {
    let mut answer = Answer::none();
    // SAFETY: the response is ours.
    let status = unsafe { abi::rb_describe(handle as u64, &mut answer.0) };
    answer.give(env, status, &[], &out)
}

/// `name`: `out` is the status.
pub(crate) fn name<'local>(
    env: &mut Env<'local>,
    _: JClass<'local>,
    handle: jlong,
    out: JLongArray<'local>,
) -> Result<JByteArray<'local>, Failure> {
    let mut answer = Answer::none();
    // SAFETY: the response is ours.
    let status = unsafe { abi::rb_name(handle as u64, &mut answer.0) };
    answer.give(env, status, &[], &out)
}

/// `prepare`: `out` is the status and what a [`abi::Method`] holds behind its size.
pub(crate) fn prepare<'local>(
    env: &mut Env<'local>,
    _: JClass<'local>,
    handle: jlong,
    name: JByteArray<'local>,
    encoding: jint,
    out: JLongArray<'local>,
) -> Result<JByteArray<'local>, Failure> {
    let name = array::bytes(env, &name)?.unwrap_or_default();
    let mut method = abi::Method::EMPTY;
    let mut answer = Answer::none();
    // SAFETY: the name lives until the call is over; the rest is ours.
    let status = unsafe {
        abi::rb_prepare(
            handle as u64,
            text(&name),
            encoding as u32,
            &mut method,
            &mut answer.0,
        )
    };
    answer.give(env, status, &facts(&method), &out)
}

/// `prepareId`: as `prepare`.
pub(crate) fn prepare_id<'local>(
    env: &mut Env<'local>,
    _: JClass<'local>,
    handle: jlong,
    id: jint,
    encoding: jint,
    out: JLongArray<'local>,
) -> Result<JByteArray<'local>, Failure> {
    let mut method = abi::Method::EMPTY;
    let mut answer = Answer::none();
    // SAFETY: both are ours.
    let status = unsafe {
        abi::rb_prepare_id(
            handle as u64,
            id as u32,
            encoding as u32,
            &mut method,
            &mut answer.0,
        )
    };
    answer.give(env, status, &facts(&method), &out)
}

/// `prepareTyped`: as `prepare`.
pub(crate) fn prepare_typed<'local>(
    env: &mut Env<'local>,
    _: JClass<'local>,
    handle: jlong,
    name: JByteArray<'local>,
    fingerprint: JByteArray<'local>,
    client_schema: JByteArray<'local>,
    out: JLongArray<'local>,
) -> Result<JByteArray<'local>, Failure> {
    let name = array::bytes(env, &name)?.unwrap_or_default();
    let fingerprint = array::bytes(env, &fingerprint)?.unwrap_or_default();
    let client_schema = array::bytes(env, &client_schema)?.unwrap_or_default();
    let mut method = abi::Method::EMPTY;
    let mut answer = Answer::none();
    // SAFETY: the texts live until the call is over; the rest is ours.
    let status = unsafe {
        abi::rb_prepare_typed(
            handle as u64,
            text(&name),
            text(&fingerprint),
            text(&client_schema),
            &mut method,
            &mut answer.0,
        )
    };
    answer.give(env, status, &facts(&method), &out)
}

fn facts(method: &abi::Method) -> [jlong; 8] {
    [
        method.entry.into(),
        method.flags.into(),
        method.encoding.into(),
        method.request_size as jlong,
        method.response_size as jlong,
        method.leaf_limit.into(),
        method.buffer_size.into(),
        method.buffer_limit as jlong,
    ]
}

/// `state`: `out` is status and state.
pub(crate) fn state<'local>(
    env: &mut Env<'local>,
    _: JClass<'local>,
    handle: jlong,
    out: JLongArray<'local>,
) -> Result<JByteArray<'local>, Failure> {
    let mut state = 0;
    let mut answer = Answer::none();
    // SAFETY: both are ours.
    let status = unsafe { abi::rb_state(handle as u64, &mut state, &mut answer.0) };
    answer.give(env, status, &[state.into()], &out)
}

/// `close`: `out` is the status. A timeout of -1 waits for good.
pub(crate) fn close<'local>(
    env: &mut Env<'local>,
    _: JClass<'local>,
    handle: jlong,
    timeout_millis: jlong,
    out: JLongArray<'local>,
) -> Result<JByteArray<'local>, Failure> {
    let mut answer = Answer::none();
    // SAFETY: the response is ours.
    let status = unsafe { abi::rb_close(handle as u64, timeout_millis as u64, &mut answer.0) };
    answer.give(env, status, &[], &out)
}

/// `inspect`: `out` is the status.
pub(crate) fn inspect<'local>(
    env: &mut Env<'local>,
    _: JClass<'local>,
    out: JLongArray<'local>,
) -> Result<JByteArray<'local>, Failure> {
    let mut answer = Answer::none();
    // SAFETY: the response is ours.
    let status = unsafe { abi::rb_inspect(&mut answer.0) };
    answer.give(env, status, &[], &out)
}

/// `version`: this library's.
pub(crate) fn version<'local>(
    env: &mut Env<'local>,
    _: JClass<'local>,
) -> Result<JString<'local>, Failure> {
    Ok(env.new_string(env!("CARGO_PKG_VERSION"))?)
}
