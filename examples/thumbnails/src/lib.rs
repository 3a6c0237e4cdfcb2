//! A plugin that creates thumbnails of PNG and JPEG pictures. The size of untrusted pictures is checked before they are decoded.

use std::io::Cursor;

use image::codecs::jpeg::JpegEncoder;
use image::{
    ColorType, DynamicImage, ImageDecoder as _, ImageFormat, ImageReader, Limits, Rgb, RgbImage,
};
use rustbridge::prelude::*;

/// The configuration of an instance. Every field has a default, so `{}` is a valid configuration.
#[derive(Clone, Debug, Message)]
#[serde(default, deny_unknown_fields)]
pub struct ThumbnailsConfig {
    /// The maximum number of pixels in a picture. A file of a few bytes can claim to have billions.
    pub most_pixels: u64,
}

impl Default for ThumbnailsConfig {
    fn default() -> ThumbnailsConfig {
        ThumbnailsConfig {
            most_pixels: 50_000_000,
        }
    }
}

/// The requested thumbnail.
#[derive(Clone, Debug, Message)]
pub struct Wanted {
    /// The maximum width, in pixels.
    pub width: u32,
    /// The maximum height, in pixels.
    pub height: u32,
    /// The file format. Without it, the thumbnail has the format of the picture.
    pub format: Option<Format>,
    /// The quality of a JPEG file, from 1 to 100. The default is 85.
    #[serde(default = "good")]
    pub quality: u8,
}

fn good() -> u8 {
    85
}

/// The file format of a picture.
#[derive(Clone, Copy, Debug, Message, PartialEq)]
pub enum Format {
    /// Small files if colours change gradually. There's no transparency: transparent pixels become white.
    Jpeg,
    /// Lossless.
    Png,
}

/// The properties of a created thumbnail.
#[derive(Clone, Debug, Message, PartialEq)]
pub struct Thumbnail {
    /// The width, in pixels.
    pub width: u32,
    /// The height, in pixels.
    pub height: u32,
    /// The file format.
    pub format: Format,
}

/// The reason why a thumbnail couldn't be created.
#[derive(Debug, thiserror::Error, StatusError)]
pub enum PictureError {
    /// The picture is neither PNG nor JPEG.
    #[error("it's neither PNG nor JPEG")]
    #[status(INVALID_ARGUMENT)]
    Unknown,
    /// The file begins like a picture, but isn't a valid one.
    #[error("it's broken: {problem}")]
    #[status(INVALID_ARGUMENT)]
    Broken {
        /// A description of the problem.
        problem: String,
    },
    /// The picture has more pixels than the configuration allows.
    #[error("{width} × {height} pixels are more than the {most} that are allowed")]
    #[status(RESOURCE_EXHAUSTED)]
    TooLarge {
        /// The width that the picture claims to have.
        width: u32,
        /// The height that the picture claims to have.
        height: u32,
        /// The maximum number of pixels.
        most: u64,
    },
    /// The request is invalid.
    #[error("{problem}")]
    #[status(INVALID_ARGUMENT)]
    Nonsense {
        /// A description of the invalid value.
        problem: String,
    },
}

impl PictureError {
    /// Returns the error for a failure to decode bytes that look like a picture, or to encode the thumbnail.
    fn broken(error: impl std::fmt::Display) -> PictureError {
        let problem = error.to_string();
        PictureError::Broken { problem }
    }
}

/// The state of an instance: its configuration.
#[derive(Debug, Default)]
pub struct Thumbnails {
    config: ThumbnailsConfig,
}

/// Creates thumbnails of pictures.
#[plugin(name = "thumbnails")]
impl Thumbnails {
    /// Creates an instance.
    pub fn create(config: ThumbnailsConfig) -> Result<Thumbnails> {
        Ok(Thumbnails { config })
    }

