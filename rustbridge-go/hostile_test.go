// What users' own functions do that they shouldn't: nobody but them gets to feel it.

package rustbridge_test

import (
	"context"
	"errors"
	"iter"
	"runtime"
	"strings"
	"testing"

	rustbridge "github.com/rustbridge/rustbridge/rustbridge-go"
)

// spoiled is an error whose nil pointer can't be told.
type spoiled struct{ text string }

func (s *spoiled) Error() string { return s.text }

// fleeing is an error that ends whoever asks it.
type fleeing struct{}

func (fleeing) Error() string {
	runtime.Goexit()
	return ""
}

func TestAServicesErrorThatCannotBeToldIsAnError(t *testing.T) {
	var own *rustbridge.Error
	var other *spoiled
	for name, given := range map[string]error{"our own": own, "another": other, "one that flees": fleeing{}} {
		plugin := load(t, "operations", &rustbridge.Options{Services: map[string]rustbridge.Service{
			"prices.get":   {Func: func(context.Context, []byte) ([]byte, error) { return nil, given }},
			"prices.quote": {Func: func(_ context.Context, request []byte) ([]byte, error) { return request, nil }},
			"prices.upper": {Encoding: rustbridge.Raw, Func: func(_ context.Context, request []byte) ([]byte, error) { return request, nil }},
		}})
		err := plugin.Call(within(t), "service.one", 7, nil)
		if !errors.Is(err, rustbridge.Internal) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestItemsThatEndTheirGoroutineEndTheStream(t *testing.T) {
	plugin := load(t, "operations", nil)
	method, err := plugin.Method("items.double")
	if err != nil {
		t.Fatal(err)
	}
	endings := map[string]func(){
		"Goexit":             runtime.Goexit,
		"a nil error's own":  nil,
		"a panic is a panic": func() { panic("mine") },
	}
	for name, ending := range endings {
		items := func(yield func([]byte, error) bool) {
			if !yield([]byte(`{"value":1}`), nil) {
				return
			}
			if ending == nil {
				var own *rustbridge.Error
				yield(nil, own)
				return
			}
			ending()
		}
		var last error
		func() {
			defer func() {
				if cause := recover(); cause != nil {
					last = errors.New(cause.(string))
				}
			}()
			for _, err := range method.Exchange(within(t), []byte("{}"), items) {
				last = err
			}
		}()
		if last == nil {
			t.Errorf("%s: the stream ended well", name)
		}
		if strings.Contains(name, "panic") && last.Error() != "mine" {
			t.Errorf("%s: %v", name, last)
		}
		if errors.Is(last, context.DeadlineExceeded) || errors.Is(last, rustbridge.DeadlineExceeded) {
			t.Errorf("%s: nobody was told", name)
		}
	}
}

var errMine = errors.New("mine")

// The items' own error is what the loop gets, and never what the plugin made of it.
func TestTheItemsOwnErrorIsTheStreams(t *testing.T) {
	plugin := load(t, "operations", nil)
	method, err := plugin.Method("items.double")
	if err != nil {
		t.Fatal(err)
	}
	var items iter.Seq2[[]byte, error] = func(yield func([]byte, error) bool) { yield(nil, errMine) }
	for range 300 {
		var last error
		for _, err := range method.Exchange(within(t), []byte("{}"), items) {
			last = err
		}
		if !errors.Is(last, errMine) {
			t.Fatal(last)
		}
	}
}

// short takes nothing and says that all is well.
type short struct{}

func (short) Write([]byte) (int, error) { return 0, nil }

func TestALeaseIsNotWrittenForGoodToWhoTakesNothing(t *testing.T) {
	plugin := load(t, "hello", nil)
	method, err := plugin.Method("echo")
	if err != nil {
		t.Fatal(err)
	}
	lease, err := method.CallLease(within(t), []byte(`{"message":"Hi"}`))
	if err != nil {
		t.Fatal(err)
	}
	defer lease.Close()
	if _, err := lease.WriteTo(short{}); err == nil {
		t.Error("nothing was written, and that was all right")
	}
}

func TestAPluginThatNobodyLoadedIsRefused(t *testing.T) {
	var plugin rustbridge.Plugin
	_, described := plugin.Describe()
	_, found := plugin.Method("greet")
	_, byID := plugin.MethodID(1, rustbridge.JSON)
	_, typed := plugin.MethodTyped("greet", "", "")
	for name, err := range map[string]error{
		"Close": plugin.Close(), "Describe": described, "Method": found, "MethodID": byID, "MethodTyped": typed,
		"SetLogLevel": plugin.SetLogLevel(rustbridge.LevelOff), "FlushLog": plugin.FlushLog(within(t)),
		"Call": plugin.Call(within(t), "greet", nil, nil),
	} {
		if !errors.Is(err, rustbridge.FailedPrecondition) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if plugin.State() != rustbridge.Closed {
		t.Error(plugin.State())
	}
	var none context.Context
	if _, ok := rustbridge.TraceOf(none); ok || rustbridge.MetadataOf(none) != nil {
		t.Error("no context has a trace")
	}
}
