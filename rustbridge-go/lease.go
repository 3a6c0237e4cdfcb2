package rustbridge

import (
	"context"
	"io"
	"runtime"
	"sync"

	"github.com/rustbridge/rustbridge/rustbridge-go/internal/native"
)

// Lease is a response that stays in the plugin's memory. It's released by Close, or by the garbage collector if it's
// dropped.
//
// A lease is an io.ReaderAt and an io.WriterTo. Reading after Close is an error. A lease outlives its plugin.
type Lease struct {
	// Apart, so that a copy of the lease is the same lease.
	*leased
}

type leased struct {
	lock     sync.RWMutex
	memory   native.Memory
	isClosed bool
	cleanup  runtime.Cleanup
}

// CallLease calls with bytes, and leaves the response in the plugin's memory. Use it for large responses.
func (m *Method) CallLease(ctx context.Context, request []byte) (*Lease, error) {
	if ctx == nil {
		ctx = context.Background()
	}
	if !m.isDirect(ctx) {
		answer, err := m.invoked(ctx, nil, append([]byte(nil), request...))
		if err != nil {
			return nil, err
		}
		return leaseOf(native.MemoryOf(answer)), nil
	}
	// Without storage, whatever isn't empty is handed over.
	var result native.Result
	var nothing native.CallData
	native.CallWith(m.instance, m.entry|native.EntryShared, &nothing, nil, request, nil, 0, &result)
	runtime.KeepAlive(m)
	for _, object := range m.plugin.objects(result.Objects()) {
		object.Close()
	}
	result.Trailers()
	if result.Status() != native.OK {
		return nil, failed(&result)
	}
	return leaseOf(result.Memory()), nil
}

func leaseOf(memory native.Memory) *Lease {
	lease := &leased{memory: memory}
	lease.cleanup = runtime.AddCleanup(lease, func(memory native.Memory) { memory.Release() }, memory)
	return &Lease{lease}
}

// Len returns the number of bytes; 0 if the lease is closed.
func (l *leased) Len() int {
	l.lock.RLock()
	defer l.lock.RUnlock()
	return l.memory.Len()
}

// ReadAt copies bytes. It implements io.ReaderAt.
func (l *leased) ReadAt(to []byte, offset int64) (int, error) {
	l.lock.RLock()
	defer l.lock.RUnlock()
	switch {
	case l.isClosed:
		return 0, closedLease()
	case offset < 0:
		return 0, errorf(InvalidArgument, "rustbridge.InvalidOffset", "the offset %d is negative", offset)
	case offset >= int64(l.memory.Len()):
		return 0, io.EOF
	}
	count := copy(to, l.memory.View()[offset:])
	if count < len(to) {
		return count, io.EOF
	}
	return count, nil
}

// Bytes returns a copy of the response; nil if the lease is closed.
func (l *leased) Bytes() []byte {
	l.lock.RLock()
	defer l.lock.RUnlock()
	if l.isClosed {
		return nil
	}
	return append([]byte{}, l.memory.View()...)
}

// UseUnsafe calls a function with the bytes in place. The lease stays open until the function returns.
//
// It's unsafe: the function must not keep the bytes or write to them, and Go can't check this. All other methods are
// safe. The function must not close the lease, because Close would wait for the function.
func (l *leased) UseUnsafe(function func([]byte)) error {
	l.lock.RLock()
	defer l.lock.RUnlock()
	if l.isClosed {
		return closedLease()
	}
	function(l.memory.View())
	return nil
}

// WriteTo writes the response in pieces, through a buffer in Go's memory. So the writer can't keep the plugin's memory.
func (l *leased) WriteTo(writer io.Writer) (int64, error) {
	scratch := takeScratch(32 << 10)
	defer scratch.give()
	written := int64(0)
	for {
		count, err := l.ReadAt(scratch.bytes, written)
		if count > 0 {
			wrote, failed := writer.Write(scratch.bytes[:count])
			written += int64(wrote)
			if failed == nil && wrote != count {
				failed = io.ErrShortWrite
			}
			if failed != nil {
				return written, failed
			}
		}
		if err == io.EOF {
			return written, nil
		}
		if err != nil {
			return written, err
		}
	}
}

// Close releases the memory. It waits for running reads. Further calls do nothing.
func (l *leased) Close() error {
	l.lock.Lock()
	defer l.lock.Unlock()
	if !l.isClosed {
		l.isClosed = true
		l.cleanup.Stop()
		l.memory.Release()
	}
	return nil
}

func closedLease() *Error {
	return errorf(FailedPrecondition, "rustbridge.ClosedLease", "the lease was closed")
}
