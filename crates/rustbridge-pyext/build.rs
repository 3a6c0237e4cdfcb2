//! Links the extension the way the platform wants it: the symbols of Python come from the process that imports it.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
