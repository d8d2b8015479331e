// Rust's readings as a peer: see protocol.py.

use std::hint::black_box;
use std::io::{self, BufRead, Write};
use std::process::exit;
use std::time::{Instant, SystemTime};

const WARM_UP: u64 = 100_000;

fn instant(n: u64) {
    for _ in 0..n {
        black_box(Instant::now());
    }
}

fn system_time(n: u64) {
    for _ in 0..n {
        black_box(SystemTime::now());
    }
}

const ROWS: [(&str, fn(u64)); 2] = [
    ("rust/Instant::now", instant),
    ("rust/SystemTime::now", system_time),
];

fn serve(request: &str) -> Option<f64> {
    let mut words = request.split_whitespace();
    let name = words.next()?;
    let n: u64 = words.next()?.parse().ok().filter(|n| *n > 0)?;
    let (_, batch) = ROWS.iter().find(|row| row.0 == name)?;
    batch(n / 8); // what ran meanwhile has taken the caches
    let before = Instant::now();
    batch(n);
    Some(before.elapsed().as_nanos() as f64 / n as f64)
}

fn main() -> io::Result<()> {
    let mut out = io::stdout();
    let mut ready = String::from("ready");
    for (name, batch) in ROWS {
        batch(WARM_UP);
        ready = ready + " " + name;
    }
    writeln!(out, "{ready}")?;
    for line in io::stdin().lock().lines() {
        let line = line?;
        match serve(&line) {
            Some(ns) => writeln!(out, "{ns}")?,
            None => {
                eprintln!("bad request: {line}");
                exit(1);
            }
        }
        out.flush()?;
    }
    Ok(())
}
