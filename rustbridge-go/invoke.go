package rustbridge

import (
	"context"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/rustbridge/rustbridge/rustbridge-go/internal/native"
)

// Invocation is a call with all that it can have beside its request, and what comes back.
type Invocation struct {
	// Request is copied first, since others may write to it while the call runs.
	Request []byte
	// Unshared saves that copy: the caller promises that nobody writes to the request until Invoke has returned, and that the spare
	// capacity of Storage doesn't overlap it.
	Unshared bool
	// Lent are objects, in the order in which the request speaks of them; the receiver of an object's method is the first.
	Lent []*Object
	// Storage has room for the response, which is written to its spare capacity if it fits there.
	Storage []byte
	// Offload has a plain method run on a thread of the plugin's, while a goroutine waits.
	Offload bool

	// Response is appended to Storage.
	Response []byte
	// Objects came with the response; they are the caller's to close.
	Objects []*Object
	// Trailers came back, also with an error.
	Trailers Metadata
}

// invoked makes a call with a context and bytes that nobody else has, and appends the response.
func (m *Method) invoked(ctx context.Context, to, request []byte) ([]byte, error) {
	invocation := Invocation{Request: request, Unshared: true, Storage: to}
	if err := m.Invoke(ctx, &invocation); err != nil {
		return nil, err
	}
	for _, object := range invocation.Objects {
		object.Close()
	}
	return invocation.Response, nil
}

// Invoke calls with what an invocation says, and fills in what comes back.
//
// An async method is begun, and while it's pending a goroutine waits and no thread does. When the context is done the call is given up:
// its future is dropped in the plugin, and the error is the context's. A plain method runs on this goroutine's thread to its end; the
// context's deadline and cancellation reach its handler, which may look.
func (m *Method) Invoke(ctx context.Context, invocation *Invocation) error {
	if ctx == nil {
		ctx = context.Background()
	}
	invocation.Response, invocation.Objects, invocation.Trailers = nil, nil, nil
	var header native.Carried
	found, refused := m.plugin.header(ctx, invocation.Lent, &header)
	if refused != nil {
		return refused
	}
	if found != nil && found.service != nil {
		found.service.enter()
		defer found.service.leave()
	}
	storage := invocation.Storage
	if storage == nil {
		scratch := takeScratch(int(m.storage.Load()))
		defer scratch.give()
		storage = scratch.bytes[:0]
	}
	if !invocation.Unshared {
		request := invocation.Request
		invocation.Request = append([]byte(nil), request...)
		defer func() { invocation.Request = request }()
	}
	var ended end
	if m.begins(invocation) {
		if err := m.await(ctx, &header, invocation, storage[len(storage):cap(storage)], &ended); err != nil {
			return err
		}
	} else {
		m.wait(ctx, &header, invocation, storage[len(storage):cap(storage)], &ended)
	}
	for _, object := range invocation.Lent {
		runtime.KeepAlive(object)
	}
	runtime.KeepAlive(m)
	invocation.Trailers = unpack(ended.trailers)
	invocation.Objects = m.plugin.objects(ended.objects)
	if found != nil && found.trailers != nil {
		*found.trailers = invocation.Trailers
	}
	if ended.status != native.OK {
		payload := ended.payload
		if ended.inStorage {
			payload = append([]byte(nil), storage[len(storage):len(storage)+ended.size]...)
		}
		return errorOf(ended.status, payload)
	}
	switch {
	case ended.inStorage && invocation.Storage == nil:
		invocation.Response = append(make([]byte, 0, ended.size), storage[:ended.size]...)
	case ended.inStorage:
		invocation.Response = storage[:len(storage)+ended.size]
	case len(storage) == 0:
		m.learn(len(ended.payload))
		invocation.Response = ended.payload
	default:
		invocation.Response = append(storage, ended.payload...)
	}
	return nil
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
	objects  []uint64
	// The payload is the first bytes of the storage, so many.
	inStorage bool
	size      int
}

func (e *end) take(result *native.Result) {
	e.status = result.Status()
	e.trailers, e.objects = result.Trailers(), result.Objects()
	if e.inStorage = result.InStorage(); e.inStorage {
		e.size = result.Len()
		return
	}
	memory := result.Memory()
	e.payload = memory.Take(nil)
}

// wait calls on this thread. When the context is done meanwhile the call is asked to end early.
func (m *Method) wait(ctx context.Context, header *native.Carried, invocation *Invocation, storage []byte, to *end) {
	var result native.Result
	if ctx.Done() == nil {
		native.CallWith(m.instance, m.entry, header, nil, invocation.Request, storage, &result)
	} else {
		asked := &canceller{}
		stop := context.AfterFunc(ctx, asked.cancel)
		native.CallWith(m.instance, m.entry, header, &asked.op, invocation.Request, storage, &result)
		asked.isOver.Store(true)
		stop()
	}
	to.take(&result)
}

// canceller cancels a call that runs, by the number that the core writes before the plugin begins.
type canceller struct {
	op     uint64
	isOver atomic.Bool
}

func (c *canceller) cancel() {
	for pause := 20 * time.Microsecond; !c.isOver.Load(); pause = min(2*pause, 10*time.Millisecond) {
		if op := atomic.LoadUint64(&c.op); op != 0 {
			native.Cancel(op)
			return
		}
		time.Sleep(pause)
	}
}

// await begins a call, and waits for its end as long as the context does.
func (m *Method) await(ctx context.Context, header *native.Carried, invocation *Invocation, storage []byte, to *end) error {
	queue, err := completions()
	if err != nil {
		return err
	}
	flags := uint32(0)
	if invocation.Offload {
		flags = native.SubmitOffload
	}
	slot := queue.take(nil)
	number := slot.userData()
	var result native.Result
	status := native.Submit(queue.number, number, m.instance, m.entry, flags, header, invocation.Request, storage, &result)
	if status != native.Pending {
		queue.give(slot)
		to.take(&result)
		return nil
	}
	if done := ctx.Done(); done == nil {
		<-slot.wake
	} else {
		select {
		case <-slot.wake:
		case <-done:
			if slot.abandon(number) {
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
