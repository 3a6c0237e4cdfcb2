package typed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/rustbridge/rustbridge/rustbridge-go"
	"github.com/rustbridge/rustbridge/rustbridge-go/wire"
)

// StreamingMethod is a method that accepts a stream.
type StreamingMethod[Q, I, R any] struct {
	*Method[Q, R]
	item func(*wire.Writer, I)
}

// Values converts a sequence, for example of slices.Values, to a sequence with errors.
func Values[T any](values iter.Seq[T]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for value := range values {
			if !yield(value, nil) {
				return
			}
		}
	}
}

// Stream calls a method that returns a stream, each time you range over the result. The first error is the last pair.
// Leaving the loop cancels the call.
func (m *Method[Q, R]) Stream(ctx context.Context, receiver *rustbridge.Object, request Q) iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		stream, err := m.open(ctx, receiver, request)
		if err != nil {
			yield(none[R](), err)
			return
		}
		defer closed(stream)
		m.receive(stream, yield)
	}
}

// Send calls a method that accepts a stream and returns a response. If the sequence has an error, Send returns it, and
// the plugin receives it.
func (m *StreamingMethod[Q, I, R]) Send(
	ctx context.Context, receiver *rustbridge.Object, request Q, items iter.Seq2[I, error],
) (R, error) {
	if items == nil {
		return none[R](), m.noItems()
	}
	stream, err := m.open(ctx, receiver, request)
	if err != nil {
		return none[R](), err
	}
	defer closed(stream)
	if err := m.send(stream, items); err != nil {
		return none[R](), err
	}
	response, objects, err := stream.Result()
	if err != nil {
		return none[R](), m.failed(err)
	}
	s := scratches.Get().(*scratch)
	defer s.release()
	return m.answered(s, response, objects)
}

// Exchange calls a method that accepts and returns a stream, each time you range over the result. A goroutine ranges
// over the items. When the loop ends, that goroutine ends with the sequence's next item.
func (m *StreamingMethod[Q, I, R]) Exchange(
	ctx context.Context, receiver *rustbridge.Object, request Q, items iter.Seq2[I, error],
) iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		if items == nil {
			yield(none[R](), m.noItems())
			return
		}
		stream, err := m.open(ctx, receiver, request)
		if err != nil {
			yield(none[R](), err)
			return
		}
		defer closed(stream)
		reason := stream.SendConcurrently(m.written(items))
		m.receive(stream, func(v R, err error) bool {
			if err != nil {
				err = reason(err)
			}
			return yield(v, err)
		})
	}
}

func (m *StreamingMethod[Q, I, R]) noItems() error {
	return failure(rustbridge.InvalidArgument, "rustbridge.NoItems", "the items of "+m.name+" are nil: pass rustbridge.Items[T]() to send none")
}

func (m *Method[Q, R]) open(ctx context.Context, receiver *rustbridge.Object, request Q) (*rustbridge.Stream, error) {
	s := scratches.Get().(*scratch)
	defer s.release()
	invocation, err := m.invocation(s, receiver, request)
	if err != nil {
		return nil, err
	}
	stream, err := m.method.Open(ctx, invocation)
	if err != nil {
		return nil, m.failed(err)
	}
	return stream, nil
}

// receive gives the items that come, and the first error.
func (m *Method[Q, R]) receive(stream *rustbridge.Stream, yield func(R, error) bool) {
	var r wire.Reader
	for {
		item, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			yield(none[R](), m.failed(err))
			return
		}
		v, err := m.taken(&r, item.Bytes, nil)
		if !yield(v, err) || err != nil {
			return
		}
	}
}

// send sends all items, and says that they are all.
func (m *StreamingMethod[Q, I, R]) send(stream *rustbridge.Stream, items iter.Seq2[I, error]) error {
	for item, err := range m.written(items) {
		if err != nil {
			// The stream's own end says nothing that this doesn't.
			_ = stream.CloseSend(err)
			return err
		}
		if err := stream.Send(item); errors.Is(err, io.EOF) {
			// The plugin takes no more, and its answer says why.
			return nil
		} else if err != nil {
			return m.failed(err)
		}
	}
	return stream.CloseSend(nil)
}

// written gives the items as bytes, each until the next one, and ends with the first error: the sequence's, or that of one that can't be
// written.
func (m *StreamingMethod[Q, I, R]) written(items iter.Seq2[I, error]) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		var w wire.Writer
		place := 0
		for item, err := range items {
			if err == nil {
				w.Reset(nil)
				m.item(&w, item)
				if failed := w.Err(); failed != nil {
					err = m.unfit(failed, "items", fmt.Sprintf("items[%d]", place), w.Bytes())
				}
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(w.Bytes(), nil) {
				return
			}
			place++
		}
	}
}

// closed gives a stream up that may have ended.
func closed(stream *rustbridge.Stream) {
	_ = stream.Close()
}
