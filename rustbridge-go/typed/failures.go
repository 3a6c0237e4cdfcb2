package typed

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/rustbridge/rustbridge/rustbridge-go"
	"github.com/rustbridge/rustbridge/rustbridge-go/wire"
)

// Failure is a call's error with a type. errors.As finds it. It wraps the *rustbridge.Error with the code, the message
// and the type's name.
type Failure[T any] struct {
	// Reason is the error, with its fields.
	Reason T
	// Message is the text of a failure that a host's function returns. If it's empty, the plugin gets the name of the
	// error's type.
	Message string
	cause   *rustbridge.Error
}

// Error returns the message of the plugin's error, with its code and its type.
func (f *Failure[T]) Error() string {
	switch {
	case f == nil:
		return "rustbridge: a nil failure was returned as an error that isn't nil"
	case f.cause == nil:
		return fmt.Sprintf("rustbridge: %T: %s", f.Reason, f.Message)
	}
	return f.cause.Error()
}

// Unwrap returns the error without its type.
func (f *Failure[T]) Unwrap() error {
	if f == nil || f.cause == nil {
		return nil
	}
	return f.cause
}

// Throws has the failures of a function of [Serve] reach the plugin with their reasons, whose status the plugin
// declares.
func Throws[E any](s *Services, name string, write func(*wire.Writer, E)) {
	service := s.options.Services[name]
	function := service.Func
	service.Func = func(ctx context.Context, message []byte) ([]byte, error) {
		answer, err := function(ctx, message)
		return answer, thrown(name, err, write)
	}
	s.options.Services[name] = service
}

// thrown returns the error that a plugin gets in place of another one.
func thrown[E any](name string, err error, write func(*wire.Writer, E)) error {
	var failure *Failure[E]
	if !errors.As(err, &failure) || failure == nil {
		return err
	}
	var w wire.Writer
	write(&w, failure.Reason)
	if failed := w.Err(); failed != nil {
		return wrong(failed, rustbridge.Internal, "rustbridge.InvalidResponse", name+": the error can't be sent: ")
	}
	message := failure.Message
	if failure.cause != nil {
		message = failure.cause.Message
	}
	return &thrownError{error: err, payload: thrownPayload(strings.ToValidUTF8(message, "\uFFFD"), w.Bytes())}
}

// thrownError is an error with its payload for a plugin.
type thrownError struct {
	error
	payload []byte
}

// ThrownPayload returns the payload.
func (e *thrownError) ThrownPayload() []byte { return e.payload }

// thrownPayload returns the payload of an error with a type. The library fills in the status and the type's name.
func thrownPayload(message string, value []byte) []byte {
	payload := []byte{1, 0, 0, 0, 0, 0, 0, 0}
	payload = binary.LittleEndian.AppendUint32(payload, uint32(len(message)))
	payload = append(payload, message...)
	payload = binary.LittleEndian.AppendUint32(payload, 0)
	for len(payload)%8 != 0 {
		payload = append(payload, 0)
	}
	return append(payload, value...)
}

// Fails returns a function that creates errors of a type, for [Method.FailsWith].
func Fails[T any](read func(*wire.Reader) T) func(*rustbridge.Error, *wire.Reader) error {
	return func(cause *rustbridge.Error, r *wire.Reader) error {
		reason := read(r)
		if cause.Details == nil && r.End() == nil {
			cause.Details = details(reason)
		}
		return &Failure[T]{Reason: reason, cause: cause}
	}
}

// details are an error's fields as they are without its type; nil if it has none, or JSON has no form for one.
func details(reason any) json.RawMessage {
	of := reflect.ValueOf(reason)
	if of.Kind() != reflect.Struct || of.NumField() == 0 {
		return nil
	}
	fields := map[string]any{}
	for place := range of.NumField() {
		if !of.Type().Field(place).IsExported() {
			continue
		}
		name, _, _ := strings.Cut(of.Type().Field(place).Tag.Get("json"), ",")
		if name == "" {
			name = of.Type().Field(place).Name
		}
		fields[name] = of.Field(place).Interface()
	}
	made, err := json.Marshal(fields)
	if err != nil {
		return nil
	}
	return made
}

func failure(code rustbridge.Code, kind, message string) *rustbridge.Error {
	return &rustbridge.Error{Code: code, Type: kind, Message: message}
}

// wrong returns the error for a message that doesn't match its type.
func wrong(failed *wire.Error, code rustbridge.Code, kind, before string) error {
	return &malformed{error: failure(code, kind, before+failed.Error()), failed: failed}
}

// malformed is an error that unwraps to a rustbridge.Error and a wire.Error.
type malformed struct {
	error
	failed *wire.Error
}

func (m *malformed) Unwrap() []error { return []error{m.error, m.failed} }
