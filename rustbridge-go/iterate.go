package rustbridge

import (
	"context"
	"errors"
	"io"
	"iter"

	"github.com/rustbridge/rustbridge/rustbridge-go/internal/native"
)

// Stream calls a method that returns a stream, and returns its items. The call starts when you range over the result,
// and starts again each time you do. Leaving the loop cancels it.
//
// An error is the last pair. It comes after the items that arrived before it.
func (m *Method) Stream(ctx context.Context, request []byte) iter.Seq2[[]byte, error] {
	return m.ranged(ctx, request, nil)
}

// Exchange sends a stream and returns a stream. A goroutine ranges over the items to send, as fast as the plugin
// accepts them.
//
// If the items contain an error, it ends the sent stream.
func (m *Method) Exchange(ctx context.Context, request []byte, items iter.Seq2[[]byte, error]) iter.Seq2[[]byte, error] {
	if items == nil {
		return func(yield func([]byte, error) bool) { yield(nil, noItems(m.name)) }
	}
	return m.ranged(ctx, request, items)
}

// noItems is the error of a sequence that's nil: one without items is Items().
func noItems(method string) *Error {
	return errorf(InvalidArgument, "rustbridge.NoItems", "the items of %s are nil: pass Items() to send none", method)
}

func (m *Method) ranged(ctx context.Context, request []byte, items iter.Seq2[[]byte, error]) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		stream, err := m.Open(ctx, &Invocation{Request: request})
		if err != nil {
			yield(nil, err)
			return
		}
		defer stream.Close()
		reason := func(err error) error { return err }
		if items != nil {
			reason = stream.SendConcurrently(items)
		}
		for {
			items, err := stream.batch()
			if err == io.EOF {
				return
			}
			if err != nil {
				yield(nil, reason(err))
				return
			}
			for _, item := range items {
				// Nobody is given them here.
				closeAll(item.Objects)
			}
			for _, item := range items {
				stream.pipe.taken(len(item.Bytes))
				if !yield(item.Bytes, nil) {
					return
				}
			}
		}
	}
}

// Send calls a method that accepts a stream. It sends the items as fast as the plugin accepts them, and returns the
// response.
//
// If the items contain an error, it ends the call, and Send returns it.
func (m *Method) Send(ctx context.Context, request []byte, items iter.Seq2[[]byte, error]) ([]byte, error) {
	if items == nil {
		return nil, noItems(m.name)
	}
	if m.flags&native.MethodStreamOut != 0 {
		return nil, errorf(Unimplemented, "rustbridge.StreamOnly", "%s returns a stream: use Exchange or ExchangeOf", m.name)
	}
	stream, err := m.Open(ctx, &Invocation{Request: request})
	if err != nil {
		return nil, err
	}
	defer stream.Close()
	by := &pumped{}
	stream.pump(by, items)
	stream.CloseSend(by.err)
	if by.err != nil {
		return nil, by.reason(by.err)
	}
	response, objects, err := stream.Result()
	closeAll(objects)
	return response, by.reason(err)
}

// pumped is how sending has ended.
type pumped struct {
	// What the items themselves failed with.
	err error
	// What ranging over them panicked with.
	cause    any
	panicked bool
}

// reason gives what has gone wrong: the sender's own failure rather than what came of it.
func (p *pumped) reason(err error) error {
	if p.panicked {
		panic(p.cause)
	}
	if p.err != nil {
		return p.err
	}
	return err
}

// pump sends items to their end, or the plugin's. CloseSend is left to the caller.
func (s *Stream) pump(by *pumped, items iter.Seq2[[]byte, error]) {
	isThrough := false
	defer func() {
		if isThrough {
			return
		}
		if by.cause = recover(); by.cause == nil {
			// The goroutine goes on ending.
			by.err = errorf(Canceled, "rustbridge.Goexit", "the iterator of the items ended its goroutine (runtime.Goexit)")
			return
		}
		by.panicked = true
		by.err = errorf(Canceled, "panic", "the iterator of the items panicked: %v", by.cause)
	}()
	for item, err := range items {
		if err != nil {
			by.err = err
			break
		}
		if err := s.Send(item); err != nil {
			if !errors.Is(err, io.EOF) {
				by.err = err
			}
			break
		}
	}
	isThrough = true
}

// SendConcurrently sends items on a goroutine of its own, while the caller receives. Sending ends with the items, or
// when the plugin accepts no more.
//
// It returns a function that maps a received error to its reason. The plugin knows only the message of an error in the
// items, so the function returns the original error. If the iteration over the items panicked, the function panics with
// the same value on the calling goroutine.
func (s *Stream) SendConcurrently(items iter.Seq2[[]byte, error]) func(received error) error {
	sent := make(chan *pumped, 1)
	go func() {
		by := &pumped{}
		defer func() {
			// Before the plugin knows, whose answer may come at once.
			sent <- by
			s.CloseSend(by.err)
		}()
		if items == nil {
			by.err = noItems(s.pipe.method.name)
			return
		}
		s.pump(by, items)
	}()
	return func(received error) error {
		select {
		case by := <-sent:
			sent <- by
			return by.reason(received)
		default:
			return received
		}
	}
}

// StreamOf calls a method that returns a stream, with JSON values. See [Method.Stream].
func StreamOf[T any](ctx context.Context, method *Method, request any) iter.Seq2[T, error] {
	return valuesOf[T](method, request, func(data []byte) iter.Seq2[[]byte, error] { return method.Stream(ctx, data) })
}

// ExchangeOf sends and returns a stream of JSON values. See [Method.Exchange].
func ExchangeOf[T, Sent any](ctx context.Context, method *Method, request any, items iter.Seq2[Sent, error]) iter.Seq2[T, error] {
	return valuesOf[T](method, request, func(data []byte) iter.Seq2[[]byte, error] {
		return method.Exchange(ctx, data, marshalled(method, items))
	})
}

// SendOf calls a method that accepts a stream, with JSON values. See [Method.Send].
func SendOf[Response, Sent any](ctx context.Context, method *Method, request any, items iter.Seq2[Sent, error]) (Response, error) {
	var response Response
	data, err := method.marshal(request)
	if err != nil {
		return response, err
	}
	answer, err := method.Send(ctx, data, marshalled(method, items))
	if err != nil {
		return response, err
	}
	err = method.unmarshal(answer, &response)
	return response, err
}

func valuesOf[T any](method *Method, request any, begin func([]byte) iter.Seq2[[]byte, error]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		data, err := method.marshal(request)
		if err != nil {
			yield(none, err)
			return
		}
		for item, err := range begin(data) {
			var value T
			if err == nil {
				err = method.unmarshal(item, &value)
			}
			if !yield(value, err) || err != nil {
				return
			}
		}
	}
}

func marshalled[T any](method *Method, items iter.Seq2[T, error]) iter.Seq2[[]byte, error] {
	if items == nil {
		return nil
	}
	return func(yield func([]byte, error) bool) {
		for item, err := range items {
			var data []byte
			if err == nil {
				data, err = method.marshal(item)
			}
			if !yield(data, err) || err != nil {
				return
			}
		}
	}
}

// Items returns a sequence of the values, for Send and Exchange.
func Items[T any](values ...T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, value := range values {
			if !yield(value, nil) {
				return
			}
		}
	}
}
