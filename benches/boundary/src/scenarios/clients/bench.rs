// Written by `rustbridge gen -l rust` of the plugin `bench`: write it anew by that, not by hand.
//! Methods that are there to be measured.

#![allow(
    dead_code,
    missing_docs,
    unused_imports,
    clippy::all,
    clippy::pedantic,
    rustdoc::all,
    reason = "names, prose and what there is are the plugin's"
)]

use std::path::PathBuf;

use rustbridge_host::{CallOptions, Error, Load, Plugin, typed};

/// Methods that are there to be measured.
///
/// Any thread may use it, any number at once. Copies are of the same; one that was loaded is closed with the last.
///
/// Not here, since they have no types or streams of objects: count, ticks, callback.
#[derive(Clone, Debug)]
pub struct Bench(typed::Caller<Methods>);

impl Bench {
    /// Loads the plugin from a file.
    ///
    /// # Errors
    /// If it can't be loaded, or isn't the plugin that this was written of: the error says what differs.
    pub fn load(path: impl Into<PathBuf>) -> Result<Self, Error> {
        Self::open(Load::path(path))
    }

    /// Loads the plugin as it's said, with a configuration, a name, a log.
    ///
    /// # Errors
    /// If it can't be loaded, or isn't the plugin that this was written of: the error says what differs.
    pub fn open(load: Load<'_>) -> Result<Self, Error> {
        typed::Caller::open(load).map(Self)
    }

    /// Calls an instance of the plugin, which goes on to belong to the caller.
    ///
    /// # Errors
    /// If it isn't the plugin that this was written of: the error says what differs.
    pub fn of(plugin: &Plugin) -> Result<Self, Error> {
        typed::Caller::of(plugin).map(Self)
    }

    /// The same, whose calls have these options: how much time there is, metadata, a trace.
    #[must_use]
    pub fn with_options(&self, options: CallOptions) -> Self {
        Self(self.0.with_options(options))
    }

