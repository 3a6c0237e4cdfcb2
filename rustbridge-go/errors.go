package rustbridge

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Error is a load, call or close that failed.
//
// errors.As finds it. errors.Is matches its [Code], and Go's own errors with the same meaning: context.Canceled,
// context.DeadlineExceeded, fs.ErrNotExist, fs.ErrExist, fs.ErrPermission, errors.ErrUnsupported.
type Error struct {
	// Code is the status.
	Code Code
	// Message describes what was found and what was expected.
	Message string
	// Type is "panic", or the plugin's own type such as "Enum.Variant", or begins with "rustbridge.".
	Type string
	// Details are the error's fields as a JSON object; nil if there are none.
	Details json.RawMessage
	// Backtrace is the Rust backtrace of a panic, if the plugin was loaded with Options.Backtrace.
	Backtrace string
	// Typed is the error itself in the wire format, for clients that know its type; nil if it has no type.
	Typed []byte
	// The Go error that caused it.
	cause error
}

// Unwrap returns the Go error that caused this one; nil if there is none. It's the cause of a context, or the error of
// a service's function with which the plugin failed.
func (e *Error) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.cause
}

// Error returns the code, the type and the message.
func (e *Error) Error() string {
	if e == nil {
		return "rustbridge: a nil *rustbridge.Error was returned as an error that isn't nil"
	}
	if e.Type == "" {
		return "rustbridge: " + e.Code.String() + ": " + e.Message
	}
	return "rustbridge: " + e.Code.String() + " (" + e.Type + "): " + e.Message
}

// Is reports whether the target is this error's code, or Go's own error with the same meaning.
func (e *Error) Is(target error) bool {
	if e == nil {
		return false
	}
	if code, ok := target.(Code); ok {
		return code == e.Code
	}
	equal, ok := codeEquals[e.Code]
	return ok && target == equal
}

// DecodeDetails decodes the error's details, as encoding/json does.
func (e *Error) DecodeDetails(to any) error {
	if e == nil || e.Details == nil {
		return errors.New("rustbridge: the error has no details")
	}
	return json.Unmarshal(e.Details, to)
}

// ResponseTooLargeError is the error of [Method.CallInto] if the response doesn't fit. The call has run.
type ResponseTooLargeError struct {
	// Response is the whole response.
	Response []byte
	// Capacity is the buffer's size.
	Capacity int
}

// Error returns the sizes of the response and the buffer.
func (e *ResponseTooLargeError) Error() string {
	return fmt.Sprintf("rustbridge: the response has %d bytes but the buffer has %d; the error holds the response", len(e.Response), e.Capacity)
}

func errorf(code Code, kind, format string, arguments ...any) *Error {
	return &Error{Code: code, Type: kind, Message: fmt.Sprintf(format, arguments...)}
}

// errorOf makes the error of a status and a payload, which is a JSON object or an error in the wire form. One that is neither still
// reaches the user, as the message.
func errorOf(status int32, payload []byte) *Error {
	code := codeOf(status)
	if bytes.HasPrefix(payload, []byte{1, 0, 0, 0}) {
		if typed := typedError(code, payload); typed != nil {
			return typed
		}
	}
	text := strings.ToValidUTF8(string(payload), "\uFFFD")
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(payload, &fields); err != nil || fields == nil {
		message := text
		if message == "" {
			message = "the call failed with status " + code.String() + " and no message"
		}
		return &Error{Code: code, Message: message}
	}
	made := &Error{Code: code, Message: text}
	var message string
	if raw, ok := fields["message"]; ok && json.Unmarshal(raw, &message) == nil {
		made.Message = message
	}
	// What isn't a text stays out.
	_ = json.Unmarshal(fields["type"], &made.Type)
	_ = json.Unmarshal(fields["backtrace"], &made.Backtrace)
	if raw, ok := fields["details"]; ok && string(raw) != "null" {
		if raw[0] != '{' {
			raw = append(append([]byte(`{"details":`), raw...), '}')
		}
		made.Details = raw
	}
	var cause string
	if raw, ok := fields["cause"]; ok && json.Unmarshal(raw, &cause) == nil {
		made.cause = takeCause(cause)
	}
	return made
}

