//! What clients in C++ are made of little descriptions. That they work is tested in C++, with the client of `plugins/types-plugin`.

use rustbridge_gen::{Contract, Language, Options, generate};
use serde_json::{Value, json};

fn contract(description: &Value) -> Contract {
    Contract::read(description.to_string().as_bytes()).unwrap()
}

/// A plugin with a method that takes and gives the first of these types.
fn echo(types: &Value) -> Contract {
    contract(
        &json!({"name": "little", "types": types, "methods": [{"name": "echo", "doc": "Gives it back.", "entries": [
            {"index": 0, "encoding": "wire", "request": {"type": {"ref": 0}}, "response": {"type": {"ref": 0}}}]}]}),
    )
}

/// The client's one file.
fn header(contract: &Contract) -> String {
    let files = generate(contract, Language::Cpp, &Options::default()).unwrap();
    assert_eq!(files.len(), 1);
    assert_eq!(files[0].path, "little.hpp");
    files[0].text.clone()
}

fn refused(contract: &Contract, namespace: Option<&str>) -> String {
    let options = Options {
        namespace: namespace.map(str::to_owned),
        ..Options::default()
    };
    generate(contract, Language::Cpp, &options)
        .unwrap_err()
        .to_string()
}

/// Whether one of the two stands in front of the other.
fn in_order(text: &str, first: &str, second: &str) -> bool {
    let place = |what: &str| {
        text.find(what)
            .unwrap_or_else(|| panic!("{what} isn't in {text}"))
    };
    place(first) < place(second)
}

#[test]
fn a_record_is_a_struct_and_always_the_same() {
    let types = json!([{"name": "Person", "doc": "Somebody.", "record": [
        {"name": "firstName", "type": "string", "doc": "What they're called."},
        {"name": "age", "type": {"option": "u32"}},
        {"name": "class", "type": {"list": "f64"}, "default": true}]}]);
    let contract = echo(&types);
    let text = header(&contract);
    assert!(text.starts_with("// Written by 'rustbridge gen -l cpp' of the plugin 'little': write it anew by that, not by hand.\n// clang-format off\n#pragma once\n"));
    assert!(text.contains(
        "/// Somebody.\nstruct Person {\n  /// What they're called.\n  std::string first_name{};\n  std::optional<std::uint32_t> age{};\n"
    ), "{text}");
    assert!(text.contains("  std::optional<std::vector<double>> class_{};\n"));
    assert!(text.contains("Field<\"firstName\", &::little::Person::first_name>"));
    assert!(text.contains("  Person echo(const Person& request) const { return this->methods().echo.call(request); }\n"));
    assert!(
        text.ends_with("}  // namespace little\n")
            && !text.contains("\n\n\n")
            && !text.contains(" \n")
    );
    assert_eq!(header(&contract), text);
}

#[test]
fn names_that_become_one_are_refused() {
    let fields = json!([{"name": "A", "record": [{"name": "a_b", "type": "u8"}, {"name": "aB", "type": "u8"}]}]);
    assert!(refused(&echo(&fields), None).contains("`a_b` and `aB` are both `a_b`"));
    let types = json!([{"name": "A", "record": [{"name": "b", "type": {"ref": 1}}]}, {"name": "a", "newtype": "string"}]);
    assert!(refused(&echo(&types), None).contains("both `A`"));
    let client = json!([{"name": "Little", "record": [{"name": "b", "type": "string"}]}]);
    assert!(refused(&echo(&client), None).contains("both `Little`"));
    let variants = json!([
        {"name": "E", "enum": {"variants": [{"name": "A", "tuple": [{"ref": 1}]}]}}, {"name": "E_A", "newtype": "u8"}]);
    // A name that is joined gives way to one that isn't.
    let text = header(&echo(&variants));
    assert!(
        text.contains("struct EA {") && text.contains("struct EA2 {"),
        "{text}"
    );
}

