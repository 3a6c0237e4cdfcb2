//! Tables that look random, and what a later version makes of them.

use serde_json::json;

use super::rng::Rng;
use crate::types::{Definition, Enum, Field, Shape, Table, Tag, TypeRef, Variant};

const PLAIN: &[TypeRef] = &[
    TypeRef::Unit,
    TypeRef::Bool,
    TypeRef::Char,
    TypeRef::U8,
    TypeRef::U16,
    TypeRef::U32,
    TypeRef::U64,
    TypeRef::U128,
    TypeRef::I64,
    TypeRef::F64,
    TypeRef::String,
    TypeRef::Decimal,
    TypeRef::Bytes,
    TypeRef::Timestamp,
    TypeRef::Duration,
    TypeRef::Uuid,
    TypeRef::Any,
];

const NUMBERS: &[TypeRef] = &[
    TypeRef::U8,
    TypeRef::U16,
    TypeRef::U32,
    TypeRef::F64,
    TypeRef::I128,
];

/// A type. It refers to those before `below` anywhere, and to any of `all` behind a list, a map or an option.
fn some_type(rng: &mut Rng, below: u32, all: u32, nesting: u32) -> TypeRef {
    if nesting == 0 || rng.one_in(2) {
        if below > 0 && rng.one_in(2) {
            return TypeRef::Ref(rng.below(below as usize) as u32);
        }
        return PLAIN[rng.below(PLAIN.len())].clone();
    }
    let inside = |rng: &mut Rng| Box::new(some_type(rng, all, all, nesting - 1));
    match rng.below(5) {
        0 => TypeRef::List(inside(rng)),
        1 => match *inside(rng) {
            TypeRef::Option(inside) => TypeRef::Option(inside),
            other => TypeRef::Option(Box::new(other)),
        },
        2 => {
            let keys = [
                TypeRef::String,
                TypeRef::U16,
                TypeRef::Char,
                TypeRef::Ref(0),
                TypeRef::Ref(1),
            ];
            TypeRef::Map(Box::new(keys[rng.below(keys.len())].clone()), inside(rng))
        }
        3 => TypeRef::Array(
            Box::new(some_type(rng, below, all, nesting - 1)),
            rng.below(4) as u64,
        ),
        _ => TypeRef::Tuple(
            (0..rng.below(3))
                .map(|_| some_type(rng, below, all, nesting - 1))
                .collect(),
        ),
    }
}

fn field(name: usize, ty: TypeRef, default: bool) -> Field {
    Field {
        name: format!("f{name}").into(),
        ty,
        doc: "".into(),
        default,
        default_value: None,
        flatten: false,
    }
}

/// Gives a field with a default a value that clients know, or none.
fn choose_default_value(field: &mut Field, rng: &mut Rng) {
    let value = match &field.ty {
        _ if !field.default || rng.one_in(2) => None,
        TypeRef::Bool => Some(json!(true)),
        TypeRef::U8 | TypeRef::U16 | TypeRef::U32 | TypeRef::U64 | TypeRef::U128 => {
            Some(json!(rng.below(200)))
        }
        TypeRef::I64 => Some(json!(-2)),
        TypeRef::F64 => Some(json!(0.5)),
        TypeRef::Char => Some(json!("ß")),
        TypeRef::String => Some(json!(["", "a", "b"][rng.below(3)])),
        TypeRef::Bytes | TypeRef::List(_) => Some(json!([])),
        TypeRef::Map(..) => Some(json!({})),
        _ => None,
    };
    field.default_value = value;
}

fn some_fields(rng: &mut Rng, below: u32, all: u32) -> Vec<Field> {
    let fields = (0..rng.below(6)).map(|name| {
        let ty = some_type(rng, below, all, 2);
        let mut field = field(name, ty, rng.one_in(4));
        choose_default_value(&mut field, rng);
        field
    });
    fields.collect()
}

