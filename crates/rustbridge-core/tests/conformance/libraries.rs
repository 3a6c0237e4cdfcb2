//! The cases through the core, on the plugins' library files.

use rustbridge_conformance::cases::Files;
use rustbridge_conformance::run::{self, Selection};

use crate::core_host::CoreHost;

#[test]
fn every_case_is_right_on_library_files() {
    let files = Files::read().unwrap();
    let report = run::all(&files, &mut CoreHost::Libraries, &Selection::all());
    report.save();
    report.assert_right();
    // Names that aren't UTF-8 and encodings outside the table, which the core's types rule out.
    assert_eq!(report.skipped().len(), 7, "{:?}", report.skipped());
}
