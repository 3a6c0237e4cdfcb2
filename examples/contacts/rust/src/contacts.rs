// Written by `rustbridge gen -l rust` of the plugin `contacts`: write it anew by that, not by hand.
//! Keeps people, and says how they are reached.

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
use std::sync::Arc;

use rustbridge_host::{CallOptions, Error, Load, Plugin, typed};

/// Keeps people, and says how they are reached.
///
/// Any thread may use it, any number at once. Copies are of the same; one that was loaded is closed with the last.
#[derive(Clone, Debug)]
pub struct Contacts(typed::Caller<Methods>);

impl Contacts {
    /// Loads the plugin from a file.
    ///
    /// # Errors
    /// If it can't be loaded, or isn't the plugin that this was written of: the error says what differs.
    pub fn load(path: impl Into<PathBuf>, services: &Services) -> Result<Self, Error> {
        Self::open(Load::path(path), services)
    }

    /// Loads the plugin as it's said, with a configuration, a name, a log.
    ///
    /// # Errors
    /// If it can't be loaded, or isn't the plugin that this was written of: the error says what differs.
    pub fn open(load: Load<'_>, services: &Services) -> Result<Self, Error> {
        typed::Caller::open(services.register(load)).map(Self)
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

    /// Keeps somebody, and says how many there are.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn add(&self, contact: &Contact) -> Result<u32, Error> {
        self.0.call(&self.0.methods.add, contact)
    }

    /// Those who are kept under something, in the order in which they came.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn find(&self, query: &Query) -> Result<Vec<Contact>, Error> {
        self.0.call(&self.0.methods.find, query)
    }

    /// Gives somebody another name, and says whether there was anybody of the old one.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn rename(&self, from: &str, to: &str) -> Result<bool, Error> {
        self.0.call(&self.0.methods.rename, &(from, to))
    }

    /// Keeps a picture of somebody.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn portray(&self, portrait: &Portrait, image: &[u8]) -> Result<(), Error> {
        self.0.call(&self.0.methods.portray, &(portrait, image))
    }

    /// The picture of somebody.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn portrait(&self, name: &str) -> Result<(Portrait, Vec<u8>), Error> {
        self.0.call(&self.0.methods.portrait, name)
    }

    /// The place between others.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn middle(&self, places: &[Place]) -> Result<Place, Error> {
        self.0.call(&self.0.methods.middle, places)
    }

    /// How far it is from a place to where somebody is at home, if the host knows that.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn distance(&self, name: &str, from: Place) -> Result<Option<f64>, Error> {
        self.0.call(&self.0.methods.distance, &(name, from))
    }

    /// Tries to reach somebody, which takes its time.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn reach(&self, contact: &Contact) -> Result<String, typed::Failure<ReachError>> {
        self.0.call(&self.0.methods.reach, contact)
    }

    /// Tries to reach somebody, which takes its time.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub async fn reach_async(
        &self,
        contact: &Contact,
    ) -> Result<String, typed::Failure<ReachError>> {
        self.0.call_async(&self.0.methods.reach, contact).await
    }
}

#[derive(Debug)]
struct Methods {
    add: typed::Method,
    find: typed::Method,
    rename: typed::Method,
    portray: typed::Method,
    portrait: typed::Method,
    middle: typed::Method,
    distance: typed::Method,
    reach: typed::Method,
}

impl typed::Methods for Methods {
    fn prepare(plugin: &Plugin) -> Result<Self, Error> {
        let method =
            |name, fingerprint| typed::Method::prepare(plugin, name, fingerprint, CONTRACT);
        Ok(Self {
            add: method("add", "e189faf3207eb1aa1ff6be031894c964")?,
            find: method("find", "f3d894417c2dfb6e7e6bee53adf9af7c")?,
            rename: method("rename", "1c6fb897ddf902ba836bf7fb477401bb")?,
            portray: method("portray", "339db6638ef17b7cb62ea0a99578d507")?,
            portrait: method("portrait", "9646ce6165974d6f4d1fa17fb77789f1")?,
            middle: method("middle", "5fd159d99e58b0572b26a363b45a2911")?,
            distance: method("distance", "d08c1a9136bce97a21e6196d3abdcbb6")?,
            reach: method("reach", "097bfde90545b52d70e76f1f4e56f844")?,
        })
    }
}