    /// Creates a thumbnail of a picture, in its proportions and the right way up. A picture that is small enough keeps its size.
    pub fn make(&self, wanted: Wanted, picture: &[u8]) -> Result<(Thumbnail, Bytes), PictureError> {
        let nonsense = |problem: &str| PictureError::Nonsense {
            problem: problem.to_owned(),
        };
        if wanted.width == 0 || wanted.height == 0 {
            return Err(nonsense("a thumbnail has at least one pixel"));
        }
        if !(1..=100).contains(&wanted.quality) {
            return Err(nonsense("the quality is from 1 to 100"));
        }
        let (picture, found) = self.decode(picture)?;
        let fits = picture.width() <= wanted.width && picture.height() <= wanted.height;
        let picture = match fits {
            true => picture,
            false => reduced(picture, wanted.width, wanted.height),
        };
        let format = wanted.format.unwrap_or(found);
        let mut written = Cursor::new(Vec::new());
        match format {
            Format::Png => picture.write_to(&mut written, ImageFormat::Png),
            Format::Jpeg => JpegEncoder::new_with_quality(&mut written, wanted.quality)
                .encode_image(&on_white(&picture)),
        }
        .map_err(PictureError::broken)?;
        let thumbnail = Thumbnail {
            width: picture.width(),
            height: picture.height(),
            format,
        };
        Ok((thumbnail, Bytes::from(written.into_inner())))
    }
}

impl Thumbnails {
    fn decode(&self, bytes: &[u8]) -> Result<(DynamicImage, Format), PictureError> {
        let reader = ImageReader::new(Cursor::new(bytes))
            .with_guessed_format()
            .map_err(PictureError::broken)?;
        let format = match reader.format() {
            Some(ImageFormat::Png) => Format::Png,
            Some(ImageFormat::Jpeg) => Format::Jpeg,
            _ => return Err(PictureError::Unknown),
        };
        let mut decoder = reader.into_decoder().map_err(PictureError::broken)?;
        // These are the dimensions in the header. No pixel is decoded yet.
        let (width, height) = decoder.dimensions();
        let most = self.config.most_pixels;
        if u64::from(width) * u64::from(height) > most {
            return Err(PictureError::TooLarge {
                width,
                height,
                most,
            });
        }
        // The decoder's memory is limited as well: 8 bytes for each pixel, the most that a pixel takes, and 1 MiB for everything else.
        let mut limits = Limits::default();
        limits.max_alloc = Some(most.saturating_mul(8).saturating_add(1 << 20));
        decoder.set_limits(limits).map_err(PictureError::broken)?;
        // Cameras record how they were held.
        let orientation = decoder.orientation().map_err(PictureError::broken)?;
        let mut picture = DynamicImage::from_decoder(decoder).map_err(PictureError::broken)?;
        picture.apply_orientation(orientation);
        Ok((picture, format))
    }
}

/// The maximum factor by which a single step reduces the width and the height.
const STEP: u32 = 1000;

/// Reduces a picture that is too large to fit. `image` adds up the pixels that become one pixel in 32 bits. These can hold the sum of 16
/// million values of 8 bits, but only of 65 thousand values of 16 bits. So values of 16 bits are converted to 8 bits first, and a picture
/// that is far too large is reduced in several steps.
fn reduced(picture: DynamicImage, width: u32, height: u32) -> DynamicImage {
    let mut picture = match picture.color() {
        ColorType::L16 => picture.into_luma8().into(),
        ColorType::La16 => picture.into_luma_alpha8().into(),
        ColorType::Rgb16 => picture.into_rgb8().into(),
        ColorType::Rgba16 => picture.into_rgba8().into(),
        _ => picture,
    };
    loop {
        let [wide, high] = [picture.width(), picture.height()].map(|side| side.div_ceil(STEP));
        if wide <= width && high <= height {
            return picture.thumbnail(width, height);
        }
        picture = picture.thumbnail_exact(wide, high);
    }
}

/// Returns a picture on a white background, because JPEG has no transparency.
fn on_white(picture: &DynamicImage) -> DynamicImage {
    let pixels = picture.to_rgba8();
    let mut opaque = RgbImage::new(pixels.width(), pixels.height());
    for (to, from) in opaque.pixels_mut().zip(pixels.pixels()) {
        let [colours @ .., alpha] = from.0.map(u32::from);
        *to = Rgb(colours.map(|colour| ((colour * alpha + 255 * (255 - alpha)) / 255) as u8));
    }
    opaque.into()
}

#[cfg(test)]
mod tests;
