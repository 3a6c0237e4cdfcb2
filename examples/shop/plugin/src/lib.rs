//! A shop. Baskets are objects, and the host provides the prices. A delivery can be cancelled, and a stream follows a parcel.

use std::sync::Mutex;
use std::time::Duration;

use futures_util::{StreamExt as _, stream};
use rustbridge::prelude::*;

/// The prices, which the host knows and the shop doesn't.
#[service]
pub trait Prices {
    /// Returns the price of an article, in cents.
    fn of(&self, article: String) -> Result<u64>;
}

/// Articles, and the service that knows their prices.
pub struct Basket {
    articles: Mutex<Vec<String>>,
    prices: PricesClient,
}

#[object]
impl Basket {
    /// Adds an article, and returns the number of articles.
    pub fn put(&self, article: String) -> usize {
        let mut articles = self
            .articles
            .lock()
            .unwrap_or_else(|broken| broken.into_inner());
        articles.push(article);
        articles.len()
    }

    /// Returns the price of all articles. It asks the host for the price of each.
    pub fn total(&self, call: &Call<'_>) -> Result<u64> {
        // No lock is held during the service calls, since the host may call this plugin in turn.
        let articles = self
            .articles
            .lock()
            .unwrap_or_else(|broken| broken.into_inner())
            .clone();
        // The service calls are part of this call: they inherit its deadline, cancellation and trace.
        let prices = self.prices.within(call);
        articles.into_iter().map(|article| prices.of(article)).sum()
    }
}

impl Drop for Basket {
    fn drop(&mut self) {
        info!("a basket is put back");
    }
}

/// A van on its way. When it's dropped, however the delivery ends, it turns round.
struct Van;

impl Drop for Van {
    fn drop(&mut self) {
        info!("the van turns round");
    }
}

/// A shop.
pub struct Shop {
    prices: PricesClient,
}

/// A shop whose host provides the prices.
#[plugin(name = "shop", objects(Basket), services(Prices))]
impl Shop {
    /// Opens the shop.
    pub fn create(host: Host) -> Result<Shop> {
        Ok(Shop {
            prices: host.service()?,
        })
    }

    /// Returns an empty basket.
    pub fn enter(&self) -> Object<Basket> {
        Object::new(Basket {
            articles: Mutex::default(),
            prices: self.prices.clone(),
        })
    }

    /// Streams the places of a parcel, each when the parcel gets there.
    pub fn follow(&self, parcel: u64) -> impl Stream<Item = String> {
        stream::iter(["packed", "on the van", "at the door"]).then(move |place| async move {
            tokio::time::sleep(Duration::from_millis(30)).await;
            format!("parcel {parcel}: {place}")
        })
    }

    /// Delivers in that many minutes. If the caller cancels the call, the future is dropped while it waits.
    pub async fn deliver(&self, minutes: u64) -> String {
        let _van = Van;
        tokio::time::sleep(Duration::from_secs(60 * minutes)).await;
        "delivered".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Fixed;

    impl Prices for Fixed {
        fn of(&self, article: String) -> Result<u64> {
            Ok(article.len() as u64 * 10)
        }
    }

    #[test]
    fn a_basket_costs_what_is_in_it() {
        let shop = Shop {
            prices: PricesClient::fake(Fixed),
        };
        let basket = shop.enter();
        assert_eq!(basket.put("bread".to_owned()), 1);
        assert_eq!(basket.put("milk".to_owned()), 2);
        assert_eq!(basket.total(&Call::detached()).unwrap(), 90);
    }
}
