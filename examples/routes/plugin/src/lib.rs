//! A plugin that implements the service of `routes.proto`. The messages are bytes of protobuf, and the methods have gRPC's names.

mod messages;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::{Stream, StreamExt as _, stream};
use prost::Message as _;
use rustbridge::prelude::*;

use crate::messages::{
    Counted, Feature, Point, Rectangle, Repeated, RouteNote, RouteSummary, SlowPoint,
};

/// The features along the roads: name, latitude and longitude.
const FEATURES: [(&str, i32, i32); 4] = [
    ("Patriots Path, Mendham", 407_838_351, -746_143_763),
    ("Berkshire Valley", 408_122_808, -743_999_179),
    ("Ravine Lake", 406_589_790, -743_560_121),
    ("Lake Hopatcong", 409_642_000, -746_017_000),
];

/// The state of an instance: the notes at each place.
#[derive(Default)]
pub struct Routes {
    notes: Arc<Notes>,
}

/// The notes, by place.
type Notes = Mutex<HashMap<Point, Vec<RouteNote>>>;

/// Finds features along routes, and stores notes at places.
#[plugin(name = "routes")]
impl Routes {
    /// Returns the feature at a point.
    #[method(name = "routes.v1.RouteGuide/GetFeature", encodings(raw))]
    pub fn get_feature(&self, request: &[u8], call: &Call<'_>) -> Result<Vec<u8>> {
        if let Some(user) = call.metadata().get("user") {
            call.headers().append("hello", user)?;
        }
        call.trailers()
            .append("features", FEATURES.len().to_string())?;
        Ok(feature_at(read(request)?)?.encode_to_vec())
    }

    /// Returns the feature at a point after a delay.
    #[method(name = "routes.v1.RouteGuide/GetFeatureSlowly", encodings(raw))]
    pub async fn get_feature_slowly(&self, request: Vec<u8>) -> Result<Vec<u8>> {
        let SlowPoint {
            point,
            milliseconds,
        } = read(&request)?;
        tokio::time::sleep(Duration::from_millis(milliseconds.into())).await;
        Ok(feature_at(point.unwrap_or_default())?.encode_to_vec())
    }

    /// Returns the features within a rectangle.
    #[method(name = "routes.v1.RouteGuide/ListFeatures", encodings(raw))]
    pub fn list_features(
        &self,
        request: &[u8],
        call: &Call<'_>,
    ) -> Result<impl Iterator<Item = Vec<u8>>> {
        let Rectangle { low, high } = read(request)?;
        let (Some(low), Some(high)) = (low, high) else {
            return Err(Error::invalid_argument("a rectangle has two corners"));
        };
        call.headers()
            .append("searched", FEATURES.len().to_string())?;
        Ok(FEATURES
            .into_iter()
            .map(feature)
            .filter(move |feature| is_within(feature.location.unwrap_or_default(), low, high))
            .map(|feature| feature.encode_to_vec()))
    }

    /// Returns the summary of a route: the numbers of its points and features, and its length.
    #[method(name = "routes.v1.RouteGuide/RecordRoute", encodings(raw))]
    pub async fn record_route(&self, mut points: Items<Vec<u8>>) -> Result<Vec<u8>> {
        let mut summary = RouteSummary::default();
        let mut before = None;
        while let Some(item) = points.next().await {
            let point: Point = read(&item?)?;
            summary.points += 1;
            summary.features += u32::from(feature_at(point).is_ok());
            summary.distance += before.map_or(0, |before| distance(before, point));
            before = Some(point);
        }
        Ok(summary.encode_to_vec())
    }

    /// Stores each note, and returns the earlier notes at its place.
    #[method(name = "routes.v1.RouteGuide/RouteChat", encodings(raw))]
    pub fn route_chat(&self, notes: Items<Vec<u8>>) -> impl Stream<Item = Result<Vec<u8>>> + use<> {
        let known = Arc::clone(&self.notes);
        notes.flat_map(move |item| stream::iter(heard(&known, item)))
    }

