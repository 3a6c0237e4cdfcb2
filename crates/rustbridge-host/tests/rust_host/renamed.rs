//! A plugin whose manifest renames the crate `rustbridge`, and which exports its plugin by `export!`.

use rustbridge_conformance::libraries;
use rustbridge_host::{Encoding, Load, Status};

type Result<T = (), E = Box<dyn std::error::Error>> = std::result::Result<T, E>;

#[test]
fn every_macro_of_a_renamed_crate_works() -> Result {
    let plugin = Load::path(libraries::path("renamed-plugin")).open()?;
    let point = |x: f64, y: f64| [x.to_ne_bytes(), y.to_ne_bytes()].concat();
    let reflect = plugin.method("reflect", Encoding::Pod)?;
    assert_eq!(reflect.call(&point(1.5, -2.0))?[..], point(-1.5, 2.0));

    let numbers = plugin.method("countdown", Encoding::Json)?;
    let mut seen = Vec::new();
    for number in numbers.stream(b"3").iterate() {
        seen.push(number?.json::<u32>()?);
    }
    assert_eq!(seen, [2, 1, 0]);

    let order = plugin.method("order", Encoding::Json)?;
    let order = order.with().call(b"")?.objects.remove(0);
    let add = plugin.method("Order.add", Encoding::Json)?;
    let bread = br#"{"article":"bread","count":2}"#;
    assert_eq!(
        add.with().object(&order).call(bread)?.reply.json::<u32>()?,
        1
    );
    let unicorn = br#"{"article":"unicorn","count":1}"#;
    let error = add.with().object(&order).call(unicorn).unwrap_err();
    assert_eq!(error.status(), Status::NotFound);
    assert_eq!(error.type_name(), "OrderError.Unknown");
    Ok(())
}
