package rustbridge_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	rustbridge "github.com/rustbridge/rustbridge/rustbridge-go"
)

type addRequest struct{ A, B int64 }

type addResponse struct{ Result int64 }

func TestStructsAreCalledWithAsTheyLie(t *testing.T) {
	plugin := load(t, "hello", nil)
	add, err := rustbridge.PodOf[addRequest, addResponse](plugin, "math.add")
	if err != nil {
		t.Fatal(err)
	}
	if sum, err := add.Call(context.Background(), addRequest{40, 2}); err != nil || sum.Result != 42 {
		t.Error(sum, err)
	}
	if sum, err := add.Call(within(t), addRequest{40, 2}); err != nil || sum.Result != 42 {
		t.Error(sum, err)
	}
	carrying := rustbridge.WithMetadata(within(t), rustbridge.Metadata{{Key: "a", Value: []byte("b")}})
	if sum, err := add.Call(carrying, addRequest{40, 2}); err != nil || sum.Result != 42 {
		t.Error(sum, err)
	}
	var sum addResponse
	if err := add.CallInto(context.Background(), &addRequest{40, 2}, &sum); err != nil || sum.Result != 42 {
		t.Error(sum, err)
	}
	if err := add.CallInto(context.Background(), nil, &sum); !errors.Is(err, rustbridge.InvalidArgument) {
		t.Error(err)
	}
	if _, err := add.Call(context.Background(), addRequest{1<<63 - 1, 1}); !errors.Is(err, rustbridge.OutOfRange) {
		t.Error(err)
	}
	done, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := add.Call(done, addRequest{40, 2}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if allocated := testing.AllocsPerRun(100, func() { _, err = add.Call(context.Background(), addRequest{40, 2}) }); allocated != 0 || err != nil {
		t.Error(allocated, "allocations", err)
	}
}

func TestAStructThatLiesOtherwiseIsRefused(t *testing.T) {
	plugin := load(t, "hello", nil)
	refused := func(name string, err error) {
		t.Helper()
		var failed *rustbridge.Error
		if !errors.As(err, &failed) || failed.Type != "rustbridge.LayoutMismatch" {
			t.Error(name, err)
		}
		t.Log(name, err)
	}
	_, err := rustbridge.PodOf[struct{ A int64 }, addResponse](plugin, "math.add")
	refused("too small", err)
	_, err = rustbridge.PodOf[struct{ A, B uint64 }, addResponse](plugin, "math.add")
	refused("unsigned", err)
	_, err = rustbridge.PodOf[struct{ A, B, C, D int32 }, addResponse](plugin, "math.add")
	refused("four fields", err)
	_, err = rustbridge.PodOf[struct {
		A int64
		B *int64
	}, addResponse](plugin, "math.add")
	refused("a pointer", err)
	_, err = rustbridge.PodOf[addRequest, struct{ Result float64 }](plugin, "math.add")
	refused("a float", err)
	_, err = rustbridge.PodOf[int64, addResponse](plugin, "math.add")
	refused("no struct", err)
	if _, err := rustbridge.PodOf[addRequest, addResponse](plugin, "echo"); !errors.Is(err, rustbridge.Unimplemented) {
		t.Error(err)
	}
	type key struct {
		Version  uint8
		Reserved [3]uint8
		Key      [64]uint8
		KeyLen   uint32
		Flags    uint32
	}
	type value struct {
		Version  uint8
		Reserved [3]uint8
		Value    [64]uint8
		ValueLen uint32
		TTL      uint32
		Hit      uint8
		_        [3]uint8
	}
	small, err := rustbridge.PodOfID[key, value](plugin, 1)
	if err != nil {
		t.Log(err)
		return
	}
	if _, err := small.Call(context.Background(), key{Version: 1}); err != nil {
		t.Log(err)
	}
}

func TestBytesThatAreWrittenMeanwhileAreCopiedFirst(t *testing.T) {
	plugin := load(t, "hello", nil)
	echo := method(t, plugin, "echo")
	request := []byte(`{"message":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}`)
	// Through an array of atomics nobody could write bytes, so each goroutine has its own text, and its own answer.
	var calling sync.WaitGroup
	for index := range 8 {
		calling.Add(1)
		go func() {
			defer calling.Done()
			own := append([]byte(nil), request...)
			own[12] = byte('a' + index)
			for range 1000 {
				answer, err := echo.CallRaw(context.Background(), own)
				if err != nil || answer[12] != own[12] {
					t.Error(string(answer), err)
					return
				}
			}
		}()
	}
	calling.Wait()
}
