//! Clients in Java.

use crate::client::{File, Options};
use crate::contract::Contract;
use crate::error::Error;

pub(crate) fn generate(_contract: &Contract, _options: &Options) -> Result<Vec<File>, Error> {
    Err(Error::new("clients in Java can't be written yet"))
}
