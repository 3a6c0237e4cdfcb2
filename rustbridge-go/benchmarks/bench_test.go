// Package benchmarks measures the package beside cgo calls written by hand. `go test -bench . ./benchmarks` in rustbridge-go, or
// `cargo xtask bench --only go`.
package benchmarks

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"unsafe"

	rustbridge "github.com/rustbridge/rustbridge/rustbridge-go"
	"github.com/rustbridge/rustbridge/rustbridge-go/benchmarks/floor"
)

type add struct{ A, B int64 }

type sum struct{ Result int64 }

const echo = `{"message":"Hello, World!"}`

func folder() string {
	if given := os.Getenv("RUSTBRIDGE_PLUGIN_DIR"); given != "" {
		return given
	}
	_, here, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(here), "..", "..", "target", "release")
}

func TestMain(m *testing.M) {
	if os.Getenv("RUSTBRIDGE_LIBRARY") == "" {
		os.Setenv("RUSTBRIDGE_LIBRARY", folder())
	}
	os.Exit(m.Run())
}

// each runs a call on one goroutine, and then on as many as there are processors.
func each(b *testing.B, call func() error) {
	b.Run("one", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := call(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("all", func(b *testing.B) {
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				if err := call(); err != nil {
					b.Error(err)
					return
				}
			}
		})
	})
}

func found(b *testing.B, name string) floor.Function {
	b.Helper()
	if err := floor.Open(filepath.Join(folder(), "libfloor.so")); err != nil {
		b.Skip(err)
	}
	function, err := floor.Find(name)
	if err != nil {
		b.Fatal(err)
	}
	return function
}

func loaded(b *testing.B) *rustbridge.Plugin {
	b.Helper()
	plugin, err := rustbridge.Load(filepath.Join(folder(), "libhello_plugin.so"), nil)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { plugin.Close() })
	return plugin
}

func BenchmarkFloorEmpty(b *testing.B) {
	function := found(b, "floor_empty")
	each(b, func() error { function.Empty(); return nil })
}

func BenchmarkFloorPod(b *testing.B) {
	function := found(b, "floor_add16")
	each(b, func() error {
		request := add{40, 2}
		var response sum
		function.Call(unsafe.Pointer(&request), int(unsafe.Sizeof(request)), unsafe.Pointer(&response), int(unsafe.Sizeof(response)))
		if response.Result != 42 {
			b.Fatal(response)
		}
		return nil
	})
}

func BenchmarkFloorText(b *testing.B) {
	function := found(b, "floor_echo_json")
	each(b, func() error {
		if text, _ := function.Text(echo); len(text) < len(echo) {
			b.Fatal(text)
		}
		return nil
	})
}

func BenchmarkPod(b *testing.B) {
	method, err := rustbridge.PodOf[add, sum](loaded(b), "math.add")
	if err != nil {
		b.Fatal(err)
	}
	ctx := context.Background()
	each(b, func() error {
		response, err := method.Call(ctx, add{40, 2})
		if response.Result != 42 {
			b.Fatal(response)
		}
		return err
	})
}

func BenchmarkPodCancellable(b *testing.B) {
	method, err := rustbridge.PodOf[add, sum](loaded(b), "math.add")
	if err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	each(b, func() error {
		_, err := method.Call(ctx, add{40, 2})
		return err
	})
}

func BenchmarkText(b *testing.B) {
	method, err := loaded(b).Method("echo")
	if err != nil {
		b.Fatal(err)
	}
	ctx := context.Background()
	each(b, func() error {
		_, err := method.CallJSON(ctx, echo)
		return err
	})
}

func BenchmarkTextCancellable(b *testing.B) {
	method, err := loaded(b).Method("echo")
	if err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	each(b, func() error {
		_, err := method.CallJSON(ctx, echo)
		return err
	})
}

func BenchmarkValues(b *testing.B) {
	type request struct {
		Message string `json:"message"`
	}
	var response struct {
		Message string `json:"message"`
		Length  int    `json:"length"`
	}
	method, err := loaded(b).Method("echo")
	if err != nil {
		b.Fatal(err)
	}
	ctx := context.Background()
	b.ReportAllocs()
	for b.Loop() {
		if err := method.Call(ctx, request{"Hello, World!"}, &response); err != nil {
			b.Fatal(err)
		}
	}
}

// later calls an async method with so many in flight.
func later(b *testing.B, name, request string, inFlight int) {
	plugin, err := rustbridge.Load(filepath.Join(folder(), "liboperations_plugin.so"), nil)
	if err != nil {
		b.Skip(err)
	}
	defer plugin.Close()
	method, err := plugin.Method(name)
	if err != nil {
		b.Fatal(err)
	}
	ctx := context.Background()
	b.SetParallelism((inFlight + runtime.GOMAXPROCS(0) - 1) / runtime.GOMAXPROCS(0))
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if _, err := method.CallJSON(ctx, request); err != nil {
				b.Error(err)
				return
			}
		}
	})
}

func BenchmarkAsyncReadyAtOnce(b *testing.B) { later(b, "async.now", `{"text":"a"}`, 1) }

func BenchmarkAsyncPending64InFlight(b *testing.B) { later(b, "async.later", `{"text":"a"}`, 64) }

func BenchmarkStreamedItem(b *testing.B) {
	plugin, err := rustbridge.Load(filepath.Join(folder(), "liboperations_plugin.so"), nil)
	if err != nil {
		b.Skip(err)
	}
	defer plugin.Close()
	pods, err := plugin.MethodIn("stream.pods", rustbridge.Pod)
	if err != nil {
		b.Fatal(err)
	}
	count := int64(b.N)
	request := append([]byte(nil), unsafe.Slice((*byte)(unsafe.Pointer(&count)), 8)...)
	b.ReportAllocs()
	b.ResetTimer()
	for _, err := range pods.Stream(context.Background(), request) {
		if err != nil {
			b.Fatal(err)
		}
	}
}

type number struct{ Value int32 }

// numbered calls one of bench-plugin's methods that add 41.
func numbered(b *testing.B, name string, ctx context.Context) {
	plugin, err := rustbridge.Load(filepath.Join(folder(), "libbench_plugin.so"), nil)
	if err != nil {
		b.Skip(err)
	}
	defer plugin.Close()
	method, err := rustbridge.PodOf[number, number](plugin, name)
	if err != nil {
		b.Fatal(err)
	}
	each(b, func() error {
		response, err := method.Call(ctx, number{1})
		if response.Value != 42 {
			b.Fatal(response, err)
		}
		return err
	})
}

func BenchmarkPlain(b *testing.B) { numbered(b, "plain", context.Background()) }

func BenchmarkReady(b *testing.B) { numbered(b, "ready", context.Background()) }

func BenchmarkReadyCancellable(b *testing.B) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	numbered(b, "ready", ctx)
}

func BenchmarkPlainCancellable(b *testing.B) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	numbered(b, "plain", ctx)
}

// BenchmarkPending64 has 64 goroutines make one call each, again and again: an operation is all 64.
func BenchmarkPending64(b *testing.B) {
	plugin, err := rustbridge.Load(filepath.Join(folder(), "libbench_plugin.so"), nil)
	if err != nil {
		b.Skip(err)
	}
	defer plugin.Close()
	method, err := rustbridge.PodOf[number, number](plugin, "later")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		var calling sync.WaitGroup
		for range 64 {
			calling.Add(1)
			go func() {
				defer calling.Done()
				if _, err := method.Call(context.Background(), number{1}); err != nil {
					b.Error(err)
				}
			}()
		}
		calling.Wait()
	}
}
