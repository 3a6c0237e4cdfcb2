//! `rustbridge inspect`.

use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::fs::{self, Metadata};
use std::io::{self, Write};
use std::path::Path;

use clap::Args;
use rustbridge_description::types::{
    Definition, Field, Shape, Signature, Table, TypeRef, Variant, called_for, mistakes, trait_of,
};
use rustbridge_description::{self as description, Description, Entry, Layout, Method, Service};
use serde_json::Value;

use crate::problem::Problem;
use crate::subject::Subject;
use crate::visible::visible;

/// How wide the column before the last may become.
const WIDEST: usize = 64;

/// What `inspect` takes.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    subject: Subject,
    /// Print the description as the plugin wrote it, a JSON object.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Problem> {
    let subject = &arguments.subject;
    let described = subject.describe()?;
    if arguments.json {
        writeln!(io::stdout(), "{}", String::from_utf8_lossy(&described)).map_err(Problem::new)?;
        return Ok(());
    }
    let told = tell(&described)
        .map_err(|error| Problem::new(format_args!("`{}`: {error}", subject.path().display())))?;
    let size = match size(subject.path()) {
        Some(size) if !subject.is_description() => format!(", {}", bytes(size)),
        _ => String::new(),
    };
    writeln!(io::stdout(), "{}{size}", visible(&told.head)).map_err(Problem::new)?;
    if !told.prose.is_empty() {
        writeln!(io::stdout(), "{}", visible(&told.prose)).map_err(Problem::new)?;
    }
    for (title, lines) in told.sections {
        if !lines.is_empty() {
            writeln!(io::stdout(), "\n{title}").map_err(Problem::new)?;
            write!(io::stdout(), "{}", visible(&columns(&lines))).map_err(Problem::new)?;
        }
    }
    if told.mistakes.is_empty() {
        return Ok(());
    }
    writeln!(io::stdout(), "\nmistakes").map_err(Problem::new)?;
    for mistake in &told.mistakes {
        writeln!(io::stdout(), "  {}", visible(mistake)).map_err(Problem::new)?;
    }
    Err(Problem::answer(format_args!(
        "`{}`: its type table is invalid; this is a defect of the plugin",
        subject.path().display()
    )))
}

/// How large a library is, whose path may leave out what the system adds to its name.
fn size(path: &Path) -> Option<u64> {
    let name = path.file_name()?.display();
    let whole = path.with_file_name(format!("{DLL_PREFIX}{name}{DLL_SUFFIX}"));
    let sizes = [path, &whole].map(|path| fs::metadata(path).ok().filter(Metadata::is_file));
    sizes.into_iter().flatten().next().map(|file| file.len())
}

