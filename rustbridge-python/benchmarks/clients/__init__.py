"""The client that `cargo xtask regen` writes of the plugin that is measured."""
