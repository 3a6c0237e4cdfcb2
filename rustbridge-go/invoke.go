package rustbridge

import (
	"context"
	"runtime"
	"unsafe"

	"github.com/rustbridge/rustbridge/rustbridge-go/internal/native"
)

// Invocation is a call with its request, its options and its results.
type Invocation struct {
	// Request is copied first, because other goroutines may write to it during the call.
	Request []byte
	// Unshared saves this copy. The caller promises that no code writes to the request until Invoke returns, and that
	// the spare capacity of Buffer doesn't overlap the request.
	Unshared bool
	// Borrowed are the objects that the call borrows, in the order in which the request refers to them. The receiver of
	// an object's method is the first one.
	Borrowed []*Object
	// Buffer receives the response. The response is written into its spare capacity if it fits there.
	Buffer []byte
	// Offload keeps the handler of a method that isn't leaf off this thread, while this goroutine waits for it. It
	// applies to a plain handler, and to the part of an async handler before its first wait.
	Offload bool
	// TakeHeaders requests the headers (initial metadata). Without it, they cost nothing.
	TakeHeaders bool

	// Response is the response, appended to Buffer.
	Response []byte
	// Objects are the objects of the response. The caller must close them.
	Objects []*Object
	// Trailers are the plugin's trailing metadata, also with an error.
	Trailers Metadata
	// Headers are the plugin's initial metadata, if they were requested, also with an error.
	Headers Metadata
}

// invoked makes a call with a context and bytes that nobody else has, and appends the response.
func (m *Method) invoked(ctx context.Context, to, request []byte) ([]byte, error) {
	invocation := Invocation{Request: request, Unshared: true, Buffer: to}
	if err := m.Invoke(ctx, &invocation); err != nil {
		return nil, err
	}
	for _, object := range invocation.Objects {
		object.Close()
	}
	return invocation.Response, nil
}

// Invoke makes the call of an invocation, and fills in its results.
//
// While an async method is pending, a goroutine waits, but no thread does. If the context is done, the call is
// cancelled: its future is dropped in the plugin, and the error is the context's. A plain method runs to its end on
// this goroutine's thread. The context's deadline and cancellation reach its handler, which may check them.
func (m *Method) Invoke(ctx context.Context, invocation *Invocation) error {
	if invocation == nil {
		return errorf(InvalidArgument, "rustbridge.InvalidRequest", "the invocation of %s is nil", m.name)
	}
	if len(m.plugin.interceptors) > 0 {
		return m.plugin.aroundCall(ctx, m, invocation, func(ctx context.Context) error { return m.invoke(ctx, invocation) })
	}
	return m.invoke(ctx, invocation)
}

func (m *Method) invoke(ctx context.Context, invocation *Invocation) error {
	// The response goes to where it's wanted, or to this stack, or to memory that is lent.
	var local [stackStorage]byte
	storage := room{unsafe.Pointer(&local), stackStorage}
	if invocation.Buffer != nil {
		storage = behind(invocation.Buffer)
	} else if size := int(m.storage.Load()); size > stackStorage {
		scratch := takeScratch(size)
		defer scratch.give()
		storage = behind(scratch.bytes[:0])
	}
	invocation.Response = nil
	request := invocation.Request
	if !invocation.Unshared {
		request = append([]byte(nil), request...)
	}
	var ended end
	if err := m.perform(ctx, request, invocation, storage, &ended); err != nil {
		return err
	}
	to := invocation.Buffer
	switch {
	case ended.inStorage && to == nil:
		invocation.Response = append(make([]byte, 0, ended.size), storage.first(ended.size)...)
	case ended.inStorage:
		invocation.Response = to[:len(to)+ended.size]
	case len(to) == 0:
		m.learn(len(ended.payload))
		invocation.Response = ended.payload
	default:
		invocation.Response = append(to, ended.payload...)
	}
	return nil
}

