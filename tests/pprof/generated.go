// SPDX-License-Identifier: GPL-2.0-only

// generated TOPSTACKS DIRECTORY NUMBER SEED: reports of profiles that are made by chance are those of pprof's own
// packages, function by function. It is built within pprof's tree, whose packages are internal. Ends with 1 at the first
// difference, and leaves that profile in the directory.
package main

import (
	"encoding/csv"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"sort"
	"strconv"
	"strings"
	"sync"

	"github.com/google/pprof/internal/measurement"
	"github.com/google/pprof/internal/report"
	"github.com/google/pprof/profile"
)

var names = []string{"main", "malloc", "user_fn", "ns::Alloc(int)", "std::vector<int, std::allocator<int> >::push_back(int)",
	"(anonymous namespace)::run(char*)", "A::operator()(int) const", "operator new(unsigned long)", ".entry", "runtime.mallocgc",
	"main.(*T).Write", "a b, \"c\"", "naïve", "日本", "class@anonymous\x00/a.php", "class@anonymous\x00/b.php", "back\\slash", "x;y",
	"_start", "bad\xffbyte", "=formula", "0"}

var types = []string{"samples", "cpu", "alloc_objects", "alloc_space", "inuse_space", "contentions", "delay", "odd type"}

var units = []string{"count", "nanoseconds", "microseconds", "ms", "us", "s", "seconds", "minutes", "hours", "bytes", "kB",
	"kilobytes", "MB", "widgets", ""}

// Parts of expressions; some are none, which leaves all as it is.
var expressions = []string{"", "", "malloc", "main", ".*", "m.*", "ns::.*|operator new", "(?i)MALLOC|USER_FN",
	"\\(anonymous namespace\\)::run|A::operator\\(\\)", "entry", "runtime\\..*", "[^a-m].*", "\\w+", "\\Q.\\Eentry|(.*::)?Alloc", "(",
	"na.ve|日.", "(?:x|y)+.*", ".{1,4}", "class@anonymous.*a\\.php", "bad.byte", "\\D*\\S"}

func pick(r *rand.Rand, from []string) string { return from[r.Intn(len(from))] }

func value(r *rand.Rand) int64 {
	switch r.Intn(4) {
	case 0:
		return 0
	case 1:
		return r.Int63n(10)
	case 2:
		return r.Int63n(100000)
	}
	return r.Int63n(1 << 40)
}

func labels(r *rand.Rand, s *profile.Sample) {
	s.Label, s.NumLabel, s.NumUnit = map[string][]string{}, map[string][]int64{}, map[string][]string{}
	for n := r.Intn(4); n > 0; n-- {
		key := pick(r, []string{"pid", "thread", "own_pid", "comm", "cgroup", "bytes", "uid", "slice", "state", "wait", "odd", "pprof::base"})
		if r.Intn(2) == 0 {
			s.Label[key] = append(s.Label[key], pick(r, []string{"", "true", "worker", "a\x00b", strings.Repeat("long", 99)}))
		} else {
			s.NumLabel[key] = append(s.NumLabel[key], []int64{1, -1, 4294967295, 1 << 62, 7}[r.Intn(5)])
		}
	}
}

func location(r *rand.Rand, p *profile.Profile) *profile.Location {
	l := &profile.Location{ID: uint64(len(p.Location)) + 1, Address: uint64(r.Int63n(1 << 47)), IsFolded: r.Intn(9) == 0}
	if len(p.Mapping) > 0 && r.Intn(4) > 0 {
		l.Mapping = p.Mapping[r.Intn(len(p.Mapping))]
	}
	for n := r.Intn(4); n > 0; n-- {
		f := p.Function[r.Intn(len(p.Function))]
		l.Line = append(l.Line, profile.Line{Function: f, Line: []int64{0, 12, -3, 1 << 40}[r.Intn(4)]})
	}
	return l
}