    /// Does nothing.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn void(&self) -> Result<(), Error> {
        self.0.call_raw(&self.0.methods.void, &[])
    }

    /// Divides two integers; the quotient is a double.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn div(&self, request: Division) -> Result<Quotient, Error> {
        self.0.call(&self.0.methods.div, &request)
    }

    /// Adds 41: the answer to 23 is 64.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn get_answer(&self, request: Value) -> Result<Value, Error> {
        self.0.call(&self.0.methods.get_answer, &request)
    }

    /// Joins texts by commas.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn join(&self, request: &Parts) -> Result<Joined, Error> {
        self.0.call(&self.0.methods.join, request)
    }

    /// Answers with what it was sent, values of any types.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn any(&self, request: &Values) -> Result<Values, Error> {
        self.0.call(&self.0.methods.any, request)
    }

    /// Divides, as generated clients call it: by the language's own types.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn divide(&self, a: i64, b: i64) -> Result<f64, Error> {
        self.0.call(&self.0.methods.divide, &(a, b))
    }

    /// The same answer as `get_answer`, from a number to a number.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn answer_to(&self, question: i32) -> Result<i32, Error> {
        self.0.call(&self.0.methods.answer_to, &question)
    }

    /// Joins texts by commas, from a list to a text.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn join_texts(&self, parts: &[String]) -> Result<String, Error> {
        self.0.call(&self.0.methods.join_texts, parts)
    }

    /// Adds numbers up, wrapping, from a list to a number.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn add_up(&self, numbers: &[i64]) -> Result<i64, Error> {
        self.0.call(&self.0.methods.add_up, numbers)
    }

    /// Greets somebody: a text in a record, there and back.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn greet(&self, person: &Person) -> Result<Greeting, Error> {
        self.0.call(&self.0.methods.greet, person)
    }

    /// Gives the reading that would follow: a record of numbers, there and back.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn next_reading(&self, reading: &Reading) -> Result<Reading, Error> {
        self.0.call(&self.0.methods.next_reading, reading)
    }

    /// Makes every second item half as dear: a list of records, there and back.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn discount(&self, items_: &[Item]) -> Result<Vec<Item>, Error> {
        self.0.call(&self.0.methods.discount, items_)
    }

    /// Gives the shape around another: an enum with data, there and back.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn around(&self, shape: &Shape) -> Result<Shape, Error> {
        self.0.call(&self.0.methods.around, shape)
    }

    /// Doubles numbers: a list of them, there and back.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn twice(&self, numbers: &[f64]) -> Result<Vec<f64>, Error> {
        self.0.call(&self.0.methods.twice, numbers)
    }

    /// Adds packed little-endian `i64` up, wrapping; the answer is one of them.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn sum(&self, request: &[u8]) -> Result<Vec<u8>, Error> {
        self.0.call_raw(&self.0.methods.sum, request)
    }

    /// Takes a count as a little-endian `u32`, at most 2^21, and answers as many packed `i64`, from 1.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn numbers(&self, request: &[u8]) -> Result<Vec<u8>, Error> {
        self.0.call_raw(&self.0.methods.numbers, request)
    }

    /// Answers with the bytes it was sent.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn echo_bytes(&self, request: &[u8]) -> Result<Vec<u8>, Error> {
        self.0.call_raw(&self.0.methods.echo_bytes, request)
    }

    /// Takes a size as a little-endian `u32`, at most 16 MiB, and answers that many bytes of a cache that all answers share.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn get_blob(&self, request: &[u8]) -> Result<Vec<u8>, Error> {
        self.0.call_raw(&self.0.methods.get_blob, request)
    }

    /// Makes 34 students: 4,760 structs with 46,410 strings, the same ones on each call.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn get_structs(&self) -> Result<Students, Error> {
        self.0.call(&self.0.methods.get_structs, &())
    }

    /// Adds 41: what `ready`, `later` and `Adder.add` do as well, in other ways.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn plain(&self, request: Value) -> Result<Value, Error> {
        self.0.call(&self.0.methods.plain, &request)
    }

    /// The same in an async handler that never waits.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn ready(&self, request: Value) -> Result<Value, Error> {
        self.0.call(&self.0.methods.ready, &request)
    }

    /// The same in an async handler that never waits.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub async fn ready_async(&self, request: Value) -> Result<Value, Error> {
        self.0.call_async(&self.0.methods.ready, &request).await
    }

    /// The same after it has let others run once.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn later(&self, request: Value) -> Result<Value, Error> {
        self.0.call(&self.0.methods.later, &request)
    }

    /// The same after it has let others run once.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub async fn later_async(&self, request: Value) -> Result<Value, Error> {
        self.0.call_async(&self.0.methods.later, &request).await
    }

    /// Never ends by itself.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn never(&self) -> Result<(), Error> {
        self.0.call_raw(&self.0.methods.never, &[])
    }

    /// Never ends by itself.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub async fn never_async(&self) -> Result<(), Error> {
        self.0.call_raw_async(&self.0.methods.never, &[]).await
    }

    /// An object that adds 41.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn adder(&self) -> Result<Vec<u8>, Error> {
        self.0.call_raw(&self.0.methods.adder, &[])
    }

    /// MetaFFI's object.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn some_class(&self, name: &str) -> Result<Vec<u8>, Error> {
        self.0.call_raw(&self.0.methods.some_class, name.as_bytes())
    }

    /// Has its host answer, by the service `numbers.answer`.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn ask(&self, request: Value) -> Result<Value, Error> {
        self.0.call(&self.0.methods.ask, &request)
    }

    /// The same by the service `numbers.answer_later`, awaited.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn ask_later(&self, request: Value) -> Result<Value, Error> {
        self.0.call(&self.0.methods.ask_later, &request)
    }

    /// The same by the service `numbers.answer_later`, awaited.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub async fn ask_later_async(&self, request: Value) -> Result<Value, Error> {
        self.0.call_async(&self.0.methods.ask_later, &request).await
    }

    /// What `ask` does, by the bare address in the configuration.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn ask_by_hand(&self, request: Value) -> Result<Value, Error> {
        self.0.call(&self.0.methods.ask_by_hand, &request)
    }

    /// What `ask_later` does, by the bare address in the configuration.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn ask_by_hand_later(&self, request: Value) -> Result<Value, Error> {
        self.0.call(&self.0.methods.ask_by_hand_later, &request)
    }

    /// What `ask_later` does, by the bare address in the configuration.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub async fn ask_by_hand_later_async(&self, request: Value) -> Result<Value, Error> {
        self.0
            .call_async(&self.0.methods.ask_by_hand_later, &request)
            .await
    }
}