#[test]
fn a_namespace_is_one() {
    let contract = echo(&json!([{"name": "A", "newtype": "string"}]));
    for wrong in [
        "",
        "a::",
        "::a",
        "a::class",
        "a b",
        "1a",
        "a.b",
        "std",
        "a::rustbridge",
    ] {
        assert!(
            refused(&contract, Some(wrong)).contains("namespace"),
            "{wrong}"
        );
    }
    let options = Options {
        namespace: Some("company::product_1".to_owned()),
        ..Options::default()
    };
    let files = generate(&contract, Language::Cpp, &options).unwrap();
    assert_eq!(files[0].path, "product_1.hpp");
    assert!(
        files[0]
            .text
            .contains("struct Codec<::company::product_1::A>")
    );
}

#[test]
fn prose_stays_in_its_comment_and_texts_are_ascii() {
    let types = json!([{"name": "A", "doc": "*/ \u{2028}\r\nint x;\u{85}int y; \\\nend", "record": [{"name": "größe", "type": "u8"}]}]);
    let text = header(&echo(&types));
    assert!(
        text.contains("/// */\n/// int x; int y; \\.\n/// end\nstruct A {\n"),
        "{text}"
    );
    assert!(text.contains("Field<\"gr\\303\\266\\303\\237e\", &::little::A::größe>"));
}

#[test]
fn what_has_itself_inside_is_in_a_box_unless_a_list_is_between() {
    let types = json!([
        {"name": "Expr", "enum": {"variants": [
            {"name": "Number", "tuple": ["f64"]}, {"name": "Sum", "fields": [{"name": "all", "type": {"ref": 1}}]}]}},
        {"name": "Sum", "record": [{"name": "left", "type": {"ref": 0}}, {"name": "more", "type": {"list": {"ref": 0}}},
            {"name": "last", "type": {"option": {"ref": 0}}}, {"name": "leaf", "type": {"ref": 2}}]},
        {"name": "Leaf", "record": [{"name": "name", "type": "string"}]}]);
    let text = header(&echo(&types));
    assert!(text.contains("  rustbridge::Box<Sum> all{};\n"), "{text}");
    assert!(text.contains("  rustbridge::Box<Expr> left{};\n"));
    assert!(text.contains("  std::vector<Expr> more{};\n"));
    assert!(text.contains("  std::optional<rustbridge::Box<Expr>> last{};\n"));
    assert!(text.contains("  Leaf leaf{};\n"));
    assert!(in_order(&text, "struct Leaf {", "struct Sum {"));
    assert!(text.contains("struct Expr : rustbridge::OneOf<ExprNumber, ExprSum> {\n  using Number = ExprNumber;\n  using Sum = ExprSum;\n"));
    let own = json!([{"name": "A", "newtype": {"option": {"ref": 0}}}]);
    assert!(header(&echo(&own)).contains("  std::optional<rustbridge::Box<A>> value{};\n"));
}

#[test]
fn structs_stand_behind_those_that_they_have_inside() {
    let types = json!([
        {"name": "A", "record": [{"name": "b", "type": {"array": [{"tuple": [{"ref": 1}, "u8"]}, 2]}}]},
        {"name": "B", "record": [{"name": "c", "type": {"map": ["string", {"ref": 2}]}}]},
        {"name": "C", "record": [{"name": "key", "type": {"map": [{"ref": 3}, "u8"]}}]},
        {"name": "Key", "newtype": "string"}]);
    let text = header(&echo(&types));
    assert!(in_order(&text, "struct B {", "struct A {"));
    assert!(in_order(&text, "struct C {", "struct B {"));
    assert!(text.contains("friend auto operator<=>(const Key&, const Key&) = default;"));
    assert!(!text.contains("operator<=>(const B&"));
}

