//! The tree of structs. BoltFFI exports types of this crate only, so the students are moved into such ones.

use boltffi::{data, export};

/// A student.
#[data]
#[derive(Clone)]
pub struct Student {
    pub name: String,
    pub friends: i32,
    pub home: Address,
    pub birth: Address,
    pub date: Date,
    pub subjects: Vec<Subject>,
    pub emails: Vec<String>,
    pub schools: Vec<School>,
}

/// A place.
#[data]
#[derive(Clone)]
pub struct Address {
    pub city: String,
    pub zip: i32,
    pub street: String,
    pub number: i16,
}

/// A day.
#[data]
#[derive(Clone, Copy)]
pub struct Date {
    pub year: i32,
    pub month: i32,
    pub day: i32,
}

/// A school.
#[data]
#[derive(Clone)]
pub struct School {
    pub name: String,
    pub address: Address,
    pub date: Date,
    pub emails: Vec<String>,
}

/// What is taught.
#[data]
#[derive(Clone)]
pub struct Subject {
    pub id: i32,
    pub title: String,
    pub text: String,
}

/// All students, made anew.
#[export]
pub fn structs() -> Vec<Student> {
    let students = peer_work::students().students;
    students.into_iter().map(Student::from).collect()
}

impl From<peer_work::Student> for Student {
    fn from(from: peer_work::Student) -> Student {
        Student {
            name: from.name,
            friends: from.friends,
            home: from.home.into(),
            birth: from.birth.into(),
            date: from.date.into(),
            subjects: from.subjects.into_iter().map(Subject::from).collect(),
            emails: from.emails,
            schools: from.schools.into_iter().map(School::from).collect(),
        }
    }
}

impl From<peer_work::Address> for Address {
    fn from(from: peer_work::Address) -> Address {
        Address {
            city: from.city,
            zip: from.zip,
            street: from.street,
            number: from.number,
        }
    }
}

impl From<peer_work::Date> for Date {
    fn from(from: peer_work::Date) -> Date {
        Date {
            year: from.year,
            month: from.month,
            day: from.day,
        }
    }
}

impl From<peer_work::School> for School {
    fn from(from: peer_work::School) -> School {
        School {
            name: from.name,
            address: from.address.into(),
            date: from.date.into(),
            emails: from.emails,
        }
    }
}

impl From<peer_work::Subject> for Subject {
    fn from(from: peer_work::Subject) -> Subject {
        Subject {
            id: from.id,
            title: from.title,
            text: from.text,
        }
    }
}