// perform calls with a request of the caller's alone, and has the response in the storage or in the end. What else is sent and comes
// back is the invocation's.
func (m *Method) perform(ctx context.Context, request []byte, invocation *Invocation, storage room, to *end) error {
	if ctx == nil {
		ctx = context.Background()
	}
	invocation.Objects, invocation.Trailers, invocation.Headers = nil, nil, nil
	var header native.CallData
	found, refused := m.plugin.header(ctx, invocation.Borrowed, &header)
	if refused != nil {
		return refused
	}
	if invocation.TakeHeaders {
		header.Flags |= native.HeaderHeaders
	}
	if found != nil && found.service != nil {
		defer found.service.enter(m.instance)()
	}
	header.Number = m.keepContext(ctx)
	defer forgetContext(header.Number)
	if m.begins(invocation) {
		if err := m.await(ctx, &header, request, invocation.Offload, storage, to); err != nil {
			return err
		}
	} else {
		m.wait(ctx, &header, request, storage, to)
	}
	for _, object := range invocation.Borrowed {
		runtime.KeepAlive(object)
	}
	runtime.KeepAlive(m)
	invocation.Trailers = unpack(to.trailers)
	invocation.Objects = m.plugin.objects(to.objects)
	invocation.Headers = unpack(to.headers)
	if found != nil && found.trailers != nil {
		*found.trailers = invocation.Trailers
	}
	if found != nil && found.headers != nil {
		*found.headers = invocation.Headers
	}
	if to.status == native.OK {
		return nil
	}
	payload := to.payload
	if to.inStorage {
		payload = append([]byte(nil), storage.first(to.size)...)
	}
	return byContext(ctx, errorOf(to.status, payload))
}

// room is memory for a response. As an address, so that a stack's may be lent to a call and not escape.
type room struct {
	pointer unsafe.Pointer
	size    int
}

// behind is the room behind a slice's end.
func behind(slice []byte) room {
	rest := slice[len(slice):cap(slice)]
	return room{unsafe.Pointer(unsafe.SliceData(rest)), len(rest)}
}

func (r room) first(size int) []byte {
	return unsafe.Slice((*byte)(r.pointer), size)
}

func (m *Method) begins(invocation *Invocation) bool {
	if m.flags&(native.MethodStreamIn|native.MethodStreamOut) != 0 {
		// The core says why not.
		return false
	}
	return invocation.Offload || m.flags&native.MethodAsync != 0
}

// end is how a call has ended.
type end struct {
	status   int32
	payload  []byte
	trailers []byte
	headers  []byte
	objects  []uint64
	// The payload is the first bytes of the storage, so many.
	inStorage bool
	size      int
}

func (e *end) take(result *native.Result) {
	e.status = result.Status()
	e.trailers, e.headers, e.objects = result.Trailers(), result.Headers(), result.Objects()
	if e.inStorage = result.InStorage(); e.inStorage {
		e.size = result.Len()
		return
	}
	memory := result.Memory()
	e.payload = memory.Take(nil)
}

// wait calls on this thread. When the context is done meanwhile the call is asked to end early.
func (m *Method) wait(ctx context.Context, header *native.CallData, request []byte, storage room, to *end) {
	var result native.Result
	if ctx.Done() == nil {
		native.CallWith(m.instance, m.entry, header, nil, request, storage.pointer, storage.size, &result)
	} else if running := cancellable(ctx); running != nil {
		native.CallWith(m.instance, m.entry, header, &running.op, request, storage.pointer, storage.size, &result)
		to.take(&result)
		running.over()
		return
	} else {
		asked := &canceller{}
		stop := context.AfterFunc(ctx, asked.cancel)
		native.CallWith(m.instance, m.entry, header, &asked.op, request, storage.pointer, storage.size, &result)
		asked.isOver.Store(true)
		stop()
	}
	to.take(&result)
}

// await begins a call, and waits for its end as long as the context does.
func (m *Method) await(ctx context.Context, header *native.CallData, request []byte, offload bool, storage room, to *end) error {
	queue, err := completions()
	if err != nil {
		return err
	}
	if queue == nil {
		// The plugin is closed, as all are.
		m.wait(ctx, header, request, storage, to)
		return nil
	}
	flags := uint32(0)
	if offload {
		flags = native.SubmitOffload
	}
	slot := queue.take(nil)
	userData := slot.userData()
	var result native.Result
	status := native.Submit(queue.number, userData, m.instance, m.entry, flags, header, request, storage.pointer,
		storage.size, &result)
	if status != native.Pending {
		queue.giveUnused(slot)
		if status != native.OK && queue.isClosed.Load() {
			// As the plugin is meanwhile, which says so.
			discard(&result)
			m.wait(ctx, header, request, storage, to)
			return nil
		}
		to.take(&result)
		return nil
	}
	if done := ctx.Done(); done == nil {
		<-slot.wake
	} else {
		select {
		case <-slot.wake:
		case <-done:
			if slot.abandon(userData) {
				queue.give(slot)
				native.Detach(result.Op())
				return endedBy(ctx)
			}
			// The end has come just now.
			<-slot.wake
		}
	}
	*to = slot.end
	queue.give(slot)
	return nil
}
