package typed

import (
	"context"
	"sync/atomic"
	"weak"

	"github.com/rustbridge/rustbridge/rustbridge-go"
	"github.com/rustbridge/rustbridge/rustbridge-go/wire"
)

// Connection refers to the client whose methods are called by the functions of its callbacks. These are registered
// before the client exists. It doesn't keep the client.
type Connection[C any] struct {
	client atomic.Pointer[weak.Pointer[C]]
}

// Set sets the client. A nil connection belongs to a client without host objects.
func (c *Connection[C]) Set(client *C) {
	if c != nil {
		pointer := weak.Make(client)
		c.client.Store(&pointer)
	}
}

func (c *Connection[C]) get(name string) (*C, error) {
	if pointer := c.client.Load(); pointer != nil {
		if client := pointer.Value(); client != nil {
			return client, nil
		}
	}
	return nil, failure(rustbridge.FailedPrecondition, "rustbridge.InstanceClosed", name+": the client of this callback no longer exists")
}

// Returned is the result of a call of a callback's function, with the number of the call.
type Returned[R any] struct {
	call   uint64
	result R
}

// called is the request for a function whose arguments or result contain objects.
type called struct{ object, call uint64 }

func readCalled(r *wire.Reader) called {
	return called{object: r.Uint64(), call: r.Uint64()}
}

// PrepareArguments prepares the method that returns the arguments of a call, with the function that decodes them.
func PrepareArguments[A any](p *Preparation, name, fingerprint string, read func(*wire.Reader) A) *Method[uint64, A] {
	m := Prepare(p, name, fingerprint, (*wire.Writer).Uint64, read)
	m.isInternal = true
	return m
}

// PrepareReturn prepares the method that accepts the result of a call, with the function that encodes the result.
func PrepareReturn[R any](
	p *Preparation, name, fingerprint string, write func(*wire.Writer, R),
) *Method[Returned[R], struct{}] {
	m := Prepare(p, name, fingerprint, func(w *wire.Writer, v Returned[R]) {
		w.Uint64(v.call)
		write(w, v.result)
	}, (*wire.Reader).Unit)
	m.isInternal = true
	return m
}

// NoArguments is for functions without parameters.
func NoArguments[C any](*C) *Method[uint64, struct{}] { return nil }

// ServeTaking adds a function of a callback with objects among its arguments. The plugin's method returns the
// arguments.
func ServeTaking[T, C, A, R any](
	s *Services, name string, hosts *HostObjects[T], connection *Connection[C], arguments func(*C) *Method[uint64, A],
	write func(*wire.Writer, R), function func(context.Context, T, A) (R, error),
) {
	Serve(s, name, readCalled, write, func(ctx context.Context, v called) (R, error) {
		client, err := connection.get(name)
		if err != nil {
			return none[R](), err
		}
		return answer(ctx, v, hosts, arguments(client), function)
	})
}

// ServeReturning adds a function of a callback with objects in its result. The plugin's methods return the arguments
// and accept the result.
func ServeReturning[T, C, A, R any](
	s *Services, name string, hosts *HostObjects[T], connection *Connection[C], arguments func(*C) *Method[uint64, A],
	result func(*C) *Method[Returned[R], struct{}], function func(context.Context, T, A) (R, error),
) {
	Serve(s, name, readCalled, (*wire.Writer).Unit, func(ctx context.Context, v called) (struct{}, error) {
		client, err := connection.get(name)
		if err != nil {
			return struct{}{}, err
		}
		returned, err := answer(ctx, v, hosts, arguments(client), function)
		if err != nil {
			return struct{}{}, err
		}
		return result(client).CallOn(context.Background(), nil, Returned[R]{call: v.call, result: returned})
	})
}

// answer calls a function of a host object with its arguments.
func answer[T, A, R any](
	ctx context.Context, v called, hosts *HostObjects[T], arguments *Method[uint64, A], function func(context.Context, T, A) (R, error),
) (R, error) {
	host, err := hosts.Get(v.object)
	if err != nil {
		return none[R](), err
	}
	var given A
	if arguments != nil {
		if given, err = arguments.CallOn(context.Background(), nil, v.call); err != nil {
			return none[R](), err
		}
	}
	return function(ctx, host, given)
}
