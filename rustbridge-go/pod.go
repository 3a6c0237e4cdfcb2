package rustbridge

import (
	"context"
	"runtime"
	"unsafe"

	"github.com/rustbridge/rustbridge/rustbridge-go/internal/native"
)

// PodMethod is a method whose request and response are structs of fixed size. A call involves no text and no
// allocation. Both types were compared with the plugin's layout when it was prepared.
type PodMethod[Request, Response any] struct {
	method *Method
}

// PodOf prepares a method for structs.
//
// Request and Response are structs of numbers, arrays and such structs. Their fields must have the order, the offsets,
// the sizes and the kinds of numbers in the plugin's description. Their names may differ.
func PodOf[Request, Response any](plugin *Plugin, name string) (*PodMethod[Request, Response], error) {
	method, err := plugin.MethodIn(name, Pod)
	if err != nil {
		return nil, err
	}
	return podOf[Request, Response](method)
}

// PodOfID prepares a method like [PodOf], by its numeric ID.
func PodOfID[Request, Response any](plugin *Plugin, id uint32) (*PodMethod[Request, Response], error) {
	method, err := plugin.MethodID(id, Pod)
	if err != nil {
		return nil, err
	}
	return podOf[Request, Response](method)
}

func podOf[Request, Response any](method *Method) (*PodMethod[Request, Response], error) {
	request, response, err := method.layouts()
	if err != nil {
		return nil, err
	}
	if err := fits[Request](request, method, "request"); err != nil {
		return nil, err
	}
	if err := fits[Response](response, method, "response"); err != nil {
		return nil, err
	}
	return &PodMethod[Request, Response]{method}, nil
}

// Method returns the underlying method, for bytes.
func (m *PodMethod[Request, Response]) Method() *Method { return m.method }

// Call calls with a struct, and returns a struct. CallInto makes fewer copies of large structs.
func (m *PodMethod[Request, Response]) Call(ctx context.Context, request Request) (Response, error) {
	var response Response
	method := m.method
	if method.isDirect(ctx) {
		size := native.CallInto(method.instance, method.entry, unsafe.Pointer(&request), int(unsafe.Sizeof(request)),
			unsafe.Pointer(&response), int(unsafe.Sizeof(response)))
		runtime.KeepAlive(method)
		if size == int64(unsafe.Sizeof(response)) {
			return response, nil
		}
		return response, method.podFailed(size, unsafe.Pointer(&response))
	}
	err := m.carried(ctx, &request, &response)
	return response, err
}

// CallInto calls with a struct, and fills in another one. The core copies the request first, because other goroutines
// may write to it.
func (m *PodMethod[Request, Response]) CallInto(ctx context.Context, request *Request, response *Response) error {
	method := m.method
	if request == nil || response == nil {
		return errorf(InvalidArgument, "rustbridge.InvalidRequest", "the request or the response of %s is nil, expected pointers to structs", method.name)
	}
	if method.isDirect(ctx) {
		size := native.CallInto(method.instance, method.entry|native.EntryShared, unsafe.Pointer(request),
			int(unsafe.Sizeof(*request)), unsafe.Pointer(response), int(unsafe.Sizeof(*response)))
		runtime.KeepAlive(method)
		if size == int64(unsafe.Sizeof(*response)) {
			return nil
		}
		return method.podFailed(size, unsafe.Pointer(response))
	}
	copied := *request
	return m.carried(ctx, &copied, response)
}

// carried calls with a context that has something to say. It's apart so that what it lets escape isn't what others call with.
func (m *PodMethod[Request, Response]) carried(ctx context.Context, request *Request, response *Response) error {
	method, size := m.method, int(unsafe.Sizeof(*response))
	data := unsafe.Slice((*byte)(unsafe.Pointer(request)), unsafe.Sizeof(*request))
	var invocation Invocation
	var ended end
	if err := method.perform(ctx, data, &invocation, room{unsafe.Pointer(response), size}, &ended); err != nil {
		return err
	}
	closeAll(invocation.Objects)
	if !ended.inStorage {
		ended.size = copy(unsafe.Slice((*byte)(unsafe.Pointer(response)), size), ended.payload)
		if len(ended.payload) > size {
			ended.size = len(ended.payload)
		}
	}
	if ended.size != size {
		return method.podFailed(int64(ended.size), nil)
	}
	return nil
}

// podFailed is what came of a call that didn't fill in a response.
func (m *Method) podFailed(size int64, storage unsafe.Pointer) error {
	if size >= 0 {
		return errorf(Internal, "rustbridge.InvalidResponse", "%s returned %d bytes, but its response has %d", m.name, size, m.response)
	}
	answer, err := m.outcome(size, storage, nil)
	if err == nil {
		err = errorf(Internal, "rustbridge.InvalidResponse", "%s returned %d bytes outside the buffer, but its response has %d", m.name,
			len(answer), m.response)
	}
	return err
}
