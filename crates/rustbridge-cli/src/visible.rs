//! Text of a plugin's, for a terminal.

/// The text without what a terminal takes for a command (to change its title, to hide what stands there): such characters are shown as
/// Rust writes them.
pub(crate) fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\n' => shown.push(letter),
            letter if letter.is_control() => shown.extend(letter.escape_default()),
            letter => shown.push(letter),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_do_is_shown() {
        assert_eq!(
            visible("a\u{1b}[2J\r\u{9b}\nb\tü"),
            "a\\u{1b}[2J\\r\\u{9b}\nb\\tü"
        );
    }
}
