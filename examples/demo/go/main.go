// A Go host: loads a plugin, calls it, prints responses and log records, and times its calls against bare calls.
//
// Usage: demo PATH-OF-HELLO-PLUGIN PATH-OF-FLOOR
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"sync"
	"time"
	"unsafe"

	rustbridge "github.com/rustbridge/rustbridge/rustbridge-go"
)

const (
	rounds = 201
	batch  = 500
	echo   = `{"message":"Hello, World!"}`
)

type add struct{ A, B int64 }

type sum struct{ Result int64 }

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

var printing sync.Mutex

// emit prints one JSON object on a line. It takes a lock, because log records are printed on a log thread.
func emit(fields map[string]any) {
	fields["host"], fields["transport"] = "Go", "cgo"
	line, err := json.Marshal(fields)
	check(err)
	printing.Lock()
	defer printing.Unlock()
	fmt.Println(string(line))
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// show prints every record that arrives from the plugin.
type show struct{}

func (show) Enabled(context.Context, slog.Level) bool { return true }
func (s show) WithAttrs([]slog.Attr) slog.Handler     { return s }
func (s show) WithGroup(string) slog.Handler          { return s }

func (show) Handle(_ context.Context, record slog.Record) error {
	text := record.Level.String() + ": " + record.Message
	record.Attrs(func(attr slog.Attr) bool {
		text += " " + attr.String()
		return true
	})
	emit(map[string]any{"event": "log", "text": text})
	return nil
}

// compare times both calls in alternating batches, so that both run under the same conditions, and returns the medians.
func compare(ours, bare func()) (float64, float64) {
	timed := func(call func()) float64 {
		began := time.Now()
		for range batch {
			call()
		}
		return float64(time.Since(began).Nanoseconds()) / batch
	}
	var times [2][]float64
	for range rounds {
		times[0] = append(times[0], timed(ours))
		times[1] = append(times[1], timed(bare))
	}
	slices.Sort(times[0])
	slices.Sort(times[1])
	return times[0][rounds/2], times[1][rounds/2]
}

func answered(method, encoding, answer string, ours, bare func()) {
	ns, bareNS := compare(ours, bare)
	emit(map[string]any{
		"method": method, "encoding": encoding, "answer": answer, "ns": ns, "bare_ns": bareNS, "bare": "cgo by hand",
	})
}

func main() {
	path, floor := os.Args[1], os.Args[2]
	ctx := context.Background()
	plugin, err := rustbridge.Load(path, &rustbridge.Options{Logger: slog.New(show{})})
	check(err)
	defer plugin.Close()

	call := func(method string, request any) {
		var answer json.RawMessage
		check(plugin.Call(ctx, method, request, &answer))
		check(plugin.FlushLog(ctx))
		emit(map[string]any{"method": method, "encoding": "json", "answer": string(answer)})
	}
	call("user.create", map[string]string{"username": "ada", "email": "ada@example.com"})
	err = plugin.Call(ctx, "math.add", map[string]int64{"a": 1<<63 - 1, "b": 1}, nil)
	if !errors.Is(err, rustbridge.OutOfRange) {
		check(errors.New("a sum that doesn't fit was answered"))
	}
	emit(map[string]any{"event": "error", "text": err.Error()})
	// Turn logging off, so that only the calls are timed.
	check(plugin.SetLogLevel(rustbridge.LevelOff))
	call("greet", map[string]string{"name": "Ada"})
	call("test.sleep", map[string]int{"duration_ms": 5})
	call("math.add", map[string]int{"a": 20, "b": 22})
	call("bench.small", map[string]any{"key": "bench_key", "flags": 1})

	echoing, err := plugin.Method("echo")
	check(err)
	bareEcho := find(floor, "floor_echo_json")
	text, err := echoing.CallJSON(ctx, echo)
	check(err)
	answered("echo", "json", text, func() {
		_, err := echoing.CallJSON(ctx, echo)
		check(err)
	}, func() { bareEcho.text(echo) })

	adding, err := rustbridge.PodOf[add, sum](plugin, "math.add")
	check(err)
	bareAdd := find(floor, "floor_add16")
	total, err := adding.Call(ctx, add{20, 22})
	check(err)
	answered("math.add", "pod", fmt.Sprint("result ", total.Result), func() {
		_, err := adding.Call(ctx, add{20, 22})
		check(err)
	}, func() {
		request, response := add{20, 22}, sum{}
		bareAdd.call(unsafe.Pointer(&request), unsafe.Sizeof(request), unsafe.Pointer(&response), unsafe.Sizeof(response))
	})

	looking, err := rustbridge.PodOfID[small, value](plugin, 1)
	check(err)
	bareSmall := find(floor, "floor_small")
	request := small{Version: 1, KeyLen: 9, Flags: 1}
	copy(request.Key[:], "bench_key")
	found, err := looking.Call(ctx, request)
	check(err)
	answer := fmt.Sprintf("value %s, ttl_seconds %d", found.Value[:found.ValueLen], found.TTLSeconds)
	answered("bench.small", "pod", answer, func() {
		_, err := looking.Call(ctx, request)
		check(err)
	}, func() {
		own, response := request, value{}
		bareSmall.call(unsafe.Pointer(&own), unsafe.Sizeof(own), unsafe.Pointer(&response), unsafe.Sizeof(response))
	})
}
