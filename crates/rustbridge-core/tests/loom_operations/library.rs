//! Clients have the plugin's types in the model, so nothing is resolved.

pub(crate) mod resolved_method {
    use rustbridge_abi::StatusCode;

    use crate::error::Error;

    type Bytes = Result<Option<Vec<u8>>, Error>;

    pub(crate) enum ResolvedMethod {}

    impl ResolvedMethod {
        pub(crate) fn keeps_items(&self, _: bool) -> bool {
            match *self {}
        }

        pub(crate) fn item_in(&self, _: &[u8]) -> Bytes {
            match *self {}
        }

        pub(crate) fn item_out(&self, _: &[u8]) -> Bytes {
            match *self {}
        }

        pub(crate) fn answer(&self, _: StatusCode, _: &[u8]) -> Bytes {
            match *self {}
        }
    }
}
