//! Where a name stands in a plugin, and plugins that have many there.

use std::collections::BTreeSet;

use serde_json::{Value, json};

/// Where names stand.
pub(crate) struct Position {
    pub(crate) name: &'static str,
    /// The descriptions of plugins that have these names there.
    pub(crate) describe: fn(&[String]) -> Vec<Value>,
}

pub(crate) const POSITIONS: [Position; 10] = [
    Position {
        name: "types",
        describe: types,
    },
    Position {
        name: "variants",
        describe: variants,
    },
    Position {
        name: "fields",
        describe: fields,
    },
    Position {
        name: "parameters",
        describe: parameters,
    },
    Position {
        name: "methods",
        describe: methods,
    },
    Position {
        name: "errors",
        describe: errors,
    },
    Position {
        name: "objects",
        describe: objects,
    },
    Position {
        name: "members",
        describe: members,
    },
    Position {
        name: "classes",
        describe: classes,
    },
    Position {
        name: "services",
        describe: services,
    },
];

/// As many parameters as a method may have, and as many components as a record may have in Java, with room to spare.
const FIELDS: usize = 90;
const PARAMETERS: usize = 30;
/// As many groups as TypeScript follows in one function.
const GROUPS: usize = 150;

/// A plugin being described.
#[derive(Default)]
struct Plugin {
    methods: Vec<Value>,
    services: Vec<Value>,
    types: Vec<Value>,
}

impl Plugin {
    /// One with the type `RecordZq`, number 0.
    fn new() -> Plugin {
        let mut plugin = Plugin::default();
        plugin.ty("RecordZq", "record", &byte());
        plugin
    }

    fn method(&mut self, name: &str, mut entry: Value) {
        entry["index"] = self.methods.len().into();
        entry["encoding"] = "wire".into();
        self.methods.push(json!({"name": name, "entries": [entry]}));
    }

    fn service(&mut self, name: &str) {
        self.services
            .push(json!({"name": name, "encoding": "wire", "request": of(0), "response": of(0)}));
    }

    /// Adds a type, and says its number.
    fn ty(&mut self, name: &str, shape: &str, inside: &Value) -> usize {
        self.types.push(json!({"name": name, shape: inside}));
        self.types.len() - 1
    }

    /// Adds a method that takes a type and gives it.
    fn echo(&mut self, ty: usize) {
        let name = format!("echo_zq{ty}");
        self.method(&name, json!({"request": of(ty), "response": of(ty)}));
    }

    fn done(self) -> Value {
        let Plugin {
            methods,
            services,
            types,
        } = self;
        json!({"name": "probe_zq", "version": "1", "methods": methods, "services": services, "types": types})
    }
}

fn of(ty: usize) -> Value {
    json!({"type": {"ref": ty}})
}

fn byte() -> Value {
    json!([{"name": "v", "type": "u8"}])
}

fn named(names: &[String]) -> Value {
    let fields = names.iter().map(|name| json!({"name": name, "type": "u8"}));
    fields.collect()
}

fn plain() -> Value {
    json!({"variants": [{"name": "AZq"}, {"name": "BZq"}]})
}

fn with_data() -> Value {
    json!({"variants": [{"name": "AZq"}, {"name": "BZq", "fields": byte()}]})
}

/// An entry with more keys.
pub(crate) fn with(mut entry: Value, more: &Value) -> Value {
    for (key, value) in more.as_object().into_iter().flatten() {
        entry[key] = value.clone();
    }
    entry
}

/// A type's name as an author writes it.
fn pascal(name: &str) -> String {
    rustbridge_gen::client_name(name)
}

/// Each name as a type of two shapes.
fn types(names: &[String]) -> Vec<Value> {
    let shapes = [
        ("record", byte()),
        ("enum", plain()),
        ("enum", with_data()),
        ("newtype", json!("string")),
        ("tuple", json!(["u8", "string"])),
    ];
    let described = |first: usize| {
        let mut plugin = Plugin::default();
        for (name, (shape, inside)) in names.iter().zip(shapes.iter().cycle().skip(first)) {
            let ty = plugin.ty(&pascal(name), shape, inside);
            plugin.echo(ty);
        }
        plugin.done()
    };
    vec![described(0), described(2)]
}

