//! Callbacks: objects of the host behind traits of the plugin.

use std::sync::{Arc, Mutex};

use rustbridge::prelude::*;
use rustbridge_core::{
    Encoding as Codec, Error as CoreError, Load, Method, Object as HostReference, Plugin,
    ServiceCall,
};

/// Receives reports.
#[callback]
pub trait Progress {
    /// Reports how much is done. Returns whether to go on.
    fn report(&self, done: u32, text: &str) -> Result<bool>;

    /// Has no parameters.
    fn finish(&self) -> Result<()>;
}

/// Its functions have nothing but text or bytes.
#[callback]
pub trait Sink {
    fn line(&self, line: &str) -> Result<()>;
    fn lines(&self, line: String) -> Result<String>;
    fn bytes(&self, bytes: &[u8]) -> Result<Vec<u8>>;
    fn taken(&self) -> Result<Vec<u8>>;
}

struct Upper;

impl Sink for Upper {
    fn line(&self, line: &str) -> Result<()> {
        match line {
            "" => Err(Error::invalid_argument("no line")),
            _ => Ok(()),
        }
    }

    fn lines(&self, line: String) -> Result<String> {
        Ok(line.to_uppercase())
    }

    fn bytes(&self, bytes: &[u8]) -> Result<Vec<u8>> {
        Ok(bytes.to_ascii_uppercase())
    }

    fn taken(&self) -> Result<Vec<u8>> {
        Ok(b"taken".to_vec())
    }
}

#[derive(Default)]
pub struct Work {
    kept: Mutex<Option<Object<ProgressClient>>>,
}

#[plugin(name = "work", callbacks(Progress, Sink), export = false)]
impl Work {
    pub fn run(&self, steps: u32, progress: Object<ProgressClient>) -> Result<u32> {
        for step in 1..=steps {
            if !progress.report(step, "step")? {
                return Ok(step);
            }
        }
        progress.finish()?;
        Ok(steps)
    }

    pub fn keep(&self, progress: Object<ProgressClient>) {
        *self.kept.lock().unwrap() = Some(progress);
    }

    pub fn kept(&self) -> Option<Object<ProgressClient>> {
        self.kept.lock().unwrap().clone()
    }

    pub fn forget(&self) {
        self.kept.lock().unwrap().take();
    }

    pub fn sink(&self) -> Object<SinkClient> {
        Object::new(SinkClient::new(Upper))
    }

    pub fn write(&self, sink: Object<SinkClient>) -> Result<String> {
        sink.line("one")?;
        let bytes = [sink.bytes(b"two")?, sink.taken()?].concat();
        sink.lines(String::from_utf8_lossy(&bytes).into_owned())
    }

    #[method(leaf)]
    pub fn forget_in_leaf(&self) {
        self.forget();
    }

    pub fn own(&self) -> Object<ProgressClient> {
        Object::new(ProgressClient::new(Counted(Mutex::new(0))))
    }
}

struct Counted(Mutex<u32>);

impl Progress for Counted {
    fn report(&self, done: u32, _text: &str) -> Result<bool> {
        *self.0.lock().unwrap() += done;
        Ok(true)
    }

    fn finish(&self) -> Result<()> {
        Ok(())
    }
}

/// The host's objects.
#[derive(Default)]
struct Objects {
    reports: Mutex<Vec<(u64, u32, String)>>,
    finished: Mutex<Vec<u64>>,
    released: Mutex<Vec<u64>>,
}

fn object(request: &[u8]) -> u64 {
    u64::from_le_bytes(request[..8].try_into().unwrap())
}

