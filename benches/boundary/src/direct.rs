//! What conformance-plugin's structs are for, as plain functions: a program can be linked with one plugin only, and that
//! is hello-plugin.

/// `pod.add32`.
pub fn add32([a, b]: &[i32; 2]) -> [i32; 2] {
    [a.wrapping_add(*b), a ^ b]
}

/// `pod.big`: a tag and 66 numbers to the tag, their count, and each of them plus the tag.
pub fn big(request: &[u32; 67]) -> [u32; 68] {
    let (tag, values) = (request[0], &request[1..]);
    let mut answer = [0; 68];
    (answer[0], answer[1]) = (tag, values.len() as u32);
    for (sum, value) in answer[2..].iter_mut().zip(values) {
        *sum = value.wrapping_add(tag);
    }
    answer
}

/// `pod.nested`: three points with x and y swapped, and a number.
pub fn nested(request: &[u64; 4]) -> [u64; 4] {
    let [a, b, c, id] = *request;
    [a.rotate_left(32), b.rotate_left(32), c.rotate_left(32), id]
}
