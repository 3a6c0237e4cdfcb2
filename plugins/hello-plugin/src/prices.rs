//! Prices, which the host knows: a service that the plugin asks.

use rustbridge::prelude::*;

/// Whose price to give.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct Article {
    /// Its name.
    pub article: String,
}

/// What one of it costs.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct Price {
    /// In cents.
    pub cents: u64,
}

/// What the host knows of prices. It may leave this out.
#[service(optional)]
pub trait Prices {
    /// What one of an article costs.
    fn get(&self, article: Article) -> Result<Price>;
}

/// What somebody wants to buy.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct Basket {
    /// An article each.
    pub lines: Vec<Line>,
}

/// So many of an article.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its name.
    pub article: String,
    /// How many.
    pub count: u32,
}

/// What a basket costs.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct Total {
    /// In cents.
    pub cents: u64,
}

impl Basket {
    /// Asks for the price of each line. An error of the host's goes to the caller as it is.
    pub(crate) fn total(self, prices: &impl Prices) -> Result<Total> {
        let mut cents: u64 = 0;
        for line in self.lines {
            let article = line.article;
            let price = prices.get(Article { article })?;
            cents = price
                .cents
                .checked_mul(line.count.into())
                .and_then(|line| cents.checked_add(line))
                .ok_or_else(|| Error::new(Status::OutOfRange, "it costs more than can be said"))?;
        }
        Ok(Total { cents })
    }
}
