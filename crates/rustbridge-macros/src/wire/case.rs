//! The cases that serde's `rename_all` knows.

/// One of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    Lower,
    Upper,
    Pascal,
    Camel,
    Snake,
    ScreamingSnake,
    Kebab,
    ScreamingKebab,
}

/// What serde calls them.
const NAMES: [(&str, Case); 8] = [
    ("lowercase", Case::Lower),
    ("UPPERCASE", Case::Upper),
    ("PascalCase", Case::Pascal),
    ("camelCase", Case::Camel),
    ("snake_case", Case::Snake),
    ("SCREAMING_SNAKE_CASE", Case::ScreamingSnake),
    ("kebab-case", Case::Kebab),
    ("SCREAMING-KEBAB-CASE", Case::ScreamingKebab),
];

impl Case {
    pub fn from_name(name: &str) -> Option<Case> {
        NAMES
            .iter()
            .find_map(|(its, case)| (*its == name).then_some(*case))
    }

    /// Returns the names of all cases, for an error message.
    pub fn names() -> String {
        NAMES.map(|(name, _)| format!("`{name}`")).join(", ")
    }

    /// Of a field, which Rust writes in snake case.
    pub fn of_field(self, field: &str) -> String {
        match self {
            Case::Lower | Case::Snake => field.to_owned(),
            Case::Upper | Case::ScreamingSnake => field.to_ascii_uppercase(),
            Case::Pascal => pascal(field),
            Case::Camel => with_small_first(&pascal(field)),
            Case::Kebab => field.replace('_', "-"),
            Case::ScreamingKebab => field.to_ascii_uppercase().replace('_', "-"),
        }
    }

    /// Of a variant, which Rust writes in Pascal case.
    pub fn of_variant(self, variant: &str) -> String {
        match self {
            Case::Pascal => variant.to_owned(),
            Case::Lower => variant.to_ascii_lowercase(),
            Case::Upper => variant.to_ascii_uppercase(),
            Case::Camel => with_small_first(variant),
            _ => self.of_field(&snake(variant)),
        }
    }
}

fn pascal(field: &str) -> String {
    let mut text = String::new();
    let mut capital = true;
    for letter in field.chars() {
        if letter == '_' {
            capital = true;
        } else if capital {
            text.push(letter.to_ascii_uppercase());
            capital = false;
        } else {
            text.push(letter);
        }
    }
    text
}

fn snake(variant: &str) -> String {
    let mut text = String::new();
    for (at, letter) in variant.char_indices() {
        if at > 0 && letter.is_uppercase() {
            text.push('_');
        }
        text.push(letter.to_ascii_lowercase());
    }
    text
}

fn with_small_first(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_ascii_lowercase().to_string() + letters.as_str(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_change_their_case_as_serde_changes_it() {
        let of_field = NAMES.map(|(_, case)| case.of_field("very_tasty"));
        assert_eq!(
            of_field,
            [
                "very_tasty",
                "VERY_TASTY",
                "VeryTasty",
                "veryTasty",
                "very_tasty",
                "VERY_TASTY",
                "very-tasty",
                "VERY-TASTY"
            ]
        );
        let of_variant = NAMES.map(|(_, case)| case.of_variant("VeryTasty"));
        assert_eq!(
            of_variant,
            [
                "verytasty",
                "VERYTASTY",
                "VeryTasty",
                "veryTasty",
                "very_tasty",
                "VERY_TASTY",
                "very-tasty",
                "VERY-TASTY"
            ]
        );
    }
}
