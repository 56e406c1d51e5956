<?php
// SPDX-License-Identifier: GPL-2.0-only
// mixed.php SECONDS: methods, functions, closures, functions that C calls and that call C, at lines that are known:
// "spin" is where nearly all time goes, below one of three callers.

class Shape {
	public $size;

	public function __construct(int $size = 1) {
		$this->size = $size;
	}

	public function area(): int {
		return spin(4000) + $this->size; // from area
	}

	public static function compare(Shape $left, Shape $right): int {
		spin(4000); // from compare
		return $left->size <=> $right->size;
	}
}

function spin(int $number): int {
	$total = 0;
	for ($i = 0; $i < $number; $i++) {
		$total += $i * 3 % 7; // in spin
	}
	return $total;
}

function sort_shapes(): void {
	$shapes = [new Shape(3), new Shape(1), new Shape(2)];
	usort($shapes, ['Shape', 'compare']);
}

function call_closure(): void {
	array_map(function (int $n): int {
		return spin(4000) + $n; // from closure
	}, [1, 2]);
}

function outer(): void {
	sort_shapes();
	(new Shape(2))->area();
	call_closure();
}

echo "ready\n";
$end = microtime(true) + (float)$argv[1];
while (microtime(true) < $end) {
	outer();
}