/// Loads the plugin with services that call `objects`. An object stops the work when as much is done as its number says.
fn open(objects: &Arc<Objects>) -> Plugin {
    let (reports, finished, released) = (objects.clone(), objects.clone(), objects.clone());
    // SAFETY: a plugin of ours.
    let load = unsafe { Load::linked(rustbridge::entry_point::<Work>(), "work") };
    load.service(
        "Progress.report",
        Codec::Wire,
        move |request: &[u8], _: &ServiceCall<'_>| {
            let done = u32::from_le_bytes(request[8..12].try_into().unwrap());
            let text = String::from_utf8(request[16..].to_vec()).unwrap();
            let object = object(request);
            reports.reports.lock().unwrap().push((object, done, text));
            if object == 13 {
                return Err(CoreError::failure(Status::Aborted, "unlucky"));
            }
            Ok(vec![u8::from(u64::from(done) < object)])
        },
    )
    .service(
        "Progress.finish",
        Codec::Wire,
        move |request: &[u8], _: &ServiceCall<'_>| {
            finished.finished.lock().unwrap().push(object(request));
            Ok(Vec::new())
        },
    )
    .service_short(
        "Progress:release",
        Codec::Wire,
        move |request: &[u8], _: &ServiceCall<'_>| {
            released.released.lock().unwrap().push(object(request));
            Ok(Vec::new())
        },
    )
    .open()
    .unwrap()
}

fn method(plugin: &Plugin, name: &str) -> Method {
    plugin.method(name, Codec::Json).unwrap()
}

fn created(plugin: &Plugin, number: u64) -> HostReference {
    let mut answer = method(plugin, "Progress:new")
        .with()
        .call(number.to_string().as_bytes())
        .unwrap();
    answer.objects.remove(0)
}

