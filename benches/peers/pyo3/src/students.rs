//! The tree of structs as Python objects that hold Python objects, so that reading a field costs what it does in Python.

use pyo3::PyTypeInfo;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

/// A student.
#[pyclass(frozen, get_all)]
pub struct Student {
    name: Py<PyString>,
    friends: i32,
    home: Py<Address>,
    birth: Py<Address>,
    date: Py<Date>,
    subjects: Py<PyList>,
    emails: Py<PyList>,
    schools: Py<PyList>,
}

/// A place.
#[pyclass(frozen, get_all)]
pub struct Address {
    city: Py<PyString>,
    zip: i32,
    street: Py<PyString>,
    number: i16,
}

/// A day.
#[pyclass(frozen, get_all)]
pub struct Date {
    year: i32,
    month: i32,
    day: i32,
}

/// A school.
#[pyclass(frozen, get_all)]
pub struct School {
    name: Py<PyString>,
    address: Py<Address>,
    date: Py<Date>,
    emails: Py<PyList>,
}

/// What is taught.
#[pyclass(frozen, get_all)]
pub struct Subject {
    id: i32,
    title: Py<PyString>,
    text: Py<PyString>,
}

/// All students, made anew.
#[pyfunction]
pub fn structs(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    list(py, peer_work::students().students, |py, from| {
        let student = Student {
            name: text(py, &from.name),
            friends: from.friends,
            home: address(py, &from.home)?,
            birth: address(py, &from.birth)?,
            date: date(py, &from.date)?,
            subjects: list(py, from.subjects, subject)?.unbind(),
            emails: PyList::new(py, from.emails)?.unbind(),
            schools: list(py, from.schools, school)?.unbind(),
        };
        Py::new(py, student)
    })
}

fn list<T, P: PyTypeInfo>(
    py: Python<'_>,
    from: Vec<T>,
    make: impl Fn(Python<'_>, T) -> PyResult<Py<P>>,
) -> PyResult<Bound<'_, PyList>> {
    let made: Vec<Py<P>> = from
        .into_iter()
        .map(|value| make(py, value))
        .collect::<PyResult<_>>()?;
    PyList::new(py, made)
}

fn text(py: Python<'_>, from: &str) -> Py<PyString> {
    PyString::new(py, from).unbind()
}

fn address(py: Python<'_>, from: &peer_work::Address) -> PyResult<Py<Address>> {
    let address = Address {
        city: text(py, &from.city),
        zip: from.zip,
        street: text(py, &from.street),
        number: from.number,
    };
    Py::new(py, address)
}

fn date(py: Python<'_>, from: &peer_work::Date) -> PyResult<Py<Date>> {
    let date = Date {
        year: from.year,
        month: from.month,
        day: from.day,
    };
    Py::new(py, date)
}

fn subject(py: Python<'_>, from: peer_work::Subject) -> PyResult<Py<Subject>> {
    let subject = Subject {
        id: from.id,
        title: text(py, &from.title),
        text: text(py, &from.text),
    };
    Py::new(py, subject)
}

fn school(py: Python<'_>, from: peer_work::School) -> PyResult<Py<School>> {
    let school = School {
        name: text(py, &from.name),
        address: address(py, &from.address)?,
        date: date(py, &from.date)?,
        emails: PyList::new(py, from.emails)?.unbind(),
    };
    Py::new(py, school)
}