/// Enums that have the names, and types whose names are those of an enum and a variant.
fn variants(names: &[String]) -> Vec<Value> {
    let mut plugin = Plugin::default();
    let names: Vec<String> = names.iter().map(|name| pascal(name)).collect();
    let plain: Vec<Value> = names.iter().map(|name| json!({"name": name})).collect();
    let data: Vec<Value> = (0..)
        .zip(&names)
        .map(|(place, name)| match place % 3 {
            0 => json!({"name": name}),
            // A field that is called as another variant.
            1 => json!({"name": name, "fields": named(&names[..names.len().min(3)])}),
            _ => json!({"name": name, "tuple": ["u8"]}),
        })
        .collect();
    for (name, open, variants) in [
        ("PlainZq", true, &plain),
        ("DataZq", true, &data),
        ("ClosedZq", false, &data),
    ] {
        let ty = plugin.ty(name, "enum", &json!({"open": open, "variants": variants}));
        plugin.echo(ty);
    }
    for name in names.iter().take(20) {
        let ty = plugin.ty(&format!("DataZq{name}"), "record", &byte());
        plugin.echo(ty);
    }
    vec![plugin.done()]
}

/// Records, and variants of an enum, that have the names as fields.
fn fields(names: &[String]) -> Vec<Value> {
    let mut plugin = Plugin::default();
    for (number, names) in names.chunks(FIELDS).enumerate() {
        let record = plugin.ty(&format!("Record{number}Zq"), "record", &named(names));
        plugin.echo(record);
        let inside =
            json!({"variants": [{"name": "AZq", "fields": named(names)}, {"name": "BZq"}]});
        let choice = plugin.ty(&format!("Choice{number}Zq"), "enum", &inside);
        plugin.echo(choice);
    }
    recursive_defaults(&mut plugin);
    vec![plugin.done()]
}

/// Fields whose default values are of types that contain the fields' own type.
fn recursive_defaults(plugin: &mut Plugin) {
    let choice = plugin.types.len();
    let (of_choice, of_record) = (json!({"ref": choice}), json!({"ref": choice + 1}));
    let with_default = |name: &str| json!([{"name": name, "type": of_choice, "default": true, "default_value": "LeafZq"}]);
    let variants = json!([
        {"name": "LeafZq"},
        {"name": "NodeZq", "fields": with_default("inner_zq")},
        {"name": "HeldZq", "tuple": [of_record]}]);
    let inside = json!({"variants": variants});
    plugin.ty("RecursiveZq", "enum", &inside);
    plugin.ty("HolderZq", "record", &with_default("held_zq"));
    plugin.echo(choice);
    plugin.echo(choice + 1);
}

/// Methods that have the names as parameters.
fn parameters(names: &[String]) -> Vec<Value> {
    let mut plugin = Plugin::default();
    for (number, names) in names.chunks(PARAMETERS).enumerate() {
        let ty = plugin.ty(&format!("Parameters{number}Zq"), "record", &named(names));
        let entry = json!({"arguments": true, "async": number % 2 == 1, "request": of(ty), "response": {"type": "u8"}});
        plugin.method(&format!("call{number}_zq"), entry);
    }
    vec![plugin.done()]
}

/// A method of each kind in turn.
fn kind(place: usize) -> Value {
    match place % 4 {
        0 => json!({"request": of(0), "response": of(0)}),
        1 => json!({"async": true, "request": of(0), "response": of(0)}),
        2 => json!({"kind": "server_stream", "request": of(0), "response": of(0)}),
        _ => json!({"response": {"type": "string"}}),
    }
}

/// Methods, and beside an async one `call` one that is called `call_async`.
fn methods(names: &[String]) -> Vec<Value> {
    let mut plugin = Plugin::new();
    for (place, name) in names.iter().enumerate() {
        plugin.method(name, kind(place));
    }
    plugin.method("begin_zq", kind(1));
    plugin.method("begin_zq_async", kind(0));
    plugin.method("await_begin_zq", kind(0));
    plugin.method("begin_zq_sync", kind(0));
    vec![plugin.done()]
}

