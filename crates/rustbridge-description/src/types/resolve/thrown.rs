//! Errors with a type that a service of a host throws, on their way to the plugin.

use rustbridge_abi::Status;

use super::error::{ErrorPlan, Reader, ResolvedPayload, TYPED};
use super::plan::Problem;
use crate::types::compare::compare_errors;
use crate::types::{Shape, Table, TypeRef};

/// What becomes of the errors of a service, whose type the host's client schema gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThrownErrors {
    /// The host's name of the type.
    name: String,
    /// The statuses of an enum's variants, with their names; of another type there is one, without a name.
    variants: Vec<(String, Status)>,
    is_enum: bool,
    plan: ErrorPlan,
}

/// An error as the plugin gets it, with the status that the host's client schema gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ThrownError {
    /// As an error of the plugin's type, in the wire format.
    Typed(Status, Vec<u8>),
    /// The plugin doesn't know it.
    Untyped {
        /// The status.
        status: Status,
        /// For people.
        message: String,
        /// The host's name of the type.
        type_name: String,
    },
}

impl ThrownErrors {
    /// Returns what becomes of errors of the host's type in a plugin that distinguishes errors of its own type, if it does.
    pub(crate) fn new(
        (known, host): (&Table, &TypeRef),
        (table, plugin): (&Table, Option<&TypeRef>),
    ) -> Option<ThrownErrors> {
        let TypeRef::Ref(number) = host else {
            return None;
        };
        let definition = known.get(*number)?;
        let status = |name: &str| {
            let known = Status::from_name(name).filter(|status| *status != Status::Ok);
            known.unwrap_or(Status::Unknown)
        };
        let (variants, is_enum) = match &definition.shape {
            Shape::Enum(shape) => {
                let all = shape.variants.iter();
                let all = all.map(|it| (it.name.to_string(), status(&it.status)));
                (all.collect(), true)
            }
            _ => (vec![(String::new(), status(&definition.status))], false),
        };
        let is_compatible = |plugin: &&TypeRef| {
            let changes = compare_errors((table, plugin), (known, host));
            changes.iter().all(|change| !change.breaks())
        };
        Some(ThrownErrors {
            name: known.show(host),
            variants,
            is_enum,
            // The plugin is the one that reads, and it can't read values of an incompatible type.
            plan: ErrorPlan::new((table, plugin.filter(is_compatible)), (known, Some(host))),
        })
    }

    /// Returns an error for the plugin; `None` if the payload has no type. The payload's own status and type name don't count, because
    /// the client schema gives them.
    ///
    /// # Errors
    /// If the payload isn't an error of the type.
    pub fn resolve(&self, payload: &[u8]) -> Result<Option<ThrownError>, Problem> {
        if payload.first().is_none_or(|first| *first == b'{') {
            return Ok(None);
        }
        let mut reader = Reader::new(payload);
        if reader.number()? != TYPED {
            return Err(reader.problem("it's neither JSON nor an error with a type"));
        }
        reader.number()?;
        let message = reader.text()?;
        reader.text()?;
        reader.padding()?;
        let value = reader.rest();
        let (name, status) = self.variant(value).ok_or_else(|| {
            let message = format!("`{}` has no such variant", self.name);
            reader.problem(&message)
        })?;
        let message = match message {
            "" => &name,
            message => message,
        };
        let whole = payload_of(status, message, &name, value);
        Ok(Some(match self.plan.resolve(&whole)? {
            ResolvedPayload::Same => ThrownError::Typed(status, whole),
            ResolvedPayload::Typed(bytes) => ThrownError::Typed(status, bytes),
            ResolvedPayload::Untyped { message, type_name } => ThrownError::Untyped {
                status,
                message,
                type_name,
            },
        }))
    }

    /// Returns the payload of an error for [`resolve`](ThrownErrors::resolve). If the message is empty, the type's name takes its place.
    #[must_use]
    pub fn payload(message: &str, value: &[u8]) -> Vec<u8> {
        payload_of(Status::Ok, message, "", value)
    }

    /// The name and the status of an error with this value.
    fn variant(&self, value: &[u8]) -> Option<(String, Status)> {
        if !self.is_enum {
            let (_, status) = self.variants.first()?;
            return Some((self.name.clone(), *status));
        }
        let place = u16::from_le_bytes(*value.first_chunk()?);
        let (variant, status) = self.variants.get(usize::from(place))?;
        Some((format!("{}.{variant}", self.name), *status))
    }
}

