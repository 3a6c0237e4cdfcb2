use rustbridge::prelude::*;

#[derive(Debug, thiserror::Error, StatusError)]
enum Missing {
    #[error("a")]
    First,
    #[error("b")]
    #[status(NOT_FOUND)]
    Second,
    #[error("c")]
    Third { code: u32 },
}

#[derive(Debug, thiserror::Error, StatusError)]
enum Wrong {
    #[error("a")]
    #[status(NOT_THERE)]
    First,
    #[error("b")]
    #[status(OK)]
    Second,
    #[error("c")]
    #[status(NOT_FOUND, INTERNAL)]
    Third,
}

fn main() {}
