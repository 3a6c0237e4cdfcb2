//! Tests with valid and broken pictures, which the tests create.

use image::{ImageBuffer, Luma, Rgba, RgbaImage};

use super::*;

fn picture(width: u32, height: u32, format: ImageFormat) -> Vec<u8> {
    let picture = RgbaImage::from_fn(width, height, |x, _| match x % 2 {
        0 => Rgba([255, 0, 0, 255]),
        _ => Rgba([0, 0, 255, 0]),
    });
    let mut written = Cursor::new(Vec::new());
    let picture = match format {
        ImageFormat::Jpeg => on_white(&picture.into()),
        _ => picture.into(),
    };
    picture.write_to(&mut written, format).unwrap();
    written.into_inner()
}

fn wanted(width: u32, height: u32) -> Wanted {
    Wanted {
        width,
        height,
        format: None,
        quality: good(),
    }
}

/// Returns a picture's size, decoded without the plugin's code.
fn size(bytes: &[u8]) -> (u32, u32) {
    let picture = image::load_from_memory(bytes).unwrap();
    (picture.width(), picture.height())
}

#[test]
fn a_thumbnail_fits_and_keeps_proportions_and_format() {
    for (kind, format) in [
        (ImageFormat::Png, Format::Png),
        (ImageFormat::Jpeg, Format::Jpeg),
    ] {
        let (thumbnail, bytes) = Thumbnails::default()
            .make(wanted(50, 50), &picture(200, 100, kind))
            .unwrap();
        assert_eq!((thumbnail.width, thumbnail.height), (50, 25));
        assert_eq!(size(&bytes), (50, 25));
        assert_eq!(thumbnail.format, format);
        assert_eq!(image::guess_format(&bytes).unwrap(), kind);
    }
}

#[test]
fn white_stays_white_however_many_pixels_become_one() {
    let white = |side, wide: bool| -> DynamicImage {
        match wide {
            true => ImageBuffer::from_pixel(side, side, Luma([u16::MAX])).into(),
            false => ImageBuffer::from_pixel(side, side, Luma([u8::MAX])).into(),
        }
    };
    for (picture, side) in [(white(600, true), 2), (white(4200, false), 1)] {
        let reduced = reduced(picture, side, side);
        assert_eq!((reduced.width(), reduced.height()), (side, side));
        let pixels = reduced.to_luma8().into_raw();
        assert!(pixels.iter().all(|pixel| *pixel == 255), "{pixels:?}");
    }
}

#[test]
fn a_thread_of_a_picture_is_reduced_as_well() {
    let thread: DynamicImage = ImageBuffer::from_pixel(2_500_000, 1, Luma([7_u8])).into();
    let reduced = reduced(thread, 100, 100);
    assert_eq!((reduced.width(), reduced.height()), (100, 1));
    assert_eq!(reduced.to_luma8().get_pixel(50, 0).0, [7]);
}

#[test]
fn what_is_small_stays_as_large_as_it_is_and_becomes_what_is_asked_for() {
    let mut wanted = wanted(50, 50);
    wanted.format = Some(Format::Jpeg);
    let (thumbnail, bytes) = Thumbnails::default()
        .make(wanted, &picture(20, 10, ImageFormat::Png))
        .unwrap();
    assert_eq!((thumbnail.width, thumbnail.height), (20, 10));
    assert_eq!(image::guess_format(&bytes).unwrap(), ImageFormat::Jpeg);
}

#[test]
fn what_was_transparent_is_white_in_jpeg() {
    let clear = RgbaImage::from_pixel(1, 1, Rgba([0, 0, 0, 0]));
    assert_eq!(on_white(&clear.into()).to_rgb8().as_raw(), &[255; 3]);
}

#[test]
fn a_picture_that_claims_billions_of_pixels_is_refused_before_it_is_decoded() {
    let mut bomb = picture(1, 1, ImageFormat::Png);
    // The header begins with the size, and its checksum follows it.
    bomb[16..24].copy_from_slice(&[0, 1, 0, 0, 0, 1, 0, 0]);
    let sum = checksum(&bomb[12..29]);
    bomb[29..33].copy_from_slice(&sum.to_be_bytes());
    match Thumbnails::default().make(wanted(9, 9), &bomb) {
        Err(PictureError::TooLarge {
            width,
            height,
            most,
        }) => assert_eq!((width, height, most), (65536, 65536, 50_000_000)),
        other => panic!("{other:?}"),
    }
}

/// Returns the CRC-32 checksum, as PNG defines it.
fn checksum(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| {
            (sum >> 1) ^ (0xEDB8_8320 & 0u32.wrapping_sub(sum & 1))
        })
    })
}

#[test]
fn limits_are_the_configurations() {
    let config = ThumbnailsConfig { most_pixels: 99 };
    let strict = Thumbnails::create(config).unwrap();
    let ten = picture(10, 10, ImageFormat::Png);
    assert!(matches!(
        strict.make(wanted(5, 5), &ten),
        Err(PictureError::TooLarge { .. })
    ));
    let eleven = picture(11, 9, ImageFormat::Png);
    assert!(strict.make(wanted(5, 5), &eleven).is_ok());
}

#[test]
fn what_is_cut_off_or_changed_is_refused() {
    for kind in [ImageFormat::Png, ImageFormat::Jpeg] {
        let whole = picture(64, 64, kind);
        for length in [0, 1, 8, 20, whole.len() / 4] {
            let refused = Thumbnails::default().make(wanted(9, 9), &whole[..length]);
            assert!(
                matches!(
                    refused,
                    Err(PictureError::Broken { .. } | PictureError::Unknown)
                ),
                "{length} bytes of {kind:?}: {refused:?}"
            );
        }
    }
    let mut changed = picture(64, 64, ImageFormat::Png);
    let middle = changed.len() / 2;
    changed[middle] ^= 0xff;
    assert!(Thumbnails::default().make(wanted(9, 9), &changed).is_err());
}

#[test]
fn what_is_no_picture_is_told_from_what_is_broken() {
    let refused = Thumbnails::default().make(wanted(9, 9), b"GIF89a, and more");
    assert!(matches!(refused, Err(PictureError::Unknown)), "{refused:?}");
}

#[test]
fn nonsense_is_refused() {
    let picture = picture(2, 2, ImageFormat::Png);
    let mut poor = wanted(1, 1);
    poor.quality = 0;
    for nonsense in [wanted(0, 5), wanted(5, 0), poor] {
        let refused = Thumbnails::default().make(nonsense, &picture);
        assert!(
            matches!(refused, Err(PictureError::Nonsense { .. })),
            "{refused:?}"
        );
    }
}
