//! A small convolutional network over a sequence: what Web2Text rates texts and pairs of texts with.
//!
//! Five layers of one-dimensional convolutions with rectified linear units between them: kernels of 1, 1, 3, 3 and 3 places, 50, 50, 50, 10 values, and then the scores
//! of the labels. Beyond the ends of a page are zeros. Numbers come in comparable: less their mean, by their deviation. Weights are kept in two bytes
//! each, in parts of the largest of their layer.

/// The kernel and the values of each layer but the last, whose values are the labels'.
const LAYERS: [(usize, usize); 4] = [(1, 50), (1, 50), (3, 50), (3, 10)];
const LAST_KERNEL: usize = 3;

/// One layer.
#[derive(Clone, PartialEq, Debug)]
pub struct Layer {
    /// Places that it looks at.
    pub kernel: usize,
    /// Values that come in.
    pub inputs: usize,
    /// Values that come out.
    pub outputs: usize,
    /// By place, input and output.
    pub weights: Vec<f32>,
    /// By output.
    pub bias: Vec<f32>,
}

impl Layer {
    /// The values that come out for each of a sequence; below zero is zero unless it is the last layer.
    #[must_use]
    pub fn run(&self, values: &[f32], is_last: bool) -> Vec<f32> {
        let count = values.len() / self.inputs;
        let mut out = self.bias.repeat(count);
        for place in 0..self.kernel {
            // The place in the middle is the block itself.
            let shift = place as isize - (self.kernel / 2) as isize;
            let weights = &self.weights[place * self.inputs * self.outputs..][..self.inputs * self.outputs];
            for at in 0..count {
                let Some(from) = at.checked_add_signed(shift).filter(|from| *from < count) else { continue };
                let input = &values[from * self.inputs..][..self.inputs];
                let out = &mut out[at * self.outputs..][..self.outputs];
                for (value, weights) in input.iter().zip(weights.chunks_exact(self.outputs)).filter(|(value, _)| **value != 0.0) {
                    out.iter_mut().zip(weights).for_each(|(out, weight)| *out += value * weight);
                }
            }
        }
        if !is_last {
            out.iter_mut().for_each(|value| *value = value.max(0.0));
        }
        out
    }
}

/// A network.
#[derive(Clone, PartialEq, Debug)]
pub struct Network {
    /// The mean of each number that comes in.
    pub means: Vec<f32>,
    /// One by its deviation.
    pub scales: Vec<f32>,
    /// The layers.
    pub layers: Vec<Layer>,
}

impl Network {
    /// A network with all weights zero, for so many numbers and labels.
    #[must_use]
    pub fn new(inputs: usize, labels: usize) -> Network {
        let shape = LAYERS.into_iter().chain([(LAST_KERNEL, labels)]);
        let mut inputs_of = inputs;
        let layers = shape.map(|(kernel, outputs)| {
            let inputs = std::mem::replace(&mut inputs_of, outputs);
            Layer { kernel, inputs, outputs, weights: vec![0.0; kernel * inputs * outputs], bias: vec![0.0; outputs] }
        });
        Network { layers: layers.collect(), means: vec![0.0; inputs], scales: vec![1.0; inputs] }
    }

    /// Numbers made comparable.
    #[must_use]
    pub fn comparable(&self, numbers: &[f32]) -> Vec<f32> {
        let parameters = self.means.iter().zip(&self.scales).cycle();
        numbers.iter().zip(parameters).map(|(number, (mean, scale))| (number - mean) * scale).collect()
    }

    /// The logarithms of the probabilities of labels for each of a sequence.
    #[must_use]
    pub fn rate(&self, numbers: &[f32]) -> Vec<f32> {
        let mut values = self.comparable(numbers);
        for (at, layer) in self.layers.iter().enumerate() {
            values = layer.run(&values, at + 1 == self.layers.len());
        }
        let labels = self.layers.last().map_or(1, |layer| layer.outputs);
        values.chunks_exact_mut(labels).for_each(log_softmax);
        values
    }

