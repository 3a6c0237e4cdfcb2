package rustbridge_test

import (
	"context"
	"errors"
	"io"
	"runtime"
	"sync"
	"testing"
	"time"

	rustbridge "github.com/rustbridge/rustbridge/rustbridge-go"
)

// soon is how long a test waits for what should take no time.
const soon = 20 * time.Second

func within(t testing.TB) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), soon)
	t.Cleanup(cancel)
	return ctx
}

func prices(t testing.TB) *rustbridge.Options {
	t.Helper()
	ten := rustbridge.JSONService(func(_ context.Context, article int) (int, error) { return 10 * article, nil })
	return &rustbridge.Options{Services: map[string]rustbridge.Service{
		"prices.get": ten, "prices.quote": ten,
		"prices.upper": {Encoding: rustbridge.Raw, Func: func(_ context.Context, request []byte) ([]byte, error) {
			for index := range request {
				request[index] -= 'a' - 'A'
			}
			return request, nil
		}},
	}}
}

func operations(t testing.TB) *rustbridge.Plugin {
	t.Helper()
	return load(t, "operations", prices(t))
}

func method(t testing.TB, plugin *rustbridge.Plugin, name string) *rustbridge.Method {
	t.Helper()
	found, err := plugin.Method(name)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestAnAsyncCallIsWaitedForByAGoroutineAndNoThread(t *testing.T) {
	plugin := operations(t)
	later := method(t, plugin, "async.later")
	if !later.IsAsync() {
		t.Fatal("async.later isn't async")
	}
	var waiting sync.WaitGroup
	for range 2000 {
		waiting.Add(1)
		go func() {
			defer waiting.Done()
			var answer struct{ Text string }
			if err := later.Call(within(t), map[string]string{"text": "hi"}, &answer); err != nil || answer.Text != "hi" {
				t.Error(answer, err)
			}
		}()
	}
	waiting.Wait()
}

func TestACancelledContextGivesTheCallUp(t *testing.T) {
	plugin := operations(t)
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(20*time.Millisecond, cancel)
	err := plugin.Call(ctx, "async.never", nil, nil)
	if !errors.Is(err, context.Canceled) || !errors.Is(err, rustbridge.Canceled) {
		t.Fatal(err)
	}
	ctx, cancel = context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	err = plugin.Call(ctx, "async.never", nil, nil)
	if !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, rustbridge.DeadlineExceeded) {
		t.Fatal(err)
	}
	if err := plugin.Call(ctx, "async.now", map[string]string{"text": "a"}, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Error("begun with a context that was done:", err)
	}
}

