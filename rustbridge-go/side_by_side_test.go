package rustbridge_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	rustbridge "github.com/rustbridge/rustbridge/rustbridge-go"
)

// What the guides that go side by side show of Go: `cargo xtask tidy` looks for it here.

func TestSideBySideACallThatFails(t *testing.T) {
	hello := load(t, "hello", nil)
	ctx := context.Background()
	failed := hello.Call(ctx, "math.add", map[string]int64{"a": 1<<63 - 1, "b": 1}, nil)
	said := ""
	var failure *rustbridge.Error
	if errors.Is(failed, rustbridge.OutOfRange) && errors.As(failed, &failure) {
		said = fmt.Sprintf("%s: %s", failure.Type, failure.Details)
	}
	if !strings.HasPrefix(said, "MathError.Overflow: {") {
		t.Error(said)
	}
}

func TestSideBySideAnErrorThatComesLater(t *testing.T) {
	plugin := load(t, "operations", nil)
	ctx := context.Background()
	said := ""
	err := plugin.Call(ctx, "async.fail", map[string]string{"text": "gone"}, nil)
	var failed *rustbridge.Error
	if errors.As(err, &failed) {
		said = fmt.Sprintf("%s %s", failed.Message, failed.Details) // gone {"n":7}
	}
	if said != `gone {"n":7}` {
		t.Error(said)
	}
}

func TestSideBySideAStreamThatBreaks(t *testing.T) {
	plugin := load(t, "operations", nil)
	ctx := context.Background()
	numbers, err := plugin.Method("stream.numbers")
	if err != nil {
		t.Fatal(err)
	}
	var seen []uint64
	said := ""
	for number, err := range rustbridge.StreamOf[uint64](ctx, numbers, map[string]int{"from": 0, "to": 5, "fail_at": 3}) {
		if errors.Is(err, rustbridge.DataLoss) {
			said = fmt.Sprint(seen, ", then ", err) // [0 1 2], then DATA_LOSS ...
			break
		}
		seen = append(seen, number)
	}
	if !strings.HasPrefix(said, "[0 1 2], then ") {
		t.Error(said)
	}
}

func TestSideBySideRecords(t *testing.T) {
	path := library("hello")
	ctx := context.Background()
	var records bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&records, &slog.HandlerOptions{Level: slog.LevelDebug}))
	users, err := rustbridge.Load(path, &rustbridge.Options{Name: "users", Logger: logger})
	if err != nil {
		t.Fatal(err)
	}
	defer users.Close()
	err = users.Call(ctx, "user.create", map[string]string{"username": "ada", "email": "b"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	err = users.FlushLog(ctx) // waits until all so far was delivered
	if err != nil {
		t.Fatal(err)
	}
	err = users.SetLogLevel(slog.LevelWarn) // takes effect at once
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(records.String(), "plugin=users") {
		t.Error(records.String())
	}
}
