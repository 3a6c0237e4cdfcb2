//! Making a plan of two tables. What they have in common was looked at before, by `compare`, whose rules these are.

use std::collections::{HashMap, VecDeque};

use super::plan::{Act, Case, Fate, Kind, Node, Plan, Step, UNKNOWN_VARIANT};
use crate::types::{Enum, Field, Shape, Table, TypeRef, Variant, default_value};

/// What becomes of fields and variants that the receiver doesn't know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UnknownPolicy {
    /// They are left out.
    LeftOut,
    /// A message that uses them is refused.
    Refused,
}

/// The plan for messages of these types, nothing between which breaks.
pub(super) fn plan(
    from: (&Table, &TypeRef),
    to: (&Table, &TypeRef),
    unknown: UnknownPolicy,
) -> Plan {
    let mut compiler = Compiler {
        unknown,
        from: from.0,
        to: to.0,
        nodes: Vec::new(),
        default_values: Vec::new(),
        known: HashMap::new(),
        waiting: VecDeque::new(),
    };
    let root = compiler.value(from.1, Some(to.1));
    while let Some((node, number, other)) = compiler.waiting.pop_front() {
        let kind = compiler.named(number, other.as_ref());
        compiler.nodes[node as usize].kind = kind;
    }
    let mut nodes = compiler.nodes;
    for (node, width) in widths(&nodes).into_iter().enumerate() {
        nodes[node].width = width;
    }
    for node in 0..nodes.len() {
        let widths: Vec<Option<u64>> = match &nodes[node].kind {
            Kind::Steps(steps) => steps
                .iter()
                .map(|step| match step.act {
                    Act::Value(value) => nodes[value as usize].width,
                    _ => None,
                })
                .collect(),
            _ => continue,
        };
        if let Kind::Steps(steps) = &mut nodes[node].kind {
            find_runs(steps, &widths);
        }
    }
    Plan {
        nodes,
        default_values: compiler.default_values,
        root,
    }
}

struct Compiler<'t> {
    unknown: UnknownPolicy,
    from: &'t Table,
    to: &'t Table,
    nodes: Vec<Node>,
    default_values: Vec<Box<[u8]>>,
    /// The nodes of those with names, whose insides may have them again. Without another side they are gone through and not wanted.
    known: HashMap<(TypeRef, Option<TypeRef>), u32>,
    /// Nodes whose kind is to be found still. Not done where they are met, since they may lie in each other without an end.
    waiting: VecDeque<(u32, TypeRef, Option<TypeRef>)>,
}