func TestAPlainHandlerSeesItsDeadlineAndItsCancellation(t *testing.T) {
	plugin := operations(t)
	var trailers rustbridge.Metadata
	ctx := rustbridge.WithTrailers(rustbridge.WithMetadata(within(t), rustbridge.Metadata{{Key: "user", Value: []byte("ada")}}), &trailers)
	trace, err := rustbridge.ParseTrace("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "a=b")
	if err != nil {
		t.Fatal(err)
	}
	var answer struct {
		HasDeadline bool `json:"has_deadline"`
		Trace       string
		State       string
	}
	if err := plugin.Call(rustbridge.WithTrace(ctx, trace), "call.carried", nil, &answer); err != nil {
		t.Fatal(err)
	}
	if !answer.HasDeadline || answer.Trace != trace.String() || answer.State != "a=b" {
		t.Error(answer, trace)
	}
	if value, ok := trailers.Get("user"); !ok || string(value) != "ada" {
		t.Error(trailers)
	}
	stopped, cancel := context.WithCancel(context.Background())
	time.AfterFunc(20*time.Millisecond, cancel)
	if err := plugin.Call(stopped, "call.sleep", map[string]int{"ms": 60_000}, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestStreamsAreRangedOver(t *testing.T) {
	plugin := operations(t)
	numbers := method(t, plugin, "stream.numbers")
	count, sum := 0, 0
	for number, err := range rustbridge.StreamOf[int](within(t), numbers, map[string]int{"from": 0, "to": 10_000}) {
		if err != nil {
			t.Fatal(err)
		}
		count++
		sum += number
	}
	if count != 10_000 || sum != 10_000*9_999/2 {
		t.Error(count, sum)
	}
	// Who leaves the loop gives the stream up.
	for range 100 {
		for _, err := range numbers.Stream(within(t), []byte(`{"from":0,"to":1000000000}`)) {
			if err != nil {
				t.Error(err)
			}
			break
		}
	}
}

func TestItemsGoInAndBothWays(t *testing.T) {
	plugin := operations(t)
	type value struct {
		Value int `json:"value"`
	}
	many := make([]value, 1000)
	for index := range many {
		many[index].Value = index
	}
	sum, err := rustbridge.SendOf[value](within(t), method(t, plugin, "items.sum"), value{0}, rustbridge.Items(many...))
	if err != nil || sum.Value != 1000*999/2 {
		t.Error(sum, err)
	}
	double := method(t, plugin, "items.double")
	at := 0
	for item, err := range rustbridge.ExchangeOf[value](within(t), double, nil, rustbridge.Items(many...)) {
		if err != nil || item.Value != 2*at {
			t.Fatal(item, err)
		}
		at++
	}
	if at != len(many) {
		t.Error(at)
	}
	broken := errors.New("the sender broke")
	failing := func(yield func(value, error) bool) {
		_ = yield(value{1}, nil) && yield(value{}, broken)
	}
	if _, err := rustbridge.SendOf[value](within(t), method(t, plugin, "items.sum"), value{0}, failing); !errors.Is(err, broken) {
		t.Error(err)
	}
	failed := false
	for _, err := range rustbridge.ExchangeOf[value](within(t), double, nil, failing) {
		failed = errors.Is(err, broken)
	}
	if !failed {
		t.Error("the sender's error is lost")
	}
}

func TestAStreamThatIsCancelledOrClosedEnds(t *testing.T) {
	plugin := operations(t)
	ticks := method(t, plugin, "stream.ticks")
	ctx, cancel := context.WithCancel(within(t))
	stream, err := ticks.Open(ctx, &rustbridge.Invocation{Request: []byte(`{"from":0,"to":1000000000}`)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := stream.Recv(); err != nil {
		t.Fatal(err)
	}
	cancel()
	for err == nil {
		_, err = stream.Recv()
	}
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	stream, err = ticks.Open(within(t), &rustbridge.Invocation{Request: []byte(`{"from":0,"to":1000000000}`)})
	if err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(10*time.Millisecond, func() { stream.Close() })
	for err == nil {
		_, err = stream.Recv()
	}
	if !errors.Is(err, rustbridge.Canceled) {
		t.Error(err)
	}
	if _, err := method(t, plugin, "async.now").Open(within(t), &rustbridge.Invocation{}); !errors.Is(err, rustbridge.Unimplemented) {
		t.Error(err)
	}
}

func TestADroppedStreamIsGivenUp(t *testing.T) {
	plugin := load(t, "operations", prices(t))
	ticks := method(t, plugin, "stream.ticks")
	if _, err := ticks.Open(context.Background(), &rustbridge.Invocation{Request: []byte(`{"from":0,"to":1000000000}`)}); err != nil {
		t.Fatal(err)
	}
	// Closing would wait for calls that nobody gives up.
	for range 50 {
		runtime.GC()
		time.Sleep(2 * time.Millisecond)
	}
	if err := plugin.Close(); err != nil {
		t.Error(err)
	}
}

func TestServicesAnswerThePlugin(t *testing.T) {
	plugin := operations(t)
	var total int
	if err := plugin.Call(within(t), "service.total", []int{1, 2}, &total); err != nil || total != 30 {
		t.Error(total, err)
	}
	if err := plugin.Call(within(t), "service.quote", 3, &total); err != nil || total != 30 {
		t.Error(total, err)
	}
	upper, err := plugin.MethodIn("service.upper", rustbridge.Raw)
	if err != nil {
		t.Fatal(err)
	}
	if answer, err := upper.CallRaw(within(t), []byte("abc")); err != nil || string(answer) != "ABC" {
		t.Error(string(answer), err)
	}
	var asking sync.WaitGroup
	for range 64 {
		asking.Add(1)
		go func() {
			defer asking.Done()
			for range 20 {
				var total int
				if err := plugin.Call(within(t), "service.total", []int{1, 2}, &total); err != nil || total != 30 {
					t.Error(total, err)
				}
			}
		}()
	}
	asking.Wait()
}

func TestAServicesFailureReachesThePluginAndItsCaller(t *testing.T) {
	options := prices(t)
	how := func(context.Context, int) (int, error) { return 0, nil }
	options.Services["prices.get"] = rustbridge.JSONService(func(ctx context.Context, article int) (int, error) { return how(ctx, article) })
	plugin := load(t, "operations", options)
	for code, failing := range map[rustbridge.Code]func(context.Context, int) (int, error){
		rustbridge.NotFound: func(context.Context, int) (int, error) {
			return 0, &rustbridge.Error{Code: rustbridge.NotFound, Message: "none"}
		},
		rustbridge.DataLoss:    func(context.Context, int) (int, error) { return 0, rustbridge.DataLoss },
		rustbridge.Internal:    func(context.Context, int) (int, error) { panic("no way") },
		rustbridge.Unavailable: func(context.Context, int) (int, error) { return 0, rustbridge.Unavailable },
		rustbridge.Canceled:    func(context.Context, int) (int, error) { return 0, context.Canceled },
	} {
		how = failing
		if err := plugin.Call(within(t), "service.one", 7, nil); !errors.Is(err, code) {
			t.Error(code, err)
		}
	}
	how = func(context.Context, int) (int, error) {
		runtime.Goexit()
		return 0, nil
	}
	if err := plugin.Call(within(t), "service.one", 7, nil); !errors.Is(err, rustbridge.Internal) {
		t.Error(err)
	}
	how = func(ctx context.Context, _ int) (int, error) {
		return 0, plugin.CloseWith(ctx, rustbridge.CloseOptions{})
	}
	if err := plugin.Call(within(t), "service.one", 7, nil); !errors.Is(err, rustbridge.FailedPrecondition) {
		t.Error(err)
	}
	how = func(ctx context.Context, article int) (int, error) {
		return article, plugin.Call(ctx, "service.one", article, nil)
	}
	if err := plugin.Call(within(t), "service.one", 7, nil); !errors.Is(err, rustbridge.ResourceExhausted) {
		t.Error(err)
	}
	if _, err := rustbridge.Load(library("operations"), &rustbridge.Options{Services: map[string]rustbridge.Service{"a": {}}}); !errors.Is(
		err, rustbridge.InvalidArgument) {
		t.Error(err)
	}
}

func TestObjectsLiveUntilTheyAreClosed(t *testing.T) {
	plugin := operations(t)
	alive := func() int {
		var count int
		if err := plugin.Call(within(t), "counter.alive", nil, &count); err != nil {
			t.Fatal(err)
		}
		return count
	}
	counter, err := plugin.Object(within(t), "counter.open", 40)
	if err != nil {
		t.Fatal(err)
	}
	var value int
	if err := counter.Call(within(t), "Counter.add", 2, &value); err != nil || value != 42 {
		t.Error(value, err)
	}
	if err := counter.Call(within(t), "Counter.add_later", 1, &value); err != nil || value != 43 {
		t.Error(value, err)
	}
	other, err := plugin.Object(within(t), "counter.open", 7)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := method(t, plugin, "counter.total").CallWith(within(t), []int{0, 1}, &value, counter, other); err != nil || value != 50 {
		t.Error(value, err)
	}
	if count := alive(); count != 2 {
		t.Error(count)
	}
	counter.Close()
	counter.Close()
	if err := counter.Call(within(t), "Counter.add", 2, &value); !errors.Is(err, rustbridge.NotFound) {
		t.Error(err)
	}
	// One that's dropped is released by the collector.
	runtime.KeepAlive(other)
	other = nil
	for range 500 {
		runtime.GC()
		if time.Sleep(2 * time.Millisecond); alive() == 0 {
			break
		}
	}
	if count := alive(); count != 0 {
		t.Error(count, "objects are left")
	}
	stream, err := method(t, plugin, "counter.stream").Open(within(t), &rustbridge.Invocation{Request: []byte("3")})
	if err != nil {
		t.Fatal(err)
	}
	for {
		item, err := stream.Recv()
		if err == io.EOF {
			break
		}
		if err != nil || len(item.Objects) != 1 {
			t.Fatal(item, err)
		}
		item.Objects[0].Close()
	}
	if count := alive(); count != 0 {
		t.Error(count, "objects of the stream are left")
	}
}