    /// As bytes.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let floats = |bytes: &mut Vec<u8>, values: &[f32]| values.iter().for_each(|value| bytes.extend(value.to_le_bytes()));
        floats(&mut bytes, &self.means);
        floats(&mut bytes, &self.scales);
        for layer in &self.layers {
            let largest = layer.weights.iter().fold(1e-9_f32, |largest, weight| largest.max(weight.abs()));
            floats(&mut bytes, &[largest]);
            floats(&mut bytes, &layer.bias);
            let parts = layer.weights.iter().map(|weight| (weight / largest * f32::from(i16::MAX)).round() as i16);
            parts.for_each(|part| bytes.extend(part.to_le_bytes()));
        }
        bytes
    }

    /// A network for so many numbers and labels from the front of what [`Network::write`] wrote.
    #[must_use]
    pub fn read(bytes: &mut &[u8], inputs: usize, labels: usize) -> Option<Network> {
        let mut network = Network::new(inputs, labels);
        read_floats(bytes, &mut network.means)?;
        read_floats(bytes, &mut network.scales)?;
        for layer in &mut network.layers {
            let mut largest = [0.0];
            read_floats(bytes, &mut largest)?;
            read_floats(bytes, &mut layer.bias)?;
            for weight in &mut layer.weights {
                let (read, rest) = bytes.split_first_chunk()?;
                (*weight, *bytes) = (f32::from(i16::from_le_bytes(*read)) / f32::from(i16::MAX) * largest[0], rest);
            }
        }
        Some(network)
    }
}

fn read_floats(bytes: &mut &[u8], values: &mut [f32]) -> Option<()> {
    for value in values {
        let (read, rest) = bytes.split_first_chunk()?;
        (*value, *bytes) = (f32::from_le_bytes(*read), rest);
    }
    Some(())
}

/// Scores as logarithms of probabilities.
fn log_softmax(scores: &mut [f32]) {
    let highest = scores.iter().fold(f32::MIN, |highest, score| highest.max(*score));
    let sum: f32 = scores.iter().map(|score| (score - highest).exp()).sum();
    scores.iter_mut().for_each(|score| *score -= highest + sum.ln());
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One input, one output, kernel 3 with weights 1, 10, 100 and bias 1 over the sequence 1, 2, 3.
    #[test]
    fn a_layer_looks_at_neighbours_and_takes_zeros_beyond_the_ends() {
        let layer = Layer { kernel: 3, inputs: 1, outputs: 1, weights: vec![1.0, 10.0, 100.0], bias: vec![1.0] };
        assert_eq!(layer.run(&[1.0, 2.0, 3.0], true), [211.0, 322.0, 33.0]);
        let below = Layer { weights: vec![0.0, -1.0, 0.0], ..layer };
        assert_eq!((below.run(&[1.0, 3.0], false), below.run(&[1.0, 3.0], true)), (vec![0.0, 0.0], vec![0.0, -2.0]));
    }

    #[test]
    fn probabilities_of_labels_add_up_to_one_and_follow_the_scores() {
        let mut network = Network::new(2, 2);
        network.layers[4].bias = vec![0.0, 3.0_f32.ln()];
        let rated = network.rate(&[1.0, 2.0, 3.0, 4.0]);
        let shares: Vec<f32> = rated.iter().map(|log| log.exp()).collect();
        assert!(shares.iter().zip([0.25, 0.75, 0.25, 0.75]).all(|(a, b)| (a - b).abs() < 1e-6), "{shares:?}");
    }

    #[test]
    fn a_network_is_read_as_it_was_written() {
        let mut network = Network::new(3, 4);
        network.layers.iter_mut().enumerate().for_each(|(at, layer)| layer.weights[at] = -0.5);
        network.means[1] = 2.0;
        let bytes = network.write();
        assert_eq!(Network::read(&mut &bytes[..], 3, 4), Some(network));
        assert_eq!(Network::read(&mut &bytes[1..], 3, 4), None);
    }
}
