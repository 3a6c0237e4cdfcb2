//! The tree of structs. UniFFI exports types of another crate when their fields are told once more.

use peer_work::{Address, Date, School, Student, Subject};

/// A student.
#[uniffi::remote(Record)]
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
#[uniffi::remote(Record)]
pub struct Address {
    pub city: String,
    pub zip: i32,
    pub street: String,
    pub number: i16,
}

/// A day.
#[uniffi::remote(Record)]
pub struct Date {
    pub year: i32,
    pub month: i32,
    pub day: i32,
}

/// A school.
#[uniffi::remote(Record)]
pub struct School {
    pub name: String,
    pub address: Address,
    pub date: Date,
    pub emails: Vec<String>,
}

/// What is taught.
#[uniffi::remote(Record)]
pub struct Subject {
    pub id: i32,
    pub title: String,
    pub text: String,
}

/// All students, made anew.
#[uniffi::export]
pub fn structs() -> Vec<Student> {
    peer_work::students().students
}
