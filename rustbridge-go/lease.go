package rustbridge

import (
	"context"
	"io"
	"runtime"
	"sync"

	"github.com/rustbridge/rustbridge/rustbridge-go/internal/native"
)

// Lease is a response that stays in the plugin's memory until it's closed, or until the collector finds it dropped. It's an io.ReaderAt and
// an io.WriterTo; reading it after Close is an error. It outlives its plugin.
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

// CallLease calls with bytes, and leaves the response where it is. Worth it for what is large.
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
	var nothing native.Carried
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

// Len is the number of bytes; 0 when it's closed.
func (l *leased) Len() int {
	l.lock.RLock()
	defer l.lock.RUnlock()
	return l.memory.Len()
}

// ReadAt copies bytes, as io.ReaderAt says.
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

// Bytes gives a copy of all of it; nil when it's closed.
func (l *leased) Bytes() []byte {
	l.lock.RLock()
	defer l.lock.RUnlock()
	if l.isClosed {
		return nil
	}
	return append([]byte{}, l.memory.View()...)
}

// UseUnsafe gives the bytes where they are to a function, and keeps the lease open until it returns.
//
// Unsafe: what the function keeps of them, or writes to them, is beyond what Go can watch. Everything else here is safe. The function
// mustn't close the lease, which would wait for itself.
func (l *leased) UseUnsafe(function func([]byte)) error {
	l.lock.RLock()
	defer l.lock.RUnlock()
	if l.isClosed {
		return closedLease()
	}
	function(l.memory.View())
	return nil
}

// WriteTo writes all of it, piece by piece by way of memory of Go's, so that no writer can keep the plugin's.
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

// Close releases the bytes. It waits for who reads them; again it does nothing.
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
