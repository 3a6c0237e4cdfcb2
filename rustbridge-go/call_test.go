package rustbridge_test

import (
	"context"
	"errors"
	"io/fs"
	"testing"

	rustbridge "github.com/rustbridge/rustbridge/rustbridge-go"
)

func TestAPluginIsLoadedCalledAndClosed(t *testing.T) {
	plugin, err := rustbridge.Load(library("hello"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if plugin.Name() != "hello" || plugin.State() != rustbridge.Active {
		t.Error(plugin.Name(), plugin.State())
	}
	var answer struct{ Greeting string }
	if err := plugin.Call(context.Background(), "greet", map[string]string{"name": "Ada"}, &answer); err != nil {
		t.Fatal(err)
	}
	if answer.Greeting != "Hello, Ada! Welcome to rustbridge." {
		t.Error(answer.Greeting)
	}
	if err := plugin.Close(); err != nil {
		t.Fatal(err)
	}
	if err := plugin.Close(); err != nil {
		t.Error("closing again:", err)
	}
	if plugin.State() != rustbridge.Closed {
		t.Error(plugin.State())
	}
	err = plugin.Call(context.Background(), "greet", map[string]string{"name": "Ada"}, nil)
	if !errors.Is(err, rustbridge.Unavailable) {
		t.Error(err)
	}
}

func TestStatesHaveNames(t *testing.T) {
	for state, name := range map[rustbridge.State]string{
		rustbridge.Active: "active", rustbridge.Forked: "forked", 0: "unknown (0)", 6: "unknown (6)",
	} {
		if state.String() != name {
			t.Errorf("%d: %s", uint32(state), state)
		}
	}
}

func TestFailuresAreErrorsWithACode(t *testing.T) {
	plugin := load(t, "hello", nil)
	err := plugin.Call(context.Background(), "math.add", map[string]int64{"a": 1<<63 - 1, "b": 1}, nil)
	var failed *rustbridge.Error
	if !errors.As(err, &failed) || !errors.Is(err, rustbridge.OutOfRange) || errors.Is(err, rustbridge.Internal) {
		t.Fatal(err)
	}
	var details struct{ A, B int64 }
	if err := failed.DecodeDetails(&details); err != nil || details.A != 1<<63-1 || details.B != 1 {
		t.Error(err, details)
	}
	if failed.Type != "MathError.Overflow" {
		t.Error(failed.Type)
	}
	if err := plugin.Call(context.Background(), "nothing", nil, nil); !errors.Is(err, rustbridge.NotFound) {
		t.Error(err)
	}
	if _, err := rustbridge.Load("/nowhere/libnothing.so", nil); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if _, err := rustbridge.Load("", nil); !errors.Is(err, rustbridge.InvalidArgument) {
		t.Error(err)
	}
}
