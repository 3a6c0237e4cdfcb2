package rustbridge

import (
	"context"
	"runtime"
	"sync/atomic"
	"unsafe"

	"github.com/rustbridge/rustbridge/rustbridge-go/internal/native"
)

// Method is a method that was resolved once, in one encoding.
//
// Any number of goroutines may use it. After its plugin is closed, calls return an error.
type Method struct {
	plugin   *Plugin
	instance uint64
	entry    uint32
	flags    uint32
	encoding Encoding
	// How much storage is offered: what was learned from responses that didn't fit, up to what is worth keeping.
	storage atomic.Uint32
	kept    uint32
	request uint64
	// Size of the response, of a pod.
	response uint64
	name     string
}

// Responses up to this size are answered into the goroutine's own stack.
const stackStorage = 512

func (p *Plugin) prepared(name string, found *native.Method) *Method {
	method := &Method{
		plugin: p, instance: p.instance, entry: found.Entry, flags: found.Flags, encoding: Encoding(found.Encoding), name: name,
		kept:    uint32(min(found.BufferLimit, 1<<30)),
		request: found.RequestSize, response: found.ResponseSize,
	}
	method.storage.Store(max(min(found.Storage, method.kept), stackStorage))
	runtime.KeepAlive(p)
	return method
}

// Method prepares a method for JSON.
func (p *Plugin) Method(name string) (*Method, error) {
	if found, ok := p.methods.Load(name); ok {
		return found.(*Method), nil
	}
	method, err := p.MethodIn(name, JSON)
	if err == nil {
		p.methods.Store(name, method)
	}
	return method, err
}

// MethodIn prepares a method for an encoding.
func (p *Plugin) MethodIn(name string, encoding Encoding) (*Method, error) {
	if p.instance == 0 {
		return nil, notLoaded()
	}
	var found native.Method
	var result native.Result
	if native.Prepare(p.instance, name, uint32(encoding), &found, &result) != native.OK {
		return nil, failed(&result)
	}
	return p.prepared(name, &found), nil
}

// MethodID prepares a method, by its numeric ID, for an encoding.
func (p *Plugin) MethodID(id uint32, encoding Encoding) (*Method, error) {
	if p.instance == 0 {
		return nil, notLoaded()
	}
	var found native.Method
	var result native.Result
	if native.PrepareID(p.instance, id, uint32(encoding), &found, &result) != native.OK {
		return nil, failed(&result)
	}
	return p.prepared("", &found), nil
}

// MethodTyped prepares a method with the encoding wire for a typed client. The generator wrote the fingerprint and the
// client schema.
func (p *Plugin) MethodTyped(name, fingerprint, clientSchema string) (*Method, error) {
	if p.instance == 0 {
		return nil, notLoaded()
	}
	var found native.Method
	var result native.Result
	if native.PrepareTyped(p.instance, name, fingerprint, clientSchema, &found, &result) != native.OK {
		return nil, failed(&result)
	}
	return p.prepared(name, &found), nil
}

// Name returns the method's name; empty if it was prepared by its ID.
func (m *Method) Name() string { return m.name }

// Encoding returns the encoding for which the method was prepared.
func (m *Method) Encoding() Encoding { return m.encoding }

// IsLeaf reports whether the method is a leaf method: its author declares it short, non-blocking and free of callbacks.
func (m *Method) IsLeaf() bool { return m.flags&native.MethodLeaf != 0 }

// IsAsync reports whether the method's handler is async.
func (m *Method) IsAsync() bool { return m.flags&native.MethodAsync != 0 }

// Plugin returns the method's plugin.
func (m *Method) Plugin() *Plugin { return m.plugin }

// isDirect tells whether a call can be made right away: nothing goes along with it, and it needn't be waited for without a thread.
func (m *Method) isDirect(ctx context.Context) bool {
	if m.flags&native.MethodAsync != 0 {
		return false
	}
	if ctx == nil {
		return !m.plugin.looksAtContext
	}
	if m.plugin.looksAtContext {
		return false
	}
	// A leaf method has ended before anybody could cancel it.
	if ctx.Done() != nil && (m.flags&native.MethodLeaf == 0 || ctx.Err() != nil) {
		return false
	}
	if m.plugin.hasServices && m.flags&native.MethodLeaf == 0 && hasValues(ctx) {
		return false
	}
	return ctx.Value(carriedKey{}) == nil
}

