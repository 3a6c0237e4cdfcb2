package rustbridge_test

import (
	"context"
	"encoding/json"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	rustbridge "github.com/rustbridge/rustbridge/rustbridge-go"
)

// resident is how much memory of the process is there, with C's and the plugins'; 0 where the system doesn't tell.
func resident() int {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text))
	pages, err := strconv.Atoi(fields[1])
	if err != nil {
		return 0
	}
	return pages * os.Getpagesize()
}

func TestNothingIsLeftOfCallsThatAreOver(t *testing.T) {
	if resident() == 0 {
		t.Skip("this system doesn't report how much memory a process uses")
	}
	hello, operations := load(t, "hello", nil), operations(t)
	large, sleep := method(t, hello, "bench.large"), method(t, operations, "async.never")
	ticks := method(t, operations, "stream.ticks")
	request := []byte(`{"query_id":"a","filters":[],"page_size":1000}`)
	work := func(rounds int) {
		for range rounds {
			// An answer that doesn't fit, one that stays, one that's dropped; errors; what is given up; objects.
			if _, err := large.CallAppend(context.Background(), make([]byte, 0, 16), request); err != nil {
				t.Fatal(err)
			}
			lease, err := large.CallLease(context.Background(), request)
			if err != nil {
				t.Fatal(err)
			}
			lease.Close()
			if _, err := large.CallLease(context.Background(), request); err != nil {
				t.Fatal(err)
			}
			if err := hello.Call(context.Background(), "math.add", map[string]int64{"a": 1<<63 - 1, "b": 1}, nil); err == nil {
				t.Fatal("it fitted")
			}
			ctx, cancel := context.WithTimeout(context.Background(), 100*time.Microsecond)
			if err := sleep.Call(ctx, nil, nil); err == nil {
				t.Fatal("it has ended")
			}
			cancel()
			for range ticks.Stream(context.Background(), []byte(`{"from":0,"to":100000}`)) {
				break
			}
			object, err := operations.Object(context.Background(), "counter.open", 1)
			if err != nil {
				t.Fatal(err)
			}
			object.Close()
		}
		runtime.GC()
		time.Sleep(20 * time.Millisecond)
		runtime.GC()
	}
	work(80)
	before := resident()
	work(200)
	// Each round has about a megabyte in its hands.
	if after := resident(); after > before+64<<20 {
		t.Errorf("%d bytes more are used after 200 rounds", after-before)
	}
	for deadline := time.Now().Add(soon); pending(t) > 0; {
		if time.Now().After(deadline) {
			t.Fatal(pending(t), "calls are pending that were given up")
		}
		time.Sleep(time.Millisecond)
	}
}

// pending is how many calls are, in all plugins that are loaded.
func pending(t *testing.T) int {
	t.Helper()
	text, err := rustbridge.Inspect()
	if err != nil {
		t.Fatal(err)
	}
	var told struct {
		Instances []struct{ Pending []json.RawMessage }
	}
	if err := json.Unmarshal(text, &told); err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, instance := range told.Instances {
		count += len(instance.Pending)
	}
	return count
}
