//! What docs/guide/migrating.md shows of functions that were exported by hand: that they work, and what they need.

use std::ffi::{CStr, CString, c_char, c_int};

/// Somebody's names, and nothing else.
#[derive(Default)]
pub struct Names(Vec<String>);

impl Names {
    fn rename(&mut self, from: &str, to: &str) -> bool {
        let found = self.0.iter_mut().find(|name| *name == from);
        found.map(|name| *name = to.to_owned()).is_some()
    }
}

/// Keeps nobody. To be given back by `names_free`, once.
#[unsafe(no_mangle)]
pub extern "C" fn names_new() -> *mut Names {
    Box::into_raw(Box::default())
}

/// Returns 1 if the name was changed, 0 if it wasn't found, and -1 if a text is null or invalid UTF-8.
///
/// # Safety
/// `names` is from `names_new` and isn't freed. No other thread uses it. The texts are NUL-terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn names_rename(
    names: *mut Names,
    from: *const c_char,
    to: *const c_char,
) -> c_int {
    // SAFETY: the caller promises all of it.
    let (names, from, to) = unsafe { (&mut *names, text(from), text(to)) };
    match (from, to) {
        (Some(from), Some(to)) => names.rename(from, to).into(),
        _ => -1,
    }
}

/// # Safety
/// `names` is from `names_new`, and nobody uses it from now on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn names_free(names: *mut Names) {
    // SAFETY: the caller promises that it's from `names_new`.
    drop(unsafe { Box::from_raw(names) });
}

/// # Safety
/// It's null, or ends with a zero and stays as long as what's given is used.
unsafe fn text<'a>(text: *const c_char) -> Option<&'a str> {
    if text.is_null() {
        return None;
    }
    // SAFETY: the caller promises the zero.
    unsafe { CStr::from_ptr(text) }.to_str().ok()
}

#[test]
fn functions_by_hand_do_what_they_say() {
    let emmy = CString::new("Emmy").unwrap();
    let noether = CString::new("Emmy Noether").unwrap();
    let names = names_new();
    // SAFETY: one thread, from `names_new`, texts that end with a zero.
    unsafe {
        (*names).0.push("Emmy".to_owned());
        assert_eq!(names_rename(names, emmy.as_ptr(), noether.as_ptr()), 1);
        assert_eq!(names_rename(names, emmy.as_ptr(), noether.as_ptr()), 0);
        assert_eq!(names_rename(names, emmy.as_ptr(), std::ptr::null()), -1);
        names_free(names);
    }
}
