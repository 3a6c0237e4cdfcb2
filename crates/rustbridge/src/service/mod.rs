//! Services: functions of the host that a plugin calls, declared as a trait.

mod answer;
mod client;
mod info;
mod link;
mod parked;
mod pending_call;
mod unreleased;
mod wire;

pub use self::client::{ServiceSource, Services};
pub use self::info::{NoServiceTypes, ServiceInfo, ServiceProbe, layouts, schemas, types};
pub use self::parked::{ParkedCall, park_result, parked_arguments};
pub use self::pending_call::PendingServiceCall;
pub use self::wire::{InPod, InRaw, InWire, Wire};

use rustbridge_abi::Status;

use crate::{Host, Result};

/// The client that [`#[service]`](macro@crate::service) generates from a trait. It calls the host.
///
/// An `Option` of a client is `None` if the host hasn't registered all functions that the client needs. It's for
/// services marked `optional`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` isn't a client of services",
    note = "`#[service] pub trait Prices {{ .. }}` generates `PricesClient`, which `Host::service` returns"
)]
pub trait Service: Sized {
    /// The services that it calls.
    #[doc(hidden)]
    const SERVICES: &'static [ServiceInfo];

    #[doc(hidden)]
    fn connect(host: &Host) -> Result<Self>;
}

impl<S: Service> Service for Option<S> {
    const SERVICES: &'static [ServiceInfo] = S::SERVICES;

    fn connect(host: &Host) -> Result<Option<S>> {
        let is_there = |info: &ServiceInfo| match link::find_service(host, info) {
            Ok(_) => Ok(true),
            Err(error) if matches!(error.status(), Status::NotFound | Status::Unimplemented) => {
                Ok(false)
            }
            Err(error) => Err(error),
        };
        for info in S::SERVICES {
            if !is_there(info)? {
                return Ok(None);
            }
        }
        S::connect(host).map(Some)
    }
}

impl Host {
    /// Returns the client of services that the host has registered. It looks up their names once. Call it in `create`.
    /// Also list the services in `#[plugin(services(..))]`, so that loading fails if they are missing.
    ///
    /// ```
    /// use rustbridge::prelude::*;
    ///
    /// /// Prices, which the host knows.
    /// #[service]
    /// pub trait Prices {
    ///     /// The price of an article.
    ///     fn get(&self, id: u64) -> Result<f64>;
    /// }
    ///
    /// struct Shop {
    ///     prices: PricesClient,
    /// }
    ///
    /// #[plugin(export = false, services(Prices))]
    /// impl Shop {
    ///     pub fn create(host: Host) -> Result<Shop> {
    ///         Ok(Shop { prices: host.service()? })
    ///     }
    ///
    ///     /// Returns the total price of articles.
    ///     pub fn total(&self, ids: Vec<u64>, call: &Call<'_>) -> Result<f64> {
    ///         // As part of this call: with its deadline, its cancellation, its trace and its metadata.
    ///         let prices = self.prices.within(call);
    ///         ids.into_iter().map(|id| prices.get(id)).sum()
    ///     }
    /// }
    ///
    /// // In a test anything that implements the trait takes the host's place.
    /// struct Fake;
    ///
    /// impl Prices for Fake {
    ///     fn get(&self, id: u64) -> Result<f64> {
    ///         Ok(id as f64 / 2.0)
    ///     }
    /// }
    ///
    /// let shop = Shop { prices: PricesClient::fake(Fake) };
    /// assert_eq!(shop.total(vec![1, 2], &Call::detached()).unwrap(), 1.5);
    /// ```
    ///
    /// # Errors
    /// [`Status::NotFound`] if a service that isn't optional is missing. [`Status::Unimplemented`] if it's registered
    /// in another encoding.
    pub fn service<S: Service>(&self) -> Result<S> {
        S::connect(self)
    }
}
