//! The traits of objects in each language. That they work is tested there, with the client of `plugins/fixtures-plugin`.

use rustbridge_gen::{ClientSchema, Language, Options, generate};
use serde_json::{Value, json};

/// A plugin with an object `Shelf` that has all traits, and methods with names that operations have in some language, and an object
/// `Mark` that has equality and a text for programmers alone.
fn described() -> Value {
    let entry = |index: usize, receiver: &str, request: Value, response: Value, of: &str| {
        json!({"index": index, "encoding": "wire", "receiver": receiver, "parameter": "value",
            "request": {"type": request}, "response": {"type": response}, "trait": of})
    };
    let unit = || json!("unit");
    let shelf = || json!({"object": "Shelf"});
    let methods = [
        ("Shelf:display", unit(), json!("string"), "Display"),
        ("Shelf:debug", unit(), json!("string"), "Debug"),
        ("Shelf:eq", shelf(), json!("bool"), "Eq"),
        ("Shelf:hash", unit(), json!("u64"), "Hash"),
        ("Shelf:cmp", shelf(), json!("i8"), "Ord"),
        ("Shelf.books", unit(), json!("u32"), "len"),
        ("Shelf.each", unit(), json!("string"), "iter"),
        (
            "Mark:eq",
            json!({"object": "Mark"}),
            json!("bool"),
            "PartialEq",
        ),
        ("Mark:debug", unit(), json!("string"), "Debug"),
        ("Shelf.count", unit(), json!("u8"), ""),
        ("Shelf.size", unit(), json!("u8"), ""),
        ("Shelf.length", unit(), json!("u8"), ""),
        ("Shelf.equals", unit(), json!("u8"), ""),
        ("Shelf.equal", unit(), json!("u8"), ""),
        ("Shelf.compare_to", unit(), json!("u8"), ""),
        ("Shelf.try_eq", unit(), json!("u8"), ""),
        ("Shelf:beauty", unit(), json!("u8"), "Beauty"),
        ("Shelf.age", unit(), json!("u8"), "Age"),
    ];
    let methods = methods.into_iter().enumerate();
    let methods = methods.map(|(index, (name, request, response, of))| {
        let receiver = name.split(['.', ':']).next().unwrap();
        let mut entry = entry(index, receiver, request, response, of);
        if of == "iter" {
            entry["kind"] = "server_stream".into();
        }
        json!({"name": name, "entries": [entry]})
    });
    json!({"name": "p", "methods": methods.collect::<Vec<_>>()})
}

fn read(text: &Value) -> Result<ClientSchema, String> {
    ClientSchema::read(text.to_string().as_bytes()).map_err(|error| error.to_string())
}

fn text(language: Language) -> String {
    let files = generate(&read(&described()).unwrap(), language, &Options::default()).unwrap();
    let texts: Vec<String> = files.into_iter().map(|file| file.text).collect();
    texts.join("\n")
}

fn has(language: Language, expected: &[&str]) {
    let text = text(language);
    for expected in expected {
        assert!(text.contains(expected), "{expected}:\n{text}");
    }
    // A trait of a later version has no operation, and a method that is called for one is an ordinary method.
    let code = text.replace(":beauty", "");
    assert!(!code.to_lowercase().contains("beauty("), "{text}");
    assert!(code.to_lowercase().contains("age("), "{text}");
}

#[test]
fn python_has_special_methods() {
    has(
        Language::Python,
        &[
            "    def __str__(self) -> str:\n        return self._text(self._client._t_shelf__display)\n",
            "    def __repr__(self) -> str:\n        return self._text(self._client._t_mark__debug)\n",
            "        return self._equals(self._client._t_shelf__eq, other) if isinstance(other, Shelf) else NotImplemented\n",
            "    def __le__(self, other: Any) -> bool:\n",
            "    def __hash__(self) -> int:\n        answer: int = self._client._t_shelf__hash(None, None, self)\n",
            "    def __len__(self) -> int:\n        answer: int = self._client._o_shelf__books(None, None, self)\n",
            "    def __iter__(self) -> Iterator[str]:\n        return self._each(self._client._o_shelf__each(None, None, self))\n",
            "    def __aiter__(self) -> AsyncIterator[str]:\n",
        ],
    );
    let text = text(Language::Python);
    assert_eq!(text.matches("def __hash__").count(), 1, "{text}");
    assert!(!text.contains("def display"), "{text}");
}

#[test]
fn rust_implements_the_traits() {
    has(
        Language::Rust,
        &[
            "#[derive(Clone)]\npub struct Shelf(",
            "#[derive(Clone)]\npub struct Mark(",
            "typed::object::display!(Shelf, shelf_display);",
            "typed::object::debug!(Mark, mark_debug);",
            "typed::object::eq!(Shelf, shelf_eq, Eq);",
            "typed::object::eq!(Mark, mark_eq);",
            "typed::object::hash!(Shelf, shelf_hash);",
            "typed::object::ord!(Shelf, shelf_cmp);",
            "typed::object::iter!(Shelf, shelf_each, String, Error);",
            "pub fn try_eq_(&self)",
        ],
    );
}