/// What this was written from, to be compared with the plugin.
const CONTRACT: &str = concat!(
    r#"{"methods":[{"entries":[{"arguments":false,"encoding":"wire","error":null,"index":6,"#,
    r#""items":null,"kind":"unary","parameter":"contact","receiver":"","request":{"type":{""#,
    r#"ref":0}},"response":{"type":"u32"}}],"name":"add"},{"entries":[{"arguments":false,"e"#,
    r#"ncoding":"wire","error":null,"index":13,"items":null,"kind":"unary","parameter":"que"#,
    r#"ry","receiver":"","request":{"type":{"ref":2}},"response":{"type":{"list":{"ref":0}}"#,
    r#"}}],"name":"find"},{"entries":[{"arguments":true,"encoding":"wire","error":null,"ind"#,
    r#"ex":20,"items":null,"kind":"unary","parameter":"","receiver":"","request":{"type":{""#,
    r#"ref":3}},"response":{"type":"bool"}}],"name":"rename"},{"entries":[{"arguments":true"#,
    r#","encoding":"wire","error":null,"index":27,"items":null,"kind":"unary","parameter":""#,
    r#"","receiver":"","request":{"type":{"ref":4}},"response":{"type":"unit"}}],"name":"po"#,
    r#"rtray"},{"entries":[{"arguments":false,"encoding":"wire","error":null,"index":34,"it"#,
    r#"ems":null,"kind":"unary","parameter":"name","receiver":"","request":{"type":"string""#,
    r#"},"response":{"type":{"tuple":[{"ref":5},"bytes"]}}}],"name":"portrait"},{"entries":"#,
    r#"[{"arguments":false,"encoding":"wire","error":null,"index":41,"items":null,"kind":"u"#,
    r#"nary","parameter":"places","receiver":"","request":{"type":{"list":{"ref":6}}},"resp"#,
    r#"onse":{"type":{"ref":6}}}],"name":"middle"},{"entries":[{"arguments":true,"encoding""#,
    r#":"wire","error":null,"index":48,"items":null,"kind":"unary","parameter":"","receiver"#,
    r#"":"","request":{"type":{"ref":7}},"response":{"type":{"option":"f64"}}}],"name":"dis"#,
    r#"tance"},{"entries":[{"arguments":false,"encoding":"wire","error":{"type":{"ref":8}},"#,
    r#""index":55,"items":null,"kind":"unary","parameter":"contact","receiver":"","request""#,
    r#":{"type":{"ref":0}},"response":{"type":"string"}}],"name":"reach"}],"name":"contacts"#,
    r#"","services":[{"encoding":"wire","name":"registry.home","optional":true,"request":{""#,
    r#"type":"string"},"response":{"type":{"option":{"ref":6}}}}],"types":[{"name":"Contact"#,
    r#"","record":[{"name":"name","type":"string"},{"name":"reached","type":{"ref":1}},{"na"#,
    r#"me":"tags","type":{"list":"string"}},{"name":"age","type":{"option":"u32"}}]},{"enum"#,
    r#"":{"variants":[{"fields":[{"name":"address","type":"string"}],"name":"Email"},{"fiel"#,
    r#"ds":[{"name":"country","type":"u16"},{"name":"number","type":"string"}],"name":"Phon"#,
    r#"e"},{"name":"Nowhere"}]},"name":"Reach"},{"name":"Query","record":[{"name":"tag","ty"#,
    r#"pe":"string"},{"default":true,"name":"at_most","type":"u32"}]},{"name":"RenameParame"#,
    r#"ters","record":[{"name":"from","type":"string"},{"name":"to","type":"string"}]},{"na"#,
    r#"me":"PortrayParameters","record":[{"name":"portrait","type":{"ref":5}},{"name":"imag"#,
    r#"e","type":"bytes"}]},{"name":"Portrait","record":[{"name":"name","type":"string"},{""#,
    r#"name":"media_type","type":"string"}]},{"name":"Place","pod":[{"name":"x","type":"f64"#,
    r#""},{"name":"y","type":"f64"}]},{"name":"DistanceParameters","record":[{"name":"name""#,
    r#","type":"string"},{"name":"from","type":{"ref":6}}]},{"enum":{"variants":[{"fields":"#,
    r#"[{"name":"name","type":"string"}],"name":"Nowhere"}]},"name":"ReachError"}],"version"#,
    r#"":"0.1.0"}"#,
);

/// Somebody.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub struct Contact {
    /// As they write it themselves.
    pub name: String,
    /// How they are reached.
    pub reached: Reach,
    /// What they are kept under.
    pub tags: Vec<String>,
    /// In years, if they say so.
    pub age: Option<u32>,
}

/// How somebody is reached.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub enum Reach {
    /// By mail.
    Email {
        /// With an @ in it.
        address: String,
    },
    /// By phone.
    Phone {
        /// Where it rings: 49, say.
        country: u16,
        /// The rest, without zeros in front.
        number: String,
    },
    /// Not at all.
    Nowhere,
}

/// Who is looked for.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub struct Query {
    /// What they are kept under.
    pub tag: String,
    /// How many will do.
    /// None, where the plugin's default is to be taken.
    #[wire(default)]
    pub at_most: Option<u32>,
}

/// What a picture is of, and how it's kept.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub struct Portrait {
    /// Who is on it.
    pub name: String,
    /// `image/png`, say.
    pub media_type: String,
}

/// A place in a plane. A list of them crosses in one copy.
#[derive(Clone, Copy, Debug, PartialEq, typed::Wire)]
#[wire(pod)]
#[repr(C)]
pub struct Place {
    /// To the right.
    pub x: f64,
    /// Upwards.
    pub y: f64,
}

/// Why somebody isn't reached.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub enum ReachError {
    /// They are reached not at all.
    Nowhere {
        /// Who it is.
        name: String,
    },
}

/// What the plugin calls of its host by the names of `registry`.
///
/// It's called on the plugin's threads, any number at once. A panic is the plugin's error, with its message.
pub trait Registry: Send + Sync + 'static {
    /// Where somebody is at home, if that's known.
    ///
    /// # Errors
    /// What the plugin gets in place of an answer.
    fn home(&self, name: String) -> Result<Option<Place>, Error>;
}

/// What the plugin calls of its host: to be given when it's loaded.
#[derive(Clone, Default)]
pub struct Services {
    /// [`Registry`], which it does without as well.
    pub registry: Option<Arc<dyn Registry>>,
}

impl Services {
    /// Registers them with what loads the plugin, for who doesn't leave that to the client.
    pub fn register<'l>(&self, load: Load<'l>) -> Load<'l> {
        let mut load = load.contract(CONTRACT);
        if let Some(group) = &self.registry {
            load = typed::serve(load, "registry.home", group, Registry::home);
        }
        load
    }
}