    /// Returns the note.
    #[method(name = "routes.v1.Measured/Echo", encodings(raw), leaf)]
    pub fn echo(&self, request: &[u8]) -> Result<Vec<u8>> {
        let note: RouteNote = read(request)?;
        Ok(note.encode_to_vec())
    }

    /// Returns the note, from an async handler.
    #[method(name = "routes.v1.Measured/EchoAsync", encodings(raw))]
    pub async fn echo_async(&self, request: Vec<u8>) -> Result<Vec<u8>> {
        let note: RouteNote = read(&request)?;
        Ok(note.encode_to_vec())
    }

    /// Returns the note as often as requested.
    #[method(name = "routes.v1.Measured/Repeat", encodings(raw))]
    pub fn repeat(&self, request: &[u8]) -> Result<impl Iterator<Item = Vec<u8>>> {
        let Repeated { note, count } = read(request)?;
        let note = note.unwrap_or_default();
        Ok((0..count).map(move |_| note.encode_to_vec()))
    }

    /// Returns the number of notes.
    #[method(name = "routes.v1.Measured/Count", encodings(raw))]
    pub async fn count(&self, mut notes: Items<Vec<u8>>) -> Result<Vec<u8>> {
        let mut counted = Counted::default();
        while let Some(item) = notes.next().await {
            let _: RouteNote = read(&item?)?;
            counted.count += 1;
        }
        Ok(counted.encode_to_vec())
    }

    /// Returns each note.
    #[method(name = "routes.v1.Measured/Mirror", encodings(raw))]
    pub fn mirror(&self, notes: Items<Vec<u8>>) -> impl Stream<Item = Result<Vec<u8>>> + use<> {
        notes.map(|item| {
            let note: RouteNote = read(&item?)?;
            Ok(note.encode_to_vec())
        })
    }
}

fn read<M: prost::Message + Default>(bytes: &[u8]) -> Result<M> {
    M::decode(bytes).map_err(|problem| Error::invalid_argument(problem.to_string()))
}

fn feature((name, latitude, longitude): (&str, i32, i32)) -> Feature {
    Feature {
        name: name.to_owned(),
        location: Some(Point {
            latitude,
            longitude,
        }),
    }
}

fn feature_at(point: Point) -> Result<Feature> {
    let found = FEATURES.into_iter().map(feature);
    let mut found = found.filter(|feature| feature.location == Some(point));
    found.next().ok_or_else(|| {
        Error::new(Status::NotFound, "there's no feature at this point")
            .with_type("Routes.NoFeature")
            .with_detail("latitude", point.latitude)
            .with_detail("longitude", point.longitude)
    })
}

fn is_within(point: Point, low: Point, high: Point) -> bool {
    (low.latitude..=high.latitude).contains(&point.latitude)
        && (low.longitude..=high.longitude).contains(&point.longitude)
}

/// Returns the distance along a great circle, in metres.
fn distance(from: Point, to: Point) -> u64 {
    const RADIUS: f64 = 6_371_000.0;
    let radians = |degrees: i32| (f64::from(degrees) / 1e7).to_radians();
    let (from_lat, to_lat) = (radians(from.latitude), radians(to.latitude));
    let north = (to_lat - from_lat) / 2.0;
    let east = (radians(to.longitude) - radians(from.longitude)) / 2.0;
    let half = north.sin().powi(2) + from_lat.cos() * to_lat.cos() * east.sin().powi(2);
    (2.0 * RADIUS * half.sqrt().asin()).round() as u64
}

/// Returns the earlier notes at the place of a note, and stores the note.
fn heard(known: &Notes, item: Result<Vec<u8>>) -> Vec<Result<Vec<u8>>> {
    let note = item.and_then(|bytes| {
        let note: RouteNote = read(&bytes)?;
        let place = note.location;
        let place = place.ok_or_else(|| Error::invalid_argument("a note is of some place"))?;
        Ok((place, note))
    });
    match note {
        Ok((place, note)) => {
            let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
            let here = known.entry(place).or_default();
            let before = here.iter().map(|note| Ok(note.encode_to_vec())).collect();
            here.push(note);
            before
        }
        Err(error) => vec![Err(error)],
    }
}
