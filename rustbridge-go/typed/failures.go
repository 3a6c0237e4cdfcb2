package typed

import (
	"encoding/json"
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
	cause  *rustbridge.Error
}

// Error returns the message of the plugin's error, with its code and its type.
func (f *Failure[T]) Error() string { return f.cause.Error() }

// Unwrap returns the error without its type.
func (f *Failure[T]) Unwrap() error { return f.cause }

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
