//! Loading a plugin: on the loop, which waits meanwhile, or on a thread beside it.

use core::ptr;
use std::sync::Arc;
use std::time::Duration;

use napi_sys::*;
use rustbridge_abi::{RB_OK, Response, StatusCode, Text};
use rustbridge_host_abi as abi;

use crate::call::inside;
use crate::environment::{Environment, close_in_background};
use crate::error::raise;
use crate::lifecycle::{as_text, beside_the_loop, content};
use crate::log;
use crate::memory::{of, release};
use crate::post::{Letter, Post};
use crate::service::Services;
use crate::value::{self, arguments, big, is_missing, word};

/// What `rb_load` gets, in memory of its own.
struct Options {
    path: Vec<u8>,
    image: Option<Vec<u8>>,
    config: Vec<u8>,
    name: Vec<u8>,
    client_schema: Vec<u8>,
    flags: u32,
    level: u32,
    capacity: u32,
    threads: u32,
    sink: Option<u32>,
    services: Services,
    post: Arc<Post>,
}

// SAFETY: the services point to their own names, which stay where they are, and to functions; what they pass on are words.
unsafe impl Send for Options {}

impl Options {
    /// Reads `[path, image, config, name, flags, level, capacity, sink, services, client_schema, threads]`. None with an exception.
    ///
    /// # Safety
    /// In a callback of the environment.
    unsafe fn read(environment: &Environment, given: napi_value) -> Option<Options> {
        let env = environment.env;
        // SAFETY: the caller's promise; each element is looked at before it's used as what it has to be.
        unsafe {
            let [
                path,
                image,
                config,
                name,
                flags,
                level,
                capacity,
                sink,
                services,
                client_schema,
                threads,
            ] = value::elements(env, given)?;
            Some(Options {
                path: content(env, path)?,
                image: match is_missing(env, image) {
                    true => None,
                    false => Some(content(env, image)?),
                },
                config: content(env, config)?,
                name: content(env, name)?,
                client_schema: content(env, client_schema)?,
                flags: word(env, flags)?,
                level: word(env, level)?,
                capacity: word(env, capacity)?,
                threads: word(env, threads)?,
                sink: match is_missing(env, sink) {
                    true => None,
                    false => Some(word(env, sink)?),
                },
                services: Services::read(environment, services)?,
                post: Arc::clone(&environment.post),
            })
        }
    }

    /// Loads the plugin.
    fn load(&self, handle: &mut u64, error: &mut Response) -> StatusCode {
        // From here on it's the library's, whatever comes of it.
        let sink = self
            .sink
            .map(|number| log::sink(&self.post, number, self.capacity));
        let options = abi::LoadOptions {
            flags: self.flags,
            path: match self.image {
                Some(_) => Text::empty(),
                None => as_text(&self.path),
            },
            image: self.image.as_ref().map_or(ptr::null(), |it| it.as_ptr()),
            image_len: self.image.as_ref().map_or(0, Vec::len),
            config: self.config.as_ptr(),
            config_len: self.config.len(),
            name: as_text(&self.name),
            log_level: self.level,
            log_capacity: self.capacity,
            threads: self.threads,
            log: sink.as_ref().map_or(ptr::null(), ptr::from_ref),
            services: self.services.all().as_ptr(),
            service_count: self.services.all().len(),
            client_schema: as_text(&self.client_schema),
            ..abi::LoadOptions::EMPTY
        };
        // SAFETY: what the options point to outlives the call.
        unsafe { abi::rb_load(&options, handle, error) }
    }
}

/// `load(options) -> handle`, or `load(options, number)`: on a thread of its own, of which `Over` tells with the handle as text.
pub(crate) unsafe extern "C" fn load(env: napi_env, info: napi_callback_info) -> napi_value {
    // SAFETY: the data is the environment.
    unsafe {
        let ([given, number], environment) = arguments::<2, Environment>(env, info);
        let environment = &*environment;
        let Some(options) = Options::read(environment, given) else {
            return ptr::null_mut();
        };
        if !is_missing(env, number) {
            let Some(number) = word(env, number) else {
                return ptr::null_mut();
            };
            return beside_the_loop(environment, move || load_beside(&options, number));
        }
        let mut handle = 0;
        let mut error = Response::empty();
        let status = inside(environment, || options.load(&mut handle, &mut error));
        if status != RB_OK {
            raise(environment, status, &mut error);
            return ptr::null_mut();
        }
        environment.add_instance(handle);
        big(env, handle)
    }
}

fn load_beside(options: &Options, number: u32) {
    let mut handle = 0;
    let mut error = Response::empty();
    let status = options.load(&mut handle, &mut error);
    let letter = match status {
        RB_OK => Letter::Loaded(number, handle),
        // SAFETY: the response is ours.
        _ => Letter::Over(number, status, unsafe { of(&error).to_vec() }),
    };
    // SAFETY: the same.
    unsafe { release(&mut error) };
    let is_told = options.post.put(letter);
    if !is_told && status == RB_OK {
        // The environment has ended meanwhile.
        close_in_background(handle, Duration::MAX, Duration::ZERO);
    }
}
