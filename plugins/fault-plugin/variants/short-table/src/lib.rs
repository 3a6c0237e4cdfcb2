//! A library whose table ends after its first two fields, and says so. There is nothing behind them, so a host that
//! reads on reads past the table.

/// What is left of the table.
#[repr(C)]
#[derive(Debug)]
pub struct ShortTable {
    size: u32,
    abi_version: u32,
}

/// What every host gets: immutable, so right with any number of them.
static TABLE: ShortTable = ShortTable {
    size: size_of::<ShortTable>() as u32,
    abi_version: rustbridge_abi::ABI_VERSION,
};

/// The one symbol.
// SAFETY: no other symbol of this library has the name.
#[unsafe(no_mangle)]
pub extern "C" fn rustbridge_plugin(_host_abi_version: u32) -> *const ShortTable {
    &raw const TABLE
}
