//! Services of clients whose types aren't the plugin's: what the plugin asks is put into the client's words before, and the answer into the
//! plugin's after.

use std::cell::OnceCell;
use std::sync::Arc;

use rustbridge_abi::{RB_OK, Response, StatusCode};

use super::pending::{Answer, Told};
use super::registered::{RawService, ServiceCall};
use crate::library::resolved_service::ResolvedService;
use crate::response::{Offer, bytes_of, release, write_bytes, write_error};

/// The client's service.
pub(super) struct Resolving {
    service: Arc<dyn RawService>,
    by: Arc<ResolvedService>,
}

impl Resolving {
    pub(super) fn new(service: Arc<dyn RawService>, by: Arc<ResolvedService>) -> Resolving {
        Resolving { service, by }
    }
}

impl Told for Resolving {
    fn cancelled(&self, call: u64) {
        self.service.cancelled(call);
    }
}

// SAFETY: what is passed on is answered by a service, and the rest is written by this crate.
unsafe impl RawService for Resolving {
    fn call(&self, call: &ServiceCall<'_>, response: *mut Response) -> StatusCode {
        let own = match self.by.request(call.request) {
            Ok(own) => own,
            // SAFETY: the plugin's response, of which the caller has made sure.
            Err(error) => return unsafe { write_error(&error, response) },
        };
        let seen = ServiceCall {
            request: own.as_deref().unwrap_or(call.request),
            pending: OnceCell::new(),
            ..*call
        };
        // SAFETY: as above.
        let offer = unsafe { Offer::of(response) };
        let status = self.service.call(&seen, response);
        if let Some(pending) = seen.pending.into_inner() {
            // It's the first to ask for one.
            let _ = call.pending.set(pending);
        }
        // SAFETY: filled in by the service, over the storage of the offer.
        unsafe { answer(&self.by, status, response, offer) }
    }
}

/// Puts an answer into the plugin's words. What can't be an answer, the caller tells.
///
/// # Safety
/// `response` is a service's, or null; the storage is what was offered.
unsafe fn answer(
    by: &ResolvedService,
    status: StatusCode,
    response: *mut Response,
    offer: Offer,
) -> StatusCode {
    // SAFETY: the caller's promise.
    let Some(place) = (unsafe { response.as_mut() }) else {
        return status;
    };
    if status != RB_OK || !offer.is_kept(place) {
        return status;
    }
    // SAFETY: as it says there are bytes, which are read before they are released.
    let answered = by.answer(status, unsafe { bytes_of(place) });
    let Some(answered) = answered.transpose() else {
        return status;
    };
    // SAFETY: filled in by the service, released once.
    unsafe { release(place) };
    *place = offer.response();
    // SAFETY: the storage as it was offered.
    unsafe {
        match answered {
            Ok(bytes) => write_bytes(bytes, place),
            Err(error) => write_error(&error, place),
        }
    }
}

/// The same of an answer that comes later.
pub(super) fn late(by: &ResolvedService, answer: Answer) -> Answer {
    match by.answer(answer.status, &answer.payload) {
        Ok(None) => answer,
        Ok(Some(payload)) => Answer { payload, ..answer },
        Err(error) => error.into(),
    }
}
