//! Removes unsafe parts from a page whose author isn't trusted.

use pulldown_cmark::{CowStr, Event, Tag};

/// Converts HTML to text. Links and pictures lead nowhere (`#`), except to the web, to a mailbox, or to another page here.
pub(crate) fn make(events: &mut [Event<'_>]) {
    for event in events {
        match event {
            Event::Html(text) | Event::InlineHtml(text) => {
                *event = Event::Text(std::mem::replace(text, CowStr::Borrowed("")));
            }
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. })
                if !leads_somewhere_safe(dest_url) =>
            {
                *dest_url = CowStr::Borrowed("#");
            }
            _ => {}
        }
    }
}

/// Reports whether an address has no scheme, or a scheme that only shows something. The text before a `:` is a scheme unless a `/`, `?`
/// or `#` comes first. Browsers ignore spaces and control characters, which may hide a scheme. So an address with any of them isn't safe.
fn leads_somewhere_safe(address: &str) -> bool {
    if address.contains(|letter: char| letter.is_control() || letter.is_whitespace()) {
        return false;
    }
    match address.split_once([':', '/', '?', '#']) {
        Some((scheme, rest)) if address[scheme.len()..].starts_with(':') => {
            let known = ["http", "https", "mailto"];
            !rest.is_empty() && known.iter().any(|known| scheme.eq_ignore_ascii_case(known))
        }
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_with_schemes_that_run_something_are_told() {
        for safe in [
            "a",
            "a/b:c",
            "#a:b",
            "?q=a:b",
            "http://a.example",
            "MAILTO:a@b.example",
            "//a.example",
            "",
        ] {
            assert!(leads_somewhere_safe(safe), "{safe}");
        }
        for unsafe_one in [
            "javascript:x()",
            "JavaScript:x()",
            "data:text/html,x",
            "vbscript:x",
            "java\tscript:x()",
            " javascript:x()",
            "\u{1}javascript:x()",
            "http:",
        ] {
            assert!(!leads_somewhere_safe(unsafe_one), "{unsafe_one}");
        }
    }
}
