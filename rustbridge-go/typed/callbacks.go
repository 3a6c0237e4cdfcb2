package typed

import (
	"context"
	"fmt"
	"reflect"
	"sync"

	"github.com/rustbridge/rustbridge/rustbridge-go"
	"github.com/rustbridge/rustbridge/rustbridge-go/internal/native"
	"github.com/rustbridge/rustbridge/rustbridge-go/wire"
)

// HostObjects are the host's implementations of a callback to which a plugin refers, by their numbers. The callback is a
// trait of the plugin, and an interface in Go.
type HostObjects[T any] struct {
	name     string
	lock     sync.RWMutex
	last     uint64
	byNumber map[uint64]T
}

// NewHostObjects returns an empty set of host objects for the callback with this name.
func NewHostObjects[T any](name string) *HostObjects[T] {
	return &HostObjects[T]{name: name, byNumber: map[uint64]T{}}
}

// Get returns the object with a number. If the plugin has released it, the error is NOT_FOUND.
func (h *HostObjects[T]) Get(number uint64) (T, error) {
	v, is := h.find(number)
	if !is {
		return v, failure(rustbridge.NotFound, "rustbridge.ObjectReleased",
			fmt.Sprintf("callback %s: the host has no object %d: it was released", h.name, number))
	}
	return v, nil
}

// Len returns the number of objects.
func (h *HostObjects[T]) Len() int {
	h.lock.RLock()
	defer h.lock.RUnlock()
	return len(h.byNumber)
}

func (h *HostObjects[T]) find(number uint64) (T, bool) {
	h.lock.RLock()
	defer h.lock.RUnlock()
	v, is := h.byNumber[number]
	return v, is
}

// add gives an object the next number. Numbers aren't reused.
func (h *HostObjects[T]) add(v T) uint64 {
	h.lock.Lock()
	defer h.lock.Unlock()
	h.last++
	h.byNumber[h.last] = v
	return h.last
}

func (h *HostObjects[T]) remove(number uint64) {
	h.lock.Lock()
	defer h.lock.Unlock()
	delete(h.byNumber, number)
}

// ServeRelease adds the service by which the plugin releases the host's objects.
func ServeRelease[T any](s *Services, name string, hosts *HostObjects[T]) {
	s.options.ClientSchema = s.clientSchema.Text()
	s.options.Services[name] = native.ReleaseService(hosts.remove).(rustbridge.Service)
}

// Callback passes implementations of a callback to a plugin, and receives them. The plugin has an object for each
// implementation of the host, which refers to it by its number.
type Callback[T any] struct {
	name   string
	hosts  *HostObjects[T]
	create *Method[uint64, *rustbridge.Object]
	number *Method[struct{}, uint64]
}

// PrepareCallback prepares a callback, with the fingerprints of the methods that create the plugin's object and return
// its number. The host objects are nil if the plugin was loaded without the callback's services.
func PrepareCallback[T any](p *Preparation, name, create, number string, hosts *HostObjects[T]) *Callback[T] {
	c := &Callback[T]{
		name:   name,
		hosts:  hosts,
		create: Prepare(p, name+":new", create, (*wire.Writer).Uint64, readUntyped),
		number: Prepare(p, name+":number", number, (*wire.Writer).Unit, (*wire.Reader).Uint64),
	}
	// The headers, the trailers and the interceptors are those of the application's call.
	c.create.isInternal, c.number.isInternal = true, true
	return c
}

func readUntyped(r *wire.Reader) *rustbridge.Object {
	v, _ := ReadObject[any](r)
	return v
}

// Hosts returns the host's objects to which the plugin refers, or nil if the plugin was loaded without the callback's
// services.
func (c *Callback[T]) Hosts() *HostObjects[T] { return c.hosts }

// Forget removes all objects. The plugin was closed.
func (c *Callback[T]) Forget() {
	if c.hosts != nil {
		c.hosts.lock.Lock()
		defer c.hosts.lock.Unlock()
		clear(c.hosts.byNumber)
	}
}

// Write passes an implementation of the host. The plugin's object for it is borrowed by the call whose request is
// written, and released when that call has been submitted or has ended.
func (c *Callback[T]) Write(w *wire.Writer, v T) {
	b, is := w.Attachment().(*beside)
	switch {
	case w.Err() != nil:
		// The request isn't sent, so the plugin doesn't need an object.
	case isNil(v):
		w.Fail("nil isn't allowed here")
	case !is:
		w.Fail("objects can't accompany this message")
	case c.hosts == nil:
		b.refuse(w, failure(rustbridge.FailedPrecondition, "rustbridge.NoServices", "callback "+c.name+
			": the plugin was loaded without the services by which it calls the host's objects: load it by the generated client's Load"))
	default:
		number := c.hosts.add(v)
		object, err := c.create.CallOn(context.Background(), nil, number)
		if err != nil {
			c.hosts.remove(number)
			b.refuse(w, err)
			return
		}
		b.created = append(b.created, object)
		WriteObject(w, object)
	}
}

// Host returns the host's implementation for which an object of the plugin stands, and closes the object. It returns
// false if the implementation is the plugin's own.
func (c *Callback[T]) Host(r *wire.Reader, object *rustbridge.Object) (T, bool) {
	if c.hosts == nil {
		return none[T](), false
	}
	number, err := c.number.CallOn(context.Background(), object, struct{}{})
	if err != nil {
		if b, is := r.Attachment().(*beside); is && b.failed == nil {
			b.failed = err
		}
		r.Fail(r.At(), err.Error())
		return none[T](), false
	}
	v, is := c.hosts.find(number)
	if is {
		_ = object.Close()
	}
	return v, is
}

// ClientOf returns the client whose call's request is being written; nil, after a failure, if there's none.
func ClientOf[C any](w *wire.Writer) (client C) {
	if b, is := w.Attachment().(*beside); is {
		client, _ = b.client.(C)
	} else {
		w.Fail("objects can't accompany this message")
	}
	return client
}

// isNil reports whether a value is nil, or a nil pointer or function in an interface. Its methods would panic when the
// plugin calls them.
func isNil(v any) bool {
	switch of := reflect.ValueOf(v); of.Kind() {
	case reflect.Invalid:
		return true
	case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Func, reflect.Chan:
		return of.IsNil()
	}
	return false
}
