// SPDX-License-Identifier: GPL-2.0-only
// Closures, iterators, traits and generics: most of what Rust compiles is inlined.
use std::collections::HashMap;

trait Weigh {
    fn weigh(&self) -> u64;
}

struct Short(String);
struct Long(Vec<u8>);

impl Weigh for Short {
    fn weigh(&self) -> u64 {
        self.0.bytes().map(u64::from).sum()
    }
}

impl Weigh for Long {
    fn weigh(&self) -> u64 {
        self.0.iter().rev().enumerate().fold(0, |sum, (i, byte)| sum ^ (u64::from(*byte) << (i % 32)))
    }
}

fn words(round: u64) -> Vec<Box<dyn Weigh>> {
    (0..200u64)
        .map(|i| -> Box<dyn Weigh> {
            if (i + round) % 2 == 0 {
                Box::new(Short(format!("word {}", i * round)))
            } else {
                Box::new(Long((0..i).map(|x| (x * round) as u8).collect()))
            }
        })
        .collect()
}

fn count(words: &[Box<dyn Weigh>]) -> HashMap<u64, usize> {
    let mut counts = HashMap::new();
    for word in words {
        *counts.entry(word.weigh() % 64).or_insert(0) += 1;
    }
    counts
}

fn main() {
    let rounds: u64 = std::env::args().nth(1).map_or(1000, |word| word.parse().unwrap());
    let mut total = 0;
    for round in 1..=rounds {
        let counts = count(&words(round));
        let mut sorted: Vec<_> = counts.into_iter().collect();
        sorted.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
        total += sorted.first().map_or(0, |pair| pair.1);
    }
    println!("{total}");
}
