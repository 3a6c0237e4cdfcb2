//! Replacement with a limit. Without it, a short pattern and a short text could produce a long text that takes the host's memory.

use std::borrow::Cow;

use regex::Regex;
use rustbridge::prelude::*;

/// Replaces all matches as [`Regex::replace_all`] does, but fails if the text is, or may become, longer than `longest` bytes.
pub(crate) fn replaced<'t>(
    regex: &Regex,
    text: &'t str,
    by: &str,
    longest: u64,
) -> Result<Cow<'t, str>> {
    limit(text.len(), longest)?;
    let groups = by.matches('$').count();
    let mut replaced = String::new();
    let mut behind = 0;
    for caught in regex.captures_iter(text) {
        let Some(whole) = caught.get(0) else { continue };
        replaced.push_str(&text[behind..whole.start()]);
        behind = whole.end();
        // The limit is checked before the replacement is appended: with many groups, a single replacement may be long. No group is longer
        // than the whole match.
        let most = groups.saturating_mul(whole.len()) + by.len();
        limit(replaced.len().saturating_add(most), longest)?;
        caught.expand(by, &mut replaced);
    }
    if behind == 0 && replaced.is_empty() {
        return Ok(Cow::Borrowed(text));
    }
    limit(replaced.len() + text.len() - behind, longest)?;
    replaced.push_str(&text[behind..]);
    Ok(Cow::Owned(replaced))
}

/// Returns an error if a text of `bytes` bytes is too long.
pub(crate) fn limit(bytes: usize, longest: u64) -> Result<()> {
    match bytes as u64 > longest {
        true => Err(Error::new(
            Status::ResourceExhausted,
            format!("a text is, or may become, longer than {longest} bytes"),
        )),
        false => Ok(()),
    }
}