func generate(r *rand.Rand) *profile.Profile {
	p := &profile.Profile{DropFrames: pick(r, expressions), TimeNanos: r.Int63() * int64(r.Intn(3)-1),
		DurationNanos: int64(r.Intn(1000)) - 100, Period: int64(r.Intn(3))*1000 - 1000}
	if p.DropFrames != "" && r.Intn(2) == 0 {
		p.KeepFrames = pick(r, expressions)
	}
	for i, n := range r.Perm(len(types))[:1+r.Intn(4)] {
		p.SampleType = append(p.SampleType, &profile.ValueType{Type: types[n], Unit: pick(r, units)})
		if i == 0 || r.Intn(3) == 0 {
			p.DefaultSampleType = pick(r, []string{"", types[n], "no such type"})
			p.PeriodType = &profile.ValueType{Type: types[n], Unit: pick(r, units)}
		}
	}
	for n := (r.Intn(6) + 2) / 3; n > 0; n-- { // mostly one
		start := uint64(r.Int63n(1<<35)) << 12
		p.Mapping = append(p.Mapping, &profile.Mapping{ID: uint64(len(p.Mapping)) + 1, Start: start, Limit: start + 1<<20,
			Offset: uint64(r.Intn(9)) << 12, File: pick(r, []string{"", "/nowhere/prog", "[kernel.kallsyms]", "[vdso]", "//anon", "lib.so"}),
			BuildID: pick(r, []string{"", "00112233445566778899aabbccddeeff", "no build id"})})
	}
	for n := 1 + r.Intn(12); n > 0; n-- {
		p.Function = append(p.Function, &profile.Function{ID: uint64(len(p.Function)) + 1, Name: pick(r, names),
			SystemName: pick(r, names), Filename: pick(r, []string{"", "/a.c", "b.c"}), StartLine: int64(r.Intn(3)) - 1})
	}
	for n := 1 + r.Intn(20); n > 0; n-- {
		p.Location = append(p.Location, location(r, p))
	}
	for n := r.Intn(20); n > 0; n-- {
		s := &profile.Sample{}
		for depth := r.Intn(8); depth > 0; depth-- {
			s.Location = append(s.Location, p.Location[r.Intn(len(p.Location))])
		}
		for range p.SampleType {
			s.Value = append(s.Value, value(r))
		}
		labels(r, s)
		p.Sample = append(p.Sample, s)
	}
	return p
}

// A second file, whose type of that index may have a finer or coarser unit. Values of both are as small as pprof scales
// them exactly; those of other types keep their units, as it leaves out samples of which what it scales is 0.
func another(r *rand.Rand, p *profile.Profile, index int) *profile.Profile {
	for _, s := range p.Sample {
		for i := range s.Value {
			s.Value[i] %= 100000
		}
	}
	q := p.Copy()
	switch t := q.SampleType[index]; t.Unit {
	case "nanoseconds", "microseconds", "us", "ms", "s", "seconds", "hours":
		t.Unit = pick(r, []string{"ns", "us", "milliseconds", "s", "hr"})
	case "bytes", "kB", "kilobytes", "MB":
		t.Unit = pick(r, []string{"b", "kilobyte", "megabytes"})
	}
	return q
}

// What go tool pprof -top shows of each function, without what it shows of places that have no name.
func top(profiles []*profile.Profile, index int) (map[string][2]int64, error) {
	for _, p := range profiles {
		p.RemoveUninteresting()
	}
	p := profiles[0]
	if len(profiles) > 1 {
		if err := measurement.ScaleProfiles(profiles); err != nil {
			return nil, err
		}
		var err error
		if p, err = profile.Merge(profiles); err != nil {
			return nil, err
		}
	}
	if err := p.Aggregate(true, true, false, false, false); err != nil {
		return nil, err
	}
	items, _ := report.TextItems(report.New(p, &report.Options{OutputFormat: report.Text,
		SampleValue: func(v []int64) int64 { return v[index] }, OutputUnit: "minimum", SampleUnit: p.SampleType[index].Unit}))
	rows := map[string][2]int64{}
	for _, item := range items {
		if item.Flat != 0 || item.Cum != 0 {
			rows[item.Name] = [2]int64{rows[item.Name][0] + item.Flat, rows[item.Name][1] + item.Cum}
		}
	}
	return rows, nil
}

// A function in several modules has a row for each, which may be of the same samples: their totals do not add up.
const inModules = -1

var escape = regexp.MustCompile(`\\x[0-9a-f]{2}|\\\\`)

