package rustbridge_test

import (
	"context"
	"errors"
	"io"
	"testing"
	"time"

	rustbridge "github.com/rustbridge/rustbridge/rustbridge-go"
)

// served is what the methods of operations-plugin say as headers.
var served = rustbridge.Metadata{{Key: "served-by", Value: []byte("b7")}, {Key: "served-by", Value: []byte{0, 255}}}

func isServed(headers rustbridge.Metadata, before int) bool {
	return len(headers) == before+len(served) && headers[before].Key == "served-by" && string(headers[before].Value) == "b7" &&
		string(headers[before+1].Value) == "\x00\xff"
}

func TestCallsHaveHeadersIfTheyAreAskedFor(t *testing.T) {
	plugin := operations(t)
	for name, before := range map[string]int{"headers.now": 0, "headers.soon": 0, "headers.later": 1} {
		var headers rustbridge.Metadata
		ctx := rustbridge.WithMetadata(within(t), served)
		if err := plugin.Call(rustbridge.WithHeaders(ctx, &headers), name, map[string]string{"text": "a"}, nil); err != nil {
			t.Fatal(name, err)
		}
		if !isServed(headers, before) {
			t.Error(name, headers)
		}
		asking := rustbridge.Invocation{Request: []byte(`{"text":"a"}`), TakeHeaders: true}
		if err := method(t, plugin, name).Invoke(ctx, &asking); err != nil || !isServed(asking.Headers, before) {
			t.Error(name, err, asking.Headers)
		}
		silent := rustbridge.Invocation{Request: []byte(`{"text":"a"}`)}
		if err := method(t, plugin, name).Invoke(ctx, &silent); err != nil || silent.Headers != nil {
			t.Error(name, err, silent.Headers)
		}
		// Those of the call before aren't this one's.
		if err := plugin.Call(rustbridge.WithHeaders(within(t), &headers), name, map[string]string{"text": "a"}, nil); err != nil ||
			len(headers) != before {
			t.Error(name, err, headers)
		}
	}
	headers := served
	ctx := rustbridge.WithHeaders(within(t), &headers)
	if err := plugin.Call(ctx, "async.later", map[string]string{"text": "a"}, nil); err != nil || headers != nil {
		t.Error("of a plugin that says none:", err, headers)
	}
}

func TestHeadersOfTheCallBeforeAreGone(t *testing.T) {
	plugin := operations(t)
	for name, request := range map[string]any{"async.never": nil, "call.sleep": map[string]int{"ms": 60_000}} {
		headers, trailers := served, served
		ctx, cancel := context.WithTimeout(within(t), 20*time.Millisecond)
		ctx = rustbridge.WithTrailers(rustbridge.WithHeaders(ctx, &headers), &trailers)
		if err := plugin.Call(ctx, name, request, nil); !errors.Is(err, context.DeadlineExceeded) || headers != nil || trailers != nil {
			t.Error(name, err, headers, trailers)
		}
		headers, trailers = served, served
		// Not even begun.
		if err := plugin.Call(ctx, name, request, nil); !errors.Is(err, context.DeadlineExceeded) || headers != nil || trailers != nil {
			t.Error(name, err, headers, trailers)
		}
		cancel()
	}
}

func TestHeadersComeWithErrorsToo(t *testing.T) {
	plugin := operations(t)
	var headers rustbridge.Metadata
	ctx := rustbridge.WithHeaders(rustbridge.WithMetadata(within(t), served), &headers)
	err := plugin.Call(ctx, "headers.refuse", map[string]any{"status": 5, "why": "no such thing"}, nil)
	if !errors.Is(err, rustbridge.NotFound) || !isServed(headers, 0) {
		t.Error(err, headers)
	}
}

func TestStreamsHaveHeadersBeforeTheirItems(t *testing.T) {
	plugin := operations(t)
	numbers := method(t, plugin, "headers.items")
	var headers rustbridge.Metadata
	ctx := rustbridge.WithHeaders(rustbridge.WithMetadata(within(t), served), &headers)
	stream, err := numbers.Open(ctx, &rustbridge.Invocation{Request: []byte(`{"from":0,"to":1000}`)})
	if err != nil {
		t.Fatal(err)
	}
	if !isServed(stream.Headers(), 0) {
		t.Error(stream.Headers())
	}
	count := 0
	for {
		_, err := stream.Recv()
		if !isServed(headers, 0) {
			t.Fatal(headers)
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		count++
	}
	if count != 1000 {
		t.Error(count)
	}

	for request, asks := range map[string]bool{`{"from":0,"to":0}`: true, `{"from":0,"to":9}`: false} {
		opened := rustbridge.Invocation{Request: []byte(request), TakeHeaders: asks}
		stream, err := numbers.Open(rustbridge.WithMetadata(within(t), served), &opened)
		if err != nil {
			t.Fatal(err)
		}
		if asks != isServed(stream.Headers(), 0) {
			t.Error(request, stream.Headers())
		}
		if _, _, err := stream.Result(); err != nil || asks != isServed(stream.Headers(), 0) {
			t.Error(request, err, stream.Headers())
		}
	}
}

func TestNobodyWaitsForHeadersOfAStreamThatIsGivenUp(t *testing.T) {
	plugin := operations(t)
	ctx, cancel := context.WithCancel(context.Background())
	// It waits for items, and says nothing before.
	stream, err := method(t, plugin, "items.sum").Open(ctx, &rustbridge.Invocation{TakeHeaders: true})
	if err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(10*time.Millisecond, cancel)
	done := make(chan rustbridge.Metadata)
	go func() { done <- stream.Headers() }()
	select {
	case headers := <-done:
		if headers != nil {
			t.Error(headers)
		}
	case <-time.After(soon):
		t.Fatal("it waits")
	}
}
