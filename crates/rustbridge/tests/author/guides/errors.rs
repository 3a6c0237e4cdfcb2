//! What docs/guide/errors.md shows of plugins.

use std::fs;

use rustbridge::prelude::*;
use rustbridge_core::{Encoding as Codec, Load, ServiceCall, service_fn};
use serde_json::json;

/// Why a file isn't imported.
#[derive(Debug, thiserror::Error, StatusError)]
pub enum ImportError {
    #[error("{file} can't be read: {source}")]
    #[status(UNAVAILABLE)]
    Unreadable {
        file: String,
        source: std::io::Error,
    },
    #[error("line {line} is no number")]
    #[status(INVALID_ARGUMENT)]
    NoNumber { line: usize },
}

/// Why a transfer fails.
#[derive(Debug, thiserror::Error, StatusError)]
pub enum TransferError {
    #[error("the account is locked")]
    #[status(PERMISSION_DENIED)]
    Locked,
    #[error(transparent)]
    #[status(transparent)]
    Other(#[from] Error),
}

#[derive(Default)]
pub struct Numbers;

#[plugin(name = "numbers", export = false)]
impl Numbers {
    /// Adds the numbers of a file.
    pub fn import(&self, file: String) -> Result<u64, ImportError> {
        let text =
            fs::read_to_string(&file).map_err(|source| ImportError::Unreadable { file, source })?;
        let mut sum = 0;
        for (index, line) in text.lines().enumerate() {
            let number: u64 = line
                .parse()
                .map_err(|_| ImportError::NoNumber { line: index + 1 })?;
            sum += number;
        }
        Ok(sum)
    }

    /// Always fails: the account is locked, or doesn't exist.
    pub fn transfer(&self, is_locked: bool) -> Result<(), TransferError> {
        if is_locked {
            return Err(TransferError::Locked);
        }
        Err(Error::new(Status::NotFound, "no account"))?
    }

    /// Applies settings, which are JSON in a text.
    pub fn configure(&self, settings: String) -> Result<()> {
        serde_json::from_str::<serde_json::Value>(&settings).map_err(|problem| {
            Error::invalid_argument(format!("that's no JSON: {problem}"))
                .with_type("NoJson")
                .with_detail("line", problem.line())
        })?;
        Ok(())
    }
}

#[test]
fn errors_reach_the_host_as_the_guide_says() {
    // SAFETY: our own plugin's entry point.
    let load = unsafe { Load::linked(rustbridge::entry_point::<Numbers>(), "numbers") };
    let numbers = load.open().unwrap();
    let file = std::env::temp_dir().join(format!("rustbridge-numbers-{}", std::process::id()));
    let request = serde_json::to_string(&file).unwrap();

    for (is_locked, status) in [
        ("true", Status::PermissionDenied),
        ("false", Status::NotFound),
    ] {
        let failed = numbers.call("transfer", is_locked).unwrap_err();
        assert_eq!(failed.status(), status);
    }

    let absent = numbers.call("import", &request).unwrap_err();
    assert_eq!(absent.status(), Status::Unavailable);
    assert_eq!(absent.type_name(), "ImportError.Unreadable");
    assert!(absent.details().unwrap()["source"].is_string());

    fs::write(&file, "20\n22\nx").unwrap();
    let wrong = numbers.call("import", &request).unwrap_err();
    fs::write(&file, "20\n22").unwrap();
    let right = numbers.call("import", &request).unwrap();
    fs::remove_file(&file).unwrap();
    assert_eq!(wrong.message(), "line 3 is no number");
    assert_eq!(wrong.details().unwrap()["line"], 3);
    assert_eq!(&*right, b"42");

    let wrong = numbers.call("configure", r#""{""#).unwrap_err();
    assert_eq!(wrong.type_name(), "NoJson");
    assert_eq!(wrong.details().unwrap()["line"], 1);
}

/// Why there's no price.
#[derive(Debug, thiserror::Error, StatusError)]
pub enum PriceError {
    #[error("there's no product {id}")]
    #[status(NOT_FOUND)]
    NoProduct { id: u64 },
    #[error(transparent)]
    #[status(transparent)]
    Other(#[from] Error),
}

#[service]
pub trait Prices {
    fn get(&self, id: u64) -> Result<f64, PriceError>;
}

pub struct Shop {
    prices: PricesClient,
}

#[plugin(name = "shop", services(Prices), export = false)]
impl Shop {
    pub fn create(host: Host) -> Result<Shop> {
        let prices = host.service()?;
        Ok(Shop { prices })
    }

    /// Returns the price, which is 0 if there's no such product.
    pub fn price(&self, id: u64) -> Result<f64, PriceError> {
        match self.prices.get(id) {
            Err(PriceError::NoProduct { id: 0..=9 }) => Ok(0.0),
            other => other,
        }
    }
}

#[test]
fn a_plugin_distinguishes_the_errors_of_a_service() {
    let get = service_fn(|id: u64, _: &ServiceCall<'_>| {
        let failed = |status, kind: &str| {
            rustbridge_core::Error::failure(status, "the host's text").with_type(kind)
        };
        let details = json!({"id": id, "more": [1]});
        match id {
            1 => Ok(2.5),
            2 | 20 => Err(failed(Status::Aborted, "PriceError.NoProduct").with_details(details)),
            3 => Err(failed(Status::NotFound, "PriceError.NoProduct")),
            _ => Err(failed(Status::DataLoss, "Unknown")),
        }
    });
    // SAFETY: our own plugin's entry point.
    let load = unsafe { Load::linked(rustbridge::entry_point::<Shop>(), "shop") };
    let shop = load.service("prices.get", Codec::Json, get).open().unwrap();
    let price = |id: u64| shop.call("price", id.to_string().as_bytes());
    assert_eq!(price(1).unwrap().as_slice(), b"2.5");
    assert_eq!(price(2).unwrap().as_slice(), b"0.0");
    for (id, status, kind, message) in [
        (
            20,
            Status::NotFound,
            "PriceError.NoProduct",
            "there's no product 20",
        ),
        // Without its detail.
        (
            3,
            Status::NotFound,
            "PriceError.NoProduct",
            "the host's text",
        ),
        (4, Status::DataLoss, "Unknown", "the host's text"),
    ] {
        let failed = price(id).unwrap_err();
        assert_eq!((failed.status(), failed.type_name()), (status, kind));
        assert_eq!(failed.message(), message);
    }
}
