//! Thumbnails of PNG and JPEG pictures. What strangers send is limited before anything is decoded.

use std::io::Cursor;

use image::codecs::jpeg::JpegEncoder;
use image::{
    ColorType, DynamicImage, ImageDecoder as _, ImageFormat, ImageReader, Limits, Rgb, RgbImage,
};
use rustbridge::prelude::*;

/// How an instance is set up. Everything has a default, so `{}` is enough.
#[derive(Clone, Debug, Message)]
#[serde(default, deny_unknown_fields)]
pub struct ThumbnailsConfig {
    /// How many pixels a picture may have. A few bytes can claim to be billions.
    pub most_pixels: u64,
}

impl Default for ThumbnailsConfig {
    fn default() -> ThumbnailsConfig {
        ThumbnailsConfig {
            most_pixels: 50_000_000,
        }
    }
}

/// What thumbnail is wanted.
#[derive(Clone, Debug, Message)]
pub struct Wanted {
    /// It's not wider than this.
    pub width: u32,
    /// It's not higher than this.
    pub height: u32,
    /// How it's written; without it as the picture is.
    pub format: Option<Format>,
    /// From 1 to 100, for JPEG.
    #[serde(default = "good")]
    pub quality: u8,
}

fn good() -> u8 {
    85
}

/// How a picture is written.
#[derive(Clone, Copy, Debug, Message, PartialEq)]
pub enum Format {
    /// Small where colours run into each other, without transparency: that becomes white.
    Jpeg,
    /// Exact.
    Png,
}

/// What a thumbnail is like.
#[derive(Clone, Debug, Message, PartialEq)]
pub struct Thumbnail {
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// How it's written.
    pub format: Format,
}

/// Why there's no thumbnail of a picture.
#[derive(Debug, thiserror::Error, StatusError)]
pub enum PictureError {
    /// It's nothing that is known here.
    #[error("it's neither PNG nor JPEG")]
    #[status(INVALID_ARGUMENT)]
    Unknown,
    /// It begins like a picture, and then isn't one.
    #[error("it's broken: {problem}")]
    #[status(INVALID_ARGUMENT)]
    Broken {
        /// What is wrong.
        problem: String,
    },
    /// It has more pixels than the configuration lets it have.
    #[error("{width} × {height} pixels are more than the {most} that are allowed")]
    #[status(RESOURCE_EXHAUSTED)]
    TooLarge {
        /// How wide it claims to be.
        width: u32,
        /// How high it claims to be.
        height: u32,
        /// How many pixels it may have.
        most: u64,
    },
    /// What is wanted makes no sense.
    #[error("{problem}")]
    #[status(INVALID_ARGUMENT)]
    Nonsense {
        /// Why it doesn't.
        problem: String,
    },
}

impl PictureError {
    /// What the decoder says of bytes that look like a picture.
    fn broken(error: impl std::fmt::Display) -> PictureError {
        let problem = error.to_string();
        PictureError::Broken { problem }
    }
}

/// Makes thumbnails.
#[derive(Debug, Default)]
pub struct Thumbnails {
    config: ThumbnailsConfig,
}

/// Makes thumbnails of pictures.
#[plugin(name = "thumbnails")]
impl Thumbnails {
    /// Makes an instance.
    pub fn create(config: ThumbnailsConfig) -> Result<Thumbnails> {
        Ok(Thumbnails { config })
    }

    /// Makes a thumbnail of a picture, in its proportions and the right way up. One that is small already stays as large as it is.
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
        // It's what the header says; no pixel is decoded yet.
        let (width, height) = decoder.dimensions();
        let most = self.config.most_pixels;
        if u64::from(width) * u64::from(height) > most {
            return Err(PictureError::TooLarge {
                width,
                height,
                most,
            });
        }
        // What the decoder needs besides the pixels, of which each takes at most 8 bytes, is limited as well.
        let mut limits = Limits::default();
        limits.max_alloc = Some(most.saturating_mul(8).saturating_add(1 << 20));
        decoder.set_limits(limits).map_err(PictureError::broken)?;
        // Cameras note how they were held.
        let orientation = decoder.orientation().map_err(PictureError::broken)?;
        let mut picture = DynamicImage::from_decoder(decoder).map_err(PictureError::broken)?;
        picture.apply_orientation(orientation);
        Ok((picture, format))
    }
}

/// How many pixels in a row, and rows, may become one at once.
const STEP: u32 = 1000;

/// A picture that is too large, made to fit. `image` adds up the pixels that become one in 32 bits, which hold the sum of 16 million of
/// 8 bits, and of 65 thousand of 16: so 16 bits become 8 first, and what is far too large gets smaller in steps.
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

/// A picture as JPEG can have it: what is transparent lets white through.
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