func unescape(text string) string {
	return escape.ReplaceAllStringFunc(text, func(e string) string {
		if e == `\\` {
			return `\`
		}
		b, _ := strconv.ParseUint(e[2:], 16, 8)
		return string([]byte{byte(b)})
	})
}

func ours(topstacks, sampleType string, files []string) (map[string][2]int64, string, error) {
	arguments := append([]string{"report", "--format", "csv", "--sample-type", sampleType}, files...)
	command := exec.Command(topstacks, arguments...)
	var said strings.Builder
	command.Stderr = &said
	text, err := command.Output()
	if err != nil {
		return nil, said.String(), err
	}
	table, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
	if err != nil {
		return nil, said.String(), err
	}
	rows := map[string][2]int64{}
	for _, row := range table[1:] {
		flat, err1 := strconv.ParseInt(row[3], 10, 64)
		cum, err2 := strconv.ParseInt(row[4], 10, 64)
		if err1 != nil || err2 != nil {
			return nil, strings.Join(row, " "), fmt.Errorf("no numbers")
		}
		name := unescape(row[0])
		if before, twice := rows[name]; twice {
			flat, cum = before[0]+flat, inModules
		}
		rows[name] = [2]int64{flat, cum}
	}
	return rows, said.String(), nil
}

func difference(ours, theirs map[string][2]int64) string {
	var found []string
	for _, name := range names {
		if ours[name][0] != theirs[name][0] || (ours[name][1] != inModules && ours[name][1] != theirs[name][1]) {
			found = append(found, fmt.Sprintf("%q: ours %d, pprof's %d", name, ours[name], theirs[name]))
		}
	}
	sort.Strings(found)
	return strings.Join(found, "\n")
}

func write(p *profile.Profile, path string, compressed bool) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	if compressed {
		return p.Write(file)
	}
	return p.WriteUncompressed(file)
}

func read(path string) (*profile.Profile, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return profile.Parse(file)
}

// "": equal.
func check(topstacks, directory string, seed int64) string {
	r := rand.New(rand.NewSource(seed))
	made := []*profile.Profile{generate(r)}
	index := r.Intn(len(made[0].SampleType))
	if r.Intn(8) == 0 {
		made = append(made, another(r, made[0], index))
	}
	isDifference := len(made[0].Sample) > 0 && r.Intn(20) == 0
	if isDifference {
		for i := range made[0].Sample[0].Value {
			made[0].Sample[0].Value[i] = -1 - made[0].Sample[0].Value[i]
		}
	}
	var files []string
	var profiles []*profile.Profile
	for i, p := range made {
		file := filepath.Join(directory, fmt.Sprintf("%d-%d.pb.gz", seed, i))
		if err := write(p, file, r.Intn(4) == 0); err != nil {
			return err.Error()
		}
		again, err := read(file)
		if err != nil {
			return err.Error()
		}
		files, profiles = append(files, file), append(profiles, again)
	}
	sampleType := made[0].SampleType[index].Type
	theirs, err := top(profiles, index)
	if err != nil {
		return "pprof: " + err.Error()
	}
	rows, said, err := ours(topstacks, sampleType, files)
	wrong := ""
	if isDifference {
		if err == nil || !strings.Contains(said, "a difference of two profiles") {
			wrong = "a difference is not refused as one: " + said
		}
	} else if err != nil {
		wrong = err.Error() + ": " + said
	} else {
		wrong = difference(rows, theirs)
	}
	if wrong != "" {
		return fmt.Sprintf("%s, --sample-type '%s':\n%s", strings.Join(files, " "), sampleType, wrong)
	}
	for _, file := range files {
		os.Remove(file)
	}
	return ""
}

func main() {
	number, _ := strconv.ParseInt(os.Args[3], 10, 64)
	first, _ := strconv.ParseInt(os.Args[4], 10, 64)
	seeds, wrong := make(chan int64), make(chan string, runtime.NumCPU())
	var workers sync.WaitGroup
	for i := 0; i < runtime.NumCPU(); i++ {
		workers.Add(1)
		go func() {
			defer workers.Done()
			for seed := range seeds {
				if text := check(os.Args[1], os.Args[2], seed); text != "" {
					wrong <- text
					return
				}
			}
		}()
	}
	done := int64(0)
	for failed := ""; done < number; done++ {
		select {
		case failed = <-wrong:
			fmt.Println(failed)
			os.Exit(1)
		case seeds <- first + done:
		}
	}
	close(seeds)
	workers.Wait()
	select {
	case failed := <-wrong:
		fmt.Println(failed)
		os.Exit(1)
	default:
		fmt.Printf("%d profiles: equal\n", done)
	}
}