// typedError reads the front of an error in the wire form; nil if it isn't one after all.
func typedError(code Code, payload []byte) *Error {
	// Behind the mark is the status, which came beside it as well.
	at := 8
	var texts [2]string
	for index := range texts {
		if len(payload)-at < 4 {
			return nil
		}
		length := int(binary.LittleEndian.Uint32(payload[at:]))
		at += 4
		if length > len(payload)-at {
			return nil
		}
		texts[index] = strings.ToValidUTF8(string(payload[at:at+length]), "\uFFFD")
		at += length
	}
	at = (at + 7) &^ 7
	if at > len(payload) {
		return nil
	}
	return &Error{Code: code, Message: texts[0], Type: texts[1], Typed: payload[at:]}
}

// endedBy is the error of a context that is done.
func endedBy(ctx context.Context) *Error {
	code := Canceled
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		code = DeadlineExceeded
	}
	return contextError(code, context.Cause(ctx))
}

func contextError(code Code, cause error) *Error {
	return &Error{Code: code, Message: cause.Error(), Type: "rustbridge.Context", cause: cause}
}

// clockStep is how far Go's clock can lag behind the core's: Windows updates it about every 16 ms.
const clockStep = 20 * time.Millisecond

// byContext replaces the core's error by the context's own if the context ended the call. The core can notice the deadline before the context
// does.
func byContext(ctx context.Context, failed *Error) *Error {
	isCore := failed.Code == Canceled && failed.Type == "rustbridge.Cancelled" ||
		failed.Code == DeadlineExceeded && failed.Type == "rustbridge.DeadlineExceeded"
	switch deadline, ok := ctx.Deadline(); {
	case isCore && ctx.Err() != nil:
		return endedBy(ctx)
	case isCore && failed.Code == DeadlineExceeded && ok && time.Until(deadline) < clockStep:
		return contextError(DeadlineExceeded, context.DeadlineExceeded)
	}
	return failed
}

// payloadOf writes an error of a host's function for the plugin that asked: its status and a JSON object. What the error's own methods
// do is the user's: one that panics, as those of a nil pointer do, is told of as an error itself.
func payloadOf(err error) (code Code, payload []byte) {
	defer func() {
		if cause := recover(); cause != nil {
			text := fmt.Sprintf("the error can't be described, because one of its methods panicked: %v", cause)
			code, payload = payloadOf(errorf(Internal, fmt.Sprintf("%T", err), "%s", text))
		}
	}()
	if thrown, ok := err.(interface{ ThrownPayload() []byte }); ok {
		return Unknown, thrown.ThrownPayload()
	}
	told := struct {
		Code    string          `json:"code"`
		Message string          `json:"message"`
		Type    string          `json:"type,omitempty"`
		Details json.RawMessage `json:"details,omitempty"`
		Cause   string          `json:"cause"`
	}{}
	code = Internal
	var own *Error
	var bare Code
	switch {
	case errors.As(err, &own) && own != nil:
		code = own.Code
		told.Message, told.Type, told.Details = own.Message, own.Type, own.Details
	case errors.As(err, &bare):
		code = bare
		told.Message = err.Error()
	default:
		for of, equal := range codeEquals {
			if errors.Is(err, equal) {
				code = of
			}
		}
		told.Message, told.Type = err.Error(), fmt.Sprintf("%T", err)
	}
	if code <= OK || codeOf(int32(code)) == Unknown {
		code = Unknown
	}
	told.Code = code.String()
	if told.Details != nil && !json.Valid(told.Details) {
		told.Details = nil
	}
	told.Cause = keepCause(err)
	written, failed := json.Marshal(told)
	if failed != nil {
		written = nil
	}
	return code, written
}

// hasStatus tells whether an error says by itself which status a plugin gets.
func hasStatus(err error) bool {
	var own *Error
	var bare Code
	if errors.As(err, &own) && own != nil {
		var panicked *PanicError
		return !errors.As(own.cause, &panicked)
	}
	if errors.As(err, &bare) {
		return true
	}
	for _, equal := range codeEquals {
		if errors.Is(err, equal) {
			return true
		}
	}
	return false
}

// ErrorFrom returns the error for a status other than OK and an error payload of the ABI. The payload is a JSON object,
// or in the wire format.
func ErrorFrom(code Code, payload []byte) *Error {
	return errorOf(int32(code), payload)
}
