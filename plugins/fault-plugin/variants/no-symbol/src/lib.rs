//! A library that is in order and no plugin: it lacks the symbol. Its initialiser would end the process, so a host that
//! maps a library before it has looked for the symbol shows.

/// Some other symbol.
// SAFETY: no other symbol of this library has the name.
#[unsafe(no_mangle)]
pub extern "C" fn rustbridge_plugin_of_another_kind() {}

extern "C" fn run_when_mapped() {
    std::process::abort();
}

// SAFETY: the section holds pointers to functions without parameters that the loader runs, which this is.
#[used]
#[cfg_attr(
    any(target_os = "linux", target_os = "freebsd"),
    unsafe(link_section = ".init_array")
)]
#[cfg_attr(
    target_vendor = "apple",
    unsafe(link_section = "__DATA,__mod_init_func")
)]
#[cfg_attr(windows, unsafe(link_section = ".CRT$XCU"))]
// Immutable: the loader reads it once for each mapping.
static INITIALISER: extern "C" fn() = run_when_mapped;