fn variant(name: usize, tuple: Option<Vec<TypeRef>>, fields: Option<Vec<Field>>) -> Variant {
    Variant {
        name: format!("V{name}").into(),
        doc: "".into(),
        status: "".into(),
        tuple,
        fields,
    }
}

fn some_variant(rng: &mut Rng, name: usize, below: u32, all: u32) -> Variant {
    match rng.below(3) {
        0 => variant(name, None, None),
        1 => {
            let types = (0..1 + rng.below(2)).map(|_| some_type(rng, below, all, 2));
            let types = types.collect();
            variant(name, Some(types), None)
        }
        _ => {
            let fields = some_fields(rng, below, all);
            variant(name, None, Some(fields))
        }
    }
}

fn numbers(rng: &mut Rng) -> Vec<Field> {
    let fields = (0..1 + rng.below(4)).map(|name| {
        let ty = NUMBERS[rng.below(NUMBERS.len())].clone();
        field(name, ty, false)
    });
    fields.collect()
}

/// Definitions, of which the first two can be keys. Not all make a table.
pub(super) fn some_table(rng: &mut Rng) -> Vec<Definition> {
    let all = 3 + rng.below(4) as u32;
    let definitions = (0..all).map(|number| {
        let shape = match (number, rng.below(6)) {
            (0, _) => Shape::Enum(Enum {
                variants: (0..3).map(|name| variant(name, None, None)).collect(),
                open: rng.one_in(2),
                tag: Tag::Outside,
            }),
            (1, _) => Shape::Newtype(TypeRef::U32),
            (_, 0) => Shape::Newtype(some_type(rng, number, all, 2)),
            (_, 1) => Shape::Tuple(
                (0..1 + rng.below(3))
                    .map(|_| some_type(rng, number, all, 2))
                    .collect(),
            ),
            (_, 2) => Shape::Enum(Enum {
                // The first has nothing, so that each has values that end.
                variants: (0..1 + rng.below(4))
                    .map(|name| match name {
                        0 => variant(0, None, None),
                        name => some_variant(rng, name, number, all),
                    })
                    .collect(),
                open: rng.one_in(2),
                tag: Tag::Outside,
            }),
            (_, 3) => Shape::Pod(numbers(rng)),
            _ => Shape::Record(some_fields(rng, number, all)),
        };
        Definition {
            name: format!("T{number}").into(),
            doc: "".into(),
            status: "".into(),
            shape,
        }
    });
    definitions.collect()
}

/// A later version of them, mostly one that goes together with the one before, where messages go as `is_request` says.
pub(super) fn later(
    definitions: &[Definition],
    is_request: bool,
    rng: &mut Rng,
) -> Vec<Definition> {
    let mut later = definitions.to_vec();
    // How much changes at all.
    let rarely = [1, 3, 6][rng.below(3)];
    for definition in &mut later {
        if !rng.one_in(rarely) {
            continue;
        }
        match &mut definition.shape {
            Shape::Record(fields) => {
                change_fields(fields, is_request, rng);
                let is_plain = fields
                    .iter()
                    .all(|it| !it.default && NUMBERS.contains(&it.ty));
                if is_plain && !fields.is_empty() && rng.one_in(2) {
                    definition.shape = Shape::Pod(fields.clone());
                }
            }
            Shape::Pod(fields) => {
                rng.shuffle(fields);
                if rng.one_in(2) {
                    let mut fields = fields.clone();
                    change_fields(&mut fields, is_request, rng);
                    definition.shape = Shape::Record(fields);
                }
            }
            Shape::Enum(shape) => {
                for variant in &mut shape.variants {
                    if let Some(fields) = &mut variant.fields {
                        change_fields(fields, is_request, rng);
                    }
                }
                if is_request || shape.open || rng.one_in(8) {
                    let name = 10 + rng.below(4);
                    shape.variants.push(match rng.below(2) {
                        0 => variant(name, None, None),
                        _ => variant(name, Some(vec![TypeRef::String, TypeRef::U16]), None),
                    });
                }
                if shape.variants.len() > 2 && (!is_request || rng.one_in(20)) && rng.one_in(2) {
                    let place = 1 + rng.below(shape.variants.len() - 1);
                    shape.variants.remove(place);
                }
                // The first stays one that has nothing.
                rng.shuffle(&mut shape.variants[1..]);
            }
            Shape::Newtype(_) | Shape::Tuple(_) => {}
        }
    }
    later
}

