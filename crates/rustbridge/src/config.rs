//! Reads and describes an instance's configuration.

use std::collections::HashMap;
use std::marker::PhantomData;

use rustbridge_wire::{Type, Typed};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Value;

use crate::Error;
use crate::codec::{Codec, Json};

/// The description of a plugin's configuration.
#[derive(Clone, Copy, Debug)]
pub enum Config {
    /// None: the plugin ignores the fields of the configuration.
    Ignored,
    /// The type.
    Type(Type),
    /// The schema, if the type has no wire format.
    Schema(fn() -> Value),
}

/// Detects the type of a configuration; see [`Probe`](crate::probe::Probe) for how.
#[derive(Debug)]
pub struct ConfigProbe<T>(PhantomData<T>);

/// The result for types without a wire format.
pub trait NoConfigType {
    /// See [`ConfigProbe`].
    const TYPE: Option<Type> = None;
}

impl<T> NoConfigType for ConfigProbe<T> {}

impl<T: Typed> ConfigProbe<T> {
    /// See [`ConfigProbe`].
    pub const TYPE: Option<Type> = Some(T::TYPE);
}

/// Reads the configuration of a plugin that has one. Empty bytes mean `{}`.
pub fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Error> {
    let bytes = if bytes.is_empty() { b"{}" } else { bytes };
    Json::read(bytes).map_err(|problem| {
        problem
            .into_error(format_args!(
                "the configuration doesn't match the plugin's type"
            ))
            .with_type("rustbridge.InvalidConfig")
    })
}

/// Checks the configuration of a plugin without one. It must still be a JSON object; its fields are ignored.
pub fn ignore(bytes: &[u8]) -> Result<(), Error> {
    read::<HashMap<String, IgnoredAny>>(bytes).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Message;

    #[derive(Message, Debug)]
    struct Pool {
        size: u32,
    }

    #[derive(Message, Debug)]
    #[serde(deny_unknown_fields)]
    struct Config {
        name: String,
        #[serde(default)]
        pools: Vec<Pool>,
    }

    fn refusal(config: &str) -> String {
        read::<Config>(config.as_bytes())
            .unwrap_err()
            .message()
            .to_owned()
    }

    #[test]
    fn a_config_error_names_the_field() {
        assert!(refusal("{}").contains("missing field `name`"));
        assert!(refusal("").contains("missing field `name`"));
        let wrong_type = refusal(r#"{"name":"x","pools":[{"size":1},{"size":"many"}]}"#);
        assert!(wrong_type.contains("at $.pools[1].size"), "{wrong_type}");
        let missing = refusal(r#"{"name":"x","pools":[{}]}"#);
        assert!(
            missing.contains("missing field `size` at $.pools[0]"),
            "{missing}"
        );
        assert!(refusal(r#"{"name":"x","nmae":1}"#).contains("unknown field `nmae`"));
        assert!(refusal("{").starts_with("the configuration doesn't match"));
    }

    #[test]
    fn a_config_that_is_no_json_is_refused_even_by_a_plugin_without_one() {
        for config in ["{", "{} x", "\u{0}", "nul", "[1]", "null"] {
            assert_eq!(
                ignore(config.as_bytes()).unwrap_err().type_name(),
                "rustbridge.InvalidConfig"
            );
        }
        assert!(ignore(b"").is_ok());
        assert!(ignore(b" {\"any\": 1} ").is_ok());
    }
}
