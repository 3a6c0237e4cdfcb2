package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"unsafe"

	rustbridge "github.com/rustbridge/rustbridge/rustbridge-go"
)

type way func(method *rustbridge.Method, request []byte, capacity, misalign int) ([]byte, error)

// In the order of the hello.
var ways = []way{byRaw, byAppend, byInto, byLease, byInvoke, byText, byValues}

func byRaw(method *rustbridge.Method, request []byte, _, misalign int) ([]byte, error) {
	return method.CallRaw(context.Background(), placed(request, misalign))
}

func byAppend(method *rustbridge.Method, request []byte, _, misalign int) ([]byte, error) {
	before := []byte("before")
	placed := placed(request, misalign)
	answer, err := method.CallAppendUnshared(context.Background(), before, placed)
	if !bytes.Equal(placed, request) {
		return nil, errors.New("the request was changed")
	}
	if err == nil && !bytes.HasPrefix(answer, before) {
		return nil, errors.New("what was there is gone")
	}
	return bytes.TrimPrefix(answer, before), err
}

func byInto(method *rustbridge.Method, request []byte, capacity, misalign int) ([]byte, error) {
	guard := bytes.Repeat([]byte{0xa5}, 32)
	room := append(append(append([]byte{}, guard...), make([]byte, capacity)...), guard...)
	storage := room[len(guard) : len(guard)+capacity : len(guard)+capacity]
	size, err := method.CallInto(context.Background(), storage, placed(request, misalign))
	if !bytes.HasPrefix(room, guard) || !bytes.HasSuffix(room, guard) {
		return nil, errors.New("bytes around the storage were written")
	}
	var large *rustbridge.ResponseTooLargeError
	if errors.As(err, &large) {
		if len(large.Response) <= capacity {
			return nil, fmt.Errorf("%d bytes would have fitted into %d", len(large.Response), capacity)
		}
		return large.Response, nil
	}
	return storage[:size], err
}

func byLease(method *rustbridge.Method, request []byte, _, misalign int) ([]byte, error) {
	lease, err := method.CallLease(context.Background(), placed(request, misalign))
	if err != nil {
		return nil, err
	}
	defer lease.Close()
	return lease.Bytes(), nil
}

func byInvoke(method *rustbridge.Method, request []byte, capacity, misalign int) ([]byte, error) {
	invocation := rustbridge.Invocation{Request: placed(request, misalign), Buffer: make([]byte, 0, capacity)}
	err := method.Invoke(context.Background(), &invocation)
	for _, object := range invocation.Objects {
		object.Close()
	}
	return invocation.Response, err
}

func byText(method *rustbridge.Method, request []byte, _, _ int) ([]byte, error) {
	answer, err := method.CallJSON(context.Background(), string(request))
	return []byte(answer), err
}

func byValues(method *rustbridge.Method, request []byte, _, _ int) ([]byte, error) {
	if method.Encoding() != rustbridge.JSON {
		return method.CallRaw(context.Background(), request)
	}
	var value, answer any
	if err := (exact{}).Unmarshal(request, &value); err != nil {
		return nil, err
	}
	if err := method.Call(context.Background(), value, &answer); err != nil {
		return nil, err
	}
	return exact{}.Marshal(answer)
}

// exact keeps numbers as they are written.
type exact struct{}

func (exact) Marshal(value any) ([]byte, error) { return json.Marshal(value) }

func (exact) Unmarshal(data []byte, to any) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	return decoder.Decode(to)
}

// placed copies the request to an address that is so much past a multiple of 16.
func placed(request []byte, offset int) []byte {
	room := make([]byte, len(request)+32)
	start := (offset - int(uintptr(unsafe.Pointer(&room[0]))%16) + 16) % 16
	copy(room[start:], request)
	return room[start : start+len(request) : start+len(request)]
}

// recorder keeps the events that it's given.
type recorder struct {
	lock    sync.Mutex
	written []byte
}

func (r *recorder) Enabled(context.Context, slog.Level) bool { return true }
func (r *recorder) WithAttrs([]slog.Attr) slog.Handler       { return r }
func (r *recorder) WithGroup(string) slog.Handler            { return r }

func (r *recorder) Handle(_ context.Context, record slog.Record) error {
	target, spans, isSpan := "", "[]", false
	fields := map[string]any{}
	record.Attrs(func(attr slog.Attr) bool {
		switch attr.Key {
		case "plugin":
		case "target":
			target = attr.Value.String()
		case "spans":
			spans = string(attr.Value.Any().(json.RawMessage))
		case "duration":
			isSpan = attr.Value.Kind() == slog.KindDuration
		default:
			fields[attr.Key] = attr.Value.Any()
		}
		return true
	})
	if isSpan {
		return nil
	}
	name := ""
	for word, level := range levels {
		if level == record.Level {
			name = word
		}
	}
	text, err := json.Marshal(fields)
	if err != nil {
		return err
	}
	r.lock.Lock()
	defer r.lock.Unlock()
	r.written = append(r.written, texts(name, target, record.Message, strings.TrimSpace(string(text)), spans)...)
	return nil
}

func (r *recorder) take() []byte {
	r.lock.Lock()
	defer r.lock.Unlock()
	taken := r.written
	r.written = nil
	return taken
}
