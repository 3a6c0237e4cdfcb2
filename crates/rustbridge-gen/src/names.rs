//! Names: those of a description in the way that a language writes them.

use std::collections::HashMap;

use crate::error::Error;

/// How a language joins the words of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Case {
    /// `first_name`
    Snake,
    /// `FIRST_NAME`
    Screaming,
    /// `firstName`
    Camel,
    /// `FirstName`
    Pascal,
}

impl Case {
    /// The name in this case. What can't be part of a name anywhere becomes an underscore, and a digit doesn't come first.
    pub(crate) fn of(self, name: &str) -> String {
        let words = words(name);
        let mut written = String::new();
        for (position, word) in words.iter().enumerate() {
            match self {
                Case::Snake | Case::Screaming if position > 0 => written.push('_'),
                // Two numbers side by side would be one.
                Case::Camel | Case::Pascal
                    if written.ends_with(|c: char| c.is_ascii_digit())
                        && word.starts_with(|c: char| c.is_ascii_digit()) =>
                {
                    written.push('_');
                }
                _ => {}
            }
            match self {
                Case::Snake => written.push_str(&word.to_lowercase()),
                Case::Screaming => written.push_str(&word.to_uppercase()),
                Case::Camel if position == 0 => written.push_str(&word.to_lowercase()),
                Case::Camel | Case::Pascal => {
                    let mut letters = word.chars();
                    written.extend(letters.next().into_iter().flat_map(char::to_uppercase));
                    written.push_str(&letters.as_str().to_lowercase());
                }
            }
        }
        if !written.starts_with(unicode_ident::is_xid_start) {
            written.insert(0, '_');
        }
        written
    }
}

/// What the variant is called that stands for those of an open enum that a client doesn't know.
pub(crate) const UNKNOWN: &str = "unknown";

/// What is said of it.
pub(crate) const ABOUT_UNKNOWN: &str = "A variant that this client doesn't know, from a newer plugin. It's only received: sending it fails.";

/// What the exception is called that carries an error: `AccountException` of `AccountError`.
pub(crate) fn exception(error: &str) -> String {
    exception_of(error, &[])
}

/// What the exception of a variant is called: `AccountLockedException` of `Locked` of `AccountError`.
pub(crate) fn variant_exception(error: &str, variant: &str) -> String {
    exception_of(error, &words(variant))
}

fn exception_of(error: &str, variant: &[String]) -> String {
    let mut words = words(error);
    let is_general = |word: &String| ["error", "exception"].contains(&&*word.to_lowercase());
    if words.len() > 1 && words.last().is_some_and(is_general) {
        words.pop();
    }
    words.extend_from_slice(variant);
    words.push("exception".to_owned());
    words.join("_")
}

/// `firstName`, `first_name`, `HTTPServer`, `first-name`: the words of each.
fn words(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let letters: Vec<char> = name.chars().collect();
    for (position, &letter) in letters.iter().enumerate() {
        // A superscript is a number, and in no name of a language's.
        if !letter.is_alphanumeric() || !unicode_ident::is_xid_continue(letter) {
            if !word.is_empty() {
                words.push(std::mem::take(&mut word));
            }
            continue;
        }
        let begins = letter.is_uppercase()
            && position.checked_sub(1).is_some_and(|before| {
                let before = letters[before];
                let next_is_small = letters
                    .get(position + 1)
                    .is_some_and(|next| next.is_lowercase());
                before.is_lowercase() || before.is_numeric() || next_is_small
            });
        if begins && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        word.push(letter);
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// The names of one scope: a file's, a class's.
pub(crate) struct Scope<'k> {
    what: String,
    keywords: &'k [&'k str],
    /// What renames something of the scope in the plugin.
    attribute: &'static str,
    taken: HashMap<String, String>,
}

/// What renames a field, a type or a variant.
const SERDE: &str = "#[serde(rename = \"..\")]";

/// What renames a method.
pub(crate) const METHOD: &str = "#[method(name = \"..\")]";

/// What renames a service, or a trait of them.
pub(crate) const SERVICE: &str = "#[service(name = \"..\")]";

