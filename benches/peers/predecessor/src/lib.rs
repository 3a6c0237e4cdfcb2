//! The benchmarks' work as a plugin of the published `rustbridge` 1.x by another author, whose tables this project was
//! founded to beat. JSON methods go by name; what is binary goes by number, as its manual has it.

mod binary;

use peer_work::Parts;
use rustbridge::prelude::*;

/// The plugin, which remembers nothing.
#[derive(Default)]
pub struct Peer;

#[derive(Deserialize)]
struct Message {
    message: String,
}

#[derive(Serialize)]
struct Echoed {
    message: String,
    length: usize,
}

#[async_trait]
impl Plugin for Peer {
    async fn on_start(&self, _: &PluginContext) -> PluginResult<()> {
        binary::register();
        Ok(())
    }

    async fn handle_request(
        &self,
        _: &PluginContext,
        method: &str,
        payload: &[u8],
    ) -> PluginResult<Vec<u8>> {
        match method {
            "echo" => {
                let Message { message } = serde_json::from_slice(payload)?;
                let length = message.len();
                Ok(serde_json::to_vec(&Echoed { message, length })?)
            }
            "join" => {
                let parts: Parts = serde_json::from_slice(payload)?;
                Ok(serde_json::to_vec(&peer_work::join(&parts))?)
            }
            "fail" => {
                let Message { message } = serde_json::from_slice(payload)?;
                Err(PluginError::HandlerError(message))
            }
            "get_structs" => Ok(serde_json::to_vec(&peer_work::students())?),
            _ => Err(PluginError::UnknownMessageType(method.to_owned())),
        }
    }

    async fn on_stop(&self, _: &PluginContext) -> PluginResult<()> {
        Ok(())
    }
}

rustbridge::rustbridge_entry!(Peer::default);

pub use rustbridge::ffi_exports::*;
