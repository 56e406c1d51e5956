// SPDX-License-Identifier: GPL-2.0-only

// Writes what Go's own runtime/pprof writes, into the directory given: cpu.pb.gz, heap.pb.gz,
// mutex.pb.gz, goroutine.pb.gz. Some functions are inlined, and one is labelled.
package main

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"sync"
	"time"
)

var sink []byte

func inlined(n int) int { return n*n + 1 }

//go:noinline
func burn(until time.Time) (sum int) {
	for time.Now().Before(until) {
		for i := 0; i < 1000; i++ {
			sum += inlined(i)
		}
	}
	return sum
}

//go:noinline
func allocate() {
	for i := 0; i < 2000; i++ {
		sink = make([]byte, 10000)
	}
}

func contend() {
	var mutex sync.Mutex
	var group sync.WaitGroup
	for i := 0; i < 4; i++ {
		group.Add(1)
		go func() {
			defer group.Done()
			for j := 0; j < 50; j++ {
				mutex.Lock()
				time.Sleep(100 * time.Microsecond)
				mutex.Unlock()
			}
		}()
	}
	group.Wait()
}

func create(name string) *os.File {
	file, err := os.Create(filepath.Join(os.Args[1], name+".pb.gz"))
	if err != nil {
		panic(err)
	}
	return file
}

func main() {
	runtime.MemProfileRate = 1000
	runtime.SetMutexProfileFraction(1)
	cpu := create("cpu")
	if err := pprof.StartCPUProfile(cpu); err != nil {
		panic(err)
	}
	pprof.Do(context.Background(), pprof.Labels("who", "burner"), func(context.Context) {
		burn(time.Now().Add(500 * time.Millisecond))
	})
	allocate()
	contend()
	pprof.StopCPUProfile()
	cpu.Close()
	for _, name := range []string{"heap", "mutex", "goroutine"} {
		file := create(name)
		if err := pprof.Lookup(name).WriteTo(file, 0); err != nil {
			panic(err)
		}
		file.Close()
	}
}