// learn remembers that a response didn't fit.
func (m *Method) learn(size int) {
	offer := uint32(stackStorage)
	for int(offer) < size && offer < m.kept {
		offer *= 2
	}
	if offer = min(offer, max(m.kept, stackStorage)); offer > m.storage.Load() {
		m.storage.Store(offer)
	}
}

// outcome takes what a negative result stands for: an error, or a response that didn't fit, which is appended to a slice.
func (m *Method) outcome(number int64, storage unsafe.Pointer, to []byte) ([]byte, error) {
	var err *Error
	native.Outcome(number, func(status int32, inStorage bool, size int, elsewhere []byte) {
		payload := elsewhere
		if inStorage && size > 0 {
			payload = unsafe.Slice((*byte)(storage), size)
		}
		if status != native.OK {
			err = errorOf(status, append([]byte(nil), payload...))
			return
		}
		m.learn(size)
		to = append(to, payload...)
	})
	if err != nil {
		return nil, err
	}
	return to, nil
}

// CallRaw calls with bytes. The core copies the request first, because other goroutines may write to it. The caller
// owns the response.
func (m *Method) CallRaw(ctx context.Context, request []byte) ([]byte, error) {
	if !m.isDirect(ctx) {
		return m.invoked(ctx, nil, append([]byte(nil), request...))
	}
	return m.fresh(m.entry|native.EntryShared, unsafe.Pointer(unsafe.SliceData(request)), len(request))
}

// CallJSON calls with JSON text, and returns JSON text.
func (m *Method) CallJSON(ctx context.Context, request string) (string, error) {
	if !m.isDirect(ctx) {
		answer, err := m.invoked(ctx, nil, unsafe.Slice(unsafe.StringData(request), len(request)))
		return string(answer), err
	}
	pointer := unsafe.Pointer(unsafe.StringData(request))
	if m.storage.Load() > stackStorage {
		answer, err := m.fresh(m.entry, pointer, len(request))
		return unsafe.String(unsafe.SliceData(answer), len(answer)), err
	}
	var storage [stackStorage]byte
	size := native.CallInto(m.instance, m.entry, pointer, len(request), unsafe.Pointer(&storage), stackStorage)
	runtime.KeepAlive(m)
	if size >= 0 {
		return string(storage[:size]), nil
	}
	answer, err := m.outcome(size, unsafe.Pointer(&storage), nil)
	return string(answer), err
}

// fresh calls, and gives the response in a slice of its own.
func (m *Method) fresh(entry uint32, request unsafe.Pointer, length int) ([]byte, error) {
	if m.storage.Load() > stackStorage {
		scratch := takeScratch(int(m.storage.Load()))
		defer scratch.give()
		answer, inScratch, err := m.into(entry, request, length, scratch.bytes)
		if err != nil || !inScratch {
			return answer, err
		}
		return append([]byte(nil), answer...), nil
	}
	var storage [stackStorage]byte
	size := native.CallInto(m.instance, entry, request, length, unsafe.Pointer(&storage), stackStorage)
	runtime.KeepAlive(m)
	if size >= 0 {
		answer := make([]byte, size)
		copy(answer, storage[:size])
		return answer, nil
	}
	return m.outcome(size, unsafe.Pointer(&storage), []byte{})
}

// into calls with storage; the response, and whether it lies in the storage.
func (m *Method) into(entry uint32, request unsafe.Pointer, length int, storage []byte) ([]byte, bool, error) {
	pointer := unsafe.Pointer(unsafe.SliceData(storage))
	size := native.CallInto(m.instance, entry, request, length, pointer, len(storage))
	runtime.KeepAlive(m)
	if size >= 0 {
		return storage[:size], true, nil
	}
	answer, err := m.outcome(size, pointer, nil)
	return answer, false, err
}

// CallAppend calls with bytes, and appends the response to a slice, which may be nil. If the response fits into the
// slice's spare capacity, it's written directly there.
//
// The core copies the request first, because other goroutines may write to it.
func (m *Method) CallAppend(ctx context.Context, to, request []byte) ([]byte, error) {
	if !m.isDirect(ctx) {
		return m.invoked(ctx, to, append([]byte(nil), request...))
	}
	return m.appended(m.entry|native.EntryShared, to, request)
}