fn run(plugin: &Plugin, steps: u32, object: &HostReference) -> Result<u32, CoreError> {
    let request = format!(r#"{{"steps": {steps}, "progress": 0}}"#);
    let answer = method(plugin, "run")
        .with()
        .object(object)
        .call(request.as_bytes())?;
    answer.reply.json()
}

#[test]
fn an_object_of_the_host_is_called_and_released_after_the_call() {
    let objects = Arc::<Objects>::default();
    let plugin = open(&objects);
    let object = created(&plugin, 3);
    assert_eq!(run(&plugin, 2, &object).unwrap(), 2);
    assert_eq!(run(&plugin, 9, &object).unwrap(), 3);
    let reports = objects.reports.lock().unwrap().clone();
    assert_eq!(reports.len(), 5);
    assert_eq!(reports[1], (3, 2, "step".to_owned()));
    assert_eq!(*objects.finished.lock().unwrap(), [3]);
    assert!(objects.released.lock().unwrap().is_empty());
    drop(object);
    assert_eq!(*objects.released.lock().unwrap(), [3]);
}

#[test]
fn an_error_of_the_host_arrives_whole() {
    let objects = Arc::<Objects>::default();
    let plugin = open(&objects);
    let error = run(&plugin, 2, &created(&plugin, 13)).unwrap_err();
    assert_eq!(
        (error.status(), error.message()),
        (Status::Aborted, "unlucky")
    );
    assert_eq!(*objects.released.lock().unwrap(), [13]);
}

#[test]
fn a_kept_object_comes_back_by_its_number_and_is_released_when_it_is_forgotten() {
    let objects = Arc::<Objects>::default();
    let plugin = open(&objects);
    let object = created(&plugin, 7);
    method(&plugin, "keep")
        .with()
        .object(&object)
        .call(b"0")
        .unwrap();
    drop(object);
    let back = method(&plugin, "kept").with().call(b"").unwrap().objects;
    let number = method(&plugin, "Progress:number")
        .with()
        .object(&back[0])
        .call(b"")
        .unwrap();
    assert_eq!(number.reply.json::<u64>().unwrap(), 7);
    method(&plugin, "forget").with().call(b"").unwrap();
    assert!(objects.released.lock().unwrap().is_empty());
    drop(back);
    assert_eq!(*objects.released.lock().unwrap(), [7]);
}

#[test]
fn an_object_of_the_plugin_has_the_same_methods() {
    let objects = Arc::<Objects>::default();
    let plugin = open(&objects);
    let own = method(&plugin, "own")
        .with()
        .call(b"")
        .unwrap()
        .objects
        .remove(0);
    let number = method(&plugin, "Progress:number")
        .with()
        .object(&own)
        .call(b"")
        .unwrap();
    assert_eq!(number.reply.json::<u64>().unwrap(), 0);
    let report = method(&plugin, "Progress.report").with().object(&own);
    let answer = report.call(br#"{"done": 4, "text": "here"}"#).unwrap();
    assert!(answer.reply.json::<bool>().unwrap());
    assert_eq!(run(&plugin, 5, &own).unwrap(), 5);
    assert!(objects.reports.lock().unwrap().is_empty());
}

#[test]
fn functions_of_text_or_bytes_alone_are_in_the_wire_format() {
    let objects = Arc::<Objects>::default();
    let plugin = open(&objects);
    let mut sink = method(&plugin, "sink").with().call(b"").unwrap().objects;
    let sink = sink.remove(0);
    let written = method(&plugin, "write").with().object(&sink).call(b"0");
    assert_eq!(written.unwrap().reply.json::<String>().unwrap(), "TWOTAKEN");
    let line = plugin.method("Sink.line", Codec::Wire).unwrap();
    let refused = line.with().object(&sink).call(b"\0\0\0\0").unwrap_err();
    assert_eq!(refused.message(), "no line");
}

#[test]
fn an_object_that_is_dropped_in_a_leaf_method_is_released_with_the_next() {
    let objects = Arc::<Objects>::default();
    let plugin = open(&objects);
    method(&plugin, "keep")
        .with()
        .object(&created(&plugin, 1))
        .call(b"0")
        .unwrap();
    method(&plugin, "forget_in_leaf").call(b"").unwrap();
    assert!(objects.released.lock().unwrap().is_empty());
    drop(created(&plugin, 2));
    let mut released = objects.released.lock().unwrap().clone();
    released.sort_unstable();
    assert_eq!(released, [1, 2]);
}

#[test]
fn without_the_services_the_plugin_loads_and_a_call_of_an_object_fails() {
    // SAFETY: a plugin of ours.
    let load = unsafe { Load::linked(rustbridge::entry_point::<Work>(), "work") };
    let plugin = load.open().unwrap();
    let error = run(&plugin, 1, &created(&plugin, 1)).unwrap_err();
    assert_eq!(error.status(), Status::NotFound);
    assert!(error.message().contains("Progress.report"), "{error}");
}

#[test]
fn the_description_has_the_functions_as_services_of_the_callback() {
    // SAFETY: a plugin of ours.
    let load = unsafe { Load::linked(rustbridge::entry_point::<Work>(), "work") };
    let text = load.describe().unwrap();
    let description: serde_json::Value = serde_json::from_str(&text).unwrap();
    let services = description["services"].as_array().unwrap();
    let told: Vec<_> = services
        .iter()
        .filter(|service| service["receiver"] != "Sink")
        .map(|service| {
            assert_eq!(service["receiver"], "Progress");
            assert_eq!(
                (&service["encoding"], &service["optional"]),
                (&"wire".into(), &true.into())
            );
            service["name"].as_str().unwrap()
        })
        .collect();
    assert_eq!(
        told,
        ["Progress.report", "Progress.finish", "Progress:release"]
    );
    assert_eq!(services[0]["arguments"], true);
    let number = services[0]["request"]["type"]["ref"].as_u64().unwrap() as usize;
    let record = &description["types"][number];
    assert_eq!(record["name"], "ProgressReportRequest");
    let fields: Vec<_> = record["record"]
        .as_array()
        .unwrap()
        .iter()
        .map(|field| (field["name"].as_str().unwrap(), field["type"].clone()))
        .collect();
    assert_eq!(
        fields,
        [
            ("object", "u64".into()),
            ("done", "u32".into()),
            ("text", "string".into())
        ]
    );
}
