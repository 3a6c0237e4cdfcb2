//! No binding lacks a scenario that it should measure, and none invents one. A suite for each language, because each
//! waits for another tool.

use anyhow::Result;

use crate::bench;
use crate::step::Step;

pub fn rust(step: &mut Step<'_>) -> Result<()> {
    bench::check_list(step, "rust")
}

pub fn c(step: &mut Step<'_>) -> Result<()> {
    bench::check_list(step, "c")
}

pub fn python(step: &mut Step<'_>) -> Result<()> {
    bench::check_list(step, "python")
}

pub fn java(step: &mut Step<'_>) -> Result<()> {
    bench::check_list(step, "java")
}

pub fn csharp(step: &mut Step<'_>) -> Result<()> {
    bench::check_list(step, "csharp")
}

pub fn grpc(step: &mut Step<'_>) -> Result<()> {
    bench::check_list(step, "grpc")
}

pub fn peers(step: &mut Step<'_>) -> Result<()> {
    bench::check_list(step, "peers")
}

pub fn budgets(step: &mut Step<'_>) -> Result<()> {
    bench::check_budgets(step)
}
