//! Replacing with a limit: a short pattern and a short text can make a long one, which would take the host's memory.

use std::borrow::Cow;

use regex::Regex;
use rustbridge::prelude::*;

/// As [`Regex::replace_all`], but stops where it would become too long.
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
        // Before it's put there: one that names groups may be long by itself. None is longer than the whole.
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

/// Refuses a text of so many bytes if that's too long.
pub(crate) fn limit(bytes: usize, longest: u64) -> Result<()> {
    match bytes as u64 > longest {
        true => Err(Error::new(
            Status::ResourceExhausted,
            format!("a text is, or may become, longer than {longest} bytes"),
        )),
        false => Ok(()),
    }
}
