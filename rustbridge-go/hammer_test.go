package rustbridge_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	rustbridge "github.com/rustbridge/rustbridge/rustbridge-go"
	"github.com/rustbridge/rustbridge/rustbridge-go/internal/native"
)

// allowed tells whether a call that met a close has ended as it may.
func allowed(err error) bool {
	return err == nil || errors.Is(err, rustbridge.Unavailable) || errors.Is(err, context.Canceled) ||
		errors.Is(err, context.DeadlineExceeded)
}

func TestAPluginIsClosedWhileItsCalled(t *testing.T) {
	for range 200 {
		plugin, err := rustbridge.Load(library("hello"), &rustbridge.Options{Logger: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		add, err := rustbridge.PodOf[addRequest, addResponse](plugin, "math.add")
		if err != nil {
			t.Fatal(err)
		}
		echo := method(t, plugin, "echo")
		var calling sync.WaitGroup
		for index := range 4 {
			calling.Add(1)
			go func() {
				defer calling.Done()
				for {
					var err error
					if index%2 == 0 {
						var sum addResponse
						sum, err = add.Call(context.Background(), addRequest{int64(index), 2})
						if err == nil && sum.Result != int64(index)+2 {
							t.Error(sum)
						}
					} else {
						_, err = echo.CallJSON(context.Background(), `{"message":"a"}`)
					}
					if err != nil {
						if !errors.Is(err, rustbridge.Unavailable) {
							t.Error(err)
						}
						return
					}
				}
			}()
		}
		time.Sleep(time.Duration(rand.IntN(500)) * time.Microsecond)
		if err := plugin.Close(); err != nil {
			t.Error(err)
		}
		calling.Wait()
	}
}

func TestWhateverIsPendingEndsWhenItsPluginIsClosed(t *testing.T) {
	for range 20 {
		plugin, err := rustbridge.Load(library("operations"), prices(t))
		if err != nil {
			t.Fatal(err)
		}
		var busy sync.WaitGroup
		var stop atomic.Bool
		ticks, sum := method(t, plugin, "stream.ticks"), method(t, plugin, "items.sum")
		work := []func(context.Context) error{
			func(ctx context.Context) error {
				return plugin.Call(ctx, "async.later", map[string]string{"text": "a"}, nil)
			},
			func(ctx context.Context) error { return plugin.Call(ctx, "async.never", nil, nil) },
			func(ctx context.Context) error { return plugin.Call(ctx, "service.total", []int{1, 2, 3}, nil) },
			func(ctx context.Context) error { return plugin.Call(ctx, "service.quote", 1, nil) },
			func(ctx context.Context) error {
				for _, err := range ticks.Stream(ctx, []byte(`{"from":0,"to":1000000}`)) {
					if err != nil {
						return err
					}
				}
				return nil
			},
			func(ctx context.Context) error {
				items := func(yield func([]byte, error) bool) {
					for yield([]byte(`{"value":1}`), nil) {
					}
				}
				_, err := sum.Send(ctx, []byte(`{"value":0}`), items)
				return err
			},
			func(ctx context.Context) error {
				object, err := plugin.Object(ctx, "counter.open", 1)
				if err == nil {
					defer object.Close()
					err = object.Call(ctx, "Counter.add_later", 1, nil)
				}
				return err
			},
		}
		for index := range 2 * len(work) {
			busy.Add(1)
			go func() {
				defer busy.Done()
				for !stop.Load() {
					ctx, cancel := context.WithTimeout(context.Background(), time.Duration(rand.IntN(4000))*time.Microsecond)
					err := work[index%len(work)](ctx)
					cancel()
					if !allowed(err) {
						t.Errorf("%d: %v", index%len(work), err)
						return
					}
					if errors.Is(err, rustbridge.Unavailable) {
						return
					}
				}
			}()
		}
		time.Sleep(time.Duration(rand.IntN(20)) * time.Millisecond)
		if err := plugin.CloseWith(within(t), rustbridge.CloseOptions{Cancel: true, CancelAfter: time.Millisecond}); err != nil {
			t.Error(err)
		}
		stop.Store(true)
		busy.Wait()
		if err := plugin.Call(within(t), "async.now", map[string]string{"text": "a"}, nil); !errors.Is(err, rustbridge.Unavailable) {
			t.Error(err)
		}
	}
}

func TestADroppedPluginIsClosedByTheCollector(t *testing.T) {
	before := native.Sinks()
	for range 20 {
		plugin, err := rustbridge.Load(library("hello"), nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := plugin.Call(context.Background(), "greet", map[string]string{"name": "Ada"}, nil); err != nil {
			t.Fatal(err)
		}
	}
	for deadline := time.Now().Add(soon); native.Sinks() > before; {
		if runtime.GC(); time.Now().After(deadline) {
			t.Fatal(native.Sinks()-before, "plugins aren't closed")
		}
		time.Sleep(time.Millisecond)
	}
}

func TestALeaseIsReadUntilItsClosed(t *testing.T) {
	plugin := load(t, "hello", nil)
	large := method(t, plugin, "bench.large")
	request := []byte(`{"query_id":"a","filters":[],"page_size":1000}`)
	lease, err := large.CallLease(context.Background(), request)
	if err != nil {
		t.Fatal(err)
	}
	whole := lease.Bytes()
	if !json.Valid(whole) || len(whole) != lease.Len() || len(whole) < 100_000 {
		t.Error(len(whole), lease.Len())
	}
	var written bytes.Buffer
	if count, err := lease.WriteTo(&written); err != nil || int(count) != len(whole) || !bytes.Equal(written.Bytes(), whole) {
		t.Error(count, err)
	}
	if _, err := lease.ReadAt(make([]byte, 1), int64(len(whole))); err != io.EOF {
		t.Error(err)
	}
	if _, err := lease.ReadAt(make([]byte, 1), -1); !errors.Is(err, rustbridge.InvalidArgument) {
		t.Error(err)
	}
	var reading sync.WaitGroup
	for range 4 {
		reading.Add(1)
		go func() {
			defer reading.Done()
			piece := make([]byte, 100)
			for {
				if _, err := lease.ReadAt(piece, 1000); err != nil {
					return
				}
				if !bytes.Equal(piece, whole[1000:1100]) {
					t.Error("the lease has other bytes")
				}
			}
		}()
	}
	time.Sleep(time.Millisecond)
	lease.Close()
	lease.Close()
	reading.Wait()
	if lease.Len() != 0 || lease.Bytes() != nil {
		t.Error("it's closed")
	}
	for range 100 {
		if _, err := large.CallLease(context.Background(), request); err != nil {
			t.Fatal(err)
		}
	}
	runtime.GC()
}

func TestRecordsArriveInOrderAndAHandlerMayFail(t *testing.T) {
	var written lockedBuffer
	plugin := load(t, "hello", &rustbridge.Options{
		Name: "users", Logger: slog.New(slog.NewTextHandler(&written, &slog.HandlerOptions{Level: slog.LevelDebug})),
	})
	for range 3 {
		if err := plugin.Call(within(t), "user.create", map[string]string{"username": "ada", "email": "a@b.c"}, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := plugin.FlushLog(within(t)); err != nil {
		t.Fatal(err)
	}
	text := written.String()
	at := -1
	for _, part := range []string{"user-00000001", "user-00000002", "user-00000003"} {
		found := strings.Index(text, part)
		if found < at {
			t.Error(text)
		}
		at = found
	}
	if !strings.Contains(text, "plugin=users") || !strings.Contains(text, "username=ada") {
		t.Error(text)
	}
	if err := plugin.SetLogLevel(rustbridge.LevelOff); err != nil {
		t.Error(err)
	}
	panicking := load(t, "hello", &rustbridge.Options{Logger: slog.New(panicker{}), LogLevel: slog.LevelDebug})
	if err := panicking.Call(within(t), "user.create", map[string]string{"username": "ada", "email": "a@b.c"}, nil); err != nil {
		t.Error(err)
	}
	closer := &closer{closed: make(chan error, 1)}
	closing, err := rustbridge.Load(library("hello"), &rustbridge.Options{Logger: slog.New(closer), LogLevel: slog.LevelDebug})
	if err != nil {
		t.Fatal(err)
	}
	closer.plugin.Store(closing)
	if err := closing.Call(within(t), "user.create", map[string]string{"username": "ada", "email": "a@b.c"}, nil); err != nil {
		t.Error(err)
	}
	select {
	case err := <-closer.closed:
		if err != nil || closing.State() != rustbridge.Closed {
			t.Error(err, closing.State())
		}
	case <-time.After(soon):
		t.Error("the handler didn't close its plugin")
	}
}

type lockedBuffer struct {
	lock   sync.Mutex
	buffer bytes.Buffer
}

func (b *lockedBuffer) Write(data []byte) (int, error) {
	b.lock.Lock()
	defer b.lock.Unlock()
	return b.buffer.Write(data)
}

func (b *lockedBuffer) String() string {
	b.lock.Lock()
	defer b.lock.Unlock()
	return b.buffer.String()
}

type panicker struct{ slog.Handler }

func (panicker) Enabled(context.Context, slog.Level) bool { panic("no") }

type closer struct {
	plugin atomic.Pointer[rustbridge.Plugin]
	closed chan error
}

func (c *closer) Enabled(context.Context, slog.Level) bool { return true }
func (c *closer) WithAttrs([]slog.Attr) slog.Handler       { return c }
func (c *closer) WithGroup(string) slog.Handler            { return c }

func (c *closer) Handle(context.Context, slog.Record) error {
	if plugin := c.plugin.Load(); plugin != nil {
		c.closed <- plugin.Close()
	}
	return nil
}