impl Compiler<'_> {
    fn push(&mut self, kind: Kind, is_deep: bool) -> u32 {
        self.nodes.push(Node {
            kind,
            width: None,
            is_deep,
        });
        (self.nodes.len() - 1) as u32
    }

    /// The node for a value, or for one that isn't wanted.
    fn value(&mut self, from: &TypeRef, to: Option<&TypeRef>) -> u32 {
        let is_named = |ty: &TypeRef| matches!(ty, TypeRef::Ref(_));
        if is_named(from) || to.is_some_and(is_named) {
            let key = (from.clone(), to.cloned());
            if let Some(&known) = self.known.get(&key) {
                return known;
            }
            // Of those that take the same number of bytes each none has itself inside, so they aren't counted.
            let is_deep = is_named(from) && self.from.exact(from).is_none();
            let node = self.push(Kind::Bool, is_deep);
            self.known.insert(key, node);
            self.waiting.push_back((node, from.clone(), to.cloned()));
            return node;
        }
        let kind = self.plain(from, to);
        self.push(kind, false)
    }

    /// A type without a name, on both sides.
    fn plain(&mut self, from: &TypeRef, to: Option<&TypeRef>) -> Kind {
        let copy = |bytes: u64| Kind::Copy(bytes, format!("a `{}`", self.from.show(from)).into());
        match from {
            TypeRef::Unit => Kind::Steps(Box::default()),
            TypeRef::Bool => Kind::Bool,
            TypeRef::Char => Kind::Char,
            TypeRef::U8 | TypeRef::I8 => copy(1),
            TypeRef::U16 | TypeRef::I16 => copy(2),
            TypeRef::U32 | TypeRef::I32 | TypeRef::F32 => copy(4),
            TypeRef::U64 | TypeRef::I64 | TypeRef::F64 => copy(8),
            TypeRef::U128 | TypeRef::I128 => copy(16),
            TypeRef::Uuid => Kind::Copy(16, "a UUID".into()),
            TypeRef::Object(name) => Kind::Copy(4, format!("the position of a `{name}`").into()),
            TypeRef::String => Kind::String,
            TypeRef::Decimal => Kind::Decimal,
            TypeRef::Bytes => Kind::Bytes,
            TypeRef::Timestamp => Kind::Time("a timestamp"),
            TypeRef::Duration => Kind::Time("a duration"),
            TypeRef::Any => Kind::Any,
            TypeRef::List(item) => {
                let other = match to {
                    Some(TypeRef::List(other)) => Some(&**other),
                    _ => None,
                };
                let is_aligned = self.from.is_aligned(item);
                Kind::List {
                    least: self.from.least(item),
                    aligned: match other {
                        Some(other) => (is_aligned, self.to.is_aligned(other)),
                        None => (is_aligned, is_aligned),
                    },
                    item: self.value(item, other),
                }
            }
            TypeRef::Array(item, count) => {
                let other = match to {
                    Some(TypeRef::Array(other, _)) => Some(&**other),
                    _ => None,
                };
                Kind::Array {
                    least: self.from.least(item),
                    count: *count,
                    item: self.value(item, other),
                }
            }
            TypeRef::Map(key, value) => {
                let (other_key, other_value) = match to {
                    Some(TypeRef::Map(key, value)) => (Some(&**key), Some(&**value)),
                    _ => (None, None),
                };
                Kind::Map {
                    least: self.from.least(key).saturating_add(self.from.least(value)),
                    key: self.value(key, other_key),
                    value: self.value(value, other_value),
                }
            }
            TypeRef::Option(value) => {
                let other = match to {
                    Some(TypeRef::Option(other)) => Some(&**other),
                    _ => None,
                };
                Kind::Option(self.value(value, other))
            }
            TypeRef::Tuple(types) => match to {
                Some(TypeRef::Tuple(others)) => self.tuple(types, Some(others)),
                _ => self.tuple(types, None),
            },
            TypeRef::Ref(_) => Kind::Same(self.value(from, to)),
        }
    }

    /// A type with a name, at least on one side.
    fn named(&mut self, from: TypeRef, to: Option<&TypeRef>) -> Kind {
        let (from_table, to_table) = (self.from, self.to);
        let shape = |table: &'_ Table, ty: &TypeRef| match ty {
            TypeRef::Ref(number) => table.get(*number).map(|named| named.shape.clone()),
            _ => None,
        };
        let name = match &from {
            TypeRef::Ref(number) => from_table.get(*number).map(|named| named.name.clone()),
            _ => None,
        };
        let other = to.and_then(|to| shape(to_table, to));
        match (shape(from_table, &from), other) {
            (Some(Shape::Newtype(inside)), Some(Shape::Newtype(other))) => {
                Kind::Same(self.value(&inside, Some(&other)))
            }
            (Some(Shape::Newtype(inside)), _) => Kind::Same(self.value(&inside, to)),
            (_, Some(Shape::Newtype(inside))) => Kind::Same(self.value(&from, Some(&inside))),
            (
                Some(Shape::Record(fields) | Shape::Pod(fields)),
                Some(Shape::Record(others) | Shape::Pod(others)),
            ) => self.fields(&fields, Some(&others)),
            (Some(Shape::Record(fields) | Shape::Pod(fields)), _) => self.fields(&fields, None),
            (Some(Shape::Tuple(types)), Some(Shape::Tuple(others))) => {
                self.tuple(&types, Some(&others))
            }
            (Some(Shape::Tuple(types)), _) => self.tuple(&types, None),
            (Some(Shape::Enum(shape)), Some(Shape::Enum(other))) => {
                self.variants(&name.unwrap_or_default(), &shape, Some(&other))
            }
            (Some(Shape::Enum(shape)), _) => self.variants(&name.unwrap_or_default(), &shape, None),
            (None, _) => self.plain(&from, to),
        }
    }

    fn tuple(&mut self, types: &[TypeRef], others: Option<&[TypeRef]>) -> Kind {
        let steps = types.iter().enumerate().map(|(place, ty)| {
            let other = others.and_then(|others| others.get(place));
            step(&place.to_string(), Act::Value(self.value(ty, other)))
        });
        Kind::Steps(steps.collect())
    }

    fn fields(&mut self, fields: &[Field], others: Option<&[Field]>) -> Kind {
        let Some(others) = others else {
            return Kind::Steps(self.own(fields));
        };
        let wanted: HashMap<&str, &Field> =
            others.iter().map(|field| (&*field.name, field)).collect();
        let places: HashMap<&str, usize> = fields
            .iter()
            .enumerate()
            .map(|(place, field)| (&*field.name, place))
            .collect();
        // In order, what both have, what isn't wanted where it lies, and what there's nothing of in front of what follows it.
        let mut in_order = others
            .iter()
            .filter_map(|other| places.get(&*other.name))
            .copied();
        let mut last = None;
        let is_sorted = in_order.all(|place| {
            let is_behind = last.is_none_or(|last| place > last);
            last = Some(place);
            is_behind
        });
        if is_sorted {
            let mut steps = Vec::new();
            let mut put = 0;
            for field in fields {
                let Some(other) = wanted.get(&*field.name) else {
                    steps.push(match self.unknown {
                        UnknownPolicy::LeftOut => self.skip(field),
                        UnknownPolicy::Refused => self.none(field),
                    });
                    continue;
                };
                while others[put].name != field.name {
                    steps.push(self.absent(&others[put]));
                    put += 1;
                }
                steps.push(self.field(field, other));
                put += 1;
            }
            for other in &others[put..] {
                steps.push(self.absent(other));
            }
            return Kind::Steps(steps.into());
        }
        let to: Box<[(Option<u32>, Step)]> = others
            .iter()
            .map(|other| match places.get(&*other.name) {
                Some(&place) => (Some(place as u32), self.field(&fields[place], other)),
                None => (None, self.absent(other)),
            })
            .collect();
        let mut from = self.own(fields);
        if self.unknown == UnknownPolicy::Refused {
            for (step, field) in from.iter_mut().zip(fields) {
                if !wanted.contains_key(&*field.name) {
                    *step = self.none(field);
                }
            }
        }
        Kind::Sorted { from, to }
    }

    /// The fields as they are where they come from.
    fn own(&mut self, fields: &[Field]) -> Box<[Step]> {
        let steps = fields.iter().map(|field| {
            let node = self.value(&field.ty, None);
            let act = if field.default {
                Act::Perhaps(node)
            } else {
                Act::Value(node)
            };
            step(&field.name, act)
        });
        steps.collect()
    }

    fn skip(&mut self, field: &Field) -> Step {
        let node = self.value(&field.ty, None);
        let act = if field.default {
            Act::SkipPerhaps(node)
        } else {
            Act::Skip(node)
        };
        step(&field.name, act)
    }

    fn field(&mut self, field: &Field, other: &Field) -> Step {
        let node = self.value(&field.ty, Some(&other.ty));
        let act = match (field.default, other.default) {
            (false, false) => Act::Value(node),
            (true, true) => Act::Perhaps(node),
            (false, true) => Act::Add(node),
            (true, false) => Act::Must(node),
        };
        step(&field.name, act)
    }

    /// A field that the receiver lacks, and that a message therefore has to be without, or has with its default value.
    fn none(&mut self, field: &Field) -> Step {
        let value = field.default_value.as_ref();
        let bytes = value
            .and_then(|value| default_value::encoded(self.from.definitions(), &field.ty, value));
        let act = match (field.default, bytes) {
            (true, Some(bytes)) => Act::DefaultOrAbsent {
                node: self.value(&field.ty, None),
                value: self.default_value(bytes),
            },
            (true, None) => Act::NoneOrAbsent {
                is_option: matches!(field.ty, TypeRef::Option(_)),
            },
            (false, _) => Act::None,
        };
        step(&field.name, act)
    }

    /// A field that only the receiver has. A client gets the default value that it shows; a plugin applies its own.
    fn absent(&mut self, other: &Field) -> Step {
        let value = other.default_value.as_ref();
        let value = value.filter(|_| self.unknown == UnknownPolicy::LeftOut);
        let bytes =
            value.and_then(|value| default_value::encoded(self.to.definitions(), &other.ty, value));
        let act = match bytes {
            Some(bytes) => Act::Default {
                value: self.default_value(bytes),
                is_aligned: match &other.ty {
                    TypeRef::List(item) => self.to.is_aligned(item),
                    _ => false,
                },
            },
            None => Act::Absent,
        };
        step(&other.name, act)
    }

    /// Keeps the bytes of a default value, and returns its number.
    fn default_value(&mut self, bytes: Vec<u8>) -> u32 {
        self.default_values.push(bytes.into());
        (self.default_values.len() - 1) as u32
    }

    fn variants(&mut self, name: &str, shape: &Enum, other: Option<&Enum>) -> Kind {
        let there: Option<HashMap<&str, (usize, &Variant)>> = other.map(|other| {
            let named = other.variants.iter().enumerate();
            named
                .map(|(place, variant)| (&*variant.name, (place, variant)))
                .collect()
        });
        let cases = shape.variants.iter().enumerate().map(|(place, variant)| {
            let found = there
                .as_ref()
                .map(|there| there.get(&*variant.name).copied());
            match found {
                // Gone through alone.
                None => self.case(variant, place as u16, None, Fate::Known),
                Some(Some((to, other))) => self.case(variant, to as u16, Some(other), Fate::Known),
                Some(None) => {
                    let fate = match self.unknown {
                        UnknownPolicy::LeftOut => Fate::LeftOut,
                        UnknownPolicy::Refused => Fate::Refused,
                    };
                    self.case(variant, UNKNOWN_VARIANT, None, fate)
                }
            }
        });
        Kind::Enum {
            name: name.into(),
            cases: cases.collect(),
        }
    }

    fn case(&mut self, variant: &Variant, to: u16, other: Option<&Variant>, fate: Fate) -> Case {
        let body = match (&variant.tuple, &variant.fields) {
            (Some(types), _) => {
                Some(self.tuple(types, other.and_then(|other| other.tuple.as_deref())))
            }
            (None, Some(fields)) => {
                Some(self.fields(fields, other.and_then(|other| other.fields.as_deref())))
            }
            (None, None) => None,
        };
        Case {
            name: (&*variant.name).into(),
            to,
            body: body.map(|kind| self.push(kind, false)),
            fate,
        }
    }
}

