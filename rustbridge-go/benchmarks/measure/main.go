// Measures the scenarios of benches/catalogue.toml that name Go, beside cgo calls written by hand, and writes what `cargo xtask bench` reads.
//
// `measure [--list] [--quick] [--only TEXT] [--threads N]`, with the environment that xtask gives it.
package main

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
	"unsafe"

	rustbridge "github.com/rustbridge/rustbridge/rustbridge-go"
	"github.com/rustbridge/rustbridge/rustbridge-go/benchmarks/floor"
)

type pair struct{ A, B int32 }

type both struct{ Sum, Xor int32 }

type small struct {
	Version  uint8
	Reserved [3]uint8
	Key      [64]uint8
	KeyLen   uint32
	Flags    uint32
}

type value struct {
	Version    uint8
	Reserved   [3]uint8
	Value      [64]uint8
	ValueLen   uint32
	TTLSeconds uint32
	CacheHit   uint8
	Padding    [3]uint8
}

type number struct{ Value int32 }

// How many calls are pending at a time, and how many items a stream has.
const (
	inFlight = 64
	items    = 100_000
)

const echo = `{"message":"Hello, World!"}`

// scenario is one of the catalogue's, by its name.
type scenario struct {
	name    string
	threads []int
	// How many of the catalogue's unit one call has; 0 is one.
	units int
	ours  func(loaded) func()
	floor func() func()
}

var scenarios = []scenario{
	{"empty call", []int{1}, 0, func(l loaded) func() {
		method, err := l.bench.MethodIn("void", rustbridge.Raw)
		check(err)
		return func() {
			_, err := method.CallAppendUnshared(ctx, storage, nil)
			check(err)
		}
	}, func() func() {
		function := find("floor_empty")
		return func() { function.Empty() }
	}},
	{"pod 8/8", []int{1}, 0, func(l loaded) func() {
		method, err := rustbridge.PodOf[pair, both](l.conformance, "pod.add32")
		check(err)
		return func() {
			_, err := method.Call(ctx, pair{20, 22})
			check(err)
		}
	}, func() func() { return bare[both]("floor_pod8", pair{20, 22}) }},
	{"bench.small 76/80", []int{1, 2}, 0, func(l loaded) func() {
		method, err := rustbridge.PodOfID[small, value](l.hello, 1)
		check(err)
		return func() {
			var response value
			check(method.CallInto(ctx, &request, &response))
		}
	}, func() func() { return bare[value]("floor_small", request) }},
	{"json echo 13 B", []int{1, 2}, 0, func(l loaded) func() {
		method, err := l.hello.Method("echo")
		check(err)
		return func() {
			_, err := method.CallJSON(ctx, echo)
			check(err)
		}
	}, func() func() {
		function := find("floor_echo_json")
		return func() { function.Text(echo) }
	}},
	{"plain call", []int{1}, 0, func(l loaded) func() { return adding(l, "plain") }, func() func() {
		return bare[number]("floor_answer", number{1})
	}},
	{"ready", []int{1}, 0, func(l loaded) func() { return adding(l, "ready") }, func() func() {
		return bare[number]("floor_answer", number{1})
	}},
	{"pending 64 in flight", []int{1}, inFlight, func(l loaded) func() {
		method, err := rustbridge.PodOf[number, number](l.bench, "later")
		check(err)
		return together(func() {
			_, err := method.Call(ctx, number{1})
			check(err)
		})
	}, func() func() {
		function := find("floor_later")
		return together(func() { function.Later(1) })
	}},
	{"stream of pods", []int{1}, items, func(l loaded) func() {
		method, err := l.bench.MethodIn("count", rustbridge.Pod)
		check(err)
		end := binary.NativeEndian.AppendUint64(nil, items)
		return func() {
			sum := uint64(0)
			for item, err := range method.Stream(ctx, end) {
				check(err)
				sum += binary.NativeEndian.Uint64(item)
			}
			summed(sum)
		}
	}, func() func() {
		function := find("floor_count")
		return func() {
			sum := uint64(0)
			var batch [1024]uint64
			for next := uint64(0); next < items; {
				between := [2]uint64{next, items}
				length, _ := function.Call(unsafe.Pointer(&between), 16, unsafe.Pointer(&batch), 8*len(batch))
				for _, number := range batch[:length/8] {
					sum += number
				}
				next += uint64(length / 8)
			}
			summed(sum)
		}
	}},
	{"object method", []int{1}, 0, func(l loaded) func() {
		making, err := l.bench.MethodIn("adder", rustbridge.Raw)
		check(err)
		made := rustbridge.Invocation{}
		check(making.Invoke(ctx, &made))
		add, err := l.bench.MethodIn("Adder.add", rustbridge.Pod)
		check(err)
		adder := rustbridge.Invocation{
			Request: binary.NativeEndian.AppendUint32(nil, 1), Unshared: true, Borrowed: made.Objects, Buffer: make([]byte, 0, 16),
		}
		return func() { check(add.Invoke(ctx, &adder)) }
	}, func() func() {
		var object uintptr
		find("floor_adder_new").Call(nil, 0, unsafe.Pointer(&object), int(unsafe.Sizeof(object)))
		function := find("floor_adder_add")
		return func() {
			request, response := int32(1), int32(0)
			function.CallOn(object, unsafe.Pointer(&request), 4, unsafe.Pointer(&response), 4)
		}
	}},
}

