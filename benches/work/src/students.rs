//! A large document of nested messages: students with all that is known of them.

use rustbridge::prelude::*;

use crate::xorshift::Xorshift;

/// How many students there are, and how many subjects, addresses of mail and schools each of them and each school has.
const COUNT: usize = 34;

/// All students.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct Students {
    /// 34 of them.
    pub students: Vec<Student>,
}

/// A student.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct Student {
    /// 43 characters.
    pub name: String,
    /// From 0 to 599.
    pub friends: i32,
    /// Where the student lives.
    pub home: Address,
    /// Where the student was born.
    pub birth: Address,
    /// When the student was born.
    pub date: Date,
    /// 34 of them.
    pub subjects: Vec<Subject>,
    /// 34 of 37 characters.
    pub emails: Vec<String>,
    /// 34 of them.
    pub schools: Vec<School>,
}

/// A place.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// 12 characters.
    pub city: String,
    /// From 5000 to 7999.
    pub zip: i32,
    /// 16 characters.
    pub street: String,
    /// From 1 to 125.
    pub number: i16,
}

/// A day.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct Date {
    /// From 1900 to 1929.
    pub year: i32,
    /// From 1 to 12.
    pub month: i32,
    /// From 1 to 30.
    pub day: i32,
}

/// A school.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct School {
    /// 36 characters.
    pub name: String,
    /// Where it is.
    pub address: Address,
    /// Since when it has been there.
    pub date: Date,
    /// 34 of 37 characters.
    pub emails: Vec<String>,
}

/// What is taught.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// From 0 to 28344.
    pub id: i32,
    /// 22 characters.
    pub title: String,
    /// 16 characters.
    pub text: String,
}

/// The students, made anew; every time and everywhere the same.
#[must_use]
pub fn students() -> Students {
    let mut random = Xorshift::new();
    Students {
        students: many(|| student(&mut random)),
    }
}

fn student(random: &mut Xorshift) -> Student {
    Student {
        name: random.text(43),
        friends: random.number(0..=599),
        home: address(random),
        birth: address(random),
        date: date(random),
        subjects: many(|| subject(random)),
        emails: emails(random),
        schools: many(|| school(random)),
    }
}

fn address(random: &mut Xorshift) -> Address {
    Address {
        city: random.text(12),
        zip: random.number(5000..=7999),
        street: random.text(16),
        number: random.number(1..=125) as i16,
    }
}

fn date(random: &mut Xorshift) -> Date {
    Date {
        year: random.number(1900..=1929),
        month: random.number(1..=12),
        day: random.number(1..=30),
    }
}

fn subject(random: &mut Xorshift) -> Subject {
    Subject {
        id: random.number(0..=28344),
        title: random.text(22),
        text: random.text(16),
    }
}

fn school(random: &mut Xorshift) -> School {
    School {
        name: random.text(36),
        address: address(random),
        date: date(random),
        emails: emails(random),
    }
}

fn emails(random: &mut Xorshift) -> Vec<String> {
    many(|| random.text(37))
}

fn many<T>(mut make: impl FnMut() -> T) -> Vec<T> {
    (0..COUNT).map(|_| make()).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::Value as Json;

    use super::*;

    /// Structs, strings and the strings' characters.
    fn count(value: &Json) -> [usize; 3] {
        let inside = |values: &mut dyn Iterator<Item = &Json>| {
            values.map(count).fold([0; 3], |sum, more| {
                std::array::from_fn(|index| sum[index] + more[index])
            })
        };
        match value {
            Json::String(text) => [0, 1, text.len()],
            Json::Array(values) => inside(&mut values.iter()),
            Json::Object(fields) => {
                let mut counted = inside(&mut fields.values());
                counted[0] += 1;
                counted
            }
            _ => [0; 3],
        }
    }

    #[test]
    fn there_are_as_many_structs_and_strings_as_in_the_comparison() {
        let students = students();
        let json = serde_json::to_value(&students.students).unwrap();
        assert_eq!(count(&json), [4_760, 46_410, 1_618_298]);
        let text = serde_json::to_string(&students).unwrap();
        assert!(
            (1_910_000..1_960_000).contains(&text.len()),
            "{}",
            text.len()
        );
    }

    #[test]
    fn they_are_the_same_every_time() {
        assert_eq!(students(), students());
    }

    #[test]
    fn every_number_is_in_its_range() {
        for student in students().students {
            assert!((0..600).contains(&student.friends));
            let schools = student.schools.iter();
            for address in [&student.home, &student.birth]
                .into_iter()
                .chain(schools.map(|school| &school.address))
            {
                assert!((5000..8000).contains(&address.zip) && (1..126).contains(&address.number));
            }
            for subject in &student.subjects {
                assert!((0..28345).contains(&subject.id));
            }
            let Date { year, month, day } = student.date;
            assert!((1900..1930).contains(&year) && (1..13).contains(&month));
            assert!((1..31).contains(&day));
        }
    }
}