/// A `Adder` of the plugin's, which is given back with the last copy of this. It stands in messages like any value.
#[derive(Clone, Debug, PartialEq)]
pub struct Adder(typed::Caller<Methods>);

impl Adder {
    /// The same, whose calls have these options: how much time there is, metadata, a trace.
    #[must_use]
    pub fn with_options(&self, options: CallOptions) -> Self {
        Self(self.0.with_options(options))
    }

    /// Adds.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn add(&self, request: Value) -> Result<Value, Error> {
        self.0.call(&self.0.methods.adder_add, &request)
    }
}

typed::object::wire!(Adder, "Adder");

/// A `SomeClass` of the plugin's, which is given back with the last copy of this. It stands in messages like any value.
#[derive(Clone, Debug, PartialEq)]
pub struct SomeClass(typed::Caller<Methods>);

impl SomeClass {
    /// The same, whose calls have these options: how much time there is, metadata, a trace.
    #[must_use]
    pub fn with_options(&self, options: CallOptions) -> Self {
        Self(self.0.with_options(options))
    }

    /// Greets.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn greet(&self) -> Result<String, Error> {
        self.0.call_raw(&self.0.methods.some_class_greet, &[])
    }
}

typed::object::wire!(SomeClass, "SomeClass");

#[derive(Debug)]
struct Methods {
    void: typed::Method,
    div: typed::Method,
    get_answer: typed::Method,
    join: typed::Method,
    any: typed::Method,
    divide: typed::Method,
    answer_to: typed::Method,
    join_texts: typed::Method,
    add_up: typed::Method,
    greet: typed::Method,
    next_reading: typed::Method,
    discount: typed::Method,
    around: typed::Method,
    twice: typed::Method,
    sum: typed::Method,
    numbers: typed::Method,
    echo_bytes: typed::Method,
    get_blob: typed::Method,
    get_structs: typed::Method,
    plain: typed::Method,
    ready: typed::Method,
    later: typed::Method,
    never: typed::Method,
    adder: typed::Method,
    some_class: typed::Method,
    ask: typed::Method,
    ask_later: typed::Method,
    ask_by_hand: typed::Method,
    ask_by_hand_later: typed::Method,
    adder_add: typed::Method,
    some_class_greet: typed::Method,
}

impl typed::Methods for Methods {
    fn prepare(plugin: &Plugin) -> Result<Self, Error> {
        let method =
            |name, fingerprint| typed::Method::prepare(plugin, name, fingerprint, CONTRACT);
        Ok(Self {
            void: method("void", "5daf951a6eb331f36b3eaa130b47e405")?,
            div: method("div", "3b827e20b7cc0b275e81da2370021ee9")?,
            get_answer: method("get_answer", "f0c2e52034985582f2b6e748ecddfa1d")?,
            join: method("join", "cc8f24167851a1fe1bc7a2feb0424ff5")?,
            any: method("any", "73dbbb6b5050606ae695478dbc36dc62")?,
            divide: method("divide", "2cc7b1d070e905f6b0b647a5e592ccc6")?,
            answer_to: method("answer_to", "e1c392b728732e03f914106ed09a4f70")?,
            join_texts: method("join_texts", "3e4245726c7d197143133c7b89dc48b6")?,
            add_up: method("add_up", "bc1781f8cfcb8ee1d446185cffdf997c")?,
            greet: method("greet", "aa02cc6e002855b5f822eb6fbdc8214a")?,
            next_reading: method("next_reading", "edba43a9b2ee052fb82422657014a174")?,
            discount: method("discount", "9778e4774dd23969ea7c1ef2c2c0c11a")?,
            around: method("around", "d59e7b46bacc4ea8f7419b3ab054552d")?,
            twice: method("twice", "d44b8782b9348016131b260d1783fb49")?,
            sum: method("sum", "b1affe665f93447761c2c003f4aaec26")?,
            numbers: method("numbers", "b1affe665f93447761c2c003f4aaec26")?,
            echo_bytes: method("echo_bytes", "b1affe665f93447761c2c003f4aaec26")?,
            get_blob: method("get_blob", "b1affe665f93447761c2c003f4aaec26")?,
            get_structs: method("get_structs", "88ae0f1203707c7d8bb6c9d73a817b6f")?,
            plain: method("plain", "f0c2e52034985582f2b6e748ecddfa1d")?,
            ready: method("ready", "f0c2e52034985582f2b6e748ecddfa1d")?,
            later: method("later", "f0c2e52034985582f2b6e748ecddfa1d")?,
            never: method("never", "5daf951a6eb331f36b3eaa130b47e405")?,
            adder: method("adder", "aaee54f20060ca765edf811e8ff746d2")?,
            some_class: method("some_class", "dd541130f82a84c26844095adfda7f83")?,
            ask: method("ask", "f0c2e52034985582f2b6e748ecddfa1d")?,
            ask_later: method("ask_later", "f0c2e52034985582f2b6e748ecddfa1d")?,
            ask_by_hand: method("ask_by_hand", "f0c2e52034985582f2b6e748ecddfa1d")?,
            ask_by_hand_later: method("ask_by_hand_later", "f0c2e52034985582f2b6e748ecddfa1d")?,
            adder_add: method("Adder.add", "1a15ed3551d301e402e8f59eb5332bdd")?,
            some_class_greet: method("SomeClass.greet", "5e485a7203436d952f7fc6700ce6522d")?,
        })
    }
}

