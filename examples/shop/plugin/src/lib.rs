//! A shop: baskets are objects, prices are the host's, a delivery takes its time and can be cancelled, and its way can be followed.

use std::sync::Mutex;
use std::time::Duration;

use futures_util::{StreamExt as _, stream};
use rustbridge::prelude::*;

/// What the host knows and the shop doesn't.
#[service]
pub trait Prices {
    /// What an article costs, in cents.
    fn of(&self, article: String) -> Result<u64>;
}

/// Things, and who knows what they cost.
pub struct Basket {
    articles: Mutex<Vec<String>>,
    prices: PricesClient,
}

#[object]
impl Basket {
    /// Puts an article in, and says how many there are.
    pub fn put(&self, article: String) -> usize {
        let mut articles = self
            .articles
            .lock()
            .unwrap_or_else(|broken| broken.into_inner());
        articles.push(article);
        articles.len()
    }

    /// What all of it costs: asks the host for each.
    pub fn total(&self, call: &Call<'_>) -> Result<u64> {
        // No lock is held while the host is asked, since it may call us in turn.
        let articles = self
            .articles
            .lock()
            .unwrap_or_else(|broken| broken.into_inner())
            .clone();
        // As part of this call: with its time, its cancellation and its trace.
        let prices = self.prices.within(call);
        articles.into_iter().map(|article| prices.of(article)).sum()
    }
}

impl Drop for Basket {
    fn drop(&mut self) {
        info!("a basket is put back");
    }
}

/// The van on its way. However the way ends, it comes back.
struct Van;

impl Drop for Van {
    fn drop(&mut self) {
        info!("the van turns round");
    }
}

/// One shop.
pub struct Shop {
    prices: PricesClient,
}

/// A shop that its host gives the prices.
#[plugin(name = "shop", objects(Basket), services(Prices))]
impl Shop {
    /// Opens it.
    pub fn create(host: Host) -> Result<Shop> {
        Ok(Shop {
            prices: host.service()?,
        })
    }

    /// An empty basket.
    pub fn enter(&self) -> Object<Basket> {
        Object::new(Basket {
            articles: Mutex::default(),
            prices: self.prices.clone(),
        })
    }

    /// Where a parcel is, each place when it gets there.
    pub fn follow(&self, parcel: u64) -> impl Stream<Item = String> {
        stream::iter(["packed", "on the van", "at the door"]).then(move |place| async move {
            tokio::time::sleep(Duration::from_millis(30)).await;
            format!("parcel {parcel}: {place}")
        })
    }

    /// Drives so many minutes. Who doesn't want to wait cancels it: then the future is dropped where it is.
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