fn step(name: &str, act: Act) -> Step {
    Step {
        name: name.into(),
        act,
        run: (0, 0),
    }
}

/// How many bytes each node copies as they are. It's followed only into what lies in each value, which has an end, and by a list of those that
/// wait: it may be deeper than a stack is.
fn widths(nodes: &[Node]) -> Vec<Option<u64>> {
    let mut known: Vec<Option<Option<u64>>> = vec![None; nodes.len()];
    for node in 0..nodes.len() as u32 {
        let mut waiting = vec![node];
        while let Some(&node) = waiting.last() {
            if known[node as usize].is_some() {
                waiting.pop();
                continue;
            }
            let before = waiting.len();
            let mut inside = |node: u32| {
                if known[node as usize].is_none() {
                    waiting.push(node);
                }
                known[node as usize].flatten()
            };
            let width = width(&nodes[node as usize].kind, &mut inside);
            if waiting.len() == before {
                known[node as usize] = Some(width);
                waiting.pop();
            }
        }
    }
    known.into_iter().map(Option::flatten).collect()
}

/// How many bytes what a node does copies as they are; `inside` says it of others, and nothing of those it will know later.
fn width(kind: &Kind, inside: &mut impl FnMut(u32) -> Option<u64>) -> Option<u64> {
    match kind {
        Kind::Copy(bytes, _) => Some(*bytes),
        Kind::Same(same) => inside(*same),
        Kind::Array { count: 0, .. } => Some(0),
        Kind::Array { item, count, .. } => inside(*item)?.checked_mul(*count),
        Kind::Steps(steps) => {
            let mut sum = Some(0_u64);
            // All are asked for at once, and not one more each time that this is looked at.
            for step in steps {
                let width = match step.act {
                    Act::Value(value) => inside(value),
                    _ => None,
                };
                sum = sum
                    .zip(width)
                    .and_then(|(sum, width)| sum.checked_add(width));
            }
            sum
        }
        _ => None,
    }
}

/// Notes how far steps are one copy.
fn find_runs(steps: &mut [Step], widths: &[Option<u64>]) {
    let mut run = (0_u64, steps.len() as u32);
    for place in (0..steps.len()).rev() {
        run = match widths[place].and_then(|width| run.0.checked_add(width)) {
            Some(bytes) => (bytes, run.1),
            None => (0, place as u32),
        };
        steps[place].run = run;
    }
}
