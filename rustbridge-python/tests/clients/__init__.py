"""Clients of plugins, as `rustbridge gen` writes them."""