/// Errors of methods, and for some of them a type that is called as the exception would be.
fn errors(names: &[String]) -> Vec<Value> {
    let mut plugin = Plugin::default();
    for name in names {
        let ty = plugin.ty(&pascal(name), "enum", &with_data());
        plugin.method(
            &format!("fail{ty}_zq"),
            json!({"response": {"type": "u8"}, "error": of(ty)}),
        );
    }
    for ending in ["Error", "Exception", "Failure", "Codec", "ClientSchema"] {
        let ty = plugin.ty(&format!("ProbeZq{ending}"), "enum", &with_data());
        plugin.method(
            &format!("fail{ty}_zq"),
            json!({"response": {"type": "u8"}, "error": of(ty)}),
        );
    }
    vec![plugin.done()]
}

/// Objects, and methods that make them.
fn objects(names: &[String]) -> Vec<Value> {
    let mut plugin = Plugin::new();
    for (number, name) in names.iter().enumerate() {
        let name = pascal(name);
        plugin.method(
            &format!("make{number}_zq"),
            json!({"response": {"type": {"object": name}}}),
        );
        plugin.method(
            &format!("{name}.call_zq"),
            json!({"receiver": name, "request": of(0), "response": of(0)}),
        );
    }
    vec![plugin.done()]
}

/// Methods of an object.
fn members(names: &[String]) -> Vec<Value> {
    let mut plugin = Plugin::new();
    plugin.method(
        "make_zq",
        json!({"response": {"type": {"object": "ThingZq"}}}),
    );
    for (place, name) in names.iter().enumerate() {
        let mut entry = kind(place);
        entry["receiver"] = "ThingZq".into();
        plugin.method(&format!("ThingZq.{name}"), entry);
    }
    vec![plugin.done()]
}

/// Constructors, functions and properties of an object's class, constructors' parameters, and the constructors of classes.
fn classes(names: &[String]) -> Vec<Value> {
    let of_thing = |entry: Value| with(entry, &json!({"receiver": "ThingZq"}));
    let makes = |class: &str, entry: Value| {
        let makes =
            json!({"class": class, "constructor": true, "response": {"type": {"object": class}}});
        with(entry, &makes)
    };
    // A word may be the name of another's setter: `setStackTrace` and `StackTrace`.
    let one = |name: &str| name.replace('_', "").to_lowercase();
    let known: BTreeSet<String> = names.iter().map(|name| one(name)).collect();
    let mut members = Plugin::new();
    for (place, name) in names.iter().enumerate() {
        let has_setter = !known.contains(&format!("set{}", one(name)));
        let name_in_class = format!("ThingZq.{name}");
        let setter = format!("ThingZq.set_{name}");
        let read = of_thing(json!({"property": "get", "response": of(0)}));
        let write = of_thing(json!({"property": "set", "parameter": name, "request": of(0)}));
        match place % 6 {
            0 => members.method(&name_in_class, makes("ThingZq", json!({"request": of(0)}))),
            1 => members.method(&name_in_class, makes("ThingZq", json!({"async": true}))),
            2 => members.method(
                &name_in_class,
                with(kind(place / 6), &json!({"class": "ThingZq"})),
            ),
            3 => members.method(&name_in_class, read),
            4 if has_setter => members.method(&setter, write),
            _ => {
                members.method(&name_in_class, read);
                if has_setter {
                    members.method(&setter, write);
                }
            }
        }
    }
    let mut constructors = Plugin::new();
    for (number, names) in names.chunks(PARAMETERS).enumerate() {
        let class = format!("Thing{number}Zq");
        let ty = constructors.ty(&format!("Parameters{number}Zq"), "record", &named(names));
        let entry = makes(&class, json!({"arguments": true, "request": of(ty)}));
        constructors.method(&format!("{class}.new"), entry);
    }
    let mut classes = Plugin::new();
    for name in names {
        let class = pascal(name);
        let new = makes(&class, json!({"parameter": name, "request": of(0)}));
        classes.method(&format!("{class}.new"), new);
        classes.method(&format!("{class}.new_from_zq"), makes(&class, json!({})));
    }
    let mut all = vec![members.done(), constructors.done(), classes.done()];
    all.extend([0, 1].map(|first| members_with_traits(names, first)));
    all
}

