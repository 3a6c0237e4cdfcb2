package rustbridge_test

import (
	"context"
	"errors"
	"runtime/pprof"
	"sync"
	"testing"

	rustbridge "github.com/rustbridge/rustbridge/rustbridge-go"
)

// However the system has the queue watched, there's no thread for each call that is pending.
func TestManyCallsArePendingOnAFewThreads(t *testing.T) {
	const calls, few = 500, 50
	plugin := operations(t)
	ctx, cancel := context.WithCancel(within(t))
	defer cancel()
	threads := pprof.Lookup("threadcreate")
	before := threads.Count()
	ended := make(chan error, calls)
	var begun sync.WaitGroup
	for range calls {
		begun.Add(1)
		go func() {
			begun.Done()
			ended <- plugin.Call(ctx, "async.never", nil, nil)
		}()
	}
	begun.Wait()
	// One that ends while the others are pending shows that they are waited for.
	var answer any
	if err := plugin.Call(ctx, "async.later", map[string]string{"text": "x"}, &answer); err != nil {
		t.Fatal(err)
	}
	cancel()
	for range calls {
		if err := <-ended; !errors.Is(err, rustbridge.Canceled) {
			t.Fatal(err)
		}
	}
	if more := threads.Count() - before; more > few {
		t.Errorf("%d threads for %d calls", more, calls)
	}
}