#[test]
fn typescript_has_methods_with_the_usual_names() {
    has(
        Language::TypeScript,
        &[
            "  toString(): string {\n    return wire.textOf(\"Shelf\", this.untyped, this.#methods.shelfDisplay);\n",
            "  [Symbol.for(\"nodejs.util.inspect.custom\")](): string {\n",
            "  equals(other: unknown): boolean {\n",
            "  hashCode(): bigint {\n",
            "  compareTo(other: Shelf): number {\n",
            "  get length(): number {\n",
            "  [Symbol.asyncIterator](): wire.Items<string> {\n",
            "  equals_(options",
            "  length_(options",
            "  compareTo_(options",
        ],
    );
}

#[test]
fn csharp_has_operators_and_interfaces() {
    has(
        Language::CSharp,
        &[
            "public sealed class Shelf : IDisposable, IAsyncDisposable, IEquatable<Shelf>, IComparable<Shelf>, IAsyncEnumerable<string>\n",
            "public sealed class Mark : IDisposable, IAsyncDisposable, IEquatable<Mark>\n",
            "public override string ToString() =>\n        global::RustBridge.Wire.ObjectOperations.Text(\"Mark\", () => _client.m_mark___debug.",
            "public static bool operator ==(Shelf? left, Shelf? right) =>",
            "public static bool operator >=(Shelf? left, Shelf? right) =>",
            "public override int GetHashCode() =>\n        _client.m_shelf___hash.",
            "public override int GetHashCode() => typeof(Mark).GetHashCode();",
            "public int Count =>",
            "public byte Count_(",
            "public IAsyncEnumerator<string> GetAsyncEnumerator(",
        ],
    );
    assert!(!text(Language::CSharp).contains("m_shelf___debug"));
}

#[test]
fn cpp_has_operators_a_hash_and_a_range() {
    has(
        Language::Cpp,
        &[
            "  std::string to_string() const;\n",
            "  bool operator==(const Shelf& other) const;\n",
            "  std::strong_ordering operator<=>(const Shelf& other) const;\n",
            "struct std::hash<p::Shelf> {",
            "  std::uint64_t size() const;\n",
            "inline std::uint8_t Shelf::size_(",
            "  rustbridge::ItemIterator<std::string> begin() const;\n  std::default_sentinel_t end() const noexcept { return {}; }\n",
        ],
    );
}

#[test]
fn go_has_methods_with_the_usual_names() {
    has(
        Language::Go,
        &[
            "func (c *Shelf) String() string {\n",
            "func (c *Mark) GoString() string {\n",
            "func (c *Shelf) Equal(ctx context.Context, other *Shelf) (bool, error) {\n",
            "func (c *Shelf) Equal_(ctx context.Context) (uint8, error) {\n",
            "func (c *Shelf) Hash(ctx context.Context) (uint64, error) {\n",
            "func (c *Shelf) Compare(ctx context.Context, other *Shelf) (int, error) {\n",
            "func (c *Shelf) Len(ctx context.Context) (uint32, error) {\n",
            "func (c *Shelf) All(ctx context.Context) iter.Seq2[string, error] {\n",
        ],
    );
}

#[test]
fn java_and_kotlin_override_the_methods_of_every_object() {
    has(
        Language::Java,
        &[
            "public final class Shelf extends TypedObject implements Comparable<Shelf>, Iterable<String> {\n",
            "  public String toString() {\n    return text(() -> client.mark___debug.call(null, receiving(CallOptions.defaults())));\n",
            "    return other instanceof Shelf that\n        && isEqual(that, () -> client.shelf___eq.call(that, receiving(CallOptions.defaults())));\n",
            "    return Mark.class.hashCode();\n",
            "  public int compareTo(Shelf other) {\n",
            "  public long size() {\n",
            "  public Items<String> iterator() {\n",
            " size_() {\n",
        ],
    );
    has(
        Language::Kotlin,
        &[
            "TypedObject(untyped), Comparable<Shelf> {\n",
            "    override fun toString(): String =",
            "    override fun equals(other: Any?): Boolean =",
            "    override fun hashCode(): Int = Mark::class.hashCode()\n",
            "    override fun compareTo(other: Shelf): Int =",
            "    public val size: Int\n",
        ],
    );
}

#[test]
fn a_description_that_lies_about_a_trait_is_refused() {
    for (method, key, value, told) in [
        (
            2,
            "request",
            json!({"type": "unit"}),
            "`Shelf:eq`: its `trait` is `Eq`, expected a unary method with the request Object<Shelf>",
        ),
        (
            0,
            "async",
            json!(true),
            "`Shelf:display`: its `trait` is `Display`, expected",
        ),
        (
            5,
            "trait",
            json!("Display"),
            "called like the object's type and `:display`",
        ),
        (
            9,
            "trait",
            json!("len"),
            "`Shelf.count`: its `trait` is `len`, expected",
        ),
        (
            3,
            "receiver",
            json!(""),
            "`Shelf:hash`: its `trait` is `Hash`, expected a method of an object",
        ),
    ] {
        let mut text = described();
        text["methods"][method]["entries"][0][key] = value;
        let error = read(&text).unwrap_err();
        assert!(error.contains(told), "{told}: {error}");
    }
    let mut twice = described();
    twice["methods"][9]["entries"][0]["trait"] = "len".into();
    twice["methods"][9]["entries"][0]["response"]["type"] = "u32".into();
    let error = read(&twice).unwrap_err();
    let told = "`Shelf.books` and `Shelf.count` are both the `len` of `Shelf`";
    assert!(error.contains(told), "{error}");
}
