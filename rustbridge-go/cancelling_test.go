package rustbridge_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"
)

func TestManyCallsAreCancelledThatRun(t *testing.T) {
	plugin := operations(t)
	sleep := method(t, plugin, "call.sleep")
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error)
	// More than there are places for.
	const many = 100
	for range many {
		go func() {
			_, err := sleep.CallJSON(ctx, `{"ms":60000}`)
			ended <- err
		}()
	}
	time.Sleep(30 * time.Millisecond)
	cancel()
	for range many {
		select {
		case err := <-ended:
			if !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		case <-time.After(soon):
			t.Fatal("it wasn't cancelled")
		}
	}
	// Whoever looks has gone to sleep by then, and is woken.
	time.Sleep(200 * time.Millisecond)
	ctx, cancel = context.WithCancel(context.Background())
	time.AfterFunc(20*time.Millisecond, cancel)
	if _, err := sleep.CallJSON(ctx, `{"ms":60000}`); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// odd is a context that isn't Go's.
type odd struct {
	context.Context
	isOver atomic.Bool
	asked  atomic.Bool
	// Panics, and has a channel of its own, without which Go takes the one inside.
	panics chan struct{}
}

func (o *odd) Done() <-chan struct{} {
	if o.panics != nil {
		return o.panics
	}
	return o.Context.Done()
}

func (o *odd) AfterFunc(function func()) func() bool {
	if o.panics != nil {
		panic("an odd context")
	}
	return context.AfterFunc(o.Context, function)
}

func (o *odd) Value(key any) any {
	if o.isOver.Load() {
		o.asked.Store(true)
	}
	return o.Context.Value(key)
}

func TestAContextThatPanicsDoesSoWhereItIsUsed(t *testing.T) {
	plugin := operations(t)
	ctx, cancel := context.WithCancel(within(t))
	defer cancel()
	defer func() {
		if said := recover(); said != "an odd context" {
			t.Error(said)
		}
	}()
	err := plugin.Call(&odd{Context: ctx, panics: make(chan struct{})}, "call.sleep", map[string]int{"ms": 30}, nil)
	t.Error("it has returned:", err)
}

func TestAContextIsNotUsedWhenTheCallHasReturned(t *testing.T) {
	sleep := method(t, operations(t), "call.sleep")
	for range 100 {
		ctx, cancel := context.WithCancel(within(t))
		one := &odd{Context: ctx}
		if _, err := sleep.CallJSON(one, `{"ms":1}`); err != nil {
			t.Fatal(err)
		}
		one.isOver.Store(true)
		cancel()
		time.Sleep(100 * time.Microsecond)
		if one.asked.Load() {
			t.Fatal("it was asked afterwards")
		}
	}
}
