//! Services of clients whose types aren't the plugin's, or whose errors have a type: what the plugin asks is put into the client's words before, and the answer into the
//! plugin's after.

use std::sync::Arc;

use rustbridge_abi::{Encoding, RB_OK, RB_PENDING, Response, StatusCode};

use super::deferred::{Answer, CancelListener};
use super::registered::{RawService, ServiceCall, Services};
use crate::error::Error;
use crate::library::resolved_service::ResolvedService;
use crate::library::typed_services::Other;
use crate::registry::table::Handle;
use crate::response::{Offer, bytes_of, release, write_bytes, write_error};

/// Wraps the services whose types differ compatibly from those with which the plugin calls them. Returns a log message for each.
///
/// `client_schema` is that of the typed client that loads the plugin; empty for other callers.
pub(crate) fn resolve(services: &mut Services, client_schema: &[u8]) -> Result<Vec<String>, Error> {
    if client_schema.is_empty() || services.is_empty() {
        return Ok(Vec::new());
    }
    let wire = Encoding::Wire.name();
    let description = &services.plugin.description;
    let is_registered = |name: &str| services.list.iter().any(|service| service.is(name, wire));
    let others = description.other_services(client_schema, is_registered)?;
    let mut told = Vec::new();
    for Other { service: by, what } in others {
        told.extend(what.map(|what| format!(
            "the client was generated for another version of plugin `{}`, and the types of service `{}` differ compatibly: every message is resolved, which takes longer: {what}",
            description.name,
            by.name()
        )));
        let mut all = services.list.iter_mut();
        if let Some(registered) = all.find(|service| service.is(by.name(), wire)) {
            let by = Arc::new(by);
            registered.service = Arc::new(ResolvingService {
                service: Arc::clone(&registered.service),
                by: Arc::clone(&by),
            });
            registered.resolved = Some(by);
        }
    }
    Ok(told)
}

/// The client's service.
struct ResolvingService {
    service: Arc<dyn RawService>,
    by: Arc<ResolvedService>,
}

impl CancelListener for ResolvingService {
    fn cancelled(&self, instance: Handle, call: u64) {
        self.service.cancelled(instance, call);
    }
}

// SAFETY: what is passed on is answered by a service, and the rest is written by this crate.
unsafe impl RawService for ResolvingService {
    fn call(&self, call: &ServiceCall<'_>, response: *mut Response) -> StatusCode {
        let own = match self.by.request(call.request) {
            Ok(own) => own,
            // SAFETY: the plugin's response, of which the caller has made sure.
            Err(error) => return unsafe { write_error(&error, response) },
        };
        let seen = ServiceCall {
            request: own.as_deref().unwrap_or(call.request),
            pending: call.pending.clone(),
            ..*call
        };
        // SAFETY: as above.
        let offer = unsafe { Offer::of(response) };
        let status = self.service.call(&seen, response);
        if let Some(pending) = seen.pending.into_inner() {
            // The first to ask for one, or the one that was there.
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
    if status == RB_PENDING || !offer.is_kept(place) {
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
            Ok((status, bytes)) => match write_bytes(bytes, place) {
                RB_OK => status,
                refused => refused,
            },
            Err(error) => write_error(&error, place),
        }
    }
}

/// The same of an answer that comes later.
pub(super) fn late(by: &ResolvedService, answer: Answer) -> Answer {
    match by.answer(answer.status, &answer.payload) {
        Ok(None) => answer,
        Ok(Some((status, payload))) => Answer { status, payload },
        Err(error) => error.into(),
    }
}