/// What this was written from, to be compared with the plugin.
const CONTRACT: &str = concat!(
    r#"{"methods":[{"entries":[{"arguments":false,"encoding":"raw","error":null,"index":1,""#,
    r#"items":null,"kind":"unary","parameter":"","receiver":"","request":{"type":"unit"},"r"#,
    r#"esponse":{"type":"unit"}}],"name":"void"},{"entries":[{"arguments":false,"encoding":"#,
    r#""wire","error":null,"index":13,"items":null,"kind":"unary","parameter":"request","re"#,
    r#"ceiver":"","request":{"type":{"ref":1}},"response":{"type":{"ref":2}}}],"name":"div""#,
    r#"},{"entries":[{"arguments":false,"encoding":"wire","error":null,"index":20,"items":n"#,
    r#"ull,"kind":"unary","parameter":"request","receiver":"","request":{"type":{"ref":3}},"#,
    r#""response":{"type":{"ref":3}}}],"name":"get_answer"},{"entries":[{"arguments":false,"#,
    r#""encoding":"wire","error":null,"index":27,"items":null,"kind":"unary","parameter":"r"#,
    r#"equest","receiver":"","request":{"type":{"ref":4}},"response":{"type":{"ref":5}}}],""#,
    r#"name":"join"},{"entries":[{"arguments":false,"encoding":"wire","error":null,"index":"#,
    r#"34,"items":null,"kind":"unary","parameter":"request","receiver":"","request":{"type""#,
    r#":{"ref":6}},"response":{"type":{"ref":6}}}],"name":"any"},{"entries":[{"arguments":t"#,
    r#"rue,"encoding":"wire","error":null,"index":41,"items":null,"kind":"unary","parameter"#,
    r#"":"","receiver":"","request":{"type":{"ref":7}},"response":{"type":"f64"}}],"name":""#,
    r#"divide"},{"entries":[{"arguments":false,"encoding":"wire","error":null,"index":48,"i"#,
    r#"tems":null,"kind":"unary","parameter":"question","receiver":"","request":{"type":"i3"#,
    r#"2"},"response":{"type":"i32"}}],"name":"answer_to"},{"entries":[{"arguments":false,""#,
    r#"encoding":"wire","error":null,"index":55,"items":null,"kind":"unary","parameter":"pa"#,
    r#"rts","receiver":"","request":{"type":{"list":"string"}},"response":{"type":"string"}"#,
    r#"}],"name":"join_texts"},{"entries":[{"arguments":false,"encoding":"wire","error":nul"#,
    r#"l,"index":62,"items":null,"kind":"unary","parameter":"numbers","receiver":"","reques"#,
    r#"t":{"type":{"list":"i64"}},"response":{"type":"i64"}}],"name":"add_up"},{"entries":["#,
    r#"{"arguments":false,"encoding":"wire","error":null,"index":69,"items":null,"kind":"un"#,
    r#"ary","parameter":"person","receiver":"","request":{"type":{"ref":8}},"response":{"ty"#,
    r#"pe":{"ref":9}}}],"name":"greet"},{"entries":[{"arguments":false,"encoding":"wire","e"#,
    r#"rror":null,"index":76,"items":null,"kind":"unary","parameter":"reading","receiver":""#,
    r#"","request":{"type":{"ref":10}},"response":{"type":{"ref":10}}}],"name":"next_readin"#,
    r#"g"},{"entries":[{"arguments":false,"encoding":"wire","error":null,"index":83,"items""#,
    r#":null,"kind":"unary","parameter":"items","receiver":"","request":{"type":{"list":{"r"#,
    r#"ef":11}}},"response":{"type":{"list":{"ref":11}}}}],"name":"discount"},{"entries":[{"#,
    r#""arguments":false,"encoding":"wire","error":null,"index":90,"items":null,"kind":"una"#,
    r#"ry","parameter":"shape","receiver":"","request":{"type":{"ref":12}},"response":{"typ"#,
    r#"e":{"ref":12}}}],"name":"around"},{"entries":[{"arguments":false,"encoding":"wire",""#,
    r#"error":null,"index":97,"items":null,"kind":"unary","parameter":"numbers","receiver":"#,
    r#""","request":{"type":{"list":"f64"}},"response":{"type":{"list":"f64"}}}],"name":"tw"#,
    r#"ice"},{"entries":[{"arguments":false,"encoding":"raw","error":null,"index":99,"items"#,
    r#"":null,"kind":"unary","parameter":"request","receiver":"","request":{"type":"bytes"}"#,
    r#","response":{"type":"bytes"}}],"name":"sum"},{"entries":[{"arguments":false,"encodin"#,
    r#"g":"raw","error":null,"index":106,"items":null,"kind":"unary","parameter":"request","#,
    r#""receiver":"","request":{"type":"bytes"},"response":{"type":"bytes"}}],"name":"numbe"#,
    r#"rs"},{"entries":[{"arguments":false,"encoding":"raw","error":null,"index":113,"items"#,
    r#"":null,"kind":"unary","parameter":"request","receiver":"","request":{"type":"bytes"}"#,
    r#","response":{"type":"bytes"}}],"name":"echo_bytes"},{"entries":[{"arguments":false,""#,
    r#"encoding":"raw","error":null,"index":120,"items":null,"kind":"unary","parameter":"re"#,
    r#"quest","receiver":"","request":{"type":"bytes"},"response":{"type":"bytes"}}],"name""#,
    r#":"get_blob"},{"entries":[{"arguments":false,"encoding":"wire","error":null,"index":1"#,
    r#"32,"items":null,"kind":"unary","parameter":"","receiver":"","request":{"type":"unit""#,
    r#"},"response":{"type":{"ref":13}}}],"name":"get_structs"},{"entries":[{"arguments":fa"#,
    r#"lse,"encoding":"wire","error":null,"index":139,"items":null,"kind":"unary","paramete"#,
    r#"r":"request","receiver":"","request":{"type":{"ref":3}},"response":{"type":{"ref":3}"#,
    r#"}}],"name":"plain"},{"entries":[{"arguments":false,"encoding":"wire","error":null,"i"#,
    r#"ndex":146,"items":null,"kind":"unary","parameter":"request","receiver":"","request":"#,
    r#"{"type":{"ref":3}},"response":{"type":{"ref":3}}}],"name":"ready"},{"entries":[{"arg"#,
    r#"uments":false,"encoding":"wire","error":null,"index":153,"items":null,"kind":"unary""#,
    r#","parameter":"request","receiver":"","request":{"type":{"ref":3}},"response":{"type""#,
    r#":{"ref":3}}}],"name":"later"},{"entries":[{"arguments":false,"encoding":"raw","error"#,
    r#"":null,"index":155,"items":null,"kind":"unary","parameter":"","receiver":"","request"#,
    r#"":{"type":"unit"},"response":{"type":"unit"}}],"name":"never"},{"entries":[{"argumen"#,
    r#"ts":false,"encoding":"raw","error":null,"index":176,"items":null,"kind":"unary","par"#,
    r#"ameter":"","receiver":"","request":{"type":"unit"},"response":{"type":"bytes"}}],"na"#,
    r#"me":"adder"},{"entries":[{"arguments":false,"encoding":"raw","error":null,"index":18"#,
    r#"3,"items":null,"kind":"unary","parameter":"name","receiver":"","request":{"type":"st"#,
    r#"ring"},"response":{"type":"bytes"}}],"name":"some_class"},{"entries":[{"arguments":f"#,
    r#"alse,"encoding":"wire","error":null,"index":195,"items":null,"kind":"unary","paramet"#,
    r#"er":"request","receiver":"","request":{"type":{"ref":3}},"response":{"type":{"ref":3"#,
    r#"}}}],"name":"ask"},{"entries":[{"arguments":false,"encoding":"wire","error":null,"in"#,
    r#"dex":202,"items":null,"kind":"unary","parameter":"request","receiver":"","request":{"#,
    r#""type":{"ref":3}},"response":{"type":{"ref":3}}}],"name":"ask_later"},{"entries":[{""#,
    r#"arguments":false,"encoding":"wire","error":null,"index":216,"items":null,"kind":"una"#,
    r#"ry","parameter":"request","receiver":"","request":{"type":{"ref":3}},"response":{"ty"#,
    r#"pe":{"ref":3}}}],"name":"ask_by_hand"},{"entries":[{"arguments":false,"encoding":"wi"#,
    r#"re","error":null,"index":223,"items":null,"kind":"unary","parameter":"request","rece"#,
    r#"iver":"","request":{"type":{"ref":3}},"response":{"type":{"ref":3}}}],"name":"ask_by"#,
    r#"_hand_later"},{"entries":[{"arguments":false,"encoding":"wire","error":null,"index":"#,
    r#"230,"items":null,"kind":"unary","parameter":"request","receiver":"Adder","request":{"#,
    r#""type":{"ref":3}},"response":{"type":{"ref":3}}}],"name":"Adder.add"},{"entries":[{""#,
    r#"arguments":false,"encoding":"raw","error":null,"index":232,"items":null,"kind":"unar"#,
    r#"y","parameter":"","receiver":"SomeClass","request":{"type":"unit"},"response":{"type"#,
    r#"":"string"}}],"name":"SomeClass.greet"}],"name":"bench","types":[{"name":"BenchConfi"#,
    r#"g","record":[{"default":true,"name":"upcall","type":"u64"}]},{"name":"Division","pod"#,
    r#"":[{"name":"a","type":"i64"},{"name":"b","type":"i64"}]},{"name":"Quotient","pod":[{"#,
    r#""name":"quotient","type":"f64"}]},{"name":"Value","pod":[{"name":"value","type":"i32"#,
    r#""}]},{"name":"Parts","record":[{"name":"parts","type":{"list":"string"}}]},{"name":""#,
    r#"Joined","record":[{"name":"text","type":"string"}]},{"name":"Values","record":[{"nam"#,
    r#"e":"values","type":{"list":"any"}}]},{"name":"DivideParameters","record":[{"name":"a"#,
    r#"","type":"i64"},{"name":"b","type":"i64"}]},{"name":"Person","record":[{"name":"name"#,
    r#"","type":"string"}]},{"name":"Greeting","record":[{"name":"text","type":"string"}]},"#,
    r#"{"name":"Reading","record":[{"name":"instrument","type":"u32"},{"name":"at","type":""#,
    r#"i64"},{"name":"low","type":"f64"},{"name":"high","type":"f64"},{"name":"weight","typ"#,
    r#"e":"f32"},{"name":"count","type":"u16"}]},{"name":"Item","record":[{"name":"number","#,
    r#""type":"u32"},{"name":"name","type":"string"},{"name":"price","type":"f64"}]},{"enum"#,
    r#"":{"variants":[{"fields":[{"name":"radius","type":"f64"}],"name":"Circle"},{"fields""#,
    r#":[{"name":"width","type":"f64"},{"name":"height","type":"f64"}],"name":"Rectangle"},"#,
    r#"{"fields":[{"name":"text","type":"string"}],"name":"Label"}]},"name":"Shape"},{"name"#,
    r#"":"Students","record":[{"name":"students","type":{"list":{"ref":14}}}]},{"name":"Stu"#,
    r#"dent","record":[{"name":"name","type":"string"},{"name":"friends","type":"i32"},{"na"#,
    r#"me":"home","type":{"ref":15}},{"name":"birth","type":{"ref":15}},{"name":"date","typ"#,
    r#"e":{"ref":16}},{"name":"subjects","type":{"list":{"ref":17}}},{"name":"emails","type"#,
    r#"":{"list":"string"}},{"name":"schools","type":{"list":{"ref":18}}}]},{"name":"Addres"#,
    r#"s","record":[{"name":"city","type":"string"},{"name":"zip","type":"i32"},{"name":"st"#,
    r#"reet","type":"string"},{"name":"number","type":"i16"}]},{"name":"Date","record":[{"n"#,
    r#"ame":"year","type":"i32"},{"name":"month","type":"i32"},{"name":"day","type":"i32"}]"#,
    r#"},{"name":"Subject","record":[{"name":"id","type":"i32"},{"name":"title","type":"str"#,
    r#"ing"},{"name":"text","type":"string"}]},{"name":"School","record":[{"name":"name","t"#,
    r#"ype":"string"},{"name":"address","type":{"ref":15}},{"name":"date","type":{"ref":16}"#,
    r#"},{"name":"emails","type":{"list":"string"}}]}],"version":"0.1.0"}"#,
);