fn change_fields(fields: &mut Vec<Field>, is_request: bool, rng: &mut Rng) {
    if rng.one_in(2) {
        let ty = match rng.below(3) {
            0 => TypeRef::U32,
            1 => TypeRef::Option(Box::new(TypeRef::String)),
            _ => TypeRef::List(Box::new(TypeRef::F64)),
        };
        let is_needed = is_request && !matches!(ty, TypeRef::Option(_)) && !rng.one_in(20);
        let mut added = field(20 + rng.below(3), ty, is_needed || rng.one_in(3));
        choose_default_value(&mut added, rng);
        let place = rng.below(fields.len() + 1);
        fields.insert(place, added);
    }
    if rng.one_in(2) {
        rng.shuffle(fields);
    }
    for field in fields.iter_mut() {
        if rng.one_in(6) && (!is_request || !field.default) {
            field.default = !field.default;
            field.default_value = None;
        }
        if rng.one_in(3) {
            choose_default_value(field, rng);
        }
    }
    if rng.one_in(30) {
        fields.pop();
    }
}

/// The same types by other numbers, some of them inside a new type that the other side doesn't have.
pub(super) fn renumbered(definitions: &[Definition], rng: &mut Rng) -> Vec<Definition> {
    let count = definitions.len() as u32;
    let mut other = definitions.to_vec();
    other.reverse();
    let mut wraps = Vec::new();
    let mut place = |ty: &mut TypeRef| {
        if let TypeRef::Ref(number) = ty {
            *number = count - 1 - *number;
        } else if matches!(ty, TypeRef::U32 | TypeRef::String) && wraps.len() < 3 && rng.one_in(6) {
            wraps.push(ty.clone());
            *ty = TypeRef::Ref(count + wraps.len() as u32 - 1);
        }
    };
    for definition in &mut other {
        let mut types: Vec<&mut TypeRef> = Vec::new();
        match &mut definition.shape {
            // Its fields stay numbers.
            Shape::Pod(_) => {}
            Shape::Record(fields) => types.extend(fields.iter_mut().map(|field| &mut field.ty)),
            Shape::Newtype(ty) => types.push(ty),
            Shape::Tuple(parts) => types.extend(parts),
            Shape::Enum(shape) => {
                for variant in &mut shape.variants {
                    types.extend(variant.tuple.iter_mut().flatten());
                    let fields = variant.fields.iter_mut().flatten();
                    types.extend(fields.map(|field| &mut field.ty));
                }
            }
        }
        for ty in types {
            each(ty, &mut place);
        }
        // A new type can't have a default value.
        if let Shape::Record(fields) = &mut definition.shape {
            for field in fields {
                if matches!(field.ty, TypeRef::Ref(_)) {
                    field.default_value = None;
                }
            }
        }
    }
    for (number, inside) in wraps.into_iter().enumerate() {
        other.push(Definition {
            name: format!("W{number}").into(),
            doc: "".into(),
            status: "".into(),
            shape: Shape::Newtype(inside),
        });
    }
    other
}

fn each(ty: &mut TypeRef, act: &mut impl FnMut(&mut TypeRef)) {
    match ty {
        TypeRef::List(inside) | TypeRef::Array(inside, _) | TypeRef::Option(inside) => {
            each(inside, act)
        }
        TypeRef::Map(key, value) => {
            each(key, act);
            each(value, act);
        }
        TypeRef::Tuple(types) => types.iter_mut().for_each(|ty| each(ty, act)),
        _ => act(ty),
    }
}

pub(super) fn table(definitions: Vec<Definition>) -> Option<Table> {
    Table::new(definitions).ok()
}