/// The payload of an error with a type.
fn payload_of(status: Status, message: &str, name: &str, value: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(24 + message.len() + name.len() + value.len());
    bytes.extend_from_slice(&TYPED.to_le_bytes());
    bytes.extend_from_slice(&status.code().to_le_bytes());
    for text in [message, name] {
        bytes.extend_from_slice(&(text.len() as u32).to_le_bytes());
        bytes.extend_from_slice(text.as_bytes());
    }
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    bytes.extend_from_slice(value);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &str) -> Table {
        Table::new(serde_json::from_str(text).unwrap()).unwrap()
    }

    const HOST: &str = r#"[{"name":"E","enum":{"variants":[
        {"name":"Gone","status":"NOT_FOUND"},
        {"name":"Full","status":"RESOURCE_EXHAUSTED","fields":[{"name":"n","type":"u32"},{"name":"more","type":"u8"}]}]}}]"#;

    const PLUGIN: &str = r#"[{"name":"P","enum":{"variants":[
        {"name":"Full","status":"ABORTED","fields":[{"name":"more","type":"u8"},{"name":"n","type":"u32"}]}]}}]"#;

    fn thrown(plugin: Option<&str>) -> ThrownErrors {
        let (known, table) = (table(HOST), plugin.map_or_else(Table::default, table));
        let ours = TypeRef::Ref(0);
        ThrownErrors::new((&known, &ours), (&table, plugin.map(|_| &ours))).unwrap()
    }

    fn sent(message: &str, value: &[u8]) -> Vec<u8> {
        ThrownErrors::payload(message, value)
    }

    const FULL: &[u8] = &[1, 0, 7, 0, 0, 0, 3];

    #[test]
    fn the_schema_gives_the_status_and_the_name() {
        let thrown = thrown(Some(HOST));
        let found = thrown.resolve(&sent("", &[0, 0])).unwrap().unwrap();
        let whole = payload_of(Status::NotFound, "E.Gone", "E.Gone", &[0, 0]);
        assert_eq!(found, ThrownError::Typed(Status::NotFound, whole));
        let found = thrown.resolve(&sent("it's full", FULL)).unwrap().unwrap();
        let whole = payload_of(Status::ResourceExhausted, "it's full", "E.Full", FULL);
        assert_eq!(found, ThrownError::Typed(Status::ResourceExhausted, whole));
        assert_eq!(thrown.resolve(b"{}").unwrap(), None);
        assert_eq!(thrown.resolve(b"").unwrap(), None);
    }

    #[test]
    fn a_plugin_of_another_version_gets_its_own_type_or_none() {
        let other = thrown(Some(PLUGIN));
        let found = other.resolve(&sent("", FULL)).unwrap().unwrap();
        let whole = payload_of(
            Status::ResourceExhausted,
            "E.Full",
            "P.Full",
            &[0, 0, 3, 7, 0, 0, 0],
        );
        assert_eq!(found, ThrownError::Typed(Status::ResourceExhausted, whole));
        let untyped = |status, name: &str| ThrownError::Untyped {
            status,
            message: "m".to_owned(),
            type_name: name.to_owned(),
        };
        let found = other.resolve(&sent("m", &[0, 0])).unwrap().unwrap();
        assert_eq!(found, untyped(Status::NotFound, "E.Gone"));
        let found = thrown(None).resolve(&sent("m", FULL)).unwrap().unwrap();
        assert_eq!(found, untyped(Status::ResourceExhausted, "E.Full"));
    }

    #[test]
    fn an_error_of_an_incompatible_type_has_no_type_for_the_plugin() {
        for (host, plugin) in [
            (r#""n","type":"u32"#, r#""n","type":"f32"#),
            (r#""n","type":"i64"#, r#""n","type":"u64"#),
            (r#""code","type":"u8"#, r#""number","type":"u8"#),
        ] {
            let of = |field: &str| {
                let variant =
                    format!(r#"{{"name":"Full","status":"OK","fields":[{{"name":{field}"}}]}}"#);
                table(&format!(
                    r#"[{{"name":"E","enum":{{"variants":[{variant}]}}}}]"#
                ))
            };
            let (known, plugin) = (of(host), of(plugin));
            let ours = TypeRef::Ref(0);
            let thrown = ThrownErrors::new((&known, &ours), (&plugin, Some(&ours))).unwrap();
            let found = thrown.resolve(&sent("m", &[0, 0, 7, 0, 0, 0, 0, 0, 0, 0]));
            // A status of success is none of an error.
            let status = Status::Unknown;
            let (message, type_name) = ("m".to_owned(), "E.Full".to_owned());
            let untyped = ThrownError::Untyped {
                status,
                message,
                type_name,
            };
            assert_eq!(found.unwrap(), Some(untyped));
        }
    }

    #[test]
    fn what_is_no_error_of_the_type_is_refused() {
        let thrown = thrown(Some(PLUGIN));
        let whole = sent("m", FULL);
        for end in 1..whole.len() {
            assert!(thrown.resolve(&whole[..end]).is_err(), "{end}");
        }
        assert!(thrown.resolve(&sent("m", &[2, 0])).is_err());
        let mut later = whole.clone();
        later[0] = 2;
        assert!(thrown.resolve(&later).is_err());
        let mut padded = whole;
        padded[17] = 1;
        assert!(thrown.resolve(&padded).is_err());
    }
}
