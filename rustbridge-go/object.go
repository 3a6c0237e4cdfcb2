package rustbridge

import (
	"context"
	"fmt"
	"runtime"
	"sync/atomic"

	"github.com/rustbridge/rustbridge/rustbridge-go/internal/native"
)

// Object is a value that stays in the plugin.
//
// Close releases it. If it's dropped without Close, the garbage collector releases it. An object ends with its plugin.
type Object struct {
	plugin   *Plugin
	number   uint64
	isClosed atomic.Bool
	cleanup  runtime.Cleanup
}

func (p *Plugin) object(number uint64) *Object {
	object := &Object{plugin: p, number: number}
	object.cleanup = runtime.AddCleanup(object, func(number uint64) {
		// A destructor in Rust may wait.
		go native.ReleaseObject(number)
	}, number)
	return object
}

func (p *Plugin) objects(numbers []uint64) []*Object {
	var objects []*Object
	for _, number := range numbers {
		objects = append(objects, p.object(number))
	}
	return objects
}

// Close releases the object. The plugin drops it as soon as no call uses it. Further calls do nothing.
func (o *Object) Close() error {
	if o == nil || o.plugin == nil || o.isClosed.Swap(true) {
		return nil
	}
	o.cleanup.Stop()
	// Whether its plugin was closed before makes no difference.
	native.ReleaseObject(o.number)
	return nil
}

// lent gives the number by which a call is told of the object.
func (o *Object) lent(to *Plugin) (uint64, *Error) {
	switch {
	case o == nil || o.plugin == nil:
		return 0, errorf(InvalidArgument, "rustbridge.InvalidObject", "a nil object can't be passed to a call")
	case o.plugin != to:
		return 0, errorf(InvalidArgument, "rustbridge.InvalidObject", "the object belongs to the plugin %q, not to %q: pass it to the plugin that returned it", o.plugin.name, to.name)
	case o.isClosed.Load():
		return 0, errorf(NotFound, "rustbridge.ObjectReleased", "the object was closed")
	}
	return o.number, nil
}

// Plugin returns the plugin that contains the object.
func (o *Object) Plugin() *Plugin { return o.plugin }

// String returns a text that identifies the object in messages.
func (o *Object) String() string {
	if o == nil || o.plugin == nil {
		return "object <nil>"
	}
	return fmt.Sprintf("object %#x of %s", o.number, o.plugin.name)
}

// Call calls a method of the object with JSON values. The method is its full name, such as "Counter.add".
func (o *Object) Call(ctx context.Context, method string, request, response any) error {
	if o == nil || o.plugin == nil {
		return errorf(InvalidArgument, "rustbridge.InvalidObject", "a nil object has no methods")
	}
	prepared, err := o.plugin.Method(method)
	if err != nil {
		return err
	}
	objects, err := prepared.CallWith(ctx, request, response, o)
	for _, object := range objects {
		object.Close()
	}
	return err
}

// CallWith calls with JSON values and borrowed objects. The request refers to the borrowed objects by position, from 0.
// The receiver of an object's method is the first one.
//
// It returns the objects of the response, which refers to them by position as well. The caller must close them.
func (m *Method) CallWith(ctx context.Context, request, response any, lent ...*Object) ([]*Object, error) {
	data, err := m.marshal(request)
	if err != nil {
		return nil, err
	}
	invocation := Invocation{Request: data, Unshared: m.plugin.shared == 0, Borrowed: lent}
	if err := m.Invoke(ctx, &invocation); err != nil {
		return nil, err
	}
	if err := m.unmarshal(invocation.Response, response); err != nil {
		for _, object := range invocation.Objects {
			object.Close()
		}
		return nil, err
	}
	return invocation.Objects, nil
}

// Object calls a method that returns one object.
func (p *Plugin) Object(ctx context.Context, method string, request any, lent ...*Object) (*Object, error) {
	prepared, err := p.Method(method)
	if err != nil {
		return nil, err
	}
	objects, err := prepared.CallWith(ctx, request, nil, lent...)
	if err != nil {
		return nil, err
	}
	if len(objects) != 1 {
		for _, object := range objects {
			object.Close()
		}
		return nil, errorf(FailedPrecondition, "rustbridge.InvalidObject", "%s returned %d objects: expected one", method, len(objects))
	}
	return objects[0], nil
}