/// Two numbers to divide.
#[derive(Clone, Copy, Debug, PartialEq, typed::Wire)]
#[wire(pod)]
#[repr(C)]
pub struct Division {
    /// What is divided.
    pub a: i64,
    /// By what.
    pub b: i64,
}

/// A quotient.
#[derive(Clone, Copy, Debug, PartialEq, typed::Wire)]
#[wire(pod)]
#[repr(C)]
pub struct Quotient {
    /// The quotient.
    pub quotient: f64,
}

/// A question, and its answer.
#[derive(Clone, Copy, Debug, PartialEq, typed::Wire)]
#[wire(pod)]
#[repr(C)]
pub struct Value {
    /// The number.
    pub value: i32,
}

/// Texts to join.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub struct Parts {
    /// The texts.
    pub parts: Vec<String>,
}

/// Joined texts.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub struct Joined {
    /// All of them.
    pub text: String,
}

/// A list of values whose types only the values themselves know.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub struct Values {
    /// The values.
    pub values: Vec<typed::Value>,
}

/// Somebody to greet.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub struct Person {
    /// What they're called.
    pub name: String,
}

/// How somebody is greeted.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub struct Greeting {
    /// What is said.
    pub text: String,
}

/// What an instrument has measured: numbers of different widths.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub struct Reading {
    /// Which instrument it was.
    pub instrument: u32,
    /// When, in seconds.
    pub at: i64,
    /// The least.
    pub low: f64,
    /// The most.
    pub high: f64,
    /// How much it counts.
    pub weight: f32,
    /// How often it was measured.
    pub count: u16,
}