/// Methods of an object whose type has all traits. What traits add to its class has names, too, and calls functions of ours by theirs.
/// The methods accept and return unlike types, so that each of them overloads what has its name.
fn members_with_traits(names: &[String], first: usize) -> Value {
    let mut plugin = Plugin::new();
    let thing = json!({"type": {"object": "ThingZq"}});
    let of_thing = |entry: Value| with(entry, &json!({"receiver": "ThingZq"}));
    for (name, entry) in of_traits("ThingZq") {
        plugin.method(&name, entry);
    }
    for (place, name) in names.iter().enumerate() {
        let entry = match (place + first) % 6 {
            0 => json!({"response": {"type": "string"}}),
            1 => json!({"request": thing, "response": {"type": "bool"}}),
            2 => json!({"request": thing, "response": {"type": "i32"}}),
            3 => json!({"async": true, "response": {"type": "i32"}}),
            4 => json!({"request": {"type": {"object": "CallZq"}}, "response": {"type": "string"}}),
            _ => json!({"request": {"type": "any"}, "response": {"type": "u64"}}),
        };
        plugin.method(&format!("ThingZq.{name}"), of_thing(entry));
    }
    // A callback without parameters, so that a lambda that fits it fits a supplier, too.
    let object = json!([{"name": "object", "type": "u64"}]);
    let parameters = plugin.ty("CallZqRunZqParameters", "record", &object);
    let service = json!({"encoding": "wire", "optional": true, "receiver": "CallZq"});
    plugin.services.extend([
        with(
            service.clone(),
            &json!({"name": "CallZq.run_zq", "arguments": true, "request": of(parameters),
            "response": {"type": "string"}}),
        ),
        with(
            service,
            &json!({"name": "CallZq:release", "parameter": "object", "request": {"type": "u64"},
            "response": {"type": "unit"}}),
        ),
    ]);
    // The plugin's own objects of the callback have its functions, too.
    let run = json!({"receiver": "CallZq", "response": {"type": "string"}});
    plugin.method("CallZq.run_zq", run);
    let number = json!({"receiver": "CallZq", "response": {"type": "u64"}});
    plugin.method("CallZq:number", number);
    let new = json!({"objects": true, "parameter": "object", "request": {"type": "u64"},
        "response": {"type": {"object": "CallZq"}}});
    plugin.method("CallZq:new", new);
    plugin.done()
}

/// The methods of an object's traits.
pub(crate) fn of_traits(class: &str) -> Vec<(String, Value)> {
    let unit = json!("unit");
    let other = json!({"object": class});
    [
        (":display", "Display", &unit, "string"),
        (":debug", "Debug", &unit, "string"),
        (":eq", "Eq", &other, "bool"),
        (":hash", "Hash", &unit, "u64"),
        (":cmp", "Ord", &other, "i8"),
        (".len_zq", "len", &unit, "u64"),
        (".iter_zq", "iter", &unit, "string"),
    ]
    .into_iter()
    .map(|(own, of, request, response)| {
        let kind = if of == "iter" {
            "server_stream"
        } else {
            "unary"
        };
        let entry = json!({"receiver": class, "trait": of, "kind": kind,
            "request": {"type": request}, "response": {"type": response}});
        (format!("{class}{own}"), entry)
    })
    .collect()
}

/// Services that have the names, and groups of services that have them.
fn services(names: &[String]) -> Vec<Value> {
    let mut functions = Plugin::new();
    functions.echo(0);
    for name in names {
        functions.service(&format!("group_zq.{name}"));
    }
    let mut all = vec![functions.done()];
    for names in names.chunks(GROUPS) {
        let mut groups = Plugin::new();
        groups.echo(0);
        for name in names {
            groups.service(&format!("{name}.get_zq"));
        }
        all.push(groups.done());
    }
    all
}
