// SPDX-License-Identifier: GPL-2.0-only
// Closures, iterators, dynamic calls and panics that are caught, in two threads.
use std::collections::HashMap;
use std::panic;
use std::thread;

trait Shape {
    fn area(&self, depth: u64) -> u64;
}

struct Square(u64);
struct Many(Vec<Box<dyn Shape>>);

impl Shape for Square {
    #[inline(never)]
    fn area(&self, depth: u64) -> u64 {
        (0..depth * 2).fold(self.0, |sum, n| sum.wrapping_mul(31) ^ n)
    }
}

impl Shape for Many {
    #[inline(never)]
    fn area(&self, depth: u64) -> u64 {
        self.0.iter().map(|shape| shape.area(depth + 1)).fold(0, u64::wrapping_add)
    }
}

#[inline(never)]
fn fail(n: u64) -> u64 {
    if n % 2 == 0 {
        panic!("{}", n);
    }
    n
}

#[inline(never)]
fn count(words: &[String]) -> usize {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    words.iter().for_each(|word| *counts.entry(word).or_default() += 1);
    counts.len()
}

fn work() {
    let shapes = Many(vec![Box::new(Square(1)), Box::new(Many(vec![Box::new(Square(2))]))]);
    let words: Vec<String> = (0..50).map(|n| (n % 7).to_string()).collect();
    let mut sum = 0;
    for n in 0.. {
        sum ^= shapes.area(n % 9) ^ count(&words) as u64;
        sum ^= panic::catch_unwind(|| fail(n)).unwrap_or(0);
        std::hint::black_box(sum);
    }
}

fn main() {
    panic::set_hook(Box::new(|_| {}));
    thread::spawn(work);
    work();
}
