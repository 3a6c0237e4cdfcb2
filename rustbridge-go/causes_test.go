package rustbridge_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"strings"
	"sync"
	"testing"

	rustbridge "github.com/rustbridge/rustbridge/rustbridge-go"
)

// ofThisProgram is an error that no other test has.
type ofThisProgram struct{ article int }

func (e *ofThisProgram) Error() string { return fmt.Sprintf("no %d", e.article) }

//go:noinline
func lineThatPanics(value any) { panic(value) }

// takenBuffer takes records from several goroutines.
type takenBuffer struct {
	lock sync.Mutex
	text bytes.Buffer
}

func (b *takenBuffer) Write(text []byte) (int, error) {
	b.lock.Lock()
	defer b.lock.Unlock()
	return b.text.Write(text)
}

func (b *takenBuffer) taken() string {
	b.lock.Lock()
	defer b.lock.Unlock()
	defer b.text.Reset()
	return b.text.String()
}

func TestWhatAServiceReturnedIsWrapped(t *testing.T) {
	var told takenBuffer
	given := error(nil)
	service := rustbridge.JSONService(func(context.Context, int) (int, error) { return 0, given })
	plugin := load(t, "operations", &rustbridge.Options{
		Name:     "failing",
		Logger:   slog.New(slog.NewTextHandler(&told, nil)),
		LogLevel: slog.LevelError,
		Services: map[string]rustbridge.Service{"prices.get": service, "prices.quote": service},
	})
	for _, method := range []string{"service.one", "service.quote", "service.task"} {
		own := &ofThisProgram{7}
		given = fmt.Errorf("wrapped: %w", own)
		err := plugin.Call(within(t), method, 7, nil)
		var found *ofThisProgram
		var failed *rustbridge.Error
		if !errors.As(err, &found) || found != own || !errors.Is(err, given) {
			t.Error(method, err)
		}
		if !errors.As(err, &failed) || failed.Code != rustbridge.Internal || failed.Details != nil || failed.Message != "wrapped: no 7" {
			t.Errorf("%s: %+v", method, failed)
		}
		if text := told.taken(); !strings.Contains(text, "level=ERROR") || !strings.Contains(text, "prices.") ||
			!strings.Contains(text, "no 7") || !strings.Contains(text, "plugin=failing") {
			t.Error(method, text)
		}
	}
	for _, one := range []error{
		&rustbridge.Error{Code: rustbridge.NotFound, Message: "none"}, rustbridge.DataLoss, fmt.Errorf("file: %w", fs.ErrNotExist),
	} {
		given = one
		if err := plugin.Call(within(t), "service.one", 7, nil); !errors.Is(err, one) {
			t.Error(err)
		}
		if text := told.taken(); text != "" {
			t.Error("what has a status is logged", text)
		}
	}
}

func TestAPanicOfAServiceIsWrappedWithItsStack(t *testing.T) {
	var told takenBuffer
	value := any(nil)
	plugin := load(t, "operations", &rustbridge.Options{
		Logger: slog.New(slog.NewTextHandler(&told, nil)),
		Services: map[string]rustbridge.Service{
			"prices.get": rustbridge.JSONService(func(context.Context, int) (int, error) {
				lineThatPanics(value)
				return 0, nil
			}),
			"prices.quote": {Func: func(context.Context, []byte) ([]byte, error) { return nil, nil }},
		},
	})
	for _, given := range []any{"no way", &ofThisProgram{8}} {
		value = given
		err := plugin.Call(within(t), "service.one", 7, nil)
		var panicked *rustbridge.PanicError
		if !errors.As(err, &panicked) || panicked.Value != given || !strings.Contains(string(panicked.Stack), "lineThatPanics") {
			t.Error(err)
		}
		if own, ok := given.(error); ok && !errors.Is(err, own) {
			t.Error("the error isn't found", err)
		}
		if text := told.taken(); !strings.Contains(text, "lineThatPanics") {
			t.Error(text)
		}
	}
}

func TestWhatEndsTheItemsThatAreSentIsWrapped(t *testing.T) {
	plugin := load(t, "operations", nil)
	method, err := plugin.Method("items.sum")
	if err != nil {
		t.Fatal(err)
	}
	own := &ofThisProgram{9}
	stream, err := method.Open(within(t), &rustbridge.Invocation{Request: []byte(`{"value":1}`)})
	if err != nil {
		t.Fatal(err)
	}
	if err := stream.Send([]byte(`{"value":1}`)); err != nil {
		t.Fatal(err)
	}
	if err := stream.CloseSend(own); err != nil {
		t.Fatal(err)
	}
	_, _, err = stream.Result()
	if !errors.Is(err, own) || !errors.Is(err, rustbridge.Internal) {
		t.Error(err)
	}
	items := func(yield func([]byte, error) bool) { _ = yield([]byte(`{"value":1}`), nil) && yield(nil, own) }
	if _, err := method.Send(within(t), []byte(`{"value":1}`), items); !errors.Is(err, own) {
		t.Error(err)
	}
}