/// Something that's sold.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub struct Item {
    /// Which one it is.
    pub number: u32,
    /// What it's called.
    pub name: String,
    /// What it costs.
    pub price: f64,
}

/// Something that can be drawn.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub enum Shape {
    /// Round.
    Circle {
        /// From the middle to the line.
        radius: f64,
    },
    /// With four corners.
    Rectangle {
        /// From left to right.
        width: f64,
        /// From top to bottom.
        height: f64,
    },
    /// Text.
    Label {
        /// What it says.
        text: String,
    },
}

/// All students.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub struct Students {
    /// 34 of them.
    pub students: Vec<Student>,
}

/// A student.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub struct Student {
    /// 43 characters.
    pub name: String,
    /// From 0 to 599.
    pub friends: i32,
    /// Where the student lives.
    pub home: Address,
    /// Where the student was born.
    pub birth: Address,
    /// When the student was born.
    pub date: Date,
    /// 34 of them.
    pub subjects: Vec<Subject>,
    /// 34 of 37 characters.
    pub emails: Vec<String>,
    /// 34 of them.
    pub schools: Vec<School>,
}

/// A place.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub struct Address {
    /// 12 characters.
    pub city: String,
    /// From 5000 to 7999.
    pub zip: i32,
    /// 16 characters.
    pub street: String,
    /// From 1 to 125.
    pub number: i16,
}

/// A day.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub struct Date {
    /// From 1900 to 1929.
    pub year: i32,
    /// From 1 to 12.
    pub month: i32,
    /// From 1 to 30.
    pub day: i32,
}

/// What is taught.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub struct Subject {
    /// From 0 to 28344.
    pub id: i32,
    /// 22 characters.
    pub title: String,
    /// 16 characters.
    pub text: String,
}

/// A school.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub struct School {
    /// 36 characters.
    pub name: String,
    /// Where it is.
    pub address: Address,
    /// Since when it has been there.
    pub date: Date,
    /// 34 of 37 characters.
    pub emails: Vec<String>,
}