func adding(l loaded, name string) func() {
	method, err := rustbridge.PodOf[number, number](l.bench, name)
	check(err)
	return func() {
		_, err := method.Call(ctx, number{1})
		check(err)
	}
}

// together makes a call on each of so many goroutines, and waits for all.
func together(call func()) func() {
	return func() {
		var calling sync.WaitGroup
		for range inFlight {
			calling.Add(1)
			go func() {
				defer calling.Done()
				call()
			}()
		}
		calling.Wait()
	}
}

func summed(sum uint64) {
	if sum != items*(items-1)/2 {
		check(fmt.Errorf("the items' sum is %d", sum))
	}
}

var (
	ctx     = context.Background()
	storage = make([]byte, 0, 4096)
	request = func() small {
		made := small{Version: 1, KeyLen: 9, Flags: 1}
		copy(made.Key[:], "bench_key")
		return made
	}()
)

type loaded struct {
	hello, conformance, bench *rustbridge.Plugin
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func find(name string) floor.Function {
	function, err := floor.Find(name)
	check(err)
	return function
}

func bare[Response, Request any](name string, request Request) func() {
	function := find(name)
	return func() {
		own := request
		var response Response
		if length, status := function.Call(unsafe.Pointer(&own), int(unsafe.Sizeof(own)), unsafe.Pointer(&response),
			int(unsafe.Sizeof(response))); status != 0 || length != int(unsafe.Sizeof(response)) {
			check(fmt.Errorf("%s: status %d, %d bytes", name, status, length))
		}
	}
}

// sample is the time of one operation on one goroutine, of so many on each of some.
func sample(call func(), count, threads int) float64 {
	var calling sync.WaitGroup
	began := time.Now()
	for range threads {
		calling.Add(1)
		go func() {
			defer calling.Done()
			for range count {
				call()
			}
		}()
	}
	calling.Wait()
	return float64(time.Since(began).Nanoseconds()) / float64(count)
}

type measure struct {
	Scenario  string    `json:"scenario"`
	Host      string    `json:"host"`
	Transport string    `json:"transport"`
	Subject   string    `json:"subject"`
	Threads   int       `json:"threads"`
	NS        []float64 `json:"ns"`
	Harness   string    `json:"harness"`
}

func main() {
	list := flag.Bool("list", false, "print what would be measured")
	quick := flag.Bool("quick", false, "measure shortly, which proves nothing")
	only := flag.String("only", "", "measure the scenarios that contain this")
	wanted := flag.Int("threads", 0, "measure with so many goroutines alone; 0, with all that there are")
	flag.Parse()
	if *list {
		for _, one := range scenarios {
			for _, threads := range one.threads {
				for _, subject := range []string{"ours", "floor"} {
					fmt.Printf("%s\tgo\tcgo\t%s\t%d\n", one.name, subject, threads)
				}
			}
		}
		return
	}
	folder := os.Getenv("RUSTBRIDGE_PLUGIN_DIR")
	check(floor.Open(filepath.Join(folder, "libfloor.so")))
	silent := &rustbridge.Options{Logger: slog.New(slog.DiscardHandler)}
	hello, err := rustbridge.Load(filepath.Join(folder, "hello_plugin"), silent)
	check(err)
	defer hello.Close()
	bench, err := rustbridge.Load(filepath.Join(folder, "bench_plugin"), silent)
	check(err)
	defer bench.Close()
	silent.Config = map[string]string{"label": "measured"}
	conformance, err := rustbridge.Load(filepath.Join(folder, "conformance_plugin"), silent)
	check(err)
	defer conformance.Close()

	samples, each := 100, 10*time.Millisecond
	if *quick {
		samples, each = 20, 2*time.Millisecond
	}
	var measures []measure
	for _, one := range scenarios {
		if !strings.Contains(one.name, *only) {
			continue
		}
		calls := []func(){one.ours(loaded{hello, conformance, bench}), one.floor()}
		for _, threads := range one.threads {
			if *wanted == 1 && threads != 1 || *wanted > 1 && threads == 1 {
				continue
			}
			made := []measure{
				{one.name, "go", "cgo", "ours", threads, nil, "go"},
				{one.name, "go", "cgo", "floor", threads, nil, "go"},
			}
			counts := make([]int, len(calls))
			for index, call := range calls {
				warm := sample(call, 20_000/max(1, one.units)+2, threads)
				counts[index] = max(1, int(float64(each.Nanoseconds())/warm))
			}
			// They take turns, so that both see the same machine.
			for range samples {
				for index, call := range calls {
					made[index].NS = append(made[index].NS, sample(call, counts[index], threads)/float64(max(1, one.units)))
				}
			}
			measures = append(measures, made...)
		}
	}
	text, err := json.MarshalIndent(measures, "", " ")
	check(err)
	name := fmt.Sprintf("go-%d.json", *wanted)
	check(os.WriteFile(filepath.Join(os.Getenv("RUSTBRIDGE_BENCH_ROWS"), name), append(text, '\n'), 0o600))
}
