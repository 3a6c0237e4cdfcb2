//! What is called with structs and bytes: the floor's functions, behind the framework's table of handlers.

use rustbridge::{PluginError, PluginHandle, PluginResult, register_binary_handler};

/// What all functions of the crate `floor` look like.
type Floor =
    unsafe extern "C" fn(*mut u8, u32, *const u8, usize, *mut u8, usize, *mut usize) -> i32;

/// Numbers the handlers; the Python side has the same numbers.
pub fn register() {
    register_binary_handler(0, |_, _| Ok(Vec::new()));
    register_binary_handler(1, |_, request| by_floor(floor::floor_small, request, 80));
    register_binary_handler(2, |_, request| by_floor(floor::floor_pod8, request, 8));
    register_binary_handler(3, |_, request| by_floor(floor::floor_div, request, 8));
    register_binary_handler(4, |_, request| by_floor(floor::floor_answer, request, 4));
    register_binary_handler(5, sum);
    register_binary_handler(6, blob);
}

fn by_floor(function: Floor, request: &[u8], size: usize) -> PluginResult<Vec<u8>> {
    let (mut response, mut len) = (vec![0; size], 0);
    // SAFETY: the pointers are to live values of the sizes given, and nothing is kept.
    let status = unsafe {
        function(
            std::ptr::null_mut(),
            0,
            request.as_ptr(),
            request.len(),
            response.as_mut_ptr(),
            response.len(),
            &mut len,
        )
    };
    response.truncate(len);
    (status == 0).then_some(response).ok_or_else(refused)
}

fn sum(_: &PluginHandle, request: &[u8]) -> PluginResult<Vec<u8>> {
    let sum = peer_work::sum(request).ok_or_else(refused)?;
    Ok(sum.to_le_bytes().to_vec())
}

fn blob(_: &PluginHandle, request: &[u8]) -> PluginResult<Vec<u8>> {
    let size = request.try_into().map(u32::from_le_bytes);
    size.map(peer_work::blob_bytes).map_err(|_| refused())
}

#[cold]
fn refused() -> PluginError {
    PluginError::HandlerError("the request isn't as the method wants it".into())
}