/// What is told of a plugin.
struct Summary {
    head: String,
    prose: String,
    /// A title, and lines of columns below it.
    sections: Vec<(&'static str, Vec<Vec<String>>)>,
    /// What's wrong in it, though it can be read.
    mistakes: Vec<String>,
}

fn tell(text: &[u8]) -> Result<Summary, description::Error> {
    let plugin: Description<'_, Value> = Description::read(text)?;
    let types = Table::of(&plugin)?;
    let mut head = plugin.name.to_string();
    if !plugin.version.is_empty() {
        head = format!("{head} {}", plugin.version);
    }
    if plugin.debug {
        head.push_str(", a debug build");
    }
    let methods = plugin
        .methods
        .iter()
        .filter(|method| called_for(method).is_none() && !is_of_callback(&plugin, &method.name))
        .map(|method| self::method(&types, method))
        .collect();
    Ok(Summary {
        mistakes: mistakes(&plugin, &types),
        head,
        prose: plugin.description.trim().to_owned(),
        sections: vec![
            ("methods", methods),
            ("traits of objects", traits(&plugin)),
            (
                "needs of its host",
                plugin.services.iter().map(service).collect(),
            ),
            (
                "types",
                types
                    .definitions()
                    .iter()
                    .zip(0..)
                    .map(|(definition, number)| self::definition(&types, definition, number))
                    .collect(),
            ),
            ("layouts", unique(plugin.methods.iter().flat_map(layouts))),
        ],
    })
}

/// Reports whether clients call a method only to pass implementations of a callback.
fn is_of_callback(plugin: &Description<'_>, method: &str) -> bool {
    let Some((of, name)) = method.split_once(':') else {
        return false;
    };
    let mut services = plugin.services.iter();
    match name {
        "new" | "number" => services.any(|service| service.receiver == of),
        "arguments" | "return" => services.any(|it| !it.receiver.is_empty() && it.name == of),
        _ => false,
    }
}

/// The types of objects with their traits.
fn traits(plugin: &Description<'_>) -> Vec<Vec<String>> {
    let mut found: Vec<(&str, Vec<String>)> = Vec::new();
    for method in &plugin.methods {
        let Some(of) = trait_of(method) else { continue };
        let (object, shown) = match called_for(method) {
            Some((object, of)) => (object, of.name().to_owned()),
            None => {
                let (object, own) = method.name.split_once('.').unwrap_or(("", &method.name));
                (object, format!("{} by {own}", of.name()))
            }
        };
        match found.iter_mut().find(|(known, _)| *known == object) {
            Some((_, traits)) => traits.push(shown),
            None => found.push((object, vec![shown])),
        }
    }
    let line = |(object, traits): (&str, Vec<String>)| vec![object.to_owned(), traits.join(", ")];
    found.into_iter().map(line).collect()
}

/// How it's called, and in which encodings.
fn method(types: &Table, method: &Method<'_>) -> Vec<String> {
    let typed = method.entries.iter().find(|entry| entry.encoding == "wire");
    // One that can't be shown is among the mistakes.
    let shown = typed.and_then(|entry| signature(types, &method.name, entry).ok());
    let mut shown = shown.unwrap_or_else(|| method.name.to_string());
    if method.entries.iter().any(|entry| entry.is_async) {
        shown = format!("async {shown}");
    }
    let mut encodings: Vec<&str> = Vec::new();
    for entry in &method.entries {
        if !encodings.contains(&&*entry.encoding) {
            encodings.push(&entry.encoding);
        }
    }
    let mut encodings = encodings.join(" ");
    if method.entries.iter().any(|entry| entry.leaf) {
        encodings.push_str(", leaf");
    }
    vec![shown, encodings]
}

fn signature(types: &Table, name: &str, entry: &Entry<'_>) -> Result<String, description::Error> {
    let signature = Signature::of(types, entry)?;
    let mut parameters = Vec::new();
    match signature.arguments(types) {
        Some(fields) => {
            parameters.extend(fields.iter().map(|one| field(types, one)));
        }
        None if signature.request == TypeRef::Unit => {}
        None => parameters.push(types.show(&signature.request)),
    }
    if let Some(items) = &signature.items {
        parameters.push(format!("stream of {}", types.show(items)));
    }
    let response = match (entry.is_stream_out(), &signature.response) {
        (true, item) => format!(" -> stream of {}", types.show(item)),
        (false, TypeRef::Unit) => String::new(),
        (false, response) => format!(" -> {}", types.show(response)),
    };
    let error = match &signature.error {
        None => String::new(),
        Some(error) => format!(", fails with {}", types.show(error)),
    };
    Ok(format!(
        "{name}({}){response}{error}",
        parameters.join(", ")
    ))
}

fn service(service: &Service<'_>) -> Vec<String> {
    let optional = if service.optional { ", optional" } else { "" };
    vec![
        service.name.to_string(),
        format!("{}{optional}", service.encoding),
    ]
}

/// What kind of type it is, its name, how many bytes its messages take, what is in it.
fn definition(types: &Table, definition: &Definition, number: u32) -> Vec<String> {
    let all = |tuple: &[TypeRef]| {
        let shown: Vec<String> = tuple.iter().map(|ty| types.show(ty)).collect();
        shown.join(", ")
    };
    let (kind, inside) = match &definition.shape {
        Shape::Record(list) => ("record", fields(types, list)),
        Shape::Pod(list) => ("pod", fields(types, list)),
        Shape::Newtype(ty) => ("newtype", types.show(ty)),
        Shape::Tuple(tuple) => ("tuple", all(tuple)),
        Shape::Enum(shape) => {
            let variant = |variant: &Variant| match (&variant.tuple, &variant.fields) {
                (Some(tuple), _) => format!("{}({})", variant.name, all(tuple)),
                (None, Some(list)) => format!("{} {{ {} }}", variant.name, fields(types, list)),
                (None, None) => variant.name.to_string(),
            };
            let mut shown: Vec<String> = shape.variants.iter().map(variant).collect();
            if shape.open {
                shown.push("..".to_owned());
            }
            ("enum", shown.join(" | "))
        }
    };
    let this = TypeRef::Ref(number);
    let size = match types.exact(&this) {
        Some(size) => format!("{size} B"),
        None => format!("{}+ B", types.least(&this)),
    };
    vec![kind.to_owned(), definition.name.to_string(), size, inside]
}

fn fields(types: &Table, fields: &[Field]) -> String {
    let shown: Vec<String> = fields.iter().map(|one| field(types, one)).collect();
    shown.join(", ")
}

/// Returns a field or parameter with its default value, or with `..` for one that only the plugin knows.
fn field(types: &Table, field: &Field) -> String {
    let shown = format!("{}: {}", field.name, types.show(&field.ty));
    match (&field.default_value, field.default) {
        (Some(value), _) => format!("{shown} = {value}"),
        (None, true) => format!("{shown} = .."),
        (None, false) => shown,
    }
}

/// The structs that a method takes or gives as they lie in memory.
fn layouts(method: &Method<'_>) -> Vec<Vec<String>> {
    let layout = |layout: &Layout<'_>| {
        let fields: Vec<String> = layout
            .fields
            .iter()
            .map(|field| format!("{}: {} @{}", field.name, field.type_name, field.offset))
            .collect();
        vec![
            layout.type_name.to_string(),
            format!("{} B", layout.size),
            fields.join(", "),
        ]
    };
    method
        .entries
        .iter()
        .flat_map(|entry| [&entry.request, &entry.response])
        .filter_map(|side| side.layout.as_ref())
        .map(layout)
        .collect()
}

fn unique(lines: impl Iterator<Item = Vec<String>>) -> Vec<Vec<String>> {
    let mut kept: Vec<Vec<String>> = Vec::new();
    for line in lines {
        if !kept.contains(&line) {
            kept.push(line);
        }
    }
    kept
}

/// Lines of columns, each as wide as its widest that isn't too wide.
fn columns(lines: &[Vec<String>]) -> String {
    let width = |column: usize| {
        lines
            .iter()
            .filter_map(|line| line.get(column))
            .map(|cell| cell.chars().count())
            .filter(|width| *width <= WIDEST)
            .max()
            .unwrap_or_default()
    };
    let mut text = String::new();
    for line in lines {
        let mut shown = String::new();
        for (column, cell) in line.iter().enumerate() {
            shown.push_str("  ");
            shown.push_str(cell);
            let short = width(column).saturating_sub(cell.chars().count());
            shown.push_str(&" ".repeat(short));
        }
        text.push_str(shown.trim_end());
        text.push('\n');
    }
    text
}

/// A size for people.
fn bytes(size: u64) -> String {
    match size {
        0..10_000 => format!("{size} B"),
        10_000..10_000_000 => format!("{} KB", size / 1_000),
        _ => format!("{} MB", size / 1_000_000),
    }
}
