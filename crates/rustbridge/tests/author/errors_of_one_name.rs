//! Error types of services that have the same name in two modules.

use rustbridge::prelude::*;

use self::billing::{Credit, CreditClient};
use self::stock::{Store, StoreClient};
use crate::host::Loaded;

mod billing {
    use rustbridge::prelude::*;

    #[derive(Debug, thiserror::Error, StatusError)]
    pub(super) enum Refused {
        #[error("{cents} cents are missing")]
        #[status(FAILED_PRECONDITION)]
        NoCredit { cents: u64 },
        #[error(transparent)]
        #[status(transparent)]
        Other(#[from] Error),
    }

    #[service(encoding = "wire")]
    pub(super) trait Credit {
        fn check(&self, id: u64) -> Result<u64, Refused>;
    }
}

mod stock {
    use rustbridge::prelude::*;

    #[derive(Debug, thiserror::Error, StatusError)]
    pub(super) enum Refused {
        #[error("only {count} are left")]
        #[status(RESOURCE_EXHAUSTED)]
        TooFew { count: u32 },
        #[error(transparent)]
        #[status(transparent)]
        Other(#[from] Error),
    }

    #[service(encoding = "wire")]
    pub(super) trait Store {
        fn take(&self, id: u64) -> Result<u64, Refused>;
    }
}

struct Shop {
    host: Host,
}

#[plugin(name = "shop", services(Credit, Store), export = false)]
impl Shop {
    pub fn create(host: Host) -> Result<Shop> {
        Ok(Shop { host })
    }

    pub fn check(&self, id: u64) -> Result<u64, billing::Refused> {
        self.host.service::<CreditClient>()?.check(id)
    }

    pub fn take(&self, id: u64) -> Result<u64, stock::Refused> {
        self.host.service::<StoreClient>()?.take(id)
    }
}

#[test]
fn each_service_has_its_own_type() {
    let plugin = Loaded::new::<Shop>();
    let description = plugin.description();
    let variants = |described: &serde_json::Value| {
        let number = described["error"]["type"]["ref"].as_u64().unwrap();
        let ty = &description["types"][number as usize];
        let variants = ty["enum"]["variants"].as_array().unwrap();
        let variants: Vec<_> = variants.iter().map(|it| it["name"].to_string()).collect();
        format!("{}: {}", ty["name"], variants.join(", "))
    };
    let services: Vec<_> = ["credit.check", "store.take"]
        .map(|name| {
            let services = description["services"].as_array().unwrap();
            variants(services.iter().find(|it| it["name"] == name).unwrap())
        })
        .into();
    assert_eq!(
        services,
        [
            r#""BillingRefused": "NoCredit""#,
            r#""StockRefused": "TooFew""#
        ]
    );
    let methods =
        ["check", "take"].map(|name| variants(plugin.described(name, Encoding::Wire).unwrap()));
    assert_eq!(methods.as_slice(), services);
}
