package typed

import (
	"context"
	"errors"
	"sync"

	"github.com/rustbridge/rustbridge/rustbridge-go"
	"github.com/rustbridge/rustbridge/rustbridge-go/internal/native"
	"github.com/rustbridge/rustbridge/rustbridge-go/wire"
)

// kept is how large memory may be that is kept for another call.
const kept = 64 << 10

// Method is a method with types. Any number of goroutines may use it at once.
type Method[Q, R any] struct {
	method       *rustbridge.Method
	clientSchema *wire.ClientSchema
	name         string
	client       any
	hasObjects   bool
	// Whether the application doesn't know of the calls: they have no context and no interceptors.
	isInternal bool
	write      func(*wire.Writer, Q)
	read       func(*wire.Reader) R
	raise      func(*rustbridge.Error, *wire.Reader) error
}

// WithObjects sets that the request or the response may contain objects. It returns the method.
func (m *Method[Q, R]) WithObjects() *Method[Q, R] {
	m.hasObjects = true
	return m
}

// FailsWith sets the function that creates the method's errors with a type. It returns the method. See [Fails].
func (m *Method[Q, R]) FailsWith(raise func(*rustbridge.Error, *wire.Reader) error) *Method[Q, R] {
	m.raise = raise
	return m
}

// scratch is what a call writes and reads with.
type scratch struct {
	writer   wire.Writer
	reader   wire.Reader
	response []byte
	beside   beside
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

func (s *scratch) release() {
	if s.writer.Room() > kept {
		s.writer = wire.Writer{}
	}
	if cap(s.response) > kept {
		s.response = nil
	}
	s.writer.Reset(nil)
	s.reader.Reset(nil, nil)
	for _, object := range s.beside.created {
		_ = object.Close()
	}
	s.beside = beside{}
	scratches.Put(s)
}

// Call calls a method with a request, and returns the response.
func (m *Method[Q, R]) Call(ctx context.Context, request Q) (R, error) {
	if m.hasObjects {
		return m.CallOn(ctx, nil, request)
	}
	s := scratches.Get().(*scratch)
	defer s.release()
	s.writer.Reset(nil)
	m.write(&s.writer, request)
	if failed := s.writer.Err(); failed != nil {
		return none[R](), m.unfit(failed, "request", "request", s.writer.Bytes())
	}
	response, err := m.method.CallAppend(ctx, s.response[:0], s.writer.Bytes())
	if err != nil {
		return none[R](), m.failed(err)
	}
	s.response = response
	return m.taken(&s.reader, response, nil)
}

// CallOn calls a method that may have a receiver, and objects in its request or response. The receiver of a plugin's
// own method is nil.
func (m *Method[Q, R]) CallOn(ctx context.Context, receiver *rustbridge.Object, request Q) (R, error) {
	s := scratches.Get().(*scratch)
	defer s.release()
	invocation, err := m.invocation(s, receiver, request)
	if err != nil {
		return none[R](), err
	}
	invocation.Buffer = s.response[:0]
	if m.isInternal {
		err = native.Invoke(m.method, invocation)
	} else {
		err = m.method.Invoke(ctx, invocation)
	}
	if err != nil {
		return none[R](), m.failed(err)
	}
	s.response = invocation.Response
	return m.answered(s, invocation.Response, invocation.Objects)
}

// invocation writes a request into the memory of a scratch.
func (m *Method[Q, R]) invocation(s *scratch, receiver *rustbridge.Object, request Q) (*rustbridge.Invocation, error) {
	s.beside = beside{client: m.client}
	if receiver != nil {
		s.beside.lent = append(s.beside.lent, receiver)
	}
	s.writer.Reset(&s.beside)
	m.write(&s.writer, request)
	if s.beside.failed != nil {
		return nil, s.beside.failed
	}
	if failed := s.writer.Err(); failed != nil {
		return nil, m.unfit(failed, "request", "request", s.writer.Bytes())
	}
	return &rustbridge.Invocation{Request: s.writer.Bytes(), Borrowed: s.beside.lent}, nil
}

// answered reads a response that objects may have come beside. Those that aren't in it are released.
func (m *Method[Q, R]) answered(s *scratch, response []byte, objects []*rustbridge.Object) (R, error) {
	s.beside.client, s.beside.came, s.beside.taken = m.client, objects, nil
	v, err := m.taken(&s.reader, response, &s.beside)
	s.beside.release(err != nil)
	if s.beside.failed != nil {
		return none[R](), s.beside.failed
	}
	return v, err
}

// taken reads a response, or an item.
func (m *Method[Q, R]) taken(r *wire.Reader, response []byte, objects any) (R, error) {
	r.Reset(response, objects)
	v := m.read(r)
	if failed := r.End(); failed != nil {
		m.clientSchema.Locate(failed, wire.Side{Name: m.name, Which: "response"}, "response", response)
		return none[R](), wrong(failed, rustbridge.Internal, "rustbridge.InvalidResponse", m.name+": the plugin's response doesn't match its type: ")
	}
	return v, nil
}

// unfit is why a request or an item isn't sent.
func (m *Method[Q, R]) unfit(failed *wire.Error, which, first string, written []byte) error {
	m.clientSchema.Locate(failed, wire.Side{Name: m.name, Which: which}, first, written)
	code := rustbridge.InvalidArgument
	if failed.Kind == wire.TooLarge {
		code = rustbridge.ResourceExhausted
	}
	return wrong(failed, code, "rustbridge.InvalidRequest", m.name+": ")
}

// failed makes an error of a call the error of its type, if it has one.
func (m *Method[Q, R]) failed(err error) error {
	var told *rustbridge.Error
	if m.raise == nil || !errors.As(err, &told) || told.Typed == nil {
		return err
	}
	var r wire.Reader
	r.Reset(told.Typed, nil)
	typed := m.raise(told, &r)
	if r.End() != nil {
		return err
	}
	return typed
}

func none[T any]() (v T) { return v }
