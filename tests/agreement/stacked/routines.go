// SPDX-License-Identifier: GPL-2.0-only
// Goroutines: leaves without a frame, interfaces, closures, garbage, channels, panics, system calls.
package main

import (
	"fmt"
	"os"
	"sort"
)

type shape interface{ area(int) int }
type square struct{ side int }
type many []shape

//go:noinline
func leaf(n int) int {
	for i := 0; i < 20; i++ {
		n = n*31 + i
	}
	return n
}

//go:noinline
func (s square) area(depth int) int { return leaf(s.side + depth) }

//go:noinline
func (m many) area(depth int) int {
	sum := 0
	for _, s := range m {
		sum += s.area(depth + 1)
	}
	return sum
}

//go:noinline
func fail(n int) (sum int) {
	defer func() {
		if recover() != nil {
			sum = leaf(n)
		}
	}()
	if n%2 == 0 {
		panic(n)
	}
	return leaf(n)
}

//go:noinline
func garbage(n int) int {
	words := map[string]int{}
	for i := 0; i < 50; i++ {
		words[fmt.Sprint(i%7, n%100)] += leaf(i)
	}
	keys := make([]string, 0)
	for key := range words {
		keys = append(keys, key)
	}
	sort.Slice(keys, func(a, b int) bool { return keys[a] < keys[b] })
	return len(keys)
}

func work(out chan<- int) {
	shapes := many{square{1}, many{square{2}, many{square{3}}}}
	for n := 0; ; n++ {
		out <- shapes.area(n) + fail(n) + garbage(n) + os.Getpid()
	}
}

func main() {
	out := make(chan int)
	for i := 0; i < 3; i++ {
		go work(out)
	}
	for sum := 0; ; {
		sum += <-out
	}
}