// CallAppendUnshared is CallAppend without the copy of the request.
//
// The caller promises that no code writes to the request until the call returns, and that the slice's spare capacity
// doesn't overlap the request. Otherwise the behavior is undefined: a plugin that has validated a text relies on it.
func (m *Method) CallAppendUnshared(ctx context.Context, to, request []byte) ([]byte, error) {
	if !m.isDirect(ctx) {
		return m.invoked(ctx, to, request)
	}
	return m.appended(m.entry, to, request)
}

func (m *Method) appended(entry uint32, to, request []byte) ([]byte, error) {
	offer := int(m.storage.Load())
	if cap(to)-len(to) < offer {
		if to == nil {
			to = make([]byte, 0, offer)
		} else {
			to = append(make([]byte, 0, len(to)+offer), to...)
		}
	}
	storage := to[len(to):cap(to)]
	answer, inStorage, err := m.into(entry, unsafe.Pointer(unsafe.SliceData(request)), len(request), storage)
	if err != nil {
		return nil, err
	}
	if inStorage {
		return to[:len(to)+len(answer)], nil
	}
	return append(to, answer...), nil
}

// CallInto calls with bytes, writes the response into a buffer, and returns the response's length. If the response
// doesn't fit, the error is a [ResponseTooLargeError], which contains the response.
//
// The core copies the request first, because other goroutines may write to it.
func (m *Method) CallInto(ctx context.Context, storage, request []byte) (int, error) {
	var answer []byte
	var err error
	inStorage := false
	if m.isDirect(ctx) {
		answer, inStorage, err = m.into(m.entry|native.EntryShared, unsafe.Pointer(unsafe.SliceData(request)), len(request), storage)
	} else {
		answer, err = m.invoked(ctx, nil, append([]byte(nil), request...))
	}
	switch {
	case err != nil:
		return 0, err
	case inStorage:
		return len(answer), nil
	case len(answer) > len(storage):
		return 0, &ResponseTooLargeError{Response: answer, Capacity: len(storage)}
	}
	return copy(storage, answer), nil
}

// Call calls with JSON values. If response is nil, the response is discarded.
func (m *Method) Call(ctx context.Context, request, response any) error {
	data, err := m.marshal(request)
	if err != nil {
		return err
	}
	if !m.isDirect(ctx) {
		if m.plugin.shared != 0 {
			data = append([]byte(nil), data...)
		}
		answer, err := m.invoked(ctx, nil, data)
		if err != nil {
			return err
		}
		return m.unmarshal(answer, response)
	}
	scratch := takeScratch(int(m.storage.Load()))
	defer scratch.give()
	answer, _, err := m.into(m.entry|m.plugin.shared, unsafe.Pointer(unsafe.SliceData(data)), len(data), scratch.bytes)
	if err != nil {
		return err
	}
	return m.unmarshal(answer, response)
}

func (m *Method) marshal(request any) ([]byte, error) {
	if m.encoding != JSON {
		return nil, errorf(InvalidArgument, "rustbridge.InvalidEncoding", "%s was prepared with the encoding %s, but values require json: prepare it with JSON", m.name, m.encoding)
	}
	data, err := m.plugin.codec.Marshal(request)
	if err != nil {
		return nil, errorf(InvalidArgument, "rustbridge.InvalidRequest", "the request of %s can't be written as JSON: %v", m.name, err)
	}
	return data, nil
}

func (m *Method) unmarshal(answer []byte, to any) error {
	if to == nil {
		return nil
	}
	if err := m.plugin.codec.Unmarshal(answer, to); err != nil {
		return errorf(Internal, "rustbridge.InvalidResponse", "the response of %s doesn't have the expected type: %v", m.name, err)
	}
	return nil
}

// Call calls a method with JSON values. The method is prepared at the first call. If response is nil, the response is
// discarded.
func (p *Plugin) Call(ctx context.Context, method string, request, response any) error {
	prepared, err := p.Method(method)
	if err != nil {
		return err
	}
	return prepared.Call(ctx, request, response)
}

func init() {
	native.EntryOf = func(method any) (uint64, uint32) {
		prepared := method.(*Method)
		return prepared.instance, prepared.entry
	}
	native.Invoke = func(method, invocation any) error {
		return method.(*Method).invoke(context.Background(), invocation.(*Invocation))
	}
}
