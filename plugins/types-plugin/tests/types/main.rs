//! Every type there is: its bytes, its values through the plugin and back, and its JSON Schema.

mod schema;
mod vectors;
mod wire;
