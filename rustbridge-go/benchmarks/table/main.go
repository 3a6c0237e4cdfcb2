// Makes the table of a known document about cgo anew, on this machine, with this package's rows beside it: an empty call in Go, one of C's, two
// numbers added, one digit of JSON read, on one core and on all.
//
// `go run ./benchmarks/table` in rustbridge-go, or with the folder of the libraries: `go run ./benchmarks/table ../target/release`.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	rustbridge "github.com/rustbridge/rustbridge/rustbridge-go"
	"github.com/rustbridge/rustbridge/rustbridge-go/benchmarks/floor"
)

type add struct{ A, B int64 }

type sum struct{ Result int64 }

//go:noinline
func empty() {}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

type row struct {
	name string
	// Makes what each goroutine calls.
	each func() func()
}

func same(call func()) func() func() {
	return func() func() { return call }
}

func main() {
	folder := "../target/release"
	if len(os.Args) > 1 {
		folder = os.Args[1]
	}
	if os.Getenv("RUSTBRIDGE_LIBRARY") == "" {
		check(os.Setenv("RUSTBRIDGE_LIBRARY", folder))
	}
	check(floor.Open(filepath.Join(folder, "libfloor.so")))
	bareEmpty, err := floor.Find("floor_empty")
	check(err)
	bareAdd, err := floor.Find("floor_add16")
	check(err)
	bareEcho, err := floor.Find("floor_echo_json")
	check(err)
	plugin, err := rustbridge.Load(filepath.Join(folder, "libhello_plugin.so"), &rustbridge.Options{Logger: slog.New(slog.DiscardHandler)})
	check(err)
	defer plugin.Close()
	adding, err := rustbridge.PodOf[add, sum](plugin, "math.add")
	check(err)
	echo, err := plugin.Method("echo")
	check(err)

	ctx := context.Background()
	const text = `{"message":"1"}`
	rows := []row{
		{"Go: empty function, not inlined", same(empty)},
		{"cgo by hand: empty function", same(func() { bareEmpty.Empty() })},
		{"cgo by hand: two numbers added", same(func() {
			request, response := add{1, 2}, sum{}
			bareAdd.Call(unsafe.Pointer(&request), int(unsafe.Sizeof(request)), unsafe.Pointer(&response), int(unsafe.Sizeof(response)))
		})},
		{"rustbridge: two numbers added", same(func() {
			_, err := adding.Call(ctx, add{1, 2})
			check(err)
		})},
		{"Go: one digit by json.Decoder", func() func() {
			reader := strings.NewReader("1")
			decoder, to := json.NewDecoder(reader), 0
			return func() {
				_, err := reader.Seek(0, io.SeekStart)
				check(err)
				check(decoder.Decode(&to))
			}
		}},
		{"cgo by hand: one digit in JSON there and back, string to string", same(func() { bareEcho.Text(text) })},
		{"rustbridge: the same", same(func() {
			_, err := echo.CallJSON(ctx, text)
			check(err)
		})},
	}

	cores := []int{1}
	for count := 2; count <= runtime.NumCPU(); count *= 2 {
		cores = append(cores, count)
	}
	fmt.Print("| ns per call and core |")
	for _, count := range cores {
		fmt.Printf(" %d |", count)
	}
	fmt.Print("\n| --- |" + strings.Repeat(" ---: |", len(cores)) + "\n")
	for _, row := range rows {
		fmt.Printf("| %s |", row.name)
		for _, count := range cores {
			runtime.GOMAXPROCS(count)
			result := testing.Benchmark(func(b *testing.B) {
				b.RunParallel(func(pb *testing.PB) {
					call := row.each()
					for pb.Next() {
						call()
					}
				})
			})
			fmt.Printf(" %.1f |", float64(result.T.Nanoseconds())/float64(result.N)*float64(count))
		}
		fmt.Println()
	}
	fmt.Printf("\n%s, %s/%s, %d cores\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
}
