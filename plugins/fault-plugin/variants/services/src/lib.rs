//! A library that needs two services, `stock.count` (raw) and `stock.order` (json), and can do without a third, `stock.watch`. A host
//! that lacks one has no business in `create`, which ends the process if it can't find them.
//! Its methods, each passing its request on to a service and the answer back:
//!
//! | entry | method | asks |
//! | --- | --- | --- |
//! | 0 | `count`, raw | `stock.count` |
//! | 1 | `order`, json | `stock.order` |

use std::ffi::{c_char, c_void};
use std::process;

use rustbridge_abi::{
    CallContext, Encoding, Host, PluginTable, RB_EXTENSION_SERVICES, RB_NOT_FOUND, RB_OK, Response,
    ServiceHost, StatusCode, Text,
};

const DESCRIPTION: &str = r#"{"abi":"1.0","name":"fault-services","version":"0.1.0","methods":[
{"name":"count","entries":[{"index":0,"encoding":"raw"}]},
{"name":"order","entries":[{"index":1,"encoding":"json"}]}],"services":[
{"name":"stock.count","encoding":"raw"},
{"name":"stock.order","encoding":"json"},
{"name":"stock.watch","encoding":"json","optional":true}]}"#;

/// What every host gets: immutable, so right with any number of them.
static TABLE: PluginTable = PluginTable {
    describe: Some(describe),
    create: Some(create),
    call: Some(call),
    destroy: Some(destroy),
    extension: Some(extension),
    ..PluginTable::EMPTY
};

/// One instance.
struct Instance {
    host: *const ServiceHost,
    context: *mut c_void,
    /// The services' numbers, by entry.
    services: [u32; 2],
}

unsafe extern "C" fn describe(_context: *mut c_void, response: *mut Response) -> StatusCode {
    // SAFETY: the host's response, null or writable; the text is static, so releasing it frees nothing.
    if let Some(response) = unsafe { response.as_mut() } {
        response.data = DESCRIPTION.as_ptr().cast_mut();
        response.len = DESCRIPTION.len();
        response.capacity = DESCRIPTION.len();
        response.release = Some(release);
    }
    RB_OK
}

unsafe extern "C" fn release(_: *mut Response) {}

unsafe extern "C" fn create(
    _context: *mut c_void,
    host: *const Host,
    _: *const u8,
    _: usize,
    instance: *mut *mut c_void,
    _: *mut Response,
) -> StatusCode {
    // SAFETY: the ABI says that the host's table is there for good, and that the place for the instance is writable.
    unsafe {
        let host = &*host;
        let Some(extension) = host.extension else {
            process::abort()
        };
        let services =
            extension(host.context, RB_EXTENSION_SERVICES.as_ptr()).cast::<ServiceHost>();
        if services.is_null() {
            process::abort()
        }
        let find = |name: &'static str, encoding: Encoding| {
            let mut number = 0;
            let Some(find) = (*services).find else {
                process::abort()
            };
            match find(
                host.context,
                Text::new(name),
                encoding.code(),
                &raw mut number,
            ) {
                RB_OK => number,
                _ => process::abort(),
            }
        };
        let found = Instance {
            host: services,
            context: host.context,
            services: [
                find("stock.count", Encoding::Raw),
                find("stock.order", Encoding::Json),
            ],
        };
        instance.write(Box::into_raw(Box::new(found)).cast());
    }
    RB_OK
}

unsafe extern "C" fn call(
    instance: *mut c_void,
    entry: u32,
    header: *const CallContext,
    request: *const u8,
    request_len: usize,
    response: *mut Response,
) -> StatusCode {
    // SAFETY: the host passes what `create` made, and request and response by the ABI, which are the service's as they are.
    unsafe {
        let instance = &*instance.cast::<Instance>();
        let Some(&service) = instance.services.get(entry as usize) else {
            return RB_NOT_FOUND;
        };
        let Some(ask) = (*instance.host).call else {
            process::abort()
        };
        ask(
            instance.context,
            service,
            header,
            request,
            request_len,
            response,
        )
    }
}

unsafe extern "C" fn destroy(instance: *mut c_void, _: *mut Response) -> StatusCode {
    // SAFETY: what `create` made, which nobody uses any more.
    drop(unsafe { Box::from_raw(instance.cast::<Instance>()) });
    RB_OK
}

unsafe extern "C" fn extension(_context: *mut c_void, _: *const c_char) -> *const c_void {
    std::ptr::null()
}

/// The one symbol.
// SAFETY: no other symbol of this library has the name.
#[unsafe(no_mangle)]
pub extern "C" fn rustbridge_plugin(_host_abi_version: u32) -> *const PluginTable {
    &raw const TABLE
}