#[test]
fn open_enums_have_a_variant_for_those_that_are_not_known() {
    let types = json!([
        {"name": "A", "record": [{"name": "plain", "type": {"ref": 1}}, {"name": "full", "type": {"ref": 2}}]},
        {"name": "Plain", "enum": {"open": true, "variants": [{"name": "Unknown"}, {"name": "B"}]}},
        {"name": "Full", "enum": {"open": true, "variants": [{"name": "B", "tuple": ["u8"]}]}}]);
    let text = header(&echo(&types));
    assert!(text.contains("  unknown_ = 0,\n  b = 1,\n"), "{text}");
    assert!(text.contains("  unknown = 0xFFFF,\n"));
    assert!(text.contains("Choice<::little::Plain, 2, Variants::open>"));
    assert!(text.contains("struct Full : rustbridge::OneOf<FullB, FullUnknown> {"));
    assert!(text.contains("  using Unknown = FullUnknown;\n"));
    assert!(text.contains("Enum<::little::Full, 2, Size::varies, Variants::open>"));
}

#[test]
fn what_is_lent_goes_in_as_a_view() {
    let argument = |name: &str, ty: Value| json!({"name": name, "type": ty});
    let types = json!([{"name": "Send", "record": [
        argument("text", json!("string")), argument("bytes", json!("bytes")), argument("numbers", json!({"list": "f32"})),
        argument("texts", json!({"list": "string"})), argument("options", json!("u8")), argument("last", json!({"option": "u8"}))]}]);
    let contract = contract(
        &json!({"name": "little", "types": types, "methods": [{"name": "send", "entries": [
            {"index": 0, "encoding": "wire", "arguments": true, "async": true, "request": {"type": {"ref": 0}}, "response": {"type": "unit"}}]}]}),
    );
    let text = header(&contract);
    assert!(text.contains(
        "  void send(\n      std::string_view text,\n      std::span<const std::byte> bytes,\n      std::span<const float> numbers,\n      \
         const std::vector<std::string>& texts,\n      std::uint8_t options_,\n      std::optional<std::uint8_t> last = std::nullopt) const {\n"
    ), "{text}");
    assert!(text.contains("  std::future<void> send_async(\n"));
    assert!(text.contains("std::function<void(rustbridge::Outcome<void>)> done,\n"));
    assert!(!text.contains("struct Send"));
}

#[test]
fn services_are_classes_of_their_groups() {
    let service = |name: &str, optional: bool, request: Value| json!({"name": name, "encoding": "wire", "optional": optional, "request": {"type": request}, "response": {"type": "unit"}});
    let text = header(&contract(&json!({"name": "little", "services": [
        service("price_list.get", true, json!("string")), service("tell", false, json!("unit")), service("price_list.set", true, json!("u8"))]})));
    assert!(
        text.contains("class PriceList {\n public:\n  virtual ~PriceList() = default;\n"),
        "{text}"
    );
    assert!(text.contains("  virtual void get(const std::string& request) = 0;\n"));
    assert!(text.contains("class LittleServices {\n"));
    assert!(text.contains("  virtual void tell() = 0;\n"));
    assert!(text.contains("  std::shared_ptr<PriceList> price_list{};\n"));
    assert!(text.contains("rustbridge::typed_service<std::string, void>(\n"));
    // One that the plugin can't do without is given in any case.
    assert!(text.contains("load(const std::filesystem::path& path, rustbridge::Config config, const LittleHost& services) {"));
}

#[test]
fn what_a_client_cannot_do_is_named() {
    let text = header(&contract(&json!({"name": "little", "methods": [
        {"name": "in_json", "entries": [{"index": 0, "encoding": "json", "request": {}, "response": {}}]},
        {"name": "each", "entries": [{"index": 1, "encoding": "wire", "kind": "server_stream", "objects": true,
            "request": {"type": "unit"}, "response": {"type": {"object": "Thing"}}}]}]})));
    assert!(
        text.contains(
            "/// Not here, since they have no types or streams of objects: each, in_json.\n"
        ),
        "{text}"
    );
}
