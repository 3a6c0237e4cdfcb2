//! Reading an instance's config, and describing it.

use std::collections::HashMap;
use std::marker::PhantomData;

use rustbridge_wire::{Type, Typed};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Value;

use crate::Error;
use crate::codec::{Codec, Json};

/// What a description says of a plugin's config.
#[derive(Clone, Copy, Debug)]
pub enum Config {
    /// That there's none: the fields it's given are ignored.
    Ignored,
    /// Its type.
    Type(Type),
    /// Its schema, where the type isn't one of messages.
    Schema(fn() -> Value),
}

/// The type of a config, told from Rust's; see [`Probe`](crate::probe::Probe) for how.
#[derive(Debug)]
pub struct ConfigProbe<T>(PhantomData<T>);

/// The answer for what isn't in the table of types.
pub trait NoConfigType {
    /// See [`ConfigProbe`].
    const TYPE: Option<Type> = None;
}

impl<T> NoConfigType for ConfigProbe<T> {}

impl<T: Typed> ConfigProbe<T> {
    /// See [`ConfigProbe`].
    pub const TYPE: Option<Type> = Some(T::TYPE);
}

/// Reads the config of a plugin that has one. No bytes mean `{}`.
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

/// Checks the config of a plugin that takes none: it must be a JSON object all the same, whose fields are ignored.
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