impl<'k> Scope<'k> {
    /// An empty scope: `what` tells which in errors (`the record "Person"`), `keywords` are the language's, and what generated code around
    /// it calls by name. A name that is one of these gets an underscore behind it.
    pub(crate) fn new(what: impl Into<String>, keywords: &'k [&'k str]) -> Scope<'k> {
        Scope {
            what: what.into(),
            keywords,
            attribute: SERDE,
            taken: HashMap::new(),
        }
    }

    /// The scope, whose names an attribute changes in the plugin.
    pub(crate) fn renamed_by(mut self, attribute: &'static str) -> Scope<'k> {
        self.attribute = attribute;
        self
    }

    /// A name of the plugin's in a case, and in this scope alone.
    ///
    /// # Errors
    /// If another name of the scope is the same in the language.
    pub(crate) fn name(&mut self, name: &str, case: Case) -> Result<String, Error> {
        let written = self.written(name, case);
        match self.taken.insert(written.clone(), name.to_owned()) {
            Some(other) => Err(Error::new(format_args!(
                "in {}, `{other}` and `{name}` are both `{written}` in this language: rename one of them in the plugin, by `{}`",
                self.what, self.attribute
            ))),
            None => Ok(written),
        }
    }

    /// A name that is made of one of the plugin's: an enum's and a variant's, `AccountException` of `AccountError`. It gets a number behind
    /// it if the scope has it already, so the plugin's own names come first.
    pub(crate) fn joined(&mut self, name: &str, case: Case) -> String {
        let first = self.written(name, case);
        let unique = numbered(&first, |name| self.taken.contains_key(name));
        self.taken.insert(unique.clone(), name.to_owned());
        unique
    }

    fn written(&self, name: &str, case: Case) -> String {
        alone(name, case, &[self.keywords])
    }
}

/// A name that is alone in its scope, a method's only parameter. If it's one of the reserved words it gets an underscore behind it.
pub(crate) fn alone(name: &str, case: Case, reserved: &[&[&str]]) -> String {
    let mut written = case.of(name);
    if reserved.iter().any(|words| words.contains(&&*written)) {
        written.push('_');
    }
    written
}

/// The name, with the first number behind it that makes it none of those that are taken.
pub(crate) fn numbered(name: &str, is_taken: impl Fn(&str) -> bool) -> String {
    // Behind a digit a number would be another one.
    let between = match name.ends_with(char::is_numeric) {
        true => "_",
        false => "",
    };
    let mut unique = name.to_owned();
    for number in 2.. {
        if !is_taken(&unique) {
            break;
        }
        unique = format!("{name}{between}{number}");
    }
    unique
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_written_in_each_case() {
        for (name, snake, camel, pascal) in [
            ("first_name", "first_name", "firstName", "FirstName"),
            ("firstName", "first_name", "firstName", "FirstName"),
            ("HTTPServer", "http_server", "httpServer", "HttpServer"),
            ("u8", "u8", "u8", "U8"),
            ("PagePerson", "page_person", "pagePerson", "PagePerson"),
            ("vec3_2", "vec3_2", "vec3_2", "Vec3_2"),
            ("3d", "_3d", "_3d", "_3d"),
            (
                "with-dash.dot",
                "with_dash_dot",
                "withDashDot",
                "WithDashDot",
            ),
            ("größe", "größe", "größe", "Größe"),
            ("m²", "m", "m", "M"),
            ("½ⓐ", "_", "_", "_"),
            ("٣d", "_٣d", "_٣d", "_٣d"),
            ("", "_", "_", "_"),
        ] {
            assert_eq!(Case::Snake.of(name), snake);
            assert_eq!(Case::Camel.of(name), camel);
            assert_eq!(Case::Pascal.of(name), pascal);
            assert_eq!(Case::Screaming.of(name), snake.to_uppercase());
        }
    }

    #[test]
    fn exceptions_are_called_after_their_errors() {
        for (error, exception) in [
            ("AccountError", "AccountException"),
            ("Refused", "RefusedException"),
            ("IOError", "IoException"),
            ("Error", "ErrorException"),
            ("LoadException", "LoadException"),
        ] {
            assert_eq!(Case::Pascal.of(&super::exception(error)), exception);
        }
    }

    #[test]
    fn names_that_become_one_are_refused_and_keywords_avoided() {
        let mut scope = Scope::new("the record `User`", &["class"]);
        assert_eq!(scope.name("class", Case::Snake).unwrap(), "class_");
        assert_eq!(scope.name("firstName", Case::Snake).unwrap(), "first_name");
        let error = scope
            .name("first_name", Case::Snake)
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("`firstName` and `first_name` are both `first_name`"),
            "{error}"
        );
        assert!(
            scope.name("class_", Case::Snake).is_err(),
            "its words are those of `class`"
        );
    }
}
