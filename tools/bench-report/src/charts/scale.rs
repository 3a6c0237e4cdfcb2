//! From values to places.

/// Past this many times the smallest value, a linear axis would leave nothing to see of the small ones.
const LINEAR: f64 = 20.0;

/// An axis from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scale {
    /// From zero to that.
    Linear(f64),
    /// Between two powers of ten, given by their exponents.
    Log(i32, i32),
}

impl Scale {
    /// An axis on which all the values can be told apart.
    pub fn of(values: &[f64]) -> Scale {
        let most = values.iter().copied().fold(0.0, f64::max);
        let least = values
            .iter()
            .copied()
            .filter(|value| *value > 0.0)
            .fold(most, f64::min);
        if least > 0.0 && most / least > LINEAR {
            // A little below the least, so that its bar doesn't vanish on a power of ten.
            let (low, high) = ((least * 0.8).log10().floor(), most.log10().ceil());
            Scale::Log(low as i32, high as i32)
        } else {
            Scale::Linear(if most > 0.0 { most } else { 1.0 })
        }
    }

    /// Where a value lies.
    pub fn place(self, value: f64) -> f64 {
        let place = match self {
            Scale::Linear(most) => value / most,
            Scale::Log(low, high) => (value.log10() - f64::from(low)) / f64::from(high - low),
        };
        if place.is_finite() {
            place.clamp(0.0, 1.0)
        } else {
            0.0
        }
    }

    /// The values that the axis names; none for a linear one, whose bars carry their values anyway.
    pub fn ticks(self) -> Vec<f64> {
        match self {
            Scale::Linear(_) => Vec::new(),
            Scale::Log(low, high) => {
                // At most four names fit beside one another.
                let step = usize::try_from((high - low + 2) / 3).unwrap_or(1).max(1);
                (low..=high)
                    .step_by(step)
                    .map(|exponent| 10f64.powi(exponent))
                    .collect()
            }
        }
    }
}

/// Round values from 0 up to at least `most`, five or so.
pub fn round_ticks(most: f64) -> Vec<f64> {
    let rough = (most / 4.0).max(f64::MIN_POSITIVE);
    let power = 10f64.powf(rough.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * power);
    let step = steps
        .into_iter()
        .find(|step| *step >= rough)
        .unwrap_or(steps[3]);
    let count = (most / step).ceil().max(1.0) as u32;
    (0..=count).map(|index| f64::from(index) * step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wide_spread_gets_powers_of_ten() {
        assert_eq!(Scale::of(&[10.0, 30.0]), Scale::Linear(30.0));
        let wide = Scale::of(&[10.0, 3000.0]);
        assert_eq!(wide, Scale::Log(0, 4));
        assert_eq!(wide.ticks(), [1.0, 100.0, 10_000.0]);
        assert_eq!(wide.place(100.0), 0.5);
        assert_eq!(Scale::of(&[]), Scale::Linear(1.0));
        assert_eq!(Scale::Log(0, 2).place(0.0), 0.0);
    }

    #[test]
    fn an_axis_is_named_by_round_numbers() {
        assert_eq!(round_ticks(3.7), [0.0, 1.0, 2.0, 3.0, 4.0]);
        assert_eq!(round_ticks(8.0), [0.0, 2.0, 4.0, 6.0, 8.0]);
    }
}
